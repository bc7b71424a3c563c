"""The palette of Hachi Train's drawings, and what its cards are made of: ranks, wagons, coins, rails."""

from __future__ import annotations

from companion.games.drawing import Circle, Drawing, Path, Shape, Text, line, polygon, rectangle
from companion.games.layout import Point
from companion.games.lettering import DIGIT

INK = "#1f2933"
PAPER = "#fdfaf2"
GLASS = "#fff6d5"
NIGHT = "#22354a"
BRASS = "#e0b040"
COPPER = "#b4673a"

SEAT_COLOURS = {
    "red": "#c8202f",
    "blue": "#2563b0",
    "green": "#2f8a4a",
    "yellow": "#c79212",
    "white": "#8a8f98",
}
"""The players' colours as ink, by seat."""

_COLOURS = ("#4a5fa5", "#1f8a9c", "#2f8a4a", "#8a9a1c", "#d99a10", "#d2601e", "#bf2a2a", "#7b3594")

INDEX = 24.0
"""Side of the square in a card's corner that says its rank (mm)."""


def colour(rank: int) -> str:
    """A rank's colour, from 1 to 8."""
    return _COLOURS[rank - 1]


def light(ink: str, part: float = 0.78) -> str:
    """That colour with so much white in it."""
    parts = (int(ink[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(value + (255 - value) * part):02x}" for value in parts)


def number(words: str, middle: Point, size: float, ink: str = INK) -> Text:
    """A number around its middle."""
    return Text(words, (middle[0], middle[1] + DIGIT * size / 2), size, ink, "number")


def index(ranks: tuple[int, ...]) -> Drawing:
    """What a card's corner says: its rank, or the two of which it may have either."""
    side = INDEX
    if len(ranks) == 1:
        shapes: list[Shape] = [
            rectangle(0, 0, side, side, light(colour(ranks[0])), radius=2.0),
            number(str(ranks[0]), (side / 2, side / 2), 25.0),
        ]
    else:
        one, other = ranks
        shapes = [
            polygon(((0, 0), (side, 0), (0, side)), light(colour(one))),
            polygon(((side, 0), (side, side), (0, side)), light(colour(other))),
            line(((side - 1.5, 1.5), (1.5, side - 1.5)), INK, 0.9),
            number(str(one), (7.0, 7.6), 15.5),
            number(str(other), (side - 7.0, side - 7.6), 15.5),
        ]
    return Drawing(side, side, tuple(shapes))


def wagon(middle: Point, wide: float, high: float, rank: int) -> list[Shape]:
    """A wagon with as many windows as its rank, from the side."""
    x, y = middle
    body = high * 0.74
    left, top = x - wide / 2, y - high / 2
    rows = (rank,) if rank <= 3 else ((rank + 1) // 2, rank // 2)
    shapes: list[Shape] = [
        rectangle(left + wide * 0.04, top, wide * 0.92, high * 0.1, INK, radius=high * 0.04),
        rectangle(left, top + high * 0.08, wide, body, colour(rank), INK, 0.5, radius=high * 0.08),
        line(((left - 1.5, top + body), (left + wide + 1.5, top + body)), INK, 0.7),
    ]
    for part in (0.16, 0.34, 0.66, 0.84):
        shapes.append(Circle((left + wide * part, top + high * 0.89), high * 0.1, PAPER, INK, high * 0.04))
    room = body * 0.84 / len(rows)
    for at, count in enumerate(rows):
        pane = min(room * 0.62, wide / (count + 1) * 0.62)
        across = wide / (count + 0.4)
        below = top + high * 0.08 + body * 0.09 + room * (at + 0.5)
        for window in range(count):
            spot = x + (window - (count - 1) / 2) * across
            shapes.append(
                rectangle(spot - pane / 2, below - pane / 2, pane, pane, GLASS, INK, 0.3, radius=pane / 6)
            )
    return shapes


def coin(middle: Point, radius: float, metal: str) -> list[Shape]:
    """A coin worth a hundred million."""
    return [
        Circle(middle, radius, metal, INK, radius / 14),
        Circle(middle, radius * 0.8, "", INK, radius / 22),
        number("100", middle, radius * 0.78),
    ]


def track(left: float, top: float, wide: float, high: float, ink: str, gap: float) -> list[Shape]:
    """Rails from above, up and down a rectangle, with ties so far apart; the same when turned around."""
    x = left + wide / 2
    ties = int(high / gap)
    first = top + (high - gap * (ties - 1)) / 2
    shapes: list[Shape] = [
        line(((left, first + gap * at), (left + wide, first + gap * at)), ink, gap / 4) for at in range(ties)
    ]
    shapes += [line(((x + off, top), (x + off, top + high)), ink, gap / 6) for off in (-wide / 4, wide / 4)]
    return shapes


def frame(wide: float, high: float, inks: tuple[str, ...]) -> list[Path]:
    """A card's edge: of one colour, or its halves of two."""
    near, stroke = 1.7, 2.2
    edge: list[Path] = [
        rectangle(near, near, wide - 2 * near, high - 2 * near, "", inks[0], stroke, radius=2.6)
    ]
    if len(inks) > 1:
        half = ((wide / 2, near), (wide - near, near), (wide - near, high - near), (wide / 2, high - near))
        edge.append(line(half, inks[1], stroke))
    return edge
