"""The rules of Rail Raiders Infinite: setting up, the end, scores, and what is hidden from whom."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec.structs import replace

from companion.games.game import Rolled, Shuffled, Standing
from companion.games.layout import UNKNOWN
from companion.games.rail_raiders_infinite.actions import Keep, Pass, PutBack, RaidAction, TurnUp
from companion.games.rail_raiders_infinite.jobs.rounds import beginning
from companion.games.rail_raiders_infinite.machine import advance, choices, play, waiting
from companion.games.rail_raiders_infinite.options import chosen
from companion.games.rail_raiders_infinite.packs.pack import Pack, edition, needed, whole
from companion.games.rail_raiders_infinite.state import (
    HIGH_NOON,
    LONG_ARM,
    LOOT,
    SEATS,
    TOKENS,
    Car,
    Rider,
    State,
)
from companion.games.rail_raiders_infinite.words import names

PLAYERS = (2, 4)
"""The fewest and the most players. Rulebook, Setup - 5."""

FACEDOWN = {2: 4, 3: 5, 4: 6}
"""Facedown train cars by the number of players. Rulebook, Setup - 5."""

_HIDDEN = (
    "box",
    HIGH_NOON,
    "high_noon_buried",
    "unused",
    LONG_ARM,
    LOOT,
    "loot_buried",
    "tokens",
)


def setup(seats: tuple[str, ...], pack: Pack, options: Mapping[str, str]) -> State:
    """The beginning: Raiders to be chosen, decks to be shuffled, the train to be built.

    Rulebook, Setup. ValueError names what is wrong, or what the pack has not got yet.
    """
    unknown = [seat for seat in seats if seat not in SEATS]
    if unknown or len(set(seats)) != len(seats):
        raise ValueError(f"Seats are {', '.join(SEATS)}, each at most once; given were: {', '.join(seats)}.")
    if not PLAYERS[0] <= len(seats) <= PLAYERS[1]:
        raise ValueError(f"Rail Raiders Infinite is for 2 to 4 players, not {len(seats)}.")
    if gaps := needed(pack):
        raise ValueError(f"The pack '{pack.name}' cannot be played yet. {' '.join(gaps)}")
    cards, count = edition(pack), FACEDOWN[len(seats)]
    if (more := len(seats) - len(cards.raiders)) > 0:
        raise ValueError(f"The pack '{pack.name}' has a Raider too few for each player: enter {more} more.")
    ends = {car.end: car.name for car in cards.cars if car.end}
    state = State(
        edition=cards,
        options=chosen(options),
        seats=tuple(seats),
        riders=(Rider(),) * len(seats),
        raiders=tuple(raider.name for raider in cards.raiders),
        train=(ends["caboose"], *(UNKNOWN,) * count, ends["locomotive"]),
        cars=(Car(up=True), *(Car(),) * count, Car(up=True)),
        box=whole(cards, "cars"),
        high_noon=whole(cards, HIGH_NOON),
        high_noon_discard=(),
        high_noon_buried=(),
        unused=(),
        long_arm=whole(cards, LONG_ARM),
        long_arm_discard=(),
        loot=whole(cards, LOOT),
        loot_discard=(),
        loot_buried=(),
        tokens=tuple(number for number, copies in TOKENS.items() for _ in range(copies)),
        shown=(),
    )
    return advance(beginning(state))


def over(state: State) -> bool:
    """Whether the last round is over. Rulebook, Ending the Game."""
    return not state.agenda


def scores(state: State) -> tuple[Standing, ...]:
    """The seats by their dollars; who ties shares a place. Rulebook, Ending the Game."""
    totals = [rider.dollars for rider in state.riders]
    standings = []
    for seat, rider in zip(state.seats, state.riders, strict=True):
        where = names.place(state, rider.at)
        raider = (names.title(state, "raiders", rider.raider),) if rider.raider not in ("", UNKNOWN) else ()
        facts = (names.dollars(rider.dollars), where, *raider)
        place = 1 + sum(other > rider.dollars for other in totals)
        standings.append(Standing(seat, place, facts, rider.gear))
    return tuple(sorted(standings, key=lambda standing: standing.place))


def hide(state: State) -> State:
    """The state as far as the table shows it: decks, facedown cars and tokens, looked-at cards are blank."""
    return view(state, "")


def hide_action(action: RaidAction) -> RaidAction:
    """The action as far as the table shows it: the order of a shuffle is blank."""
    return Shuffled(_blank(action.cards)) if isinstance(action, Shuffled) else action


@lru_cache(maxsize=64)
def view(state: State, seat: str) -> State:
    """The state as that seat may know it: the Loot cards that it looks at, a token that it peeks at."""
    number = state.seats.index(seat) if seat in state.seats else -1
    peeking = next((job for job in state.agenda[:1] if job.do == "peek" and job.seat == number), None)
    return replace(
        state,
        raiders=_blank(state.raiders) if state.options.raiders == "dealt" else state.raiders,
        train=tuple(name if car.up else UNKNOWN for name, car in zip(state.train, state.cars, strict=True)),
        cars=tuple(
            _with_blank_tokens(car, peeking is not None and peeking.car == at)
            for at, car in enumerate(state.cars)
        ),
        agenda=tuple(
            replace(job, cards=_blank(job.cards)) if job.cards and job.seat != number else job
            for job in state.agenda
        ),
        **{pile: _blank(getattr(state, pile)) for pile in _HIDDEN},
    )


def _with_blank_tokens(car: Car, peeked: bool) -> Car:
    if not car.tokens:
        return car
    first = car.tokens[: int(peeked)]
    return replace(car, tokens=first + _blank(car.tokens[int(peeked) :]))


def _blank(cards: tuple[str, ...]) -> tuple[str, ...]:
    return (UNKNOWN,) * len(cards)


def closed(state: State, seat: str) -> dict[str, tuple[str, ...]]:
    """The piles and cards that are closed to that seat, by what they are called."""
    number = state.seats.index(seat) if seat in state.seats else -1
    looked = {
        f"what {state.seats[job.seat]} looks at": job.cards
        for job in state.agenda
        if job.cards and job.seat != number
    }
    down = tuple(name for name, car in zip(state.train, state.cars, strict=True) if not car.up)
    return {**looked, "facedown cars": down, **{pile: getattr(state, pile) for pile in _HIDDEN}}


def ways(state: State, action: RaidAction) -> tuple[RaidAction, ...]:
    """What an action may truly be whose seat could not know what lies there: the card that does."""
    if isinstance(action, TurnUp | Keep):
        return choices(state)
    return (action,)


def implied(state: State) -> RaidAction | None:
    """The end of the turn, which people skip saying when the next player simply goes on."""
    job = waiting(state)
    return Pass(state.seats[job.seat]) if job and job.do == "act" else None


_SHOWING = ("turn_up", "look", "peek")
"""What a game waits for once something is about to be seen that was not."""


def free(state: State, action: RaidAction) -> bool:
    """Whether the action may simply be taken back: no dice, and nothing is seen by it that was not.

    So are Moves to cars that are face up, and whatever is decided in a fight until others have gone on.
    """
    if isinstance(action, Rolled | Shuffled | TurnUp | Keep | PutBack | Pass):
        return False
    then = waiting(play(state, action))
    return then is not None and then.do not in _SHOWING
