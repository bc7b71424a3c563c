"""A table watched by small pictures: what it reads is the same, and few whole pictures are asked for."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.layout import Reading
from tests.emulated.rig import Rig, places
from vision.settling import MotionGate
from vision.source import STRIDE, Frame, Image, SourceFault
from vision.table import LOOKS, TableReader


class SmallStream:
    """Makes of each frame what a camera with a small grey stream gives, and counts what is asked for."""

    def __init__(self) -> None:
        self.asked = 0
        self.fails = False

    def of(self, frame: Frame) -> Frame:
        height, width = frame.image.shape[:2]
        grey = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
        small = cv2.resize(grey, (width // STRIDE, height // STRIDE), interpolation=cv2.INTER_AREA)

        def whole() -> Image:
            self.asked += 1
            if self.fails:
                raise SourceFault("The cable is pulled.", "Put it in again.", permanent=False)
            return frame.image

        return Frame(frame.time, whole, np.asarray(small, np.uint8))


def test_throws_are_read_as_from_whole_pictures() -> None:
    rig, stream = Rig(2, dice=(2, 6)), SmallStream()
    reader = TableReader(rig.map)
    told, seen, frames = [], [], 0
    for values in ((), (1, 6), (5, 5)):
        if values:
            rig.world.throw(values)
        until = max(rig.world.rests, rig.clock.now()) + 3.0
        while rig.clock.now() < until:
            frames += 1
            frame = rig.frame()
            first, second = rig.reader.see(frame), reader.see(stream.of(frame))
            told += [first] if first else []
            seen += [second] if second else []
    assert [(places(reading), reading.dice, reading.throw) for reading in seen] == [
        (places(reading), reading.dice, reading.throw) for reading in told
    ]
    assert len(seen) >= 3
    assert stream.asked <= 3 * LOOKS < frames / 5


def test_what_moves_is_seen_in_a_small_picture_too() -> None:
    rig, stream, gate, watcher = Rig(4, dice=(3,)), SmallStream(), MotionGate(), MotionGate()
    rested: list[tuple[bool, bool]] = []
    for turn in range(36):
        if turn == 12:
            rig.world.throw((4,))
        if turn == 24:
            rig.world.carry("red", "p:7")
        frame = rig.frame()
        rested.append(
            (gate.still(frame.time, frame.image), watcher.rests(frame.time, stream.of(frame).small))
        )
    assert {whole for whole, _ in rested} == {True, False}
    assert sum(whole != small for whole, small in rested) <= 3  # a frame more or less at an edge of a motion
    assert stream.asked == 0


def test_a_whole_picture_that_does_not_come_is_the_camera_s_fault() -> None:
    rig, stream = Rig(5), SmallStream()
    stream.fails = True
    with pytest.raises(SourceFault, match="cable is pulled"):
        watch(rig, stream)
    stream.fails = False
    assert [places(reading) for reading in watch(rig, stream)] == [rig.world.places]


def watch(rig: Rig, stream: SmallStream) -> list[Reading]:
    """The Readings of the next frames."""
    readings = [rig.reader.see(stream.of(rig.frame())) for _ in range(12)]
    return [reading for reading in readings if reading is not None]
