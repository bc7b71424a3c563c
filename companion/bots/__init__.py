"""Players of flesh and blood, played by the machine. A bot is given a view, never the whole state."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Protocol

from companion.bots.hachi_train import HachiTrainBot
from companion.bots.hellrail import HellRailBot
from companion.bots.pawns_of_perdition import PawnsBot
from companion.bots.rail_raiders import RailRaidersBot
from companion.games.game import Game

__all__ = ["BOTS", "Bot", "HachiTrainBot", "HellRailBot", "PawnsBot", "RailRaidersBot", "RandomBot"]


class Bot(Protocol):
    """Chooses for a seat: one of `legal`, or None to let it go by.

    `view` is the state as the seat may know it, `legal` what the seat may do in it. Where the game
    waits for the seat itself, None is no answer.
    """

    def choose(self, game: Game[Any, Any], view: Any, seat: str, legal: tuple[Any, ...]) -> Any | None:
        """The action, or None."""


class RandomBot:
    """Plays any legal action; one that need not be played, with the probability `eager`."""

    def __init__(self, chance: Random, eager: float = 0.25) -> None:
        self._chance = chance
        self._eager = eager

    def choose(self, game: Game[Any, Any], view: Any, seat: str, legal: tuple[Any, ...]) -> Any | None:
        """One of the legal actions, each as likely as any other."""
        if seat not in game.awaiting(view).seats and self._chance.random() >= self._eager:
            return None
        return self._chance.choice(legal)


BOTS: dict[str, Callable[[], Bot]] = {
    "hachi_train": HachiTrainBot,
    "hellrail": HellRailBot,
    "pawns_of_perdition": PawnsBot,
    "rail_raiders_infinite": RailRaidersBot,
}
"""The sensible bot of each game, by the game's name."""
