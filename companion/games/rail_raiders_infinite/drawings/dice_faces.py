"""The faces of the print kit's dice, to be stuck on blank ones: 9, 10, J, Q, K and A.

People read the large figure. A camera sees some twenty pixels of a face that lies in any turn, so that
each face is a strong shape of its own besides, which stays when the figure's serifs are blurred away.
All inks are dark, since not every printer has colours.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.drawing import WHITE, Circle, Drawing, Placed, Shape, Text, line, polygon, rectangle
from companion.games.layout import Point
from companion.games.lettering import DIGIT
from companion.games.rail_raiders_infinite.dice.hands import FACES

SIDES = (12.0, 14.0, 16.0)
"""Sides of a sticker in mm, for blank dice of 14, 16 and 18 mm."""

_NIGHT, _WINE, _PINE = "#1c1a2b", "#8c1c2c", "#123f33"


_RIM = 0.075  # of a sticker's side: what a cut may stray by; a camera looks for a mark within a face


def dice_face(face: str, side: float) -> Drawing:
    """The sticker for that face, upright, `side` mm wide and high; KeyError for what is no face."""
    within = side * (1 - 2 * _RIM)
    mark = Drawing(within, within, _MARKS[face](within / 100))
    return Drawing(side, side, (rectangle(0, 0, side, side, WHITE), Placed(mark, (side / 2, side / 2))))


def dice_faces(side: float) -> Mapping[str, Drawing]:
    """The six stickers of a die by their faces; the first and the last lie opposite, and so on inward."""
    return {face: dice_face(face, side) for face in FACES}


# In what follows lengths are hundredths of the mark's side, and `mm` is how long one of them is.


def _figure(mm: float, words: str, x: float, foot: float, height: float, colour: str) -> Text:
    return Text(words, (x * mm, foot * mm), height * mm / DIGIT, colour, "number")


def _outline(mm: float, points: tuple[Point, ...], colour: str) -> Shape:
    return polygon([(x * mm, y * mm) for x, y in points], colour)


def _nine(mm: float) -> tuple[Shape, ...]:
    """On a bar, since a die lies in any turn."""
    return (
        _figure(mm, "9", 50, 72, 66, _NIGHT),
        rectangle(10 * mm, 80 * mm, 80 * mm, 14 * mm, _NIGHT),
    )


def _ten(mm: float) -> tuple[Shape, ...]:
    """Half by night, half by day."""
    return (
        rectangle(0, 17 * mm, 100 * mm, 66 * mm, _WINE),
        _figure(mm, "10", 49, 76, 52, WHITE),
    )


def _jack(mm: float) -> tuple[Shape, ...]:
    """By night."""
    return (
        rectangle(0, 0, 100 * mm, 100 * mm, _PINE),
        _figure(mm, "J", 50, 84, 68, WHITE),
    )


def _queen(mm: float) -> tuple[Shape, ...]:
    """A wheel with a bar through its rim."""
    return (
        Circle((50 * mm, 47 * mm), 30 * mm, "", _WINE, 20 * mm),
        line(((56 * mm, 56 * mm), (90 * mm, 92 * mm)), _WINE, 18 * mm),
    )


def _king(mm: float) -> tuple[Shape, ...]:
    """On a sash from corner to corner."""
    return (
        _outline(mm, ((0, 0), (41, 0), (0, 41)), _NIGHT),
        _outline(mm, ((100, 100), (59, 100), (100, 59)), _NIGHT),
        _figure(mm, "K", 52, 78, 54, _WINE),
    )


def _ace(mm: float) -> tuple[Shape, ...]:
    """A gable with a window and a door."""
    return (
        _outline(mm, ((50, 4), (96, 92), (4, 92)), _PINE),
        _outline(mm, ((50, 40), (59, 58), (41, 58)), WHITE),
        _outline(mm, ((36, 92), (40, 76), (60, 76), (64, 92)), WHITE),
    )


_MARKS = dict(zip(FACES, (_nine, _ten, _jack, _queen, _king, _ace), strict=True))
