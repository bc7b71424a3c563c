"""Drawings as data: flat shapes in mm, which phone, print and the emulated table all draw.

x grows to the right and y downward, from a drawing's upper left corner. Colours are "#rrggbb", and
"" where nothing is painted. Later shapes lie on earlier ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, hypot, radians, sin, tan
from typing import Literal

from msgspec import Struct

from companion.games.layout import Marker, Point
from companion.games.lettering import fitted

WHITE = "#ffffff"
BLACK = "#000000"


class Curve(Struct, frozen=True):
    """A cubic Bézier curve from the point before it, by its two control points."""

    one: Point
    other: Point
    to: Point


class Path(Struct, frozen=True):
    """An outline of lines and curves, filled, stroked (`width` mm, its ends cut straight) or both."""

    start: Point
    steps: tuple[Point | Curve, ...]
    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    closed: bool = True


class Circle(Struct, frozen=True):
    """A circle, filled, stroked or both."""

    at: Point
    radius: float
    fill: str = ""
    stroke: str = ""
    width: float = 0.0


class Text(Struct, frozen=True):
    """One line of text in a font of `lettering`: where its foot begins, is halved or ends, and its size."""

    words: str
    at: Point
    size: float
    colour: str = BLACK
    font: str = "text"
    anchor: Literal["start", "middle", "end"] = "middle"


class Placed(Struct, frozen=True):
    """Another drawing whose middle lies at that point, turned clockwise by so many degrees."""

    drawing: Drawing
    at: Point
    turn: float = 0.0


class Part(Struct, frozen=True):
    """A rectangle cut out of another drawing: its upper left corner there and here, and its size."""

    drawing: Drawing
    corner: Point
    at: Point
    width: float
    height: float


Shape = Path | Circle | Text | Marker | Placed | Part
"""A `Marker` is its black square alone; its white rim is a shape of its own below it."""


class Drawing(Struct, frozen=True, cache_hash=True):
    """Shapes on a rectangle of that size. What reaches over its edge is not meant to be seen."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


def polygon(points: Sequence[Point], fill: str = "", stroke: str = "", width: float = 0.0) -> Path:
    """A closed outline of straight lines."""
    return Path(points[0], tuple(points[1:]), fill, stroke, width)


def line(points: Sequence[Point], stroke: str, width: float) -> Path:
    """Straight lines from point to point."""
    return Path(points[0], tuple(points[1:]), "", stroke, width, closed=False)


def rectangle(
    left: float,
    top: float,
    wide: float,
    high: float,
    fill: str = "",
    stroke: str = "",
    width: float = 0.0,
    radius: float = 0.0,
) -> Path:
    """A rectangle, its corners rounded by that radius."""
    right, bottom = left + wide, top + high
    if not radius:
        return polygon(((left, top), (right, top), (right, bottom), (left, bottom)), fill, stroke, width)
    steps: list[Point | Curve] = []
    for middle, start in (
        ((right - radius, top + radius), 0.0),
        ((right - radius, bottom - radius), 90.0),
        ((left + radius, bottom - radius), 180.0),
        ((left + radius, top + radius), 270.0),
    ):
        steps += [on_circle(middle, radius, start), *arc(middle, radius, start, start + 90)]
    return Path((left + radius, top), tuple(steps), fill, stroke, width)


def on_circle(middle: Point, radius: float, heading: float) -> Point:
    """The point of a circle in that direction: degrees clockwise from straight up."""
    return (middle[0] + radius * sin(radians(heading)), middle[1] - radius * cos(radians(heading)))


def arc(middle: Point, radius: float, start: float, end: float) -> tuple[Curve, ...]:
    """The part of a circle from one direction to another, clockwise or back, from the point at `start`.

    Off a true circle by less than 0.03 % of its radius.
    """
    parts = max(1, -int(-abs(end - start) // 90))
    step = (end - start) / parts
    reach = 4 / 3 * tan(radians(step) / 4) * radius
    curves = []
    for number in range(parts):
        near, far = start + number * step, start + (number + 1) * step
        one, two = on_circle(middle, radius, near), on_circle(middle, radius, far)
        curves.append(
            Curve(
                (one[0] + reach * cos(radians(near)), one[1] + reach * sin(radians(near))),
                (two[0] - reach * cos(radians(far)), two[1] - reach * sin(radians(far))),
                two,
            )
        )
    return tuple(curves)


def marked(id: int, at: Point, side: float, rim: float) -> tuple[Path, Marker]:
    """A marker on its white rim, `rim` mm wide on each side."""
    whole = side + 2 * rim
    return rectangle(at[0] - whole / 2, at[1] - whole / 2, whole, whole, WHITE), Marker(id, at, side)


def paragraph(
    words: str, font: str, largest: float, colour: str, box: tuple[float, float, float, float]
) -> tuple[Text, ...]:
    """The words in the middle of a box (left, top, width, height), as large as it lets them be."""
    left, top, width, height = box
    size, lines = fitted(words, font, largest, width, height)
    leading = 1.15 * size
    first = top + (height - leading * len(lines)) / 2 + 0.85 * size
    return tuple(
        Text(row, (left + width / 2, first + leading * at), size, colour, font)
        for at, row in enumerate(lines)
    )


def flattened(path: Path, error: float = 0.02) -> list[Point]:
    """The outline as straight lines that stray from it by about `error` mm at most."""
    points = [path.start]
    for step in path.steps:
        if isinstance(step, Curve):
            points += _points_on(points[-1], step, error)
        else:
            points.append(step)
    return points


def _points_on(start: Point, curve: Curve, error: float) -> Iterator[Point]:
    corners = (start, curve.one, curve.other, curve.to)
    bend = max(
        hypot(a[0] - 2 * b[0] + c[0], a[1] - 2 * b[1] + c[1])
        for a, b, c in zip(corners, corners[1:], corners[2:], strict=False)
    )
    count = max(1, round((0.75 * bend / error) ** 0.5) + 1)
    for number in range(1, count + 1):
        far = number / count
        near = 1 - far
        weights = (near**3, 3 * near**2 * far, 3 * near * far**2, far**3)
        yield (
            sum(weight * corner[0] for weight, corner in zip(weights, corners, strict=True)),
            sum(weight * corner[1] for weight, corner in zip(weights, corners, strict=True)),
        )
