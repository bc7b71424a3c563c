"""The physical table: a row for each player's cards on the field, their asset cards, and the draw deck.

Who plays lays the cards into the own row, so that the camera sees who has played. The field is what
lies in the row of who played last. The draw deck lies as a row of cards, each over a mark that is
printed on the sheet: where a mark shows, a card was drawn. Hands the camera does not see.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.games.hachi_train.cards import COPIES, SPECIAL_CARS, SPECIAL_COPIES, SPECIALS, TRAINS
from companion.games.hachi_train.names import name as called
from companion.games.hachi_train.state import BACK, FRONT, SEATS, TURN, State
from companion.games.layout import UNKNOWN, Layout, Marker, Piece, Place, Point, TableMap, Token

CARD = (63.0, 88.0)
"""A card's width and height (mm): the usual size, for which sleeves are easily had."""

MARK = 19.0
"""Side of every marker but the corners' (mm): 25 pixels where the sheet is 1280 pixels wide."""

MARK_AT: Point = (-16.5, -4.0)
"""A card's marker from its middle: below its rank, in the part that shows where cards overlap in a row."""

UNDER_AT: Point = (13.0, 0.0)
"""The mark under a card of the draw deck from that card's middle: its neighbours leave it free."""

DECK = len(SPECIAL_CARS)

CAR, ASSET, BACK_SIDE, UNDER = "car", "asset", "back", "mark"

_SHEET = (960.0, 540.0)
_CORNER, _CORNER_MARK = 28.0, 36.0
_COLUMNS = (62.0, 490.0)
_ROWS = (16.0, 146.0, 276.0, 406.0)
_SPOTS = ((0, 3), (0, 2), (0, 1), (1, 1), (1, 2))
"""Where the row of each of SEATS is printed, clockwise from the lower left: column and row."""

_LONG = 325.0  # a row's length: the most cards that a play can have, each with its marker free
_BESIDE = 335.0  # from its left to the asset card's
_STEP = 40.0  # from one card of the draw deck to the next
_TRAY = (640.0, 412.0, 888.0, 488.0)
_THIN = 0.5  # of what lies flat (mm)

# Marker numbers; those before are the corners'.
_CARS = 10
_UNDERS = 60
_ASSET_CARDS = 100


def field_place(seat: str) -> str:
    """The name of the place in which that seat's cards lie when they are the field."""
    return f"field:{seat}"


def assets_place(seat: str) -> str:
    """The name of the place of that seat's asset card."""
    return f"assets:{seat}"


def deck_place(number: int) -> str:
    """The name of the place of a card of the draw deck, from 1 at the left; the last is drawn first."""
    return f"deck:{number}"


def layout(state: State) -> Layout:
    """The field, the asset cards that are not lost, and the draw deck, or what shows where it has lain."""
    pieces = [Piece(CAR, card, field_place(state.seats[state.owner])) for card in state.field]
    pieces += [
        Piece(ASSET, str(assets), assets_place(seat))
        for seat, assets in zip(state.seats, state.assets, strict=True)
        if assets
    ]
    left = len(state.deck)
    pieces += [Piece(BACK_SIDE, UNKNOWN, deck_place(number)) for number in range(1, left + 1)]
    if state.phase == TURN:
        pieces += [Piece(UNDER, str(at), deck_place(at)) for at in range(left + 1, DECK + 1)]
    return Layout(tuple(sorted(pieces)))


def table_map(state: State) -> TableMap:
    """The sheet with the players' rows, and the tray.

    The marks under the draw deck mean something while turns are taken: else people deal with it.
    """
    return _map(state.seats, state.phase == TURN)


@cache
def _map(seats: tuple[str, ...], turns: bool) -> TableMap:
    width, height = _SHEET
    near = _CORNER
    corners = ((near, near), (width - near, near), (width - near, height - near), (near, height - near))
    places = [
        # First of those for cars: how large a car is, is how large this place is.
        Place(
            "discards",
            _card_at(_COLUMNS[1], _ROWS[0]),
            "pile",
            "Discards",
            (CAR,),
            words="the discards, which lie face down",
        ),
        *(_deck(number) for number in range(1, DECK + 1)),
    ]
    for seat in seats:
        column, row = _SPOTS[SEATS.index(seat)]
        left, top = _COLUMNS[column], _ROWS[row]
        places += [
            Place(
                field_place(seat),
                _rectangle(left, top, left + _LONG, top + CARD[1]),
                "field",
                called(seat),
                (CAR,),
                words=f"{called(seat)}'s row",
            ),
            Place(
                assets_place(seat),
                _card_at(left + _BESIDE, top),
                "assets",
                "Assets",
                (ASSET,),
                (0,),
                words=f"{called(seat)}'s assets",
            ),
        ]
    return TableMap(
        width=width,
        height=height,
        corners=tuple(Marker(number, at, _CORNER_MARK) for number, at in enumerate(corners)),
        places=tuple(places),
        tray=Place("tray", _rectangle(*_TRAY), "tray", "Lots"),
        tokens=(*tokens(), *unders()) if turns else tokens(),
    )


def _deck(number: int) -> Place:
    return Place(
        deck_place(number),
        _card_at(_COLUMNS[0] + _STEP * (number - 1), _ROWS[0]),
        "deck",
        "Draw Deck" if number == 1 else "",
        (BACK_SIDE, UNDER),
        (0,),
        words="the draw deck",
    )


@cache
def tokens() -> tuple[Token, ...]:
    """The markers of all cards: five and two copies of each car, and five asset cards by their sides."""
    found = []
    number = _CARS
    for card in (*TRAINS, *SPECIALS):
        words = f"a {card}" if "/" in card else f"a train car {card}"
        for copy in range(1, (SPECIAL_COPIES if card in SPECIALS else COPIES) + 1):
            found.append(_token(number, CAR, f"{card} {copy}", card, words))
            number += 1
    number = _ASSET_CARDS
    for side in (FRONT, BACK):
        for copy in range(1, 6):
            found.append(_token(number, ASSET, f"{side} {copy}", str(side), f"assets of ${side} million"))
            number += 1
    return tuple(found)


@cache
def unders() -> tuple[Token, ...]:
    """The marks that are printed under the cards of the draw deck."""
    return tuple(
        Token(_UNDERS + at, MARK, UNDER, str(at), UNDER_AT, height=0.0, words=f"the mark under card {at}")
        for at in range(1, DECK + 1)
    )


@cache
def alike() -> Mapping[tuple[str, str], str]:
    """What the rules call each of the cards that are the same, by its kind and its own name."""
    return {(token.kind, token.name): token.alike for token in tokens()}


def _token(number: int, kind: str, name: str, alike: str, words: str) -> Token:
    return Token(number, MARK, kind, name, MARK_AT, height=_THIN, alike=alike, words=words)


def _card_at(left: float, top: float) -> tuple[Point, ...]:
    return _rectangle(left, top, left + CARD[0], top + CARD[1])


def _rectangle(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    return ((left, top), (right, top), (right, bottom), (left, bottom))
