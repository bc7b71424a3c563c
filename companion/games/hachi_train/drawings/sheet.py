"""The printed sheet: a row before each player, asset cards, the draw deck over its marks, the corners."""

from __future__ import annotations

from functools import lru_cache

from companion.games.drawing import Drawing, Shape, Text, line, marked, rectangle
from companion.games.hachi_train.cards import RANKS
from companion.games.hachi_train.drawings.cards import RIM
from companion.games.hachi_train.drawings.signs import INK, SEAT_COLOURS, light, wagon
from companion.games.hachi_train.table import CARD, DECK, deck_place, unders
from companion.games.layout import Place, TableMap

_FAINT, _EDGE = "#d8d3c6", "#7d8791"
_CORNER_RIM = 5.0  # white around the corner markers (mm)
_TITLE = (732.0, 62.0)


@lru_cache(maxsize=8)
def table_sheet(table: TableMap) -> Drawing:
    """The sheet, 960 x 540 mm, for the players of that map."""
    shapes: list[Shape] = [Text("Hachi Train", _TITLE, 36.0, INK, "title")]
    for rank in RANKS:
        shapes += wagon((_TITLE[0] + 38.0 * (rank - 4.5), _TITLE[1] + 26.0), 32.0, 20.0, rank)
    for place in table.places:
        if place.look == "field":
            shapes += _row(place)
        elif place.look in ("assets", "pile"):
            shapes += _box(place)
    places = {place.name: place for place in table.places}
    shapes += _deck([places[deck_place(number)] for number in range(1, DECK + 1)])
    (left, top), (right, bottom) = table.tray.outline[0], table.tray.outline[2]
    shapes += [
        rectangle(left - 10, top - 10, right - left + 20, bottom - top + 20, "", _EDGE, 0.8, radius=4),
        Text(table.tray.label, (left - 14, bottom), 8.0, INK, anchor="end"),
    ]
    for marker in table.corners:
        shapes += marked(marker.id, marker.at, marker.side, _CORNER_RIM)
    return Drawing(table.width, table.height, tuple(shapes))


def under_mark(number: int) -> Drawing:
    """The mark under one card of the draw deck, from 1, with its white rim."""
    token = unders()[number - 1]
    side = token.side + 2 * RIM
    return Drawing(side, side, marked(token.id, (side / 2, side / 2), token.side, RIM))


def _row(place: Place) -> list[Shape]:
    """A player's row: cards are laid from its left."""
    ink = SEAT_COLOURS[place.name.partition(":")[2]]
    (left, top), (right, bottom) = place.outline[0], place.outline[2]
    wide, high = right - left, bottom - top
    return [
        rectangle(left - 3, top - 3, wide + 6, high + 6, light(ink, 0.93), ink, 1.6, radius=5),
        rectangle(left + 2, top, *CARD, "", light(ink, 0.6), 0.5, radius=3),
        Text(place.label, (left, bottom + 14.5), 11.0, ink, "title", "start"),
        Text("Lay what you play here", (right, bottom + 12.5), 6.5, _EDGE, anchor="end"),
    ]


def _deck(row: list[Place]) -> list[Shape]:
    """The places of the draw deck's cards, each over its mark."""
    shapes: list[Shape] = []
    for place in row:
        (left, top), (right, bottom) = place.outline[0], place.outline[2]
        for edge, inward in ((left, 5), (right, -5)):
            corner = ((edge + inward, top), (edge, top), (edge, bottom), (edge + inward, bottom))
            shapes.append(line(corner, _FAINT, 0.6))
    for place, token in zip(row, unders(), strict=True):
        (left, top), (right, bottom) = place.outline[0], place.outline[2]
        middle = ((left + right) / 2 + token.at[0], (top + bottom) / 2 + token.at[1])
        shapes += marked(token.id, middle, token.side, RIM)
    below = row[0].outline[2][1] + 12.5
    words = "Lay its cards from left to right, and draw from the right"
    return [
        *shapes,
        Text(row[0].label, (row[0].outline[0][0], below), 8.0, INK, anchor="start"),
        Text(words, (row[-1].outline[2][0], below), 6.5, _EDGE, anchor="end"),
    ]


def _box(place: Place) -> tuple[Shape, ...]:
    """Where one card or a pile lies, and below it what that is."""
    (left, top), (right, bottom) = place.outline[0], place.outline[2]
    return (
        rectangle(left - 2, top - 2, right - left + 4, bottom - top + 4, "", _EDGE, 0.6, radius=4),
        Text(place.label, ((left + right) / 2, bottom + 12.5), 8.0, INK),
    )
