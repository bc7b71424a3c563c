"""Which parts of the table are covered: by an arm, a mug, whatever the table does not look like.

Two pictures are remembered, part by part: how the bare sheet looks, and how that looks which has
come to lie on it. A card whose markers are seen explains what has changed where it lies; a card
that is gone shows the sheet again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Point, TableMap
from vision.pieces import Key
from vision.pose import Pose

Image = NDArray[np.uint8]
Floats = NDArray[Any]
Mask = NDArray[np.bool_]

_STEP = 4.0  # mm of the sheet to one pixel of its small picture
_OTHER = 24.0  # a pixel that differs so much, brightness apart, is not the sheet (of 255)
_DARKER, _BRIGHTER = 0.4, 1.5  # what shadow and light do to a sheet that lies bare
_PART = 0.25  # a place is covered when this part of what can be judged of it is not the sheet
_ENOUGH = 6  # pixels that must be judged of a place
_RING = (4.0, 16.0)  # mm outside the tray: who reaches into it must cross this ring
_CROSSED = 8  # pixels of the ring that are not the sheet
_STAYS = 30.0  # seconds after which what covers a part counts as part of the table
_SAME = 15.0
_STIR = 12  # pixels that are not the sheet, up to which nothing is taken to lie on it
_EDGE = 4.0  # mm around a card in which its edge and its shadow are seen
_BESIDE = 8.0  # mm around that, which whoever holds the card must cross
_HELD = 5  # pixels of it that are not the table
_NUDGED = 2.0  # mm by which a card's corner has moved when it must be learned anew
_UNLIKE_BARE = 0.03  # of a card's pixels: no more differ from the sheet when the card is gone
_JUDGED = 0.6  # of them must be known
_SOME = 3  # every third pixel of every third row tells the light
_LOW, _HIGH = 3, 28  # pixels along a patch that may be a piece whose marker was not read
_PATCHES = 8
_CHANGED = 0.45  # of what makes it something else: so much may be a small piece, or only a shadow

_AROUND = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


@dataclass(frozen=True)
class Footprint:
    """What a piece that is seen hides of the sheet: a card its `outline` (Nx2, mm), any other a disc.

    `reach` is that disc's radius in mm around `at`.
    """

    key: Key
    at: Point
    reach: float
    outline: Floats | None = None


class Coverage:
    """Remembers how the table looks, and compares. One thread at a time, one frame after the other.

    For each frame first `compare`, then `explain` what is seen, ask what one likes, and `settle`.
    """

    def __init__(self, map: TableMap) -> None:
        self._size = (round(map.width / _STEP), round(map.height / _STEP))
        shape = self._size[::-1]
        tray = np.zeros(shape, np.uint8)
        cv2.fillConvexPoly(tray, _pixels(np.array(map.tray.outline)), (1,))
        near, far = (cv2.dilate(tray, _disc(reach)) for reach in _RING)
        self._ring = (np.asarray(far) > 0) & (np.asarray(near) == 0)
        self._beside_tray = np.asarray(near) == 0
        self._sheet, self._known = np.zeros((*shape, 3), np.float32), np.zeros(shape, bool)
        self._upper, self._lain_on = np.zeros((*shape, 3), np.float32), np.zeros(shape, bool)
        self._cards: dict[Key, Floats] = {}
        self._strange, self._since = np.zeros((*shape, 3), np.float32), np.full(shape, np.inf)
        self._now = np.zeros((*shape, 3), np.float32)
        self._no_sheet, self._no_upper = np.ones(shape, bool), np.ones(shape, bool)
        self._changed = np.zeros(shape, bool)
        self._pieces: Sequence[Footprint] = ()
        self._fresh: list[tuple[Key, Floats]] = []
        self._hidden, self._judged = np.zeros(shape, bool), np.zeros(shape, bool)
        self._names: tuple[str, ...] = ()
        self._parts: dict[str, tuple[Floats, NDArray[np.intp]]] = {}
        self._at, self._of = np.zeros(0, np.intp), np.zeros(0, np.intp)

    def lay_out(self, outlines: Mapping[str, Floats]) -> None:
        """The places to be judged from now on, by name, and where they are (Nx2, mm)."""
        parts = {}
        for name, outline in outlines.items():
            known = self._parts.get(name)
            if known is None or not _same(known[0], outline, _STEP / 2):
                known = (outline, self._within(outline))
            parts[name] = known
        self._parts = parts
        self._names = tuple(parts)
        inside = [part for _, part in parts.values()]
        self._at = np.concatenate([*inside, np.zeros(0, np.intp)])
        self._of = np.repeat(np.arange(len(inside)), [len(part) for part in inside])

    def compare(self, image: Image, pose: Pose) -> None:
        """Look at this picture from now on."""
        smaller = 0.25
        quarter = cv2.resize(image, None, fx=smaller, fy=smaller, interpolation=cv2.INTER_AREA)
        shrink = np.array([[smaller, 0, (smaller - 1) / 2], [0, smaller, (smaller - 1) / 2], [0, 0, 1]])
        to_picture = shrink @ pose.matrix @ np.diag([_STEP, _STEP, 1.0])
        flat = cv2.warpPerspective(
            quarter, to_picture, self._size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        )
        self._now = np.asarray(flat, np.float32)
        lamp = self._lamp()
        off_sheet = np.where(self._known, _unlike(self._now, self._sheet * lamp), np.inf)
        off_upper = self._unlike_upper(lamp)
        self._no_sheet, self._no_upper = off_sheet > 1, off_upper > 1
        self._changed = np.minimum(off_sheet, off_upper) > _CHANGED

    def explain(self, pieces: Sequence[Footprint]) -> None:
        """These pieces are seen: what changed where they are is no arm."""
        self._pieces = pieces
        hides = np.zeros(self._known.shape, np.uint8)
        for piece in pieces:
            if piece.outline is None:
                x, y = piece.at
                cv2.circle(hides, (round(x / _STEP), round(y / _STEP)), round(piece.reach / _STEP), (1,), -1)
        self._hidden = hides > 0
        # Cards that were not there before, or not so.
        self._fresh = []
        for piece in pieces:
            before = self._cards.get(piece.key)
            if piece.outline is not None and (before is None or not _same(before, piece.outline, _NUDGED)):
                self._fresh.append((piece.key, piece.outline))
        laid = self._drawn([outline for _, outline in self._fresh])
        self._judged = (self._known | self._lain_on) & ~laid & ~self._hidden

    def strange(self) -> list[Floats]:
        """Patches that neither the table nor a piece that is seen explains and that may be a piece.

        Each as the outline of a box (4x2, mm), the largest first; not in the tray. A shadow may be
        among them: what is small and grey looks like one.
        """
        changed = self._changed & self._judged & self._beside_tray
        joined = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
        found: list[Floats] = []
        for left, top, wide, high, size in sorted(stats[1:].tolist(), key=lambda row: -row[4]):
            if min(wide, high) >= _LOW and max(wide, high) <= _HIGH and size >= _ENOUGH:
                corner = np.array([left, top])
                found.append((np.array([(0, 0), (wide, 0), (wide, high), (0, high)]) + corner) * _STEP)
        return found[:_PATCHES]

    def covered(self, outline: Floats) -> bool:
        """Whether something that no piece explains hides much of what lies in that outline (Nx2, mm)."""
        inside = self._within(outline)
        judged = self._judged.ravel()[inside]
        strange = judged & (self._no_sheet & self._no_upper).ravel()[inside]
        return int(judged.sum()) >= _ENOUGH and int(strange.sum()) > _PART * int(judged.sum())

    def bare(self, outline: Floats) -> bool:
        """Whether the sheet is seen all over that outline (Nx2, mm), so that nothing can lie there."""
        inside = self._within(outline)
        known = inside[self._known.ravel()[inside]]
        if len(known) < max(_JUDGED * len(inside), _ENOUGH):
            return False
        return bool(self._no_sheet.ravel()[known].mean() <= _UNLIKE_BARE)

    def settle(self, time: float) -> tuple[frozenset[str], bool]:
        """The places that are covered, and whether something reaches over the tray's edge.

        What is seen of the table is remembered.
        """
        judged = self._judged
        other = self._no_sheet & self._no_upper & judged
        unlike = most(np.abs(self._now - self._strange)) > _SAME
        self._since = np.where(other, np.where(unlike, time, np.minimum(self._since, time)), np.inf)
        np.copyto(self._strange, self._now, where=(other & unlike)[..., None])
        other &= time - self._since < _STAYS
        held = self._lay(other)
        if int(other.sum()) < _STIR:
            # Only from a table that nothing covers: an arm's soft edge would be learned as sheet.
            self._learn(held)
        count = np.bincount(self._of, judged.ravel()[self._at], len(self._names))
        strange = np.bincount(self._of, other.ravel()[self._at], len(self._names))
        unread = np.bincount(self._of, held.ravel()[self._at], len(self._names))
        size = np.bincount(self._of, minlength=len(self._names))
        covered = ((count >= _ENOUGH) & (strange > _PART * count)) | (unread > _PART * size)
        places = frozenset(name for name, hides in zip(self._names, covered, strict=True) if hides)
        return places, int((other & self._ring).sum()) >= _CROSSED

    # -- what is remembered --------------------------------------------------------------------

    def _lay(self, other: Mask) -> Mask:
        """Remember how cards newly laid look; the answer is where those lie that somebody still holds."""
        held = np.zeros(self._known.shape, bool)
        for key, outline in self._fresh:
            before = self._cards.pop(key, None)
            if before is not None:
                # What lies under its edge still lies there.
                self._lain_on &= ~self._drawn([before]) | self._drawn(list(self._cards.values()))
            mine = self._drawn([outline])
            around = cv2.dilate(mine.astype(np.uint8), _disc(_BESIDE)) > 0
            # What lies in the tray beside it is a die, and no hand.
            if int((around & other & self._beside_tray).sum()) > _HELD:
                held |= mine
                continue
            seen = mine & ~self._hidden
            np.copyto(self._upper, self._now, where=seen[..., None])
            self._lain_on = (self._lain_on & ~mine) | seen
            # Of a card that lies under this one nothing is seen any more.
            shape = outline.astype(np.float32)
            self._cards = {
                old: there
                for old, there in self._cards.items()
                if cv2.pointPolygonTest(shape, _middle(there), False) < 0
            }
            self._cards[key] = outline
        return held

    def _learn(self, held: Mask) -> None:
        lying = self._drawn([piece.outline for piece in self._pieces if piece.outline is not None])
        shows = ~self._hidden & ~held & (self._no_upper | ~self._lain_on)
        bare = shows & ~lying & (~self._no_sheet | ~(self._known | self._lain_on))
        np.copyto(self._sheet, self._now, where=bare[..., None])
        self._known |= bare
        # A card in whose place the sheet shows lies there no more; it may come back just so.
        self._cards = {key: there for key, there in self._cards.items() if not bare[self._middle(there)]}
        # What is neither the sheet nor a card has stayed long enough, or is too small to matter.
        upper = ~self._hidden & ~held & ~bare & (self._lain_on | ~lying)
        np.copyto(self._upper, self._now, where=upper[..., None])
        self._lain_on = (self._lain_on | upper) & ~bare

    # -- pixels --------------------------------------------------------------------------------

    def _drawn(self, cards: Sequence[Floats]) -> Mask:
        """Where cards with these outlines are, with their edges and shadows."""
        drawn = np.zeros(self._known.shape, np.uint8)
        for outline in cards:
            cv2.fillConvexPoly(drawn, _pixels(_grown(outline, _EDGE)), (1,))
        return drawn > 0

    def _unlike_upper(self, lamp: Floats) -> Floats:
        """How unlike what lies there the picture is, or what lies a pixel away: it may be nudged."""
        unlike = np.full(self._known.shape, np.inf, np.float32)
        rows, columns = np.nonzero(self._lain_on)
        unlike[rows, columns] = _unlike(self._now[rows, columns], self._upper[rows, columns] * lamp)
        rows, columns = np.nonzero(self._lain_on & (unlike > _CHANGED))
        wide, high = self._size
        least, now = unlike[rows, columns], self._now[rows, columns]
        for down, right in _AROUND:
            there = (np.clip(rows + down, 0, high - 1), np.clip(columns + right, 0, wide - 1))
            beside = np.where(self._lain_on[there], _unlike(now, self._upper[there] * lamp), np.inf)
            least = np.minimum(least, beside)
        unlike[rows, columns] = least
        return unlike

    def _lamp(self) -> Floats:
        """How much brighter the light is than it was, by colour."""
        some = np.s_[::_SOME, ::_SOME]
        upper, sheet = self._lain_on[some], self._known[some]
        base = np.where(upper[..., None], self._upper[some], self._sheet[some])[upper | sheet]
        if not base.size:
            return np.ones(3, np.float32)
        lamp: Floats = np.median(self._now[some][upper | sheet] / np.maximum(base, 1.0), axis=0)
        return lamp

    def _middle(self, outline: Floats) -> tuple[int, int]:
        """The pixel of the small picture in the middle of an outline: row and column."""
        across, down = np.clip(_pixels(outline.mean(axis=0)), 0, np.subtract(self._size, 1)).tolist()
        return (down, across)

    def _within(self, outline: Floats) -> NDArray[np.intp]:
        """The pixels inside an outline, as indices into the flattened small picture."""
        points = _pixels(outline)
        low = np.maximum(points.min(axis=0), 0)
        high = np.minimum(points.max(axis=0) + 1, self._size)
        if (low >= high).any():
            return np.zeros(0, np.intp)
        part = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        cv2.fillConvexPoly(part, points - low.astype(np.int32), (1,))
        rows, columns = np.nonzero(part)
        inside: NDArray[np.intp] = (rows + low[1]) * self._size[0] + columns + low[0]
        return inside


def _same(one: Floats, other: Floats, by: float) -> bool:
    """Whether two outlines lie where each other does, but for so many mm."""
    return one.shape == other.shape and bool(np.abs(one - other).max() <= by)


def _unlike(now: Floats, base: Floats) -> Floats:
    """How unlike `base`, and `base` in other light, a picture is: above 1 it is something else."""
    light = np.einsum("...c,...c->...", now, base) / np.maximum(np.einsum("...c,...c->...", base, base), 1.0)
    left = most(np.abs(now - base * light[..., None]))
    shade = np.where(light < 1, (1 - light) / (1 - _DARKER), (light - 1) / (_BRIGHTER - 1))
    unlike: Floats = np.maximum(left / _OTHER, shade)
    return unlike


def most(colours: Floats) -> Floats:
    """The largest of each pixel's three values."""
    most: Floats = np.maximum(np.maximum(colours[..., 0], colours[..., 1]), colours[..., 2])
    return most


def _grown(outline: Floats, by: float) -> Floats:
    """A card's outline with so many mm more on each side."""
    middle = outline.mean(axis=0)
    half = np.linalg.norm(outline - middle, axis=1, keepdims=True)
    grown: Floats = middle + (outline - middle) * (1 + by * np.sqrt(2) / half)
    return grown


def _middle(outline: Floats) -> Point:
    x, y = outline.mean(axis=0)
    return float(x), float(y)


def _pixels(outline: Floats) -> NDArray[np.int32]:
    return np.round(outline / _STEP).astype(np.int32)


def _disc(reach: float) -> NDArray[np.uint8]:
    side = 2 * round(reach / _STEP) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)
