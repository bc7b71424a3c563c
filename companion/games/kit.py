"""What a game has printed: cards, counters, pieces to fold up, and the sheet to lie on."""

from __future__ import annotations

from math import hypot

from msgspec import Struct

from companion.games.drawing import (
    BLACK,
    Drawing,
    Path,
    Placed,
    Shape,
    Text,
    line,
    marked,
    polygon,
    rectangle,
)
from companion.games.layout import TableMap

RIM = 8.0
"""White around a corner marker that is cut out (mm)."""

FOLD = "#9a9a9a"
"""Ink of the lines along which paper is folded."""

CUT = "Cut along the marks, and what has an outline around it."

FOLDED = (
    "Cut around the black lines, fold along the grey ones, and glue the tabs to the sides from within. "
    "Weighted with a coin or some clay they stay where they stand."
)

BACKS = (
    "Cut with a knife along the marks. If they shall have backs, put these pages into the printer once "
    "more and print the page of backs on their reverse."
)
TILES = (
    "Cut each tile along its left and its upper marks. Lay it with those edges on the grey lines of the "
    "tiles to its left and above it, and glue."
)
TWO_SIDED = "Cut along the marks, fold along the grey line, and glue the halves back to back."
_TAB = 6.0


class Item(Struct, frozen=True):
    """A drawing, and how often it is printed.

    It is cut along its straight edges, or `around` an outline that it draws itself.
    """

    drawing: Drawing
    copies: int = 1
    around: bool = False


class Batch(Struct, frozen=True):
    """Items that are printed side by side and made alike: `advice` says how, in a sentence or two.

    `back` fills one page, for the reverse of each of theirs. `whole` items are larger than a page and
    come in tiles that are glued together.
    """

    title: str
    advice: str
    items: tuple[Item, ...]
    back: Drawing | None = None
    whole: bool = False


class Faces(Struct, frozen=True):
    """The sides of a box, each drawn upright as somebody sees it who stands before it."""

    front: Drawing
    right: Drawing
    back: Drawing
    left: Drawing


def two_sided(face: Drawing, reverse: Drawing) -> Drawing:
    """Both sides of a thing beside each other, with the line along which they are folded."""
    wide, high = face.width, face.height
    return Drawing(
        2 * wide,
        high,
        (
            Placed(face, (wide / 2, high / 2)),
            Placed(reverse, (1.5 * wide, high / 2)),
            line(((wide, 0), (wide, high)), FOLD, 0.2),
        ),
    )


def folded(cap: Drawing, faces: Faces) -> Drawing:
    """The net of a box that is open below: its cap, which heads up, and four sides with tabs."""
    wide, high = cap.width, cap.height
    tall = faces.front.height
    width, height = wide + 2 * tall, high + 2 * tall
    middle = (width / 2, height / 2)
    away, aside = high / 2 + tall / 2, wide / 2 + tall / 2
    shapes: list[Shape] = [
        Placed(cap, middle),
        Placed(faces.front, (middle[0], middle[1] - away), 180),
        Placed(faces.back, (middle[0], middle[1] + away)),
        Placed(faces.right, (middle[0] + aside, middle[1]), 270),
        Placed(faces.left, (middle[0] - aside, middle[1]), 90),
    ]
    left, right, top, bottom = tall, tall + wide, tall, tall + high
    tab = min(_TAB, tall - 1.5)
    for x, out in ((left, -1), (right, 1)):
        for y, fold in ((0.0, top), (height, bottom)):
            slope = 1.2 if y == 0 else -1.2
            corners = ((x, y), (x + out * tab, y + slope), (x + out * tab, fold - slope), (x, fold))
            shapes.append(polygon(corners, "#ffffff", BLACK, 0.2))
            shapes.append(line((corners[0], corners[3]), FOLD, 0.2))
    shapes.append(rectangle(left, top, wide, high, "", FOLD, 0.2))
    shapes.append(_outline(left, right, top, bottom, width, height))
    return Drawing(width, height, tuple(shapes))


def _outline(left: float, right: float, top: float, bottom: float, width: float, height: float) -> Path:
    """Around the cross of cap and sides, half a line's width inside it."""
    near = 0.1
    return polygon(
        (
            (left, near),
            (right, near),
            (right, top),
            (width - near, top),
            (width - near, bottom),
            (right, bottom),
            (right, height - near),
            (left, height - near),
            (left, bottom),
            (near, bottom),
            (near, top),
            (left, top),
        ),
        "",
        BLACK,
        0.2,
    )


def corner_markers(table: TableMap) -> Batch:
    """The sheet's four corner markers alone, to be laid on any table by measured distances."""
    (left, top), (right, _), (_, bottom) = (marker.at for marker in table.corners[:3])
    wide, high = right - left, bottom - top
    names = ("far left", "far right", "near right", "near left")
    items = []
    for marker, name in zip(table.corners, names, strict=True):
        side = marker.side + 2 * RIM
        shapes: list[Shape] = [*marked(marker.id, (side / 2, side / 2), marker.side, RIM)]
        for near, far in ((0.0, 2.5), (side - 2.5, side)):
            shapes.append(line(((side / 2, near), (side / 2, far)), BLACK, 0.3))
            shapes.append(line(((near, side / 2), (far, side / 2)), BLACK, 0.3))
        shapes.append(Text(name, (side - 1.2, side - 1.4), 3.0, anchor="end"))
        items.append(Item(Drawing(side, side, tuple(shapes))))
    return Batch(
        "Corner markers",
        "Instead of the sheet: tape these flat on the table, all with their names towards you, "
        f"middle to middle {wide:g} mm across and {high:g} mm down. "
        f"Both diagonals are then {hypot(wide, high):.0f} mm.",
        tuple(items),
    )
