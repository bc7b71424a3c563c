"""How surely cards without markers are told: by the camera's lean, by the light, and by their turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from companion.emulated.ground import printed
from companion.emulated.poses import Moment, PiecePose
from companion.emulated.scene import Scene
from companion.emulated.viewpoint import over
from tests.emulated import enrolment
from tests.emulated.enrolment import CARDS, GAME, STATE
from tests.vision.unmarked_table import CELLS
from vision.sheet import SheetReader
from vision.source import Frame

SURE = 0.9
LAID = 38
"""Cards on one table."""


def told(seed: int, tilt: float, light: float, size: tuple[int, int]) -> Counter[tuple[str, int]]:
    """Of one table how many cards are read, asked and wrong, each by the turn in which they lie."""
    chance = np.random.default_rng(seed)
    map = GAME.table_map(STATE)
    places = {place.name: np.mean(place.outline, axis=0) for place in map.places}
    cells = [CELLS[at] for at in chance.permutation(len(CELLS))[:LAID]]
    keys = sorted(CARDS)
    poses, truth = [], {}
    for (column, row), at in zip(cells, chance.permutation(len(keys)), strict=False):
        kind, name = keys[at]
        turn = 90 * int(chance.integers(4))
        x, y = places[f"cell:{column},{row}"] + chance.normal(0, 1.2, 2)
        poses.append(PiecePose(kind, name, (float(x), float(y)), turn + float(chance.normal(0, 1.5))))
        truth[kind, name] = (f"cell:{column},{row}", turn)
    view = over(
        map.width,
        map.height,
        size,
        tilt=tilt,
        way=float(chance.uniform(50, 130)),
        turn=float(chance.uniform(-2.5, 2.5)),
        margin=0.008,
    )
    image = Scene(map, enrolment.box(), seed, size, view).draw(Moment(tuple(poses)), light=light)
    sheet = SheetReader(map, (), enrolment.faces()).look(Frame(0.0, image))
    assert sheet is not None
    repeats = {(token.kind, token.name): token.repeats for token in map.tokens}
    count: Counter[tuple[str, int]] = Counter()
    sights = {
        (sight.piece.kind, sight.piece.name): sight for sight in sheet.pieces if sight.confidence >= SURE
    }
    for key, (place, turn) in truth.items():
        sight = sights.pop(key, None)
        if sight is None:
            count["asked", turn] += 1
        elif (sight.piece.place, sight.piece.turn) == (place, turn % repeats[key]):
            count["read", turn] += 1
        else:
            count["silent", turn] += 1
    count["silent", 0] += len(sights)
    return count


@pytest.mark.parametrize("light", [1.0, 0.3])
def test_a_card_is_not_taken_for_the_one_that_lay_there_just_so(light: float) -> None:
    map = GAME.table_map(STATE)
    view = over(map.width, map.height, (1920, 1080), tilt=8.0, margin=0.008)
    scene = Scene(map, enrolment.box(), 3, (1920, 1080), view)
    reader = SheetReader(map, (), enrolment.faces())
    x, y = np.mean(next(place.outline for place in map.places if place.name == "cell:5,2"), axis=0)
    # One curve after the other, the next one being the most like it.
    left = [card for card in STATE.edition.rails if len(card.track.segments) == 1]
    drawn = {card.name: enrolment.box().piece("rail", card.name) for card in left}
    small = {name: printed(drawing, 2.0).astype(float) for name, drawing in drawn.items()}
    order = [left[0].name]
    while len(order) < len(left):
        others = [card.name for card in left if card.name not in order]
        last = small[order[-1]]
        order.append(min(others, key=lambda name: float(np.abs(small[name] - last).sum())))
    for name in order:
        poses = (PiecePose("rail", name, (float(x), float(y)), 90.0),)
        sheet = reader.look(Frame(0.0, scene.draw(Moment(poses), light=light)))
        assert sheet is not None
        reader.remember(sheet)
        assert {sight.piece.name for sight in sheet.pieces if sight.confidence >= SURE} <= {name}


def summed(
    seeds: range,
    tilt: float,
    light: float,
    size: tuple[int, int],
    record_property: Callable[[str, object], None],
) -> Counter[str]:
    by_turn: Counter[tuple[str, int]] = Counter()
    for seed in seeds:
        by_turn += told(seed, tilt, light, size)
    total: Counter[str] = Counter()
    for (what, _), number in by_turn.items():
        total[what] += number
    turns = ", ".join(
        f"{turn}°: {by_turn['read', turn]} of {by_turn['read', turn] + by_turn['asked', turn]}"
        for turn in (0, 90, 180, 270)
    )
    words = f"{size[0]} x {size[1]} at {tilt:.0f} degrees, light {light}"
    counts = ", ".join(f"{total[what]} {what}" for what in ("read", "asked", "silent"))
    record_property("told", f"Without markers, {words}: {counts} ({turns})")
    return total


@pytest.mark.parametrize("light", [1.0, 0.45])
@pytest.mark.parametrize("tilt", [0.0, 20.0, 35.0])
def test_cards_are_told_from_every_viewpoint(
    tilt: float, light: float, record_property: Callable[[str, object], None]
) -> None:
    total = summed(range(1), tilt, light, (1920, 1080), record_property)
    assert total["silent"] == 0
    assert total["read"] >= 0.9 * total.total()


@pytest.mark.deep
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (2304, 1296)])
@pytest.mark.parametrize("light", [1.0, 0.45, 0.25])
@pytest.mark.parametrize("tilt", [0.0, 20.0, 35.0])
def test_nothing_is_wrong_in_worse_pictures_either(
    tilt: float, light: float, size: tuple[int, int], record_property: Callable[[str, object], None]
) -> None:
    total = summed(range(100, 106), tilt, light, size, record_property)
    assert total["silent"] == 0
