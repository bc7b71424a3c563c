"""The bot's own turn: setting out, loading, laying, moving, fanning, and when to leave it at that."""

from __future__ import annotations

from typing import Any

from companion.bots.hellrail.outlook import Outlook
from companion.bots.hellrail.routes import Build
from companion.games.hellrail.actions import (
    Cross,
    EndTurn,
    Fan,
    LayRail,
    Move,
    Pickup,
    Rammed,
    Setout,
    UpgradeRail,
)
from companion.games.hellrail.moves import tickets
from companion.games.hellrail.track import Position, face

_RAMMED = 0.4  # how much of an opponent's loss is one's own gain
_PUSHED = -0.1  # and when one is only pushed on: it has got further by that
_ENDING = 30.0  # what it is worth to end the game ahead, or to keep it going behind
_SURE = 0.3  # how much more a goal counts that is reached
_TICKET = 0.8  # what a ticket is worth
_RAIL = 1.6  # what it is worth to lay the next piece of the way
_FAR = 0.05  # what each tie costs that rail is laid ahead of the engine
_BRANCH = 0.2  # what a segment is worth that a blank square does not need
_LAST = 1.5  # what it costs to lay the last card: nothing is left to move with
_FIRST = 1000.0  # what nothing comes before


def best_of_turn(outlook: Outlook, legal: tuple[Any, ...]) -> Any:
    """The action worth most. Rail is thought of only where the way on wants it next."""
    build = next(outlook.routes.builds(outlook.engine), None)
    turn = _Turn(outlook, build)
    return max(filter(turn.thinkable, legal), key=turn.worth)


class _Turn:
    def __init__(self, outlook: Outlook, build: tuple[Build, int] | None) -> None:
        self._outlook = outlook
        self._build = build

    def thinkable(self, action: Any) -> bool:
        if isinstance(action, LayRail | UpgradeRail):
            return self._build is not None and action.cell == self._build[0].cell
        return True

    def worth(self, action: Any) -> float:
        outlook = self._outlook
        match action:
            case Setout(card=card):
                return _FIRST + outlook.cards[card].value
            case Pickup(card=card):
                return outlook.loading(outlook.cards[card])
            case Move():
                return self._move(action)
            case Cross():
                return self._cross(action)
            case LayRail() | UpgradeRail():
                return self._lay(action)
            case Fan(card=card):
                return self._fan(card)
            case EndTurn():
                return self._ending(outlook.left == 0)
        raise TypeError(f"{action} is no action of a turn")

    def _move(self, action: Move) -> float:
        outlook = self._outlook
        worth = rammed(outlook, action.rammed) - outlook.keep(outlook.cards[action.card])
        if action.to is None:
            return worth + outlook.starting_over() - outlook.now
        if action.to == outlook.engine:
            return worth
        return worth + outlook.standing(action.to) - outlook.now + self._coming_in(action.to)

    def _coming_in(self, to: Position) -> float:
        """What is as good as done is worth more than what is hoped for."""
        if not to.in_circle:
            return 0.0
        return _SURE * next(
            points for circle, points in self._outlook.goals.items() if self._outlook.cells[circle] == to.cell
        )

    def _cross(self, action: Cross) -> float:
        outlook = self._outlook
        blanks = next(
            way.blanks
            for way in tickets(outlook.view, outlook.seat)
            if (way.at, way.side, way.to, way.rammed) == (action.at, action.side, action.to, action.rammed)
        )
        across = max(0, 6 - blanks) / 6
        there = outlook.standing(action.to) + self._coming_in(action.to)
        worth = across * there + (1 - across) * outlook.starting_over() - outlook.now
        return worth + rammed(outlook, action.rammed) - outlook.keep(outlook.cards[action.card]) - _TICKET

    def _lay(self, action: LayRail | UpgradeRail) -> float:
        outlook, card = self._outlook, self._outlook.cards[action.card]
        assert self._build is not None
        build, far = self._build
        if outlook.now <= 0 or build.segment not in face(card.track, action.turn).segments:
            return -_FIRST
        worth = _RAIL - outlook.keep(card) - _FAR * far
        if isinstance(action, LayRail):
            worth -= _BRANCH * (len(card.track.segments) - 1)
        return worth if len(outlook.hand) > 1 else worth - _LAST

    def _fan(self, name: str) -> float:
        outlook, card = self._outlook, self._outlook.cards[name]
        held = len(outlook.hand) - 1
        drawn = sum(outlook.spare(held + more) for more in range(card.brimstone))
        return drawn - outlook.keep(card) + self._ending(card.brimstone > outlook.left)

    def _ending(self, ends: bool) -> float:
        # Who is level lets it end: if all who are kept the game going, it would go on for ever.
        lead = self._outlook.lead if ends else 0.0
        return _ENDING if lead > 0 else -_ENDING if lead < 0 else 0.0


def rammed(outlook: Outlook, rams: tuple[Rammed, ...]) -> float:
    """What it is worth that those opponents are pushed there."""
    return sum(
        _PUSHED if ram.to else _RAMMED * outlook.loss(outlook.view.seats.index(ram.seat)) for ram in rams
    )
