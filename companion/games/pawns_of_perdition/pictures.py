"""What phones show besides the layout. The board's spaces and the pawns' seats say all there is to see."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.drawing import Drawing
from companion.games.game import About, Mark
from companion.games.layout import Piece
from companion.games.pawns_of_perdition.pack import Pack
from companion.games.pawns_of_perdition.state import State


def sketches(state: State) -> Mapping[str, Drawing]:
    """None: pawns are shown by their seats' signs."""
    return {}


def counters(state: State) -> tuple[Piece, ...]:
    """None lie on the board."""
    return ()


def marks(state: State) -> tuple[Mark, ...]:
    """None: the spaces are numbered."""
    return ()


def about(state: State, pack: Pack, kind: str, name: str) -> About:
    """A kind of prayer card; KeyError when the pack has none of that name."""
    for card in pack.cards:
        if kind == "card" and card.kind == name:
            return About(card.title, card.words)
    raise KeyError(f"{kind} {name}")
