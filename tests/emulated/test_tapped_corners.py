"""An emulated table whose sheet shows no markers in its corners: it is read once its corners are tapped."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Reading
from tests.emulated.rig import NAMES, Rig, places
from vision.landmarks import SIDE
from vision.pose import sheet_corners
from vision.source import Frame, Image
from vision.table import TableReader
from vision.tapped import Tapped, ordered, tapped

Floats = NDArray[Any]


class Cups(Rig):
    """A rig with cups on the corner markers of its sheet, all but those that are `free`.

    `shift` moves the camera (pixels).
    """

    free: frozenset[int] = frozenset()
    shift = (0, 0)

    def frame(self) -> Frame:
        frame = super().frame()
        image = frame.image.copy()
        size = (image.shape[1], image.shape[0])
        for marker in self.map.corners:
            if marker.id not in self.free:
                at = self.camera.viewpoint.project([marker.at])[0]
                reach = marker.side * self.camera.viewpoint.scale(marker.at) * 0.8
                cv2.circle(image, np.rint(at).astype(int).tolist(), round(reach), (70, 60, 190), -1)
        if self.shift != (0, 0):
            move = np.array([[1, 0, self.shift[0]], [0, 1, self.shift[1]]], np.float32)
            image = np.asarray(cv2.warpAffine(image, move, size, borderMode=cv2.BORDER_REFLECT), np.uint8)
        return Frame(frame.time, image)

    def tap(self, off: float = 4.0, half_turn: bool = False) -> Tapped:
        """Four taps, each so many pixels beside its corner, on the picture as it is now."""
        image = self.frame().image
        size = (image.shape[1], image.shape[0])
        corners = self.camera.viewpoint.project(sheet_corners(self.map.width, self.map.height))
        beside = np.array([(1, 0), (0, -1), (-0.7, 0.7), (0.7, 0.7)]) * off
        shown = shrunk(image)
        points = ordered((corners + beside) * shown.shape[1] / size[0], (shown.shape[1], shown.shape[0]))
        if half_turn:
            points = np.roll(points, 2, axis=0)
        return tapped("sheet", shown, size, (self.map.width, self.map.height), points)

    def told(self) -> Reading:
        """What the table comes to at rest."""
        readings = self.rest()
        assert readings
        return readings[-1]


def shrunk(image: Image) -> Image:
    shrink = SIDE / max(image.shape[:2])
    return np.asarray(cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)


def where(reading: Reading) -> dict[str, str]:
    return {name: place for name, place in places(reading).items() if name in NAMES}


def test_covered_corners_that_are_tapped_let_the_game_be_read() -> None:
    rig = Cups(3, dice=(3, 5))
    blind = rig.told()
    assert not blind.pieces
    assert len(blind.holes) == len(rig.map.places)
    rig.reader.take(rig.tap())
    seen = rig.told()
    assert where(seen) == {"red": "p:0", "blue": "p:1", "green": "p:2"}
    assert not seen.holes
    assert seen.dice is not None
    assert seen.dice.sure
    assert sorted(map(int, seen.dice.values)) == [3, 5]
    assert rig.reader.standing == "fits"
    rig.world.carry("red", "p:6")
    assert where(rig.told())["red"] == "p:6"


def test_a_camera_that_moved_is_told_and_nothing_is_read_by_the_old_corners() -> None:
    rig = Cups(4, dice=(2, 6))
    rig.told()
    kept = rig.tap()
    rig.shift = (26, 12)
    rig.reader = TableReader(rig.map, tapped=kept)
    seen = rig.told()
    assert rig.reader.standing == "moved"
    assert not seen.pieces
    assert seen.dice is None
    assert len(seen.holes) == len(rig.map.places)
    # Set anew, it reads again.
    rig.shift = (0, 0)
    rig.reader.take(rig.tap())
    assert where(rig.told()) == {"red": "p:0", "blue": "p:1", "green": "p:2"}


def test_the_markers_win_over_what_was_tapped_as_soon_as_they_are_seen() -> None:
    rig = Cups(5)
    rig.told()
    wrong = rig.tap(half_turn=True)
    rig.free = frozenset(marker.id for marker in rig.map.corners)
    rig.reader.take(wrong)
    assert where(rig.told()) == {"red": "p:0", "blue": "p:1", "green": "p:2"}
    assert rig.reader.standing is None


def test_one_marker_that_lies_elsewhere_is_believed_more_than_taps() -> None:
    rig = Cups(6)
    rig.told()
    rig.reader.take(rig.tap(half_turn=True))
    # One of the cups is taken away: its marker says that the sheet lies the other way round.
    rig.free = frozenset({rig.map.corners[1].id})
    seen = rig.told()
    assert not seen.pieces
    assert rig.reader.standing == "moved"
