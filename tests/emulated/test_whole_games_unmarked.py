"""Whole games of HellRail through pixels in which no card carries a marker: all are read by their faces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.emulated import enrolment
from tests.emulated.house import House
from tests.emulated.test_whole_games_hellrail import COLOURS, RATE, play


@pytest.fixture
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    seed = request.param
    house = House(
        tmp_path, seed, COLOURS[: 2 + seed % 3], RATE, "hellrail", enrolment.CARDS, enrolment.faces()
    )
    yield house
    house.close()


@pytest.mark.parametrize("house", range(2), indirect=True)
def test_a_whole_game_is_seen(house: House, record_property: Callable[[str, object], None]) -> None:
    play(house, record_property)


@pytest.mark.deep
@pytest.mark.parametrize("house", range(200, 220), indirect=True)
def test_many_whole_games_are_seen(house: House, record_property: Callable[[str, object], None]) -> None:
    play(house, record_property)
