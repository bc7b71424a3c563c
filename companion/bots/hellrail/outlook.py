"""What one seat makes of a view: what its cards, the Circles and the ways there are worth to it.

Worth is in points, as they are counted at the end; what a way costs is in ties.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from companion.bots.hellrail.routes import CURVE, OVER, STRAIGHT, Routes
from companion.games.hellrail.effects import circle_at, may_gain
from companion.games.hellrail.movement import net_of
from companion.games.hellrail.rails import fitting, occupied
from companion.games.hellrail.state import GATE, RailCard, State, Step, circle_cards, rail_cards
from companion.games.hellrail.track import Cell, Position, face, opposite
from companion.games.layout import UNKNOWN

TIE = 0.2
"""What a tie on the way is worth."""

_FITTING = 3.0  # ties that a segment costs which the hand holds
_WANTING = 8.0  # and one that has yet to be drawn
_PER_CELL = 4.5  # ties from Circle to Circle, for each cell between them
_STUCK = 60.0  # ties that it costs where no way leads on
_LOADED = 0.5  # how much of a car counts that is still to be loaded
_FURTHER = 0.35  # how much counts what can be done after the next Circle
_CROWD = (0.0, 0.0, 0.5, 1.5, 3.0)  # what one more car costs behind so many others
_LOADING = 0.5  # what it costs to load a car: the card is of no other use then
_SLOW = 1.5  # and where no other card of the hand could move so many
_PER_TURN = 1.3  # cards that leave the piles for good in a turn
_SPARE = (1.6, 1.2, 0.9, 0.7, 0.5, 0.35, 0.2, 0.1, 0.05, 0.0)  # a card more, to a hand of so many
_GAIN = 0.5  # what it is worth to come by a chip or a ticket
_DERAILED = 0.3  # how much of an opponent's loss is one's own gain
_ANY_STEP = 0.3  # what any other step of an Effect is worth, to who gets to choose in it
_BRIMSTONE = 0.5  # what it is worth, for each card more that it draws, to keep the best card to fan
_FORCED = 0.3  # how likely an opponent with a chip is to spend it against this seat
_TIE_BREAK = 0.001  # points that count only where the others are equal
_LOSS = 0.7  # how much of a loaded car's value is lost with it: it still had to get there


class Outlook:
    """The view of a seat (its number), and what is worth how much to it."""

    def __init__(self, view: State, seat: int) -> None:
        self.view = view
        self.seat = seat
        self.cards = rail_cards(view.edition)
        self.hand = tuple(self.cards[card] for card in view.hands[seat] if card != UNKNOWN)
        self.loaded = tuple(self.cards[card] for card in view.loaded[seat])
        self.cells = {circle.name: circle.cell for circle in view.circles}

    @property
    def engine(self) -> Position:
        """Where the seat's engine stands."""
        return self.view.engines[self.seat]

    @cached_property
    def opponents(self) -> tuple[int, ...]:
        """The other seats, by number."""
        return tuple(seat for seat in range(len(self.view.seats)) if seat != self.seat)

    # -- the piles and the score ----------------------------------------------------------------------

    @cached_property
    def left(self) -> int:
        """How many cards can still be drawn."""
        return len(self.view.deck) + len(self.view.discard) + len(self.view.buried)

    @cached_property
    def lead(self) -> float:
        """How many points this seat is ahead of the best of the others; loaded cars break a tie."""
        points = [self._points(cars) for cars in self.view.delivered]
        loaded = [_TIE_BREAK * self._points(cars) for cars in self.view.loaded]
        scores = [sum(both) for both in zip(points, loaded, strict=True)]
        return scores[self.seat] - max(scores[seat] for seat in self.opponents)

    def _points(self, cars: tuple[str, ...]) -> int:
        return sum(self.cards[car].value for car in cars)

    @cached_property
    def time(self) -> float:
        """How likely it is that what takes some turns yet will be done, 0 to 1."""
        return min(1.0, self.left / (_PER_TURN * len(self.view.seats)) / 3)

    def spare(self, hand: int) -> float:
        """What a card more is worth to a hand of so many, whatever the card."""
        return _SPARE[min(hand, len(_SPARE) - 1)]

    def loss(self, seat: int) -> float:
        """What it costs a seat to derail."""
        cars = _LOSS * self._points(self.view.loaded[seat])
        return sum(map(self.spare, range(len(self.view.hands[seat])))) + cars

    # -- cars and Circles -----------------------------------------------------------------------------

    def distance(self, start: Cell, end: Cell) -> float:
        """About so many ties lie between two Circles' cells."""
        return max(abs(start[0] - end[0]) + abs(start[1] - end[1]) - 1, 0) * _PER_CELL + 1

    def car(self, card: RailCard) -> float:
        """What it is worth to have the car loaded at its Pickup Circle."""
        if not card.pickup or not card.setout or len(self.loaded) >= len(_CROWD):
            return 0.0
        way = self.distance(self.cells[card.pickup], self.cells[card.setout])
        return (card.value - TIE * way) * self.time - _CROWD[len(self.loaded)]

    def loading(self, card: RailCard) -> float:
        """What it is worth to load the car, once the engine is where it waits."""
        fastest = max((other.brimstone for other in self.hand if other is not card), default=0)
        return self.car(card) - _LOADING - (_SLOW if fastest <= len(self.loaded) else 0.0)

    @cached_property
    def goals(self) -> dict[str, float]:
        """What it is worth to come into each Circle next."""
        here = circle_at(self.view, self.seat)
        worth = {circle: self._visit(circle) for circle in self.cells}
        for car in self.loaded:
            if car.setout:
                worth[car.setout] += car.value
        loads: dict[str, list[float]] = defaultdict(list)
        for card in self.hand:
            if card.pickup:
                loads[card.pickup].append(max(0.0, self.loading(card)))
        for circle, cars in loads.items():
            worth[circle] += _LOADED * sum(sorted(cars)[-2:])
        return {
            circle: points + _FURTHER * max(0.0, self._further(circle, worth))
            for circle, points in worth.items()
            if circle != here
        }

    def due(self, position: Position) -> float:
        """What it is worth to be there: cars to set out and to pick up, where it is in a Circle."""
        circle = next((name for name, cell in self.cells.items() if position == Position(cell)), "")
        out = sum(car.value for car in self.loaded if car.setout == circle)
        loads = sorted(max(0.0, self.loading(card)) for card in self.hand if card.pickup == circle)
        return out + sum(loads[-2:]) if circle else 0.0

    def _further(self, circle: str, worth: dict[str, float]) -> float:
        return max(
            points - TIE * self.distance(self.cells[circle], self.cells[other])
            for other, points in worth.items()
            if other != circle
        )

    def _visit(self, circle: str) -> float:
        """About what the Circle's Effect brings who comes there, or costs, if a chip may force it."""
        worth = sum(self._step(step) for step in circle_cards(self.view.edition)[circle].steps)
        forced = any(self.view.chips[seat] for seat in self.opponents)
        return worth if worth > 0 else _FORCED * worth if forced else 0.0

    def _step(self, step: Step) -> float:
        match step.do:
            case "gain":
                return _GAIN if may_gain(self.view, self.seat, step.what) else 0.0
            case "draw" if step.who == "self":
                return step.count * self.spare(len(self.hand))
            case "discard" if step.who == "self":
                return -step.count * self.spare(len(self.hand))
            case "derail" if step.who == "opponent":
                return _DERAILED * max(self.loss(seat) for seat in self.opponents)
            case "derail" if step.who == "self":
                return -self.loss(self.seat)
        return _ANY_STEP

    # -- ways -----------------------------------------------------------------------------------------

    @cached_property
    def routes(self) -> Routes:
        """The ways to the goals; coming there is worth as many ties as its points would pay for."""
        kinds = {
            STRAIGHT if opposite(segment[0]) == segment[1] else CURVE
            for card in self.hand
            for segment in card.track.segments
        }
        laying = {kind: _FITTING if kind in kinds else _WANTING for kind in (CURVE, STRAIGHT)}
        goals = {self.cells[circle]: points / TIE for circle, points in self.goals.items()}
        return Routes(net_of(self.view), goals, laying | {OVER: _FITTING}, self._overs())

    def _overs(self) -> list[tuple[Cell, str, int]]:
        """The segments that a card of the hand would add to a Rail Card."""
        taken = occupied(self.view)
        found = []
        for card in self.hand:
            if len(card.track.segments) == 1:
                continue
            for rail in self.view.rails:
                old = self.cards[rail.card].track
                if rail.cell in taken or len(old.segments) >= len(card.track.segments):
                    continue
                for turn in fitting(card.track, old, rail.turn, True):
                    there = face(old, rail.turn).segments
                    new = face(card.track, turn).segments
                    found += [(rail.cell, name, ties) for name, ties in new.items() if name not in there]
        return found

    def standing(self, position: Position) -> float:
        """What it is worth to stand there with a Move ended: points to come, the way paid for."""
        return -TIE * min(self.routes.arrived(position), _STUCK)

    @cached_property
    def now(self) -> float:
        """What it is worth to stand where the engine stands."""
        return self.setting(self.engine)

    def setting(self, position: Position) -> float:
        """What it is worth to be set there: no Circle is entered by it."""
        return -TIE * min(self.routes.onward(position), _STUCK)

    def starting_over(self) -> float:
        """What it is worth to have derailed."""
        return self.setting(Position(self.cells[GATE])) - self.loss(self.seat)

    # -- cards ----------------------------------------------------------------------------------------

    def keep(self, card: RailCard) -> float:
        """What it is worth to hold on to that card of the hand."""
        way = 0.0
        if card.pickup:
            way = TIE * self.distance(self.engine.cell, self.cells[card.pickup])
        car = max(0.0, _LOADED * self.car(card) - way)
        most = max((other.brimstone for other in self.hand if other is not card), default=0)
        fan = _BRIMSTONE * max(0, card.brimstone - max(most, 1))
        return self.spare(len(self.hand)) + max(car, fan)
