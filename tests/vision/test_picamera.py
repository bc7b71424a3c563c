"""A camera on the ribbon cable: colours, light, freshness, and what is said when it fails."""

from __future__ import annotations

import builtins
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.vision import fake_picamera2
from tests.vision.fake_picamera2 import Picamera2, World
from vision import camera_process
from vision.camera_process import CameraProcess
from vision.picamera import AGAIN, FOR, SETTLE, PiCamera
from vision.source import STRIDE, SourceFault


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    world = World()
    monkeypatch.setattr(fake_picamera2, "world", world)
    monkeypatch.setitem(sys.modules, "picamera2", fake_picamera2.installed())
    return world


@pytest.fixture
def camera(world: World, tmp_path: Path) -> Iterator[PiCamera]:
    camera = PiCamera(clock=world.now, dev=tmp_path)
    yield camera
    world.trouble = ""
    camera.close()
    assert all(made.closed for made in world.made)


def made(world: World) -> Picamera2:
    (one,) = world.made
    return one


def test_colours_are_in_the_order_that_opencv_wants(camera: PiCamera, world: World) -> None:
    camera.open()
    image = camera.shoot(world.now()).image
    blue, green, red = (image[..., channel] for channel in range(3))
    half = image.shape[1] // 2
    assert image.dtype == np.uint8
    assert red[:, :half].min() > 2 * max(blue[:, :half].max(), green[:, :half].max())
    assert blue[:, half:].min() > 2 * max(red[:, half:].max(), green[:, half:].max())


@pytest.mark.parametrize(
    ("sensor", "size"),
    [
        ((4608, 2592), (2304, 1296)),
        ((3280, 2464), (1640, 1232)),
        ((4056, 3040), (2028, 1520)),
        ((2592, 1944), (1296, 972)),
        ((1456, 1088), (1456, 1088)),
        ((9152, 6944), (2288, 1736)),
    ],
)
def test_the_whole_field_of_view_is_taken(
    camera: PiCamera, world: World, sensor: tuple[int, int], size: tuple[int, int]
) -> None:
    world.sensor = sensor
    camera.open()
    frame = camera.shoot(world.now())
    assert frame.small.ndim == 2
    assert frame.small.max() < 255  # the padding of its rows and its colours are left out
    height, width = frame.image.shape[:2]
    assert (width, height) == size
    assert abs(frame.small.shape[1] - width / STRIDE) <= 1
    assert abs(frame.small.shape[0] - height / STRIDE) <= 1


def test_the_whole_picture_is_made_only_when_it_is_asked_for(camera: PiCamera, world: World) -> None:
    camera.open()
    frames = [camera.shoot(world.now()) for _ in range(5)]
    assert not any(frame.whole for frame in frames)
    assert "main" not in made(world).made_arrays
    assert frames[-1].image.shape[2] == 3
    assert made(world).made_arrays.count("main") == 1


def test_each_frame_was_exposed_after_it_was_asked_for(camera: PiCamera, world: World) -> None:
    camera.open()
    for _ in range(30):  # more than there are buffers
        asked = world.now()
        frame = camera.shoot(asked)
        assert asked <= frame.time <= world.now()
        world.sleep(0.37)


def test_light_colours_and_focus_are_found_and_then_held(camera: PiCamera, world: World) -> None:
    began = world.now()
    camera.open()
    assert SETTLE[0] <= world.now() - began <= SETTLE[1] + 1.0
    one = made(world)
    assert one.automatic == {"ExposureTime": False, "ColourGains": False, "LensPosition": False}
    assert camera.shoot(world.now()).small.mean() == pytest.approx(fake_picamera2.TARGET, rel=0.05)
    assert one.gains == pytest.approx((2.0, 2.0), rel=0.05)
    assert one.lens == pytest.approx(2.5, rel=0.05)
    held = one.exposure
    world.light *= 1.3  # somebody leans back, a cloud passes
    for _ in range(60):
        camera.shoot(world.now())
    assert one.exposure == held


@pytest.mark.parametrize("times", [3.0, 0.3])
def test_light_is_found_anew_when_the_room_gets_brighter_or_darker(
    camera: PiCamera, world: World, times: float
) -> None:
    camera.open()
    world.light *= times
    longest, before = 0.0, world.now()
    for _ in range(round(10 * (FOR + AGAIN[1])) + 20):
        camera.shoot(world.now())
        longest, before = max(longest, world.now() - before), world.now()
    assert camera.shoot(world.now()).small.mean() == pytest.approx(fake_picamera2.TARGET, rel=0.1)
    assert not any(made(world).automatic.values())
    assert longest < 3.0  # or it would count as hanging


def test_a_hand_over_the_camera_for_a_moment_changes_nothing(camera: PiCamera, world: World) -> None:
    camera.open()
    told = len(made(world).told)
    world.light *= 0.1
    for _ in range(round(10 * FOR) - 3):
        camera.shoot(world.now())
    world.light *= 10
    for _ in range(60):
        camera.shoot(world.now())
    assert len(made(world).told) == told


def test_black_frames_are_given_for_others_to_judge(camera: PiCamera, world: World) -> None:
    """With its cap on a camera is no fault of the camera: whoever looks at the table says that it is dark."""
    world.trouble = "black"
    camera.open()
    told = len(made(world).told)
    for _ in range(60):
        assert camera.shoot(world.now()).small.max() == 0
    assert len(made(world).told) == told


def test_a_camera_that_does_not_hold_its_light_is_told_of_and_used_all_the_same(
    camera: PiCamera, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.trouble = "wandering"
    began = world.now()
    camera.open()
    assert world.now() - began <= SETTLE[1] + 1.0
    assert camera.shoot(world.now()).small.mean() == pytest.approx(fake_picamera2.TARGET, rel=0.35)
    assert "does not hold its light" in caplog.text


def test_a_lens_without_focus_and_a_sensor_without_colours_will_do(camera: PiCamera, world: World) -> None:
    world.missing = {"AfMode", "LensPosition", "ColourGains", "AwbEnable"}
    camera.open()
    assert all(world.missing.isdisjoint(told) for told in made(world).told)
    assert camera.shoot(world.now()).small.mean() == pytest.approx(fake_picamera2.TARGET, rel=0.05)


# -- what goes wrong -----------------------------------------------------------------------------


def failing(error: Exception) -> Callable[..., Any]:
    real = builtins.__import__

    def imports(name: str, *rest: Any, **named: Any) -> Any:
        if name == "picamera2":
            raise error
        return real(name, *rest, **named)

    return imports


@pytest.mark.parametrize(
    ("error", "words", "cure"),
    [
        (ModuleNotFoundError("No module named 'picamera2'"), "no picamera2", "python3-picamera2"),
        (ModuleNotFoundError("No module named 'libcamera'"), "libcamera", "--system-site-packages"),
        (ImportError("undefined symbol: _ZN9libcamera6Camera"), "undefined symbol", "python3-picamera2"),
        (ValueError("numpy.dtype size changed, may indicate binary incompatibility"), "numpy", ".venv"),
        (RuntimeError("no such platform"), "no such platform", "full-upgrade"),
    ],
)
def test_what_is_not_installed_is_named_with_its_cure(
    camera: PiCamera, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str, cure: str
) -> None:
    monkeypatch.setattr(builtins, "__import__", failing(error))
    with pytest.raises(SourceFault) as fault:
        camera.open()
    assert words in fault.value.words
    assert cure in fault.value.cure
    assert fault.value.permanent


def test_no_camera_on_the_cable_is_said_so(camera: PiCamera, world: World) -> None:
    world.cameras = [{"Model": "USB Camera", "Id": "/base/scb/pcie/usb@1/1-1.2", "Num": 0}]
    with pytest.raises(SourceFault, match="No camera is found") as fault:
        camera.open()
    assert not fault.value.permanent
    world.cameras = World().cameras
    world.trouble = "no camera of late"
    with pytest.raises(SourceFault, match="No camera is found"):
        camera.open()


def test_the_camera_of_the_cable_is_taken_though_others_come_first(camera: PiCamera, world: World) -> None:
    ribbon = {**World().cameras[0], "Num": 1}
    world.cameras = [{"Model": "USB Camera", "Id": "/base/scb/pcie/usb@1/1-1.2", "Num": 0}, ribbon]
    camera.open()
    assert camera.shoot(world.now()).image.size


def test_a_user_without_the_right_is_told_what_to_type(
    camera: PiCamera, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "media0").touch()
    world.cameras = []
    with pytest.raises(SourceFault, match="No camera is found"):
        camera.open()
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(SourceFault, match="may not be used by this user") as fault:
        camera.open()
    assert fault.value.permanent
    assert "usermod -aG video" in fault.value.cure


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        ("busy", "in use by another program"),
        ("held", "in use by another program"),
        ("firmware", "cannot be opened"),
        ("silent", "no picture for 2 seconds"),
        ("failing", "No such device"),
        ("torn", "cannot reshape"),
        ("small lores", "wrong size"),
    ],
)
def test_what_keeps_it_from_opening_may_pass(
    camera: PiCamera, world: World, trouble: str, words: str
) -> None:
    world.trouble = trouble
    with pytest.raises(SourceFault) as fault:
        camera.open()
    assert words in fault.value.words
    assert not fault.value.permanent
    camera.close()
    world.trouble = ""
    world.made.clear()
    camera.open()
    assert camera.shoot(world.now()).image.size


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        ("silent", "no picture for 2 seconds"),
        ("failing", "No such device"),
        ("torn", "cannot reshape"),
        ("small lores", "wrong size"),
    ],
)
def test_what_happens_later_may_pass(camera: PiCamera, world: World, trouble: str, words: str) -> None:
    camera.open()
    world.trouble = trouble
    began = world.now()
    with pytest.raises(SourceFault) as fault:
        camera.shoot(world.now())
    assert words in fault.value.words
    assert not fault.value.permanent
    assert world.now() - began < 3.0
    assert made(world).jobs == 0


@pytest.mark.parametrize(("trouble", "words"), [("torn", "cannot reshape"), ("small main", "wrong size")])
def test_a_whole_picture_that_is_broken_is_a_fault(
    camera: PiCamera, world: World, trouble: str, words: str
) -> None:
    camera.open()
    frame = camera.shoot(world.now())
    world.trouble = trouble
    with pytest.raises(SourceFault, match=words) as fault:
        _ = frame.image
    assert not fault.value.permanent


# -- in its process ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["well", "later: hang in close", "later: hang in capture", "later: killed"])
def test_in_its_own_process_it_gives_pictures_and_ends_whatever_happens(name: str) -> None:
    source = CameraProcess(name, fake_picamera2.in_its_process)
    source.open()
    try:
        if name == "later: killed":
            with pytest.raises(SourceFault, match="signal"):
                read(source, 100)
        elif name == "later: hang in capture":
            assert read(source, 3) == []
        else:
            frame = read(source, 3)[-1]
            assert not frame.whole
            assert frame.image.shape == (1296, 2304, 3)
            assert frame.image[:, 0, 2].min() > frame.image[:, 0, 0].max()
    finally:
        began = time.monotonic()
        source.close()
    assert time.monotonic() - began < 6.0


def read(source: CameraProcess, times: int) -> list[Any]:
    return [frame for _ in range(times) if (frame := source.read(0.5)) is not None]


def test_in_its_own_process_a_camera_that_hangs_in_opening_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(camera_process, "OPEN", 2.0)
    source = CameraProcess("at once: hang in open", fake_picamera2.in_its_process)
    with pytest.raises(SourceFault, match="does not open"):
        source.open()
