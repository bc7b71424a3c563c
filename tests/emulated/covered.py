"""An emulated camera that sees no corner marker of the sheet, and taps on what it shows."""

from __future__ import annotations

import cv2
import numpy as np

from companion.emulated.camera import EmulatedCamera
from companion.emulated.viewpoint import Floats
from companion.emulated.world import World
from companion.games.layout import TableMap
from vision.landmarks import SIDE
from vision.pose import sheet_corners
from vision.source import Frame, Image
from vision.tapped import Tapped, ordered, tapped


class CoveredCamera:
    """The emulated camera over a world in which a cup stands on each corner marker that is not `free`.

    `shift` moves the camera (pixels); `cloth` says whether something hides most of the table.
    """

    name = "covered"

    def __init__(self, camera: EmulatedCamera, world: World) -> None:
        self.camera, self.world = camera, world
        self.free: frozenset[int] = frozenset()
        self.shift = (0, 0)
        self.cloth = False

    def open(self) -> None:
        self.camera.open()

    def read(self, timeout: float) -> Frame | None:
        frame = self.camera.read(timeout)
        map = self.world.map
        return frame if frame is None or map is None else Frame(frame.time, self._covered(frame.image, map))

    def close(self) -> None:
        self.camera.close()

    def give_up(self) -> None:
        self.camera.give_up()

    @property
    def corners(self) -> Floats:
        """The corners of the sheet in the camera's pictures while that has not moved (4x2, pixels)."""
        assert self.world.map is not None
        return self.camera.viewpoint.project(sheet_corners(self.world.map.width, self.world.map.height))

    def _covered(self, image: Image, map: TableMap) -> Image:
        view, image = self.camera.viewpoint, image.copy()
        for marker in map.corners:
            if marker.id not in self.free:
                at = np.rint(view.project([marker.at])[0]).astype(int).tolist()
                cv2.circle(image, at, round(marker.side * view.scale(marker.at) * 0.8), (70, 60, 190), -1)
        if self.cloth:
            image[:, : image.shape[1] * 3 // 4] = (120, 130, 140)
        if self.shift == (0, 0):
            return image
        move = np.array([[1, 0, self.shift[0]], [0, 1, self.shift[1]]], np.float32)
        return np.asarray(cv2.warpAffine(image, move, (image.shape[1], image.shape[0])), np.uint8)

    def tap(self, off: float = 4.0, half_turn: bool = False) -> Tapped:
        """Four taps, each so many pixels beside its corner, on the picture as it is now."""
        frame = self.read(1.0)
        assert frame is not None
        assert self.world.map is not None
        high, wide = frame.image.shape[:2]
        shrink = SIDE / max(high, wide)
        shown = np.asarray(
            cv2.resize(frame.image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
        )
        beside = np.array([(1, 0), (0, -1), (-0.7, 0.7), (0.7, 0.7)]) * off
        points = ordered((self.corners + beside) * shrink, (shown.shape[1], shown.shape[0]))
        if half_turn:
            points = np.roll(points, 2, axis=0)
        size = (self.world.map.width, self.world.map.height)
        return tapped("sheet", shown, (wide, high), size, points)
