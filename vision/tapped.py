"""Corners that people have tapped on the camera's picture: of the sheet, or of the place for dice.

They hold as long as the picture looks around them as it did. Where it does not, nothing is read by them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.games.layout import Point
from vision.landmarks import SIDE, Landmark, Verdict, find, look, small

Image = NDArray[np.uint8]
Floats = NDArray[Any]
Box = tuple[int, int, int, int]

Bounds = Literal["sheet", "tray"]
"""What the corners are those of: the printed sheet, or the part of the table where dice are thrown."""

Standing = Verdict | Literal["resized"]
"""Whether what was tapped still holds; "resized" where pictures have another size now."""

_NEAR = 0.06  # of the picture's longer side: corners that are nearer to one another are one
_SMALL = 0.03  # of the picture
_FLAT = 0.2  # the sine of a corner's angle from which on it is none


class Tapped(Struct, frozen=True):
    """Four corners, from the sheet's upper left one clockwise, and how the picture looked around them.

    They are in pixels of a picture of that `size` (across and down). `sheet` is how large that sheet is (mm),
    0 for a tray.
    """

    bounds: Bounds
    size: tuple[int, int]
    sheet: tuple[float, float]
    corners: tuple[Point, Point, Point, Point]
    landmarks: tuple[Landmark, ...]

    def stands(self, image: Image) -> Standing:
        """Whether the corners are still where they were, in this picture (BGR, uint8, HxWx3)."""
        if (image.shape[1], image.shape[0]) != self.size:
            return "resized"
        return look(small(image), self.landmarks)

    def of_sheet(self, width: float, height: float) -> bool:
        """Whether they are those of a sheet of that size (mm)."""
        return self.bounds == "sheet" and self.sheet == (width, height)

    @property
    def box(self) -> Box:
        """The part of the picture in which they lie."""
        corners = np.array(self.corners)
        left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0).tolist()
        right, below = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 1, self.size).tolist()
        return (left, top, right, below)


class BadCorners(ValueError):
    """Taps that are no four corners; the text says what is wrong with them and what to do."""


def ordered(points: Sequence[Point] | Floats, size: tuple[int, int]) -> Floats:
    """Four taps in any order (pixels of a picture of that size) as corners: 4x2, clockwise, upper left first.

    BadCorners when they are none.
    """
    if len(points) != 4:
        count = (
            "No corner is tapped",
            "One corner is tapped",
            "Two corners are tapped",
            "Three corners are tapped",
        )
        if len(points) > 4:
            raise BadCorners("More than four corners are tapped. Take one back.")
        raise BadCorners(f"{count[len(points)]}. Four are needed: tap the missing ones.")
    corners = np.asarray(points, float)
    if not np.isfinite(corners).all() or (corners < 0).any() or (corners > np.subtract(size, 1)).any():
        raise BadCorners("A corner lies outside the picture. Drag it into the picture.")
    apart = np.linalg.norm(corners[:, None] - corners[None], axis=2) + np.eye(4) * max(size)
    if float(apart.min()) < _NEAR * max(size):
        raise BadCorners("Two corners lie on one another. Drag one of them to the corner that is missing.")
    away = corners - corners.mean(axis=0)
    corners = corners[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]
    ahead, behind = np.roll(corners, -1, axis=0) - corners, np.roll(corners, 1, axis=0) - corners
    turns = ahead[:, 0] * behind[:, 1] - ahead[:, 1] * behind[:, 0]
    if (turns / (np.linalg.norm(ahead, axis=1) * np.linalg.norm(behind, axis=1)) < _FLAT).any():
        raise BadCorners("These four make no frame: one of them lies between others. Drag it to its corner.")
    if cv2.contourArea(corners.astype(np.float32)) < _SMALL * size[0] * size[1]:
        raise BadCorners(
            "That is very small. Drag the corners out to those of the whole sheet or tray; if they are there "
            "already, hang the camera lower."
        )
    return np.roll(corners, -int(corners.sum(axis=1).argmin()), axis=0)


def upright(corners: Floats, width: float, height: float) -> Floats:
    """The same corners (4x2, clockwise), from another one on where a sheet of that shape rather lies so."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    seen = float(np.log((sides[0] + sides[2]) / (sides[1] + sides[3])))
    shape = float(np.log(width / height))
    return corners if abs(seen - shape) <= abs(seen + shape) else np.roll(corners, -1, axis=0)


def tapped(
    bounds: Bounds, picture: Image, size: tuple[int, int], sheet: tuple[float, float], corners: Floats
) -> Tapped:
    """What is kept of corners (4x2, pixels of `picture`, from the sheet's upper left one clockwise).

    `picture` (BGR, uint8, HxWx3) is that which the camera gives with `size` pixels, at most SIDE along its
    longer side. BadCorners when too little is to be seen around the corners.
    """
    high, wide = picture.shape[:2]
    if max(high, wide) > SIDE:
        raise ValueError(f"A picture of {wide} x {high} is larger than {SIDE}.")
    landmarks = find(small(picture), corners)
    if not landmarks:
        raise BadCorners(
            "Too little is to be seen at these corners to notice when the camera has moved. Put on more "
            "light, or lay something there that stays, such as a tray with a rim or sheets of paper."
        )
    a, b, c, d = ((float(x), float(y)) for x, y in (corners + 0.5) * (size[0] / wide, size[1] / high) - 0.5)
    return Tapped(bounds, size, sheet, (a, b, c, d), landmarks)


def bounded(image: Image, outline: Sequence[Point]) -> Image:
    """A copy of that picture (BGR, uint8, HxWx3) that shows only what lies in the outline (pixels).

    All else has the colour that is usual in it, so that no die is seen there.
    """
    within = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(within, [np.rint(np.array(outline)).astype(np.int32)], (255,))
    sparse = np.s_[::4, ::4]
    inside = image[sparse][within[sparse] > 0]
    usual = np.median(inside, axis=0) if len(inside) else np.zeros(3)
    return np.where(within[..., None] > 0, image, usual.astype(np.uint8))
