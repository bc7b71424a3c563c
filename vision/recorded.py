"""Pictures out of files: a folder of photographs as a slide show, and a video at its own speed."""

from __future__ import annotations

import logging
import math
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.source import RATE, Frame, Image, SourceFault, not_open

HOLD = 3.0
"""Seconds that each photograph of a folder lies still."""

PHOTOS = frozenset((".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".jp2", ".ppm", ".pgm"))
"""How the names of photographs end."""

log = logging.getLogger(__name__)


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
        if not self._path.exists():
            raise _not_there(self.name)
        try:
            found = sorted(self._path.iterdir()) if self._path.is_dir() else [self._path]
        except OSError as error:
            raise SourceFault(
                f"The folder {self.name} cannot be read ({error.strerror}).",
                "Allow reading it, or name another.",
                permanent=True,
            ) from error
        self._waiting = [path for path in found if path.suffix.lower() in PHOTOS]
        self.skipped = ()
        self._image = self._next()
        if self._image is None:
            raise self._nothing(found)
        self._due = self._clock()
        self._changes = self._due + self._hold

    def read(self, timeout: float) -> Frame | None:
        """The photograph that lies there now. Raises SourceFault when none can be read any more."""
        if self._image is None:
            raise not_open(self.name)
        now = self._clock()
        if self._due - now > timeout:
            self._sleep(timeout)
            return None
        if self._due > now:
            self._sleep(self._due - now)
            now = self._clock()
        self._due = max(self._due + 1 / self._rate, now)
        if now >= self._changes and len(self._waiting) > 1:
            found = list(self._waiting)
            following = self._next()
            if following is None:
                raise self._nothing(found)
            self._image = following
            self._changes = now + self._hold
        return Frame(now, self._image)

    def close(self) -> None:
        """Put the photographs away."""
        self._waiting, self._image = [], None

    def give_up(self) -> None:
        """Opening takes no time."""

    def _nothing(self, found: list[Path]) -> SourceFault:
        """Why none of these can be read."""
        if not self._path.exists():
            return _not_there(self.name)
        if any(not os.access(path, os.R_OK) for path in found if path.exists()):
            return _not_allowed(f"the photographs in {self.name}")
        return SourceFault(
            f"There is no photograph to be read in {self.name}.",
            "Put JPEG or PNG pictures there.",
            permanent=True,
        )

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
    """A video file at its own speed; frames that come too late are dropped; the last one lies on.

    One that cannot be read at its own speed is shown as fast as it can be.
    """

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
        if not os.path.exists(self.name):
            raise _not_there(self.name)
        if not os.access(self.name, os.R_OK):
            raise _not_allowed(self.name)
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
            raise not_open(self.name)
        wait = self._start + (self._shown + 1) / self._rate - self._clock()
        if wait > timeout:
            self._sleep(timeout)
            return None
        if wait > 0:
            self._sleep(wait)
        now = self._clock()
        due = max(int((now - self._start) * self._rate + 1e-6), self._shown + 1)
        image = self._grab(due - max(self._shown, 0), now + timeout)
        self._image = self._image if image is None else image
        self._shown = due
        if self._clock() > now + timeout:
            # It cannot be read as fast as it runs: it goes on from here, or would be ever further behind.
            self._start = self._clock() - due / self._rate
        return Frame(now, self._image)

    def close(self) -> None:
        """Close the file."""
        if self._capture is not None:
            self._capture.release()
        self._capture = self._image = None

    def give_up(self) -> None:
        """Opening takes no time."""

    def _grab(self, count: int, end: float = math.inf) -> Image | None:
        """The last of so many frames, or the first that comes after that time; None at the video's end."""
        got = False
        for _ in range(count):
            if not self._capture.grab():
                break
            got = True
            if self._clock() > end:
                break
        found, image = self._capture.retrieve() if got else (False, None)
        return np.asarray(image, np.uint8) if found else None


def _not_there(name: str) -> SourceFault:
    return SourceFault(
        f"{name} is not there any more.",
        "See to the disk or the network that it is on. It is tried again by itself.",
        permanent=False,
    )


def _not_allowed(what: str) -> SourceFault:
    return SourceFault(
        f"This user may not read {what}.",
        "Allow reading it, or name another. Then try again.",
        permanent=True,
    )
