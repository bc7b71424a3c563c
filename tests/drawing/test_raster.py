"""Drawings as pixels: sizes, colours, markers, letters, and drawings within drawings."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest

from companion.emulated.raster import raster
from companion.games.aruco import MODULES, white_runs
from companion.games.drawing import (
    Circle,
    Drawing,
    Part,
    Path,
    Placed,
    Text,
    arc,
    flattened,
    line,
    marked,
    on_circle,
    polygon,
    rectangle,
)
from tests.drawing.house import found_markers

RED, BLUE = "#ff0000", "#0000ff"


def covered(drawing: Drawing, pixels: float = 8) -> float:
    """Square mm that are not white."""
    picture = raster(drawing, pixels).astype(float)
    return float((255 - picture).max(axis=2).sum() / 255 / pixels**2)


@pytest.mark.parametrize("id", range(250))
def test_the_markers_are_those_of_opencv(id: int) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
    expected = np.asarray(cv2.aruco.generateImageMarker(dictionary, id, MODULES)) > 0
    squares = np.zeros((MODULES, MODULES), bool)
    for row, column, count in white_runs(id):
        assert not squares[row, column : column + count].any()
        squares[row, column : column + count] = True
    assert (squares == expected).all()


@pytest.mark.parametrize("pixels", [2.0, 4.5, 8.0])
def test_a_picture_has_the_size_and_colours_of_the_drawing(pixels: float) -> None:
    drawing = Drawing(40, 20, (rectangle(0, 0, 20, 20, RED), rectangle(20, 0, 20, 20, BLUE)))
    picture = raster(drawing, pixels)
    assert picture.shape == (round(20 * pixels), round(40 * pixels), 3)
    assert picture[3, 3].tolist() == [0, 0, 255]
    assert picture[3, -3].tolist() == [255, 0, 0]
    assert raster(Drawing(5, 5, ()), pixels, "#102030")[0, 0].tolist() == [0x30, 0x20, 0x10]


@pytest.mark.parametrize("pixels", [2.0, 8.0])
def test_shapes_cover_what_they_should(pixels: float) -> None:
    def area(*shapes: Path | Circle) -> float:
        return covered(Drawing(60, 60, shapes), pixels)

    assert area(rectangle(10, 10, 20, 30, RED)) == pytest.approx(600, rel=0.01)
    assert area(rectangle(10, 10, 20, 30, RED, radius=5)) == pytest.approx(600 - (4 - np.pi) * 25, rel=0.01)
    assert area(Circle((30, 30), 20, RED)) == pytest.approx(400 * np.pi, rel=0.01)
    assert area(Circle((30, 30), 20, "", RED, 2)) == pytest.approx(2 * np.pi * 20 * 2, rel=0.03)
    assert area(polygon(((0, 0), (60, 0), (0, 60)), RED)) == pytest.approx(1800, rel=0.01)
    assert area(line(((10, 30), (50, 30)), RED, 2)) == pytest.approx(80, rel=0.06)
    half = Path((30, 10), arc((30, 30), 20, 0, 180), RED)
    assert area(half) == pytest.approx(200 * np.pi, rel=0.01)


@pytest.mark.parametrize(("start", "end"), [(0, 90), (10, 350), (180, -90), (270, 450)])
def test_an_arc_is_a_circle_s(start: float, end: float) -> None:
    path = Path(on_circle((5, 7), 20, start), arc((5, 7), 20, start, end), closed=False)
    points = flattened(path, 0.01)
    assert points[-1] == pytest.approx(on_circle((5, 7), 20, end))
    for one, other in pairwise(points):
        for x, y in (one, ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)):
            assert np.hypot(x - 5, y - 7) == pytest.approx(20, abs=0.03)
    length = sum(np.hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))
    assert length == pytest.approx(abs(end - start) * np.pi / 180 * 20, rel=0.01)


@pytest.mark.parametrize("turn", [0, 30, 90, 180, 270])
def test_a_placed_drawing_is_turned_about_its_middle(turn: int) -> None:
    card = Drawing(24, 20, (rectangle(0, 0, 24, 20, "#ffffff"), *marked(7, (14, 8), 10, 2)))
    corners = found_markers(Drawing(100, 80, (Placed(card, (60, 30), turn),)), 6)[7]
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    expected = [
        (60 + c * x - s * y, 30 + s * x + c * y)
        for x, y in ((a + 14 - 12, b + 8 - 10) for a, b in ((-5, -5), (5, -5), (5, 5), (-5, 5)))
    ]
    assert np.abs(corners - expected).max() < 0.25


def test_of_a_part_nothing_more_is_drawn() -> None:
    whole = Drawing(100, 100, (rectangle(0, 0, 50, 100, RED), rectangle(50, 0, 50, 100, BLUE)))
    picture = raster(Drawing(40, 40, (Part(whole, (40, 30), (10, 5), 20, 30),)), 8)
    assert picture[8 * 20, 8 * 15].tolist() == [0, 0, 255]
    assert picture[8 * 20, 8 * 25].tolist() == [255, 0, 0]
    for x, y in ((9, 20), (31, 20), (20, 4), (20, 36)):
        assert picture[8 * y, 8 * x].tolist() == [255, 255, 255]


@pytest.mark.parametrize("anchor", ["start", "middle", "end"])
@pytest.mark.parametrize("turn", [0, 90])
def test_letters_stand_where_they_should(anchor: str, turn: int) -> None:
    text = Text("HEN", (40, 40), 20, "#000000", "number", anchor)  # type: ignore[arg-type]
    picture = raster(Drawing(80, 80, (Placed(Drawing(80, 80, (text,)), (40, 40), turn),)), 6)
    dark = np.argwhere(np.rot90(picture, turn // 90)[..., 0] < 128) / 6
    (top, left), (bottom, right) = dark.min(axis=0), dark.max(axis=0)
    assert bottom == pytest.approx(40, abs=0.5)
    assert bottom - top == pytest.approx(0.778 * 20, abs=0.6)
    middle = {"start": left - 0.5, "middle": (left + right) / 2, "end": right + 0.5}[anchor]
    assert middle == pytest.approx(40, abs=0.9)
