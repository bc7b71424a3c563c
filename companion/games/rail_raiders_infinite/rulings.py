"""Which rulings an action's outcome rested on, so that the table can be told the first time."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.game import Rolled, Shuffled
from companion.games.rail_raiders_infinite.actions import (
    Board,
    Decide,
    Join,
    Pass,
    PickCar,
    PickLawbot,
    RaidAction,
    Reroll,
    Send,
    StayOff,
    TurnUp,
    UseCar,
)
from companion.games.rail_raiders_infinite.dice.hands import DICE, FIVE, best
from companion.games.rail_raiders_infinite.jobs.forces import bots_in, effects_from, final_hand, side_of
from companion.games.rail_raiders_infinite.jobs.rolling import thrown
from companion.games.rail_raiders_infinite.jobs.rounds import rank_to_board
from companion.games.rail_raiders_infinite.jobs.train import lawbots_on, raiders_on
from companion.games.rail_raiders_infinite.machine import play, waiting
from companion.games.rail_raiders_infinite.options import OPTIONS
from companion.games.rail_raiders_infinite.rules import hide, hide_action
from companion.games.rail_raiders_infinite.state import (
    HIGH_NOON,
    LAWBOTS,
    LONG_ARM,
    LOOT,
    NOBODY,
    OFF,
    Fight,
    Job,
    State,
)
from companion.games.rail_raiders_infinite.words.refusals import refusal

_SWITCHED = tuple(option for option in OPTIONS if len(option.values) > 1 and option.name != "raiders")

_DICE = 20
"""How many dice there are. Rulebook, Components."""


def decided(state: State, action: RaidAction) -> tuple[str, ...]:
    """The ids of the rulings that a legal action's outcome rested on, in order.

    A switched ruling decided it when the game would have gone otherwise under its other value.
    """
    state, action = hide(state), hide_action(action)
    after = play(state, action)
    job = waiting(state)
    assert job is not None
    ids = {
        option.rule
        for option in _SWITCHED
        for value in option.values
        if _differs(state, action, after, option.name, value)
    }
    ids.update(_of_rolls(state, job, action), _of_answers(state, job, action))
    ids.update(_of_fights(state, after), _of_ends(state, after), _of_arrivals(state, job, after))
    return tuple(sorted(ids))


def _differs(state: State, action: RaidAction, after: State, option: str, value: str) -> bool:
    if getattr(state.options, option) == value:
        return False
    other = replace(state, options=replace(state.options, **{option: value}))
    return refusal(other, action) is not None or replace(play(other, action), options=state.options) != after


def _of_rolls(state: State, job: Job, action: RaidAction) -> Iterator[str]:
    if isinstance(action, Shuffled):
        if job.do == "shuffle" and job.card == "tokens" and state.round:
            yield "RR-A19"
        if job.do == "shuffle" and job.card in (LONG_ARM, LOOT) and state.round:
            yield "RR-A20"
        return
    if not isinstance(action, Rolled):
        return
    if job.do == "contest" and len(job.hands) == len(job.seats) - 1:
        hands = (*job.hands, best(thrown(action)))
        if hands.count(max(hands)) > 1 and job.card != "rolloff":
            yield "RR-A26"
        if len({hand.rank for hand in hands}) < len(hands) and hands.count(max(hands)) == 1:
            yield "RR-A11"
    if len(action.values) > DICE:
        yield "RR-A12"
    if job.do == "throw" and state.fight is not None:
        fight = state.fight
        if sum(len(side.faces) for side in fight.sides) + len(action.values) > _DICE:
            yield "RR-A28"
        if job.seat == LAWBOTS and (bots_in(state, fight)[1] > 1 or bots_in(state, fight)[2] > 1):
            yield "RR-A14"


def _of_answers(state: State, job: Job, action: RaidAction) -> Iterator[str]:
    match action:
        case Board():
            if any(rank_to_board(state, car) > FIVE for car in range(len(state.cars))):
                yield "RR-A03"
            if not state.cars[action.car].up:
                yield "RR-A04"
        case StayOff():
            yield "RR-A05"
        case Pass() if state.acts.left:
            yield "RR-A23"
        case UseCar():
            yield "RR-A22"
        case Reroll() if job.do == "reroll":
            yield "RR-A13"
        case PickLawbot() if job.do == "put_lawbot":
            yield "RR-A18"
        case TurnUp() if job.card == HIGH_NOON and state.riders[job.seat].at == OFF:
            yield "RR-A24"
        case TurnUp() if job.card == "token":
            yield "RR-A19"
        case Decide() if job.do == "donation":
            yield "RR-A17"
        case Join(join=True):
            yield "RR-A07"
            if _is_said_exactly(state):
                yield "RR-A27"
        case PickCar() if job.do == "own_way":
            if state.fight is not None and state.riders[job.seat].at != state.fight.car:
                yield "RR-A31"
        case Send():
            yield from _of_sending(state, action)
    tag = action.__struct_config__.tag
    if tag == "move" and getattr(action, "car", OFF) in (0, len(state.cars) - 1):
        yield "RR-A21"
    if tag == "search":
        yield "RR-A32"


def _is_said_exactly(state: State) -> bool:
    """Whether a card in force speaks of Showdowns alone, or of Searches alone."""
    return any(
        effect.when in ("showdown", "search")
        for seat in range(len(state.seats))
        for effect, _ in effects_from(state, seat)
    )


def _of_sending(state: State, action: Send) -> Iterator[str]:
    fight = state.fight
    assert fight is not None
    if fight.winner == LAWBOTS:
        yield "RR-A10"
    loser = state.riders[state.seats.index(action.loser)].at
    if loser in (0, len(state.cars) - 1):
        yield "RR-A15"
    if loser != fight.car:
        yield "RR-A31"
    if action.car != OFF and not state.cars[action.car].up:
        yield "RR-A16"


def _of_fights(state: State, after: State) -> Iterator[str]:
    old, new = state.fight, after.fight
    if new is not None and (old is None or len(old.sides) != len(new.sides)):
        yield from _of_control(state, new)
    if old is None:
        return
    if old.winner == NOBODY and new is not None and new.best and not old.best:
        yield "RR-A09"
    if old.winner == NOBODY and (new is None or new.winner != NOBODY) and _is_rolled(old):
        if old.kind == "search":
            yield "RR-A34"
        if any(final_hand(state, side).rank > FIVE for side in old.sides if side.faces):
            yield "RR-A30"
    if new is None and side_of(old, LAWBOTS) is not None:
        before, now = state.cars[old.car].grit, after.cars[old.car].grit
        if before and len(now) < len(before):
            yield "RR-A33"


def _is_rolled(fight: Fight) -> bool:
    """Whether all sides but one have thrown, at least: the next throw decides."""
    return sum(not side.faces for side in fight.sides) <= 1 and len(fight.sides) > 1


def _of_control(state: State, fight: Fight) -> Iterator[str]:
    lawbots = side_of(fight, LAWBOTS)
    if lawbots is None:
        return
    if side_of(fight, lawbots.runner) is not None:
        yield "RR-A29"
    if state.riders[lawbots.runner].at == OFF:
        yield "RR-A25"


def _of_ends(state: State, after: State) -> Iterator[str]:
    if (
        after.last_round
        and not state.last_round
        and len(after.high_noon_buried) > len(state.high_noon_buried)
    ):
        yield "RR-A01"
    if state.last_round and after.turn != state.turn and after.turn != NOBODY and not after.high_noon:
        yield "RR-A01"


def _of_arrivals(state: State, job: Job, after: State) -> Iterator[str]:
    """Lawbots have come to where Raiders are."""
    drawn = job.do == "turn_up" and job.card == LONG_ARM
    more = drawn and lawbots_on(after, job.car) > lawbots_on(state, job.car)
    if more and raiders_on(after, job.car):
        yield "RR-A35"
