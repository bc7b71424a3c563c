"""Positions of Hachi Train, put together by hand: what is not named lies discarded or in unknown hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from companion.games.game import Ruling
from companion.games.hachi_train import GAME
from companion.games.hachi_train.actions import HachiAction, Play
from companion.games.hachi_train.cards import (
    SPECIAL_CARS,
    TRAINS,
    copies,
    is_special,
    specials_among,
    train_cars,
)
from companion.games.hachi_train.state import BACK, FRONT, NOBODY, SEATS, TURN, State
from companion.games.layout import UNKNOWN
from tests.rules.hachi_games import house

A = TypeVar("A")

_OTHERS = 5
"""How many unknown train cars a hand has that is not named."""


def position(
    *,
    hands: Mapping[str, Sequence[str]] | None = None,
    field: Sequence[str] = (),
    rank: int = 0,
    by: str = "",
    passed: Sequence[str] = (),
    gone: Sequence[str] = (),
    deck: Sequence[str] | int = 0,
    seen: Mapping[str, Sequence[str]] | None = None,
    kept: Sequence[str] = (),
    turn: str = "red",
    players: int = 3,
    match: int = 1,
    assets: Sequence[int] = (),
    **options: str,
) -> State:
    """A match that is going on; `by` whom the field was played is the seat before `turn` where not named."""
    seats = SEATS[:players]
    given = {seat: tuple(cards) for seat, cards in (hands or {}).items()}
    held = tuple(() if seat in gone else given.get(seat, (UNKNOWN,) * _OTHERS) for seat in seats)
    top = (UNKNOWN,) * deck if isinstance(deck, int) else tuple(deck)
    lying = tuple(sorted(field))
    assert field or not rank
    owner = by or seats[seats.index(turn) - 1]
    if not assets:
        assets = tuple(BACK if at < match - 1 else FRONT for at in range(players))
    state = GAME.setup(seats, house(), options)
    known = Counter(card for hand in (*held, lying, top) for card in hand if card != UNKNOWN)
    known.update(card for seat, cards in (seen or {}).items() for card in cards if seat not in given)
    trains = len(train_cars(players)) - sum(len(hand) - specials_among(hand) for hand in (*held, lying))
    specials = len(SPECIAL_CARS) - len(top) - sum(specials_among(hand) for hand in (*held, lying))
    left = copies(players) - known
    # One of each kind after the other, so that of none all lie discarded where some are in unknown hands.
    spare = [card for turn_of in range(7) for card, count in left.items() if turn_of < count]
    out = [card for card in spare if not is_special(card)][:trains]
    out += [card for card in spare if is_special(card)][:specials]
    state = replace(
        state,
        phase=TURN,
        match=match,
        assets=tuple(assets),
        hands=held,
        kept=tuple(seat in kept for seat in seats),
        seen=tuple(tuple(sorted((seen or {}).get(seat, ()))) for seat in seats),
        specials=tuple(specials_among(hand) for hand in held),
        deck=top,
        field=lying,
        rank=rank or (int(lying[0]) if lying else 0),
        owner=seats.index(owner) if lying else NOBODY,
        passed=tuple(seats.index(seat) for seat in passed),
        gone=tuple(seats.index(seat) for seat in gone),
        out=tuple(sorted(out)),
        turn=seats.index(turn),
    )
    assert GAME.faults(state) == ()
    return state


def do(state: State, *actions: HachiAction) -> State:
    """The state after these actions, each of which is legal."""
    for action in actions:
        ruling = GAME.refusal(state, action)
        assert ruling is None, f"{action}: {ruling}"
        state = GAME.play(state, action)
    assert GAME.faults(state) == ()
    return state


def refused(state: State, action: Any) -> Ruling:
    """The Ruling that refuses the action."""
    ruling = GAME.refusal(state, action)
    assert ruling is not None, f"{action} is not refused"
    assert action not in GAME.legal(state, getattr(action, "seat", ""))
    return ruling


def may(state: State, kind: type[A], seat: str = "") -> list[A]:
    """What the seat, or the one in turn, may do of that kind."""
    found = GAME.legal(state, seat or state.seats[state.turn])
    return [action for action in found if isinstance(action, kind)]


def hand(state: State, seat: str) -> tuple[str, ...]:
    """That seat's hand."""
    return state.hands[state.seats.index(seat)]


def play(seat: str, *cards: str, rank: int = 0, places: tuple[int, ...] = ()) -> Play:
    """A play of these cards, as the rank of a train car among them where none is named."""
    named = next((int(card) for card in cards if card in TRAINS), 0)
    return Play(seat, rank or named, tuple(sorted(cards)), places)
