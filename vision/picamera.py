"""A camera on the Raspberry Pi's ribbon cable, through picamera2. It lives in a process of its own.

Any call may block, even that which lets the camera go.

A small grey stream comes with every frame and the whole picture is taken out only when somebody
asks for it. Light, colours and focus are left to the camera for a start and then held, so that a
table at rest looks the same in every frame; they are found anew when the room's light changes.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from vision.source import RATE, STRIDE, Frame, Image, SourceFault

WIDEST = 2304
"""Pixels across of a picture at most: of the sensor's own size, a half, a third … is taken."""

SETTLE = (1.0, 4.0)
"""Seconds for which the camera finds its light by itself at first: at least, and at most."""

AGAIN = (0.5, 1.5)
"""The same later: no frame is given meanwhile, and nobody shall take that for a camera that hangs."""

CHANGED = 1.8
"""How much brighter or darker than when it was held the light must be to be found anew…"""

FOR = 2.0
"""…and for how many seconds."""

_WAIT = 2.0  # seconds for one frame
_SMALLER = 4  # the small stream is so much smaller than the whole picture
_STEADY = 0.03  # of a value: it has settled when it changes by less
_TIMES = 3  # frames in a row in which it has
_HOLD = 8  # frames until a value that was set shows: those on their way were begun without it
_BLACK = 4.0  # grey levels below which no light is told from none
_AUTOMATIC = {"ExposureTime": 0, "AnalogueGain": 0.0, "AwbEnable": True, "AfMode": 2}
_HELD = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")

log = logging.getLogger(__name__)


def installed() -> Any:
    """The class Picamera2. Raises SourceFault when it is not there or does not fit."""
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise SourceFault(
            f"This Python has no picamera2 ({error}).",
            "On a Raspberry Pi type: sudo apt-get install python3-picamera2 --no-install-recommends, "
            "remove the folder .venv and start again: ./run makes one that sees the system's packages "
            "(--system-site-packages).",
            permanent=True,
        ) from error
    except ValueError as error:  # numpy's own, for packages that were built on another
        raise SourceFault(
            f"picamera2 does not fit the numpy that this Python has ({error}).",
            "Remove the folder .venv and start again: ./run makes one that keeps the system's numpy, "
            "which picamera2 was built on.",
            permanent=True,
        ) from error
    except Exception as error:
        raise SourceFault(
            f"picamera2 cannot be loaded ({type(error).__name__}: {error}).",
            "Type: sudo apt-get update && sudo apt-get full-upgrade, and start the Raspberry Pi again.",
            permanent=True,
        ) from error
    return Picamera2


class PiCamera:
    """The first camera on a ribbon cable."""

    def __init__(
        self,
        name: str = "picamera2",
        before: str = "",
        *,
        clock: Callable[[], float] = time.monotonic,
        dev: Path = Path("/dev"),
    ) -> None:
        self.name = name
        self._clock = clock
        self._dev = dev
        self._camera: Any = None
        self._request: Any = None
        self._size = self._small = (0, 0)
        self._light = 0.0
        self._changed: float | None = None

    def open(self) -> None:
        """Open the camera, start it, and hold its light once it has found that."""
        os.environ.setdefault("LIBCAMERA_LOG_LEVELS", "*:WARN")
        made = installed()
        try:
            known = made.global_camera_info()
            number = next((one["Num"] for one in known if "/usb" not in one["Id"]), None)
            if number is None:
                raise self._none_there()
            self._camera = made(number)
            self._start()
            self._settle(SETTLE)
        except SourceFault:
            raise
        except TimeoutError as error:
            raise _silent() from error
        except IndexError as error:  # some versions say so that there is no camera
            raise self._none_there() from error
        except Exception as error:
            raise _does_not_open(error) from error

    def shoot(self, since: float) -> Frame:
        """The first frame whose exposure began at that time or later."""
        try:
            while True:
                request, taken, small = self._take()
                if taken < since:
                    continue
                if self._light_has_changed(taken, small):
                    self._settle(AGAIN)
                    continue
                return Frame(taken, partial(self._whole, request), small)
        except TimeoutError as error:
            self._camera.cancel_all_and_flush()
            raise _silent() from error
        except SourceFault:
            raise
        except Exception as error:
            raise _failed(error) from error

    def close(self) -> None:
        """Let go of the camera."""
        self._release()
        if self._camera is not None:
            self._camera.close()
        self._camera = None

    def _start(self) -> None:
        camera = self._camera
        width, height = camera.sensor_resolution
        part = -(-width // WIDEST)
        self._size = _even(width / part, height / part)
        self._small = _even(self._size[0] / _SMALLER, self._size[1] / _SMALLER)
        each = round(1e6 / RATE)
        camera.configure(
            camera.create_video_configuration(
                main={"size": self._size, "format": "RGB888"},  # which lies in memory as OpenCV's BGR
                lores={"size": self._small, "format": "YUV420"},
                buffer_count=4,
                queue=False,  # the next frame, not one that lies ready
                controls={"FrameDurationLimits": (each, each)},
            )
        )
        camera.start()

    def _take(self) -> tuple[Any, float, Image]:
        """The next frame: itself, when its exposure began, its small picture. Kept until the one after it."""
        self._release()
        self._request = self._camera.capture_request(wait=_WAIT)
        said = self._request.get_metadata()
        planes = self._request.make_array("lores")
        width, height = self._small
        if planes.ndim != 2 or planes.shape[0] < height or planes.shape[1] < width:
            raise _broken(planes)
        # The planes of YUV420 lie below each other; the first one is the grey picture.
        step = max(1, STRIDE // _SMALLER)
        small = np.ascontiguousarray(planes[:height:step, :width:step], np.uint8)
        return self._request, said["SensorTimestamp"] / 1e9 - said["ExposureTime"] / 1e6, small

    def _whole(self, request: Any) -> Image:
        try:
            image: Image = request.make_array("main")
        except Exception as error:
            raise _failed(error) from error
        if image.shape != (self._size[1], self._size[0], 3):
            raise _broken(image)
        return image

    def _release(self) -> None:
        request, self._request = self._request, None
        if request is not None:
            request.release()

    def _settle(self, seconds: tuple[float, float]) -> None:
        """Let the camera find light, colours and focus for so long, then hold them."""
        self._set(_AUTOMATIC)
        start = self._clock()
        values: Mapping[str, Any] = {}
        steady = 0
        while (spent := self._clock() - start) < seconds[1]:
            self._take()
            said = self._request.get_metadata()
            steady = steady + 1 if _same(values, said) else 0
            values = said
            if spent >= seconds[0] and steady >= _TIMES:
                break
        found = {name: values[name] for name in _HELD if name in values}
        self._set({**found, "AfMode": 0})
        for _ in range(_HOLD):
            _, _, small = self._take()
        if not _same(found, self._request.get_metadata()):
            log.warning("The camera does not hold its light: readings may be less sure.")
        self._light, self._changed = _light(small), None

    def _set(self, controls: Mapping[str, Any]) -> None:
        """Set what this camera has: a fixed lens has no focus, a grey sensor no colours."""
        known = self._camera.camera_controls
        self._camera.set_controls({name: value for name, value in controls.items() if name in known})

    def _light_has_changed(self, taken: float, small: Image) -> bool:
        now = _light(small)
        if self._light / CHANGED <= now <= self._light * CHANGED:
            self._changed = None
            return False
        if self._changed is None:
            self._changed = taken
        return taken - self._changed >= FOR

    def _none_there(self) -> SourceFault:
        barred = [path for path in sorted(self._dev.glob("media*")) if not os.access(path, os.R_OK | os.W_OK)]
        if barred:
            return SourceFault(
                f"The camera on the ribbon cable may not be used by this user ({barred[0]}).",
                "Type: sudo usermod -aG video $USER, log in again and start again.",
                permanent=True,
            )
        return SourceFault(
            "No camera is found on the Raspberry Pi's ribbon cable.",
            "Switch the Raspberry Pi off, push the cable in at both ends, with its contacts the right way "
            "round, and start again. `rpicam-hello --list-cameras` shows what is found.",
            permanent=False,
        )


def _silent() -> SourceFault:
    return _of_the_cable(f"has given no picture for {_WAIT:.0f} seconds")


def _broken(image: Image) -> SourceFault:
    return _of_the_cable(f"gave a picture of the wrong size {image.shape}")


def _failed(error: Exception) -> SourceFault:
    return _of_the_cable(f"failed ({type(error).__name__}: {error})")


def _of_the_cable(what: str) -> SourceFault:
    return SourceFault(
        f"The camera on the ribbon cable {what}.",
        "See to the ribbon cable at both ends. It is tried again by itself.",
        permanent=False,
    )


def _does_not_open(error: Exception) -> SourceFault:
    said = f"{type(error).__name__}: {error}"
    if "busy" in said or "did not complete" in said:
        return SourceFault(
            f"The camera on the ribbon cable is in use by another program ({said}).",
            "End that program, such as rpicam-hello or another Stationmaster. It is tried again by itself.",
            permanent=False,
        )
    return SourceFault(
        f"The camera on the ribbon cable cannot be opened ({said}).",
        "If it stays so, start the Raspberry Pi again. It is tried again by itself.",
        permanent=False,
    )


def _light(small: Image) -> float:
    return max(float(small.mean()), _BLACK)


def _even(width: float, height: float) -> tuple[int, int]:
    """A size that every stream can have: the colours of YUV420 are half as many each way."""
    return int(width) // 2 * 2, int(height) // 2 * 2


def _same(before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether all that is held is nearly as it was."""
    known = [name for name in _HELD if name in before]
    if not known:
        return False
    one = np.hstack([before[name] for name in known]).astype(float)
    other = np.hstack([now.get(name, np.nan) for name in known]).astype(float)
    return one.shape == other.shape and bool(np.all(np.abs(other - one) <= _STEADY * np.abs(one) + 1e-6))
