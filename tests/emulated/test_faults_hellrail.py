"""Odd things on a table of cards, through pixels: each is understood, waited for or explained."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.emulated.placing import middle
from companion.eyes import NAME
from companion.games.game import Rolled
from companion.games.hellrail.actions import LayRail
from companion.games.hellrail.track import beside
from companion.games.layout import Layout, Piece
from companion.messages import Do
from firmware_bridge.device import Fault
from tests.emulated.house import House

SEATS = ("red", "blue")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A game in which it is red's turn, and the camera has seen the table."""
    house = House(tmp_path, 5, SEATS, 4.0, "hellrail")
    house.people.begin()
    house.people.step()
    for seat, value in zip(SEATS, (6, 1), strict=True):
        house.people.ask(seat, Do(msgspec.Raw(msgspec.json.encode(Rolled((value,))))))
    house.people.wait(2.0)
    yield house
    house.close()


def hand(house: House) -> str:
    """A card that red holds."""
    card: str = house.people.state.hands[0][0]
    return card


def by_the_gate(house: House) -> tuple[int, int]:
    return beside(next(c.cell for c in house.table.state.circles if c.name == "G"), "E")


def lie(house: House, *more: Piece, seconds: float = 4.0) -> None:
    """The table as the companion has it, and more that people put there."""
    state: Any = house.table.state
    layout = house.game.layout(state)
    house.world.bring(
        house.game.table_map(state), Layout(tuple(sorted((*layout.pieces, *more))), layout.dice)
    )
    house.people.wait(seconds)


def cell(at: tuple[int, int]) -> str:
    return f"cell:{at[0]},{at[1]}"


def test_a_card_is_laid_without_a_word(house: House) -> None:
    card = hand(house)
    lie(house, Piece("rail", card, cell(by_the_gate(house)), 90))
    laid = house.table.moves()[-1]
    assert isinstance(laid, LayRail)
    assert (laid.seat, laid.card, laid.cell) == ("red", card, by_the_gate(house))


def test_a_card_on_a_cell_where_it_may_not_lie_is_explained_and_taken_away(house: House) -> None:
    moves = house.table.moves()
    lie(house, Piece("rail", hand(house), "cell:0,7"), seconds=6.0)
    assert house.table.moves() == moves
    told = " ".join(notice.words for notice in house.view("red").notices)
    assert "not adjacent" in told
    lie(house)
    assert house.view("red").notices == ()
    assert house.table.moves() == moves


def test_a_card_that_lies_across_its_cell_is_waited_for(house: House) -> None:
    """Somebody is still turning it about."""
    card, moves = hand(house), house.table.moves()
    there = by_the_gate(house)
    sheet = house.game.table_map(house.table.state)
    at = middle(next(place for place in sheet.places if place.name == cell(there)))
    house.world.bring(
        sheet,
        Layout((*house.game.layout(house.table.state).pieces, Piece("rail", card, cell(there)))),
    )
    house.world.put(card, at, 44.0)
    house.people.wait(6.0)
    assert house.table.moves() == moves
    assert house.view("red").question is None
    house.world.carry(card, cell(there), 180)
    house.people.wait(4.0)
    laid = house.table.moves()[-1]
    assert isinstance(laid, LayRail)
    assert laid.card == card


def test_an_arm_over_the_rail_is_no_act_and_hides_nothing_for_good(house: House) -> None:
    card = hand(house)
    lie(house, Piece("rail", card, cell(by_the_gate(house)), 90))
    moves = house.table.moves()
    sheet = house.world.map
    assert sheet is not None
    for at in ((300.0, 250.0), (480.0, 300.0), (860.0, 90.0)):
        house.world.reach(at, 1.5)
        house.people.wait(4.0)
        assert house.table.moves() == moves
        assert house.view("red").question is None
        assert house.view("red").todo == ()


def test_what_is_laid_while_the_camera_is_away_is_seen_when_it_is_back(house: House) -> None:
    moves = house.table.moves()
    house.table.submit(Fault(NAME, "The camera is unplugged.", "Plug it in.")).result(10)
    card, there = hand(house), by_the_gate(house)
    house.people.ask("red", Do(msgspec.Raw(msgspec.json.encode(LayRail("red", card, there, 0)))))
    lie(house)
    house.table.submit(Fault(NAME, "", "")).result(10)
    house.looking.open()
    house.people.wait(4.0)
    assert house.table.moves() == (*moves, LayRail("red", card, there, 0))
    assert house.view("red").question is None
    assert house.view("red").todo == ()
