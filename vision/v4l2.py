"""A camera through the kernel's V4L2 and OpenCV. Any call may block: it lives in a process of its own.

Pictures that the camera has compressed are opened up here, small at first and whole when somebody
asks. OpenCV would open up each, and some versions give the one before again when one is torn.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from companion.open_files import users
from vision.source import STRIDE, Frame, Image, SourceFault
from vision.v4l2_names import DEV, stable_name

SIZE = (1280, 720)
"""What a camera is asked for, in pixels."""

BROKEN = 20
"""Pictures in a row that are torn or of another size before the camera counts as failing."""

_MJPG = cv2.VideoWriter.fourcc(*"MJPG")
_SMALL = {8: cv2.IMREAD_REDUCED_GRAYSCALE_8}[STRIDE]  # as small as everybody else's small pictures
_QUEUED = 4  # frames that may lie ready in a driver
_WAITED = 0.004  # seconds: a frame that took longer than that to come did not lie ready
_LAG = 1.0  # seconds that a driver's times may be behind

log = logging.getLogger(__name__)


class V4L2Camera:
    """A device such as /dev/video0, or one of the names in /dev/v4l that stay with a camera.

    `before` is the name that it had when it was opened last: it is looked for first, so that a
    camera that was plugged in again as another /dev/video… is still the same.
    """

    def __init__(
        self, name: str, before: str = "", *, dev: Path = DEV, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.name = name
        self._names = [before, name] if before else [name]
        self._dev = dev
        self._clock = clock
        self._capture: cv2.VideoCapture | None = None
        self._compressed = False
        self._shape: tuple[int, ...] = ()
        self._stamped = True
        self._stamp = 0.0

    def open(self) -> None:
        """Open the device and see that it gives a picture."""
        self.close()
        self.name = next((name for name in self._names if os.path.exists(name)), self._names[-1])
        if not os.path.exists(self.name):
            raise SourceFault(
                f"There is no camera at {self.name}.", "Plug it in, or name another.", permanent=False
            )
        if not os.access(self.name, os.R_OK | os.W_OK):
            raise SourceFault(
                f"The camera {self.name} may not be used by this user.",
                "Type: sudo usermod -aG video $USER, log in again and start again.",
                permanent=True,
            )
        device = os.path.realpath(self.name)
        capture = self._capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
        capture.set(cv2.CAP_PROP_FOURCC, _MJPG)
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        compressed = round(capture.get(cv2.CAP_PROP_FOURCC)) == _MJPG
        self._compressed = compressed and capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)
        try:
            image = self._first() if capture.isOpened() else None
        except SourceFault:
            self.close()
            raise
        if image is None:
            self.close()
            raise self._gives_nothing(device)
        self._shape = image.shape
        self._stamped, self._stamp = True, 0.0
        self.name = stable_name(self.name, self._dev)

    def shoot(self, since: float) -> Frame:
        """The first whole frame from that time on; torn ones are passed over."""
        for _ in range(BROKEN):
            taken = self._grab(since)
            data = self._retrieve()
            if not self._compressed:
                if data is not None and data.shape == self._shape:
                    return Frame(taken, data)
                continue
            small = _opened_up(data, _SMALL)
            if small is not None and small.shape == tuple(-(-side // STRIDE) for side in self._shape[:2]):
                return Frame(taken, partial(self._whole, data), small)
        raise self._broken()

    def close(self) -> None:
        """Let go of the device."""
        if self._capture is not None:
            self._capture.release()
        self._capture = None

    def _grab(self, since: float) -> float:
        """Take frames out of the driver's queue up to one from that time on; when that was taken.

        The driver says when each was exposed. Where it does not, or says what cannot be, the time is
        that of the taking, and frames that lie ready without a wait are old.
        """
        assert self._capture is not None
        ready = 0
        while True:
            began = self._clock()
            if not self._capture.grab():
                raise SourceFault(
                    f"The camera {self.name} has stopped giving pictures.",
                    "See to its cable.",
                    permanent=False,
                )
            now = self._clock()
            waited = now - began >= _WAITED
            if self._stamped:
                stamp = float(self._capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000
                self._stamped = self._stamp < stamp <= now and not (waited and now - stamp > _LAG)
                self._stamp = stamp
                if self._stamped and stamp >= since:
                    return stamp
                if not self._stamped:
                    log.info("The times that the camera %s tells cannot be used.", self.name)
            elif now >= since and (waited or ready >= _QUEUED):
                return now
            ready += not waited

    def _first(self) -> Image | None:
        """A whole picture; many cameras begin with some that are torn. None when nothing comes at all."""
        assert self._capture is not None
        came = False
        for _ in range(BROKEN):
            if not self._capture.grab():
                return None
            data = self._retrieve()
            came = came or data is not None
            image = _opened_up(data, cv2.IMREAD_COLOR) if self._compressed else data
            if image is not None:
                return image
        if came:
            raise self._broken()
        return None

    def _retrieve(self) -> Image | None:
        """The picture that was grabbed, or what it was compressed to; None when there is nothing."""
        assert self._capture is not None
        found, data = self._capture.retrieve()
        # Some versions say that they have found a picture that is empty.
        return np.asarray(data, np.uint8) if found and data is not None and data.size else None

    def _whole(self, data: Image | None) -> Image:
        image = _opened_up(data, cv2.IMREAD_COLOR)
        if image is None or image.shape != self._shape:
            raise self._broken()
        return image

    def _broken(self) -> SourceFault:
        return SourceFault(
            f"The camera {self.name} gives broken pictures.",
            "See to its cable; a long or thin one, or a hub, may be the reason.",
            permanent=False,
        )

    def _gives_nothing(self, device: str) -> SourceFault:
        others = users(device)
        if others:
            return SourceFault(
                f"The camera {self.name} is in use by {' and '.join(others)}.",
                "End that program. It is tried again by itself.",
                permanent=False,
            )
        return SourceFault(
            f"The camera {self.name} gives no picture.",
            "See whether another program uses it; else pull its plug and put it in again.",
            permanent=False,
        )


def _opened_up(data: Image | None, how: int) -> Image | None:
    """The picture in so many bytes of JPEG; None when there is none in them."""
    image = None if data is None else cv2.imdecode(data.reshape(-1), how)
    return None if image is None else np.asarray(image, np.uint8)
