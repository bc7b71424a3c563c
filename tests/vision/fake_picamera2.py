"""A small picamera2 over an imagined sensor: the part that Stationmaster uses, and its traps.

It keeps to what the real one does: the names of the calls and of their arguments, formats whose
names are the wrong way round for numpy, padded rows, controls that show some frames later, so many
buffers and no more, requests that are dead once they are released, jobs that stay in the queue
after their time is up. `installed` puts it where `import picamera2` finds it.
"""

from __future__ import annotations

import os
import sys
import time
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

SENSOR = (4608, 2592)
TARGET = 110.0
"""Grey levels that the automatic exposure is after."""

LATE = 3
"""Frames after which a control shows."""

RED = np.array((1.0, 0.15, 0.1))
BLUE = np.array((0.1, 0.15, 1.0))

# Of each format, which colour comes first in memory.
MEMORY = {"RGB888": (2, 1, 0), "BGR888": (0, 1, 2)}


class World:
    """What the camera looks at, when, and what is wrong with it."""

    def __init__(self) -> None:
        self.light = 1.0
        self.trouble = ""
        self.sensor = SENSOR
        self.cameras: list[dict[str, Any]] = [
            {"Model": "imx708", "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a", "Num": 0}
        ]
        self.missing: set[str] = set()
        self.real = False
        self.time = 5000.0
        self.made: list[Picamera2] = []

    def now(self) -> float:
        return time.monotonic() if self.real else self.time

    def sleep(self, seconds: float) -> None:
        if self.real:
            time.sleep(seconds)
        else:
            self.time += seconds


world = World()


class CompletedRequest:
    def __init__(self, camera: Picamera2, at: float) -> None:
        self._camera: Picamera2 | None = camera
        self._config = camera.config
        self._level = camera.level()
        self._metadata = {
            "SensorTimestamp": round(at * 1e9),
            "ExposureTime": round(camera.exposure * camera.wanders()),
            "AnalogueGain": 1.5,
            "ColourGains": camera.gains,
            "LensPosition": camera.lens,
            "Lux": 300.0,
        }
        camera.free -= 1

    def get_metadata(self) -> dict[str, Any]:
        return dict(self._metadata)

    def make_array(self, name: str) -> NDArray[np.uint8]:
        if self._camera is None:
            raise RuntimeError(f"Stream {name!r} is not defined")
        self._camera.made_arrays.append(name)
        if world.trouble == "torn":
            raise ValueError("cannot reshape array of size 1024 into shape (1296,2304,3)")
        width, height = self._config[name]["size"]
        if world.trouble == f"small {name}":
            width, height = width // 2, height // 2
        if name == "lores":
            stride = -(-width // 64) * 64
            planes = np.full((height * 3 // 2, stride), 255, np.uint8)
            planes[:height, :width] = self._level
            return planes
        # Its left half is red and its right half blue.
        order = list(MEMORY[self._config[name]["format"]])
        scene = np.empty((height, width, 3), np.uint8)
        scene[:, : width // 2] = RED[order] * self._level
        scene[:, width // 2 :] = BLUE[order] * self._level
        return scene

    def release(self) -> None:
        if self._camera is None:
            raise RuntimeError("CompletedRequest: lock now has negative ref_count")
        self._camera.free += 1
        self._camera = None


class Picamera2:
    def __init__(self, camera_num: int = 0) -> None:
        if world.trouble == "hang in open":
            time.sleep(600)
        if world.trouble == "no camera of late":
            raise IndexError("list index out of range")
        if world.trouble == "busy":
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        if world.trouble == "held":
            raise RuntimeError("Camera __init__ sequence did not complete.")
        if world.trouble == "firmware":
            raise OSError(5, "Input/output error")
        assert camera_num in [one["Num"] for one in world.cameras]
        self.sensor_resolution = world.sensor
        self.camera_controls = {
            name: (0, 1, 0)
            for name in (
                *("ExposureTime", "AnalogueGain", "ColourGains", "AwbEnable", "AfMode", "LensPosition"),
                "FrameDurationLimits",
            )
            if name not in world.missing
        }
        self.config: dict[str, Any] = {}
        self.exposure, self.gains, self.lens = 2000.0, (1.0, 1.0), 1.0
        self.automatic = {"ExposureTime": True, "ColourGains": True, "LensPosition": False}
        self.coming: list[tuple[int, dict[str, Any]]] = []
        self.told: list[dict[str, Any]] = []
        self.frames = self.free = self.jobs = 0
        self.period = 0.0
        self.started = self.closed = False
        self.made_arrays: list[str] = []
        world.made.append(self)

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return world.cameras

    def create_video_configuration(
        self,
        main: dict[str, Any],
        lores: dict[str, Any],
        buffer_count: int = 6,
        controls: dict[str, Any] | None = None,
        queue: bool = True,
    ) -> dict[str, Any]:
        assert lores["format"] == "YUV420"
        assert all(small <= large for small, large in zip(lores["size"], main["size"], strict=True))
        assert all(side % 2 == 0 for side in (*lores["size"], *main["size"]))
        return {
            "main": main,
            "lores": lores,
            "buffer_count": buffer_count,
            "controls": controls or {},
            "queue": queue,
        }

    def configure(self, camera_config: dict[str, Any]) -> None:
        self.config = camera_config
        self.free = camera_config["buffer_count"]
        self.period = camera_config["controls"]["FrameDurationLimits"][0] / 1e6

    def start(self) -> None:
        self.started = True

    def set_controls(self, controls: dict[str, Any]) -> None:
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.told.append(dict(controls))
        self.coming.append((self.frames + LATE, dict(controls)))

    def capture_request(self, wait: float | bool | None = None) -> CompletedRequest:
        assert self.started
        assert isinstance(wait, float), "without a time it waits for ever"
        if world.trouble == "hang in capture":
            time.sleep(600)
        if world.trouble == "failing":
            raise OSError(19, "No such device")
        if world.trouble == "killed":
            os.abort()
        if world.trouble == "silent" or self.free == 0 or self.jobs:
            world.sleep(wait)
            self.jobs += 1
            raise TimeoutError
        start = world.now()
        world.sleep(self.period)
        self._next_frame()
        return CompletedRequest(self, start + self.period)

    def cancel_all_and_flush(self) -> None:
        self.jobs = 0

    def close(self) -> None:
        if world.trouble == "hang in close":
            time.sleep(600)
        self.started, self.closed = False, True

    def level(self) -> float:
        """How bright white is in the picture."""
        return 0.0 if world.trouble == "black" else min(255.0, world.light * self.exposure / 100)

    def wanders(self) -> float:
        """How much longer than it should be an exposure is."""
        return 1.1 + 0.1 * (self.frames % 3) if world.trouble == "wandering" else 1.0

    def _next_frame(self) -> None:
        self.frames += 1
        due = [controls for frame, controls in self.coming if frame <= self.frames]
        self.coming = [(frame, controls) for frame, controls in self.coming if frame > self.frames]
        for controls in due:
            self._apply(controls)
        if self.automatic["ExposureTime"]:
            wanted = min(66_000.0, TARGET * 100 / world.light)
            self.exposure += (wanted - self.exposure) * 0.5
        if self.automatic["ColourGains"]:
            self.gains = tuple(gain + (2.0 - gain) * 0.5 for gain in self.gains)  # type: ignore[assignment]
        if self.automatic["LensPosition"]:
            self.lens += (2.5 - self.lens) * 0.5

    def _apply(self, controls: dict[str, Any]) -> None:
        if "ExposureTime" in controls:
            self.automatic["ExposureTime"] = controls["ExposureTime"] == 0
            self.exposure = controls["ExposureTime"] or self.exposure
        if controls.get("AwbEnable"):
            self.automatic["ColourGains"] = True
        if "ColourGains" in controls:
            self.automatic["ColourGains"], self.gains = False, controls["ColourGains"]
        if "AfMode" in controls:
            self.automatic["LensPosition"] = controls["AfMode"] == 2
        if "LensPosition" in controls:
            self.lens = controls["LensPosition"]


def installed() -> ModuleType:
    """The module that `import picamera2` shall give."""
    module = ModuleType("picamera2")
    module.__dict__["Picamera2"] = Picamera2
    return module


def in_its_process(name: str, before: str) -> Any:
    """The real adapter over this camera, for a process of its own; the name says what goes wrong when."""
    from vision.picamera import PiCamera

    sys.modules["picamera2"] = installed()
    world.real = True
    when, _, trouble = name.partition(": ")
    if when == "at once":
        world.trouble = trouble

    class Troubled(PiCamera):
        def open(self) -> None:
            super().open()
            world.trouble = trouble

    return Troubled(name, before)
