"""Which parts of the table are covered: by an arm, a mug, whatever the sheet does not look like."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Point, TableMap
from vision.pose import Pose

Image = NDArray[np.uint8]
Floats = NDArray[Any]

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


class Coverage:
    """Remembers how the bare sheet looks, part by part, and compares. One thread at a time."""

    def __init__(self, map: TableMap) -> None:
        self._size = (round(map.width / _STEP), round(map.height / _STEP))
        self._names = tuple(place.name for place in map.places)
        shape = self._size[::-1]
        labels = np.full(shape, -1, np.int32)
        for index, place in enumerate(map.places):
            cv2.fillConvexPoly(labels, _pixels(place.outline), (index,))
        self._labels = labels
        tray = np.zeros(shape, np.uint8)
        cv2.fillConvexPoly(tray, _pixels(map.tray.outline), (1,))
        near, far = (cv2.dilate(tray, _disc(reach)) for reach in _RING)
        self._ring = (np.asarray(far) > 0) & (np.asarray(near) == 0)
        self._bare = np.zeros((*shape, 3), np.float32)
        self._known = np.zeros(shape, bool)
        self._strange = np.zeros((*shape, 3), np.float32)
        self._since = np.full(shape, np.inf)

    def look(
        self, time: float, image: Image, pose: Pose, tokens: Iterable[tuple[Point, float]]
    ) -> tuple[frozenset[str], bool]:
        """The places that are covered, and whether something reaches over the tray's edge.

        `tokens` are the pieces seen: where each stands (mm) and how far it may hide the sheet (mm).
        """
        now = self._small(image, pose)
        bare = np.ones(now.shape[:2], np.uint8)
        for (x, y), reach in tokens:
            cv2.circle(bare, (round(x / _STEP), round(y / _STEP)), round(reach / _STEP), (0,), -1)
        judged = (bare > 0) & self._known
        other = judged & self._differs(now, judged)
        fresh = np.abs(now - self._strange).max(axis=2) > _SAME
        self._since = np.where(other, np.where(fresh, time, np.minimum(self._since, time)), np.inf)
        self._strange = np.where((other & fresh)[..., None], now, self._strange)
        other &= time - self._since < _STAYS
        if int(other.sum()) < _STIR:
            # Only from a table that nothing covers: an arm's soft edge would be learned as sheet.
            learn = bare > 0
            self._bare[learn] = now[learn]
            self._known |= learn
        on_a_place = judged & (self._labels >= 0)
        count = np.bincount(self._labels[on_a_place], minlength=len(self._names))
        strange = np.bincount(self._labels[on_a_place & other], minlength=len(self._names))
        covered = (count >= _ENOUGH) & (strange > _PART * count)
        places = frozenset(name for name, hidden in zip(self._names, covered, strict=True) if hidden)
        return places, int((other & self._ring).sum()) >= _CROSSED

    def _small(self, image: Image, pose: Pose) -> Floats:
        smaller = 0.25
        quarter = cv2.resize(image, None, fx=smaller, fy=smaller, interpolation=cv2.INTER_AREA)
        shrink = np.array([[smaller, 0, (smaller - 1) / 2], [0, smaller, (smaller - 1) / 2], [0, 0, 1]])
        to_picture = shrink @ pose.matrix @ np.diag([_STEP, _STEP, 1.0])
        flat = cv2.warpPerspective(
            quarter, to_picture, self._size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        )
        return np.asarray(flat, np.float32)

    def _differs(self, now: Floats, judged: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Where the picture is neither the bare sheet nor the bare sheet in other light."""
        if not judged.any():
            return judged
        lamp = np.median(now[judged] / np.maximum(self._bare[judged], 1.0), axis=0)
        bare = self._bare * lamp
        light = (now * bare).sum(axis=2) / np.maximum((bare * bare).sum(axis=2), 1.0)
        left = np.abs(now - bare * light[..., None]).max(axis=2)
        differs: NDArray[np.bool_] = (left > _OTHER) | (light < _DARKER) | (light > _BRIGHTER)
        return differs


def _pixels(outline: Iterable[Point]) -> NDArray[np.int32]:
    return np.round(np.array(list(outline)) / _STEP).astype(np.int32)


def _disc(reach: float) -> NDArray[np.uint8]:
    side = 2 * round(reach / _STEP) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)
