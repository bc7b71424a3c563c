"""The prayer cards: whose they are to play and when, against whom, and what they do."""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache

from msgspec.structs import replace

from companion.games.layout import UNKNOWN
from companion.games.pawns_of_perdition.actions import PlayCard
from companion.games.pawns_of_perdition.spaces import (
    back,
    forward,
    may_speak_out_of_turn,
    next_layer,
    open_window,
    owe_skip,
    reopen,
    swap,
)
from companion.games.pawns_of_perdition.state import (
    AFTER_EFFECT,
    AFTER_ROLL,
    BEFORE_ROLL,
    CARDS,
    ESCAPE,
    LANDING,
    REROLL,
    TURN_END,
    Played,
    State,
)

BEFORE_THE_ROLL = ("beacon_of_hope", "cleansing_flame", "on_the_wings_of_angels", "sanctuarys_blessing")
"""Cards that change one's own movement roll."""

AT_ANY_TIME = ("forced_exchange", "hellish_reckoning", "hells_grasp", "infernal_exchange")
"""Cards against others that every window is open to."""

AGAINST_OTHERS = frozenset((*AT_ANY_TIME, "omen_of_suffering", "unholy_bargain"))
"""Cards that need a target, and that Soul Conviction answers."""

ANSWER = "soul_conviction"

# What may be played in a window, by the player in turn and by the others; a landing is named by
# its space. In the order of the alphabet, as `legal` lists them.
_IN_TURN = {
    BEFORE_ROLL: tuple(sorted(("angels_shortcut", *BEFORE_THE_ROLL, *AT_ANY_TIME))),
    AFTER_ROLL: tuple(sorted(("angels_shortcut", "second_chance", *AT_ANY_TIME))),
    AFTER_EFFECT: tuple(sorted(("angels_shortcut", *AT_ANY_TIME))),
    TURN_END: AT_ANY_TIME,
    "blessing": ("holy_determination",),
    "torment": ("gift_of_the_righteous", "unholy_bargain"),
}
_OUT_OF_TURN = {
    BEFORE_ROLL: AT_ANY_TIME,
    AFTER_ROLL: tuple(sorted(("omen_of_suffering", *AT_ANY_TIME))),
    AFTER_EFFECT: AT_ANY_TIME,
    TURN_END: AT_ANY_TIME,
}


def holds(state: State, seat: int, card: str) -> bool:
    """Whether that seat has the card, or may have it, as far as its hand is known."""
    hand = state.hands[seat]
    return card in hand or (UNKNOWN in hand and card in unseen(state))


def unseen(state: State) -> frozenset[str]:
    """The kinds of which a copy is neither on the face-up discard pile nor known anywhere else."""
    return _unseen(state.copies, state.hands, state.deck, state.discard, state.buried, state.aside)


@lru_cache(maxsize=256)
def _unseen(
    copies: tuple[int, ...], hands: tuple[tuple[str, ...], ...], *piles: tuple[str, ...]
) -> frozenset[str]:
    known = Counter(card for cards in (*hands, *piles) for card in cards)
    return frozenset(card for card, count in zip(CARDS, copies, strict=True) if known[card] < count)


def plays(state: State, seat: int) -> tuple[PlayCard, ...]:
    """The cards that the seat may play now, answers apart, sorted by card and target."""
    hand = state.hands[seat]
    if not hand:
        return ()
    phase = state.phase
    if seat == state.turn:
        if phase == LANDING:
            if state.victim != state.seats[seat]:
                return ()
            phase = state.board[state.pawns[seat]]
        cards = _IN_TURN[phase]
    elif phase == LANDING or not may_speak_out_of_turn(state, seat):
        return ()
    else:
        cards = _OUT_OF_TURN[phase]
    maybe = unseen(state) if UNKNOWN in hand else ()
    found: list[PlayCard] = []
    for card in cards:
        if card in hand or card in maybe:
            found += _ways(state, seat, card)
    return tuple(found)


def _ways(state: State, seat: int, card: str) -> tuple[PlayCard, ...]:
    name = state.seats[seat]
    if card in AGAINST_OTHERS:
        others = _others(state.seats, seat)
        if card == "forced_exchange":
            others = tuple(other for other in others if state.hands[state.seats.index(other)])
        elif card == "omen_of_suffering":
            others = (state.seats[state.turn],)
        elif card == "infernal_exchange" and state.options.swap_with_start == "refused":
            pawns = dict(zip(state.seats, state.pawns, strict=True))
            others = tuple(other for other in others if pawns[name] and pawns[other])
        return _against(name, card, others)
    useless = (
        (card == "cleansing_flame" and state.roll.cleansing)
        or (card == "second_chance" and state.roll.second_chance)
        or (
            card == "holy_determination"
            and state.holy > 0
            and state.options.second_holy_determination == "no_add"
        )
        or (
            card == "angels_shortcut"
            and state.options.shortcut_in_layer_7 == "refused"
            and next_layer(state.pawns[seat]) == ESCAPE
        )
    )
    return () if useless else _against(name, card, ("",))


@cache
def _others(seats: tuple[str, ...], seat: int) -> tuple[str, ...]:
    return tuple(sorted(seats[:seat] + seats[seat + 1 :]))


@cache
def _against(seat: str, card: str, targets: tuple[str, ...]) -> tuple[PlayCard, ...]:
    return tuple(PlayCard(seat, card, target) for target in targets)


def leave_hand(state: State, seat: int, card: str) -> State:
    """The card, or one that may be it, leaves that seat's hand."""
    hand = list(state.hands[seat])
    hand.remove(card if card in hand else UNKNOWN)
    return replace(state, hands=(*state.hands[:seat], tuple(hand), *state.hands[seat + 1 :]))


def join_hand(state: State, seat: int, card: str) -> State:
    """The card joins that seat's hand, in its sorted place."""
    hand = tuple(sorted((*state.hands[seat], card)))
    return replace(state, hands=(*state.hands[:seat], hand, *state.hands[seat + 1 :]))


def put_down(state: State, action: PlayCard) -> State:
    """The card is played: it goes to the discard pile, and works unless its target can answer."""
    seat = state.seats.index(action.seat)
    state = leave_hand(state, seat, action.card)
    state = replace(state, discard=(*state.discard, action.card))
    if action.card == ANSWER:
        return reopen(replace(state, played=None))
    if action.card not in AGAINST_OTHERS:
        return _for_oneself(state, seat, action.card)
    played = Played(action.card, action.seat, action.target)
    if _may_answer(state, state.seats.index(action.target)):
        return replace(state, played=played)
    return carry_out_against(state, played)


def _may_answer(state: State, seat: int) -> bool:
    """Whether, for all that lies open, that seat may hold Soul Conviction; who holds it stays secret."""
    return bool(state.hands[seat]) and state.discard.count(ANSWER) < state.copies[CARDS.index(ANSWER)]


def carry_out_against(state: State, played: Played) -> State:
    """A card against another player takes effect, not or no longer answered."""
    seat, target = state.seats.index(played.seat), state.seats.index(played.target)
    if played.card == "forced_exchange":
        return replace(state, played=replace(played, accepted=True))
    state = replace(state, played=None)
    match played.card:
        case "hells_grasp":
            state = back(state, target, 6)
        case "hellish_reckoning":
            state = owe_skip(state, target)
        case "infernal_exchange":
            state = swap(state, seat, target)
        case "omen_of_suffering":
            roll = replace(state.roll, base=(), kept=(), extra=(), second_chance=False)
            return replace(state, phase=REROLL, speaker=-1, roll=roll)
        case "unholy_bargain":
            return replace(state, victim=played.target)
    return reopen(state)


def _for_oneself(state: State, seat: int, card: str) -> State:
    roll = state.roll
    match card:
        case "sanctuarys_blessing":
            state = replace(state, roll=replace(roll, doubles=roll.doubles + 1))
        case "on_the_wings_of_angels":
            state = replace(state, roll=replace(roll, wings=roll.wings + 1))
        case "beacon_of_hope":
            state = replace(state, roll=replace(roll, beacons=roll.beacons + 1))
        case "cleansing_flame":
            state = replace(state, roll=replace(roll, cleansing=True))
        case "second_chance":
            extra = roll.extra if state.options.second_chance_scope == "base_dice" else ()
            roll = replace(roll, base=(), kept=(), extra=extra, second_chance=True)
            return replace(state, phase=REROLL, speaker=-1, roll=roll)
        case "holy_determination":
            return replace(state, holy=state.holy + 1)
        case "gift_of_the_righteous":
            return open_window(state, TURN_END)
        case "angels_shortcut":
            state = forward(state, seat, next_layer(state.pawns[seat]))
    return reopen(state)
