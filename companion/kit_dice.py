"""The faces that are printed for a game's own dice, as the camera's reader knows them."""

from __future__ import annotations

from typing import Any

from companion.emulated.raster import raster
from companion.games.game import Game
from vision.poker_faces import PokerFaces

_PIXELS = 120  # along a face: more than any camera over a table shows


def kit_dice(game: Game[Any, Any]) -> PokerFaces | None:
    """The faces of the game's print kit; None for a game of dice with pips."""
    if not game.faces:
        return None
    return PokerFaces((name, raster(face, _PIXELS / face.width)) for name, face in game.faces.items())
