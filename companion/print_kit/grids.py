"""Lays things to be cut out on pages, side by side where one stroke of the knife cuts both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil

from msgspec import Struct

from companion.games.drawing import BLACK, Drawing, Part, Placed, Shape, line
from companion.games.kit import Batch, Item
from companion.games.layout import Point
from companion.print_kit.paper import ENDS, SIDES

_GAP = 4.0  # between items that are not cut by the same stroke
_MARKS = 3.0  # what the cut marks need between blocks
_BLEED = 2.0  # backs reach over their edge, since no printer meets the other side exactly


class _Block(Struct, frozen=True):
    """Items of one size in rows and columns, without gaps where straight cuts part them."""

    items: tuple[Item, ...]
    columns: int

    @property
    def gap(self) -> float:
        """Between neighbours."""
        return _GAP if self.items[0].around else 0.0

    @property
    def rows(self) -> int:
        """Rows, of which the last may be shorter."""
        return ceil(len(self.items) / self.columns)

    @property
    def step(self) -> Point:
        """From one item to the next, across and down."""
        drawing = self.items[0].drawing
        return drawing.width + self.gap, drawing.height + self.gap

    @property
    def size(self) -> Point:
        """The whole block's width and height."""
        return self.columns * self.step[0] - self.gap, self.rows * self.step[1] - self.gap


def grids(batch: Batch, paper: Point) -> Iterator[Drawing]:
    """Pages with as many of the batch's items as they hold, then a page of backs if it has them."""
    room = paper[1] - 2 * ENDS
    blocks: list[_Block] = []
    for item, alike in _alike(batch.items):
        columns, rows = _most(item, paper)
        for start in range(0, len(alike), columns * rows):
            block = _Block(tuple(alike[start : start + columns * rows]), min(columns, len(alike)))
            if blocks and _height([*blocks, block]) > room:
                yield _page(blocks, paper, batch.back)
                blocks = []
            blocks.append(block)
    yield _page(blocks, paper, batch.back)
    if batch.back is not None:
        yield _backs(batch.back, paper)


def _alike(items: Sequence[Item]) -> Iterator[tuple[Item, list[Item]]]:
    """All copies, those of one size and kind of cut together."""
    copies = [item for item in items for _ in range(item.copies)]
    for _, alike in groupby(copies, key=lambda item: (item.drawing.width, item.drawing.height, item.around)):
        together = list(alike)
        yield together[0], together


def _most(item: Item, paper: Point) -> tuple[int, int]:
    """How many such items a page holds across and down."""
    gap = _GAP if item.around else 0.0
    across = (paper[0] - 2 * SIDES + gap) / (item.drawing.width + gap)
    down = (paper[1] - 2 * ENDS + gap) / (item.drawing.height + gap)
    return int(across + 1e-6), int(down + 1e-6)


def _height(blocks: Sequence[_Block]) -> float:
    return sum(block.size[1] for block in blocks) + (len(blocks) - 1) * (_GAP + _MARKS)


def _page(blocks: Sequence[_Block], paper: Point, back: Drawing | None) -> Drawing:
    width, height = paper
    # Where backs follow, a page that is not full has its cards where a full one has them.
    left, top = _frame(back, paper) if back is not None else (0.0, (height - _height(blocks)) / 2)
    shapes: list[Shape] = []
    for block in blocks:
        if back is None:
            left = (width - block.size[0]) / 2
        shapes += _placed(block, left, top)
        if not block.gap:
            shapes += _cut_marks(block, left, top)
        top += block.size[1] + _GAP + _MARKS
    return Drawing(width, height, tuple(shapes))


def _frame(back: Drawing, paper: Point) -> Point:
    """The upper left corner of a full page of cards, which lies in the middle of the paper."""
    columns, rows = _most(Item(back), paper)
    return (paper[0] - columns * back.width) / 2, (paper[1] - rows * back.height) / 2


def _placed(block: _Block, left: float, top: float) -> Iterator[Shape]:
    for number, item in enumerate(block.items):
        row, column = divmod(number, block.columns)
        x = left + column * block.step[0] + item.drawing.width / 2
        y = top + row * block.step[1] + item.drawing.height / 2
        yield Placed(item.drawing, (x, y))


def _cut_marks(block: _Block, left: float, top: float) -> Iterator[Shape]:
    """Short lines around a block, at each of its cuts, and none where a short last row has no item."""
    wide, high = block.step
    last = len(block.items) - (block.rows - 1) * block.columns
    for column in range(min(block.columns, len(block.items)) + 1):
        x = left + column * wide
        bottom = top + (block.rows if column <= last else block.rows - 1) * high
        yield line(((x, top - 2.3), (x, top - 0.3)), BLACK, 0.2)
        yield line(((x, bottom + 0.3), (x, bottom + 2.3)), BLACK, 0.2)
    for row in range(block.rows + 1):
        y = top + row * high
        right = left + (last if row == block.rows else block.columns) * wide
        yield line(((left - 2.1, y), (left - 0.3, y)), BLACK, 0.2)
        yield line(((right + 0.3, y), (right + 2.1, y)), BLACK, 0.2)


def _backs(back: Drawing, paper: Point) -> Drawing:
    """A page full of backs, with a little more of them all around."""
    columns, rows = _most(Item(back), paper)
    left, top = _frame(back, paper)
    right, bottom = left + columns * back.width, top + rows * back.height
    shapes: list[Shape] = []
    for column in range(columns):
        x = left + column * back.width
        shapes.append(Part(back, (0, back.height - _BLEED), (x, top - _BLEED), back.width, _BLEED))
        shapes.append(Part(back, (0, 0), (x, bottom), back.width, _BLEED))
    for row in range(rows):
        y = top + row * back.height
        shapes.append(Part(back, (back.width - _BLEED, 0), (left - _BLEED, y), _BLEED, back.height))
        shapes.append(Part(back, (0, 0), (right, y), _BLEED, back.height))
    block = _Block((Item(back),) * (columns * rows), columns)
    return Drawing(*paper, (*shapes, *_placed(block, left, top)))
