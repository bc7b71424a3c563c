"""Whole games through pixels with ordinary coloured pawns in the place of those with caps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.emulated.figures import PROFILES, Figure
from companion.games.pawns_of_perdition.drawing import PAWNS
from tests.emulated.house import House
from tests.emulated.test_whole_games import COLOURS, play

SHAPES = sorted(PROFILES)
LIGHTS = ((1.0, (1.0, 1.0, 1.0)), (0.6, (0.7, 0.9, 1.0)), (0.85, (1.0, 0.9, 0.75)))


@pytest.fixture
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    seed, count = request.param
    seats = COLOURS[:count]
    wide = 13.0 + 3 * (seed % 4)
    figures = {
        ("pawn", seat): Figure(
            SHAPES[seed % len(SHAPES)], PAWNS[seat], wide, wide * (0.7 + 0.4 * (seed % 3)), seed % 2 == 0
        )
        for seat in seats
    }
    house = House(tmp_path, seed, seats, figures=figures)
    house.camera.lamp, house.camera.cast = LIGHTS[seed % len(LIGHTS)]
    yield house
    house.close()


@pytest.mark.parametrize("house", [(seed, 3 + seed % 2) for seed in range(2)], indirect=True)
def test_a_whole_game_is_seen(house: House, record_property: Callable[[str, object], None]) -> None:
    play(house, record_property)
    assert house.table.faults == ()


@pytest.mark.parametrize("house", [(4, 5)], indirect=True)
def test_a_pawn_that_cannot_be_told_is_moved_by_phone(
    house: House, record_property: Callable[[str, object], None]
) -> None:
    """White's pawn is like the sheet: people are told so, and nothing wrong is believed of it."""
    people = house.people
    people.begin()
    tally = people.play()
    assert tally.silent == []
    assert house.game.hide(people.state) == house.table.state
    (fault,) = house.table.faults
    assert fault.words == "The camera can hardly tell the white pawn from the sheet."
    assert "printed cap" in fault.cure
    record_property("told", f"{tally.questions} questions asked, {tally.unseen} not noticed")


@pytest.mark.deep
@pytest.mark.parametrize("house", [(seed, 3 + seed % 2) for seed in range(300, 340)], indirect=True)
def test_many_whole_games_are_seen(house: House, record_property: Callable[[str, object], None]) -> None:
    play(house, record_property)
