"""The countdown to High Noon."""

from __future__ import annotations

from companion.games.game import Countdown
from companion.games.rail_raiders_infinite.machine import waiting
from companion.games.rail_raiders_infinite.state import State


def countdown(state: State) -> Countdown | None:
    """How many High Noon cards are left, and whether this is the last round.

    None before the first round, and once the game is over. Rulebook, Ending the Game.
    """
    if not state.round or waiting(state) is None:
        return None
    return Countdown(len(state.high_noon), "High Noon cards", state.last_round)
