"""Cameras through V4L2: fresh frames with the time of their exposure, names that stay, faults in words."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.open_files import users
from tests.vision.plugged import plug
from vision.source import STRIDE, Frame, SourceFault
from vision.v4l2 import BROKEN, SIZE, V4L2Camera
from vision.v4l2_names import stable_name

PERIOD = 1 / 30
"""Seconds between the frames of the camera below."""

FAR = 1000.0


@dataclass
class Driver:
    """A V4L2 device as OpenCV shows it: a queue of buffers that fill up while nobody takes them out.

    `trouble` is what is wrong with it. A frame's pixels hold the number of its period. One that has
    `compresses` does so when it is asked, and OpenCV opens that up unless it is asked not to.
    """

    trouble: str = ""
    compresses: bool = True
    now: float = FAR
    buffers: int = 4
    queue: deque[float] = field(default_factory=deque)
    last: float = FAR
    grabbed: float = 0.0
    opened: list[str] = field(default_factory=list)
    asked: dict[int, float] = field(default_factory=dict)
    released: bool = False

    def __call__(self, name: str, kind: int) -> Driver:
        assert kind == cv2.CAP_V4L2
        self.opened.append(name)
        self.queue.clear()
        self.last = self.now
        self.released = False
        return self

    def clock(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        """Time goes on, and the driver fills what buffers are free."""
        self.now += seconds
        while self.last + PERIOD <= self.now:
            self.last += PERIOD
            if len(self.queue) < self.buffers:
                self.queue.append(self.last)

    def set(self, key: int, value: float) -> bool:
        self.asked[key] = value
        return True

    def isOpened(self) -> bool:
        return self.trouble != "busy"

    def grab(self) -> bool:
        if self.trouble == "unplugged":
            return False
        self.pass_by(0.0005)
        if not self.queue:
            self.pass_by(self.last + PERIOD - self.now + 0.001)
        self.grabbed = self.queue.popleft()
        return True

    def get(self, key: int) -> float:
        if key == cv2.CAP_PROP_FOURCC:
            return self.asked[key] if self.compresses else cv2.VideoWriter.fourcc(*"YUYV")
        assert key == cv2.CAP_PROP_POS_MSEC
        told = {"no times": 0.0, "wall clock": 1.7e9, "frozen": FAR, "late": self.grabbed - 5.0}
        return 1000 * told.get(self.trouble, self.grabbed)

    def retrieve(self) -> tuple[bool, Any]:
        raw = self.compresses and self.asked[cv2.CAP_PROP_CONVERT_RGB] == 0
        if self.trouble == "nothing":
            return False, None
        if self.trouble == "torn" or (self.trouble == "cut off" and not raw):
            return True, np.zeros((1, 99), np.uint8) if raw else None
        size = (8, 8, 3) if self.trouble == "another size" else (SIZE[1] // 4, SIZE[0] // 4, 3)
        image = np.full(size, round((self.grabbed - FAR) / PERIOD) % 256, np.uint8)
        if not raw:
            return True, image
        found, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 100])
        assert found
        data = packed.reshape(1, -1)
        return True, data[:, : data.size // 3] if self.trouble == "cut off" else data

    def release(self) -> None:
        self.released = True


@pytest.fixture(params=["compressed", "plain"])
def driver(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Driver:
    driver = Driver(compresses=request.param == "compressed")
    monkeypatch.setattr(cv2, "VideoCapture", driver)
    return driver


def looking(driver: Driver, dev: Path, name: str = "video2", before: str = "") -> V4L2Camera:
    camera = V4L2Camera(str(dev / name), before, dev=dev, clock=driver.clock)
    camera.open()
    return camera


def exposed(frame: Frame) -> float:
    """When the frame was exposed, by its pixels."""
    return FAR + int(frame.image[0, 0, 0]) * PERIOD


def test_a_camera_is_asked_for_compressed_pictures_of_that_size(driver: Driver, dev: Path) -> None:
    looking(driver, dev)
    assert driver.asked[cv2.CAP_PROP_FRAME_WIDTH] == SIZE[0]
    assert driver.asked[cv2.CAP_PROP_FRAME_HEIGHT] == SIZE[1]
    assert driver.asked[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")


def test_what_lay_in_the_queue_answers_no_newer_question(driver: Driver, dev: Path) -> None:
    camera = looking(driver, dev)
    for away in (0.0, 0.05, 0.4, 5.0):
        driver.pass_by(away)
        asked = driver.now
        frame = camera.shoot(asked)
        assert frame.time == pytest.approx(exposed(frame))
        assert asked <= frame.time <= asked + 2 * PERIOD


@pytest.mark.parametrize("trouble", ["no times", "wall clock", "frozen", "late"])
def test_times_that_cannot_be_are_not_believed(driver: Driver, dev: Path, trouble: str) -> None:
    """The time is then that of the taking, and what lay in the queue is old all the same."""
    driver.trouble = trouble
    camera = looking(driver, dev)
    for away in (0.0, 0.05, 0.4, 5.0):
        driver.pass_by(away)
        asked = driver.now
        frame = camera.shoot(asked)
        assert exposed(frame) >= asked - PERIOD
        assert asked <= frame.time <= driver.now
        assert frame.time - exposed(frame) < 2 * PERIOD


def test_frames_are_not_given_before_their_time(driver: Driver, dev: Path) -> None:
    camera = looking(driver, dev)
    first = camera.shoot(driver.now)
    assert camera.shoot(first.time + 0.1).time >= first.time + 0.1


def test_after_opening_again_nothing_is_left_of_before(driver: Driver, dev: Path) -> None:
    camera = looking(driver, dev)
    driver.pass_by(3.0)
    camera.close()
    assert driver.released
    camera.open()
    asked = driver.now
    assert exposed(camera.shoot(asked)) >= asked - PERIOD


@pytest.mark.parametrize("trouble", ["nothing", "torn", "cut off", "another size"])
def test_a_broken_picture_is_passed_over_and_many_are_a_fault(
    driver: Driver, dev: Path, trouble: str
) -> None:
    camera = looking(driver, dev)
    retrieve, broken = driver.retrieve, BROKEN - 1

    def now_and_then() -> tuple[bool, Any]:
        nonlocal broken
        broken -= 1
        driver.trouble = trouble if broken >= 0 else ""
        return retrieve()

    driver.retrieve = now_and_then  # type: ignore[method-assign]
    frame = camera.shoot(driver.now)
    assert exposed(frame) == pytest.approx(frame.time)
    broken = BROKEN
    with pytest.raises(SourceFault, match="broken pictures") as fault:
        camera.shoot(driver.now)
    assert not fault.value.permanent
    assert "cable" in fault.value.cure


def test_what_is_compressed_is_opened_up_whole_only_when_it_is_asked_for(driver: Driver, dev: Path) -> None:
    camera = looking(driver, dev)
    frame = camera.shoot(driver.now)
    assert frame.whole != driver.compresses
    assert frame.small.shape[:2] == (SIZE[1] // 4 // STRIDE + 1, SIZE[0] // 4 // STRIDE)
    assert frame.small.flat[0] == frame.image[0, 0, 0]
    assert frame.image.shape == (SIZE[1] // 4, SIZE[0] // 4, 3)


def test_a_pulled_cable_is_a_fault_at_once(driver: Driver, dev: Path) -> None:
    camera = looking(driver, dev)
    driver.trouble = "unplugged"
    with pytest.raises(SourceFault, match="has stopped giving pictures") as fault:
        camera.shoot(driver.now)
    assert not fault.value.permanent


def test_a_camera_that_is_not_there_may_be_plugged_in_later(driver: Driver, dev: Path) -> None:
    with pytest.raises(SourceFault, match="There is no camera at") as fault:
        looking(driver, dev, "video7")
    assert not fault.value.permanent
    assert driver.opened == []


def test_a_user_without_the_right_is_told_what_to_type(
    driver: Driver, dev: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(SourceFault, match="may not be used") as fault:
        looking(driver, dev)
    assert fault.value.permanent
    assert "usermod -aG video" in fault.value.cure


def test_a_camera_may_begin_with_torn_pictures(driver: Driver, dev: Path) -> None:
    retrieve, torn = driver.retrieve, 5

    def at_first() -> tuple[bool, Any]:
        nonlocal torn
        torn -= 1
        driver.trouble = "torn" if torn >= 0 else ""
        return retrieve()

    driver.retrieve = at_first  # type: ignore[method-assign]
    assert exposed(looking(driver, dev).shoot(driver.now)) >= FAR + 5 * PERIOD


@pytest.mark.parametrize("trouble", ["busy", "unplugged", "nothing", "torn"])
def test_a_camera_that_gives_no_picture_is_let_go(driver: Driver, dev: Path, trouble: str) -> None:
    driver.trouble = trouble
    # What is compressed comes, and cannot be opened up.
    words = "gives broken pictures" if trouble == "torn" and driver.compresses else "gives no picture"
    with pytest.raises(SourceFault, match=words) as fault:
        looking(driver, dev)
    assert driver.released
    assert not fault.value.permanent


@pytest.fixture
def other_program(dev: Path) -> Iterator[Callable[[], int]]:
    """A real program that holds the camera open."""
    held: list[subprocess.Popen[bytes]] = []

    def hold() -> int:
        code = "import sys; device = open(sys.argv[1]); print(flush=True); sys.stdin.read()"
        program = subprocess.Popen(
            [sys.executable, "-c", code, str(dev / "video2")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        held.append(program)
        assert program.stdout is not None
        program.stdout.readline()
        return program.pid

    yield hold
    for program in held:
        program.communicate()


def test_the_program_that_uses_a_camera_is_named(
    driver: Driver, dev: Path, other_program: Callable[[], int]
) -> None:
    driver.trouble = "busy"
    number = other_program()
    with pytest.raises(SourceFault, match=rf"is in use by \S.* \(process {number}\)") as fault:
        looking(driver, dev)
    assert "End that program" in fault.value.cure
    assert users(str(dev / "video3")) == ()


def test_a_camera_has_a_name_that_stays(driver: Driver, dev: Path) -> None:
    named = str(dev / "v4l/by-id/usb-Good_Camera-video-index0")
    assert looking(driver, dev).name == named
    assert looking(driver, dev, "v4l/by-id/usb-Good_Camera-video-index0").name == named
    assert driver.opened == [str(dev / "video2")] * 2
    (dev / "video9").touch()
    assert stable_name(str(dev / "video9"), dev) == str(dev / "video9")
    link = plug(dev, "platform-usb-0:1.2:1.0-video-index0", 9, "by-path")
    assert stable_name(str(dev / "video9"), dev) == str(link)


def test_a_camera_plugged_in_again_elsewhere_is_found_by_its_name(driver: Driver, dev: Path) -> None:
    """It was named as video2; now another camera is there, and it is video5."""
    known = looking(driver, dev).name
    plug(dev, "usb-Good_Camera-video-index0", 5)
    plug(dev, "usb-Other_Camera-video-index0", 2)
    again = looking(driver, dev, before=known)
    assert again.name == known
    assert driver.opened[-1] == str(dev / "video5")


def test_where_the_camera_of_before_is_gone_the_name_is_taken_as_it_stands(driver: Driver, dev: Path) -> None:
    known = looking(driver, dev).name
    Path(known).unlink()
    plug(dev, "usb-Other_Camera-video-index0", 2)
    assert looking(driver, dev, before=known).name == str(dev / "v4l/by-id/usb-Other_Camera-video-index0")
