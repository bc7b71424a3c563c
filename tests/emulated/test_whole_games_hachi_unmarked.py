"""Whole games of Hachi Train through pixels in which no card carries a marker.

The cars in the rows are read by their faces, of which one of each kind was photographed. Of asset cards
nobody took a photograph, so no camera sees them; the draw deck never has markers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.emulated import hachi_cards
from tests.emulated.house import House
from tests.emulated.test_whole_games_hachi_train import COLOURS, RATE, play

SEEDS = (3,)
DEEP_SEEDS = (*range(3), *range(4, 12))


@pytest.fixture
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    seed = request.param
    seats = COLOURS[: 3 + seed % 3]
    house = House(tmp_path, seed, seats, RATE, "hachi_train", hachi_cards.CARDS, hachi_cards.faces())
    yield house
    house.close()


@pytest.mark.parametrize("house", SEEDS, indirect=True)
def test_a_whole_game_is_seen(house: House, record_property: Callable[[str, object], None]) -> None:
    play(house, record_property)


@pytest.mark.deep
@pytest.mark.parametrize("house", DEEP_SEEDS, indirect=True)
def test_many_whole_games_are_seen(house: House, record_property: Callable[[str, object], None]) -> None:
    play(house, record_property)
