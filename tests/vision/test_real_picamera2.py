"""Keeps the camera's adapter and its stand-in honest against the real picamera2, where that is installed.

Its Python alone is enough: libcamera and the rest of a Pi are not there, and nothing is shot.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np
import pytest

from tests.vision import fake_picamera2
from vision.picamera import PiCamera

if importlib.util.find_spec("picamera2") is None:
    pytest.skip("picamera2 is not installed: a Raspberry Pi has it", allow_module_level=True)

ONLY_ON_A_PI = ("libcamera", "kms", "pykms", "prctl", "av", "OpenEXR")


@pytest.fixture(scope="module")
def real() -> Iterator[Any]:
    """The module picamera2, with what it needs of a Pi left blank."""
    before = set(sys.modules)
    blank = {name: mock.MagicMock(name=name) for name in ONLY_ON_A_PI if name not in sys.modules}
    with mock.patch.dict(sys.modules, blank), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield importlib.import_module("picamera2")
    for name in set(sys.modules) - before:
        if name.partition(".")[0] == "picamera2":
            del sys.modules[name]


CALLS = [name for name in vars(fake_picamera2.Picamera2) if name in (
    *("__init__", "global_camera_info", "create_video_configuration", "configure", "start", "set_controls"),
    *("capture_request", "cancel_all_and_flush", "close"),
)]  # fmt: skip


def test_the_stand_in_has_all_that_the_adapter_calls() -> None:
    assert len(CALLS) == 9


@pytest.mark.parametrize("name", CALLS)
def test_the_stand_in_takes_the_arguments_of_the_real_one(real: Any, name: str) -> None:
    true = inspect.signature(getattr(real.Picamera2, name)).parameters
    for argument, kept in inspect.signature(getattr(fake_picamera2.Picamera2, name)).parameters.items():
        assert argument in true
        assert true[argument].kind == kept.kind
        if kept.default is not inspect.Parameter.empty and kept.default is not None:
            assert true[argument].default == kept.default


@pytest.mark.parametrize("name", ["get_metadata", "make_array", "release"])
def test_requests_of_the_stand_in_take_the_arguments_of_real_ones(real: Any, name: str) -> None:
    true = inspect.signature(getattr(real.CompletedRequest, name))
    kept = inspect.signature(getattr(fake_picamera2.CompletedRequest, name))
    assert list(true.parameters) == list(kept.parameters)


def test_the_adapter_calls_what_the_real_one_has(real: Any, tmp_path: Path) -> None:
    """Every call of it goes to the true names and arguments, from opening to a time-out and closing."""
    world = fake_picamera2.World()
    with mock.patch.object(fake_picamera2, "world", world):
        stand_in = fake_picamera2.Picamera2()
        made = mock.create_autospec(real.Picamera2, spec_set=False)
        made.global_camera_info.return_value = world.cameras
        one = made.return_value
        one.sensor_resolution = stand_in.sensor_resolution
        one.camera_controls = stand_in.camera_controls
        for name in ("create_video_configuration", "configure", "set_controls", "start", "close"):
            getattr(one, name).side_effect = getattr(stand_in, name)

        def request(**named: Any) -> Any:
            true = stand_in.capture_request(**named)
            spied = mock.create_autospec(real.CompletedRequest, instance=True)
            for name in ("get_metadata", "make_array", "release"):
                getattr(spied, name).side_effect = getattr(true, name)
            return spied

        one.capture_request.side_effect = request
        with mock.patch.object(real, "Picamera2", made):
            camera = PiCamera(clock=world.now, dev=tmp_path)
            camera.open()
            assert camera.shoot(world.now()).image.shape == (1296, 2304, 3)
            one.capture_request.side_effect = TimeoutError
            with pytest.raises(Exception, match="no picture"):
                camera.shoot(world.now())
            one.cancel_all_and_flush.assert_called_once_with()
            camera.close()
            assert stand_in.closed


def test_pictures_have_the_shape_that_the_stand_in_gives(real: Any) -> None:
    """Padded rows are cut off the colours, and left on the planes of YUV420."""
    helpers = importlib.import_module("picamera2.request").Helpers(SimpleNamespace())
    coloured = {"format": "RGB888", "size": (10, 4), "stride": 32}
    shaped = helpers._make_array_shared(np.arange(128, dtype=np.uint8), coloured)
    assert shaped.shape == (4, 10, 3)
    assert shaped[1, 0, 0] == 32
    planes = {"format": "YUV420", "size": (10, 4), "stride": 64}
    assert helpers._make_array_shared(np.zeros(384, np.uint8), planes).shape == (6, 64)


def test_the_real_one_says_the_same_order_of_colours(real: Any) -> None:
    """What it hands to other libraries as the order in memory is what the stand-in lays there."""
    source = inspect.getsource(sys.modules["picamera2.request"])
    for name, order in fake_picamera2.MEMORY.items():
        assert f'"{name}": "{"".join("RGB"[colour] for colour in order)}"' in source
