"""Why a choice within a Circle's Effect may not be made."""

from __future__ import annotations

from companion.games.hellrail import effects
from companion.games.hellrail.actions import (
    Derail,
    DiscardCard,
    Done,
    DrawCard,
    Gain,
    HellRailAction,
    MoveEngine,
    PutCounter,
    ScrapRail,
    TakeCounter,
    Target,
    TurnRail,
)
from companion.games.hellrail.movement import net_of
from companion.games.hellrail.names import circle_name, name, squares
from companion.games.hellrail.piles import holds
from companion.games.hellrail.rails import occupied
from companion.games.hellrail.state import CHIP, COUNTERS, TICKET, Rail, State, Step
from companion.games.hellrail.track import TURNS, Cell, Position
from companion.games.refusing import BOOK, FORM, Fault

_EFFECT = "Movement - Entering a Circle"
_EMPTY = "Occupied vs. Empty"

_STEP_OF: dict[type[HellRailAction], str] = {
    TurnRail: "turn_rail",
    ScrapRail: "scrap_rail",
    PutCounter: "put_counter",
    TakeCounter: "take_counter",
    MoveEngine: "move_engine",
    DiscardCard: "discard",
}


def effect_fault(state: State, action: HellRailAction) -> Fault:
    """Whether the step that is carried out asks for this, of this seat, and whether it can be done."""
    effect = effects.present(state)
    step = effect.steps[0]
    if step.do == "table":
        return _table_fault(state, action)
    asked = state.seats[effects.chooser(state)]
    if getattr(action, "seat", "") != asked:
        return "HR-A39", _EFFECT, f"It is for {name(asked)} to choose in the Effect of this Circle."
    if isinstance(action, Done):
        if step.optional:
            return None
        return BOOK, _EFFECT, "This step of the Effect may not be left out; choose."
    if not effect.chosen:
        if not isinstance(action, Target):
            return BOOK, _EFFECT, "First say which player this step of the Effect is for."
        if action.target in effects.nameable(state, step):
            return None
        return BOOK, _EFFECT, f"This step cannot be for '{action.target}'; choose another player."
    if _STEP_OF.get(type(action)) != step.do:
        return BOOK, _EFFECT, f"The Effect of {circle_name(effect.circle)} does not say that now."
    return _step_fault(state, step, action, state.seats[effect.chosen[0]])


def _step_fault(state: State, step: Step, action: HellRailAction, chosen: str) -> Fault:
    match action:
        case DiscardCard(seat=seat, card=card):
            return _held_fault(state, seat, card)
        case MoveEngine(target=target, to=to):
            if target != chosen:
                return BOOK, _EFFECT, f"It is {name(chosen)}'s engine that is moved."
            there = next((circle for circle in state.circles if Position(circle.cell) == to), None)
            if there is None or step.to not in ("", there.name):
                where = circle_name(step.to) if step.to else "a Circle"
                return BOOK, _EFFECT, f"The engine is moved to {where}."
            if to == state.engines[state.seats.index(target)]:
                return BOOK, _EFFECT, "The engine is there already; choose another Circle."
        case PutCounter(counter=counter) if counter != step.what:
            return BOOK, _EFFECT, f"The Effect puts down a {step.what}, nothing else."
        case TakeCounter(counter=counter) if step.what and counter != step.what:
            return BOOK, _EFFECT, f"The Effect takes a {step.what} away, nothing else."
    return _rail_fault(state, action, bare=True)


def _table_fault(state: State, action: HellRailAction) -> Fault:
    effect = effects.present(state)
    owner = state.seats[effect.seat]
    if isinstance(action, DiscardCard):
        return _held_fault(state, action.seat, action.card)
    if getattr(action, "seat", "") != owner:
        return "HR-A39", _EFFECT, f"{name(owner)} tells what came of the Circle's Effect."
    match action:
        case Done():
            return None
        case Target():
            return BOOK, _EFFECT, "Nobody is to be chosen; tell what was done, then that it is done."
        case Derail(target=target) | DrawCard(target=target):
            return None if target in state.seats else _nobody(target)
        case Gain(target=target, what=what):
            if target not in state.seats:
                return _nobody(target)
            if what not in (CHIP, TICKET):
                return FORM, "Components", f"There is no '{what}' to gain, only a {CHIP} or a {TICKET}."
            if not effects.may_gain(state, state.seats.index(target), what):
                section = "Heresy Chips" if what == CHIP else "Boatman Tickets"
                return BOOK, section, f"{name(target)} has a {what} already, or none is left."
            return None
        case MoveEngine(target=target, to=to):
            if target not in state.seats:
                return _nobody(target)
            return _anywhere_fault(state, target, to)
    return _rail_fault(state, action, bare=False)


def _nobody(target: str) -> Fault:
    return FORM, _EFFECT, f"Nobody plays '{target}'; name a player of this game."


def _anywhere_fault(state: State, target: str, to: Position) -> Fault:
    if to == state.engines[state.seats.index(target)]:
        return BOOK, _EFFECT, "The engine is there already; say where else it went."
    if to.in_circle and to == Position(to.cell) and any(circle.cell == to.cell for circle in state.circles):
        return None
    lying = net_of(state).faces.get(to.cell)
    if lying is None or to.spot not in lying.ahead:
        return BOOK, "Movement - Stay On Rail Ties", "An engine is always in a Circle or on a black tie."
    if any((at.cell, at.segment, at.tie) == (to.cell, to.segment, to.tie) for at in state.engines):
        return "HR-A12", "Movement - No Passing", "An engine stands on that tie already; one to a tie."
    return None


def _held_fault(state: State, seat: str, card: str) -> Fault:
    if holds(state, state.seats.index(seat), card):
        return None
    return BOOK, _EFFECT, f"{name(seat)} does not hold '{card}'; discard a card from the hand."


def _rail_fault(state: State, action: HellRailAction, *, bare: bool) -> Fault:
    """Cards to turn or discard are empty; while the table does it, non-occupied will do (HR-A40)."""
    if not isinstance(action, TurnRail | ScrapRail | PutCounter | TakeCounter):
        return None
    rail = next((rail for rail in state.rails if rail.cell == action.cell), None)
    if rail is None:
        return BOOK, _EFFECT, f"No Rail Card lies on {squares(action.cell)}; choose one that does."
    if isinstance(action, TakeCounter):
        if action.counter in rail.counters:
            return None
        return BOOK, _EFFECT, f"No {action.counter} lies on {squares(action.cell)}; choose another card."
    if rail.cell in occupied(state):
        return "HR-A40", _EMPTY, f"An engine stands on {squares(action.cell)}; choose a non-occupied card."
    if isinstance(action, PutCounter):
        return _counter_fault(rail, action.counter, action.cell)
    if isinstance(action, TurnRail) and (action.turn not in TURNS or action.turn == rail.turn):
        return FORM, _EFFECT, "Turn the card to another of its four turns."
    if bare and rail.counters:
        return BOOK, _EMPTY, f"A counter lies on {squares(action.cell)}, so it is not empty; choose another."
    return None


def _counter_fault(rail: Rail, counter: str, cell: Cell) -> Fault:
    if counter not in COUNTERS:
        return FORM, _EFFECT, f"There is no counter '{counter}', only {' and '.join(COUNTERS)}."
    if counter in rail.counters:
        return BOOK, _EFFECT, f"A {counter} lies on {squares(cell)} already; choose another card."
    return None
