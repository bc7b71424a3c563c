"""Train cars as drawings: seen from above, face up with what is in them, or with their roof on."""

from __future__ import annotations

from functools import lru_cache

from companion.games.drawing import Circle, Drawing, Shape, Text, line, marked, paragraph, rectangle
from companion.games.layout import Point, Token
from companion.games.rail_raiders_infinite.drawings.signs import (
    BRASS,
    INK,
    PAPER,
    PINE,
    RUST,
    SAND,
    SKY,
    STEEL,
    WINE,
    badge,
    number,
    sack,
)
from companion.games.rail_raiders_infinite.state import CarCard
from companion.games.rail_raiders_infinite.table import CAR

RIM = 3.0
"""White around the markers of cars and cards (mm)."""

_BODIES = (RUST, SKY, PINE, WINE, "#6b5b95", "#7d6b3a")
_HEAD, _TITLE, _FLOOR, _WORDS = 29.0, 40.0, 42.0, 103.0  # where each part ends or begins, from above


@lru_cache(maxsize=32)
def car_face(card: CarCard, tokens: tuple[Token, ...]) -> Drawing:
    """A train car's face, 92 x 128 mm: markers, icons and name above, room for models, its ability."""
    wide, high = CAR
    body = BRASS if card.end else _BODIES[sum(map(ord, card.name)) % len(_BODIES)]
    ink = INK if card.end else PAPER
    shapes: list[Shape] = [
        rectangle(0, 0, wide, high, INK),
        rectangle(1.2, 1.2, wide - 2.4, high - 2.4, body, radius=2.0),
        *_floor(_FLOOR, _WORDS - 2 if card.words else high - 5, wide),
        *paragraph(card.title or card.name, "title", 9.0, ink, (5, _HEAD, wide - 10, _TITLE - _HEAD)),
    ]
    for token in tokens:
        middle = (wide / 2 + token.at[0], high / 2 + token.at[1])
        shapes += marked(token.id, middle, token.side, RIM)
    shapes += _engine((wide / 2, 15.0)) if card.end == "locomotive" else []
    shapes += _lantern((wide / 2, 15.0)) if card.end == "caboose" else []
    if not card.end:
        shapes += [
            *sack((wide / 2 - 9.0, 10.4), 14.5),
            *badge("deputy", (wide / 2 + 9.5, 10.6), 7.0),
            number(str(card.loot), (wide / 2 - 9.0, 23.0), 9.5, ink),
            number(str(card.long_arm), (wide / 2 + 9.5, 23.0), 9.5, ink),
        ]
    if card.words:
        shapes += [
            rectangle(4, _WORDS, wide - 8, high - _WORDS - 4, PAPER, INK, 0.5, radius=1.6),
            *paragraph(card.words, "text", 5.2, INK, (6, _WORDS + 0.8, wide - 12, high - _WORDS - 5.6)),
        ]
    return Drawing(wide, high, tuple(shapes))


@lru_cache(maxsize=1)
def roof() -> Drawing:
    """A car with its roof on, 92 x 128 mm."""
    wide, high = CAR
    shapes: list[Shape] = [
        rectangle(0, 0, wide, high, INK),
        rectangle(1.2, 1.2, wide - 2.4, high - 2.4, "#5b5f78", radius=2.0),
        rectangle(8, 5, wide - 16, high - 10, "#6d728d", INK, 0.5, radius=3.0),
    ]
    shapes += [line(((8, y), (wide - 8, y)), "#5b5f78", 1.1) for y in (24.0, 44.0, 84.0, 104.0)]
    shapes += [
        Circle((x, y), 1.3, INK) for x in (12.5, wide - 12.5) for y in (10.0, 34.0, 64.0, 94.0, high - 10.0)
    ]
    shapes += [
        rectangle(wide / 2 - 15, high / 2 - 15, 30, 30, "#474b63", INK, 0.8, radius=2.0),
        Circle((wide / 2, high / 2), 8.0, "", STEEL, 1.6),
        line(((wide / 2 - 8, high / 2), (wide / 2 + 8, high / 2)), STEEL, 1.6),
        line(((wide / 2, high / 2 - 8), (wide / 2, high / 2 + 8)), STEEL, 1.6),
    ]
    for y in (16.0, high - 16.0):
        shapes += [Circle((wide / 2, y), 5.0, INK), Circle((wide / 2, y), 3.2, STEEL, INK, 0.4)]
    return Drawing(wide, high, tuple(shapes))


def car_sketch(card: CarCard) -> Drawing:
    """A train car for small screens, 60 x 40 mm: its name, Loot and Long Arm."""
    body = BRASS if card.end else _BODIES[sum(map(ord, card.name)) % len(_BODIES)]
    shapes: list[Shape] = [
        rectangle(0, 0, 60, 40, INK, radius=2.0),
        rectangle(1, 1, 58, 38, body, radius=1.5),
        rectangle(2.5, 2.5, 55, 15, PAPER, radius=1.2),
        *paragraph(card.title or card.name, "title", 11.0, INK, (4, 2.5, 52, 15)),
    ]
    if card.end == "locomotive":
        shapes += _engine((30.0, 29.0))
    elif card.end:
        shapes += _lantern((30.0, 29.0))
    else:
        shapes += [*sack((13.0, 28.5), 17.0), number(str(card.loot), (25.0, 28.5), 15.0, PAPER)]
        shapes += [*badge("deputy", (39.0, 28.5), 8.0), number(str(card.long_arm), (51.0, 28.5), 15.0, PAPER)]
    return Drawing(60, 40, tuple(shapes))


def roof_sketch() -> Drawing:
    """A car with its roof on, for small screens, 60 x 40 mm."""
    return Drawing(
        60,
        40,
        (
            rectangle(0, 0, 60, 40, INK, radius=2.0),
            rectangle(1, 1, 58, 38, "#6d728d", radius=1.5),
            *(line(((1, y), (59, y)), "#5b5f78", 0.9) for y in (11.0, 29.0)),
            Circle((30, 20), 11.0, "#474b63", INK, 0.8),
            Text("?", (30, 26.5), 18.0, PAPER, "number"),
        ),
    )


def _floor(top: float, bottom: float, wide: float) -> list[Shape]:
    """Planks on which models stand, between walls with windows."""
    shapes: list[Shape] = [rectangle(4, top, wide - 8, bottom - top, SAND, INK, 0.6)]
    rows = int((bottom - top) // 10)
    shapes += [
        line(((4.4, top + 10 * row), (wide - 4.4, top + 10 * row)), "#dcc08c", 0.5)
        for row in range(1, rows + 1)
        if top + 10 * row < bottom - 1
    ]
    for y in (top + 8, (top + bottom) / 2 - 6, bottom - 20):
        shapes += [rectangle(x, y, 1.6, 12, SKY, INK, 0.3) for x in (3.2, wide - 4.8)]
    return shapes


def _engine(middle: Point) -> list[Shape]:
    """A boiler's chimney and lamp from above."""
    x, y = middle
    return [
        Circle((x, y), 11.0, INK),
        Circle((x, y), 7.6, "#474b63", BRASS, 1.2),
        Circle((x, y), 3.4, RUST),
        *(Circle((x + side * 14.0, y), 2.4, "#ffe08a", INK, 0.5) for side in (-1, 1)),
    ]


def _lantern(middle: Point) -> list[Shape]:
    """A red lantern behind the last rail."""
    x, y = middle
    return [
        *(line(((x - 13 + 6.5 * at, y - 9), (x - 13 + 6.5 * at, y + 9)), INK, 1.0) for at in range(5)),
        line(((x - 15, y - 9), (x + 15, y - 9)), INK, 1.6),
        line(((x - 15, y + 9), (x + 15, y + 9)), INK, 1.6),
        Circle((x, y), 6.2, "#d4253a", INK, 1.0),
        Circle((x, y), 2.4, "#ffe08a"),
    ]
