"""The signs on HellRail's cards: car, flame, pickup, setout, and the souls that ride along."""

from __future__ import annotations

from companion.games.drawing import (
    Circle,
    Curve,
    Path,
    Shape,
    Text,
    arc,
    line,
    on_circle,
    polygon,
    rectangle,
)
from companion.games.layout import Point
from companion.games.lettering import DIGIT

INK = "#2b1a17"
CREAM = "#fff4dc"
WINE = "#8c1c2c"
EMBER = "#e4571b"
GLOW = "#ffc247"
SOUL = "#fdf8ee"

_UNDERLINED = ("6", "9")


def number(words: str, middle: Point, size: float, colour: str) -> tuple[Shape, ...]:
    """A number around its middle. 6 and 9 stand on a line, since cards are turned about."""
    x, y = middle
    lined = words in _UNDERLINED
    size *= 0.92 if lined else 1.0
    high = DIGIT * size
    lift = 0.08 * size if lined else 0.0
    shapes: tuple[Shape, ...] = (Text(words, (x, y + high / 2 - lift), size, colour, "number"),)
    if not lined:
        return shapes
    foot = y + high / 2 + 0.05 * size
    wide = 0.28 * size
    return (*shapes, line(((x - wide, foot), (x + wide, foot)), colour, 0.09 * size))


def car(value: int, middle: Point) -> tuple[Shape, ...]:
    """A passenger car, 14.4 x 11.4 mm, with its Car Value; 0 is not known."""
    x, y = middle
    left, top = x - 7.2, y - 5.7
    wheels = tuple(
        shape
        for at in (x - 4.2, x + 4.2)
        for shape in (Circle((at, top + 9.8), 1.6, INK), Circle((at, top + 9.8), 0.6, CREAM))
    )
    return (
        rectangle(left, top + 8.9, 14.4, 0.9, INK),
        *wheels,
        rectangle(left + 0.5, top + 1.0, 13.4, 8.2, WINE, radius=0.8),
        Path(
            (left, top + 1.7),
            (Curve((left + 1.4, top - 0.3), (left + 13.0, top - 0.3), (left + 14.4, top + 1.7)),),
            INK,
        ),
        *number(str(value or "?"), (x, top + 5.4), 9.0, CREAM),
    )


def flame(value: int, middle: Point, size: float = 9.4) -> tuple[Shape, ...]:
    """A flame of that height (mm) with the Brimstone Value; 0 is not known."""
    return (
        *fire(middle, size, EMBER, GLOW),
        *number(str(value or "?"), (middle[0], middle[1] + 0.14 * size), 0.6 * size, INK),
    )


def fire(middle: Point, size: float, outside: str, inside: str) -> tuple[Shape, ...]:
    """A flame of that height: three tongues around a glowing heart."""
    return (
        _outline(middle, size, outside),
        _outline((middle[0], middle[1] + 0.1 * size), 0.74 * size, inside),
    )


# A flame in parts of its height, from the foot's middle up the left side: control points and ends.
_TONGUES = (
    ((-0.34, 0.50), (-0.50, 0.24), (-0.46, 0.00)),
    ((-0.44, -0.12), (-0.40, -0.20), (-0.38, -0.28)),
    ((-0.30, -0.22), (-0.25, -0.16), (-0.22, -0.08)),
    ((-0.18, -0.22), (-0.06, -0.32), (0.02, -0.50)),
    ((0.10, -0.36), (0.20, -0.22), (0.24, -0.06)),
    ((0.28, -0.10), (0.32, -0.16), (0.35, -0.24)),
    ((0.42, -0.12), (0.46, -0.06), (0.46, 0.04)),
    ((0.48, 0.26), (0.32, 0.50), (0.0, 0.50)),
)


def _outline(middle: Point, size: float, fill: str) -> Path:
    def at(point: Point) -> Point:
        return (middle[0] + point[0] * size, middle[1] + point[1] * size)

    return Path(at((0.0, 0.5)), tuple(Curve(at(a), at(b), at(c)) for a, b, c in _TONGUES), fill)


def pin(circle: str, middle: Point, way: int, radius: float = 5.1) -> tuple[Shape, ...]:
    """The Circle where a car is picked up (`way` -1, an arrow up) or set out (1, an arrow down).

    Pickup is dark on light and setout light on dark, so that a card that lies upside down can be read.
    """
    ground, ink = (CREAM, INK) if way < 0 else (INK, CREAM)
    x, y = middle
    heading = 0.0 if way < 0 else 180.0
    tip = on_circle(middle, radius + 2.8, heading)
    left, right = on_circle(middle, radius, heading - 50), on_circle(middle, radius, heading + 50)
    return (
        Path(tip, (right, *arc(middle, radius, heading + 50, heading + 310), tip), ground, INK, 0.7),
        *number(circle, (x, y), 1.45 * radius, ink),
        polygon((_towards(tip, left, 0.45), tip, _towards(tip, right, 0.45)), EMBER, INK, 0.5),
    )


def _towards(one: Point, other: Point, part: float) -> Point:
    return (one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part)


def soul(middle: Point, size: float, mood: int) -> tuple[Shape, ...]:
    """A soul as high as that: content, sorry or aghast; or, every fourth time, the imp that guards it."""
    x, y = middle
    s = size / 10
    imp = mood % 4 == 3
    hem = [
        Curve((right - 0.3 * s, y + 6.0 * s), (right - 2.1 * s, y + 6.0 * s), (right - 2.4 * s, y + 4.2 * s))
        for right in (x + (3.6 - 2.4 * step) * s for step in range(3))
    ]
    crown = (x, y - 1.4 * s)
    steps: tuple[Point | Curve, ...] = (
        (x - 3.6 * s, y - 1.4 * s),
        *arc(crown, 3.6 * s, 270, 450),
        (x + 3.6 * s, y + 4.2 * s),
        *hem,
    )
    look = (-0.35, 0.35, 0.0, 0.0)[mood % 4] * s
    shapes: list[Shape] = []
    if imp:
        for side in (-1, 1):
            foot = [on_circle(crown, 3.4 * s, side * turn) for turn in (22, 58)]
            shapes.append(polygon((foot[0], (x + side * 3.3 * s, y - 6.2 * s), foot[1]), WINE, INK, 0.45))
    shapes.append(Path((x - 3.6 * s, y + 4.2 * s), steps, EMBER if imp else SOUL, INK, 0.45))
    shapes += [Circle((x + side * 1.3 * s + look, y - 1.6 * s), 0.75 * s, INK) for side in (-1, 1)]
    if mood % 4 == 2:
        return (*shapes, Circle((x, y + 0.9 * s), 0.8 * s, INK))
    bend, at = (-0.8 * s, y + 1.2 * s) if mood % 4 == 1 else (1.0 * s, y + 0.4 * s)
    wide = (1.6 if imp else 1.2) * s
    smile = Curve((x - wide / 2 + look, at + bend), (x + wide / 2 + look, at + bend), (x + wide + look, at))
    return (*shapes, Path((x - wide + look, at), (smile,), "", INK, 0.4, closed=False))
