"""The physical table: the field in the middle, the piles beside it, an asset card for each player.

The camera sees the cards on the field and the asset cards, each by a marker. Hands it does not see.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from companion.games.hachi_train.actions import HachiAction, Play
from companion.games.hachi_train.cards import COPIES, SPECIAL_COPIES, SPECIALS, TRAINS, ranks_of
from companion.games.hachi_train.rules import hide, legal
from companion.games.hachi_train.state import BACK, FRONT, TURN, State
from companion.games.layout import Layout, Marker, Piece, Place, Point, TableMap, Token

CARD = (63.0, 88.0)
"""A card's width and height (mm): the usual size, for which sleeves are easily had."""

SLOTS = COPIES + SPECIAL_COPIES
"""The most cards that a play can have."""

CAR, ASSET = "car", "asset"

_SHEET = (960.0, 540.0)
_CORNER = 28.0
_MARK = 24.0
_MARK_AT: Point = (0.0, 8.0)  # a card's marker from its middle, below the rank
_THIN = 0.5
_FIELD = (130.0, 160.0)
_STEP = 100.0
_ASSETS = (130.0, 380.0)
_ASSET_STEP = 120.0
_TRAY = (760.0, 370.0, 910.0, 480.0)

# Marker numbers; those before are the corners'.
_CARS = 10
_ASSET_CARDS = 100


def field_place(number: int) -> str:
    """The name of a place on the field, from 1."""
    return f"field:{number}"


def layout(state: State) -> Layout:
    """The cards on the field side by side, sorted, and the asset cards that are not lost."""
    pieces = [Piece(CAR, card, field_place(at)) for at, card in enumerate(state.field, 1)]
    pieces += [
        Piece(ASSET, str(assets), f"assets:{seat}")
        for seat, assets in zip(state.seats, state.assets, strict=True)
        if assets
    ]
    return Layout(tuple(sorted(pieces)))


def table_map(state: State) -> TableMap:
    """The sheet with its field, the piles and the asset cards' places."""
    return _map(state.seats)


@cache
def _map(seats: tuple[str, ...]) -> TableMap:
    width, height = _SHEET
    near = _CORNER
    corners = ((near, near), (width - near, near), (width - near, height - near), (near, height - near))
    places = [
        Place(
            field_place(at + 1),
            _card_at(_FIELD[0] + _STEP * at, _FIELD[1]),
            "field",
            holds=(CAR,),
            words=f"the field, place {at + 1}",
        )
        for at in range(SLOTS)
    ]
    places += [
        Place("deck", _card_at(_FIELD[0], 40.0), "pile", "Draw Deck", ("back",), words="the draw deck"),
        Place(
            "discards", _card_at(_FIELD[0] + _STEP, 40.0), "pile", "Discards", ("back",), words="the discards"
        ),
    ]
    places += [
        Place(
            f"assets:{seat}",
            _card_at(_ASSETS[0] + _ASSET_STEP * at, _ASSETS[1]),
            "assets",
            seat.title(),
            (ASSET,),
            words=f"{seat.title()}'s assets",
        )
        for at, seat in enumerate(seats)
    ]
    return TableMap(
        width=width,
        height=height,
        corners=tuple(Marker(number, at, 36.0) for number, at in enumerate(corners)),
        places=tuple(places),
        tray=Place("tray", _rectangle(*_TRAY), "tray", "Lots"),
        tokens=tokens(),
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


def _token(number: int, kind: str, name: str, alike: str, words: str) -> Token:
    return Token(number, _MARK, kind, name, _MARK_AT, height=_THIN, alike=alike, words=words)


def candidates(state: State, seat: str, pieces: tuple[Piece, ...]) -> Iterator[HachiAction]:
    """The plays of which one may have brought these cards onto the field, by what the table can know.

    Where no car was seen, whatever else the seat may do that moves none.
    """
    seen = [piece.name for piece in pieces if piece.kind == CAR]
    for action in legal(hide(state), seat):
        if isinstance(action, Play):
            if seen and all(action.cards.count(card) >= seen.count(card) for card in seen):
                yield action
        elif not seen:
            yield action


def meant(state: State, piece: Piece) -> HachiAction | None:
    """The play that laying that card alone onto the field would be, as the highest rank that it may have."""
    if piece.kind != CAR or state.phase != TURN or piece.name not in (*TRAINS, *SPECIALS):
        return None
    return Play(state.seats[state.turn], max(ranks_of(piece.name)), (piece.name,))


def _card_at(left: float, top: float) -> tuple[Point, ...]:
    return _rectangle(left, top, left + CARD[0], top + CARD[1])


def _rectangle(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    return ((left, top), (right, top), (right, bottom), (left, bottom))
