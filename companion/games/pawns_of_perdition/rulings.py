"""Which rulings an action's outcome rested on, so that the table can be told the first time."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.game import Rolled
from companion.games.pawns_of_perdition.actions import Accept, Give, Move, Pass, PawnsAction, PlayCard, Take
from companion.games.pawns_of_perdition.cards import ANSWER, AT_ANY_TIME
from companion.games.pawns_of_perdition.options import OPTIONS, SINS, Options, sins_in_order
from companion.games.pawns_of_perdition.refusals import refusal
from companion.games.pawns_of_perdition.rules import hide, hide_action, play
from companion.games.pawns_of_perdition.state import (
    BEFORE_ROLL,
    FIRST_PLAYER,
    LANDING,
    Played,
    State,
    distance,
)

_SET_AT_THE_START = ("sin_order", "layers")
_BY_HAND = (*_SET_AT_THE_START, "windows")


def decided(state: State, action: PawnsAction) -> tuple[str, ...]:
    """The ids of the rulings that a legal action's outcome rested on, in order.

    A switched ruling decided it when the game would have gone otherwise under its other value.
    """
    state, action = hide(state), hide_action(action)
    after = play(state, action)
    ids = {
        option.rule
        for option in OPTIONS
        if option.name in Options.__struct_fields__ and option.name not in _BY_HAND
        for value in option.values
        if _differs(state, action, after, option.name, value)
    }
    return tuple(sorted(ids | _by_hand(state, action, after)))


def _differs(state: State, action: PawnsAction, after: State, option: str, value: str) -> bool:
    if getattr(state.options, option) == value:
        return False
    other = replace(state, options=replace(state.options, **{option: value}))
    return refusal(other, action) is not None or replace(play(other, action), options=state.options) != after


def _by_hand(state: State, action: PawnsAction, after: State) -> set[str]:
    match action:
        case Rolled() if state.phase == FIRST_PLAYER:
            tied = after.phase != BEFORE_ROLL and not any(throw > 0 for throw in after.throws)
            return {"PP-A21"} if tied else set()
        case Rolled() if state.phase == LANDING:
            return _on_landing(state, after)
        case Move():
            return _of_move(state, after)
        case Pass():
            return {"PP-A15"}
        case Take() | Give():
            return {"PP-A19"} if state.played else {"PP-A05"}
        case Accept() if state.played:
            return _of_card(state, state.played)
        case PlayCard(seat, card, target):
            ids = {"PP-A15"} if card in AT_ANY_TIME and seat != state.seats[state.turn] else set()
            if card == ANSWER:
                ids.add("PP-A14")
            elif card == "second_chance":
                ids.add("PP-A07")
            elif card in ("holy_determination", "gift_of_the_righteous"):
                ids.add("PP-A24")
            elif target and not after.played:
                ids |= _of_card(state, Played(card, seat, target))
            return ids
    return set()


def _on_landing(state: State, after: State) -> set[str]:
    if state.board[state.pawns[state.turn]] == "blessing":
        return set()
    ids = {"PP-A11"} if state.pawns[state.seats.index(state.victim)] < sum(after.dice) else set()
    if state.victim != state.seats[state.turn]:
        ids.add("PP-A23")
    return ids


def _of_move(state: State, after: State) -> set[str]:
    roll, space = state.roll, state.pawns[state.turn] + distance(state)
    if after.winner:
        return set()
    kind = state.board[space]
    changed = roll.doubles or roll.wings or roll.beacons or roll.cleansing
    ids = {"PP-A10"} if changed and kind != "safe" else set()
    if kind == "pride":
        tied = [pawn for pawn in state.pawns if pawn > space and pawn == after.pawns[state.turn]]
        ids |= {"PP-A04"} if len(tied) > 1 else set()
    return ids | _of_sin(state, kind) if kind in SINS else ids


def _of_sin(state: State, kind: str) -> set[str]:
    """The rulings that laid this sin where it is, unless the pack named it."""
    sins = tuple(space for space in state.board if space in SINS)
    if sins != sins_in_order(state.options):
        return set()
    ids = {"PP-A02"} if kind in ("pride", "wrath") else set()
    middle = sins.index(kind) == len(sins) // 2
    return ids if middle else ids | {"PP-A03"}


def _of_card(state: State, played: Played) -> set[str]:
    target = state.seats.index(played.target)
    match played.card:
        case "hells_grasp" if state.pawns[target] < 6:
            return {"PP-A11"}
        case "hellish_reckoning" if target == state.turn:
            return {"PP-A22"}
        case "omen_of_suffering" if state.roll.extra or state.roll.cleansing:
            return {"PP-A09"}
    return set()
