"""Where a camera hangs over a table, and where in its picture a point of the table appears.

The table's axes are those of `companion.games.layout`: x to the right, y towards the viewer, in
mm from the sheet's upper left corner; heights are mm above the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, degrees, hypot, radians, sin
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FOCAL = 0.8
"""Focal length as a part of the picture's width: a field of view of 64 degrees."""


@dataclass(frozen=True)
class Viewpoint:
    """A pinhole camera: picture size in pixels, its matrix (3x4, from mm) and its place in mm."""

    size: tuple[int, int]
    matrix: Floats
    place: Floats

    def project(self, points: Sequence[Sequence[float]] | NDArray[Any], height: float = 0.0) -> Floats:
        """Picture points (Nx2, pixels) of table points (Nx2, mm) that lie `height` mm above it."""
        flat = np.asarray(points, float).reshape(-1, 2)
        picture = np.column_stack([flat, np.ones(len(flat))]) @ self.homography(height).T
        projected: Floats = picture[:, :2] / picture[:, 2:]
        return projected

    def homography(self, height: float = 0.0) -> Floats:
        """From (x, y, 1) in mm at that height above the table to the picture (3x3)."""
        lifted = self.matrix[:, 3] - self.matrix[:, 2] * height
        seen: Floats = np.column_stack([self.matrix[:, 0], self.matrix[:, 1], lifted])
        return seen

    def scale(self, at: Sequence[float] | NDArray[Any], height: float = 0.0) -> float:
        """Pixels to a mm around that table point, the mean over directions."""
        middle, right, below = self.project(np.asarray(at, float) + np.eye(3, 2, -1), height)
        return float(abs(np.linalg.det(np.array([right - middle, below - middle]))) ** 0.5)

    def slant(self, at: Sequence[float]) -> tuple[float, float]:
        """How a thing there is looked at: degrees from straight above, and the direction in the
        picture in which its side faces appear (degrees, 90 = below).
        """
        away = self.place[:2] - np.asarray(at, float)
        tilt = degrees(atan2(float(np.hypot(*away)), float(self.place[2])))
        here, there = self.project([at, np.asarray(at) + away / max(float(np.hypot(*away)), 1e-6)])
        return tilt, degrees(atan2(there[1] - here[1], there[0] - here[0]))


def over(
    width: float,
    height: float,
    size: tuple[int, int] = (1280, 720),
    *,
    tilt: float = 0.0,
    way: float = 90.0,
    turn: float = 0.0,
    margin: float = 0.02,
) -> Viewpoint:
    """A camera over a sheet of that size (mm), as near as shows it all with a margin.

    `tilt` degrees from straight above, standing off towards `way` (90 = towards the viewer);
    `turn` turns the picture; `margin` is a part of the picture left free on each side.
    """
    focal = FOCAL * size[0]
    inner = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1.0]])
    lean, side, roll = radians(tilt), radians(way), radians(turn)
    forward = np.array([-cos(side) * sin(lean), -sin(side) * sin(lean), cos(lean)])
    right = np.array([cos(roll), sin(roll), 0.0])
    right -= forward * (right @ forward)
    right /= np.linalg.norm(right)
    axes = np.array([right, np.cross(forward, right), forward])
    corners = np.array([(x, y) for x in (0, width) for y in (0, height)], float)
    aim = np.array([width / 2, height / 2])
    reach = hypot(width, height)

    def at(distance: float) -> Viewpoint:
        # Depth (the third axis) points into the table, so that the axes stay right-handed.
        stand = np.array([*aim, 0.0]) - axes.T @ np.array([0, 0, distance])
        matrix = inner @ np.column_stack([axes, -axes @ stand])
        return Viewpoint(size, matrix, np.array([stand[0], stand[1], -stand[2]]))

    border = margin * size[0]
    near, far = 0.4 * reach, 4 * reach
    for _ in range(24):
        distance = (near + far) / 2
        seen = at(distance).project(corners)
        # A tilted sheet is not seen around its middle: aim again at the middle of what shows.
        middle = (seen.min(axis=0) + seen.max(axis=0)) / 2
        scale = at(distance).scale(aim)
        aim = aim + (middle - np.array(size) / 2) / scale
        seen = at(distance).project(corners)
        fits = (seen >= border).all() and (seen <= np.array(size) - border).all()
        near, far = (near, distance) if fits else (distance, far)
    return at(far)
