"""A table whose places lie in a row, as that row: what is shown of each, and what may be done there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from companion.games.game import Choice, Countdown, Stop
from companion.games.layout import Face
from web_ui.ways import There, Way
from web_ui.where import Where

NO_PICTURE: dict[str, Any] = {
    "net": None,
    "stops": (),
    "lit": (),
    "listed": (),
    "tell": (),
    "there": None,
}
"""What pages show of a table of which there is nothing to show."""


def picture(
    stops: tuple[Stop, ...], where: Where, choices: tuple[Choice, ...], all_choices: tuple[Choice, ...]
) -> dict[str, Any] | None:
    """The row; None when it lacks the place to be opened. These choices stand below it as buttons.

    A place that is opened shows what lies there, and all of the seat's choices that are about it.
    """
    opened = next((stop for stop in stops if stop.place == where.place), None)
    if where.place and opened is None:
        return None
    return NO_PICTURE | {
        "stops": tuple((stop, where.at(stop.place)) for stop in stops),
        "listed": choices,
        "there": _there(opened, all_choices) if opened else None,
    }


def _there(stop: Stop, choices: Iterable[Choice]) -> There:
    return There(
        stop.words, stop.lies, tuple(Way(choice) for choice in choices if choice.place == stop.place)
    )


def countdown(game: Any, state: Any) -> Countdown | None:
    """What counts down to the end of a game that is shown as a row; None where nothing does."""
    if state is None or not game.stops(state) or game.countdown is None:
        return None
    found: Countdown | None = game.countdown(state)
    return found


def marked(dice: Iterable[Face], again: Iterable[Face]) -> list[tuple[Face, bool]]:
    """Dice with whether each is one of those that are rolled again."""
    left = Counter(again)
    found = []
    for face in dice:
        found.append((face, left[face] > 0))
        left[face] -= 1
    return found
