"""In which place a piece lies, how it is turned there, and how sure that is.

Places in which cards lie turned by quarters are cells of a grid, and a grid is where its cards are:
its cells follow the cards that lie where they are expected. What stands on a card (ties, a Circle)
follows that card. All other places are where they are printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Piece, Point, Sight, TableMap
from vision.drift import Drift
from vision.pieces import Found, Key, turned

Floats = NDArray[Any]

_SURE_INSIDE = 5.0  # mm from a place's border at which a piece is surely in it
_SMALL = 0.5  # of the way to the border of a place too small for that
_SURE_CELL = 2 / 3  # of the way from a cell's border to its middle: cards beside it leave no more room
_JOINT = 3.0  # mm that cells of a stretched grid may lie apart
_APART = 4.0  # mm by which the next place must be farther off
_ASKEW = 0.2  # mm of distance that a degree of wrong turn is worth
_STRAIGHT, _CROOKED = 0.25, 0.75  # of half the way to the next turn: surely this one, and no longer
_LIES = 0.9  # as sure as this a card carries what is printed on it along
_UNSURE = 0.5
_OVERLAP = 0.6  # of a card's side: cards nearer to each other than this lie on each other


class Places:
    """The places of one map. It remembers how cards lie, so that a hand may cover them."""

    def __init__(self, map: TableMap, flat: Iterable[str]) -> None:
        """`flat` are the kinds of piece that are cards."""
        self._places = map.places
        kinds = set(flat)
        count = len(map.places)
        self._index = {place.name: number for number, place in enumerate(map.places)}
        outlines = [np.array(place.outline, float) for place in map.places]
        self._owner = np.repeat(np.arange(count), [len(outline) for outline in outlines])
        self._starts = np.searchsorted(self._owner, np.arange(count + 1))
        self._printed = np.concatenate([*outlines, np.zeros((0, 2))])
        self._middles = np.array([outline.mean(axis=0) for outline in outlines]).reshape(-1, 2)
        self._cells = [
            number for number, place in enumerate(map.places) if place.turns and kinds & set(place.holds)
        ]
        self._cell_of = self._standing_in(kinds)
        self._allowed = {
            kind: np.array([not place.holds or kind in place.holds for place in map.places], bool)
            for kind in {token.kind for token in map.tokens}
        }
        self._marks: dict[Key, dict[int, Point]] = {}
        for token in map.tokens:
            self._marks.setdefault((token.kind, token.name), {})[token.id] = token.at
        self._shapes = self._card_shapes(kinds, outlines)
        self._lying: dict[str, tuple[Key, Point, float]] = {}
        self._drift = Drift(np.zeros((0, 2)), np.zeros((0, 2)))
        self._twist = np.zeros(count)
        self._move()

    def _standing_in(self, kinds: set[str]) -> NDArray[np.intp]:
        """Of each place the cell that it follows, or -1: cells themselves, and what stands on their cards."""
        cells = np.full(len(self._places), -1, np.intp)
        cells[self._cells] = self._cells
        for number, place in enumerate(self._places):
            if cells[number] >= 0 or not place.holds or kinds & set(place.holds):
                continue
            x, y = self._middles[number]
            for cell in self._cells:
                outline = np.array(self._places[cell].outline, np.float32)
                near = np.abs(self._middles[cell] - (x, y)).max() < np.ptp(outline, axis=0).max()
                if near and cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0:
                    cells[number] = cell
                    break
        return cells

    def _card_shapes(self, kinds: set[str], outlines: Sequence[Floats]) -> dict[str, Floats]:
        """Of each kind of card its outline around its middle: that of a place made for it."""
        shapes = {}
        for kind in kinds:
            fitting = [number for number, place in enumerate(self._places) if kind in place.holds]
            fitting.sort(key=lambda number: number not in self._cells)
            if fitting:
                shapes[kind] = outlines[fitting[0]] - outlines[fitting[0]].mean(axis=0)
        return shapes

    # -- where the places are -----------------------------------------------------------------

    def follow(self, map: TableMap, flat: Iterable[str]) -> Places:
        """The places of another map of the same sheet, with what is remembered of how cards lie."""
        after = Places(map, flat)
        after._lying = {cell: lies for cell, lies in self._lying.items() if cell in after._index}
        after._drift = self._drift
        after._move()
        return after

    def settle(self, found: Iterable[Found], expected: Mapping[Key, str]) -> None:
        """Let the grid follow these cards, as far as they lie where they are `expected`."""
        pairs = [
            (self._middles[self._index[place]], piece.at)
            for piece in found
            if piece.flat
            and piece.sure
            and self._index.get(place := expected.get(piece.key, ""), -1) in self._cells
        ]
        if pairs:
            printed, seen = np.array(pairs).transpose(1, 0, 2)
            self._drift = Drift(printed, seen)
        self._move()

    def _move(self) -> None:
        off = np.zeros((len(self._places), 2))
        twist = np.zeros(len(self._places))
        moving = self._cell_of >= 0
        off[moving] = self._drift.at(self._middles[self._cell_of[moving]])
        for cell, (_, at, askew) in self._lying.items():
            number = self._index[cell]
            carried = self._cell_of == number
            carried[number] = False
            off[carried] = at - self._middles[number]
            twist[carried] = askew
        anchors = self._middles.copy()
        anchors[moving] = self._middles[self._cell_of[moving]]
        owner = self._owner
        c, s = np.cos(np.radians(twist)), np.sin(np.radians(twist))

        def moved(points: Floats, of: NDArray[np.intp]) -> Floats:
            x, y = (points - anchors[of]).T
            spun = np.column_stack([x * c[of] - y * s[of], x * s[of] + y * c[of]])
            there: Floats = spun + anchors[of] + off[of]
            return there

        self._outlines = moved(self._printed, owner)
        self._now = moved(self._middles, np.arange(len(self._places)))
        reach = np.linalg.norm(self._outlines - self._now[owner], axis=1)
        self._reach = np.maximum.reduceat(reach, self._starts[:-1]) if len(reach) else np.zeros(0)
        self._twist = twist

    @property
    def outlines(self) -> dict[str, Floats]:
        """Where each place is now, by name (Nx2, mm)."""
        return {place.name: self._outline(number) for number, place in enumerate(self._places)}

    @property
    def middles(self) -> dict[str, Floats]:
        """Where the middle of each place is now, by name (mm)."""
        return {place.name: middle for place, middle in zip(self._places, self._now, strict=True)}

    def _outline(self, number: int) -> Floats:
        outline: Floats = self._outlines[self._starts[number] : self._starts[number + 1]]
        return outline

    def outline_of(self, piece: Found) -> Floats | None:
        """The outline of a card as it lies (Nx2, mm); None of a piece that is no card."""
        shape = self._shapes.get(piece.kind) if piece.flat else None
        return None if shape is None else turned(shape, piece.turn) + piece.at

    # -- what lies in them --------------------------------------------------------------------

    def sights(self, found: Sequence[Found]) -> dict[Key, Sight]:
        """Each piece in its place. Cards first: what stands on them is where they have it."""
        cards = {piece.key: self._sight(piece) for piece in found if piece.flat}
        for pair in self.on_each_other(found):
            for under, upper in (pair, pair[::-1]):
                if not self._covers(under, upper):
                    # Only one that surely lies uppermost is sure.
                    sight = cards[upper.key]
                    cards[upper.key] = Sight(sight.piece, sight.at, min(sight.confidence, _UNSURE))
        self._lying = {cell: lies for cell, lies in self._lying.items() if lies[0] not in cards}
        for piece in found:
            if piece.flat:
                self._remember(piece, cards[piece.key])
        self._move()
        others = {piece.key: self._sight(piece) for piece in found if not piece.flat}
        return cards | others

    def _remember(self, piece: Found, sight: Sight) -> None:
        place = sight.piece.place
        if sight.confidence >= _LIES and place and self._index[place] in self._cells:
            askew = (piece.turn - sight.piece.turn + 180) % 360 - 180
            self._lying[place] = (piece.key, piece.at, askew)

    def on_each_other(self, found: Sequence[Found]) -> list[tuple[Found, Found]]:
        """The pairs of cards of which one must lie on the other."""
        cards = [piece for piece in found if piece.flat and piece.kind in self._shapes]
        if not cards:
            return []
        at = np.array([piece.at for piece in cards])
        sides = np.array([np.ptp(self._shapes[piece.kind][:, 0]) for piece in cards])
        apart = np.linalg.norm(at[:, None] - at[None], axis=2)
        pairs = np.argwhere(np.triu(apart < _OVERLAP * sides[:, None], 1)).tolist()
        return [(cards[one], cards[other]) for one, other in pairs]

    def marks_unseen(self, piece: Found) -> list[Point]:
        """Where the markers of a piece lie that were not seen."""
        marks = [at for id, at in self._marks[piece.key].items() if id not in piece.ids]
        return [
            (float(x), float(y)) for x, y in turned(np.array(marks).reshape(-1, 2), piece.turn) + piece.at
        ]

    def _covers(self, under: Found, upper: Found) -> bool:
        """Whether every marker of `upper` is seen, and one of the other's is missing where it lies."""
        outline = self.outline_of(upper)
        if outline is None or self.marks_unseen(upper):
            return False
        shape = outline.astype(np.float32)
        return any(cv2.pointPolygonTest(shape, mark, False) >= 0 for mark in self.marks_unseen(under))

    def _sight(self, piece: Found) -> Sight:
        away = np.linalg.norm(self._now - piece.at, axis=1)
        near = [int(number) for number in np.flatnonzero(away <= self._reach + _SURE_INSIDE)]
        depths = {number: self._depth(number, piece.at) for number in near}
        allowed = self._allowed[piece.kind]
        rated = sorted(
            (self._cost(number, float(away[number]), piece), number)
            for number, depth in depths.items()
            if allowed[number] and depth >= (-_JOINT if self._cell_of[number] >= 0 else 0.0)
        )
        if not rated:
            # Where nothing of its kind can be, there may be a card that is not known of yet.
            elsewhere = max((depth for number, depth in depths.items() if not allowed[number]), default=-1.0)
            depth = max(depths.values(), default=-_SURE_INSIDE)
            sure = _UNSURE if elsewhere >= 0 else _sure(abs(depth), _SURE_INSIDE)
            return Sight(
                Piece(piece.kind, piece.name, ""), piece.at, min(sure, 1.0 if piece.sure else _UNSURE)
            )
        cost, number = rated[0]
        turn, straight = self._turn(number, piece.turn)
        sure = min(_sure(depths[number], self._sure_depth(number)), straight, 1.0 if piece.sure else _UNSURE)
        if len(rated) > 1:
            sure = min(sure, _sure(rated[1][0] - cost, _APART))
        return Sight(Piece(piece.kind, piece.name, self._places[number].name, turn), piece.at, sure)

    def _depth(self, number: int, at: Point) -> float:
        """How far inside a place's border that point lies (mm); negative outside."""
        return float(cv2.pointPolygonTest(self._outline(number).astype(np.float32), at, True))

    def _sure_depth(self, number: int) -> float:
        x, y = self._now[number]
        most = self._depth(number, (float(x), float(y)))
        if number in self._cells:
            return _SURE_CELL * most
        return min(_SURE_INSIDE, _SMALL * most)

    def _cost(self, number: int, away: float, piece: Found) -> float:
        off, _ = self._off(number, piece.turn)
        return float(np.hypot(away, _ASKEW * off))

    def _off(self, number: int, turn: float) -> tuple[float, int]:
        """By how many degrees a piece is turned beside the nearest turn that it may have there, and that."""
        beside = (
            (abs((turn - self._twist[number] - allowed + 180) % 360 - 180), allowed)
            for allowed in self._places[number].turns
        )
        return min(beside, default=(0.0, 0))

    def _turn(self, number: int, turn: float) -> tuple[int, float]:
        """The turn that a piece has there, and how sure that is."""
        off, nearest = self._off(number, turn)
        others = (
            abs((nearest - other + 180) % 360 - 180)
            for other in self._places[number].turns
            if other != nearest
        )
        half = min(others, default=360.0) / 2
        return nearest, 1.0 - 0.5 * float(np.clip((off / half - _STRAIGHT) / (_CROOKED - _STRAIGHT), 0, 1))


def _sure(inside: float, enough: float) -> float:
    """Confidence of what is so far on the right side of a border, and is sure at `enough`."""
    return 0.5 + 0.5 * float(np.clip(inside / max(enough, 1e-6), 0, 1))
