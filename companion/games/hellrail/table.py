"""The physical table: the grid of cells, the piles, the tray, and how cards and engines should lie.

The camera sees the cards, each by two markers in corners that its rail leaves free, the engines by
the marker on top of each, the card that shows on the discard pile, and the die. Hands and trains
lie in front of the players, out of its sight.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import cos, radians, sin

from companion.games.hellrail.names import circle_name, squares
from companion.games.hellrail.state import (
    CIRCLES,
    COLUMNS,
    ROWS,
    SEATS,
    SETUP,
    Circle,
    Edition,
    Rail,
    State,
    rail_cards,
)
from companion.games.hellrail.track import SIDES, TURNS, Cell, Position, Track, face, point, repeats
from companion.games.layout import UNKNOWN, Layout, Marker, Piece, Place, Point, TableMap, Token

CARD = 60.0
"""Side of a card, and of a cell, in mm."""

_SHEET = (960.0, 540.0)
_GRID = (60.0, 30.0)
_CORNER = 28.0
_TRAY = (740.0, 150.0, 925.0, 480.0)
_DRAW = (745.0, 60.0)
_DISCARD = (830.0, 60.0)

_CARD_MARK = 16.0  # side of a marker on a card (mm)
_CARD_MARK_AT = 12.0  # its middle from the card's sides
_ENGINE_MARK = 12.5
_ENGINE_HEIGHT = 8.0
_TIE_REACH = 12.0  # half of what a tie's place takes across the rail

# Marker numbers: of each card the second is the first plus _SECOND.
_ENGINES = 20
_RAILS = 40
_CIRCLES = 90
_SECOND = 125

_CORNERS = ("NW", "SE", "NE", "SW")


def cell_place(cell: Cell) -> str:
    """The name of a cell as a place for cards."""
    return f"cell:{cell[0]},{cell[1]}"


def engine_place(position: Position, circles: tuple[Circle, ...]) -> str:
    """The name of the place in which an engine stands: a Circle, or a tie."""
    if position.in_circle:
        return next((f"circle:{circle.name}" for circle in circles if circle.cell == position.cell), "")
    return f"tie:{position.cell[0]},{position.cell[1]}:{position.segment}:{position.tie}"


def layout(state: State) -> Layout:
    """The cards on their cells, the engines on ties and in Circles, the discard that shows, the die."""
    pieces = [
        Piece("rail", rail.card, cell_place(rail.cell), lying(state, rail.card, rail.turn))
        for rail in state.rails
    ]
    pieces += [Piece("circle", circle.name, cell_place(circle.cell)) for circle in state.circles]
    pieces += [
        Piece("engine", seat, engine_place(position, state.circles), heading(state, position))
        for seat, position in zip(state.seats, state.engines, strict=False)
    ]
    if state.top or ((state.discard or state.buried) and state.phase not in (CIRCLES, SETUP)):
        pieces.append(Piece("rail", state.top or UNKNOWN, "discard"))
    return Layout(tuple(sorted(pieces)), state.dice)


def lying(state: State, card: str, turn: int) -> int:
    """The least turn in which the card's rail lies as it does when turned by so many degrees.

    A straight lies the same upside down, for the rules and for the camera, whatever else is printed on it.
    """
    return turn % repeats(rail_cards(state.edition)[card].track)


def heading(state: State, position: Position) -> int:
    """The way an engine faces, in degrees clockwise from straight up; 0 in a Circle, where it has none."""
    if position.in_circle:
        return 0
    rail = next(rail for rail in state.rails if rail.cell == position.cell)
    ties = face(rail_cards(state.edition)[rail.card].track, rail.turn).segments[position.segment]
    return _degrees(point(position.segment, ties, position.tie, position.facing)[2])


def table_map(state: State) -> TableMap:
    """The sheet with its grid, piles and tray, and a place for each tie of the rail that lies."""
    return _map(state.edition, state.seats, state.circles, state.rails)


def bare_map(edition: Edition) -> TableMap:
    """The sheet before a card lies on it, with the tokens of every seat."""
    return _map(edition, SEATS, (), ())


@lru_cache(maxsize=32)
def _map(
    edition: Edition, seats: tuple[str, ...], circles: tuple[Circle, ...], rails: tuple[Rail, ...]
) -> TableMap:
    width, height = _SHEET
    near = _CORNER
    corners = ((near, near), (width - near, near), (width - near, height - near), (near, height - near))
    cells = {(column, row) for column in range(COLUMNS) for row in range(ROWS)}
    taken = {rail.cell for rail in rails} | {circle.cell for circle in circles}
    # Beyond the sheet too there are places for what lies there, and for what may be laid beside it.
    cells |= {
        (column + right, row + down) for column, row in taken for right, down in product((-1, 0, 1), repeat=2)
    }
    cards = rail_cards(edition)
    places = [
        Place(cell_place(cell), _square(cell), "cell", "", ("circle", "rail"), TURNS, squares(cell))
        for cell in sorted(cells)
    ]
    places += [
        Place(
            f"circle:{circle.name}",
            _square(circle.cell),
            "circle",
            circle.name,
            ("engine",),
            words=circle_name(circle.name),
        )
        for circle in circles
    ]
    for rail in rails:
        places += _ties(rail, cards[rail.card].track)
    places += [
        Place("draw", _rectangle(*_DRAW, _DRAW[0] + CARD, _DRAW[1] + CARD), "pile", "Draw Pile", ("back",)),
        Place(
            "discard",
            _rectangle(*_DISCARD, _DISCARD[0] + CARD, _DISCARD[1] + CARD),
            "pile",
            "Discard Pile",
            ("rail",),
            words="the Discard Pile",
        ),
    ]
    return TableMap(
        width=width,
        height=height,
        corners=tuple(Marker(number, at, 30.0) for number, at in enumerate(corners)),
        places=tuple(places),
        tray=Place("tray", _rectangle(*_TRAY), "tray", "Die"),
        tokens=_tokens(edition, seats),
    )


@lru_cache(maxsize=32)
def _tokens(edition: Edition, seats: tuple[str, ...]) -> tuple[Token, ...]:
    tokens = [
        Token(_ENGINES + SEATS.index(seat), _ENGINE_MARK, "engine", seat, height=_ENGINE_HEIGHT)
        for seat in seats
    ]
    for at, card in enumerate(edition.rails):
        corners = marker_corners(card.track)
        tokens += _card_tokens("rail", card.name, _RAILS + at, corners, repeats(card.track))
    for at, circle in enumerate(edition.circles):
        every = 90 if circle.sides == SIDES else 360
        tokens += _card_tokens("circle", circle.name, _CIRCLES + at, _CORNERS[:2], every)
    return tuple(tokens)


def _card_tokens(kind: str, name: str, id: int, corners: tuple[str, ...], every: int) -> list[Token]:
    reach = CARD / 2 - _CARD_MARK_AT
    return [
        Token(
            id + _SECOND * number,
            _CARD_MARK,
            kind,
            name,
            (reach if "E" in corner else -reach, reach if "S" in corner else -reach),
            height=0.5,
            repeats=every,
        )
        for number, corner in enumerate(corners)
    ]


def marker_corners(track: Track) -> tuple[str, str]:
    """Two corners of a card for its markers: ones that no curve goes around, opposite if they can be."""
    taken = {frozenset(segment[:2]) for segment in track.segments}
    free = [corner for corner in _CORNERS if frozenset(corner) not in taken]
    for pair in (_CORNERS[:2], _CORNERS[2:]):
        if pair[0] in free and pair[1] in free:
            return (pair[0], pair[1])
    both = (*free, *_CORNERS)[:2] if len(free) != 1 else (free[0], next(c for c in _CORNERS if c != free[0]))
    return (both[0], both[1])


def _ties(rail: Rail, track: Track) -> list[Place]:
    turned = face(track, rail.turn)
    left, top = _corner(rail.cell)
    places = []
    for segment, ties in turned.segments.items():
        straight = SIDES.index(segment[1]) - SIDES.index(segment[0]) == 2
        half = CARD * (1.0 if straight else 0.785) / ties / 2
        for tie in range(1, ties + 1):
            if (segment, tie, segment[1]) not in turned.ahead:
                continue  # shared, and named by another segment
            x, y, heading = point(segment, ties, tie, segment[1])
            degrees = _degrees(heading)
            places.append(
                Place(
                    f"tie:{rail.cell[0]},{rail.cell[1]}:{segment}:{tie}",
                    _turned((left + x * CARD, top + y * CARD), half, _TIE_REACH, degrees),
                    "tie",
                    "",
                    ("engine",),
                    tuple(sorted((degrees, (degrees + 180) % 360))),
                    f"tie {tie} of {segment[0]}-{segment[1]} on {squares(rail.cell)}",
                )
            )
    return places


def _degrees(heading: float) -> int:
    return round(heading) % 360


def _corner(cell: Cell) -> Point:
    return (_GRID[0] + cell[0] * CARD, _GRID[1] + cell[1] * CARD)


def _square(cell: Cell) -> tuple[Point, ...]:
    left, top = _corner(cell)
    return _rectangle(left, top, left + CARD, top + CARD)


def _rectangle(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _turned(middle: Point, half_along: float, half_across: float, heading: int) -> tuple[Point, ...]:
    """A rectangle around a tie, its long way across the rail, which heads that way (0 = up)."""
    along = (sin(radians(heading)), -cos(radians(heading)))
    across = (-along[1], along[0])
    return tuple(
        (
            middle[0] + along[0] * half_along * far + across[0] * half_across * wide,
            middle[1] + along[1] * half_along * far + across[1] * half_across * wide,
        )
        for far, wide in ((1, -1), (1, 1), (-1, 1), (-1, -1))
    )
