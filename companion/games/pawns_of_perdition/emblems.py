"""The emblems of the board and the prayer cards: each around a point, about `size` mm across."""

from __future__ import annotations

from companion.games.drawing import Circle, Curve, Path, Shape, on_circle, polygon, rectangle
from companion.games.layout import Point

CREAM = "#fdf6e6"


def halo(at: Point, size: float, colour: str) -> list[Shape]:
    """A star with rays."""
    rays = [on_circle(at, size * (0.5 if number % 2 == 0 else 0.2), number * 22.5) for number in range(16)]
    return [polygon(rays, colour), Circle(at, 0.15 * size, CREAM)]


def flame(at: Point, size: float, colour: str) -> list[Shape]:
    """A flame of one tongue."""
    x, y = at
    half = size / 2

    def tongue(part: float, fill: str) -> Shape:
        low = y + half
        tall, wide = size * part, 0.42 * size * part
        return Path(
            (x, low),
            (
                Curve(
                    (x - wide * 1.5, low), (x - wide * 1.1, low - tall * 0.55), (x - wide * 0.1, low - tall)
                ),
                Curve(
                    (x + wide * 0.1, low - tall * 0.7),
                    (x + wide * 0.6, low - tall * 0.75),
                    (x + wide * 0.5, low - tall * 0.9),
                ),
                Curve((x + wide * 1.6, low - tall * 0.4), (x + wide * 1.1, low), (x, low)),
            ),
            fill,
        )

    return [tongue(1.0, colour), tongue(0.5, CREAM)]


def two_cards(at: Point, size: float, colour: str) -> list[Shape]:
    """Two cards, one on the other."""
    x, y = at
    wide, high = 0.55 * size, 0.75 * size
    return [
        rectangle(x - wide * 0.75, y - high * 0.6, wide, high, CREAM, colour, 0.8, radius=0.8),
        rectangle(x - wide * 0.25, y - high * 0.4, wide, high, colour, CREAM, 0.5, radius=0.8),
    ]


def horns(at: Point, size: float, colour: str) -> list[Shape]:
    """A face with horns."""
    x, y = at
    r = 0.34 * size
    return [
        *(
            polygon(
                (
                    on_circle(at, r, side * 15),
                    (x + side * 0.42 * size, y - 0.55 * size),
                    on_circle(at, r, side * 65),
                ),
                colour,
            )
            for side in (-1, 1)
        ),
        Circle(at, r, colour),
        *(Circle((x + side * 0.13 * size, y - 0.04 * size), 0.07 * size, CREAM) for side in (-1, 1)),
        Path(
            (x - 0.15 * size, y + 0.1 * size),
            (
                Curve(
                    (x - 0.08 * size, y + 0.24 * size),
                    (x + 0.08 * size, y + 0.24 * size),
                    (x + 0.15 * size, y + 0.1 * size),
                ),
            ),
            "",
            CREAM,
            0.06 * size,
            closed=False,
        ),
    ]
