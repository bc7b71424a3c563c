"""Where the places of a table are: cells follow the cards that lie in them, the rest is as printed.

Places in which cards lie turned by quarters are cells of a grid, and a grid is where its cards are:
it follows those that lie where they are expected. What stands on a card (ties, a Circle) follows
that card. All other places are where they are printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Point, TableMap
from vision.drift import Drift
from vision.pieces import Found, Key, turned

Floats = NDArray[Any]


@dataclass(frozen=True)
class Lying:
    """How a card lies in a cell: which it is, its middle (mm), and by how many degrees it is askew."""

    key: Key
    at: Point
    askew: float


class Ground:
    """The places of one map, by their number in it. It remembers how cards lie: a hand may cover them."""

    def __init__(self, map: TableMap, before: Ground | None = None) -> None:
        """`before` is the ground of an earlier map of the same sheet."""
        self.places = map.places
        self.number = {place.name: number for number, place in enumerate(map.places)}
        cards = {token.kind for token in map.tokens if token.flat}
        self._printed = [np.array(place.outline, float) for place in map.places]
        sizes = [len(outline) for outline in self._printed]
        self._owner = np.repeat(np.arange(len(sizes)), sizes)
        self._starts = np.cumsum([0, *sizes])
        self._points = np.concatenate([*self._printed, np.zeros((0, 2))])
        self._middles = np.array([outline.mean(axis=0) for outline in self._printed]).reshape(-1, 2)
        self.cells = np.array([bool(place.turns and cards & set(place.holds)) for place in map.places], bool)
        self._follows = self._followed(cards)
        self._shapes = self._card_shapes(cards)
        self._lying: dict[str, Lying] = {}
        self._drift = Drift(np.zeros((0, 2)), np.zeros((0, 2)))
        if before is not None:
            self._lying = {cell: lies for cell, lies in before._lying.items() if cell in self.number}
            self._drift = before._drift
        self._move()

    def _followed(self, cards: set[str]) -> NDArray[np.intp]:
        """Of each place the cell that it follows, or -1: cells themselves, and what stands on their cards."""
        follows = np.where(self.cells, np.arange(len(self.places)), -1)
        cells = np.flatnonzero(self.cells)
        standing = [
            number
            for number, place in enumerate(self.places)
            if place.holds and not cards & set(place.holds) and len(cells)
        ]
        away = np.linalg.norm(self._middles[standing][:, None] - self._middles[cells][None], axis=2)
        for number, cell in zip(standing, cells[away.argmin(axis=1)] if standing else (), strict=True):
            if depth(self._printed[cell], _point(self._middles[number])) >= 0:
                follows[number] = cell
        return follows

    def _card_shapes(self, cards: set[str]) -> dict[str, Floats]:
        """Of each kind of card its outline around its middle: that of a place made for it."""
        shapes = {}
        for kind in cards:
            fitting = [number for number, place in enumerate(self.places) if kind in place.holds]
            fitting.sort(key=lambda number: not self.cells[number])
            if fitting:
                shapes[kind] = self._printed[fitting[0]] - self._middles[fitting[0]]
        return shapes

    # -- what moves it ------------------------------------------------------------------------

    def settle(self, found: Iterable[Found], expected: Mapping[Key, str]) -> None:
        """Let the grid follow these cards, as far as they lie where they are `expected`."""
        printed, seen = [], []
        for piece in found:
            number = self.number.get(expected.get(piece.key, ""))
            if piece.flat and piece.sure and number is not None and self.cells[number]:
                printed.append(self._middles[number])
                seen.append(piece.at)
        if seen:
            self._drift = Drift(np.array(printed), np.array(seen))
            self._move()

    def carry(self, seen: Iterable[Key], lying: Mapping[str, Lying]) -> None:
        """Let what stands on cards follow them: those in `lying`, by cell, and of others those not `seen`."""
        keys = set(seen)
        self._lying = {cell: lies for cell, lies in self._lying.items() if lies.key not in keys} | dict(lying)
        self._move()

    def _move(self) -> None:
        moving = self._follows >= 0
        anchors = self._middles[self._follows]
        off = np.where(moving[:, None], self._drift.at(anchors), 0.0)
        self.twist = np.zeros(len(self.places))
        for cell, lies in self._lying.items():
            number = self.number[cell]
            carried = (self._follows == number) & ~self.cells
            off[carried] = lies.at - self._middles[number]
            self.twist[carried] = lies.askew
        c, s = np.cos(np.radians(self.twist)), np.sin(np.radians(self.twist))

        def moved(points: Floats, of: NDArray[np.intp]) -> Floats:
            x, y = (points - anchors[of]).T
            spun = np.column_stack([x * c[of] - y * s[of], x * s[of] + y * c[of]])
            there: Floats = spun + anchors[of] + off[of]
            return there

        self._outlines = moved(self._points, self._owner)
        self.middles = moved(self._middles, np.arange(len(self.places)))
        far = np.linalg.norm(self._outlines - self.middles[self._owner], axis=1)
        self.reach = np.maximum.reduceat(far, self._starts[:-1]) if len(far) else np.zeros(0)

    # -- where it is --------------------------------------------------------------------------

    def outline(self, number: int) -> Floats:
        """Where a place is now (Nx2, mm)."""
        outline: Floats = self._outlines[self._starts[number] : self._starts[number + 1]]
        return outline

    @property
    def outlines(self) -> dict[str, Floats]:
        """Where each place is now, by name (Nx2, mm)."""
        return {place.name: self.outline(number) for number, place in enumerate(self.places)}

    def moves(self, number: int) -> bool:
        """Whether a place belongs to the grid or stands on it."""
        return bool(self._follows[number] >= 0)

    def card(self, piece: Found) -> Floats | None:
        """The outline of a card as it lies (Nx2, mm); None of a piece that is no card."""
        shape = self._shapes.get(piece.kind) if piece.flat else None
        return None if shape is None else turned(shape, piece.turn) + piece.at

    def side(self, kind: str) -> float:
        """How wide (mm) a kind of card is; 0 of one for which no place is made."""
        shape = self._shapes.get(kind)
        return 0.0 if shape is None else float(np.ptp(shape[:, 0]))


def depth(outline: Floats, at: Point) -> float:
    """How far inside an outline's border that point lies (mm); negative outside."""
    return float(cv2.pointPolygonTest(outline.astype(np.float32), at, True))


def _point(at: Sequence[float] | Floats) -> Point:
    return (float(at[0]), float(at[1]))
