"""A hand that is discarded shows a card that the companion cannot know: it is that, and no act."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.findings import PATIENCE
from companion.games.hellrail.actions import LayRail, Move
from companion.games.hellrail.track import beside
from companion.games.layout import UNKNOWN, Piece
from companion.table import Pause
from firmware_bridge.device import Fault
from tests.table.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "state", table="camera", game="hellrail")
    yield desk
    desk.close()


@pytest.fixture
def derailed(desk: Desk) -> Desk:
    """Red has derailed with a hand; it is blue's turn. Nobody has put the hand down yet."""
    desk.start("red", "blue", "green")
    desk.lie(*layout(desk))
    gate = next(circle.cell for circle in desk.state.circles if circle.name == "G")
    straight = next(card.name for card in desk.state.edition.rails if card.track.segments == ("NS4",))
    desk.done("red", LayRail("red", straight, beside(gate, "E"), 90))
    desk.lie(*layout(desk))
    moves = (action for action in desk.game.legal(desk.state, "red") if isinstance(action, Move))
    desk.done("red", next(move for move in moves if move.to is None))
    assert desk.state.top == ""
    assert desk.state.buried
    assert desk.state.seats[desk.state.turn] == "blue"
    return desk


def layout(desk: Desk) -> list[Piece]:
    """How the table should look, as far as anybody can say."""
    return [piece for piece in desk.game.layout(desk.state).pieces if piece.name != UNKNOWN]


def hidden(desk: Desk) -> list[str]:
    """Cards that nobody has seen."""
    state = desk.state
    seen = {rail.card for rail in state.rails} | {*state.discard}
    return [card.name for card in state.edition.rails if card.name not in seen]


def later(desk: Desk) -> None:
    """Time passes, and the table looks again."""
    desk.clock.now += PATIENCE + 0.1
    desk.put(Pause())


def top(card: str) -> Piece:
    return Piece("rail", card, "discard")


def test_the_card_that_a_discarded_hand_shows_is_no_act(derailed: Desk) -> None:
    moves = derailed.table.moves()
    derailed.lie(*layout(derailed), top(hidden(derailed)[0]))
    later(derailed)
    assert derailed.table.moves() == moves
    view = derailed.view("blue")
    assert (view.question, view.notices) == (None, ())


def test_the_card_that_comes_after_it_is_an_act(derailed: Desk) -> None:
    first, then = hidden(derailed)[:2]
    derailed.lie(*layout(derailed), top(first))
    derailed.lie(*layout(derailed), top(then))
    later(derailed)
    question = derailed.view("blue").question
    assert question is not None
    assert f"fans the flames with {then}" in question.choices[0].words


def test_a_look_away_does_not_make_the_next_card_the_unknown_one(derailed: Desk) -> None:
    first, then = hidden(derailed)[:2]
    derailed.lie(*layout(derailed), top(first))
    derailed.put(Fault("camera", "", ""))
    derailed.lie(*layout(derailed), top(first))
    assert derailed.view("blue").question is None
    derailed.lie(*layout(derailed), top(then))
    later(derailed)
    assert derailed.view("blue").question is not None
