"""Cards, engines and piles in the picture: their markers, what hides what, and drawing only what changed."""

from __future__ import annotations

from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion.emulated.box import box_of
from companion.emulated.camera import EmulatedCamera, size_for
from companion.emulated.poses import DiePose, Moment, PiecePose
from companion.emulated.scene import Scene
from companion.emulated.viewpoint import over
from companion.games.hellrail.state import Rail, State
from companion.games.layout import TableMap
from tests.emulated.hellrail import GAME, bring, opening, some_rail, table
from tests.emulated.rig import small_map
from vision.markers import find_markers
from vision.source import Image


def scene(state: State, seed: int = 0, tilt: float = 8.0, size: tuple[int, int] = (1920, 1080)) -> Scene:
    map = GAME.table_map(state)
    view = over(map.width, map.height, size, tilt=tilt, way=70.0, turn=1.0, margin=0.008)
    return Scene(map, box_of(GAME, state), seed, viewpoint=view)


def markers_of(moment: Moment, map: TableMap, seen: Scene) -> dict[int, np.ndarray[Any, Any]]:
    """Where each token's corners should be in the picture, clockwise from the marker's own upper left."""
    poses = {piece.key: piece for piece in moment.pieces}
    found = {}
    for token in map.tokens:
        pose = poses.get((token.kind, token.name))
        if pose is None:
            continue
        half = token.side / 2
        flat = np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) + token.at
        c, s = np.cos(np.radians(pose.turn)), np.sin(np.radians(pose.turn))
        corners = flat @ np.array([(c, s), (-s, c)]) + pose.at
        found[token.id] = seen.viewpoint.project(corners, token.height)
    return found


@pytest.mark.parametrize("tilt", [0.0, 12.0, 25.0])
def test_every_marker_is_read_where_and_as_it_lies(tilt: float) -> None:
    state = some_rail()
    there = table(state, 3)
    moment = there.moment(there.clock.now())
    seen = scene(state, 3, tilt)
    read = dict(find_markers(seen.draw(moment)))
    expected = markers_of(moment, GAME.table_map(state), seen)
    on_cards = [id for id in expected if id >= 40]
    for id in on_cards:
        if id in read:
            assert read[id] == pytest.approx(expected[id], abs=3.0)
            assert read[id].mean(axis=0) == pytest.approx(expected[id].mean(axis=0), abs=1.2)
    # An engine hides markers beneath it; each card keeps one at least.
    assert sum(id in read for id in on_cards) >= 0.9 * len(on_cards)
    for token in GAME.table_map(state).tokens:
        if (token.kind, token.name) == ("engine", "blue"):
            assert read[token.id] == pytest.approx(expected[token.id], abs=3.0)
    assert {marker.id for marker in GAME.table_map(state).corners} <= read.keys()


def test_what_a_card_covers_is_not_seen() -> None:
    state = some_rail()
    there = table(state)
    rails = (Rail((4, 3), "r08", 0, (("r02", 90),)), *(rail for rail in state.rails if rail.cell != (4, 3)))
    bring(there, replace(state, rails=tuple(sorted(rails))))
    seen = scene(state)
    ids = {id for id, _ in find_markers(seen.draw(there.moment(there.clock.now())))}
    tokens = {token.id: token.name for token in GAME.table_map(state).tokens}
    names = {tokens[id] for id in ids if id in tokens}
    assert "r08" in names
    assert "r02" not in names


def test_the_size_of_the_pictures_suits_the_smallest_marker() -> None:
    assert size_for(small_map()) == (1280, 720)
    assert size_for(GAME.table_map(opening())) == (1920, 1080)
    there = table(opening())
    camera = EmulatedCamera(there)
    camera.open()
    frame = camera.read(1.0)
    assert frame is not None
    assert frame.image.shape == (1080, 1920, 3)


def difference(one: Image, other: Image) -> float:
    """The largest difference of two pictures but for their noise (of 255)."""
    soft = (cv2.blur(picture.astype(np.float32), (9, 9)) for picture in (one, other))
    return float(np.abs(np.subtract(*soft)).max())


def test_drawing_what_changed_gives_the_picture_of_drawing_it_all() -> None:
    """Cards come and go, engines and dice move, an order changes: the picture has no memory of it."""
    state = some_rail()
    there = table(state, 5)
    step_by_step = scene(state, 5, size=(1280, 720))
    chance = Random(5)
    steps = [
        replace(state, top="r41", discard=("r40", "r41")),
        replace(state, engines=(state.engines[2], *state.engines[1:])),
        replace(state, rails=tuple(sorted((*state.rails, Rail((6, 4), "r14", 90))))),
        state,
        replace(state, top="", discard=()),
    ]
    for step in steps:
        there.throw((chance.randint(1, 6),))
        there.bring(GAME.table_map(step), GAME.layout(step))
        until = there.rests + 0.3
        while there.clock.now() < until:
            there.clock.sleep(0.15)
            moment = there.moment(there.clock.now())
            picture = step_by_step.draw(moment)
        assert not moment.arms
        assert difference(picture, scene(state, 5, size=(1280, 720)).draw(moment)) < 4.0


def test_a_changed_order_is_drawn() -> None:
    state = some_rail()
    one = PiecePose("rail", "r01", (300.0, 200.0), 0.0)
    other = PiecePose("rail", "r02", (320.0, 210.0), 20.0)
    seen = scene(state, size=(1280, 720))
    first = seen.draw(Moment((one, other)))
    second = seen.draw(Moment((other, one)))
    assert difference(first, second) > 20.0
    assert difference(seen.draw(Moment((one, other))), first) < 4.0
    # A die in the tray is no reason to draw the cards again, and it is there.
    die = DiePose(3, (820.0, 300.0), 10.0)
    assert difference(seen.draw(Moment((one, other), (die,))), first) > 20.0


def test_a_card_carried_over_the_table_is_seen_larger_and_away_from_its_place() -> None:
    state = some_rail()
    seen = scene(state, size=(1280, 720))
    low = dict(find_markers(seen.draw(Moment((PiecePose("rail", "r01", (400.0, 300.0), 0.0),)))))
    high = dict(find_markers(seen.draw(Moment((PiecePose("rail", "r01", (400.0, 300.0), 0.0, 35.0),)))))
    id = min(low.keys() & high.keys() - {0, 1, 2, 3})
    assert cv2.contourArea(high[id]) > 1.03 * cv2.contourArea(low[id])
