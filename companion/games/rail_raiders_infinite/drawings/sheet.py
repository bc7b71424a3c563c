"""The printed sheet that the train lies on: a place for each car, Grit, the piles, the tray, the corners."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from companion.games.drawing import Circle, Drawing, Shape, Text, line, marked, rectangle
from companion.games.layout import Place
from companion.games.rail_raiders_infinite.drawings.signs import (
    INK,
    NIGHT,
    RUST,
    coupling,
    shooting_star,
    star,
    sun,
)
from companion.games.rail_raiders_infinite.state import Edition
from companion.games.rail_raiders_infinite.table import LONGEST, OFF_PLACE, bare_map

_FAINT, _MARK, _DUST = "#e6ddcf", "#b9a68c", "#cfc8dd"
_RIM = 5.0  # white around the corner markers (mm)


@lru_cache(maxsize=4)
def table_sheet(edition: Edition) -> Drawing:
    """The sheet, 960 x 540 mm, for trains of any length: the locomotive comes next to the last car."""
    table = bare_map(edition)
    shapes: list[Shape] = [*_sky(table.width, table.height)]
    tiles = [place for place in table.places if place.look == "tile"]
    for one, other in pairwise(tiles):
        y = (one.outline[0][1] + one.outline[2][1]) / 2
        shapes += coupling((one.outline[1][0] + 1.5, y), (other.outline[0][0] - 1.5, y))
    for number, place in enumerate(tiles):
        label = "Caboose" if not number else str(number) if number < LONGEST - 1 else ""
        shapes += _tile(place, label)
    for place in table.places:
        if place.look == "grit":
            shapes += _box(place, "Grit", 0.0, 5.0, faint=True)
        elif place.look == "pile":
            shapes += _box(place, place.label, 1.5, 5.6)
        elif place.look == OFF_PLACE:
            shapes += _box(place, place.label, 4.0, 12.0)
    shapes += _box(table.tray, table.tray.label, 4.0, 12.0)
    shapes += [*sun((890.0, 470.0), 13.0), Text("Rail Raiders Infinite", (768.0, 503.0), 20.0, RUST, "title")]
    for marker in table.corners:
        shapes += marked(marker.id, marker.at, marker.side, _RIM)
    return Drawing(table.width, table.height, tuple(shapes))


def _sky(width: float, height: float) -> list[Shape]:
    """A few stars between what is printed, and two that fall."""
    spots = (
        (318, 272, 1.6),
        (640, 300, 2.2),
        (316, 420, 2.0),
        (642, 440, 1.4),
        (318, 492, 1.2),
        (640, 498, 1.8),
    )
    return [
        *(star((float(x), float(y)), size, 5, _DUST, _DUST, 0.1) for x, y, size in spots),
        *shooting_star((930.0, 260.0), 16.0, _DUST),
        *shooting_star((34.0, 330.0), 16.0, _DUST),
    ]


def _tile(place: Place, label: str) -> list[Shape]:
    """Where a car lies: corners to lay it by, and rails under it."""
    (left, top), (right, bottom) = place.outline[0], place.outline[2]
    middle = (left + right) / 2
    ties = [line(((left + 6, y), (right - 6, y)), _FAINT, 3.0) for y in _steps(top + 12, bottom - 8, 13.0)]
    rails = [line(((x, top + 4), (x, bottom - 4)), _MARK, 0.9) for x in (left + 18, right - 18)]
    marks = [
        line(((x + 6 * across, y), (x, y), (x, y + 6 * down)), _MARK, 0.7)
        for x, across in ((left, 1), (right, -1))
        for y, down in ((top, 1), (bottom, -1))
    ]
    if not label:
        return [*ties, *rails, *marks]
    size = 10.0 if len(label) > 1 else 26.0
    ground = Circle((middle, (top + bottom) / 2), 22.0, "#ffffff", _MARK, 0.7)
    return [
        *ties,
        *rails,
        *marks,
        ground,
        Text(label, (middle, (top + bottom) / 2 + size * 0.34), size, NIGHT, "title"),
    ]


def _steps(start: float, end: float, step: float) -> list[float]:
    return [start + step * number for number in range(int((end - start) // step) + 1)]


def _box(place: Place, label: str, radius: float, size: float, *, faint: bool = False) -> tuple[Shape, ...]:
    """An edge around what lies there, and below it what that is; in it where the edge is faint."""
    (left, top), (right, bottom) = place.outline[0], place.outline[2]
    middle = (left + right) / 2
    if faint:
        return (
            rectangle(left, top, right - left, bottom - top, "", _FAINT, 0.6, radius=2.0),
            Text(label, (middle, (top + bottom) / 2), size, _MARK, "title"),
        )
    return (
        rectangle(left - 2, top - 2, right - left + 4, bottom - top + 4, "", _MARK, 0.8, radius=radius),
        Text(label, (middle, bottom + 3 + size), size, INK, "title"),
    )
