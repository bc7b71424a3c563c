"""Raiders and Lawbots as drawings: their tops with the marker, the sides of their boxes, plain sketches."""

from __future__ import annotations

from functools import lru_cache

from companion.games.drawing import WHITE, Circle, Drawing, Shape, Text, marked, rectangle
from companion.games.kit import Faces
from companion.games.layout import Token
from companion.games.rail_raiders_infinite.drawings.signs import (
    BOT_COLOURS,
    INK,
    PAPER,
    SEAT_COLOURS,
    badge,
    bot,
    number,
    outlaw,
)
from companion.games.rail_raiders_infinite.table import PIECE

_RIM = 3.0 - 0.8  # white around a marker: the edge of the cap stays coloured
_SKETCH = 30.0


@lru_cache(maxsize=32)
def top(token: Token) -> Drawing:
    """The top of a Raider or a Lawbot, 25 x 25 mm, around its marker."""
    colour = _colour(token.kind, token.alike or token.name)
    return Drawing(
        PIECE,
        PIECE,
        (
            rectangle(0, 0, PIECE, PIECE, colour),
            *marked(token.id, (PIECE / 2, PIECE / 2), token.side, _RIM),
        ),
    )


def sides(token: Token) -> Faces:
    """The sides of a Raider's or Lawbot's box, in its colour, with what it is."""
    name = token.alike or token.name
    colour = _colour(token.kind, name)
    ink = INK if name in ("yellow", "sheriff", "deputy") else PAPER
    high = token.height
    words = Drawing(
        PIECE,
        high,
        (
            rectangle(0, 0, PIECE, high, colour),
            Text(name.title(), (PIECE / 2, high / 2 + 1.9), 5.4, ink, "title"),
        ),
    )
    sign: list[Shape] = [rectangle(0, 0, PIECE, high, colour)]
    if token.kind == "raider":
        sign += outlaw((PIECE / 2, high / 2 + 0.2), high * 0.84, PAPER)
    else:
        sign += badge(name, (PIECE / 2, high / 2), high * 0.4)
    picture = Drawing(PIECE, high, tuple(sign))
    return Faces(picture, words, picture, words)


@lru_cache(maxsize=8)
def sketch(kind: str, name: str) -> Drawing:
    """A Raider or Lawbot for small screens, 30 x 30 mm: its colour and its head."""
    middle = (_SKETCH / 2, _SKETCH / 2)
    colour = _colour(kind, name)
    ground = Circle(middle, 14.4, colour, INK, 0.9)
    if kind == "raider":
        return Drawing(_SKETCH, _SKETCH, (ground, *outlaw((middle[0], middle[1] + 0.5), 21.0, PAPER)))
    light = Circle(middle, 14.4, PAPER, colour, 1.6)
    letter = number(name[0].upper(), (middle[0] + 9.4, middle[1] + 9.2), 7.0, WHITE)
    plate = Circle((middle[0] + 9.4, middle[1] + 9.2), 5.0, INK)
    return Drawing(_SKETCH, _SKETCH, (light, *bot(name, (middle[0], middle[1] + 1.5), 21.0), plate, letter))


def _colour(kind: str, name: str) -> str:
    return SEAT_COLOURS[name] if kind == "raider" else BOT_COLOURS[name]
