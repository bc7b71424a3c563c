"""Which actions may have brought pieces to where a camera saw them."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.hellrail.actions import Cross, Fan, HellRailAction, Move
from companion.games.hellrail.rules import legal
from companion.games.hellrail.state import State
from companion.games.hellrail.table import engine_place
from companion.games.layout import Piece


def candidates(state: State, seat: str, pieces: tuple[Piece, ...]) -> Iterator[HellRailAction]:
    """The seat's legal actions that name one of the cards that were seen, or that play no card.

    Where only engines were seen, the Moves that lead one of them to where it stands: the card that
    was discarded for it may lie unseen.
    """
    cards = {piece.name for piece in pieces if piece.kind == "rail"}
    places = {piece.place for piece in pieces if piece.kind == "engine"}
    for card in sorted(cards):
        yield from legal(state, seat, card)
    for action in legal(state, seat):
        if not hasattr(action, "card"):
            yield action
        elif not cards and isinstance(action, Move | Cross) and not isinstance(action, Fan):
            ends = [action.to if isinstance(action, Move) else action.at, *(ram.to for ram in action.rammed)]
            if any(end and engine_place(end, state.circles) in places for end in ends):
                yield action
