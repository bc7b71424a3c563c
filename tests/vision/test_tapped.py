"""Four taps in any order become corners, or a sentence; what is kept of them tells when they are wrong."""

from __future__ import annotations

import itertools

import cv2
import msgspec
import numpy as np
import pytest

from vision.landmarks import Landmark
from vision.source import Image
from vision.tapped import BadCorners, Tapped, bounded, ordered, tapped, upright

SIZE = (720, 405)
CORNERS = np.array([(90.0, 60.0), (610.0, 40.0), (660.0, 350.0), (60.0, 370.0)])


def printed(seed: int = 1) -> Image:
    """A sheet with things printed near its border, on a plain table."""
    chance = np.random.default_rng(seed)
    image = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    cv2.fillConvexPoly(image, np.rint(CORNERS).astype(np.int32), (225, 230, 228))
    for one, other in zip(CORNERS, np.roll(CORNERS, -1, axis=0), strict=True):
        for part in np.linspace(0.05, 0.95, 9):
            at = one + (other - one) * part
            at = at + (CORNERS.mean(axis=0) - at) * 0.06
            for _ in range(3):
                x, y = (at + chance.uniform(-8, 8, 2)).round().astype(int).tolist()
                tone = tuple(int(value) for value in chance.integers(0, 180, 3))
                wide, high = chance.integers(3, 12, 2).tolist()
                cv2.rectangle(image, (x, y), (x + wide, y + high), tone, -1)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8)


def set_out(image: Image) -> Tapped:
    return tapped("sheet", image, SIZE, (900.0, 500.0), CORNERS)


def moved(image: Image, across: float, down: float, turn: float = 0.0) -> Image:
    matrix = cv2.getRotationMatrix2D((float(CORNERS[0][0]), float(CORNERS[0][1])), turn, 1.0)
    matrix[:, 2] += np.array([across, down])
    return np.asarray(cv2.warpAffine(image, matrix, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_any_order_of_taps_is_the_same(order: tuple[int, ...]) -> None:
    assert np.array_equal(ordered(CORNERS[list(order)], SIZE), CORNERS)


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([], "No corner is tapped. Four are needed"),
        (CORNERS[:1], "One corner is tapped. Four are needed"),
        (CORNERS[:3], "Three corners are tapped. Four are needed: tap the missing ones."),
        ([*CORNERS, (300.0, 200.0)], "More than four corners are tapped. Take one back."),
        ([*CORNERS[:3], (-4.0, 370.0)], "A corner lies outside the picture. Drag it into the picture."),
        ([*CORNERS[:3], (60.0, 405.0)], "outside the picture"),
        ([*CORNERS[:3], (float("nan"), 300.0)], "outside the picture"),
        ([*CORNERS[:3], CORNERS[0] + 9], "Two corners lie on one another."),
        ([*CORNERS[:3], (400.0, 180.0)], "make no frame: one of them lies between others"),
        ([(50.0, 50.0), (250.0, 52.0), (450.0, 50.0), (300.0, 300.0)], "make no frame"),
        ([(300.0, 200.0), (350.0, 200.0), (350.0, 250.0), (300.0, 250.0)], "That is very small."),
    ],
)
def test_what_is_no_frame_is_told_with_its_cure(points: list[tuple[float, float]], words: str) -> None:
    with pytest.raises(BadCorners) as told:
        ordered(points, SIZE)
    assert words in str(told.value)


def test_a_wide_sheet_is_taken_to_lie_along_the_longer_sides() -> None:
    assert np.array_equal(upright(CORNERS, 900, 500), CORNERS)
    assert np.array_equal(upright(CORNERS, 500, 900), np.roll(CORNERS, -1, axis=0))


def test_it_holds_while_the_picture_stays_as_it_is_in_any_light() -> None:
    image = printed()
    kept = set_out(image)
    assert kept.stands(image) == "fits"
    assert kept.stands((image * 0.45).astype(np.uint8)) == "fits"
    assert kept.stands(np.minimum(image * 1.1 + 12, 255).astype(np.uint8)) == "fits"
    noise = np.random.default_rng(5).normal(0, 4, image.shape)
    assert kept.stands(np.clip(image + noise, 0, 255).astype(np.uint8)) == "fits"


def test_a_hand_over_a_corner_changes_nothing_and_one_over_the_sheet_tells_nothing() -> None:
    image = printed()
    kept = set_out(image)
    corner, all_over = image.copy(), image.copy()
    corner[:180, :200] = (120, 150, 200)
    all_over[:, :500] = (120, 150, 200)
    assert kept.stands(corner) == "fits"
    assert kept.stands(all_over) == "hidden"


@pytest.mark.parametrize("by", [(5, 0), (0, 6), (-12, 7), (20, -9)])
def test_a_camera_that_has_moved_is_noticed(by: tuple[int, int]) -> None:
    image = printed()
    assert set_out(image).stands(moved(image, *by)) == "moved"


@pytest.mark.parametrize("turn", [-4.0, -1.5, 1.5, 4.0])
def test_a_sheet_that_turns_around_one_of_its_corners_is_noticed(turn: float) -> None:
    image = printed()
    assert set_out(image).stands(moved(image, 0, 0, turn)) == "moved"


def test_another_view_never_fits() -> None:
    image = printed()
    kept = set_out(image)
    for across, down in [(60, 0), (0, 90), (140, -40), (-200, 0)]:
        assert kept.stands(moved(image, across, down)) != "fits"
    assert kept.stands(printed(2)) != "fits"
    assert kept.stands(np.zeros_like(image)) == "hidden"


def test_a_print_that_repeats_is_no_mark() -> None:
    """One step further a pattern looks the same: a camera that moved by a step would not be noticed."""
    image = np.full((SIZE[1], SIZE[0], 3), 220, np.uint8)
    image[::30, :] = image[:, ::30] = 20
    with pytest.raises(BadCorners, match="Too little is to be seen"):
        set_out(image)


def test_pictures_of_another_size_are_told_apart() -> None:
    image = printed()
    kept = set_out(image)
    assert kept.stands(np.asarray(cv2.resize(image, (640, 360)), np.uint8)) == "resized"


def test_corners_of_nothing_cannot_be_kept() -> None:
    plain = np.full((SIZE[1], SIZE[0], 3), 128, np.uint8)
    with pytest.raises(BadCorners) as told:
        set_out(plain)
    assert "Put on more light" in str(told.value)


def test_it_comes_back_from_json_as_it_was() -> None:
    kept = set_out(printed())
    assert msgspec.json.decode(msgspec.json.encode(kept), type=Tapped) == kept
    with pytest.raises(ValueError, match="no landmark"):
        Landmark((1, 1), 0, b"abc")


def test_corners_are_kept_in_pixels_of_the_cameras_own_picture() -> None:
    kept = tapped("tray", printed(), (1440, 810), (0.0, 0.0), CORNERS)
    assert kept.corners[0] == (180.5, 120.5)
    assert kept.box == (120, 80, 1322, 742)
    whole = np.asarray(cv2.resize(printed(), (1440, 810), interpolation=cv2.INTER_CUBIC), np.uint8)
    assert kept.stands(whole) == "fits"


def test_nothing_shows_outside_of_the_bounds() -> None:
    image = printed()
    shown = bounded(image, [(float(x), float(y)) for x, y in CORNERS])
    assert np.array_equal(shown[200, 300], image[200, 300])
    assert len(np.unique(shown[:20].reshape(-1, 3), axis=0)) == 1
    assert np.array_equal(image, printed())
