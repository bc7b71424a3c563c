"""Which throws the table hands on as put right by people: those they entered or corrected, as they said."""

from __future__ import annotations

import pytest

from companion.games.game import Rolled
from companion.games.layout import Cut, Dice, Die, Reading
from companion.table import Presence
from companion.watch import PutRight
from tests.table.desk import SQUARE, Desk


@pytest.fixture
def heard(playing: Desk) -> list[PutRight]:
    heard: list[PutRight] = []
    playing.table.teach(heard.append)
    return heard


def cuts(*values: int) -> tuple[Cut, ...]:
    return tuple(Cut(value, 0.99 if value else 0.1, b"png") for value in values)


def seen(desk: Desk, *values: int, throw: int = 1) -> None:
    """The camera sees a throw; 0 is a face without pips."""
    dice = tuple(Die(value, SQUARE, 0.99) for value in values if value)
    sure = len(dice) == len(values)
    desk.put(Reading(0.0, (), (), Dice(dice, sure), throw, b"\xff\xd8 jpeg", cuts(*values)))


def test_an_answer_about_a_throw_is_handed_on_with_its_faces(playing: Desk, heard: list[PutRight]) -> None:
    seen(playing, throw=0)
    seen(playing, 0, 3)
    assert playing.decide("red", "enter", Rolled((6, 3))).status == "done"
    assert [(said.cuts, said.values) for said in heard] == [(cuts(0, 3), (6, 3))]


def test_what_the_camera_read_itself_is_not_handed_on_until_it_is_corrected(
    playing: Desk, heard: list[PutRight]
) -> None:
    seen(playing, throw=0)
    seen(playing, 2, 3)
    assert heard == []
    roll = len(playing.table.moves()) - 1
    assert playing.table.moves()[roll] == Rolled((2, 3))
    assert playing.correct("red", roll, Rolled((2, 4))).status == "done"
    assert [(said.cuts, said.values) for said in heard] == [(cuts(2, 3), (2, 4))]
    assert playing.correct("red", roll, Rolled((2, 5))).status == "done"
    assert {said.throw for said in heard} == {heard[0].throw}
    assert heard[-1].values == (2, 5)


def test_a_throw_that_no_camera_saw_teaches_nothing(playing: Desk, heard: list[PutRight]) -> None:
    playing.put(Presence("red", True))
    playing.done("red", Rolled((6, 3)))
    assert heard == []
