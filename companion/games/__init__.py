"""The games, each a package of pure rules, found by name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.games.game import Game

NAMES = ("pawns_of_perdition", "hellrail", "rail_raiders_infinite", "hachi_train")


def load(name: str) -> Game[Any, Any]:
    """The game of that name; ValueError naming the known ones when there is none."""
    if name not in NAMES:
        raise ValueError(f"There is no game '{name}'. Known games: {', '.join(NAMES)}.")
    game: Game[Any, Any] = import_module(f"companion.games.{name}").GAME
    return game
