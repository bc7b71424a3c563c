"""The pages of a game's print kit: one that tells how to print, then all that the game asks for."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from companion.games.drawing import BLACK, Drawing, Placed, Shape, Text, line, paragraph
from companion.games.kit import Batch
from companion.games.layout import Point
from companion.games.lettering import wrapped
from companion.print_kit.grids import grids
from companion.print_kit.paper import EDGE, GREY, PAPERS
from companion.print_kit.tiles import plan, tiles

RULE = 100.0
"""Length of the lines by which the printer's scaling is checked (mm)."""

_LEFT = 20.0
_PLAN = 15.0  # how many times smaller the sheet is in its plan


class Page(Struct, frozen=True):
    """A page: what it holds, in words, and its drawing. One that is wider than high lies on its side."""

    name: str
    drawing: Drawing


def pages(title: str, batches: Sequence[Batch], paper: str) -> tuple[Page, ...]:
    """All pages of a kit on that kind of paper (of PAPERS)."""
    made = [(batch, _of_batch(batch, PAPERS[paper])) for batch in batches]
    found = [Page(f"{title}: how to print", _first(title, made, PAPERS[paper]))]
    for batch, those in made:
        for page in those:
            name = f"{title}: {batch.title}{page.name}"
            found.append(Page(name, _named(name, page.drawing)))
    return tuple(found)


def _of_batch(batch: Batch, paper: Point) -> list[Page]:
    """The batch's pages, so far named by what tells one from the other."""
    if batch.whole:
        return [Page(f", {name}", tile) for item in batch.items for name, tile in tiles(item.drawing, paper)]
    drawings = list(grids(batch, paper))
    fronts = len(drawings) - (batch.back is not None)
    names = [f", {number} of {fronts}" if fronts > 1 else "" for number in range(1, fronts + 1)]
    return [Page(name, drawing) for name, drawing in zip([*names, ", backs"], drawings, strict=False)]


def _named(name: str, drawing: Drawing) -> Drawing:
    """The page with its name along its left side, where nothing is cut."""
    words = Text(f"{name}. Print at 100 %.", (0, 1.9), 2.4, GREY, anchor="start")
    strip = Placed(Drawing(drawing.height - 4 * EDGE, 2.4, (words,)), (EDGE + 1.3, drawing.height / 2), 270)
    return Drawing(drawing.width, drawing.height, (*drawing.shapes, strip))


def _first(title: str, made: Sequence[tuple[Batch, list[Page]]], paper: Point) -> Drawing:
    width, height = paper
    shapes: list[Shape] = [Text(title, (width / 2, 26), 18.0, BLACK, "title")]
    shapes += paragraph(
        "Print at actual size (100 %), not fitted to the page. Measure both lines: cut nothing unless "
        "each is 100 mm long.",
        "text",
        5.0,
        BLACK,
        (_LEFT, 31, width - 2 * _LEFT, 14),
    )
    shapes += _rule((_LEFT, 52.0), across=True)
    shapes += _rule((_LEFT, 58.0), across=False)
    left, y, page = _LEFT + 14.0, 66.0, 2
    for batch, those in made:
        last = page + len(those) - 1
        where = f"Page {page}" if last == page else f"Pages {page} to {last}"
        page = last + 1
        shapes.append(Text(f"{where}: {batch.title}", (left, y), 5.0, BLACK, anchor="start"))
        for words in wrapped(batch.advice, "text", 3.9, width - _LEFT - left):
            y += 4.7
            shapes.append(Text(words, (left, y), 3.9, BLACK, anchor="start"))
        y += 8.0
        for item in batch.items if batch.whole else ():
            shapes += plan(item.drawing, paper, (left, y - 5.0), _PLAN)
            y += item.drawing.height / _PLAN + 3.0
    return Drawing(width, height, tuple(shapes))


def _rule(corner: Point, *, across: bool) -> list[Shape]:
    """A line of 100 mm from that corner, with a stroke for each 10 mm."""
    x, y = corner

    def at(along: float, aside: float) -> Point:
        return (x + along, y - aside) if across else (x + aside, y + along)

    strokes = [
        line((at(10.0 * number, 0), at(10.0 * number, 2.5 if number % 10 else 4.0)), BLACK, 0.2)
        for number in range(11)
    ]
    at_end = (x + RULE + 2.0, y) if across else (x - 2.0, y + RULE + 4.5)
    label = Text("100 mm", at_end, 3.6, BLACK, anchor="start")
    return [line((at(0, 0), at(RULE, 0)), BLACK, 0.3), *strokes, label]
