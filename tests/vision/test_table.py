"""A whole table read from rendered frames: pieces, holes, dice, and when a Reading comes."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import pytest

from companion.games.layout import Piece
from tests.emulated.rig import NAMES, Rig, places
from vision.markers import find_markers
from vision.source import Frame
from vision.table import TableReader
from vision.tray import PICTURE_BYTES


@pytest.mark.parametrize("seed", range(6))
def test_pieces_are_found_in_their_places_from_every_viewpoint(seed: int) -> None:
    rig = Rig(seed)
    assert [places(reading) for reading in rig.run(1.5)] == [{"red": "p:0", "blue": "p:1", "green": "p:2"}]
    for name, place in (("red", "p:3"), ("blue", "p:8"), ("green", "p:11")):
        rig.world.carry(name, place)
        (reading,) = rig.rest()
        assert places(reading) == rig.world.places
        assert reading.holes == ()
        for sight in reading.pieces:
            assert sight.piece == Piece("pawn", sight.piece.name, sight.piece.place)
            assert sight.confidence > 0.9
            assert sight.at == pytest.approx(rig.world.spots[sight.piece.name], abs=2.5)


def test_nothing_is_read_while_something_moves() -> None:
    rig = Rig(1)
    rig.rest()
    rig.world.throw((3, 4))
    assert rig.run(1.2) == []
    assert len(rig.rest()) == 1


def test_a_table_that_stays_as_it_is_is_told_of_once() -> None:
    rig = Rig(2, dice=(2, 6))
    (reading,) = rig.run(1.5)
    assert rig.run(60.0) == []
    rig.world.reach((300.0, 300.0), 0.1)
    again = rig.rest()
    assert all(late.throw == reading.throw for late in again)
    assert all(late.pieces for late in again)


@pytest.mark.parametrize("seed", [3, 4])
def test_dice_are_read_once_for_each_throw(seed: int) -> None:
    rig = Rig(seed)
    (reading,) = rig.run(1.5)
    assert reading.dice is not None
    assert reading.dice.values == ()
    throw = reading.throw
    for values in ((1, 6), (5, 5), (5, 5)):
        rig.world.throw(values)
        reading = rig.rest()[-1]
        assert reading.throw == throw + 1
        throw = reading.throw
        assert reading.dice is not None
        if reading.dice.sure:
            assert sorted(reading.dice.values, key=str) == sorted(values)


def test_the_dice_lie_where_their_corners_say() -> None:
    rig = Rig(5, dice=(4,))
    (reading,) = rig.run(1.5)
    assert reading.dice is not None
    (die,) = reading.dice.dice
    image = rig.frame().image
    x, y = np.mean(die.corners, axis=0)
    around = image[int(y) - 6 : int(y) + 6, int(x) - 6 : int(x) + 6]
    # The pips apart, a die is nothing like the tray's green.
    assert np.ptp(np.median(around.reshape(-1, 3), axis=0)) < 160
    assert around.max() > 150


def test_a_piece_near_a_border_is_less_sure_and_one_off_all_places_is_nowhere() -> None:
    rig = Rig(6)
    rig.world.put("red", (208.0, 120.0))
    rig.rest()
    rig.world.put("blue", (640.0, 500.0))
    reading = rig.rest()[-1]
    sights = {sight.piece.name: sight for sight in reading.pieces}
    assert sights["red"].confidence < 0.9
    assert sights["green"].confidence > 0.9
    assert sights["blue"].piece.place == ""
    assert sights["blue"].confidence > 0.9


def covered(frame: Frame, rig: Rig, corners: tuple[int, ...]) -> Frame:
    """The frame with those corner markers under something dark."""
    image = frame.image.copy()
    for id, quad in find_markers(image):
        if id in corners:
            x, y = quad.mean(axis=0).astype(int)
            cv2.circle(image, (int(x), int(y)), 34, (40, 44, 60), -1)
    return Frame(frame.time, image)


def test_three_corners_are_enough_and_two_once_the_sheet_is_known() -> None:
    for hidden in ((0,), (2,), (1, 3)):
        rig = Rig(7)
        reader = TableReader(rig.map)
        if len(hidden) == 2:
            assert [reader.see(rig.frame()) for _ in range(8)][-1] is None
        readings = [reader.see(covered(rig.frame(), rig, hidden)) for _ in range(8)]
        seen = [reading for reading in readings if reading is not None]
        if len(hidden) == 2:
            assert seen == [] or places(seen[-1]) == rig.world.places
            rig.world.carry("red", "p:7")
            rig.clock.sleep(2.0)
            seen = [
                reading
                for _ in range(8)
                if (reading := reader.see(covered(rig.frame(), rig, hidden))) is not None
            ]
        assert places(seen[-1]) == rig.world.places


def test_an_arm_at_rest_makes_holes_and_its_leaving_clears_them() -> None:
    rig = Rig(8)
    rig.run(1.5)
    at = rig.world.spots["blue"]
    rig.world.reach((at[0], at[1] - 60.0), 3.0)
    (reading,) = rig.run(2.5)
    assert "p:1" in reading.holes
    assert "blue" not in places(reading)
    assert {"red", "green"} <= set(places(reading))
    (reading,) = rig.rest()
    assert reading.holes == ()
    assert places(reading) == rig.world.places


def test_an_arm_over_the_tray_is_no_throw() -> None:
    rig = Rig(9, dice=(3, 6))
    (before,) = rig.run(1.5)
    for _ in range(3):
        tray = np.mean(rig.map.tray.outline, axis=0)
        rig.world.reach((float(tray[0]), float(tray[1])), 2.0)
        during = rig.run(2.0)
        assert all(reading.dice is None for reading in during)
        after = rig.rest()
        assert {reading.throw for reading in (*during, *after)} == {before.throw}
        assert after[-1].dice is not None


def test_light_that_comes_and_goes_changes_nothing() -> None:
    rig = Rig(10, dice=(1, 2))
    (before,) = rig.run(1.5)
    for lamp in (0.9, 0.75, 0.6, 0.8, 1.0):
        rig.camera.lamp = lamp
        for reading in rig.run(2.0):
            assert reading.holes == ()
            assert places(reading) == places(before)
            assert reading.throw == before.throw


def test_a_shifted_table_is_found_again() -> None:
    rig = Rig(11, dice=(6, 2))
    (before,) = rig.run(1.5)
    moved = np.array([[1, 0, 9.0], [0, 1, 6.0]])
    readings = []
    for _ in range(10):
        frame = rig.frame()
        image = np.asarray(cv2.warpAffine(frame.image, moved, (1280, 720)), np.uint8)
        readings.append(rig.reader.see(Frame(frame.time, image)))
    last = [reading for reading in readings if reading is not None]
    assert all(reading.throw == before.throw for reading in last)
    assert all(places(reading) == places(before) for reading in last)
    rig.world.carry("red", "p:6")
    rig.clock.sleep(2.0)
    for _ in range(10):
        frame = rig.frame()
        image = np.asarray(cv2.warpAffine(frame.image, moved, (1280, 720)), np.uint8)
        readings.append(rig.reader.see(Frame(frame.time, image)))
    last = [reading for reading in readings if reading is not None]
    assert places(last[-1]) == rig.world.places
    assert last[-1].holes == ()


def test_a_marker_seen_twice_is_not_believed() -> None:
    rig = Rig(12)
    frames = [rig.frame() for _ in range(8)]
    x, y = next(quad for id, quad in find_markers(frames[0].image) if id == 10).mean(axis=0).astype(int)
    for frame in frames:
        patch = frame.image[y - 26 : y + 26, x - 26 : x + 26].copy()
        frame.image[y + 194 : y + 246, x - 26 : x + 26] = patch
    seen = [reading for frame in frames if (reading := rig.reader.see(frame)) is not None]
    red = next(sight for sight in seen[-1].pieces if sight.piece.name == "red")
    assert red.confidence <= 0.5


def test_the_stated_height_of_a_piece_is_allowed_for() -> None:
    rig = Rig(13)
    tokens = tuple(msgspec.structs.replace(token, height=0.0) for token in rig.map.tokens)
    flat = TableReader(msgspec.structs.replace(rig.map, tokens=tokens))
    rig.world.carry("green", "p:11")
    rig.clock.sleep(2.0)
    errors = []
    for reader in (rig.reader, flat):
        seen = [reading for _ in range(8) if (reading := reader.see(rig.frame())) is not None]
        spots = rig.world.spots
        off = [np.hypot(*np.subtract(sight.at, spots[sight.piece.name])) for sight in seen[-1].pieces]
        errors.append(max(off))
    assert errors[0] < 2.0 < errors[1]


@pytest.mark.parametrize("with_map", [True, False])
def test_without_a_sheet_the_whole_picture_is_the_tray(with_map: bool) -> None:
    rig = Rig(14, dice=(5,))
    tray = np.array(rig.map.tray.outline)
    frames = [rig.frame() for _ in range(8)]
    scene_view = find_markers(frames[0].image)
    assert len(scene_view) == 4 + len(NAMES)
    left = int(next(quad for id, quad in scene_view if id == 1).mean(axis=0)[0]) - 300
    reader = TableReader(rig.map if with_map else None)
    cut = [
        Frame(frame.time, np.ascontiguousarray(frame.image[110:600, left + 20 : left + 260]))
        for frame in frames
    ]
    seen = [reading for frame in cut if (reading := reader.see(frame)) is not None]
    assert len(tray) == 4
    (reading,) = seen
    assert reading.pieces == ()
    assert reading.holes == (tuple(sorted(place.name for place in rig.map.places)) if with_map else ())
    assert reading.dice is not None
    assert reading.dice.values in ((5,), ())
    assert reading.throw == len(reading.dice.values)


def test_the_picture_shows_the_dice_and_is_small() -> None:
    rig = Rig(15, dice=(5, 1))
    (reading,) = rig.run(1.5)
    assert 0 < len(reading.picture) <= PICTURE_BYTES
    shown = cv2.imdecode(np.frombuffer(reading.picture, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    # The tray alone: higher than wide, and green.
    assert shown.shape[0] > shown.shape[1]
    blue, green, red = np.median(shown.reshape(-1, 3), axis=0)
    assert green > blue
    assert green > red


def test_a_noisy_big_picture_is_made_small_enough() -> None:
    chance = np.random.default_rng(1)
    reader = TableReader(None)
    image = chance.integers(0, 255, (1500, 2000, 3)).astype(np.uint8)
    seen = [reading for n in range(8) if (reading := reader.see(Frame(n * 0.2, image))) is not None]
    assert seen
    assert 0 < len(seen[-1].picture) <= PICTURE_BYTES
