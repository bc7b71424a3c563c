"""The table's geometry: everything fits on the sheet, and the camera can tell it apart."""

from __future__ import annotations

from itertools import combinations
from math import dist

from companion.games.game import Rolled
from companion.games.layout import Piece, Place, Point
from companion.games.pawns_of_perdition import GAME
from tests.rules.positions import begin, do, put

FIVE = ("red", "blue", "green", "yellow", "white")
TABLE = GAME.table_map(begin(FIVE))


def box(place: Place) -> tuple[float, float, float, float]:
    xs, ys = zip(*place.outline, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def middle(place: Place) -> Point:
    left, top, right, bottom = box(place)
    return (left + right) / 2, (top + bottom) / 2


def apart(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_all_64_spaces_are_there_in_order() -> None:
    assert [place.name for place in TABLE.places] == [f"space:{space}" for space in range(64)]
    assert TABLE.places[0].look == "start"
    assert TABLE.places[8].look == "sin"
    assert TABLE.places[8].label == "Greed"
    assert TABLE.places[2].label == "2"
    assert TABLE.places[63].look == "escape"


def test_nothing_overlaps_and_all_is_on_the_sheet() -> None:
    markers = [
        (x - marker.side / 2, y - marker.side / 2, x + marker.side / 2, y + marker.side / 2)
        for marker in TABLE.corners
        for x, y in [marker.at]
    ]
    boxes = [*map(box, TABLE.places), box(TABLE.tray), *markers]
    for one, other in combinations(boxes, 2):
        assert apart(one, other)
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= TABLE.width
        assert 0 <= top < bottom <= TABLE.height


def test_the_path_goes_from_neighbour_to_neighbour_upward() -> None:
    for one, other in zip(TABLE.places[1:], TABLE.places[2:], strict=False):
        assert dist(middle(one), middle(other)) <= 62.0
    heights = [middle(place)[1] for place in TABLE.places]
    assert heights == sorted(heights, reverse=True)


def test_markers_are_told_apart_and_big_enough() -> None:
    numbers = [marker.id for marker in TABLE.corners] + [token.id for token in TABLE.tokens]
    assert len(set(numbers)) == len(numbers)
    assert [marker.id for marker in TABLE.corners] == [0, 1, 2, 3]
    pixels = 1280 / TABLE.width
    assert all(token.side * pixels >= 28 for token in TABLE.tokens)


def test_pawns_fit() -> None:
    side = TABLE.tokens[0].side
    left, top, right, bottom = box(TABLE.places[0])
    assert (right - left) // (side * 1.5) >= 5
    left, top, right, bottom = box(TABLE.places[5])
    assert min(right - left, bottom - top) >= 2 * side + 8


def test_each_colour_has_the_same_marker_whoever_plays() -> None:
    everyone = {token.name: token.id for token in TABLE.tokens}
    few = {token.name: token.id for token in GAME.table_map(begin(("white", "red", "green"))).tokens}
    assert few == {seat: everyone[seat] for seat in ("white", "red", "green")}


def test_the_layout_is_pawns_and_the_last_dice() -> None:
    state = do(put(begin(), pawns={"red": 5, "blue": 63 - 1}), Rolled((2, 6)))
    layout = GAME.layout(state)
    assert layout.pieces == (
        Piece("pawn", "blue", "space:62"),
        Piece("pawn", "green", "space:0"),
        Piece("pawn", "red", "space:5"),
    )
    assert layout.dice == (2, 6)
