"""A game's sheet and the colours of its pieces, as the camera's reader knows them from the print kit."""

from __future__ import annotations

from typing import Any

import numpy as np

from companion.emulated.raster import raster
from companion.games.game import Game
from vision.coloured_tokens import SheetPrint
from vision.sheet_light import CELL

_PIXELS = 2.0  # to the mm of a piece's top


def sheet_print(game: Game[Any, Any], state: Any) -> SheetPrint:
    """The sheet as it is drawn, and the colour at the edge of each standing piece's cap."""
    said = {}
    for token in game.table_map(state).tokens:
        if not token.flat:
            top = raster(game.drawing(state, token.kind, token.name), _PIXELS)
            edge = np.concatenate([top[0], top[-1], top[:, 0], top[:, -1]])
            said[token.kind, token.name] = np.median(edge, axis=0) / 255
    return SheetPrint(raster(game.sheet(state), 1 / CELL), said)
