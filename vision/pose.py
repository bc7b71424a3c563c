"""Where the table's sheet lies in the picture: by the markers in its corners, or as people have tapped it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Marker, Point, TableMap
from vision.tapped import Image, Standing, Tapped

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
_NEAR = 0.02  # of the picture's width by which a marker may lie beside where taps have it
_SAME = 0.01  # of it by which the sheet's corners may lie beside that, and it is the same place still
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

    def __init__(self, map: TableMap, tapped: Tapped | None = None) -> None:
        """`tapped` are corners of a sheet as people have tapped them; those of another sheet say nothing.

        They place the sheet where too few of its markers are seen.
        """
        self._sheet = (map.width, map.height)
        self._corners = {marker.id: _square(marker) for marker in map.corners}
        self._pose: Pose | None = None
        self._tapped = tapped if tapped is not None and tapped.of_sheet(*self._sheet) else None
        self.standing: Standing | None = None

    @property
    def seen(self) -> bool:
        """Whether the sheet was ever found, or people have said where it lies."""
        return self._pose is not None or self._tapped is not None

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
                self.standing = None
                return self._pose
        if len(found) < _ENOUGH:
            return None
        sheet = np.concatenate([self._corners[id] for id in found])
        picture = np.concatenate(list(found.values()))
        matrix, _ = cv2.findHomography(sheet, picture)
        if matrix is None or self._misfit(matrix, found) > _LOOSE:
            return None
        self.standing = None
        self._pose = Pose(matrix, _eye(np.asarray(matrix), size))
        return self._pose

    def by_taps(self, markers: Mapping[int, Floats], image: Image) -> Pose | None:
        """The sheet's pose as people have tapped it, in a picture in which `find` has come to nothing.

        None when they have not, when the picture (BGR, uint8, HxWx3) does not look as it did then, or when a
        marker of the sheet lies elsewhere. `standing` tells afterwards what was wrong; it is None where
        nothing was asked of the taps.
        """
        if self._tapped is None:
            return None
        self.standing = self._tapped.stands(image)
        if self.standing != "fits":
            return None
        size = self._tapped.size
        matrix = from_corners(self._tapped.corners, *self._sheet)
        found = {id: np.asarray(markers[id], float) for id in self._corners if id in markers}
        if found and self._misfit(matrix, found) > _NEAR * size[0]:
            self.standing = "moved"
            return None
        # Markers that were seen before tell it better, as long as they mean the same place.
        if self._pose is None or self._apart(self._pose.matrix, matrix) > _SAME * size[0]:
            self._pose = Pose(matrix, _eye(matrix, size))
        return self._pose

    def _apart(self, one: Floats, other: Floats) -> float:
        """The farthest that a corner of the sheet lies from itself by these two matrices, in pixels."""
        corners = sheet_corners(*self._sheet)
        return float(np.linalg.norm(_map(one, corners) - _map(other, corners), axis=1).max())

    def _misfit(self, matrix: Floats, found: Mapping[int, Floats]) -> float:
        """The farthest that a marker's middle lies from where that matrix puts it, in pixels."""
        return max(
            float(np.linalg.norm((_map(matrix, self._corners[id]) - corners).mean(axis=0)))
            for id, corners in found.items()
        )


def sheet_corners(width: float, height: float) -> Floats:
    """The corners of a sheet of that size (4x2, mm), from the upper left one clockwise."""
    return np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)])


def from_corners(corners: Sequence[Point] | Floats, width: float, height: float) -> Floats:
    """The matrix (3x3) from mm on a sheet of that size to the picture in which its corners lie (4x2)."""
    sheet, picture = sheet_corners(width, height).astype(np.float32), np.asarray(corners, np.float32)
    return np.asarray(cv2.getPerspectiveTransform(sheet, picture), float)


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
