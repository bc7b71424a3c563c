"""The first camera that works: a USB camera by its own name, any other device, the Pi's ribbon cable."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

from vision.camera_wire import Camera
from vision.picamera import PiCamera
from vision.source import Frame, SourceFault, not_open
from vision.v4l2 import V4L2Camera
from vision.v4l2_names import DEV, cameras


class AnyCamera:
    """Tries each camera in turn, the one that worked last (`before`) first."""

    def __init__(
        self,
        name: str = "auto",
        before: str = "",
        *,
        dev: Path = DEV,
        v4l2: Callable[[str], Camera] = V4L2Camera,
        picamera: Callable[[], Camera] = PiCamera,
    ) -> None:
        self.name = name
        self._before = before
        self._dev = dev
        self._v4l2, self._picamera = v4l2, picamera
        self._camera: Camera | None = None

    def open(self) -> None:
        """Open the first that gives a picture. Raises SourceFault when none does."""
        faults = []
        for camera in self._candidates():
            try:
                camera.open()
            except SourceFault as fault:
                camera.close()
                faults.append(fault)
                continue
            self._camera, self.name = camera, camera.name
            return
        if not faults:
            raise SourceFault(
                "No camera is connected.", "Plug one in, or play by phone alone with --table none.", False
            )
        raise SourceFault(
            "No camera works: " + " ".join(fault.words for fault in faults),
            faults[0].cure,
            permanent=all(fault.permanent for fault in faults),
        )

    def shoot(self, since: float) -> Frame:
        """The chosen camera's frame."""
        if self._camera is None:
            raise not_open(self.name)
        return self._camera.shoot(since)

    def close(self) -> None:
        """Let go of the chosen camera."""
        if self._camera is not None:
            self._camera.close()
        self._camera = None

    def _candidates(self) -> list[Camera]:
        names = cameras(self._dev)
        if self._before in names:
            names = (self._before, *(name for name in names if name != self._before))
        found = [self._v4l2(name) for name in names]
        # Where nobody has installed picamera2 nobody has a camera for it: no fault of theirs.
        if importlib.util.find_spec("picamera2") is not None:
            ribbon = self._picamera()
            found = [ribbon, *found] if self._before == ribbon.name else [*found, ribbon]
        return found
