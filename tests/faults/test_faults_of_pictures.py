"""Folders, videos and the emulated camera that have each of the faults while a game is played."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion import eyes as looking
from companion.emulated.camera import EmulatedCamera
from companion.emulated.world import World
from companion.eyes import NAME, Eyes
from firmware_bridge import supervisor
from tests.faults.cases_of_cameras import EMULATED, FOLDER, VIDEO
from tests.faults.room import Room, room
from tests.faults.vocabulary import Case, Cases, Fault, to_try
from tests.hardware.virtual import until
from vision.recorded import Photographs, Video
from vision.source import Frame, Source


class Bench:
    """A room whose table is looked at by a source, every picture of which is counted."""

    def __init__(self, room: Room, source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
        self.room, self.frames = room, 0
        read = source.read

        def counted(timeout: float) -> Frame | None:
            frame = read(timeout)
            self.frames += frame is not None
            return frame

        monkeypatch.setattr(source, "read", counted)
        self._eyes = Eyes(room.desk.table, source)
        room.desk.table.mend(NAME, self._eyes.retry)

    def begin(self) -> None:
        self._eyes.start()

    def sees(self) -> None:
        """Pictures come, one after the other."""
        before = self.frames
        until(lambda: self.frames > before + 1)

    def close(self) -> None:
        self._eyes.close()

    def and_then(self, case: Case, mend: Callable[[], object]) -> None:
        """The fault is there: what phones say, that they can play, and that it passes."""
        if case.says:
            notice = self.room.tells(NAME, case)
            self.room.plays_on()
            mend()
            if case.after.startswith("by a tap"):
                self.room.try_again(notice)
        else:
            self.room.plays_on()
            self.sees()
            self.room.tells_nothing(NAME)
            mend()
        self.room.well(NAME)
        self.sees()
        self.room.plays_on()
        self.room.tells_nothing(NAME)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    monkeypatch.setattr(supervisor, "Backoff", partial(supervisor.Backoff, first=0.2, longest=0.4))
    with room(tmp_path, table="camera") as found:
        yield found


@pytest.fixture
def rooms() -> Iterator[ExitStack]:
    with ExitStack() as found:
        yield found


class Hanging:
    """A call that does not come back before it is over; that is told soon."""

    def __init__(self, call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
        self._call = call
        self.over = threading.Event()
        monkeypatch.setattr(supervisor, "HANGS", 0.4)

    def __call__(self, *arguments: Any) -> Any:
        assert self.over.wait(20)
        return self._call(*arguments)


def case_of(cases: Cases, fault: Fault) -> Case:
    case = cases[fault]
    assert isinstance(case, Case)
    return case


def photographs(folder: Path) -> None:
    """Three of them, each there whole or not at all."""
    folder.mkdir(exist_ok=True)
    draft = folder.parent / "draft.png"
    for number, grey in enumerate((90, 120, 150)):
        assert cv2.imwrite(str(draft), np.full((180, 320, 3), grey, np.uint8))
        draft.replace(folder / f"{number}.png")


@pytest.mark.parametrize("fault", to_try(FOLDER))
def test_the_game_goes_on_whatever_a_folder_does(
    place: Room, tmp_path: Path, rooms: ExitStack, monkeypatch: pytest.MonkeyPatch, fault: Fault
) -> None:
    folder = tmp_path / "photographs"
    photographs(folder)
    bench = Bench(place, Photographs(folder, hold=0.05, rate=50), monkeypatch)
    rooms.callback(bench.close)
    mend: Callable[[], object] = partial(photographs, folder)
    imread = cv2.imread

    def slowly(name: str, how: int) -> Any:
        time.sleep(0.15)
        return imread(name, how)

    match fault:
        case "silent":
            for file in folder.iterdir():
                file.unlink()
        case "drop":
            (folder / "1.png").write_bytes(b"no picture")
        case "garble":
            for file in folder.iterdir():
                file.write_bytes(b"no picture")
        case "no permission":
            for file in folder.iterdir():
                file.write_bytes(b"")
            monkeypatch.setattr(os, "access", lambda path, mode: not str(path).startswith(str(folder)))
            mend = partial(_allowed, folder, monkeypatch)
    bench.begin()
    match fault:
        case "slow":
            bench.sees()
            monkeypatch.setattr(cv2, "imread", slowly)
        case "unplug":
            bench.sees()
            folder.rename(tmp_path / "gone")
            mend = partial((tmp_path / "gone").rename, folder)
        case "block":
            bench.sees()
            hanging = Hanging(imread, monkeypatch)
            monkeypatch.setattr(cv2, "imread", hanging)
            rooms.callback(hanging.over.set)
            mend = hanging.over.set
    bench.and_then(case_of(FOLDER, fault), mend)


def _allowed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: True)
    photographs(folder)


def film(path: Path, pictures: int = 40, rate: float = 20.0) -> None:
    draft = path.with_name("draft.avi")
    writer = cv2.VideoWriter(str(draft), cv2.VideoWriter.fourcc(*"MJPG"), rate, (160, 96))
    for number in range(pictures):
        writer.write(np.full((96, 160, 3), 90 + number, np.uint8))
    writer.release()
    draft.replace(path)


class Late:
    """A video whose pictures take their time to be read."""

    def __init__(self, capture: Any, grab: Callable[[], bool]) -> None:
        self._capture = capture
        self.grab = grab

    def __getattr__(self, name: str) -> Any:
        return getattr(self._capture, name)


@pytest.mark.parametrize("fault", to_try(VIDEO))
def test_the_game_goes_on_whatever_a_video_does(
    place: Room, tmp_path: Path, rooms: ExitStack, monkeypatch: pytest.MonkeyPatch, fault: Fault
) -> None:
    path = tmp_path / "game.avi"
    film(path, rate=1000.0 if fault == "storm" else 20.0)
    source = Video(path)
    bench = Bench(place, source, monkeypatch)
    rooms.callback(bench.close)
    mend: Callable[[], object] = partial(film, path)
    match fault:
        case "silent":
            path.write_bytes(b"")
        case "garble":
            path.write_bytes(b"nothing of the kind" * 1000)
        case "drop":
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        case "unplug":
            path.unlink()
        case "no permission":
            monkeypatch.setattr(os, "access", lambda asked, mode: asked != str(path))
            mend = partial(monkeypatch.setattr, os, "access", lambda asked, mode: True)
    bench.begin()
    if fault in ("slow", "block"):
        bench.sees()
        capture = source._capture

        def slowly() -> bool:
            time.sleep(0.1)
            return bool(capture.grab())

        if fault == "slow":
            source._capture = Late(capture, slowly)
        else:
            hanging = Hanging(capture.grab, monkeypatch)
            rooms.callback(hanging.over.set)
            source._capture = Late(capture, hanging)
            mend = hanging.over.set
    bench.and_then(case_of(VIDEO, fault), mend)


@pytest.mark.parametrize("fault", to_try(EMULATED))
def test_the_game_goes_on_whatever_the_emulated_camera_does(
    place: Room, rooms: ExitStack, monkeypatch: pytest.MonkeyPatch, fault: Fault
) -> None:
    camera = EmulatedCamera(World(1), rate=1.7 if fault == "slow" else 10.0)
    bench = Bench(place, camera, monkeypatch)
    rooms.callback(bench.close)
    bench.begin()
    bench.sees()
    mend: Callable[[], object] = camera.unplugged.clear
    match fault:
        case "silent":
            monkeypatch.setattr(looking, "PATIENCE", 0.6)
            camera.blocked.set()
            mend = camera.blocked.clear
        case "unplug":
            camera.unplugged.set()
        case "block":
            hanging = Hanging(camera._look, monkeypatch)
            monkeypatch.setattr(camera, "_look", hanging)
            rooms.callback(hanging.over.set)
            mend = hanging.over.set
    bench.and_then(case_of(EMULATED, fault), mend)
