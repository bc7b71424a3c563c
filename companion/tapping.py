"""Corners tapped on a picture of the camera: put in order, shown as they would be taken, and kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.corners import Corners
from companion.games.layout import Point, TableMap
from companion.upkeep.camera import Laid, Taps
from vision.pose import Pose, from_corners
from vision.tapped import BadCorners, ordered, tapped, upright

Floats = NDArray[Any]

_OFF = 0.03  # of the picture's longer side by which a marker may lie beside where the taps have it


@dataclass(frozen=True)
class Shot:
    """A picture that phones were shown: a JPEG of `shown` pixels (across, down), made of one of `size`.

    `markers` are those seen in it, by id (4x2, pixels of the JPEG).
    """

    jpeg: bytes
    shown: tuple[int, int]
    size: tuple[int, int]
    markers: Mapping[int, Floats]


class Tapping:
    """What pages may ask about corners. Any thread may, and nothing but `keep` and `clear` changes anything.

    `shot` gives a picture by its name, None when it is not kept any more; `map` where everything lies on the
    sheet of the game.
    """

    def __init__(
        self, corners: Corners, shot: Callable[[str], Shot | None], map: Callable[[], TableMap]
    ) -> None:
        self._corners, self._shot, self._map = corners, shot, map

    @property
    def bounds(self) -> str:
        """What corners are kept of: "sheet" or "tray", "" for none."""
        return "" if self._corners.tapped is None else self._corners.tapped.bounds

    def lay(self, taps: Taps) -> Laid:
        """What these taps come to; nothing is kept."""
        try:
            return self._laid(taps, self._taken(taps))
        except BadCorners as fault:
            return Laid(False, str(fault))

    def keep(self, taps: Taps) -> Laid:
        """Go by these corners from now on, if they are any."""
        try:
            shot = self._taken(taps)
            laid = self._laid(taps, shot)
            picture = cv2.imdecode(np.frombuffer(shot.jpeg, np.uint8), cv2.IMREAD_COLOR)
            map = self._map()
            sheet = (map.width, map.height) if taps.bounds == "sheet" else (0.0, 0.0)
            corners = np.array(laid.corners)
            found = tapped(taps.bounds, np.asarray(picture, np.uint8), shot.size, sheet, corners)
            self._corners.keep(found)
        except BadCorners as fault:
            return Laid(False, str(fault))
        except OSError as fault:
            return Laid(
                False, f"They cannot be kept ({fault.strerror}). Make room on the disk, then save again."
            )
        return laid

    def clear(self) -> Laid:
        """Go by no tapped corners any more."""
        try:
            self._corners.clear()
        except OSError as fault:
            return Laid(False, f"They cannot be removed ({fault.strerror}). See to the disk, then try again.")
        return Laid(True, "")

    def _taken(self, taps: Taps) -> Shot:
        shot = self._shot(taps.picture)
        if shot is None:
            raise BadCorners("This picture is too old. Tap “New picture”: your corners stay.")
        return shot

    def _laid(self, taps: Taps, shot: Shot) -> Laid:
        corners = ordered(taps.points, shot.shown)
        if taps.bounds == "tray":
            return Laid(True, "Only dice inside this frame will count.", _points(corners))
        map = self._map()
        corners = upright(corners, map.width, map.height)
        seen = [marker for marker in map.corners if marker.id in shot.markers]
        if seen:
            # What is printed says by itself how the sheet lies.
            ways = [np.roll(corners, -turn, axis=0) for turn in range(4)]
            off = [
                max(
                    float(
                        np.linalg.norm(
                            _picture(way, map, [marker.at])[0] - np.mean(shot.markers[marker.id], axis=0)
                        )
                    )
                    for marker in seen
                )
                for way in ways
            ]
            if min(off) > _OFF * max(shot.shown):
                raise BadCorners(
                    "A printed corner that is seen does not fit these. Drag them to where the sheet ends."
                )
            corners = ways[int(np.argmin(off))]
            words = "The sheet lies so: its upper left corner has the number 1."
        else:
            corners = np.roll(corners, -taps.turns, axis=0)
            words = "Is the dice tray drawn where it is on your sheet? If not, tap “Turn it”."
        return Laid(
            True, words, _points(corners), _points(_picture(corners, map, map.tray.outline)), not seen
        )


def _picture(corners: Floats, map: TableMap, points: Any) -> Floats:
    """Where points of the sheet (Nx2, mm) appear, when its corners lie there (4x2, pixels)."""
    return Pose(from_corners(corners, map.width, map.height), np.zeros(3)).picture(points)


def _points(corners: Floats) -> tuple[Point, ...]:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)
