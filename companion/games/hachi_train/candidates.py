"""Which actions may have brought cards to where a camera saw them, and what a card laid there would be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.games.hachi_train.actions import HachiAction, Pass, Play
from companion.games.hachi_train.cards import KINDS, ranks_of
from companion.games.hachi_train.rules import hide, legal
from companion.games.hachi_train.state import TURN, State
from companion.games.hachi_train.table import CAR, UNDER, alike, field_place
from companion.games.layout import Piece


def candidates(state: State, seat: str, pieces: tuple[Piece, ...]) -> Iterator[HachiAction]:
    """The plays of which one may have brought the cars that were seen into the seat's row.

    They are those that the table can know of. Where these cars alone can be played, plays of more are
    among them: the others may not lie there yet. A pass, where no car was seen or a mark of the draw deck
    shows.
    """
    cars = [piece for piece in pieces if piece.kind == CAR]
    seen = Counter(_called(piece) for piece in cars)
    own = {piece.place for piece in cars} == {field_place(seat)}
    passed = not cars or any(piece.kind == UNDER for piece in pieces)
    actions = legal(hide(state), seat)
    plays = [
        action for action in actions if own and isinstance(action, Play) and seen <= Counter(action.cards)
    ]
    if any(len(play.cards) == len(cars) for play in plays):
        yield from plays
    yield from (action for action in actions if passed and isinstance(action, Pass))


def meant(state: State, piece: Piece) -> HachiAction | None:
    """What was done if that piece shows alone: a play, as the highest rank that the card may have, or a pass.

    The play is that of the seat in whose row the card lies.
    """
    if state.phase != TURN:
        return None
    if piece.kind == UNDER:
        return Pass(state.seats[state.turn])
    card = _called(piece)
    owner = [seat for seat in state.seats if field_place(seat) == piece.place]
    if piece.kind != CAR or card not in KINDS or not owner:
        return None
    return Play(owner[0], max(ranks_of(card)), (card,))


def _called(piece: Piece) -> str:
    """What the rules call that card."""
    return alike().get((piece.kind, piece.name), piece.name)
