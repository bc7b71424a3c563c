"""Cameras that have each of the faults in their own process while a game is played."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from companion import eyes as looking
from companion.eyes import NAME, Eyes
from firmware_bridge import supervisor
from tests.faults import children
from tests.faults.cases_of_cameras import PICAMERA, V4L2
from tests.faults.room import Room, room
from tests.faults.vocabulary import Case, Fault, to_try
from tests.hardware.virtual import until
from tests.vision.plugged import plug
from vision import camera_process
from vision.camera_process import CameraProcess
from vision.camera_wire import Camera

BY_ID = "usb-Good_Camera-video-index0"
IN_OPENING = ("busy", "no permission", "block")


class Bench:
    """A room whose table is looked at by a camera with this folder."""

    def __init__(self, room: Room, folder: Path, kind: Callable[[str, str], Camera], name: str) -> None:
        self.room, self._folder = room, folder
        self._eyes = Eyes(room.desk.table, CameraProcess(name, kind))
        room.desk.table.mend(NAME, self._eyes.retry)

    def begin(self, fault: str = "") -> None:
        self.trouble(fault)
        self._eyes.start()

    def trouble(self, fault: str) -> None:
        draft = self._folder / "trouble.new"
        draft.write_text(fault)
        draft.replace(self._folder / "trouble")

    def sees(self) -> None:
        """Pictures come, one after the other."""
        before = self._frames()
        until(lambda: self._frames() != before)
        before = self._frames()
        until(lambda: self._frames() != before)

    def _frames(self) -> str:
        frames = self._folder / "frames"
        return frames.read_text() if frames.exists() else ""

    def close(self) -> None:
        self._eyes.close()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    monkeypatch.setattr(supervisor, "Backoff", partial(supervisor.Backoff, first=0.2, longest=0.4))
    with room(tmp_path, table="camera") as found:
        yield found


@pytest.fixture
def rooms() -> Iterator[ExitStack]:
    with ExitStack() as found:
        yield found


def nothing() -> None:
    """There is nothing to mend but what the driver was told."""


def holding(device: Path) -> subprocess.Popen[bytes]:
    """A real program that holds the device open."""
    code = "import sys; device = open(sys.argv[1]); print(flush=True); sys.stdin.read()"
    program = subprocess.Popen(
        [sys.executable, "-S", "-c", code, str(device)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert program.stdout is not None
    program.stdout.readline()
    return program


@pytest.mark.parametrize("fault", to_try(V4L2))
def test_the_game_goes_on_whatever_a_usb_camera_does(
    place: Room, tmp_path: Path, rooms: ExitStack, monkeypatch: pytest.MonkeyPatch, fault: Fault
) -> None:
    case = V4L2[fault]
    assert isinstance(case, Case)
    plug(tmp_path, BY_ID, 2)
    bench = Bench(place, tmp_path, children.v4l2, str(tmp_path / "video2"))
    rooms.callback(bench.close)
    mend: Callable[[], object] = nothing
    if fault == "busy":
        other = holding(tmp_path / "video2")
        rooms.callback(other.communicate)
        mend = other.communicate
    if fault == "block":
        monkeypatch.setattr(camera_process, "OPEN", 1.5)
    if fault == "silent":
        monkeypatch.setattr(looking, "PATIENCE", 0.6)
    if fault in IN_OPENING:
        bench.begin(fault)
    else:
        bench.begin()
        bench.sees()
        bench.trouble(fault)
    if fault == "unplug":
        (tmp_path / "video2").unlink()
        mend = partial(plug, tmp_path, BY_ID, 5)
    _and_then(bench, case, mend, monkeypatch)


@pytest.mark.parametrize("fault", to_try(PICAMERA))
def test_the_game_goes_on_whatever_a_camera_on_the_ribbon_cable_does(
    place: Room, tmp_path: Path, rooms: ExitStack, monkeypatch: pytest.MonkeyPatch, fault: Fault
) -> None:
    case = PICAMERA[fault]
    assert isinstance(case, Case)
    (tmp_path / "media0").touch()
    bench = Bench(place, tmp_path, children.picamera, str(tmp_path))
    rooms.callback(bench.close)
    if fault == "block":
        monkeypatch.setattr(looking, "PATIENCE", 0.6)
    if fault in ("busy", "no permission"):
        bench.begin(fault)
    else:
        bench.begin()
        bench.sees()
        bench.trouble(fault)
    _and_then(bench, case, nothing, monkeypatch)


def _and_then(bench: Bench, case: Case, mend: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault is there: what phones say, that they can play, and that it passes."""
    room = bench.room
    if case.says:
        notice = room.tells(NAME, case)
        room.plays_on()
        monkeypatch.undo()
        bench.trouble("")
        mend()
        if case.after.startswith("by a tap"):
            room.try_again(notice)
    else:
        room.plays_on()
        bench.sees()
        room.tells_nothing(NAME)
        bench.trouble("")
    room.well(NAME)
    bench.sees()
    room.plays_on()
    room.tells_nothing(NAME)
