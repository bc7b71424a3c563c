"""What lies in a game's box: the printed sheet, and what each piece looks like."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any

from companion.emulated.figures import Figure
from companion.emulated.poses import Key
from companion.games.drawing import Drawing, rectangle
from companion.games.game import Game
from companion.games.layout import Marker


@dataclass(frozen=True)
class Box:
    """A game's sheet, and its pieces from above by kind and name; ("back", "") is the back of a card.

    `faces` are those of its own dice; none for dice with pips. `figures` are the pieces of plain colour.
    """

    sheet: Drawing
    piece: Callable[[str, str], Drawing]
    faces: Mapping[str, Drawing] = field(default_factory=dict)
    figures: Mapping[Key, Figure] = field(default_factory=dict)


def box_of(game: Game[Any, Any], state: Any) -> Box:
    """The box of the game as it is played in that state."""
    return Box(game.sheet(state), partial(game.drawing, state), game.faces)


def without_markers(box: Box, keys: Collection[Key]) -> Box:
    """The same box, but that these pieces carry no markers, as bought ones do not."""

    def piece(kind: str, name: str) -> Drawing:
        drawing = box.piece(kind, name)
        return _unmarked(drawing) if (kind, name) in keys else drawing

    return replace(box, piece=piece)


def with_figures(box: Box, figures: Mapping[Key, Figure]) -> Box:
    """The same box with these pieces in the place of its own."""

    def piece(kind: str, name: str) -> Drawing:
        figure = figures.get((kind, name))
        if figure is None:
            return box.piece(kind, name)
        foot = rectangle(0, 0, figure.wide, figure.wide, figure.colour)
        return Drawing(figure.wide, figure.wide, (foot,))

    return replace(box, piece=piece, figures=figures)


@lru_cache(maxsize=256)
def _unmarked(drawing: Drawing) -> Drawing:
    """Without its markers, and without the white rim that is drawn just before each (`marked`)."""
    following = [*drawing.shapes[1:], None]
    kept = [
        shape
        for shape, after in zip(drawing.shapes, following, strict=True)
        if not isinstance(shape, Marker) and not isinstance(after, Marker)
    ]
    return Drawing(drawing.width, drawing.height, tuple(kept))
