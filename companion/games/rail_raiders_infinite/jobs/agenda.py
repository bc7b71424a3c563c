"""What is to be done, one thing before the other: the agenda, and small changes to a State.

Whatever happens in the game is a job. The machine takes the first one; it goes on by itself, or it
waits for a player's choice, dice or a shuffle. A job may put others before those that are left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from msgspec.structs import replace

from companion.games.game import Action, AwaitedDice, AwaitedShuffle
from companion.games.rail_raiders_infinite.state import TURNED_UP, Car, Job, Rider, State

T = TypeVar("T")


def _waits(state: State, job: Job) -> State | None:
    return None


def _nothing(state: State, job: Job) -> tuple[Any, ...]:
    return ()


def _own_seat(state: State, job: Job) -> int:
    return job.seat


@dataclass(frozen=True)
class Kind:
    """A kind of job. `step` is the State after what needs no choice and no chance, None where it waits.

    Then either `choices` are what may be answered, by the seat `decider`, or `chance` what is awaited
    of it. `answer` is the State after that; the job is still the first on the agenda until then.
    """

    step: Callable[[State, Job], State | None] = _waits
    choices: Callable[[State, Job], tuple[Any, ...]] = _nothing
    chance: Callable[[State, Job], AwaitedDice | AwaitedShuffle] | None = None
    answer: Callable[[State, Job, Any], State] | None = None
    decider: Callable[[State, Job], int] = _own_seat


def push(state: State, *jobs: Job) -> State:
    """These jobs come first, in their order."""
    return replace(state, agenda=jobs + state.agenda)


def pop(state: State) -> State:
    """The first job is done."""
    return replace(state, agenda=state.agenda[1:])


def instead(state: State, *jobs: Job) -> State:
    """These jobs in place of the first one."""
    return replace(state, agenda=jobs + state.agenda[1:])


def put(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """The same with one item exchanged."""
    return (*items[:at], item, *items[at + 1 :])


def with_rider(state: State, seat: int, **changes: Any) -> State:
    """A Raider is changed."""
    rider: Rider = replace(state.riders[seat], **changes)
    return replace(state, riders=put(state.riders, seat, rider))


def with_car(state: State, car: int, **changes: Any) -> State:
    """What is on a car is changed."""
    changed: Car = replace(state.cars[car], **changes)
    return replace(state, cars=put(state.cars, car, changed))


def with_acts(state: State, **changes: Any) -> State:
    """What is noted of the running turn is changed."""
    return replace(state, acts=replace(state.acts, **changes))


def with_top(state: State, deck: str, card: str) -> State:
    """Another card shows on the discard pile of a deck, or none."""
    high_noon, long_arm = put(state.tops, TURNED_UP.index(deck), card)
    return replace(state, tops=(high_noon, long_arm))


def clockwise(state: State, first: int) -> tuple[int, ...]:
    """All seats, clockwise from that one."""
    count = len(state.seats)
    return tuple((first + far) % count for far in range(count))


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The cards with one of that name less; ValueError if there is none."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def seat_of(state: State, action: Action) -> int:
    """The number of the seat that acts."""
    return state.seats.index(str(getattr(action, "seat", "")))


def score(state: State, seat: int, dollars: int) -> State:
    """A Raider gets dollars, or loses some, never below none."""
    rider = state.riders[seat]
    state = with_rider(state, seat, dollars=max(0, rider.dollars + dollars))
    if seat == state.turn and dollars > 0:
        state = with_acts(state, scored=state.acts.scored + dollars)
    return state
