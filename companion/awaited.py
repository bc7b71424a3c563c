"""Whom the table waits for: what lamps show, and whose button counts."""

from __future__ import annotations

from typing import Any

from companion.games.game import AwaitedDice, AwaitedShuffle, Game


def awaited(game: Game[Any, Any], state: Any, playing: tuple[str, ...]) -> tuple[str, ...]:
    """The seats that are waited for, in the order of `playing`, by what everybody may know.

    They are those who may go on, and who is to throw. A shuffle is anybody's, so all are waited for.
    """
    awaiting = game.awaiting(game.view(state, ""))
    chance = awaiting.chance
    if isinstance(chance, AwaitedShuffle):
        return playing
    thrower = chance.seat if isinstance(chance, AwaitedDice) else ""
    return tuple(seat for seat in playing if seat in awaiting.seats or seat == thrower)
