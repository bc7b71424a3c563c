"""One picture of a sheet, laid flat: patches of it to compare with earlier ones, parts of it to be read.

The flat picture has one pixel to the mm. What stands on the sheet hides a part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Point
from vision.coverage import most
from vision.pose import Pose

Image = NDArray[np.uint8]
Floats = NDArray[Any]
Mask = NDArray[np.bool_]

Disc = tuple[Point, float, float]
"""What stands on the sheet: its middle, how far around it hides cards, and how far it changes them (mm)."""

_BEYOND = 40  # mm around all places that the flat picture shows
_OTHER = 0.09  # a pixel that differs so much, brightness apart, is another one (of a patch's brightness)
_NOISE = 5.0  # differences up to this are none (of 255)
_FEW = 3  # pixels so many differ by noise alone
_OVER = 1.5  # mm around a card that its edge and its shadow hide of others
_GRAIN = 7  # mm of a side of a spot in which print is looked for
_PRINT = (
    0.06  # contrast of print on cards, as a part of how bright it is there; of a bare row it is half of that
)
_FAINT = 2.5  # contrast that noise may have (of 255)
_EDGE = 5.0  # mm around a card that belong to it, when print is looked for beside it


@dataclass(frozen=True)
class Patch:
    """A part of the flat picture: where its middle is (mm), its colours, and where they can be trusted."""

    at: Point
    colours: Floats
    shows: Mask


@dataclass(frozen=True)
class Crop:
    """A part of the picture, to be read: `cover` is 0 where something hides what is to be read.

    `to_sheet` (3x3) leads from its pixels to mm, of which one has `scale` pixels.
    """

    picture: Image
    cover: Image
    to_sheet: Floats
    scale: float

    def hide(self, outline: Floats) -> None:
        """A card with that outline (Nx2, mm) lies over what is to be read."""
        corners = (_grown(outline, _OVER) - self.to_sheet[:2, 2]) * self.scale
        cv2.fillConvexPoly(self.cover, np.rint(corners).astype(np.int32), (0,))


class SeenSheet:
    """Shows one picture after the other. One thread at a time; first `lay_out`, then `see`."""

    def lay_out(self, corners: Sequence[Point]) -> None:
        """These points (mm) are shown from now on, and what is around them."""
        ends = np.array(corners).reshape(-1, 2)
        self._low = np.floor(ends.min(axis=0, initial=0.0)) - _BEYOND
        high = np.ceil(ends.max(axis=0, initial=0.0)) + _BEYOND
        self._size = (int(high[0] - self._low[0]), int(high[1] - self._low[1]))

    def see(self, image: Image, pose: Pose, standing: Sequence[Disc]) -> None:
        """Look at this picture from now on; `standing` is what is seen to stand on the sheet."""
        self._image, self._pose, self._standing = image, pose, standing
        to_flat = np.array([[1, 0, self._low[0] + 0.5], [0, 1, self._low[1] + 0.5], [0, 0, 1.0]])
        flat = cv2.warpPerspective(image, pose.matrix @ to_flat, self._size, flags=_BACK)
        self._flat = np.asarray(cv2.blur(flat, (3, 3)), np.float32)
        shows = np.full(self._flat.shape[:2], 1, np.uint8)
        for (x, y), _, reach in standing:
            middle = (round(x - self._low[0]), round(y - self._low[1]))
            cv2.circle(shows, middle, round(reach), (0,), -1)
        self._shows = shows > 0

    # -- to be read -----------------------------------------------------------------------------

    def crop(self, left: float, top: float, size: tuple[int, int], scale: float) -> Crop:
        """The part of that size (pixels) whose upper left corner is there (mm), so many pixels to the mm."""
        to_sheet = np.array(
            [[1 / scale, 0, left + 0.5 / scale], [0, 1 / scale, top + 0.5 / scale], [0, 0, 1]]
        )
        picture = cv2.warpPerspective(self._image, self._pose.matrix @ to_sheet, size, flags=_BACK)
        cover = np.full(size[::-1], 255, np.uint8)
        for (x, y), reach, _ in self._standing:
            middle = (round((x - left) * scale), round((y - top) * scale))
            cv2.circle(cover, middle, round(reach * scale), (0,), -1)
        return Crop(np.asarray(picture, np.uint8), cover, to_sheet, scale)

    def print_left(self, low: Point, high: Point, cards: Sequence[Floats]) -> int:
        """How many mm² between those corners (mm) look printed, where none of these cards lies (Nx2, mm)."""
        (left, top), (right, below) = (np.subtract(end, self._low).astype(int) for end in (low, high))
        part = self._flat[top:below, left:right]
        spot = (_GRAIN, _GRAIN)
        mean = cv2.boxFilter(part, -1, spot)
        contrast = np.sqrt(np.maximum((cv2.boxFilter(part * part, -1, spot) - mean * mean).max(axis=2), 0))
        bright = float(np.median(mean)) if mean.size else 0.0
        printed = (contrast > max(_PRINT * bright, _FAINT)) & self._shows[top:below, left:right]
        others = np.zeros(printed.shape, np.uint8)
        for outline in cards:
            corners = _grown(outline, _EDGE) - self._low - (left, top)
            cv2.fillConvexPoly(others, np.rint(corners).astype(np.int32), (1,))
        return int((printed & (others == 0)).sum())

    # -- to be compared -------------------------------------------------------------------------

    def patch(self, at: Point, half: tuple[int, int]) -> Patch:
        """What lies around there (mm), so many mm to each side across and down."""
        x, y = (round(value) for value in np.subtract(at, self._low))
        size = (2 * half[0] + 1, 2 * half[1] + 1)
        colours = cv2.getRectSubPix(self._flat, size, (float(x), float(y)))
        rows = np.clip(np.arange(y - half[1], y + half[1] + 1), 0, self._size[1] - 1)
        columns = np.clip(np.arange(x - half[0], x + half[0] + 1), 0, self._size[0] - 1)
        return Patch(at, np.asarray(colours), self._shows[np.ix_(rows, columns)])

    def again(self, before: Patch) -> Patch | None:
        """How that part looks now, if it looks as it did, brightness apart, as far as it is seen."""
        high, wide = before.shows.shape
        now = self.patch(before.at, (wide // 2, high // 2))
        both = now.shows & before.shows
        one, other = now.colours[both], before.colours[both]
        level = _mean(one) if both.any() else np.ones(3, np.float32)
        light = (level + 1) / (_mean(other) + 1) if both.any() else level
        differ = most(np.abs(one - other * light)) > max(_OTHER * float(level.mean()), _NOISE)
        if np.count_nonzero(differ) > _FEW:
            return None
        # Where something stands now it is kept in mind how it looked.
        colours = np.where(now.shows[..., None], now.colours, before.colours * light)
        return Patch(before.at, colours, now.shows | before.shows)


_BACK = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP


def _mean(colours: Floats) -> Floats:
    """The mean colour of a list of them; numpy goes slowly through what is so long and narrow."""
    return np.array(cv2.mean(colours[:, None])[:3], np.float32)


def _grown(outline: Floats, by: float) -> Floats:
    middle = outline.mean(axis=0)
    away = outline - middle
    return np.asarray(outline + away * by * np.sqrt(2) / np.linalg.norm(away, axis=1, keepdims=True))
