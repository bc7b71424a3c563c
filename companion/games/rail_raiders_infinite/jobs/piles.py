"""Decks, tokens and facedown cars: what may lie on top, turning it up, shuffling, laying aside.

Rulebook, Setup; Facedown Train Cars; RR-A19, RR-A20.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.game import AwaitedShuffle, Shuffled
from companion.games.layout import UNKNOWN
from companion.games.rail_raiders_infinite.actions import TurnUp
from companion.games.rail_raiders_infinite.jobs.agenda import (
    Kind,
    instead,
    pop,
    push,
    with_car,
    with_top,
    without,
)
from companion.games.rail_raiders_infinite.packs.pack_faults import SIZE
from companion.games.rail_raiders_infinite.state import (
    DECKS,
    HIGH_NOON,
    LONG_ARM,
    LOOT,
    TOKENS,
    Job,
    State,
    all_copies,
    car_cards,
)

PER_PLAYER = 8
"""High Noon cards for each player. Rulebook, Setup - 2."""

WHAT = {
    "raiders": "the Raider cards",
    "cars": "the train cars",
    HIGH_NOON: "the High Noon cards",
    LONG_ARM: "the Long Arm cards",
    LOOT: "the Loot cards",
    "tokens": "the Loot tokens",
}
"""What is shuffled, in words."""


# -- what may lie there -------------------------------------------------------------------------------


def possible(state: State, pile: str, car: int, at: int = 0) -> tuple[str, ...]:
    """What the card or token that is turned up next may be: the one that it is, if that is known."""
    lying = top_of(state, pile, car, at)
    return (lying,) if lying != UNKNOWN else unseen(state, pile)


def top_of(state: State, pile: str, car: int, at: int = 0) -> str:
    """What lies there, UNKNOWN included."""
    if pile == "cars":
        return state.train[car]
    if pile == "token":
        return state.cars[car].tokens[at]
    cards: tuple[str, ...] = getattr(state, pile)
    return cards[0]


def unseen(state: State, pile: str) -> tuple[str, ...]:
    """What of a pile's cards, tokens or cars has not been seen, each name once, in the pack's order."""
    if pile == "token":
        whole, seen = Counter(TOKENS), Counter(state.shown)
    elif pile == "cars":
        whole = Counter(car.name for car in state.edition.cars if not car.end)
        seen = Counter(name for name, car in zip(state.train, state.cars, strict=True) if car.up)
    elif pile == "raiders":
        whole = Counter(card.name for card in state.edition.raiders)
        seen = Counter(rider.raider for rider in state.riders)
    else:
        return _unseen_cards(state, pile)
    return tuple(name for name in whole if whole[name] > seen[name])


def _unseen_cards(state: State, deck: str) -> tuple[str, ...]:
    """The same of a deck's cards: those that nobody has counted share what is left of the deck."""
    whole, seen = Counter(all_copies(state.edition, deck)), Counter(_seen(state, deck))
    names = [card.name for card in getattr(state.edition, deck)]
    left = SIZE - whole.total() - sum(seen[name] for name in names if not whole[name])
    return tuple(name for name in names if (whole[name] > seen[name] if whole[name] else left > 0))


def _seen(state: State, deck: str) -> Iterator[str]:
    """The cards of a deck that lie open, or that everybody has been shown."""
    yield from getattr(state, f"{deck}_discard")
    yield from (force.card for force in state.forces if force.deck == deck)
    yield from (job.card for job in state.agenda if job.do == f"aside_{deck}")
    if deck == HIGH_NOON:
        yield from (job.card for job in state.agenda if job.do == "shuffle_back" and job.card)
    if deck == LOOT:
        yield from (card for rider in state.riders for card in rider.gear)
        yield from (card for car in state.cars for card in car.bombs)
        yield from (card for job in state.agenda for card in job.cards if card != UNKNOWN)
    if deck == LONG_ARM:
        yield from (card for car in state.cars for card in car.grit)


# -- turning up ---------------------------------------------------------------------------------------


def _turn_up_choices(state: State, job: Job) -> tuple[TurnUp, ...]:
    seat = state.seats[job.seat]
    return tuple(TurnUp(seat, name) for name in possible(state, job.card, job.car, job.count - 1))


def _turned_up(state: State, job: Job, action: TurnUp) -> State:
    """What was turned up leaves its pile; the job of that name says what it does."""
    name, car = action.card, job.car
    match job.card:
        case "cars":
            train = (*state.train[:car], name, *state.train[car + 1 :])
            icons = car_cards(state.edition)[name]
            state = with_car(replace(state, train=train), car, up=True)
            return instead(
                state,
                Job("tokens", job.seat, car, icons.loot),
                *(Job("long_arm", job.seat, car) for _ in range(icons.long_arm)),
            )
        case "token":
            tokens = state.cars[car].tokens
            left = (*tokens[: job.count - 1], *tokens[job.count :])
            state = replace(with_car(state, car, tokens=left), shown=tuple(sorted((*state.shown, name))))
        case pile:
            state = replace(state, **{pile: getattr(state, pile)[1:]})
    return instead(state, Job(f"turned_{job.card}", job.seat, car, card=name))


def _flip(state: State, job: Job) -> State:
    """A facedown car is turned faceup. Rulebook, Facedown Train Cars; RR-A21."""
    if state.cars[job.car].up:
        return pop(state)
    return instead(state, Job("turn_up", job.seat, job.car, card="cars"))


def _tokens(state: State, job: Job) -> State:
    """Facedown Loot tokens come onto a car, those that lie aside mixed in when they run out (RR-A19)."""
    if not job.count or not (state.tokens or state.shown):
        return pop(state)
    if not state.tokens:
        return push(state, Job("shuffle", card="tokens"))
    tokens = (*state.cars[job.car].tokens, state.tokens[0])
    state = replace(with_car(state, job.car, tokens=tokens), tokens=state.tokens[1:])
    return instead(state, replace(job, count=job.count - 1))


def _draw(state: State, job: Job) -> State:
    """The top card of the Long Arm or the Loot deck is turned up, its discards shuffled if need be."""
    deck = job.do
    if not getattr(state, deck):
        return refill(state, deck) or pop(state)
    return instead(state, Job("turn_up", job.seat, job.car, card=deck))


def refill(state: State, deck: str) -> State | None:
    """An empty deck is to be made of its discards; None where there are none (RR-A20)."""
    if deck == LONG_ARM and state.long_arm_discard:
        return push(state, Job("shuffle", card=deck))
    if deck == LOOT and (state.loot_discard or state.loot_buried):
        return push(state, Job("shuffle", card=deck))
    return None


def _draw_high_noon(state: State, job: Job) -> State:
    """The High Noon Phase's draw; nothing once the deck is empty (RR-A01)."""
    if not state.high_noon:
        return pop(state)
    return instead(state, Job("turn_up", job.seat, card=HIGH_NOON), Job("check_deck"))


# -- shuffling ----------------------------------------------------------------------------------------


def _to_shuffle(state: State, pile: str) -> tuple[str, ...]:
    if pile == "tokens":
        return state.tokens or state.shown
    if pile == "cars":
        return state.box
    if pile == HIGH_NOON:
        return state.high_noon
    if pile == "raiders" or getattr(state, pile):
        cards: tuple[str, ...] = getattr(state, pile)
        return cards
    return state.long_arm_discard if pile == LONG_ARM else (*state.loot_discard, *state.loot_buried)


def _awaited_shuffle(state: State, job: Job) -> AwaitedShuffle:
    return AwaitedShuffle(tuple(sorted(_to_shuffle(state, job.card))), WHAT[job.card])


def _shuffled(state: State, job: Job, action: Shuffled) -> State:
    state, cards = pop(state), action.cards
    match job.card:
        case "tokens":
            return replace(state, tokens=cards, shown=() if not state.tokens else state.shown)
        case "cars":
            count = len(state.cars) - 2
            train = (state.train[0], *cards[:count], state.train[-1])
            return replace(state, train=train, box=cards[count:])
        case "high_noon":
            used = PER_PLAYER * len(state.seats)
            return replace(state, high_noon=cards[:used], unused=cards[used:])
        case "long_arm" if not state.long_arm:
            return with_top(replace(state, long_arm=cards, long_arm_discard=()), LONG_ARM, "")
        case "loot" if not state.loot:
            return replace(state, loot=cards, loot_discard=(), loot_buried=())
    return replace(state, **{job.card: cards})


# -- laying aside -------------------------------------------------------------------------------------


def discarded(state: State, deck: str, card: str) -> State:
    """A card goes onto its discard pile, for all to see."""
    pile = f"{deck}_discard"
    return replace(state, **{pile: tuple(sorted((*getattr(state, pile), card)))})


def _lay_aside(state: State, job: Job) -> State:
    return discarded(pop(state), job.do.removeprefix("aside_"), job.card)


def discard_high_noon(state: State, count: int) -> State:
    """Cards off the top of the High Noon deck go unseen, as many as there are (RR-A01)."""
    gone = state.high_noon[:count]
    return replace(
        state,
        high_noon=state.high_noon[count:],
        high_noon_buried=tuple(sorted((*state.high_noon_buried, *gone))),
    )


def used_up(state: State, seat: int, card: str) -> State:
    """An equipped card leaves its owner; where it goes is for the caller to say."""
    rider = state.riders[seat]
    riders = list(state.riders)
    riders[seat] = replace(rider, gear=without(rider.gear, card))
    return replace(state, riders=tuple(riders))


PILES: dict[str, Kind] = {
    "turn_up": Kind(choices=_turn_up_choices, answer=_turned_up),
    "flip": Kind(_flip),
    "tokens": Kind(_tokens),
    LONG_ARM: Kind(_draw),
    LOOT: Kind(_draw),
    HIGH_NOON: Kind(_draw_high_noon),
    "shuffle": Kind(chance=_awaited_shuffle, answer=_shuffled),
    **{f"aside_{deck}": Kind(_lay_aside) for deck in DECKS},
}
"""The kinds of job that are about piles."""
