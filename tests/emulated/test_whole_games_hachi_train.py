"""Whole games of Hachi Train through pixels: cards laid and taken up, special cars drawn, assets lost.

What the companion believed is compared with the truth at every step, as for the other games. Which
cards anybody holds people keep to themselves: they say on phones that they keep their hands, and no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.games.layout import UNKNOWN
from tests.emulated.house import ASIDE, House

COLOURS = ("red", "blue", "green", "yellow", "white")
SEEDS = (3, 4)
"""Short games, of 3 and of 4."""

DEEP_SEEDS = (*range(3), *range(5, 20))
RATE = 4.0
"""Frames a second: enough for the reader to see that all is at rest, twice, in a second."""


@pytest.fixture
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    seed = request.param
    house = House(tmp_path, seed, COLOURS[: 3 + seed % 3], RATE, "hachi_train")
    yield house
    house.close()


@pytest.fixture
def from_the_side(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    seed = request.param
    house = House(tmp_path, seed, COLOURS[: 3 + seed % 3], RATE, "hachi_train", aside=ASIDE)
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
        f"Hachi Train, {where}seed {house.world.seed:3}, "
        f"{len(state.seats)} seats: {len(house.table.moves())} "
        f"moves, {tally.moves} acts shown to the camera, {tally.questions} questions asked, "
        f"{tally.unseen} not noticed, {len(tally.silent)} silent errors",
    )
    assert tally.silent == []
    assert tally.moves > 40
    # What people must help with is the exception.
    assert tally.questions + tally.unseen < tally.moves / 4
    # Nobody told what is in a hand, and the companion knows of none.
    cards = [getattr(move, "card", UNKNOWN) for move in house.table.moves()]
    assert set(cards) == {UNKNOWN}
    assert {card for hand in house.table.state.hands for card in hand} <= {UNKNOWN}


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
