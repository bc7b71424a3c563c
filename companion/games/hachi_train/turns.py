"""What a turn does: cards exchanged with the field, passing, clearing, going out, the end of a match.

Rulebook, Action Details; Clearing the Field; End of the Match; Preparing the Next Match.
"""

from __future__ import annotations

from collections import Counter
from typing import TypeVar

from msgspec.structs import replace

from companion.games.hachi_train.actions import NOWHERE, EnterCard, ForgetHand, KeepHand, Pass, Play, PutIn
from companion.games.hachi_train.cards import specials_among
from companion.games.hachi_train.hands import Cards, unknown_cards, without
from companion.games.hachi_train.state import (
    BACK,
    FRONT,
    MATCHES,
    NOBODY,
    NONE,
    OVER,
    TRAINS,
    TURN,
    State,
    following,
)
from companion.games.layout import UNKNOWN

_T = TypeVar("_T")


def put(parts: tuple[_T, ...], at: int, part: _T) -> tuple[_T, ...]:
    """The parts with another one at that place."""
    return (*parts[:at], part, *parts[at + 1 :])


def minus(cards: Cards, gone: Cards) -> Cards:
    """The sorted cards without as many of those as there are."""
    return tuple(sorted((Counter(cards) - Counter(gone)).elements()))


def exchange(state: State, action: Play) -> State:
    """Cards go from a hand onto the field; what lay there is taken, or discarded by who goes out.

    Rulebook, Exchange Card(s) of Hand and on the Field; HT-A06, HT-A10.
    """
    seat = state.seats.index(action.seat)
    hand = _after_playing(state, seat, action)
    if not hand:
        state = replace(
            state,
            gone=(*state.gone, seat),
            out=tuple(sorted((*state.out, *state.field))),
            loose=put(state.loose, seat, 0),
            seen=put(state.seen, seat, ()),
            specials=put(state.specials, seat, 0),
            hands=put(state.hands, seat, hand),
        )
    else:
        specials = state.specials[seat] - specials_among(action.cards) + specials_among(state.field)
        seen = minus(state.seen[seat], action.cards)
        state = replace(
            state,
            loose=put(state.loose, seat, 0),
            seen=put(state.seen, seat, tuple(sorted((*seen, *state.field)))),
            specials=put(state.specials, seat, specials),
            hands=put(state.hands, seat, hand),
        )
        state = _taken(state, seat, state.field)
    state = replace(state, field=action.cards, rank=action.rank, owner=seat, passed=())
    if len(state.playing) == 1:
        return _match_over(state, state.playing[0])
    return replace(state, turn=following(state, seat))


def _after_playing(state: State, seat: int, action: Play) -> Cards:
    """What is known of the hand without the cards played, before any are taken."""
    cards = state.hands[seat]
    count = len(cards) - len(action.cards)
    if action.places:
        return tuple(card for at, card in enumerate(cards) if at not in action.places)
    # Where a card that nobody has put in its place lay in between, the others' places are not known either.
    rest = unknown_cards(count) if state.loose[seat] else without(cards, action.cards, action.rank)
    specials = state.specials[seat] - specials_among(action.cards)
    known = len(rest) - rest.count(UNKNOWN)
    if specials_among(rest) > specials or known - specials_among(rest) > count - specials:
        return unknown_cards(count)
    return rest


def _taken(state: State, seat: int, cards: Cards) -> State:
    """The seat puts these cards anywhere into its hand, and has not told where.

    Into a hand of which nothing is entered they go unknown, though all may have seen them (`seen`).
    """
    if not cards:
        return state
    held = state.hands[seat]
    bare = held.count(UNKNOWN) == len(held)
    hand = (*held, *(unknown_cards(len(cards)) if bare else cards))
    if not state.kept[seat]:
        return replace(state, hands=put(state.hands, seat, unknown_cards(len(hand))))
    return replace(
        state,
        hands=put(state.hands, seat, hand),
        loose=put(state.loose, seat, state.loose[seat] + len(cards)),
    )


def pass_turn(state: State, action: Pass) -> State:
    """The turn is passed and a special car drawn; after the last pass the field is cleared.

    Rulebook, Pass the Turn; Clearing the Field; HT-A07, HT-A08, HT-A15.
    """
    seat = state.seats.index(action.seat)
    if state.deck:
        state = _taken(state, seat, state.deck[:1])
        state = replace(
            state, deck=state.deck[1:], specials=put(state.specials, seat, state.specials[seat] + 1)
        )
    passed = (*state.passed, seat)
    if set(state.playing) - {state.owner} <= set(passed):
        leads = following(state, state.owner) if state.owner in state.gone else state.owner
        return replace(
            state,
            out=tuple(sorted((*state.out, *state.field))),
            field=(),
            rank=0,
            owner=NOBODY,
            passed=(),
            turn=leads,
        )
    return replace(state, passed=passed, turn=following(state, seat))


def _match_over(state: State, loser: int) -> State:
    """The last player in the match flips or loses the asset card, and leads the next match.

    Rulebook, End of the Match; Preparing the Next Match; Ending Condition of the Game; HT-A12.
    """
    assets = put(state.assets, loser, BACK if state.assets[loser] == FRONT else NONE)
    state = replace(emptied(state), assets=assets, turn=loser)
    if assets[loser] == NONE or state.match == MATCHES:
        return replace(state, phase=OVER)
    return replace(state, phase=TRAINS, match=state.match + 1)


def emptied(state: State) -> State:
    """The state with the hands and the draw deck collected: nothing of what a hand held stays behind.

    The last cards lie on the field until the train cars are shuffled.
    """
    seats = len(state.seats)
    return replace(
        state,
        hands=((),) * seats,
        loose=(0,) * seats,
        seen=((),) * seats,
        specials=(0,) * seats,
        deck=(),
        passed=(),
        gone=(),
        out=(),
    )


def deal(state: State, cards: Cards) -> State:
    """The train cars are dealt one at a time, clockwise; each hand stays in the order dealt.

    Rulebook, Important Rules.
    """
    seats = len(state.seats)
    hands = tuple(cards[seat::seats] for seat in range(seats))
    return replace(state, hands=hands, field=(), rank=0, owner=NOBODY)


def lead(state: State, first: str) -> State:
    """That seat leads the first match."""
    return replace(state, turn=state.seats.index(first), phase=TURN)


def keep(state: State, action: KeepHand) -> State:
    """The seat keeps its hand from now on."""
    return replace(state, kept=put(state.kept, state.seats.index(action.seat), True))


def forget(state: State, action: ForgetHand) -> State:
    """The seat keeps its hand no more."""
    seat = state.seats.index(action.seat)
    return replace(
        state,
        kept=put(state.kept, seat, False),
        loose=put(state.loose, seat, 0),
        hands=put(state.hands, seat, unknown_cards(len(state.hands[seat]))),
    )


def enter(state: State, action: EnterCard) -> State:
    """The first unknown card of the seat's hand is that one; nothing changes where it is not told."""
    seat = state.seats.index(action.seat)
    cards = state.hands[seat]
    if action.card == UNKNOWN:
        return state
    return replace(state, hands=put(state.hands, seat, put(cards, cards.index(UNKNOWN), action.card)))


def put_in(state: State, action: PutIn) -> State:
    """The next loose card of the seat's hand goes there; the order is lost where that is not told."""
    seat = state.seats.index(action.seat)
    cards, loose = state.hands[seat], state.loose[seat]
    if action.place == NOWHERE:
        changed = unknown_cards(len(cards))
    else:
        ordered = len(cards) - loose
        rest = (*cards[:ordered], *cards[ordered + 1 :])
        changed = (*rest[: action.place], cards[ordered], *rest[action.place :])
    return replace(state, hands=put(state.hands, seat, changed), loose=put(state.loose, seat, loose - 1))
