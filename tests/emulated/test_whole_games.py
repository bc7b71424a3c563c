"""Whole games through pixels: what the companion believed is compared with the truth at every step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.games.game import Rolled
from companion.games.layout import Dice, Die
from tests.emulated.house import ASIDE, House
from vision.dice import Known, read_dice
from vision.source import Image

COLOURS = ("red", "blue", "green", "yellow", "white")
SEEDS = range(6)
DEEP_SEEDS = (*range(6, 20), *range(100, 200))


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
        f"{where}seed {house.world.seed:3}, {len(state.seats)} seats: {len(house.table.moves())} moves, "
        f"{tally.throws} throws and {tally.moves} moves shown to the camera, "
        f"{tally.questions} questions asked, {tally.unseen} not noticed, "
        f"{len(tally.silent)} silent errors",
    )
    assert tally.silent == []
    assert tally.throws > 10
    assert tally.moves > 5
    # What people must help with is the exception.
    assert tally.questions + tally.unseen < (tally.throws + tally.moves) / 4


def seated(seed: int) -> tuple[str, ...]:
    count = 3 + seed % 3
    return COLOURS[seed % 2 :][:count] if count < 5 else COLOURS


@pytest.fixture
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path, request.param, seated(request.param))
    yield house
    house.close()


@pytest.mark.parametrize("house", SEEDS, indirect=True)
def test_a_whole_game_is_seen(house: House, record_property: Callable[[str, object], None]) -> None:
    play(house, record_property)


@pytest.mark.deep
@pytest.mark.parametrize("house", DEEP_SEEDS, indirect=True)
def test_many_whole_games_are_seen(house: House, record_property: Callable[[str, object], None]) -> None:
    play(house, record_property)


@pytest.fixture
def from_the_side(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    seed = request.param
    house = House(tmp_path, seed, seated(seed), aside=ASIDE)
    yield house
    house.close()


@pytest.mark.parametrize("from_the_side", [0, 2], indirect=True)
def test_a_whole_game_is_seen_from_the_side(
    from_the_side: House, record_property: Callable[[str, object], None]
) -> None:
    play(from_the_side, record_property, "from the side, ")


@pytest.mark.deep
@pytest.mark.parametrize("from_the_side", [1, *range(3, 12)], indirect=True)
def test_many_whole_games_are_seen_from_the_side(
    from_the_side: House, record_property: Callable[[str, object], None]
) -> None:
    play(from_the_side, record_property, "from the side, ")


def test_what_is_believed_wrongly_is_counted_and_put_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader that takes every six for a five: the comparison finds it, and the people mend it."""

    def short_sighted(image: Image, *, known: Known) -> Dice:
        dice = read_dice(image, known=known)
        fives = (Die(min(int(die.value), 5), die.corners, die.confidence) for die in dice.dice)
        return Dice(tuple(fives), dice.sure)

    monkeypatch.setattr("vision.tray.read_dice", short_sighted)
    house = House(tmp_path, 3, COLOURS[:3])
    try:
        house.people.begin()
        for _ in range(40):
            house.people.step()
        tally = house.people.tally
        assert len(tally.silent) >= 3
        assert all("6" in words for words in tally.silent)
        assert house.game.hide(house.people.state) == house.table.state
        rolls = [move for move in house.table.moves() if isinstance(move, Rolled)]
        assert any(6 in roll.values for roll in rolls)
    finally:
        house.close()
