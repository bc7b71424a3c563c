"""Dice count only inside the place that was tapped for them, as long as the camera hangs where it did."""

from __future__ import annotations

import cv2
import numpy as np

from companion.games.layout import Reading
from tests.emulated.rig import Rig, small_map
from tests.vision.test_advice import table as dice_table
from vision.landmarks import SIDE
from vision.source import Frame, Image
from vision.table import TableReader
from vision.tapped import Tapped, tapped

RIM = np.array([(36, 130), (276, 130), (276, 410), (36, 410)])
"""The outer corners of a tray around the first of the dice that were thrown (pixels)."""


def rimmed(image: Image) -> Image:
    """With a tray there, which has a wooden rim."""
    image = image.copy()
    cv2.rectangle(image, RIM[0].tolist(), RIM[2].tolist(), (60, 110, 170), 48)
    cv2.rectangle(image, (RIM[0] + 24).tolist(), (RIM[2] - 24).tolist(), (30, 60, 100), 2)
    return image


THROWN = rimmed(dice_table(3, 5))
"""In the tray lies a three, beside it a five."""


def tray() -> Tapped:
    shrink = SIDE / THROWN.shape[1]
    shown = np.asarray(cv2.resize(THROWN, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    return tapped("tray", shown, (THROWN.shape[1], THROWN.shape[0]), (0.0, 0.0), RIM * shrink)


def read(reader: TableReader, image: Image, since: float = 0.0) -> Reading:
    """What a table comes to that lies still and looks so."""
    readings = [reader.see(Frame(since + second, image)) for second in range(8)]
    found = [reading for reading in readings if reading is not None]
    assert found
    return found[-1]


def values(reading: Reading) -> list[int]:
    assert reading.dice is not None
    assert reading.dice.sure
    return sorted(int(value) for value in reading.dice.values)


def test_only_the_die_in_the_tray_counts() -> None:
    assert values(read(TableReader(small_map()), THROWN)) == [3, 5]
    reading = read(TableReader(small_map(), tapped=tray()), THROWN)
    assert values(reading) == [3]
    assert reading.dice is not None
    # Where it lies is told in pixels of the whole picture.
    assert np.linalg.norm(np.mean(reading.dice.dice[0].corners, axis=0) - (154, 270)) < 12


def test_a_die_that_comes_to_lie_beside_the_tray_is_no_throw() -> None:
    reader = TableReader(small_map(), tapped=tray())
    first = read(reader, rimmed(dice_table(3)))
    assert values(first) == [3]
    reader.see(Frame(20.0, np.zeros_like(THROWN)))
    for second in range(8):
        later = reader.see(Frame(21.0 + second, THROWN))
        assert later is None or (later.throw, values(later)) == (first.throw, [3])


def test_a_camera_that_has_moved_reads_no_dice() -> None:
    reader = TableReader(small_map(), tapped=tray())
    move = np.array([[1, 0, 22], [0, 1, 9]], np.float32)
    size = (THROWN.shape[1], THROWN.shape[0])
    away = np.asarray(cv2.warpAffine(THROWN, move, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    assert read(reader, away).dice is None
    assert reader.standing == "moved"


def test_a_sheet_that_is_found_has_its_own_tray() -> None:
    rig = Rig(3, dice=(2, 6))
    rig.reader = TableReader(rig.map, tapped=tray())
    assert values(rig.rest()[-1]) == [2, 6]
    assert rig.reader.standing is None
