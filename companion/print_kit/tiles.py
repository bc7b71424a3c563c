"""Cuts a sheet that is larger than a page into tiles that are glued together again."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from companion.games.drawing import BLACK, Drawing, Part, Shape, Text, line, rectangle
from companion.games.kit import FOLD
from companion.games.layout import Point
from companion.print_kit.paper import ENDS, GREY, SIDES

OVERLAP = 8.0
"""What a tile has of its right and lower neighbours, to glue them on (mm)."""

Place = tuple[int, int]
"""A tile's column and row."""


def count(whole: Drawing, paper: Point) -> tuple[int, int]:
    """How many tiles a sheet takes across and down, on pages that lie on their side."""
    high, wide = paper
    return (
        ceil(whole.width / (wide - 2 * SIDES - OVERLAP)),
        ceil(whole.height / (high - 2 * ENDS - OVERLAP)),
    )


def tiles(whole: Drawing, paper: Point) -> Iterator[tuple[str, Drawing]]:
    """The tiles' names and pages, row by row."""
    across, down = count(whole, paper)
    for row in range(down):
        for column in range(across):
            yield name((column, row)), _tile(whole, paper, (column, row), (across, down))


def name(place: Place) -> str:
    """A tile's name by column and row: B3 is the second across, the third down."""
    return f"{chr(ord('A') + place[0])}{place[1] + 1}"


def _tile(whole: Drawing, paper: Point, place: Place, count: tuple[int, int]) -> Drawing:
    height, width = paper
    wide, high = whole.width / count[0], whole.height / count[1]
    more_right = OVERLAP if place[0] + 1 < count[0] else 0.0
    more_below = OVERLAP if place[1] + 1 < count[1] else 0.0
    left, top = (width - wide - OVERLAP) / 2, (height - high - OVERLAP) / 2
    right, bottom = left + wide, top + high
    corner = (place[0] * wide, place[1] * high)
    shapes: list[Shape] = [Part(whole, corner, (left, top), wide + more_right, high + more_below)]
    if more_right:
        shapes.append(line(((right, top), (right, bottom + more_below)), FOLD, 0.2))
    if more_below:
        shapes.append(line(((left, bottom), (right + more_right, bottom)), FOLD, 0.2))
    for x in (left, right):
        shapes.append(line(((x, top - 2.3), (x, top - 0.3)), BLACK, 0.2))
        shapes.append(line(((x, bottom + more_below + 0.3), (x, bottom + more_below + 2.3)), BLACK, 0.2))
    for y in (top, bottom):
        shapes.append(line(((left - 2.1, y), (left - 0.3, y)), BLACK, 0.2))
        shapes.append(line(((right + more_right + 0.3, y), (right + more_right + 2.1, y)), BLACK, 0.2))
    shapes.append(Text(name(place), (right - 1.0, top - 0.5), 2.6, GREY, "text", "end"))
    return Drawing(width, height, tuple(shapes))


def plan(whole: Drawing, paper: Point, corner: Point, scale: float) -> tuple[Shape, ...]:
    """The finished sheet, so many times smaller, with its tiles' names."""
    across, down = count(whole, paper)
    wide, high = whole.width / across / scale, whole.height / down / scale
    shapes: list[Shape] = []
    for row in range(down):
        for column in range(across):
            x, y = corner[0] + column * wide, corner[1] + row * high
            shapes.append(rectangle(x, y, wide, high, "", GREY, 0.3))
            shapes.append(Text(name((column, row)), (x + wide / 2, y + high / 2 + 1.4), 4.0, GREY, "number"))
    return tuple(shapes)
