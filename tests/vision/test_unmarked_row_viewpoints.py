"""How surely cards without markers are told in rows: by the camera's lean, the light and the picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from companion.emulated.placing import in_row
from companion.emulated.poses import Moment, PiecePose
from companion.emulated.scene import Scene
from companion.emulated.viewpoint import over
from companion.games.hachi_train.state import SEATS
from companion.games.hachi_train.table import CAR, CARD, field_place, tokens
from tests.emulated import hachi_cards
from tests.emulated.hachi_cards import GAME, STATE
from vision.sheet import SheetReader
from vision.source import Frame

CARS = {token.name: token.alike for token in tokens() if token.kind == CAR}
UPSIDE_DOWN = 0.2
"""How often a card is laid the other way round."""


def told(seed: int, tilt: float, light: float, size: tuple[int, int]) -> Counter[str]:
    """Of five rows, one of each seat, how many cards lie in those that are read, asked about, and wrong."""
    chance = Random(seed)
    map = GAME.table_map(STATE)
    places = {place.name: place for place in map.places}
    left = chance.sample(sorted(CARS), len(CARS))
    poses, truth = [], {}
    for seat, count in zip(SEATS, chance.sample((7, 6, 5, 3, 2), len(SEATS)), strict=True):
        mine, left = left[:count], left[count:]
        truth[field_place(seat)] = Counter(CARS[card] for card in mine)
        for card, (at, turn) in zip(
            mine, in_row(places[field_place(seat)], CARD[0], count, [], chance), strict=True
        ):
            poses.append(PiecePose(CAR, card, at, turn + 180 * (chance.random() < UPSIDE_DOWN)))
    view = over(
        map.width,
        map.height,
        size,
        tilt=tilt,
        way=chance.uniform(50, 130),
        turn=chance.uniform(-2.5, 2.5),
        margin=0.008,
    )
    scene = Scene(map, hachi_cards.box(), seed, size, view)
    sheet = SheetReader(map, (), hachi_cards.faces()).look(
        Frame(0.0, scene.draw(Moment(tuple(poses)), light=light))
    )
    assert sheet is not None
    count_of: Counter[str] = Counter()
    for place, cards in truth.items():
        named = [sight for sight in sheet.pieces if sight.piece.place == place]
        seen = Counter(CARS[sight.piece.name] for sight in named)
        if place in sheet.holes or any(sight.confidence < 0.9 for sight in named):
            count_of["asked"] += cards.total()
        elif seen == cards:
            count_of["read"] += cards.total()
        else:
            count_of["silent"] += cards.total()
    assert len({sight.piece.name for sight in sheet.pieces}) == len(sheet.pieces)
    return count_of


def summed(
    seeds: range,
    tilt: float,
    light: float,
    size: tuple[int, int],
    record_property: Callable[[str, object], None],
) -> Counter[str]:
    total: Counter[str] = Counter()
    for seed in seeds:
        total += told(seed, tilt, light, size)
    counts = ", ".join(f"{total[what]} {what}" for what in ("read", "asked", "silent"))
    words = f"{size[0]} x {size[1]} at {tilt:.0f} degrees, light {light}"
    record_property("told", f"Rows without markers, {words}: {counts}")
    return total


@pytest.mark.parametrize(("tilt", "light"), [(0.0, 1.0), (35.0, 0.45)])
def test_rows_are_told_from_above_and_from_a_slant(
    tilt: float, light: float, record_property: Callable[[str, object], None]
) -> None:
    total = summed(range(1), tilt, light, (1920, 1080), record_property)
    assert total["silent"] == 0
    assert total["read"] >= 0.9 * total.total()


@pytest.mark.deep
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("light", [1.0, 0.45, 0.25])
@pytest.mark.parametrize("tilt", [0.0, 20.0, 35.0])
def test_no_row_is_wrong_in_worse_pictures_either(
    tilt: float, light: float, size: tuple[int, int], record_property: Callable[[str, object], None]
) -> None:
    total = summed(range(100, 104), tilt, light, size, record_property)
    assert total["silent"] == 0
