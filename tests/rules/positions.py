"""Positions for the tests: a real game of Pawns of Perdition, with pawns and cards put as needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion.games.game import Rolled, Ruling, Shuffled
from companion.games.pawns_of_perdition import GAME
from companion.games.pawns_of_perdition.actions import EndTurn, Move, PawnsAction
from companion.games.pawns_of_perdition.pack import Pack, load_pack
from companion.games.pawns_of_perdition.state import CARDS, State

HOUSE = Path(__file__).parents[2] / "companion/games/pawns_of_perdition/packs/house.toml"
ALL_CARDS = tuple(card for card in CARDS for _ in range(2))
TRIO = ("red", "blue", "green")


@cache
def house() -> Pack:
    return load_pack(HOUSE.read_text("utf-8"))


def begin(seats: Sequence[str] = TRIO, **options: str) -> State:
    """A game whose first seat is about to make its first movement roll."""
    state = GAME.setup(tuple(seats), house(), options)
    state = do(state, Shuffled(ALL_CARDS), Rolled((6, 6)))
    return do(state, *(Rolled((1, 1)) for _ in seats[1:]))


def put(
    state: State,
    pawns: Mapping[str, int] | None = None,
    hands: Mapping[str, Sequence[str]] | None = None,
    deck: Sequence[str] | None = None,
    skips: Mapping[str, int] | None = None,
    **fields: Any,
) -> State:
    """The position with these pawns and hands, other hands empty; of the cards nobody has, those of
    `deck` lie on the draw pile and the rest on the discard pile, or all on the draw pile."""
    if pawns:
        where = [pawns.get(seat, pawn) for seat, pawn in zip(state.seats, state.pawns, strict=True)]
        state = replace(state, pawns=tuple(where))
    if skips:
        state = replace(state, skips=tuple(skips.get(seat, 0) for seat in state.seats))
    if hands is not None or deck is not None:
        dealt = {seat: tuple(sorted((hands or {}).get(seat, ()))) for seat in state.seats}
        rest = list(ALL_CARDS)
        for card in (*(card for hand in dealt.values() for card in hand), *(deck or ())):
            rest.remove(card)
        piles = (
            {"deck": tuple(rest), "discard": ()}
            if deck is None
            else {"deck": tuple(deck), "discard": tuple(rest)}
        )
        state = replace(state, hands=tuple(dealt.values()), buried=(), **piles)
    return replace(state, **fields)


def do(state: State, *actions: PawnsAction) -> State:
    """The state after these actions, each of which must be legal."""
    for action in actions:
        ruling = GAME.refusal(state, action)
        assert ruling is None, ruling
        state = GAME.play(state, action)
    return state


def refused(state: State, action: Any) -> Ruling:
    """The Ruling on an action that must not be legal."""
    ruling = GAME.refusal(state, action)
    assert ruling is not None, f"{action} is legal"
    assert action not in GAME.legal(state, getattr(action, "seat", ""))
    return ruling


def at(state: State, kind: str, number: int = 0) -> int:
    """The space of that kind, counted along the path from far enough to be rolled to."""
    return [space for space, found in enumerate(state.board) if found == kind and space > 7][number]


def landed(state: State, kind: str, number: int = 0) -> State:
    """Red has just landed on a space of that kind, by a movement roll of 3 + 4."""
    space = at(state, kind, number)
    state = put(state, pawns={"red": space - 7})
    return do(state, Rolled((3, 4)), Move("red"))


def ended(state: State) -> State:
    """The turn of who is in turn is over and the next one has begun."""
    return do(state, EndTurn(state.seats[state.turn]))


def pawn(state: State, seat: str) -> int:
    return state.pawns[state.seats.index(seat)]


def hand(state: State, seat: str) -> tuple[str, ...]:
    return state.hands[state.seats.index(seat)]


def in_turn(state: State) -> str:
    return state.seats[state.turn]
