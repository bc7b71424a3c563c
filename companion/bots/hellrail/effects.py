"""What the bot chooses outside its own card actions: Circle Effects, Heresy Chips, laying Circles."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from msgspec.structs import replace

from companion.bots.hellrail.outlook import TIE, Outlook
from companion.bots.hellrail.routes import Entry, exits
from companion.bots.hellrail.turn import rammed
from companion.games.hellrail.actions import (
    Declare,
    DiscardCard,
    Done,
    Land,
    MoveEngine,
    PlaceCircle,
    PutCounter,
    ScrapRail,
    SpendChip,
    TakeCounter,
    Target,
    TurnRail,
)
from companion.games.hellrail.effects import choices, choose, named, present, targets_of
from companion.games.hellrail.movement import net_of
from companion.games.hellrail.state import (
    BARRIER,
    COLUMNS,
    EFFECT,
    ROWS,
    Effect,
    State,
    Step,
    circle_cards,
)
from companion.games.hellrail.track import Cell, Position, neighbours

_HARM = 0.4  # how much of an opponent's loss is one's own gain
_SPOILT = 1.0  # what it is worth that an opponent finds no rail ahead
_MINE = 2.0  # what a card on one's own way is worth
_CHIP = 1.2  # what a chip is worth to who has it
_TICKET = 0.8  # and a ticket
_FIRST = 1000.0  # what nothing comes before
_SAFE = 0.2  # what it is worth that a card is safe from being turned
_EXPRESS = ("house", "3")  # the edition and Circle whose table step takes a train to where a car is due


class Choices:
    """What each choice is worth to a seat, in points: nothing where it may be left, and is."""

    def __init__(self, outlook: Outlook) -> None:
        self._outlook = outlook
        self._view = outlook.view

    def worth(self, action: Any) -> float:
        """What the action is worth."""
        match action:
            case PlaceCircle(cell=cell):
                return -abs(cell[0] + 0.5 - COLUMNS / 2) - abs(cell[1] + 0.5 - ROWS / 2)
            case Declare(use=True):
                return self._effect(present(self._view))
            case SpendChip():
                return self._turned_round(present(self._view)) - _CHIP
            case Land():
                return rammed(self._outlook, action.rammed)
            case _ if self._view.phase == EFFECT:
                return self._choice(self._view, action)
        return 0.0

    # -- whether -----------------------------------------------------------------------------------

    def _effect(self, effect: Effect) -> float:
        """What the Effect brings if it is used."""
        total = 0.0
        for step in circle_cards(self._view.edition)[effect.circle].steps:
            worth = self._step(replace(effect, steps=(step,), chosen=()))
            total += max(0.0, worth) if step.optional else worth
        return total

    def _step(self, effect: Effect) -> float:
        """What one step brings, with the best choice in it."""
        step, state = effect.steps[0], replace(self._view, phase=EFFECT, effect=effect)
        seats = targets_of(state, step)
        if not seats:
            return 0.0
        if step.do == "table":
            return self._by_express(effect.circle)
        if step.do in ("turn_rail", "scrap_rail", "put_counter", "take_counter"):
            state = replace(state, effect=replace(effect, chosen=seats))
            return max(self._choice(state, action) for action in choices(state, effect.seat))
        worths = [self._for(seat, step) for seat in seats]
        return sum(worths) if step.who == "opponents" else max(worths)

    def _turned_round(self, effect: Effect) -> float:
        """What a chip brings that turns round what an opponent declared: derailing, or being spared it."""
        outlook = self._outlook
        own = outlook.loss(outlook.seat)
        others = [outlook.loss(seat) for seat in outlook.opponents if seat != effect.seat]
        total = 0.0
        for step in circle_cards(self._view.edition)[effect.circle].steps:
            if step.do != "derail":
                continue
            if step.who == "self":
                total -= _HARM * outlook.loss(effect.seat)
            elif step.who == "opponents" or own >= max(others, default=0.0):
                total += own
        return total if effect.use else -total

    # -- which -------------------------------------------------------------------------------------

    def _choice(self, state: State, action: Any) -> float:
        effect = present(state)
        step = effect.steps[0]
        match action:
            case _ if step.do == "table":
                return self._told(effect.circle, action)
            case DiscardCard(card=card):
                return -self._outlook.keep(self._outlook.cards[card])
            case Target():
                return sum(self._for(seat, step) for seat in named(state, action))
            case MoveEngine(target=target, to=to):
                return self._moved(state.seats.index(target), to)
            case TurnRail() | ScrapRail() | PutCounter() | TakeCounter():
                return self._on_rail(state, action)
        return 0.0

    def _for(self, seat: int, step: Step) -> float:
        """What it is worth that the step is for that seat."""
        outlook = self._outlook
        own = seat == outlook.seat
        match step.do:
            case "gain":
                good = _TICKET
            case "draw":
                good = step.count * outlook.spare(len(self._view.hands[seat]))
            case "discard":
                count = min(step.count, len(self._view.hands[seat]))
                good = -sum(sorted(map(outlook.keep, outlook.hand))[:count]) if own else -count
            case "derail":
                good = -outlook.loss(seat)
            case "move_engine":
                to = [Position(cell) for name, cell in outlook.cells.items() if step.to in ("", name)]
                return max(self._moved(seat, there) for there in to)
            case _:
                return 0.0
        return good if own else -_HARM * good

    def _moved(self, seat: int, to: Position) -> float:
        """What it is worth that an engine is set there."""
        outlook = self._outlook
        if seat == outlook.seat:
            there = outlook.setting(to) + outlook.due(to)
            return there - outlook.now - outlook.due(outlook.engine)
        here = self._view.engines[seat].cell
        cars = [outlook.cells[outlook.cards[car].setout] for car in self._view.loaded[seat]]
        return (
            _HARM * TIE * sum(outlook.distance(to.cell, cell) - outlook.distance(here, cell) for cell in cars)
        )

    def _on_rail(self, state: State, action: Any) -> float:
        """What it is worth that the rail on a cell is changed: what others come to, and one's own way."""
        outlook, cell = self._outlook, action.cell
        if isinstance(action, PutCounter | TakeCounter) and action.counter != BARRIER:
            return _SAFE if (cell in self._own_way) == isinstance(action, PutCounter) else 0.0
        after = choose(state, action)
        worth = 0.0
        if cell in self._near:
            worth += Outlook(replace(self._view, rails=after.rails), outlook.seat).now - outlook.now
        elif cell in self._own_way:
            worth -= _MINE
        net = net_of(after)
        blocked = cell in net.barriers
        for there, side in self._coming:
            if there == cell and (blocked or not (cell in net.faces and net.faces[cell].entries[side])):
                worth += _SPOILT
        return worth

    @cached_property
    def _own_way(self) -> frozenset[Cell]:
        return frozenset(self._outlook.routes.cells(self._outlook.engine))

    @cached_property
    def _near(self) -> frozenset[Cell]:
        """The cells around the engine, where it is worth looking closely."""
        near = {self._outlook.engine.cell}
        for _ in range(2):
            near |= {there for cell in near for there in neighbours(cell)}
        return frozenset(near)

    @cached_property
    def _coming(self) -> tuple[Entry, ...]:
        """Where opponents on rail come to next."""
        engines = [self._view.engines[seat] for seat in self._outlook.opponents]
        net = net_of(self._view)
        return tuple(entry for engine in engines if not engine.in_circle for _, entry in exits(net, engine))

    # -- what the table does ---------------------------------------------------------------------------

    def _by_express(self, circle: str) -> float:
        """What it brings to be set in the best of the Circles where the train's cars are set out."""
        seat = self._outlook.seat
        return max((self._moved(seat, to) for to in self._express(circle)), default=0.0)

    def _told(self, circle: str, action: Any) -> float:
        """What the bot tells that the table did: it was set where that brings most; else it is done."""
        own = isinstance(action, MoveEngine) and action.target == self._view.seats[self._outlook.seat]
        if own and action.to in self._express(circle):
            return _FIRST + self._moved(self._outlook.seat, action.to)
        return 0.0 if isinstance(action, Done) else -1.0

    def _express(self, circle: str) -> frozenset[Position]:
        """The Circles where cars of the train are set out, for who has yet to be set there."""
        outlook = self._outlook
        here = Position(outlook.cells[circle])
        if (self._view.edition.name, circle) != _EXPRESS or outlook.engine != here:
            return frozenset()
        ends = {Position(outlook.cells[car.setout]) for car in outlook.loaded if car.setout}
        return frozenset(ends - {here})
