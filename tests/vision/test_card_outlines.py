import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.card_outlines import common, divide, find_outlines, sides, trace
from vision.render_cards import TABLES, Lying, View, draw_deck, photograph

DECK = draw_deck(["a", "b", "c"], deck=3)


def alike(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Common area of two outlines, as a part of both together."""
    shared = common(one, other)
    return shared / (cv2.contourArea(one) + cv2.contourArea(other) - shared)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("tilt", [0, 35])
def test_a_card_on_a_table_has_its_outline(table: str, tilt: float) -> None:
    lying = [Lying("a", (0.3, 0.5), 25, 0.13), Lying("b", (0.65, 0.5), 200, 0.13)]
    image, corners = photograph(table, DECK, lying, view=View(tilt=tilt), seed=5)
    found = find_outlines(image)
    for true in corners:
        assert max(alike(true.astype(np.float32), outline) for outline in found) > 0.93


def test_a_card_of_the_tables_lightness_is_seen_by_its_colour() -> None:
    image = np.full((300, 400, 3), (120, 120, 120), np.uint8)
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    lab[80:220, 150:250, 1] += 22
    image = np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR), np.uint8)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    assert np.ptp(grey.astype(int)) < 12
    (outline,) = find_outlines(image)
    assert alike(outline, np.array([[150, 80], [250, 80], [250, 220], [150, 220]], np.float32)) > 0.93


def test_corners_are_clockwise_and_in_pixels_of_a_large_picture() -> None:
    image = np.full((2400, 3600, 3), 70, np.uint8)
    cv2.rectangle(image, (1000, 800), (1999, 2199), (220, 220, 220), -1)
    (outline,) = find_outlines(image)
    first = outline[np.roll(np.arange(4), -int(outline.sum(axis=1).argmin()))]
    assert np.allclose(first, [[1000, 800], [1999, 800], [1999, 2199], [1000, 2199]], atol=5)
    assert sides(first) == pytest.approx((999, 1399), abs=8)


@pytest.mark.parametrize("size", [(0, 0), (1, 900), (20, 20)])
def test_a_picture_too_small_for_a_card_has_no_outline(size: tuple[int, int]) -> None:
    assert find_outlines(np.full((*size, 3), 90, np.uint8)) == []


def test_other_figures_are_no_outlines() -> None:
    image = np.full((400, 600, 3), 60, np.uint8)
    cv2.circle(image, (150, 200), 80, (200, 200, 200), -1)
    triangle = np.array([[350, 300], [550, 300], [450, 100]])
    cv2.fillPoly(image, [triangle], (200, 200, 200))
    assert find_outlines(image) == []


def test_a_covered_card_bends() -> None:
    image = np.full((400, 600, 3), 60, np.uint8)
    cv2.rectangle(image, (100, 100), (300, 300), (230, 230, 230), -1)
    cv2.circle(image, (310, 310), 110, (60, 60, 200), -1)
    bends = trace(image).bends
    assert any(np.hypot(x - 100, y - 100) < 6 and 90 < arm < 210 for x, y, arm in bends)


def test_a_round_thing_does_not_bend() -> None:
    image = np.full((400, 600, 3), 60, np.uint8)
    cv2.circle(image, (310, 200), 110, (60, 60, 200), -1)
    assert trace(image).bends == []


def test_a_row_is_divided_as_it_is_seen() -> None:
    row = np.array([[0, 0], [300, 0], [300, 100], [0, 100]], np.float32)
    first, second, third = divide(row, 3, 1)
    assert np.allclose(first, [[0, 0], [100, 0], [100, 100], [0, 100]], atol=1e-3)
    assert np.allclose(second[0], third[0] - (100, 0), atol=1e-3)
    slanted = np.array([[0, 0], [300, 20], [300, 80], [0, 100]], np.float32)
    near, far = divide(slanted, 2, 1)
    assert cv2.contourArea(near) > cv2.contourArea(far)
    assert np.allclose(near[1], far[0], atol=1e-3)
