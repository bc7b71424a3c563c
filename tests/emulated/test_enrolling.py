"""An owner's photographs, learned while the table runs; what is wrong with one is told."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from companion import packs
from companion.config import Config, Run
from companion.daemon import _faces, settings
from companion.emulated.photographs import keep
from companion.enrolling import CARDS, EVERY, NAME, Enrolling
from companion.journal import Journal
from companion.table import Table
from firmware_bridge.device import Fault
from tests.emulated import hachi_cards
from tests.emulated.enrolment import take


def test_photographs_are_learned_as_they_come_and_poor_ones_told(tmp_path: Path) -> None:
    folder = tmp_path / "owner"
    told: list[Fault] = []
    enrolling = Enrolling(folder, told.append)
    enrolling.look()
    nothing = enrolling.faces
    assert nothing is None
    folder.mkdir()
    take(folder, ("rail", "r03"))
    take(folder, ("rail", "r16"))
    enrolling.look()
    first = enrolling.faces
    assert first is not None
    assert first.cards == ("r03", "r16")
    enrolling.look()
    assert enrolling.faces is first
    assert told == []
    keep(np.full((600, 900, 3), (60, 80, 110), np.uint8), folder / "r40.jpg")
    enrolling.look()
    second = enrolling.faces
    assert second is not None
    assert second.cards == ("r03", "r16")
    (fault,) = told
    assert fault.device == NAME
    assert "r40" in fault.words
    assert fault.cure
    take(folder, ("rail", "r40"))
    enrolling.look()
    third = enrolling.faces
    assert third is not None
    assert third.cards == ("r03", "r16", "r40")
    assert told == [fault, Fault(NAME, "", "")]


def test_cards_that_no_owner_enters_are_learned_from_the_state_folder(tmp_path: Path) -> None:
    game = hachi_cards.GAME
    folder = tmp_path / CARDS / "hachi_train"
    folder.mkdir(parents=True)
    hachi_cards.take(folder, "5/6")
    keep(np.full((600, 900, 3), (60, 80, 110), np.uint8), folder / "9.jpg")
    told = settings(Config(run=Run(game="hachi_train", camera="auto", state=str(tmp_path))))
    with ExitStack() as rooms:
        table = Table(game, packs.load(game, "house"), Journal(tmp_path))
        table.start()
        rooms.callback(table.close)
        faces = _faces(told, table, rooms)
        latest = time.monotonic() + 20 * EVERY
        while (faces() is None or not table.view("anna").notices) and time.monotonic() < latest:
            time.sleep(0.1)
        learned = faces()
        assert learned is not None
        assert learned.cards == ("5-6",)
        (notice,) = table.view("anna").notices
        assert notice.words == "The photograph of 9: There is no such card."


def test_a_photograph_is_learned_by_the_thread_alone(tmp_path: Path) -> None:
    enrolling = Enrolling(tmp_path, lambda fault: None)
    enrolling.start()
    try:
        take(tmp_path, ("rail", "r03"))
        latest = time.monotonic() + 20 * EVERY
        while enrolling.faces is None and time.monotonic() < latest:
            time.sleep(0.1)
    finally:
        enrolling.close()
    assert enrolling.faces is not None
    assert enrolling.faces.cards == ("r03",)
