"""The table as a picture: a layout's pieces where they lie, by the sketches that a game gives of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from msgspec import Struct

from companion.games.drawing import Drawing
from companion.games.game import Mark
from companion.games.layout import Layout, Piece, Place, Point, TableMap
from web_ui.board import bounds, spread

Box = tuple[float, float, float, float]
"""Left, top, width and height (mm)."""

MARGIN = 8.0
"""What is shown beyond the outermost pieces on each side (mm)."""

_SIGN, _CORNER = 24.0, 12.0
"""Size of a seat's sign, and where its middle is from the sides of a place (mm)."""

_LARGE = 40.0

ASIDE = ("pile", "tray")
"""Looks of places that are no part of the picture."""


class Use(Struct, frozen=True):
    """A sketch and where it lies: its id, corner and size before it is turned, its middle, its turn.

    `seat` is whose piece it is. Without a figure it is the seat's sign: a piece that faces nowhere.
    """

    figure: str
    x: float
    y: float
    width: float
    height: float
    middle: Point
    turn: int
    seat: str = ""


class Spot(Struct, frozen=True):
    """A place that can be tapped, or that is shown up: its outline as SVG points, and what it is called."""

    place: str
    points: str
    words: str
    x: float
    y: float


class Focus(Struct, frozen=True):
    """What to look at first: a box, and where it is too large for a thumb to hit what is in it, the point
    in it to look at, no smaller than at `scale` mm to a CSS pixel (0: as small as need be).
    """

    box: Box
    near: Point
    scale: float = 0.0


class Net(Struct, frozen=True):
    """The picture. `box` is all of it, `focus` what is looked at first; `grid` are all its cells.

    `cards` lie below `counters`, those below `engines`: the pieces of seats. `fresh` has changed last.
    """

    box: Box
    focus: Focus
    grid: tuple[Spot, ...]
    cards: tuple[Use, ...]
    counters: tuple[Use, ...]
    engines: tuple[Use, ...]
    fresh: tuple[Spot, ...]
    marks: tuple[Spot, ...]

    @property
    def view_box(self) -> str:
        """The whole picture as an SVG view box."""
        return numbers(self.box)


@dataclass(frozen=True)
class Ground:
    """What a picture is made of: places, layout, counters, sketches, and the names of seats."""

    map: TableMap
    layout: Layout
    counters: tuple[Piece, ...]
    sketches: Mapping[str, Drawing]
    seats: tuple[str, ...]

    @cached_property
    def places(self) -> dict[str, Place]:
        """The places by name."""
        return {place.name: place for place in self.map.places}

    @cached_property
    def pieces(self) -> list[Piece]:
        """The pieces that the picture shows."""
        return [piece for piece in self.layout.pieces if self.places[piece.place].look not in ASIDE]


def ground(game: Any, state: Any) -> Ground:
    """What a state's picture is made of."""
    return Ground(
        game.table_map(state), game.layout(state), game.counters(state), game.sketches(state), game.seats
    )


def net(
    ground: Ground,
    lit: Iterable[str] = (),
    fresh: Iterable[str] = (),
    marks: Iterable[Mark] = (),
    focus: Focus | None = None,
) -> Net:
    """The picture of all that lies there, and of the places that are lit; `focus` None is all of it."""
    places = ground.places
    shown = {piece.place for piece in ground.pieces} | set(lit)
    box = around([places[name] for name in sorted(shown)] or list(_cells(ground)), MARGIN)
    cards, engines = _uses(ground)
    return Net(
        box,
        focus or Focus(box, _middle(box)),
        tuple(spot(place) for place in _cells(ground) if _within(place, box)),
        cards,
        tuple(_counter(ground, piece, at) for at, piece in enumerate(ground.counters)),
        engines,
        tuple(spot(places[name]) for name in fresh if name in places and places[name].look not in ASIDE),
        tuple(_marked(places[mark.place], mark.words) for mark in marks if mark.place in places),
    )


def cropped(ground: Ground, middle: Point, half: float, fresh: str) -> Net:
    """The part of the picture around a point, as a small one of its own, with that place shown up."""
    box = (middle[0] - half, middle[1] - half, 2 * half, 2 * half)
    cards, engines = _uses(ground)
    near = [use for use in (*cards, *engines) if _touches(use, box)]
    return Net(
        box,
        Focus(box, middle),
        tuple(spot(place) for place in _cells(ground) if _within(place, box)),
        tuple(use for use in near if not use.seat),
        tuple(
            use
            for at, piece in enumerate(ground.counters)
            if _touches(use := _counter(ground, piece, at), box)
        ),
        tuple(use for use in near if use.seat),
        (spot(ground.places[fresh]),) if fresh in ground.places else (),
        (),
    )


def around(places: Iterable[Place], margin: float = 0.0) -> Box:
    """The box of these places, and so much more on each side (mm)."""
    left, top, right, bottom = bounds(tuple(places))
    return (left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin)


def middle_of(place: Place) -> Point:
    """The middle of a place."""
    left, top, right, bottom = bounds((place,))
    return ((left + right) / 2, (top + bottom) / 2)


def _middle(box: Box) -> Point:
    return (box[0] + box[2] / 2, box[1] + box[3] / 2)


def spot(place: Place) -> Spot:
    """A place as it can be tapped."""
    x, y = middle_of(place)
    points = " ".join(f"{a:g},{b:g}" for a, b in place.outline)
    return Spot(place.name, points, place.words or place.label, round(x, 1), round(y, 1))


def numbers(box: Box) -> str:
    """A box as SVG writes it."""
    return " ".join(f"{value:.4g}" for value in box)


def symbol(figure: str) -> str:
    """A sketch's name as an id."""
    return figure.replace(":", "-")


def _marked(place: Place, words: str) -> Spot:
    """Below the middle of a place that is large enough to say something itself."""
    marked, (_, top, _, bottom) = spot(place), bounds((place,))
    lower = 0.35 * (bottom - top) if bottom - top > _LARGE else 0.0
    return Spot(marked.place, marked.points, words, marked.x, marked.y + lower)


def _cells(ground: Ground) -> Iterable[Place]:
    return (place for place in ground.map.places if place.look == "cell")


def _within(place: Place, box: Box) -> bool:
    x, y = middle_of(place)
    return box[0] < x < box[0] + box[2] and box[1] < y < box[1] + box[3]


def _touches(use: Use, box: Box) -> bool:
    reach = max(use.width, use.height) / 2
    x, y = use.middle
    across = box[0] - reach < x < box[0] + box[2] + reach
    return across and box[1] - reach < y < box[1] + box[3] + reach


def _uses(ground: Ground) -> tuple[tuple[Use, ...], tuple[Use, ...]]:
    """The cards, and the seats' pieces, which share a place side by side."""
    places = ground.places
    together: dict[str, list[Piece]] = {}
    for piece in ground.pieces:
        together.setdefault(piece.place, []).append(piece)
    cards: list[Use] = []
    engines: list[Use] = []
    for name, pieces in together.items():
        for piece, (x, y, _) in zip(pieces, spread(places[name], len(pieces)), strict=True):
            if piece.name not in ground.seats:
                cards.append(_use(ground, piece, (x, y)))
            elif places[name].turns:
                engines.append(_use(ground, piece, (x, y)))
            else:
                engines.append(_sign(ground, piece))
    return tuple(cards), tuple(engines)


def _use(ground: Ground, piece: Piece, middle: Point) -> Use:
    figure = f"{piece.kind}:{piece.name}"
    drawing = ground.sketches[figure]
    x, y = round(middle[0] - drawing.width / 2, 2), round(middle[1] - drawing.height / 2, 2)
    seat = piece.name if piece.name in ground.seats else ""
    at = (round(middle[0], 1), round(middle[1], 1))
    return Use(symbol(figure), x, y, drawing.width, drawing.height, at, piece.turn, seat)


def _sign(ground: Ground, piece: Piece) -> Use:
    """A piece that faces nowhere, in its seat's corner of the place, clear of what the place says."""
    left, top, right, bottom = bounds((ground.places[piece.place],))
    number = ground.seats.index(piece.name)
    x = right - _CORNER if number % 2 else left + _CORNER
    y = bottom - _CORNER if number // 2 % 2 else top + _CORNER
    return Use("", x - _SIGN / 2, y - _SIGN / 2, _SIGN, _SIGN, (x, y), 0, piece.name)


def _counter(ground: Ground, piece: Piece, at: int) -> Use:
    """A counter lies in a corner of its card, clear of the rail's middle, and of the other one there."""
    left, top, right, bottom = bounds((ground.places[piece.place],))
    first = not any(other.place == piece.place for other in ground.counters[:at])
    x = left + (right - left) * (0.78 if first else 0.24)
    return _use(ground, piece, (x, top + (bottom - top) * 0.24))
