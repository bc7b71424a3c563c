"""Hands in words: the players around the table, what lies between them, and what an owner keeps here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.games.game import Lying, OwnHand, Player
from companion.games.hachi_train.cards import KINDS
from companion.games.hachi_train.names import as_rank, cards, counted, listed, name
from companion.games.hachi_train.refusals import stronger
from companion.games.hachi_train.state import FIRST, NOBODY, TURN, State, most
from companion.games.layout import UNKNOWN

_ORDER = ("first", "second", "third", "fourth")


def lying(state: State) -> Lying:
    """The field, and what has to be beaten; the last cards of a match until they are collected."""
    if state.phase != TURN:
        return Lying(
            state.field, "The last cards of the match." if state.field else "No card lies there yet."
        )
    if not state.field:
        return Lying((), "The field is empty.")
    stand_for = as_rank(len(state.field), state.rank)
    beaten = listed(stronger(state), "or")
    return Lying(
        state.field,
        f"{stand_for[0].upper()}{stand_for[1:]}, by {name(state.seats[state.owner])}.",
        f"Beaten by {beaten}." if beaten else "Nothing beats that.",
    )


def around(state: State) -> tuple[Player, ...]:
    """The players clockwise, each with what everybody sees of them."""
    return tuple(
        Player(
            seat,
            len(state.hands[at]),
            _does(state, at),
            f"${state.assets[at]} million" if state.assets[at] else "no assets",
            at in state.gone,
        )
        for at, seat in enumerate(state.seats)
    )


def _does(state: State, seat: int) -> str:
    """What the seat has done since the field was last cleared, in a word or two."""
    if seat in state.gone:
        return f"out {_ORDER[state.gone.index(seat)]}"
    if state.phase != TURN:
        return ""
    if seat in state.passed:
        return "passed"
    if seat == state.owner:
        return "played last"
    return "leads" if state.owner == NOBODY and seat == state.turn else ""


def own(state: State, seat: str) -> OwnHand | None:
    """What the seat keeps of its hand; None where it keeps nothing, or has no hand now."""
    number = state.seats.index(seat) if seat in state.seats else NOBODY
    if number == NOBODY or state.phase not in (FIRST, TURN):
        return None
    if not state.kept[number] or not state.hands[number]:
        return None
    held = state.hands[number]
    ordered = len(held) - state.loose[number]
    return OwnHand(held[:ordered], held[ordered:], tuple(notes(state, seat)), state.match)


def notes(state: State, seat: str) -> Iterator[str]:
    """What is still to be said of a hand that its owner keeps, and what cannot be in it."""
    number = state.seats.index(seat) if seat in state.seats else NOBODY
    if number == NOBODY or not state.kept[number] or not state.hands[number]:
        return
    if state.loose[number]:
        yield (
            "Say where the card went that you took or drew before you play again, or your hand has to be "
            "entered anew."
        )
    if unknown := state.hands[number].count(UNKNOWN):
        yield f"Of your hand {counted(unknown, 'card')} {'is' if unknown == 1 else 'are'} not entered here."
    yield from _contradictions(state, number)


def _contradictions(state: State, seat: int) -> Iterator[str]:
    """What lies open, or everybody saw, against what the owner entered."""
    held, anew = Counter(state.hands[seat]), "look at it, or forget it and enter it anew."
    for card, could in zip(KINDS, most(state, seat), strict=True):
        if held[card] > could:
            most_of = f"{counted(could, 'car')} {card} at most"
            yield f"By what lies open, your hand holds {most_of}, not {held[card]}; {anew}"
    missing = Counter(state.seen[seat]) - held
    if missing.total() > held[UNKNOWN]:
        taken = cards(tuple(sorted(missing.elements())))
        yield f"Everybody saw you take {taken}, which is not in your hand as it is entered; {anew}"
