"""Why an action of a turn may not be taken: each rule of the Action Phase in a sentence.

Rulebook, Action Phase; Search; Showdown.
"""

from __future__ import annotations

from companion.games.rail_raiders_infinite.actions import (
    Answer,
    Board,
    Move,
    Search,
    Showdown,
    TradeCard,
    UseCar,
)
from companion.games.rail_raiders_infinite.jobs.doing import (
    LAWBOT_TARGET,
    ability,
    may_take,
    reachable,
)
from companion.games.rail_raiders_infinite.jobs.forces import effects_on
from companion.games.rail_raiders_infinite.jobs.rounds import rank_to_board
from companion.games.rail_raiders_infinite.jobs.train import card_of_car, holds_fast, lawbots_on
from companion.games.rail_raiders_infinite.state import OFF, SAME, Job, State
from companion.games.rail_raiders_infinite.words.names import bots, car, counted, listed, name
from companion.games.refusing import BOOK, FORM, Fault

ACT_FAULTS = Move | Showdown | Search | UseCar | TradeCard | Board
"""The actions that are explained here."""

_PHASE = "Action Phase"


def act_fault(state: State, job: Job, action: Answer) -> Fault:
    """Why the player in turn may not do that."""
    seat = job.seat
    here, subject = state.riders[seat].at, name(state.seats[seat])
    if isinstance(action, Board):
        if here != OFF:
            return BOOK, "Off the Train", f"{subject} is on the train already."
        rank = rank_to_board(state, action.car)
        section = "Starting the Game: Boarding the Train"
        return "RR-A03", section, f"That car would need rank {rank}; choose one nearer to the caboose."
    if here == OFF:
        return "RR-A05", "Off the Train", f"{subject} is Off the Train, and can only try to get back on."
    if job.do == "second_showdown" and not isinstance(action, Showdown):
        return BOOK, "Showdown", "A second Showdown may follow now, or nothing."
    kind = _kind(state, action, here)
    if not isinstance(action, TradeCard) and job.do == "act" and not may_take(state, kind):
        return _too_often(state, kind)
    match action:
        case Move():
            return _move_fault(state, seat, action)
        case Showdown():
            return _showdown_fault(state, seat, action)
        case Search():
            return _search_fault(state, seat)
        case UseCar():
            return BOOK, _PHASE, f"{car(state, here)} has no ability to use; choose another action."
    if not effects_on(state, seat, "third_action"):
        return BOOK, _PHASE, f"{subject} has nothing that lets cards be discarded for a third action."
    return BOOK, "Equipment and Weapons", "That card is not equipped, or no action is left; choose another."


def _kind(state: State, action: Answer, here: int) -> str:
    found = card_of_car(state, here)
    kinds = {Move: "move", Showdown: "showdown", Search: "search"}
    return kinds.get(type(action), ability(found.name) if found else "")


def _too_often(state: State, kind: str) -> Fault:
    if not state.acts.left:
        return BOOK, _PHASE, "All actions of this turn are taken; end the turn."
    what = kind.split(":")[0].title()
    rule = "RR-A22" if ":" in kind else BOOK
    return rule, _PHASE, f"{what} has been done {SAME} times this turn, which is the most; do something else."


def _move_fault(state: State, seat: int, action: Move) -> Fault:
    section, here = "Action Phase - Move", state.riders[seat].at
    if not 0 <= action.car < len(state.cars):
        return FORM, section, f"The train has cars 0 to {len(state.cars) - 1}; choose one of them."
    if state.acts.no_moves or effects_on(state, seat, "no_moves"):
        return BOOK, section, f"A card forbids {name(state.seats[seat])} to Move this turn."
    if holds_fast(state, here):
        return BOOK, "Grit", f"A Grit card keeps Raiders on {car(state, here)} while Lawbots are there."
    near = listed(tuple(car(state, other) for other in reachable(state, seat)), "or")
    return BOOK, section, f"A Move goes to an adjacent car, from {car(state, here)} to {near}."


def _showdown_fault(state: State, seat: int, action: Showdown) -> Fault:
    section, here = "Action Phase - Showdown", state.riders[seat].at
    if action.target == LAWBOT_TARGET:
        return BOOK, section, f"No Lawbots are on {car(state, here)}; choose another target."
    if action.target not in state.seats:
        return FORM, section, f"Nobody plays '{action.target}'; choose a Raider on the car, or its Lawbots."
    if action.target == state.seats[seat]:
        return BOOK, section, "A Raider does not fight itself; choose another target."
    return BOOK, section, f"{name(action.target)} is not on {car(state, here)}; choose a Raider who is."


def _search_fault(state: State, seat: int) -> Fault:
    section, here = "Action Phase - Search", state.riders[seat].at
    if effects_on(state, seat, "no_search"):
        return BOOK, section, f"A card forbids {name(state.seats[seat])} to Search this turn."
    if lawbots_on(state, here):
        found = bots(state.cars[here].bots)
        return BOOK, section, f"No Search while Lawbots are on the car: {found}; beat them first."
    tokens = counted(len(state.cars[here].tokens), "Loot token")
    return "RR-A32", section, f"A Search needs a Loot token, and {car(state, here)} has {tokens}."
