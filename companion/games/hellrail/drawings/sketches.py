"""Plain drawings for small screens: nothing on them but what a game needs to be followed from afar."""

from __future__ import annotations

from math import cos, radians, sin

from companion.games.drawing import Circle, Drawing, Path, Shape, arc, line, polygon, rectangle
from companion.games.hellrail.drawings.cards import ENGINES
from companion.games.hellrail.drawings.rails import TIE, ties
from companion.games.hellrail.drawings.signs import CREAM, EMBER, GLOW, INK, WINE, flame, number, pin
from companion.games.hellrail.state import BARRIER, CircleCard, RailCard
from companion.games.hellrail.table import CARD
from companion.games.hellrail.track import Track, opposite

STRIP = 32.0
"""Height of the strip with a card's numbers, below its rail (mm)."""

_GROUND, _EDGE, _BED = "#f3e2bf", "#c9ad7c", "#d8b279"
_BED_WIDTH = 13.0
_TIE = (5.6, 4.2)  # half of a tie's length across the rail, and its width
_TURNS = {"N": 0.0, "E": 90.0, "S": 180.0, "W": 270.0}
_MIDDLES = {"N": (30.0, 0.0), "E": (60.0, 30.0), "S": (30.0, 60.0), "W": (0.0, 30.0)}


def laid_rail(card: RailCard) -> Drawing:
    """A Rail Card on the table, 60 x 60 mm: its rail, with black ties that can be counted."""
    return Drawing(CARD, CARD, (*_ground(CARD), *_rail(card.track)))


def card_in_hand(card: RailCard) -> Drawing:
    """A Rail Card in a hand, 60 x 92 mm: its rail, and below it what is printed in its corners."""
    middle = CARD + STRIP / 2
    return Drawing(
        CARD,
        CARD + STRIP,
        (
            *_ground(CARD + STRIP),
            *_rail(card.track),
            rectangle(0, CARD, CARD, STRIP, CREAM),
            rectangle(1.5, CARD + 6.0, 15.0, 20.0, WINE, radius=2.5),
            *number(str(card.value or "?"), (9.0, middle), 18.0, CREAM),
            *flame(card.brimstone, (25.6, middle - 0.5), 21.0),
            *pin(card.pickup or "?", (40.6, middle + 5.0), -1, 6.6),
            *pin(card.setout or "?", (52.4, middle - 5.0), 1, 6.6),
        ),
    )


def circle(card: CircleCard) -> Drawing:
    """A Circle, 60 x 60 mm: its number, and rail to the sides that have any."""
    stubs = [line((_MIDDLES[side], (30.0, 30.0)), _BED, _BED_WIDTH) for side in card.sides]
    disc = (
        Circle((30.0, 30.0), 25.0, WINE, GLOW, 2.2),
        *number(card.name, (30.0, 30.0), 30.0, CREAM),
    )
    return Drawing(CARD, CARD, (rectangle(0, 0, CARD, CARD, "#4a2a2f", "#2b1a17", 0.8), *stubs, *disc))


def engine(seat: str) -> Drawing:
    """An engine from above, 20 x 22 mm: it heads up."""
    outline = ((10.0, 0.8), (18.8, 9.0), (18.8, 21.2), (1.2, 21.2), (1.2, 9.0))
    colour = ENGINES[seat]
    return Drawing(20.0, 22.0, (polygon(outline, colour, "#ffffff", 1.6), polygon(outline, "", INK, 0.5)))


def counter(kind: str) -> Drawing:
    """A coin, or a barrier across the rail."""
    if kind == BARRIER:
        stripes = [rectangle(left, 0.5, 5.0, 7.0, WINE) for left in (1.0, 11.0, 21.0)]
        return Drawing(27.0, 8.0, (rectangle(0.5, 0.5, 26.0, 7.0, CREAM, INK, 0.8), *stripes))
    return Drawing(
        14.0, 14.0, (Circle((7.0, 7.0), 6.2, GLOW, INK, 0.9), Circle((7.0, 7.0), 3.4, "", EMBER, 1.2))
    )


def _ground(height: float) -> tuple[Shape, ...]:
    return (
        rectangle(0, 0, CARD, height, _GROUND),
        rectangle(0.4, 0.4, CARD - 0.8, height - 0.8, "", _EDGE, 0.8),
    )


def _rail(track: Track) -> tuple[Shape, ...]:
    beds = tuple(_bed(segment) for segment in track.segments)
    return (*beds, *(_tie(x, y, heading) for (x, y), heading in ties(track)))


def _bed(segment: str) -> Path:
    start, end = segment[0], segment[1]
    if end == opposite(start):
        return line((_MIDDLES[start], _MIDDLES[end]), _BED, _BED_WIDTH)
    # A quarter circle around the corner that both sides share; seen from there, the one side's middle
    # lies over towards the other's opposite.
    corner = (60.0 if "E" in segment[:2] else 0.0, 60.0 if "S" in segment[:2] else 0.0)
    first, last = _TURNS[opposite(end)], _TURNS[opposite(start)]
    swing = (last - first + 180) % 360 - 180
    steps = arc(corner, CARD / 2, first, first + swing)
    return Path(_MIDDLES[start], steps, "", _BED, _BED_WIDTH, closed=False)


def _tie(x: float, y: float, heading: float) -> Path:
    half, width = _TIE
    right, down = half * cos(radians(heading)), half * sin(radians(heading))
    return line(((x - right, y - down), (x + right, y + down)), TIE, width)
