"""The physical table: where the board, the tray and the pawns are, and how they should lie.

The camera sees the pawns, each by the marker on its top, and the dice. Cards it does not see: the
companion counts them.
"""

from __future__ import annotations

from functools import cache

from companion.games.layout import Layout, Marker, Piece, Place, Point, TableMap, Token
from companion.games.pawns_of_perdition.options import SINS
from companion.games.pawns_of_perdition.state import ESCAPE, LAYER_LENGTH, LAYERS, SEATS, State

_SHEET = (960.0, 540.0)
_CORNER = 28.0
_BOARD = (64.0, 25.0)
_SPACE = (62.0, 60.0)
_START = 70.0
_TRAY = (656.0, 60.0, 886.0, 480.0)
_FIRST_PAWN = 10

_PLACES = tuple(f"space:{space}" for space in range(ESCAPE + 1))


def layout(state: State) -> Layout:
    """The pawns on their spaces, and the dice thrown last."""
    pawns = zip(state.seats, state.pawns, strict=True)
    return Layout(tuple(sorted(Piece("pawn", seat, _PLACES[space]) for seat, space in pawns)), state.dice)


def table_map(state: State) -> TableMap:
    """The printed sheet: a path that winds upward row by row from Start, and the tray beside it."""
    return _map(state.board, state.seats)


@cache
def _map(board: tuple[str, ...], seats: tuple[str, ...]) -> TableMap:
    width, height = _SHEET
    near = _CORNER
    corners = ((near, near), (width - near, near), (width - near, height - near), (near, height - near))
    return TableMap(
        width=width,
        height=height,
        corners=tuple(Marker(number, at, 36.0) for number, at in enumerate(corners)),
        places=tuple(_place(space, kind) for space, kind in enumerate(board)),
        tray=Place("tray", _rectangle(*_TRAY), "tray", "Dice"),
        tokens=tuple(Token(_FIRST_PAWN + SEATS.index(seat), 24.0, "pawn", seat) for seat in seats),
    )


def _place(space: int, kind: str) -> Place:
    look = "sin" if kind in SINS else kind
    label = kind.title() if look in ("start", "sin", "escape") else str(space)
    words = look.capitalize() if look in ("start", "escape") else f"space {space} ({look.capitalize()})"
    return Place(_PLACES[space], _outline(space), look, label, words=words)


def _outline(space: int) -> tuple[Point, ...]:
    left, top = _BOARD
    wide, high = _SPACE
    bottom = top + LAYERS * high
    if space == 0:
        return _rectangle(left, bottom, left + LAYER_LENGTH * wide, bottom + _START)
    row, step = divmod(space - 1, LAYER_LENGTH)
    column = step if row % 2 == 0 else LAYER_LENGTH - 1 - step
    x, y = left + column * wide, bottom - (row + 1) * high
    return _rectangle(x, y, x + wide, y + high)


def _rectangle(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    return ((left, top), (right, top), (right, bottom), (left, bottom))
