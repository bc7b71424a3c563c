"""Where pictures come from: cameras, videos, folders of photographs, behind one small protocol."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

HOLD = 3.0
"""Seconds that each photograph of a folder lies still."""

RATE = 10.0
"""Frames a second of a folder of photographs."""

SIZE = (1280, 720)
"""What a camera is asked for, in pixels."""

_PHOTOS = frozenset((".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".jp2", ".ppm", ".pgm"))

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Frame:
    """One picture: when it was taken (monotonic seconds) and its pixels (BGR, uint8, HxWx3)."""

    time: float
    image: Image


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
    """Gives frames between `open` and `close`. All three raise SourceFault, nothing else of the device's."""

    name: str

    def open(self) -> None:
        """Begin. May be called again after `close`."""

    def read(self, timeout: float) -> Frame | None:
        """The next frame, not an old one; None when none came within `timeout` seconds."""

    def close(self) -> None:
        """Stop and let go of the device. Closing what is closed does nothing."""


def open_source(name: str) -> Source:
    """The source of that name, not yet opened: a folder, a file, /dev/videoN, or "auto".

    Raises SourceFault when the name can never be a source.
    """
    if name == "auto":
        return AnyCamera()
    if name == "picamera2":
        raise SourceFault(
            "Stationmaster cannot read from picamera2 yet.",
            "Use a USB camera (auto, or its /dev/video…) or a folder of photographs.",
            permanent=True,
        )
    path = Path(name)
    if str(path).startswith("/dev/"):
        return Camera(str(path))
    if path.is_dir():
        return Photographs(path)
    if path.is_file():
        return Photographs(path) if path.suffix.lower() in _PHOTOS else Video(path)
    raise SourceFault(
        f"There is no camera, folder or file '{name}'.",
        "Name one that is there, or 'auto' for the first camera that works.",
        permanent=True,
    )


class Photographs:
    """A folder of photographs, or one photograph, as a slide show that goes round.

    Pictures come in the order of their names, and from the first again after the last, so that
    none is missed by people who are still taking their seats. One that cannot be read is named in
    `skipped` and in the log, and left out.
    """

    def __init__(
        self,
        path: Path,
        hold: float = HOLD,
        rate: float = RATE,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = str(path)
        self.skipped: tuple[str, ...] = ()
        self._path, self._hold, self._rate = path, hold, rate
        self._clock, self._sleep = clock, sleep
        self._waiting: list[Path] = []
        self._image: Image | None = None
        self._changes = self._due = 0.0

    def open(self) -> None:
        """List the photographs and show the first. Raises SourceFault when there is none to show."""
        try:
            found = sorted(self._path.iterdir()) if self._path.is_dir() else [self._path]
        except OSError as error:
            raise SourceFault(
                f"The folder {self.name} cannot be read ({error.strerror}).",
                "Allow reading it, or name another.",
                permanent=True,
            ) from error
        self._waiting = [path for path in found if path.suffix.lower() in _PHOTOS]
        self.skipped = ()
        self._image = self._next()
        if self._image is None:
            raise SourceFault(
                f"There is no photograph to be read in {self.name}.",
                "Put JPEG or PNG pictures there.",
                permanent=True,
            )
        self._due = self._clock()
        self._changes = self._due + self._hold

    def read(self, timeout: float) -> Frame | None:
        """The photograph that lies there now."""
        if self._image is None:
            raise _not_open(self.name)
        now = self._clock()
        if self._due - now > timeout:
            self._sleep(timeout)
            return None
        if self._due > now:
            self._sleep(self._due - now)
            now = self._clock()
        self._due = max(self._due + 1 / self._rate, now)
        if now >= self._changes and len(self._waiting) > 1:
            following = self._next()
            self._image = self._image if following is None else following
            self._changes = now + self._hold
        return Frame(now, self._image)

    def close(self) -> None:
        """Put the photographs away."""
        self._waiting, self._image = [], None

    def _next(self) -> Image | None:
        while self._waiting:
            path = self._waiting.pop(0)
            image = cv2.imread(str(path), cv2.IMREAD_COLOR)
            if image is not None:
                self._waiting.append(path)
                return np.asarray(image, np.uint8)
            self.skipped += (path.name,)
            log.warning("%s cannot be read as a picture and is left out. Save it as JPEG or PNG.", path)
        return None


class Video:
    """A video file at its own speed; frames that come too late are dropped; the last one lies on."""

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = str(path)
        self._clock, self._sleep = clock, sleep
        self._capture: Any = None
        self._image: Image | None = None
        self._rate = RATE
        self._start = 0.0
        self._shown = 0

    def open(self) -> None:
        """Open the file and read its first frame. Raises SourceFault when it is no video."""
        self._capture = cv2.VideoCapture(self.name)
        self._image = self._grab(1)
        if self._image is None:
            self.close()
            raise SourceFault(
                f"{self.name} cannot be read as a video or a photograph.",
                "Name a video (MP4, AVI, MKV), a photograph, or a folder of photographs.",
                permanent=True,
            )
        told = float(self._capture.get(cv2.CAP_PROP_FPS))
        self._rate = told if 1 <= told <= 240 else RATE
        self._start = self._clock()
        self._shown = -1

    def read(self, timeout: float) -> Frame | None:
        """The frame that is due now."""
        if self._image is None:
            raise _not_open(self.name)
        wait = self._start + (self._shown + 1) / self._rate - self._clock()
        if wait > timeout:
            self._sleep(timeout)
            return None
        if wait > 0:
            self._sleep(wait)
        now = self._clock()
        due = max(int((now - self._start) * self._rate + 1e-6), self._shown + 1)
        image = self._grab(due - max(self._shown, 0))
        self._image = self._image if image is None else image
        self._shown = due
        return Frame(now, self._image)

    def close(self) -> None:
        """Close the file."""
        if self._capture is not None:
            self._capture.release()
        self._capture = self._image = None

    def _grab(self, count: int) -> Image | None:
        got = False
        for _ in range(count):
            if not self._capture.grab():
                break
            got = True
        found, image = self._capture.retrieve() if got else (False, None)
        return np.asarray(image, np.uint8) if found else None


class Camera:
    """A V4L2 camera. A thread of its own keeps only the newest frame, so that none is ever old."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._news = threading.Condition()
        self._newest: Frame | None = None
        self._fault: SourceFault | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def open(self) -> None:
        """Open the device and wait for its first frame."""
        self.close()
        if not os.path.exists(self.name):
            raise SourceFault(
                f"There is no camera at {self.name}.", "Plug it in, or name another.", permanent=False
            )
        if not os.access(self.name, os.R_OK | os.W_OK):
            raise SourceFault(
                f"The camera {self.name} may not be used by this user.",
                "Add the user to the group 'video' and log in again.",
                permanent=True,
            )
        capture = cv2.VideoCapture(self.name, cv2.CAP_V4L2)
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        if not capture.isOpened() or not capture.read()[0]:
            capture.release()
            raise SourceFault(
                f"The camera {self.name} gives no picture.",
                "See whether another program uses it; else pull its plug and put it in again.",
                permanent=False,
            )
        self._stop, self._fault, self._newest = threading.Event(), None, None
        self._thread = threading.Thread(
            target=self._pump, args=(capture, self._stop), name=f"camera {self.name}", daemon=True
        )
        self._thread.start()

    def read(self, timeout: float) -> Frame | None:
        """The newest frame that has not been given yet."""
        if self._thread is None:
            raise _not_open(self.name)
        with self._news:
            self._news.wait_for(lambda: self._newest or self._fault, timeout)
            if self._fault:
                raise self._fault
            frame, self._newest = self._newest, None
            return frame

    def close(self) -> None:
        """Stop reading; a device that hangs is left to its thread."""
        if self._thread is not None:
            self._stop.set()
            self._thread.join(timeout=2.0)
        self._thread = None

    def _pump(self, capture: Any, stop: threading.Event) -> None:
        try:
            while not stop.is_set():
                found, image = capture.read()
                if not found:
                    fault = SourceFault(
                        f"The camera {self.name} has stopped giving pictures.",
                        "See to its cable.",
                        permanent=False,
                    )
                    with self._news:
                        if not stop.is_set():
                            self._fault = fault
                            self._news.notify_all()
                    return
                with self._news:
                    if not stop.is_set():
                        self._newest = Frame(time.monotonic(), image)
                        self._news.notify_all()
        finally:
            capture.release()


class AnyCamera:
    """The first camera that works."""

    def __init__(self, folder: Path = Path("/dev"), camera: Callable[[str], Source] = Camera) -> None:
        self.name = "auto"
        self._folder, self._make = folder, camera
        self._camera: Source | None = None

    def open(self) -> None:
        """Try each /dev/video… in turn. Raises SourceFault when none gives a picture."""
        self.close()
        found = sorted(
            (path for path in self._folder.glob("video*") if path.name[5:].isdigit()),
            key=lambda path: int(path.name[5:]),
        )
        faults = []
        for path in found:
            camera = self._make(str(path))
            try:
                camera.open()
            except SourceFault as fault:
                faults.append(fault)
                continue
            self._camera, self.name = camera, f"auto: {path}"
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

    def read(self, timeout: float) -> Frame | None:
        """The chosen camera's newest frame."""
        if self._camera is None:
            raise _not_open(self.name)
        return self._camera.read(timeout)

    def close(self) -> None:
        """Let go of the chosen camera."""
        if self._camera is not None:
            self._camera.close()
        self._camera, self.name = None, "auto"


def _not_open(name: str) -> SourceFault:
    return SourceFault(f"The source {name} is not open.", "Open it before reading.", permanent=False)
