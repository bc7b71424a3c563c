"""The real adapters of cameras, in processes of their own, over drivers that do as a file beside them says.

In the camera's folder `trouble` names the fault, and `frames` counts the pictures that were handed over.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.vision import fake_picamera2
from vision import picamera as adapter
from vision.source import Frame, Image
from vision.v4l2 import V4L2Camera

LATE = 0.6
"""Seconds that a slow camera takes for a picture: less than the patience with one that hangs."""


class Beside:
    """The folder of a camera, as its driver sees it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0

    @property
    def trouble(self) -> str:
        return (self._folder / "trouble").read_text()

    def handed_over(self) -> None:
        self._count += 1
        (self._folder / "frames").write_text(f"{os.getpid()} {self._count}")


class Capture:
    """What OpenCV makes of a V4L2 device: grey pictures, unless something is wrong."""

    def __init__(self, device: str, kind: int) -> None:
        self._device = Path(device)
        self._beside = Beside(self._device.parent)
        self._grabbed = 0
        self._stamp = 0.0
        if self._beside.trouble == "block":
            time.sleep(600)

    def isOpened(self) -> bool:
        return self._beside.trouble != "busy"

    def set(self, key: int, value: float) -> bool:
        return True

    def get(self, key: int) -> float:
        return 1000 * self._stamp if key == cv2.CAP_PROP_POS_MSEC else 0.0

    def grab(self) -> bool:
        trouble = self._beside.trouble
        self._grabbed += 1
        if trouble == "silent" and self._grabbed > 2:
            time.sleep(600)
        time.sleep({"slow": LATE, "storm": 0.001}.get(trouble, 0.03))
        self._stamp = time.monotonic()
        return self._device.exists()

    def retrieve(self) -> tuple[bool, Image]:
        torn = {"garble": self._grabbed > 1, "drop": self._grabbed % 2 == 0}.get(self._beside.trouble, False)
        if not torn:
            self._beside.handed_over()
        return True, np.full((9, 16, 3) if torn else (180, 320, 3), 120, np.uint8)

    def release(self) -> None:
        pass


def v4l2(name: str, before: str) -> V4L2Camera:
    """The camera at that path, /…/dev/video2 say."""
    beside = Beside(Path(name).parent)
    cv2.__dict__["VideoCapture"] = Capture
    os.__dict__["access"] = lambda path, mode: beside.trouble != "no permission"
    return V4L2Camera(name, before, dev=Path(name).parent)


class Told(adapter.PiCamera):
    """A camera on a ribbon cable whose driver is told what to do before each call."""

    def __init__(self, folder: Path) -> None:
        super().__init__(dev=folder)
        self._beside = Beside(folder)
        self._there = list(fake_picamera2.world.cameras)

    def open(self) -> None:
        trouble = self._beside.trouble
        gone = trouble in ("unplug", "no permission")
        fake_picamera2.world.cameras = [] if gone else self._there
        fake_picamera2.world.trouble = WORDS.get(trouble, "") if trouble != "block" else ""
        super().open()

    def shoot(self, since: float) -> Frame:
        trouble = self._beside.trouble
        fake_picamera2.world.trouble = WORDS.get(trouble, "")
        if trouble == "slow":
            time.sleep(LATE)
        frame = super().shoot(since)
        self._beside.handed_over()
        return frame


WORDS = {
    "silent": "silent",
    "garble": "small lores",
    "unplug": "failing",
    "busy": "busy",
    "block": "hang in capture",
}
"""What picamera2's stand-in calls them."""


def picamera(name: str, before: str) -> Any:
    """The camera on the ribbon cable, with its folder as its name."""
    folder = Path(name)
    beside = Beside(folder)
    sys.modules["picamera2"] = fake_picamera2.installed()
    fake_picamera2.world.real = True
    adapter.__dict__["SETTLE"] = (0.1, 0.3)
    os.__dict__["access"] = lambda path, mode: beside.trouble != "no permission"
    return Told(folder)
