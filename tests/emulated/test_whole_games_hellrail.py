"""Whole games of HellRail through pixels: cards laid, covered, turned and scrapped, engines moved and rammed.

What the companion believed is compared with the truth at every step, as for Pawns of Perdition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.emulated.house import ASIDE, House

COLOURS = ("red", "blue", "green", "yellow")
SEEDS = range(6)
DEEP_SEEDS = (*range(6, 20), *range(100, 160))
RATE = 4.0
"""Frames a second: enough for the reader to see that all is at rest, twice, in a second."""


@pytest.fixture
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    seed = request.param
    house = House(tmp_path, seed, COLOURS[: 2 + seed % 3], RATE, "hellrail")
    yield house
    house.close()


@pytest.fixture
def from_the_side(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    seed = request.param
    house = House(tmp_path, seed, COLOURS[: 2 + seed % 3], RATE, "hellrail", aside=ASIDE)
    yield house
    house.close()


def play(house: House, record_property: Callable[[str, object], None], where: str = "") -> None:
    people = house.people
    people.begin()
    tally = people.play()
    state = people.state
    assert house.game.over(state)
    # No belief differs from the truth, and the table is as both have it.
    assert house.game.hide(state) == house.table.state
    assert house.world.fits(people.truth.layout())
    record_property(
        "told",
        f"HellRail, {where}seed {house.world.seed:3}, "
        f"{len(state.seats)} seats: {len(house.table.moves())} moves, "
        f"{tally.throws} throws and {tally.moves} acts shown to the camera, "
        f"{tally.questions} questions asked, {tally.unseen} not noticed, "
        f"{len(tally.silent)} silent errors",
    )
    assert tally.silent == []
    assert tally.moves > 20
    # What people must help with is the exception.
    assert tally.questions + tally.unseen < tally.moves / 4


@pytest.mark.parametrize("house", SEEDS, indirect=True)
def test_a_whole_game_is_seen(house: House, record_property: Callable[[str, object], None]) -> None:
    play(house, record_property)


@pytest.mark.parametrize("from_the_side", SEEDS[:1], indirect=True)
def test_a_whole_game_is_seen_from_the_side(
    from_the_side: House, record_property: Callable[[str, object], None]
) -> None:
    play(from_the_side, record_property, "from the side, ")


@pytest.mark.deep
@pytest.mark.parametrize("from_the_side", DEEP_SEEDS[:6], indirect=True)
def test_many_whole_games_are_seen_from_the_side(
    from_the_side: House, record_property: Callable[[str, object], None]
) -> None:
    play(from_the_side, record_property, "from the side, ")


@pytest.mark.deep
@pytest.mark.parametrize("house", DEEP_SEEDS, indirect=True)
def test_many_whole_games_are_seen(house: House, record_property: Callable[[str, object], None]) -> None:
    play(house, record_property)
