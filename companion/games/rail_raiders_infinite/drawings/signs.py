"""The palette of Rail Raiders Infinite's drawings, and the signs on its cards, cars and counters."""

from __future__ import annotations

from companion.games.drawing import (
    Circle,
    Curve,
    Path,
    Shape,
    Text,
    line,
    on_circle,
    polygon,
    rectangle,
)
from companion.games.layout import Point
from companion.games.lettering import DIGIT

INK = "#1d1b2e"
PAPER = "#fbf1dc"
NIGHT = "#2a2750"
SAND = "#efd9ad"
RUST = "#b4512a"
BRASS = "#d9a441"
STEEL = "#8d9bb0"
SKY = "#4f7f9e"
WINE = "#8f2440"
PINE = "#2f6b4f"

SEAT_COLOURS = {"red": "#c8202f", "blue": "#2563b0", "green": "#2f8a4a", "yellow": "#e0a81c"}
"""The players' colours, by seat."""

BOT_COLOURS = {"deputy": STEEL, "sheriff": BRASS, "marshal": WINE}
"""The Lawbots' colours, by kind: a rank can be told by colour, by its star and by its letter."""

BOT_POINTS = {"deputy": 5, "sheriff": 6, "marshal": 8}
"""How many points the star of each kind has."""


def number(words: str, middle: Point, size: float, colour: str) -> Text:
    """A number or a letter around its middle."""
    return Text(words, (middle[0], middle[1] + DIGIT * size / 2), size, colour, "number")


def star(middle: Point, radius: float, points: int, fill: str, stroke: str = INK, width: float = 0.4) -> Path:
    """A badge with so many points, one of them up."""
    corners = []
    for step in range(2 * points):
        reach = radius if step % 2 == 0 else radius * (0.46 if points < 6 else 0.6)
        corners.append(on_circle(middle, reach, 180.0 / points * step))
    return polygon(corners, fill, stroke, width)


def badge(kind: str, middle: Point, radius: float, ink: str = INK) -> tuple[Shape, ...]:
    """The star of a Lawbot, with a dot on each point."""
    points = BOT_POINTS[kind]
    dots = (on_circle(middle, radius * 0.99, 360.0 / points * step) for step in range(points))
    return (
        star(middle, radius, points, PAPER, ink, radius / 12),
        *(Circle(at, radius * 0.11, PAPER, ink, radius / 18) for at in dots),
    )


def sun(middle: Point, radius: float, fill: str = BRASS, ink: str = RUST) -> tuple[Shape, ...]:
    """High noon: a sun with twelve rays."""
    rays = tuple(
        polygon(
            (
                on_circle(middle, radius * 0.66, turn - 11),
                on_circle(middle, radius, turn),
                on_circle(middle, radius * 0.66, turn + 11),
            ),
            ink,
        )
        for turn in range(0, 360, 30)
    )
    return (*rays, Circle(middle, radius * 0.6, fill, ink, radius * 0.08))


def sack(middle: Point, size: float, fill: str = SAND) -> tuple[Shape, ...]:
    """Loot: a tied sack as high as that, with the sign of double-dollars."""
    x, y = middle

    def at(across: float, down: float) -> Point:
        return (x + across * size, y + down * size)

    body = Path(
        at(-0.14, -0.24),
        (
            Curve(at(-0.5, 0.0), at(-0.54, 0.5), at(-0.24, 0.5)),
            at(0.24, 0.5),
            Curve(at(0.54, 0.5), at(0.5, 0.0), at(0.14, -0.24)),
        ),
        fill,
        INK,
        size * 0.04,
    )
    neck = polygon(
        (at(-0.14, -0.26), at(-0.24, -0.5), at(0.0, -0.4), at(0.24, -0.5), at(0.14, -0.26)),
        fill,
        INK,
        size * 0.04,
    )
    tie = line((at(-0.17, -0.25), at(0.17, -0.25)), RUST, size * 0.09)
    return (body, neck, tie, *dollars(at(0.0, 0.16), size * 0.36, INK))


def dollars(middle: Point, size: float, colour: str) -> tuple[Shape, ...]:
    """The sign of double-dollars: two S on one pair of strokes."""
    x, y = middle
    foot = y + DIGIT * size / 2
    strokes = tuple(
        line(((x + aside, y - size * 0.46), (x + aside, y + size * 0.46)), colour, size * 0.07)
        for aside in (-size * 0.22, size * 0.22)
    )
    return (
        Text("S", (x - size * 0.22, foot), size, colour, "number"),
        Text("S", (x + size * 0.22, foot), size, colour, "number"),
        *strokes,
    )


def hat(middle: Point, size: float, fill: str, ink: str = INK) -> tuple[Shape, ...]:
    """A hat from the front, as wide as that."""
    x, y = middle

    def at(across: float, down: float) -> Point:
        return (x + across * size, y + down * size)

    crown = Path(
        at(-0.26, 0.12),
        (
            Curve(at(-0.24, -0.14), at(-0.2, -0.3), at(-0.12, -0.26)),
            Curve(at(-0.04, -0.2), at(0.04, -0.2), at(0.12, -0.26)),
            Curve(at(0.2, -0.3), at(0.24, -0.14), at(0.26, 0.12)),
        ),
        fill,
        ink,
        size * 0.03,
    )
    brim = Path(
        at(-0.5, 0.04),
        (
            Curve(at(-0.3, 0.14), at(0.3, 0.14), at(0.5, 0.04)),
            Curve(at(0.44, 0.26), at(-0.44, 0.26), at(-0.5, 0.04)),
        ),
        fill,
        ink,
        size * 0.03,
    )
    band = line((at(-0.25, 0.08), at(0.25, 0.08)), ink, size * 0.06)
    return (crown, band, brim)


def outlaw(middle: Point, size: float, colour: str) -> tuple[Shape, ...]:
    """A Raider's head as high as that: hat, eyes, and a scarf in the colour."""
    x, y = middle

    def at(across: float, down: float) -> Point:
        return (x + across * size, y + down * size)

    face = Path(
        at(-0.24, -0.1),
        (
            Curve(at(-0.26, 0.2), at(-0.14, 0.42), at(0.0, 0.46)),
            Curve(at(0.14, 0.42), at(0.26, 0.2), at(0.24, -0.1)),
        ),
        "#e8b98f",
        INK,
        size * 0.025,
    )
    scarf = polygon(
        (at(-0.25, 0.1), at(0.25, 0.1), at(0.16, 0.36), at(0.0, 0.54), at(-0.16, 0.36)),
        colour,
        INK,
        size * 0.025,
    )
    eyes = tuple(Circle(at(side * 0.1, 0.0), size * 0.035, INK) for side in (-1, 1))
    return (face, scarf, *eyes, *hat(at(0.0, -0.18), size * 0.84, "#5a3a26"))


def bot(kind: str, middle: Point, size: float) -> tuple[Shape, ...]:
    """A Lawbot's head as high as that: a boxy face with one lamp, under a hat, with its star."""
    x, y = middle
    colour = BOT_COLOURS[kind]

    def at(across: float, down: float) -> Point:
        return (x + across * size, y + down * size)

    left, top = at(-0.28, -0.16)
    return (
        rectangle(left, top, 0.56 * size, 0.5 * size, colour, INK, size * 0.03, radius=size * 0.06),
        rectangle(*at(-0.22, -0.06), 0.44 * size, 0.16 * size, INK, radius=size * 0.06),
        Circle(at(0.0, 0.02), size * 0.06, "#ff5a3c"),
        *(line((at(across, 0.2), at(across, 0.3)), INK, size * 0.03) for across in (-0.12, 0.0, 0.12)),
        *hat(at(0.0, -0.2), size * 0.84, INK, INK),
        star(at(0.0, -0.27), size * 0.1, BOT_POINTS[kind], BRASS, INK, size * 0.01),
    )


def coupling(left: Point, right: Point) -> tuple[Shape, ...]:
    """What holds two cars together: a bar with a ring at each end."""
    return (
        line((left, right), STEEL, 3.0),
        *(Circle(at, 2.6, PAPER, STEEL, 1.2) for at in (left, right)),
    )


def shooting_star(tip: Point, length: float, colour: str) -> tuple[Shape, ...]:
    """A star that falls from the upper left."""
    x, y = tip
    tail = polygon(((x - length, y - length * 0.45), (x + 0.5, y - 0.8), (x - 0.6, y + 0.6)), colour)
    return (tail, star(tip, length * 0.16, 5, colour, colour, 0.1))
