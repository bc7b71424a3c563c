"""Odd things on the train, through pixels: each is understood, waited for or explained.

What the referee makes of each slip is in tests/table/test_referee_rail.py; here it is that the camera
shows it so.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.chance import filled_in, outcome
from companion.games.game import Action
from companion.games.layout import UNKNOWN, Layout, Piece
from companion.games.rail_raiders_infinite.actions import Board, Move
from companion.games.rail_raiders_infinite.machine import waiting
from companion.games.rail_raiders_infinite.table import OFF_PLACE, car_place
from companion.messages import Do
from tests.emulated.house import House

SEATS = ("red", "blue")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A game in which everybody boards the caboose, up to the first turn's actions, said on phones."""
    house = House(tmp_path, 7, SEATS, 4.0, "rail_raiders_infinite")
    house.people.begin()
    chance = Random(7)
    while (job := waiting(house.people.state)) is not None and job.do != "act":
        say(house, _next(house, chance))
    lie(house)
    yield house
    house.close()


def _next(house: House, chance: Random) -> Action:
    """What chance has to say, else the first choice of the seat that is to decide: the caboose, for one."""
    state: Any = house.people.state
    awaiting = house.game.awaiting(state)
    if awaiting.chance is not None:
        return outcome(awaiting.chance, chance)
    seat = awaiting.seats[0]
    first = house.game.legal(house.game.view(state, seat), seat)[0]
    action: Action = filled_in(house.game, state, first, chance)
    return action


def say(house: House, action: Action) -> None:
    said = house.game.hide_action(action)
    house.people._chosen = action
    house.people.ask(getattr(action, "seat", "") or "red", Do(msgspec.Raw(msgspec.json.encode(said))))


def lie(house: House, *more: Piece, without: tuple[str, ...] = (), seconds: float = 3.0) -> None:
    """The table as the companion has it but for some kinds, and more that people put there."""
    state: Any = house.table.state
    pieces = [
        piece
        for piece in house.game.layout(state).pieces
        if piece.kind not in without and (piece.name != UNKNOWN or piece.kind == "roof")
    ]
    house.world.bring(house.game.table_map(state), Layout(tuple(sorted((*pieces, *more)))))
    house.people.wait(house.world.rests - house.world.clock.now() + seconds)


def active(house: House) -> str:
    seat: str = house.table.state.seats[house.table.state.turn]
    return seat


def notices(house: House) -> str:
    return " ".join(notice.words for notice in house.view("red").notices)


def test_slips_with_models_are_explained_and_put_back(house: House) -> None:
    """A Raider two cars on, a Lawbot that nobody called, a Raider that lies beside the table."""
    moves, seat = house.table.moves(), active(house)
    assert any(isinstance(move, Board) for move in moves)
    house.world.carry(seat, car_place(2))
    house.people.wait(5.0)
    assert house.table.moves() == moves
    assert "adjacent" in notices(house)
    house.world.carry(seat, car_place(0))
    house.people.wait(3.0)
    assert notices(house) == ""
    lie(house, Piece("lawbot", "deputy", car_place(1)), seconds=5.0)
    assert house.table.moves() == moves
    assert "A Deputy stands on car 1" in notices(house)
    assert house.view("red").todo == ("Take a Deputy off car 1.",)
    lie(house)
    assert (notices(house), house.view("red").todo) == ("", ())
    assert house.table.moves() == moves


def test_an_arm_over_the_train_is_no_act_and_hides_nothing_for_good(house: House) -> None:
    moves = house.table.moves()
    for at in ((300.0, 80.0), (700.0, 310.0)):
        house.world.reach(at, 1.5)
        house.people.wait(4.0)
        assert house.table.moves() == moves
        assert house.view("red").question is None
        assert house.view("red").todo == ()


def test_a_raider_walks_to_the_next_car_and_the_car_is_flipped(house: House) -> None:
    seat = active(house)
    house.world.carry(seat, car_place(1))
    house.people.wait(4.0)
    assert house.table.moves()[-1] == Move(seat, 1)
    house.people._chosen = None
    name = house.people.state.train[1]
    lie(house, Piece("car", name, "tile:1", up="face"))
    assert house.table.state.cars[1].up
    assert house.table.state.train[1] == name
    assert OFF_PLACE not in {place for key, place in house.world.places.items() if key in SEATS}
