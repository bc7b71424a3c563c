"""Has a number display follow the table: how much of the running game is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.game import Game
from companion.table import Table
from firmware_bridge.display import Count, Display


def follow(table: Table, display: Display) -> Callable[[], None]:
    """From now on the display shows how the game stands; returns the way to stop.

    The display keeps the latest count alone, so that a slow one holds nobody up.
    """

    def tell(revision: int) -> None:
        display.show(count(table.game, table.state))

    stop = table.listen(tell)
    tell(0)
    return stop


def count(game: Game[Any, Any], state: Any) -> Count | None:
    """What a number display shows of this state; None when there is no game, or nothing to count down."""
    if state is None or game.countdown is None or game.over(state):
        return None
    found = game.countdown(state)
    return None if found is None else Count(found.left, found.last)
