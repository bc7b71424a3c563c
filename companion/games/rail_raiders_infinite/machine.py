"""The machine: it takes the first job of the agenda, until somebody or chance has to say something."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from companion.games.game import AwaitedDice, AwaitedShuffle, Awaiting
from companion.games.rail_raiders_infinite.actions import Answer, RaidAction, UseCard
from companion.games.rail_raiders_infinite.jobs.aftermath import AFTERMATH
from companion.games.rail_raiders_infinite.jobs.agenda import Kind
from companion.games.rail_raiders_infinite.jobs.by_hand import BY_HAND
from companion.games.rail_raiders_infinite.jobs.doing import ACTS, answers
from companion.games.rail_raiders_infinite.jobs.fighting import FIGHTS
from companion.games.rail_raiders_infinite.jobs.gathering import GATHERINGS
from companion.games.rail_raiders_infinite.jobs.piles import PILES
from companion.games.rail_raiders_infinite.jobs.rolling import ROLLS
from companion.games.rail_raiders_infinite.jobs.rounds import ROUNDS
from companion.games.rail_raiders_infinite.jobs.searching import SEARCHES
from companion.games.rail_raiders_infinite.jobs.steps import CARD_STEPS
from companion.games.rail_raiders_infinite.state import Job, State

MACHINE: dict[str, Kind] = {
    **ROUNDS,
    **PILES,
    **ROLLS,
    **ACTS,
    **SEARCHES,
    **GATHERINGS,
    **FIGHTS,
    **AFTERMATH,
    **CARD_STEPS,
    **BY_HAND,
}
"""Every kind of job, by what it does."""


def advance(state: State) -> State:
    """The state after all that needs no choice and no chance."""
    *_, last = _going_on(state)
    return last


def _going_on(state: State) -> Iterator[State]:
    """One state after the other, as long as nobody has to say anything."""
    after: State | None = state
    while after is not None:
        yield after
        if not after.agenda:
            return
        job = after.agenda[0]
        after = MACHINE[job.do].step(after, job)


def waiting(state: State) -> Job | None:
    """The job that the game waits for; None when the game is over."""
    return state.agenda[0] if state.agenda else None


def chance_of(state: State) -> AwaitedDice | AwaitedShuffle | None:
    """What chance is to say, if the game waits for that."""
    job = waiting(state)
    if job is None:
        return None
    kind = MACHINE[job.do]
    return kind.chance(state, job) if kind.chance else None


def choices(state: State) -> tuple[Answer, ...]:
    """What the seat that the game waits for may answer, each once; nothing while chance is awaited."""
    job = waiting(state)
    return MACHINE[job.do].choices(state, job) if job else ()


def decider(state: State) -> str:
    """The seat that is to answer; "" while chance is awaited, and when the game is over."""
    job = waiting(state)
    if job is None or MACHINE[job.do].chance:
        return ""
    return state.seats[MACHINE[job.do].decider(state, job)]


@lru_cache(maxsize=64)
def awaiting(state: State) -> Awaiting:
    """Who holds the game up, and what chance is to say."""
    seat = decider(state)
    return Awaiting((seat,)) if seat else Awaiting(chance=chance_of(state))


@lru_cache(maxsize=256)
def legal(state: State, seat: str, card: str = "") -> tuple[Answer, ...]:
    """All that the seat may do now; with a card, only what it may do with that one."""
    if seat not in state.seats:
        return ()
    found = choices(state) if seat == decider(state) else _thrown_in(state, seat)
    if card:
        return tuple(action for action in found if getattr(action, "card", "") == card)
    return found


def _thrown_in(state: State, seat: str) -> tuple[UseCard, ...]:
    """What a player may use up in the turn of another one, who is choosing an action."""
    job = waiting(state)
    return answers(state, state.seats.index(seat)) if job and job.do == "act" else ()


def play(state: State, action: RaidAction) -> State:
    """The state after a legal action; what needs nobody's choice and no chance happens at once."""
    return advance(_answered(state, action))


def passing(state: State, action: RaidAction) -> tuple[State, ...]:
    """The states that a legal action passes through, one job after the other; `play` gives the last."""
    return tuple(_going_on(_answered(state, action)))


def _answered(state: State, action: RaidAction) -> State:
    job = state.agenda[0]
    answer = MACHINE[job.do].answer
    assert answer is not None
    return answer(state, job, action)
