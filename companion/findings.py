"""What the referee has to say of a Reading: acts to play, a question, an explanation, a to-do list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.alike import Key, Spot
from companion.games.game import Action
from companion.games.layout import Piece, Reading, TableMap

CERTAIN = 0.9
"""A piece seen with less confidence than this is waited for, not believed."""

PATIENCE = 2.5
"""Seconds that a piece may rest where it says too little, or breaks a rule: people may be in mid-act."""

Line = tuple[Action, ...]


@dataclass(frozen=True)
class Doubt:
    """A question for people: words, and what each answer would play (an empty line plays nothing).

    `dice` above 0: that many upper faces may be entered instead. `roll` marks a question about a
    throw. `back` is the move to which the game may be taken back instead, -1 for none.
    """

    words: str
    answers: tuple[tuple[str, Line], ...]
    dice: int = 0
    roll: bool = False
    back: int = -1


@dataclass(frozen=True)
class Finding:
    """What a Reading means: a line to play, a doubt to ask about, a fault to explain, a to-do list.

    `wait` says that what lies there is half an act as yet: look again a little later.
    """

    line: Line = ()
    doubt: Doubt | None = None
    fault: str = ""
    todo: tuple[str, ...] = ()
    wait: bool = False


def spots(pieces: Iterable[Piece]) -> dict[Key, Spot]:
    """Where each of these pieces lies."""
    return {(piece.kind, piece.name): (piece.place, piece.turn) for piece in pieces}


def sighted(reading: Reading, map: TableMap) -> dict[Key, Spot]:
    """Pieces seen well enough to be believed; one that may be hidden by a hand is not news.

    A turn after which a piece is the same again is no turn.
    """
    repeats = {(token.kind, token.name): token.repeats for token in map.tokens}
    there: dict[Key, Spot] = {}
    for sight in reading.pieces:
        if sight.confidence >= CERTAIN and sight.piece.place not in reading.holes:
            key = (sight.piece.kind, sight.piece.name)
            there[key] = (sight.piece.place, sight.piece.turn % repeats.get(key, 360))
    return there


def glimpsed(reading: Reading) -> dict[Key, str]:
    """The places of pieces that were seen, but not well enough to be believed there."""
    return {
        (sight.piece.kind, sight.piece.name): sight.piece.place
        for sight in reading.pieces
        if sight.confidence < CERTAIN and sight.piece.place and sight.piece.place not in reading.holes
    }
