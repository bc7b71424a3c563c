"""What a source of pictures is: frames, faults and the one small protocol; and which source a name means."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

RATE = 10.0
"""Frames a second that a source gives at most."""

STRIDE = 8
"""A small picture is made of every so manieth pixel of every so manieth row."""


class Frame:
    """One picture: when it was taken (monotonic seconds) and its pixels.

    `image` is the whole picture (BGR, uint8, HxWx3). A source may give it as a function that is
    called when somebody first asks, together with a `small` picture of the same moment (BGR or
    grey): most frames only have to be looked at for motion. Asking for `image` then raises
    SourceFault when the source has failed meanwhile, or has been asked for the next frame.
    """

    __slots__ = ("_image", "_small", "time")

    def __init__(self, time: float, image: Image | Callable[[], Image], small: Image | None = None) -> None:
        self.time = time
        self._image = image
        self._small = small

    @property
    def image(self) -> Image:
        """The whole picture, BGR, uint8, HxWx3."""
        if callable(self._image):
            self._image = self._image()
        return self._image

    @property
    def small(self) -> Image:
        """Enough of the picture to see motion and light by: BGR (hxwx3) or grey (hxw), uint8."""
        return self.image[::STRIDE, ::STRIDE] if self._small is None else self._small

    @property
    def whole(self) -> bool:
        """Whether the whole picture is here already."""
        return not callable(self._image)


class SourceFault(Exception):
    """A source that does not give pictures: what is wrong, what to do, and whether waiting helps.

    `permanent` faults stay until somebody acts (a wrong name, no permission); the others may pass by
    themselves (a cable that is plugged in again).
    """

    def __init__(self, words: str, cure: str, permanent: bool) -> None:
        super().__init__(f"{words} {cure}")
        self.words = words
        self.cure = cure
        self.permanent = permanent


class Source(Protocol):
    """Gives frames between `open` and `close`. They raise SourceFault, nothing else of the device's.

    One thread uses a source; any other may call `give_up`.
    """

    name: str

    def open(self) -> None:
        """Begin. May be called again after `close`."""

    def read(self, timeout: float) -> Frame | None:
        """The next frame, not an old one; None when none came within `timeout` seconds."""

    def close(self) -> None:
        """Stop and let go of the device. Closing what is closed does nothing."""

    def give_up(self) -> None:
        """From any thread: begin to let go. What still opens or reads may end with its SourceFault."""


def open_source(name: str) -> Source:
    """The source of that name, not yet opened: "auto", "picamera2", a device in /dev, a folder or a file.

    Raises SourceFault when the name can never be a source.
    """
    # Only what the name asks for is loaded, and these modules themselves need the words of this one.
    if name == "auto":
        from vision.any_camera import AnyCamera
        from vision.camera_process import CameraProcess

        return CameraProcess(name, AnyCamera)
    if name == "picamera2":
        from vision.camera_process import CameraProcess
        from vision.picamera import PiCamera

        return CameraProcess(name, PiCamera)
    path = Path(name)
    if str(path).startswith("/dev/"):
        from vision.camera_process import CameraProcess
        from vision.v4l2 import V4L2Camera

        return CameraProcess(str(path), V4L2Camera)
    from vision.recorded import PHOTOS, Photographs, Video

    if path.is_dir():
        return Photographs(path)
    if path.is_file():
        return Photographs(path) if path.suffix.lower() in PHOTOS else Video(path)
    raise SourceFault(
        f"There is no camera, folder or file '{name}'.",
        "Name one that is there, 'picamera2' for a camera on the Pi's ribbon cable, "
        "or 'auto' for the first camera that works.",
        permanent=True,
    )


def not_open(name: str) -> SourceFault:
    """What a source says that is read before it is opened."""
    return SourceFault(f"The source {name} is not open.", "Open it before reading.", permanent=False)
