"""The grid that cards make, the camera's height over a leaning sheet, markers looked at closely."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.emulated import viewpoint
from companion.games.layout import Marker, Place, TableMap, Token
from tests.vision.laid_table import DICTIONARY
from vision.drift import Drift
from vision.markers import find_all, find_markers, find_near
from vision.pieces import find_pieces
from vision.pose import Pose, Registration

CELLS = np.array([(90.0 + 60 * column, 60.0 + 60 * row) for column in range(11) for row in range(8)])
CORNERS = ((28.0, 28.0), (932.0, 28.0), (932.0, 512.0), (28.0, 512.0))
TRAY = Place("tray", ((740, 150), (925, 150), (925, 480), (740, 480)))
SHEET = TableMap(960, 540, tuple(Marker(id, at, 30) for id, at in enumerate(CORNERS)), (), TRAY)
MARKS = {40: (-18.0, 18.0), 165: (18.0, -18.0)}
RAIL = {id: Token(id, 16, "rail", "R", at, 0.5) for id, at in MARKS.items()}


def test_without_cards_the_grid_is_where_it_is_printed() -> None:
    drift = Drift(np.zeros((0, 2)), np.zeros((0, 2)))
    assert np.abs(drift.at(CELLS)).max() == 0


@pytest.mark.parametrize("seed", range(4))
def test_a_grid_that_is_stretched_turned_and_shifted_is_found_from_half_of_its_cards(seed: int) -> None:
    chance = np.random.default_rng(seed)
    matrix = np.eye(2) + chance.uniform(-0.045, 0.045, (2, 2))
    true = (CELLS - (420, 270)) @ matrix + (420, 270) + chance.uniform(-15, 15, 2)
    lying = chance.random(len(CELLS)) < 0.5
    drift = Drift(CELLS[lying], true[lying] + chance.normal(0, 1.5, (int(lying.sum()), 2)))
    assert np.abs(CELLS + drift.at(CELLS) - true).max() < 6.0


def test_cards_that_lie_elsewhere_have_no_say() -> None:
    chance = np.random.default_rng(5)
    true = CELLS + (CELLS - (90, 60)) * 0.04
    seen = true + chance.normal(0, 1, CELLS.shape)
    astray = chance.permutation(len(CELLS))[:8]
    seen[astray] += chance.choice([-1, 1], (8, 2)) * chance.uniform(25, 200, (8, 2))
    drift = Drift(CELLS, seen)
    assert np.abs(CELLS + drift.at(CELLS) - true).max() < 4.0


@pytest.mark.parametrize("focal", [0.6, 0.8, 1.1])
@pytest.mark.parametrize(("tilt", "most"), [(0.0, 2.2), (10.0, 2.0), (20.0, 1.2), (35.0, 1.8)])
def test_what_stands_is_placed_by_whatever_lens(
    focal: float, tilt: float, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(viewpoint, "FOCAL", focal)
    chance = np.random.default_rng(int(tilt))
    over = viewpoint.over(960, 540, (1280, 720), tilt=tilt, way=float(chance.uniform(0, 360)))
    half = np.array([(-15, -15), (15, -15), (15, 15), (-15, 15)])
    corners = {
        marker.id: over.project(half + marker.at) + chance.normal(0, 0.4, (4, 2)) for marker in SHEET.corners
    }
    pose = Registration(SHEET).find(corners, (1280, 720))
    assert pose is not None
    off = pose.table(over.project(CELLS, 8.0), 8.0) - CELLS
    assert np.linalg.norm(off, axis=1).max() < most


def test_a_piece_is_placed_and_turned_by_any_of_its_markers() -> None:
    pose = Pose(np.diag([2.0, 2.0, 1.0]), np.array([400.0, 300.0, 900.0]))
    c, s = np.cos(np.radians(97)), np.sin(np.radians(97))

    def shown(id: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        square = np.array([(-8, -8), (8, -8), (8, 8), (-8, 8)]) + RAIL[id].at
        at = square @ np.array([(c, s), (-s, c)]) + (300.0, 200.0)
        raised = pose.eye[:2] + (at - pose.eye[:2]) * 900 / 899.5
        return pose.picture(raised).astype(np.float32)

    for ids in ((40,), (165,), (40, 165)):
        (found,) = find_pieces([(id, shown(id)) for id in ids], RAIL, pose)
        assert found.sure
        assert found.at == pytest.approx((300.0, 200.0), abs=0.05)
        assert found.turn == pytest.approx(97.0, abs=0.1)
    (apart,) = find_pieces([(40, shown(40)), (165, shown(165) + np.float32(30))], RAIL, pose)
    assert not apart.sure
    assert apart.at == pytest.approx((300.0, 200.0), abs=0.05)


def small_marker(id: int, side: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    fine = np.full((480, 480), 235, np.uint8)
    fine[80:400, 80:400] = cv2.aruco.generateImageMarker(DICTIONARY, id, 320)
    return np.asarray(cv2.resize(fine, (round(side * 1.5),) * 2, interpolation=cv2.INTER_AREA), np.uint8)


def test_a_marker_too_small_for_the_quick_pass_is_found_closely() -> None:
    image = np.full((360, 640), 150, np.uint8)
    for left, id in ((100, 17), (300, 42)):
        patch = small_marker(id, 11)
        image[150 : 150 + len(patch), left : left + len(patch)] = patch
    boxes = [(90, 140, 130, 180), (85, 130, 140, 190), (290, 140, 330, 180), (-20, -9, 5, 4)]
    assert {id for id, _ in find_markers(image, quick=True)} < {17, 42}
    near = find_near(image, boxes, 11.0)
    assert sorted(id for id, _ in near) == [17, 42]
    middle = next(corners for id, corners in near if id == 42).mean(axis=0)
    assert middle == pytest.approx((307.7, 157.7), abs=0.6)


def test_the_ids_that_count_change_nothing_but_the_time() -> None:
    image = np.full((400, 900), 180, np.uint8)
    for number, id in enumerate((3, 90, 249)):
        patch = small_marker(id, 60)
        image[100 : 100 + len(patch), 60 + 250 * number : 60 + 250 * number + len(patch)] = patch
    every = find_markers(image)
    assert [id for id, _ in every] == [3, 90, 249]
    few = find_markers(image, of=(90, 3))
    assert [id for id, _ in few] == [3, 90]
    for (_, one), (_, other) in zip(every, few, strict=False):
        assert np.array_equal(one, other)


def test_a_second_look_finds_soft_markers_once() -> None:
    image = np.full((400, 900), 180, np.uint8)
    places = {id: 60 + 140 * number for number, id in enumerate((3, 42, 90, 151, 200, 249))}
    for id, left in places.items():
        patch = small_marker(id, 22)
        image[100 : 100 + len(patch), left : left + len(patch)] = patch
    soft = np.asarray(cv2.GaussianBlur(image, (0, 0), 1.4), np.uint8)
    assert len(find_markers(soft)) < len(places)
    for picture in (soft, np.asarray(cv2.cvtColor(soft, cv2.COLOR_GRAY2BGR), np.uint8)):
        found = find_all(picture)
        assert [id for id, _ in found] == sorted(places)
        for id, corners in found:
            assert corners.mean(axis=0) == pytest.approx((places[id] + 16, 116), abs=1.5)
    assert [id for id, _ in find_all(image)] == sorted(places), "what both looks show is told once"
