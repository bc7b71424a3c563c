"""Which devices are cameras, in which order they are tried, and what is said when none works."""

from __future__ import annotations

import fcntl
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.vision.plugged import plug
from vision import v4l2_names
from vision.any_camera import AnyCamera
from vision.source import Frame, SourceFault
from vision.v4l2_names import Capability, cameras, capability


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
