"""Loot tokens, dollars, and the Dealer token as drawings."""

from __future__ import annotations

from companion.games.drawing import BLACK, Circle, Drawing, Shape, line, on_circle, paragraph
from companion.games.rail_raiders_infinite.drawings.signs import (
    BRASS,
    INK,
    NIGHT,
    PAPER,
    RUST,
    WINE,
    dollars,
    hat,
    number,
    sack,
)

TOKEN = 22.0
"""Across a Loot token and a dollar, in mm."""

_DEALER = 40.0
_MIDDLE = (TOKEN / 2, TOKEN / 2)


def loot_token(worth: str) -> Drawing:
    """The face of a Loot token, 22 mm across: how many Loot cards it lets a Raider look at."""
    return Drawing(
        TOKEN,
        TOKEN,
        (
            Circle(_MIDDLE, 10.8, PAPER, BLACK, 0.2),
            Circle(_MIDDLE, 9.4, "", RUST, 0.8),
            number(worth, _MIDDLE, 14.0, INK),
        ),
    )


def loot_back() -> Drawing:
    """The back of every Loot token, 22 mm across."""
    return Drawing(TOKEN, TOKEN, (Circle(_MIDDLE, 10.8, RUST, BLACK, 0.2), *sack(_MIDDLE, 15.0)))


def dollar(worth: str) -> Drawing:
    """Double-dollars, 22 mm across, with their worth."""
    notches: tuple[Shape, ...] = tuple(
        line((on_circle(_MIDDLE, 9.4, turn), on_circle(_MIDDLE, 10.6, turn)), INK, 0.5)
        for turn in range(0, 360, 20)
    )
    return Drawing(
        TOKEN,
        TOKEN,
        (
            Circle(_MIDDLE, 10.8, BRASS if worth == "1" else "#c9ccd6" if worth == "5" else WINE, BLACK, 0.2),
            *notches,
            Circle(_MIDDLE, 8.4, PAPER, INK, 0.4),
            number(worth, (_MIDDLE[0], _MIDDLE[1] - 2.0), 8.6, INK),
            *dollars((_MIDDLE[0], _MIDDLE[1] + 4.0), 5.0, RUST),
        ),
    )


def dealer() -> Drawing:
    """The Dealer token, 40 mm across."""
    middle = (_DEALER / 2, _DEALER / 2)
    return Drawing(
        _DEALER,
        _DEALER,
        (
            Circle(middle, 19.8, NIGHT, BLACK, 0.2),
            Circle(middle, 17.6, "", BRASS, 1.0),
            *hat((middle[0], middle[1] - 4.0), 24.0, BRASS, NIGHT),
            *paragraph("Dealer", "title", 8.4, PAPER, (8, 23.0, 24, 9.0)),
        ),
    )
