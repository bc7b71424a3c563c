"""Cameras through V4L2: fresh frames with the time of their exposure, names that stay, faults in words."""

from __future__ import annotations

import fcntl
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

from vision import v4l2_names
from vision.any_camera import AnyCamera
from vision.source import Frame, SourceFault
from vision.v4l2 import BROKEN, SIZE, V4L2Camera
from vision.v4l2_names import Capability, cameras, capability, stable_name, users

PERIOD = 1 / 30
"""Seconds between the frames of the camera below."""

FAR = 1000.0


@dataclass
class Driver:
    """A V4L2 device as OpenCV shows it: a queue of buffers that fill up while nobody takes them out.

    `trouble` is what is wrong with it. A frame's pixels hold the number of its period.
    """

    trouble: str = ""
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
        assert key == cv2.CAP_PROP_POS_MSEC
        told = {"no times": 0.0, "wall clock": 1.7e9, "frozen": FAR, "late": self.grabbed - 5.0}
        return 1000 * told.get(self.trouble, self.grabbed)

    def retrieve(self) -> tuple[bool, Any]:
        if self.trouble == "torn":
            return False, None
        size = (8, 8, 3) if self.trouble == "another size" else (SIZE[1] // 8, SIZE[0] // 8, 3)
        return True, np.full(size, round((self.grabbed - FAR) / PERIOD) % 256, np.uint8)

    def release(self) -> None:
        self.released = True


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Driver:
    driver = Driver()
    monkeypatch.setattr(cv2, "VideoCapture", driver)
    return driver


@pytest.fixture
def dev(tmp_path: Path) -> Path:
    """A /dev with one camera, plugged in as video2, which has a second device that gives no pictures."""
    for number in (2, 3):
        (tmp_path / f"video{number}").touch()
    plug(tmp_path, "usb-Good_Camera-video-index0", 2)
    plug(tmp_path, "usb-Good_Camera-video-index1", 3)
    return tmp_path


def plug(dev: Path, name: str, number: int, folder: str = "by-id") -> Path:
    link = dev / "v4l" / folder / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    (dev / f"video{number}").touch()
    link.symlink_to(f"../../video{number}")
    return link


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


@pytest.mark.parametrize("trouble", ["torn", "another size"])
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


@pytest.mark.parametrize("trouble", ["busy", "unplugged", "torn"])
def test_a_camera_that_gives_no_picture_is_let_go(driver: Driver, dev: Path, trouble: str) -> None:
    driver.trouble = trouble
    with pytest.raises(SourceFault, match="gives no picture") as fault:
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
    with pytest.raises(SourceFault, match=rf"is in use by \S.* \({number}\)") as fault:
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


# -- any camera ----------------------------------------------------------------------------------


@pytest.fixture
def drivers(monkeypatch: pytest.MonkeyPatch) -> dict[str, Capability]:
    """What the driver of each device says; of others nothing is said."""
    said: dict[str, Capability] = {}

    def ask(device: str) -> Capability:
        if Path(device).name not in said:
            raise OSError(25, "Inappropriate ioctl for device")
        return said[Path(device).name]

    monkeypatch.setattr(v4l2_names, "capability", ask)
    return said


def test_cameras_by_their_own_names_come_first(dev: Path, drivers: dict[str, Capability]) -> None:
    for number in (0, 1, 10):
        (dev / f"video{number}").touch()
    (dev / "video-card").touch()
    plug(dev, "usb-Another-video-index0", 10)
    drivers["video3"] = Capability("uvcvideo", "Good Camera", False)
    assert cameras(dev) == (
        str(dev / "v4l/by-id/usb-Another-video-index0"),
        str(dev / "v4l/by-id/usb-Good_Camera-video-index0"),
        str(dev / "video0"),
        str(dev / "video1"),
    )


@pytest.mark.parametrize(
    ("driver_name", "flags", "captures"),
    [
        (b"uvcvideo", 0x84A00001, True),
        (b"uvcvideo", 0x84A00000, False),  # the second device of such a camera: its metadata
        (b"vivid", 0x85201000, True),
        (b"v4l2 loopback", 0x85208000, False),  # it cannot be both ends at once
        (b"bcm2835-codec", 0x84204000, False),
        (b"unicam", 0x85A00001, False),
        (b"rp1-cfe", 0x85A00001, False),
    ],
)
def test_what_a_driver_says_of_its_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, driver_name: bytes, flags: int, captures: bool
) -> None:
    def answer(handle: int, request: int, room: bytes) -> bytes:
        assert request == 0x80685600
        assert len(room) == 104
        packed = driver_name.ljust(16, b"\0") + b"Table Camera".ljust(32, b"\0") + b"usb-1.2".ljust(32, b"\0")
        return packed + b"".join(
            number.to_bytes(4, sys.byteorder) for number in (0x60100, ~0 & 0xFFFFFFFF, flags, 0, 0, 0)
        )

    monkeypatch.setattr(fcntl, "ioctl", answer)
    (tmp_path / "video0").touch()
    said = capability(str(tmp_path / "video0"))
    assert said == Capability(driver_name.decode(), "Table Camera", captures)


def test_a_file_is_no_camera(tmp_path: Path) -> None:
    (tmp_path / "video0").touch()
    with pytest.raises(OSError, match="ioctl"):
        capability(str(tmp_path / "video0"))


class Some:
    """A camera that works, unless its number is 0."""

    def __init__(self, name: str = "picamera2") -> None:
        self.name = name
        self.closed = False

    def open(self) -> None:
        if self.name.endswith("0"):
            raise SourceFault("Camera 0 gives no picture.", "Pull its plug.", permanent=False)

    def shoot(self, since: float) -> Frame:
        return Frame(since, np.zeros((2, 2, 3), np.uint8))

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def any_camera(tmp_path: Path, drivers: dict[str, Capability], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes an AnyCamera over a /dev with such devices, with or without picamera2 on the machine."""

    def make(*names: str, before: str = "", picamera2: bool = False) -> AnyCamera:
        found = object() if picamera2 else None
        monkeypatch.setattr("importlib.util.find_spec", lambda name: found if name == "picamera2" else None)
        for name in names:
            (tmp_path / name).touch()
        return AnyCamera(before=before, dev=tmp_path, v4l2=Some, picamera=Some)

    return make


def test_auto_takes_the_first_camera_that_works(any_camera: Any, tmp_path: Path) -> None:
    camera = any_camera("video10", "video0", "video2", "video-card", picamera2=True)
    camera.open()
    assert camera.name == str(tmp_path / "video2")
    assert camera.shoot(3.0).time == 3.0
    camera.close()
    with pytest.raises(SourceFault, match="not open"):
        camera.shoot(3.0)


def test_auto_takes_the_ribbon_cable_where_nothing_is_plugged_in(any_camera: Any) -> None:
    camera = any_camera("video0", picamera2=True)
    camera.open()
    assert camera.name == "picamera2"


def test_auto_takes_the_camera_of_before_first(any_camera: Any, tmp_path: Path) -> None:
    for before in (str(tmp_path / "video3"), "picamera2", str(tmp_path / "video2")):
        camera = any_camera("video2", "video3", before=before, picamera2=True)
        camera.open()
        assert camera.name == before
    camera = any_camera(before=str(tmp_path / "gone"), picamera2=True)
    camera.open()
    assert camera.name == str(tmp_path / "video2")


def test_auto_says_what_is_wrong_when_no_camera_works(any_camera: Any) -> None:
    with pytest.raises(SourceFault, match="No camera is connected"):
        any_camera().open()
    with pytest.raises(SourceFault, match="No camera works: Camera 0 gives no picture") as fault:
        any_camera("video0").open()
    assert fault.value.cure == "Pull its plug."
    assert not fault.value.permanent
