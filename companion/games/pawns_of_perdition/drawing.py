"""Pawns of Perdition's board, pawns, prayer cards and counters as drawings, all our own."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from companion.games.drawing import (
    WHITE,
    Circle,
    Drawing,
    Shape,
    Text,
    marked,
    on_circle,
    paragraph,
    polygon,
    rectangle,
)
from companion.games.layout import Place, Point, TableMap, Token
from companion.games.lettering import fitted
from companion.games.pawns_of_perdition.cards import AGAINST_OTHERS, ANSWER
from companion.games.pawns_of_perdition.emblems import CREAM, flame, halo, horns, two_cards
from companion.games.pawns_of_perdition.pack import Card
from companion.games.pawns_of_perdition.state import State
from companion.games.pawns_of_perdition.table import table_map

CARD = (63.0, 88.0)
"""A prayer card's width and height (mm): the usual size, for which sleeves are easily had."""

RIM = 3.0
"""White, then the pawn's colour, around the marker on a pawn's cap (mm)."""

PAWNS = {"red": "#cc2c30", "blue": "#2460be", "green": "#349446", "yellow": "#eece34", "white": "#f4f4f4"}
"""The pawns' colours, by seat."""

INK = "#2a2430"
# Of each look of space: its band, and its tint.
_SPACES = {
    "start": ("#8a6d3b", "#f3e7c9"),
    "safe": ("#a49a8c", "#faf6ee"),
    "blessing": ("#3f7fc4", "#dcebfa"),
    "torment": ("#35303a", "#d8d4da"),
    "draw": ("#7d8794", "#e6eaee"),
    "sin": ("#83489a", "#ecdcf3"),
    "escape": ("#d99a1c", "#fdeebf"),
}
_BAND = 13.0
_ASIDE = 22.0


def drawing(state: State, kind: str, name: str) -> Drawing:
    """A piece of `layout` from above, unturned; KeyError when there is none of that kind and name."""
    tokens = {(token.kind, token.name): token for token in table_map(state).tokens}
    return pawn_cap(tokens[kind, name])


def sheet(state: State) -> Drawing:
    """The printed board and tray."""
    return board_sheet(table_map(state))


@lru_cache(maxsize=16)
def pawn_cap(token: Token) -> Drawing:
    """A pawn's top: its marker on white, its colour around."""
    side = token.side + 2 * RIM
    return Drawing(
        side,
        side,
        (
            rectangle(0, 0, side, side, PAWNS[token.name]),
            *marked(token.id, (side / 2, side / 2), token.side, RIM - 0.8),
        ),
    )


@lru_cache(maxsize=4)
def board_sheet(table: TableMap) -> Drawing:
    """The board as the path takes it, the tray beside it, and the corner markers."""
    shapes: list[Shape] = [shape for place in table.places for shape in _space(place)]
    shapes += [_arrow(_middle(here), _middle(there)) for here, there in pairwise(table.places[1:])]
    (left, top), (right, bottom) = table.tray.outline[0], table.tray.outline[2]
    middle = (left + right) / 2
    shapes += [
        rectangle(
            left - 3, top - 3, right - left + 6, bottom - top + 6, "", _SPACES["safe"][0], 1.0, radius=8
        ),
        Text(table.tray.label, (middle, bottom + 18), 11.0, INK),
        Text("Pawns of Perdition", (middle, top - 18), 24.0, _SPACES["sin"][0], "title"),
    ]
    for marker in table.corners:
        shapes += marked(marker.id, marker.at, marker.side, 5.5)
    return Drawing(table.width, table.height, tuple(shapes))


def _space(place: Place) -> list[Shape]:
    """A space: its number in a corner, its name on a band below, so that pawns between hide neither."""
    (left, top), (right, bottom) = place.outline[0], place.outline[2]
    band, tint = _SPACES[place.look]
    wide, high = right - left, bottom - top
    shapes: list[Shape] = [
        rectangle(left + 0.6, top + 0.6, wide - 1.2, high - 1.2, tint, band, 0.8, radius=2.5),
    ]
    if not place.label.isdigit():
        name = place.label
    else:
        shapes.append(Text(place.label, (left + 4.5, top + 12.5), 9.5, band, "number", "start"))
        name = place.look.title() if place.look != "safe" else ""
    if place.look in _EMBLEMS:
        shapes += _EMBLEMS[place.look]((right - 11.0, top + 11.0), 13.0, band)
    if name:
        size, _ = fitted(name, "title", 11.0, wide - 8, _BAND - 1)
        shapes.append(rectangle(left + 0.6, bottom - _BAND, wide - 1.2, _BAND - 0.6, band, radius=2.5))
        shapes.append(Text(name, ((left + right) / 2, bottom - 3.9), size, CREAM, "title"))
    return shapes


def _arrow(here: Point, there: Point) -> Shape:
    """A small arrowhead on the edge between two spaces, the way that the path takes."""
    x, y = (here[0] + there[0]) / 2, (here[1] + there[1]) / 2
    heading = 0.0 if there[1] < here[1] else 90.0 if there[0] > here[0] else 270.0
    if not heading:
        x += _ASIDE  # beside the name on the band there
    return polygon([on_circle((x, y), 4.2, heading + turn) for turn in (0, 125, 235)], INK, WHITE, 0.7)


def _middle(place: Place) -> Point:
    (left, top), (right, bottom) = place.outline[0], place.outline[2]
    return (left + right) / 2, (top + bottom) / 2


_EMBLEMS = {"blessing": halo, "torment": flame, "draw": two_cards, "sin": horns, "escape": halo}


def prayer_card(card: Card) -> Drawing:
    """A prayer card, 63 x 88 mm: its title, when and on whom it is played, and the edition's words."""
    wide, high = CARD
    against = card.kind in AGAINST_OTHERS
    band, tint = _SPACES["sin" if against else "draw" if card.kind == ANSWER else "blessing"]
    emblem = horns if against else halo
    shapes: list[Shape] = [
        rectangle(0, 0, wide, high, tint),
        rectangle(3, 3, wide - 6, high - 6, CREAM, band, 0.8, radius=3),
        rectangle(3, 3, wide - 6, 21, band, radius=3),
        *emblem((wide / 2, 38), 20.0, band),
    ]
    shapes += paragraph(card.title, "title", 9.0, CREAM, (5, 4, wide - 10, 19))
    shapes += paragraph(card.words, "text", 5.2, INK, (6.5, 50, wide - 13, 32))
    return Drawing(wide, high, tuple(shapes))


def card_back() -> Drawing:
    """The back of every prayer card."""
    wide, high = CARD
    band, tint = _SPACES["sin"]
    middle = (wide / 2, high / 2)
    return Drawing(
        wide,
        high,
        (
            rectangle(0, 0, wide, high, band),
            *(Circle(middle, radius, "", tint, 0.5) for radius in (20.0, 22.0, 24.0)),
            *halo(middle, 34.0, tint),
        ),
    )


def skip_counter() -> Drawing:
    """A counter for a turn that is owed, 20 mm across."""
    band, tint = _SPACES["torment"]
    return Drawing(
        20,
        20,
        (
            Circle((10, 10), 9.8, tint, band, 0.4),
            *flame((10, 7.0), 9.0, band),
            Text("miss a turn", (10, 15.2), 2.9, INK),
        ),
    )
