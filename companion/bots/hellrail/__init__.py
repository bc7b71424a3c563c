"""The sensible bot of HellRail: it goes, or lays, the way that brings most."""

from __future__ import annotations

from typing import Any

from companion.bots.hellrail.effects import Choices
from companion.bots.hellrail.outlook import Outlook
from companion.bots.hellrail.turn import best_of_turn
from companion.games.game import Game
from companion.games.hellrail.state import ACTIONS, State

__all__ = ["HellRailBot"]


class HellRailBot:
    """Plays HellRail by what each action brings, in points, as far as the table shows it."""

    def choose(self, game: Game[Any, Any], view: State, seat: str, legal: tuple[Any, ...]) -> Any | None:
        """The action worth most; nothing where the game does not wait for the seat."""
        if seat not in game.awaiting(view).seats:
            return None
        outlook = Outlook(view, view.seats.index(seat))
        if view.phase == ACTIONS:
            return best_of_turn(outlook, legal)
        return max(legal, key=Choices(outlook).worth)
