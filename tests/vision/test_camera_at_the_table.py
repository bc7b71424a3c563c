"""A camera that fails in its process, seen from the table: a message, another try, pictures again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion import eyes as looking
from companion import games, packs
from companion.eyes import NAME, Eyes
from companion.journal import Journal
from companion.messages import Notice
from companion.table import Table
from tests.vision import scripted_cameras as scripted
from vision import camera_process
from vision.camera_process import CameraProcess


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    game = games.load("pawns_of_perdition")
    table = Table(game, packs.load(game, "house"), Journal(tmp_path), table="camera")
    table.start()
    yield table
    table.close()


def notice(table: Table) -> Notice | None:
    return next((notice for notice in table.view("", "").notices if notice.id == NAME), None)


def comes(holds: Callable[[], bool], within: float = 40.0) -> bool:
    end, pause = time.monotonic() + within, threading.Event()
    while not holds() and time.monotonic() < end:
        pause.wait(0.05)
    return holds()


@pytest.mark.parametrize(
    ("kind", "words", "cure"),
    [
        (scripted.HangsInShoot, "no picture for 1 seconds", "enter dice on a phone"),
        (scripted.Killed, "ended by a signal", "started again by itself"),
        (scripted.Unplugged, "The cable is pulled.", "Put it in again."),
        (scripted.NeverWhole, "did not hand over its picture", "tried again by itself"),
        (scripted.Garbles, "makes no sense", "tried again by itself"),
    ],
)
def test_what_fails_is_a_message_and_is_tried_again(
    table: Table, monkeypatch: pytest.MonkeyPatch, kind: type[scripted.Good], words: str, cure: str
) -> None:
    monkeypatch.setattr(looking, "PATIENCE", 1.0)
    monkeypatch.setattr(camera_process, "FETCH", 0.5)
    monkeypatch.setattr(looking, "DARK", -1.0)  # what is written in these pictures is nearly black
    opened: list[float] = []

    class Counted(CameraProcess):
        def open(self) -> None:
            opened.append(time.monotonic())
            super().open()

    source = Counted("noise", kind)
    eyes = Eyes(table, source)
    eyes.start()
    try:
        assert comes(lambda: (told := notice(table)) is not None and words in told.words)
        told = notice(table)
        assert told is None or cure in told.cure
        assert comes(lambda: len(opened) >= 2)
        assert opened[1] - opened[0] >= 1.0  # no loop that spins
    finally:
        eyes.close()


def test_a_camera_that_hangs_in_opening_does_not_hold_up_the_end(table: Table) -> None:
    source = CameraProcess("test", scripted.HangsInOpen)
    eyes = Eyes(table, source)
    eyes.start()
    assert comes(lambda: source._opening is not None)
    process = source._opening
    assert process is not None
    start = time.monotonic()
    eyes.close()
    assert time.monotonic() - start < 2.0
    assert comes(lambda: process.poll() is not None, 5.0)
