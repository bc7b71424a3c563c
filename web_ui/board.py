"""The table as a drawing: places and pieces of a Layout with their coordinates, in mm of the sheet."""

from __future__ import annotations

from math import ceil, sqrt

from msgspec import Struct

from companion.games.layout import Layout, Place, TableMap


class Spot(Struct, frozen=True):
    """A place: its outline as SVG points, and where its label and its kind are written."""

    points: str
    look: str
    label: str
    kind: str
    left: float
    top: float
    x: float
    bottom: float


class Counter(Struct, frozen=True):
    """A piece: the middle and radius of its drawing."""

    name: str
    x: float
    y: float
    radius: float


class Board(Struct, frozen=True):
    """The places and the pieces on them, without the tray; `box` is the SVG view box."""

    box: str
    spots: tuple[Spot, ...]
    counters: tuple[Counter, ...]


def draw(table: TableMap, layout: Layout) -> Board:
    """The drawing of this layout. Pieces that lie in no known place are left out."""
    places = {place.name: place for place in table.places}
    counters: list[Counter] = []
    for name, place in places.items():
        here = [piece for piece in layout.pieces if piece.place == name]
        for piece, (x, y, side) in zip(here, spread(place, len(here)), strict=True):
            counters.append(Counter(piece.name, x, y, side / 2 * 0.58))
    return Board(_box(table.places), tuple(map(_spot, table.places)), tuple(counters))


def bounds(places: tuple[Place, ...]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what the places cover."""
    xs = [x for place in places for x, _ in place.outline]
    ys = [y for place in places for _, y in place.outline]
    return min(xs), min(ys), max(xs), max(ys)


def _box(places: tuple[Place, ...], margin: float = 3.0) -> str:
    left, top, right, bottom = bounds(places)
    return f"{left - margin:g} {top - margin:g} {right - left + 2 * margin:g} {bottom - top + 2 * margin:g}"


def _spot(place: Place) -> Spot:
    """The label goes into the upper left corner and the kind below, so that pieces between hide neither."""
    left, top, right, bottom = bounds((place,))
    points = " ".join(f"{x:g},{y:g}" for x, y in place.outline)
    kind = "" if place.look in ("safe", place.label.lower()) else place.look
    return Spot(points, place.look, place.label, kind, left + 4, top + 12, (left + right) / 2, bottom - 7)


def spread(place: Place, count: int) -> list[tuple[float, float, float]]:
    """Middles and side of `count` equal squares, as large as the place's box lets them be."""
    if count == 0:
        return []
    left, top, right, bottom = bounds((place,))
    width, height = right - left, bottom - top
    columns = max(
        range(1, count + 1), key=lambda n: (min(width / n, height / ceil(count / n)), -abs(n - sqrt(count)))
    )
    rows = ceil(count / columns)
    side = min(width / columns, height / rows)
    return [
        (
            left + width / 2 + (n % columns - (min(columns, count - n // columns * columns) - 1) / 2) * side,
            top + height / 2 + (n // columns - (rows - 1) / 2) * side,
            side,
        )
        for n in range(count)
    ]
