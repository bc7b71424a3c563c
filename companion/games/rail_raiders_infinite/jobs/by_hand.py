"""What the table does by itself, where no vocabulary can say it: the players tell what came of it."""

from __future__ import annotations

from companion.games.rail_raiders_infinite.actions import (
    Done,
    TellDollars,
    TellHighNoon,
    TellLawbot,
    TellRaider,
    TellToken,
)
from companion.games.rail_raiders_infinite.jobs.agenda import Kind, pop, push, score, with_acts, with_rider
from companion.games.rail_raiders_infinite.jobs.piles import discard_high_noon
from companion.games.rail_raiders_infinite.jobs.rounds import mark_last_round
from companion.games.rail_raiders_infinite.jobs.train import go, put_lawbot, supply
from companion.games.rail_raiders_infinite.state import KINDS, OFF, Job, State

Told = TellDollars | TellRaider | TellLawbot | TellToken | TellHighNoon | Done


def _choices(state: State, job: Job) -> tuple[Told, ...]:
    """All that may be told: dollars, Raiders, Lawbots, tokens and High Noon cards."""
    name, cars = state.seats[job.seat], range(len(state.cars))
    found: list[Told] = []
    for seat, rider in zip(state.seats, state.riders, strict=True):
        found.append(TellDollars(name, seat, 1))
        if rider.dollars:
            found.append(TellDollars(name, seat, -1))
        found += [TellRaider(name, seat, car) for car in (OFF, *cars) if car != rider.at]
    for at, kind in enumerate(KINDS):
        here = [car for car in cars if state.cars[car].bots[at]]
        if supply(state, kind):
            found += [TellLawbot(name, kind, OFF, to) for to in cars]
        found += [TellLawbot(name, kind, car, to) for car in here for to in (OFF, *cars) if to != car]
    if state.tokens or state.shown:
        found += [TellToken(name, car) for car in cars]
    if state.high_noon:
        found.append(TellHighNoon(name))
    return (*found, Done(name))


def _told(state: State, job: Job, action: Told) -> State:
    match action:
        case Done():
            return pop(state)
        case TellDollars(target=target, dollars=dollars):
            return score(state, state.seats.index(target), dollars)
        case TellRaider(target=target, car=car):
            seat = state.seats.index(target)
            if car != OFF:
                # Who is put back on the train in the own turn has the actions that are left.
                back = seat == state.turn and state.riders[seat].at == OFF
                return go(with_acts(state, over=False) if back else state, seat, car)
            state = with_rider(state, seat, at=OFF)
            ends = seat == state.turn and state.options.boarding == "turn_start"
            return with_acts(state, over=True) if ends else state
        case TellLawbot(kind=kind, car=car, to=to):
            if car != OFF:
                state = put_lawbot(state, kind, car, -1)
            return put_lawbot(state, kind, to) if to != OFF else state
        case TellToken(car=car):
            return push(state, Job("tokens", job.seat, car))
    state = discard_high_noon(state, 1)
    return state if any(later.do == "check_deck" for later in state.agenda) else mark_last_round(state)


BY_HAND: dict[str, Kind] = {"table": Kind(choices=_choices, answer=_told)}
"""The kind of job that the table does by itself."""
