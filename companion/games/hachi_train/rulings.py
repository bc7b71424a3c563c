"""Which rulings an action's outcome rested on, so that the table can be told the first time."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.game import Rolled, Shuffled
from companion.games.hachi_train.actions import (
    EnterCard,
    HachiAction,
    KeepHand,
    Lead,
    Pass,
    Play,
    PutIn,
)
from companion.games.hachi_train.cards import LEFT_OUT, is_special
from companion.games.hachi_train.rules import hide, hide_action, play
from companion.games.hachi_train.state import OVER, TRAINS, State


def decided(state: State, action: HachiAction) -> tuple[str, ...]:
    """The ids of the rulings that a legal action's outcome rested on, in order.

    What rests on a hand's order is not among them (HT-A03, A17 to A19): it would tell of the hand.
    """
    state, action = hide(state), hide_action(action)
    return tuple(sorted(set(_of(state, action, play(state, action)))))


def _of(state: State, action: HachiAction, after: State) -> Iterator[str]:
    match action:
        case Shuffled():
            if state.phase == TRAINS and state.match == 1 and LEFT_OUT[len(state.seats)]:
                yield "HT-A14"
        case Rolled() | Lead():
            yield "HT-A13"
        case Play():
            yield from _of_play(state, action, after)
        case Pass():
            yield "HT-A07" if state.deck else "HT-A15"
            if not after.field:
                yield "HT-A08"
        case KeepHand() | EnterCard():
            yield "HT-A17"
        case PutIn():
            yield "HT-A06"


def _of_play(state: State, action: Play, after: State) -> Iterator[str]:
    if not state.field:
        yield "HT-A16"
    elif action.rank <= state.rank:
        yield "HT-A01"
    if len(action.cards) == 1 and is_special(action.cards[0]):
        yield "HT-A05"
    if any(map(is_special, (*action.cards, *state.field))):
        yield "HT-A04"
    went_out = len(state.hands[state.seats.index(action.seat)]) == len(action.cards)
    if went_out and state.field:
        yield "HT-A10"
    elif went_out:
        yield "HT-A20"
    elif state.field:
        yield "HT-A06"
    if after.phase in (TRAINS, OVER):
        yield "HT-A09"
    if after.phase == OVER:
        yield "HT-A12"
        if len(set(after.assets)) == 1:
            yield "HT-A11"
