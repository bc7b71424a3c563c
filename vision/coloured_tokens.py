"""Pieces that carry no marker, told by their colour after one look at where they should stand.

Only those are looked for whose markers were never seen, and only on a sheet on which no cards lie: there the
print is known, and what is no print has a colour of its own. What is not clearly one piece standing by
itself is not sure; of a piece whose colour could be another's, or the sheet's, nothing is said at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Point, TableMap, Token
from vision.advice import Advice
from vision.pieces import Found, Key
from vision.pose import Pose
from vision.sheet_light import CELL, Lit, SheetLight
from vision.token_colours import Colour, Look, apart, blobs, learned, measured, solid, tints, width

Image = NDArray[np.uint8]
Floats = NDArray[Any]
Mask = NDArray[np.bool_]

_MISSED = 1  # looks in which a marker was not seen before a piece is taken to carry none
_TOLD = 2  # looks that say the same before people are told
_RIM = 14.0  # mm around the tray that belong to it
_AROUND = 14.0  # mm around its place in which a piece that stands there may show: it leans out of the picture
_NARROWER, _WIDER = 0.72, 1.35  # than it was, as the piece itself may seem
_LONGEST = 3.5  # times its width, as a piece may seem that is seen from aside
_FILLED = 0.5  # of a disc of its width
_SECOND = 0.25  # of a piece: so much more of its colour elsewhere is not one piece alone
_STRANGE = 0.2  # of what is around it: a hand, a card, a piece of no known colour
_HIDING = 0.15  # of what is around it on the camera's side: another piece, which may hide where it stands
_EDGE = 2.2  # reaches of its colour within which that is still its own edge
_NEAR, _FAR = 5, 9  # cells: what is around it
_MARKED = 1.2  # sides of its marker that a piece with one hides around itself
_LOOSE = 3.5  # mm by which a piece may stand beside where it seems to
_EDGES = (2.0, 98.0)  # per cent of a piece's cells between which it begins and ends


@dataclass(frozen=True)
class SheetPrint:
    """A game's sheet from above (`picture`: BGR, uint8, a pixel a cell of CELL mm), and the colours that its
    pieces have by their names (BGR, 0 to 1 each).
    """

    picture: Image
    said: Mapping[Key, Floats]


Print = Callable[[], SheetPrint]
"""Draws the print: asked for once, when a piece without a marker is first looked for."""


class ColouredTokens:
    """Looks for the standing pieces of one sheet by their colours. One thread at a time."""

    def __init__(self, map: TableMap, print: Print) -> None:
        self._map = map
        self._draw = print
        self._print: SheetPrint | None = None
        self._light: SheetLight | None = None
        self._standing = {(token.kind, token.name): token for token in map.tokens if not token.flat}
        self._marked: set[Key] = set()
        self._missed: Counter[Key] = Counter()
        self._colours: dict[Key, Colour] = {}
        self._trouble: Look | None = None
        self._same = 0
        shape = (round(map.height / CELL), round(map.width / CELL))
        self._shown = ~_drawn(shape, np.array(map.tray.outline), _RIM)

    @property
    def colours(self) -> Mapping[Key, Colour]:
        """The colours that pieces are told by now."""
        return self._colours

    @property
    def advice(self) -> Advice | None:
        """What keeps pieces from being told by their colours, and what to do; None when nothing does."""
        if self._trouble is None or self._same < _TOLD:
            return None
        return advice_of(self._trouble, self._standing)

    @property
    def trouble(self) -> Look | None:
        """The look that `advice` is about; None when all is well."""
        return self._trouble

    def look(
        self,
        image: Image,
        pose: Pose,
        found: Sequence[Found],
        expected: Mapping[Key, str],
        outlines: Mapping[str, Floats],
    ) -> list[Found]:
        """The pieces without a marker that this picture shows; `found` are those with one.

        `expected` is the place in which the rules have each piece, `outlines` where places are (mm).
        """
        self._marked |= {piece.key for piece in found} & self._standing.keys()
        for key in self._marked & self._colours.keys():
            del self._colours[key]
        wanted = {
            key: place
            for key, place in expected.items()
            if key in self._standing and key not in self._marked and place in outlines
        }
        self._missed.update(wanted.keys())
        new = {key: place for key, place in wanted.items() if self._missed[key] > _MISSED}
        if not new:
            self._say(None)
            return []
        lit = self._lit(image, pose)
        if lit is None:
            return []
        beside = self._beside(lit, found)
        if new.keys() - self._colours.keys():
            self._learn(lit, beside, new, outlines)
        return self._find(lit, beside, pose)

    def _lit(self, image: Image, pose: Pose) -> Lit | None:
        if self._light is None:
            self._print = self._draw()
            self._light = SheetLight(self._print.picture, self._shown)
        return self._light.see(image, pose)

    def _beside(self, lit: Lit, found: Sequence[Found]) -> Mask:
        """Where pieces with markers stand, and what is no part of the sheet."""
        beside = (~self._shown).astype(np.uint8)
        for piece in found:
            token = self._standing.get(piece.key)
            reach = 0.0 if token is None else token.side * _MARKED
            middle = (round(piece.at[0] / CELL), round(piece.at[1] / CELL))
            cv2.circle(beside, middle, round(reach / CELL), (1,), -1)
        return beside > 0

    # -- learning ------------------------------------------------------------------------------

    def _learn(
        self, lit: Lit, beside: Mask, wanted: Mapping[Key, str], outlines: Mapping[str, Floats]
    ) -> None:
        assert self._print is not None
        said = {key: self._print.said[key] for key in wanted if key in self._print.said}
        shape = self._shown.shape
        within = {key: _drawn(shape, outlines[wanted[key]], _AROUND) & self._shown for key in said}
        places = np.logical_or.reduce([_drawn(shape, outline, 0.0) for outline in outlines.values()])
        look = learned(lit, said, within, beside, places & self._shown, self._colours)
        self._colours = {key: colour for key, colour in self._colours.items() if key in look.colours} | dict(
            look.colours
        )
        # Where no piece is seen at all, people may well play without any.
        self._say(look if look.there and advice_of(look, self._standing) is not None else None)

    def _say(self, look: Look | None) -> None:
        same = look is not None and self._trouble is not None and _same(look, self._trouble)
        self._same = self._same + 1 if same else 1
        self._trouble = look

    # -- finding -------------------------------------------------------------------------------

    def _find(self, lit: Lit, beside: Mask, pose: Pose) -> list[Found]:
        if not self._colours:
            return []
        there = solid(~lit.paper & ~beside)
        keys = sorted(self._colours)
        rows, columns = np.nonzero(there)
        tint, bright = tints(lit.colours[rows, columns])
        off = np.stack([self._colours[key].off(tint, bright) for key in keys], axis=1)
        known = off.min(axis=1, initial=np.inf) <= 1.0
        label = np.full(there.shape, -1)
        label[rows[known], columns[known]] = off[known].argmin(axis=1)
        shown = _Shown(lit, label, there, beside, pose)
        pieces = (self._piece(key, number, shown) for number, key in enumerate(keys))
        return [piece for piece in pieces if piece is not None]

    def _piece(self, key: Key, number: int, shown: _Shown) -> Found | None:
        """The piece of that colour, which has that number; None where nothing looks like one."""
        colour, own = self._colours[key], shown.label == number
        spots = blobs(own)
        if not spots:
            return None
        main, size, wide = spots[0], float(spots[0].sum()), width(spots[0])
        if not _NARROWER * colour.wide <= wide <= _WIDER * colour.wide:
            return None
        if size * CELL**2 < _FILLED * np.pi / 4 * colour.wide**2:
            return None
        at, long = _foot(main, shown.pose)
        alone = len(spots) == 1 or float(spots[1].sum()) < _SECOND * size
        now = measured(main & own, wide, shown.lit)
        clear = now is not None and all(
            apart(now, other) >= 1.0 for them, other in self._colours.items() if them != key
        )
        sure = alone and clear and long <= _LONGEST * colour.wide and shown.is_free(main, colour)
        return Found(*key, at, 0.0, frozenset(), sure, flat=False, loose=_LOOSE)


@dataclass(frozen=True)
class _Shown:
    """What one picture shows: `label` (HxW) is the number of each cell's colour, -1 for none, `there` where
    something is, and `beside` where pieces with markers and the tray are.
    """

    lit: Lit
    label: NDArray[np.intp]
    there: Mask
    beside: Mask
    pose: Pose

    def is_free(self, blob: Mask, colour: Colour) -> bool:
        """Whether nothing strange is about a blob of that colour, as a hand is, and nothing hides its foot.

        Another piece hides what stands behind it, seen from the camera, and not what stands before it.
        """
        own = blob.astype(np.uint8)
        near, far = (cv2.dilate(own, np.ones((side, side), np.uint8)) > 0 for side in (_NEAR, _FAR))
        rows, columns = np.nonzero(far & ~near)
        there, known = self.there[rows, columns], self.label[rows, columns] >= 0
        # Its own edge, where its sides are dark or mixed with what is behind them.
        own_edge = ~known & (colour.off(*tints(self.lit.colours[rows, columns])) <= _EDGE)
        taken = (there & ~own_edge) | self.beside[rows, columns]
        if float((taken & ~known).mean()) > _STRANGE:
            return False
        cells, middle = _cells(rows, columns), _cells(*np.nonzero(blob)).mean(axis=0)
        before = (cells - middle) @ (middle - self.pose.eye[:2]) < 0
        return not before.any() or float(taken[before].mean()) <= _HIDING


def _foot(blob: Mask, pose: Pose) -> tuple[Point, float]:
    """Where the piece stands that a blob shows (mm), and how long the blob is away from the camera (mm).

    What stands high shows farther from the camera than it is: its foot is at the blob's near end.
    """
    rows, columns = np.nonzero(blob)
    cells = _cells(rows, columns)
    middle = cells.mean(axis=0)
    away = middle - pose.eye[:2]
    away = away / max(float(np.hypot(*away)), 1e-6)
    across = np.array([-away[1], away[0]])
    near, far = np.percentile(cells @ away, _EDGES)
    left, right = np.percentile(cells @ across, _EDGES)
    wide = right - left + CELL
    foot = away * (near - CELL / 2 + wide / 2) + across * (left + right) / 2
    return (float(foot[0]), float(foot[1])), float(far - near + CELL)


def _cells(rows: NDArray[Any], columns: NDArray[Any]) -> Floats:
    """Where the middles of cells are (Nx2, mm)."""
    return (np.column_stack([columns, rows]) + 0.5) * CELL


def _drawn(shape: tuple[int, int], outline: Floats, around: float) -> Mask:
    """The cells (HxW) inside an outline (Nx2, mm), and those so many mm around it."""
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [np.rint(np.asarray(outline) / CELL).astype(np.int32)], (1,))
    if around:
        side = 2 * round(around / CELL) + 1
        mask = np.asarray(cv2.dilate(mask, np.ones((side, side), np.uint8)), np.uint8)
    return mask > 0


def _same(one: Look, other: Look) -> bool:
    """Whether two looks have the same trouble."""
    one_like, other_like = {*one.like_sheet, *one.pale}, {*other.like_sheet, *other.pale}
    return (one.alike, one_like, one.unknown, one.stranger) == (
        other.alike,
        other_like,
        other.unknown,
        other.stranger,
    )


def advice_of(look: Look, tokens: Mapping[Key, Token]) -> Advice | None:
    """What is wrong with the colours in a look, first what is worst; None where nothing is."""

    def name(key: Key) -> str:
        return tokens[key].words or f"the {key[1]} {key[0]}"

    if look.alike:
        words = " and ".join(name(key) for key in look.alike[0])
        return Advice(
            f"{words[0].upper()}{words[1:]} look alike to the camera in this light.",
            "Give one of them a printed cap or another colour, or put on more light. "
            "Until then say their moves on a phone.",
        )
    for key in (*look.like_sheet, *look.pale):
        return Advice(
            f"The camera can hardly tell {name(key)} from the sheet.",
            "Give it a printed cap or another colour. Until then say its moves on a phone.",
        )
    if look.stranger:
        return Advice(
            "A piece stands there whose colour is no player's, so that it is not clear whose the others are.",
            "Use pieces of the players' colours, or give them printed caps. "
            "Until then say their moves on a phone.",
        )
    for key in look.unknown:
        return Advice(
            f"The camera does not find {name(key)} by its colour where it should stand.",
            "Stand it there, apart from the others, or give it a printed cap. "
            "Until then say its moves on a phone.",
        )
    return None
