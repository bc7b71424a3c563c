"""What lies in a game's box: the printed sheet, and what each piece looks like."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from companion.games.drawing import Drawing
from companion.games.game import Game


@dataclass(frozen=True)
class Box:
    """A game's sheet, and its pieces from above by kind and name; ("back", "") is the back of a card."""

    sheet: Drawing
    piece: Callable[[str, str], Drawing]


def box_of(game: Game[Any, Any], state: Any) -> Box:
    """The box of the game as it is played in that state."""
    return Box(game.sheet(state), partial(game.drawing, state))
