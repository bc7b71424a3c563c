"""Where the table's sheet lies in the picture, found by the markers in its corners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Marker, Point, TableMap

Floats = NDArray[Any]

FOCAL = 0.8
"""Focal length as a part of the picture's width, as small cameras have it (63 degrees of view).

It serves only to tell how far a raised token seems to be from where it stands. From straight above
it cannot be told from one picture, and an error of a fifth shifts a token 12 mm high at the sheet's
edge by less than 2 mm; the more the camera leans, the more the sheet itself tells of it.
"""

_ENOUGH = 3  # corner markers that give a pose by themselves
_STEADY = 1.0  # pixels by which a marker's middle wanders by itself
_LOOSE = 3.0  # pixels by which a marker may lie beside where it is expected and still agree
_SLANT = 0.03  # a sheet foreshortened by so much says as much of the focal length as FOCAL does
_NARROWEST = 2.0  # focal lengths, in FOCAL, beyond which no camera's lie


@dataclass(frozen=True)
class Pose:
    """`matrix` takes (x, y, 1) in mm on the sheet to the picture; `eye` is the camera's place in mm.

    The eye's third coordinate is its height above the sheet.
    """

    matrix: Floats
    eye: Floats

    def picture(self, points: Sequence[Point] | Floats) -> Floats:
        """Where points of the sheet (Nx2, mm) appear (Nx2, pixels)."""
        return _map(self.matrix, np.asarray(points, float))

    def scale(self, size: tuple[int, int]) -> float:
        """Pixels to a mm of the sheet, as it is in the middle of a picture of that size."""
        middle = self.table([(size[0] / 2, size[1] / 2)])[0]
        here, right, below = self.picture(middle + np.eye(3, 2, -1))
        return float(abs(np.linalg.det(np.array([right - here, below - here]))) ** 0.5)

    def table(self, points: Sequence[Point] | Floats, height: float | Floats = 0.0) -> Floats:
        """Above which points of the sheet (Nx2, mm) lies what appears there and is `height` mm high.

        One height for all points, or one for each.
        """
        flat = _map(np.linalg.inv(self.matrix), np.asarray(points, float))
        beneath: Floats = flat + (self.eye[:2] - flat) * np.reshape(height / self.eye[2], (-1, 1))
        return beneath


class Registration:
    """Follows one sheet. It remembers where the sheet lay, so that hands may cover its corners."""

    def __init__(self, map: TableMap) -> None:
        self._corners = {marker.id: _square(marker) for marker in map.corners}
        self._pose: Pose | None = None

    @property
    def seen(self) -> bool:
        """Whether the sheet was ever found."""
        return self._pose is not None

    def find(self, markers: Mapping[int, Floats], size: tuple[int, int]) -> Pose | None:
        """The sheet's pose from the markers found (id to 4x2 pixels) in a picture of that size.

        Three corners are enough; fewer only while they are where they were. None when the sheet
        cannot be placed: too few corners are seen, or they do not belong to one flat sheet.
        """
        found = {id: np.asarray(markers[id], float) for id in self._corners if id in markers}
        if self._pose is not None and found:
            # What has not moved keeps its pose to the last bit, so that pictures can be compared.
            misfit = self._misfit(self._pose.matrix, found)
            if misfit <= (_STEADY if len(found) >= _ENOUGH else _LOOSE):
                return self._pose
        if len(found) < _ENOUGH:
            return None
        sheet = np.concatenate([self._corners[id] for id in found])
        picture = np.concatenate(list(found.values()))
        matrix, _ = cv2.findHomography(sheet, picture)
        if matrix is None or self._misfit(matrix, found) > _LOOSE:
            return None
        self._pose = Pose(matrix, _eye(np.asarray(matrix), size))
        return self._pose

    def _misfit(self, matrix: Floats, found: Mapping[int, Floats]) -> float:
        """The farthest that a marker's middle lies from where that matrix puts it, in pixels."""
        return max(
            float(np.linalg.norm((_map(matrix, self._corners[id]) - corners).mean(axis=0)))
            for id, corners in found.items()
        )


def _eye(matrix: Floats, size: tuple[int, int]) -> Floats:
    middle = np.array([[1, 0, -size[0] / 2], [0, 1, -size[1] / 2], [0, 0, 1.0]])
    columns = np.diag([1.0, 1.0, _focal(middle @ matrix, FOCAL * size[0])]) @ middle @ matrix
    columns = columns * (2 / (np.linalg.norm(columns[:, 0]) + np.linalg.norm(columns[:, 1])))
    if columns[2, 2] < 0:
        columns = -columns
    right, down = columns[:, 0], columns[:, 1]
    axes = np.column_stack([right, down, np.cross(right, down)])
    place = -axes.T @ columns[:, 2]
    return np.array([place[0], place[1], -place[2]])


def _focal(matrix: Floats, usual: float) -> float:
    """The focal length (pixels) that makes the sheet's sides equally scaled and square to each other.

    `matrix` counts pixels from the picture's middle. Both conditions are linear in 1 / focal**2;
    the usual value decides where the camera leans too little for them to tell.
    """
    right, down = matrix[:, 0], matrix[:, 1]
    scale = np.linalg.norm(right[:2]) * np.linalg.norm(down[:2])
    seen = np.array([right[:2] @ down[:2], (right[:2] @ right[:2] - down[:2] @ down[:2]) / 2]) / scale
    deep = np.array([right[2] * down[2], (right[2] ** 2 - down[2] ** 2) / 2]) / scale * usual**2
    part = float((_SLANT**2 - seen @ deep) / (_SLANT**2 + seen @ seen))
    return usual / float(np.sqrt(np.clip(part, _NARROWEST**-2, _NARROWEST**2)))


def _square(marker: Marker) -> Floats:
    half = marker.side / 2
    return np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) + marker.at


def _map(matrix: Floats, points: Floats) -> Floats:
    mapped = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    result: Floats = mapped[:, :2] / mapped[:, 2:]
    return result
