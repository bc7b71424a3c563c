"""Has a number display follow the table: how much of the running game is left."""

from __future__ import annotations

from collections.abc import Callable

from companion.signals import count
from companion.table import Table
from firmware_bridge.display import Display

__all__ = ["count", "follow"]


def follow(table: Table, display: Display) -> Callable[[], None]:
    """From now on the display shows how the game stands; returns the way to stop.

    The display keeps the latest count alone, so that a slow one holds nobody up.
    """

    def tell(revision: int) -> None:
        display.show(count(table.game, table.state))

    stop = table.listen(tell)
    tell(0)
    return stop
