"""The picture of a roll: the dice that were read, or all of the tray where people are asked."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.layout import Dice, Die
from vision.settling import RollTracker
from vision.tray import Image, Tray, picture

BOX = (300, 50, 600, 450)


def die(x: float, y: float) -> Die:
    return Die(3, ((x - 9, y - 9), (x + 9, y - 9), (x + 9, y + 9), (x - 9, y + 9)), 0.99)


def shown(dice: Dice | None) -> Image:
    image = np.full((500, 700, 3), 40, np.uint8)
    for each in dice.dice if dice else ():
        x, y = np.mean(each.corners, axis=0).astype(int)
        image[y - 9 : y + 9, x - 9 : x + 9] = (0, 0, 255)
    data = np.frombuffer(picture(image, BOX, dice), np.uint8)
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def test_sure_dice_fill_the_picture() -> None:
    seen = shown(Dice((die(400, 200), die(440, 230)), True))
    assert seen.shape[0] < 200
    assert seen.shape[1] < 200
    assert (seen[..., 2] > 200).sum() > 2 * 15 * 15


def test_a_die_at_the_trays_rim_keeps_the_picture_within_the_tray() -> None:
    seen = shown(Dice((die(312, 62),), True))
    assert (seen[..., 2] > 200).sum() > 15 * 15
    assert seen.shape[0] <= 400
    assert seen.shape[1] <= 300


def test_unsure_dice_and_none_show_the_whole_tray() -> None:
    for dice in (Dice((die(400, 200),), False), Dice((), True), None):
        assert shown(dice).shape[:2] == (400, 300)


@pytest.mark.parametrize("shape", [(1, 1), (2, 900), (900, 2), (3, 4000)])
def test_a_strip_of_a_picture_can_be_looked_at_and_shown(shape: tuple[int, int]) -> None:
    image = np.full((*shape, 3), 90, np.uint8)
    box = (0, 0, shape[1], shape[0])
    Tray(RollTracker()).look(image, box)
    assert picture(image, box, None)
