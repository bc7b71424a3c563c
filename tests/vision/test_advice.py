"""Advice on a camera's picture: given where it would help, in words with a cure, and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.emulated.rig import Rig
from vision import advice
from vision.advice import Advice, Image
from vision.dice import Judged, judge
from vision.markers import find_markers
from vision.pose import Pose, Registration
from vision.render_dice import draw_die

Floats = NDArray[Any]


def table(*values: int, die: int = 70, size: tuple[int, int] = (960, 540)) -> Image:
    """Dice on green felt in good light, sharp as a camera is."""
    across, down = size
    grain = np.random.default_rng(4).normal(0, 4, (down, across, 1))
    image = np.clip(np.array((60, 96, 44)) + grain, 0, 255).astype(np.uint8)
    for number, value in enumerate(values):
        draw_die(image, (int(2.2 * die) + 3 * die * number, down // 2), die, 20 + 33 * number, value, tilt=6)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), np.uint8)


def faces(image: Image) -> list[Floats]:
    """The upper faces that the reader finds."""
    found: list[Judged] = [each for each in judge(image) if each.face > 0.5]
    assert found
    return [each.corners for each in found]


def dimmed(image: Floats, by: float) -> Image:
    return np.asarray(np.clip(image * by, 0, 255), np.uint8)


def one(found: Sequence[Advice]) -> Advice:
    assert len(found) == 1, found
    assert found[0].cure.endswith(".")
    return found[0]


def test_a_good_picture_gets_no_advice() -> None:
    image = table(3, 5, 2)
    dice = faces(image)
    assert len(dice) == 3
    assert advice.of_light(image, dice) == []
    assert advice.of_focus(image, dice) == []
    assert advice.of_focus(image, []) == []
    assert advice.of_dice(dice) == []


def test_a_dark_cloth_in_good_light_is_not_too_dark() -> None:
    image = table(3, 5)
    cloth = np.where(image.max(axis=2, keepdims=True) < 130, image // 6, image).astype(np.uint8)
    assert float(np.median(cloth)) < 20
    assert advice.of_light(cloth) == []


def test_a_bare_cloth_of_a_strong_colour_is_not_too_dark() -> None:
    assert advice.of_light(table()) == []


def test_too_little_light_and_too_much() -> None:
    image = table(3, 5, 2)
    assert "too dark" in one(advice.of_light(dimmed(image, 0.25))).words
    found = one(advice.of_light(dimmed(image, 6.0)))
    assert "too bright" in found.words
    assert "Turn the lamp away" in found.cure


@pytest.mark.parametrize(
    ("at", "where"),
    [
        ((0.8, 0.5), "on the right of"),
        ((0.5, 0.5), "in the middle of"),
        ((0.2, 0.85), "at the bottom on the left"),
    ],
)
def test_glare_is_told_with_where_it_is(at: tuple[float, float], where: str) -> None:
    image = table().astype(np.float32)
    high, wide = image.shape[:2]
    y, x = np.mgrid[:high, :wide]
    away = (x - at[0] * wide) ** 2 + (y - at[1] * high) ** 2
    image += (500 * np.exp(-away / (2 * (0.09 * high) ** 2)))[..., None]
    found = one(advice.of_light(dimmed(image, 1)))
    assert "glare" in found.words
    assert where in found.words


def test_white_dice_in_strong_light_are_no_glare() -> None:
    image = table(1, die=120)
    dice = faces(image)
    image[image.min(axis=2) > 120] = 255
    assert advice.of_light(image, dice) == []
    assert "white" in one(advice.of_light(image)).words


@pytest.mark.parametrize("die", [40, 70, 120])
def test_dice_out_of_focus_are_told_at_any_size(die: int) -> None:
    sharp = table(3, 5, 2, die=die, size=(1280, 720))
    dice = faces(sharp)
    soft = np.asarray(cv2.GaussianBlur(sharp, (0, 0), 0.08 * die), np.uint8)
    assert advice.of_focus(sharp, dice) == []
    found = one(advice.of_focus(soft, dice))
    assert "out of focus" in found.words
    assert "lens" in found.cure


def test_a_picture_in_which_nothing_is_sharp_is_told_without_any_dice_read() -> None:
    soft = np.asarray(cv2.GaussianBlur(table(3, 5, 2), (0, 0), 7), np.uint8)
    assert "sharp" in one(advice.of_focus(soft, [])).words


def test_noise_alone_says_nothing_of_the_lens() -> None:
    assert advice.of_focus(table(), []) == []


def test_small_dice_are_told_with_their_size() -> None:
    side = 15.0
    face = np.array([(0, 0), (side, 0), (side, side), (0, side)]) + 100
    found = one(advice.of_dice([face]))
    assert "15 pixels" in found.words
    assert "lower" in found.cure
    assert advice.of_dice([face * 2]) == []


@pytest.mark.parametrize("shape", [(0, 0, 3), (1, 1, 3), (2, 900, 3)])
def test_a_picture_of_next_to_nothing_is_no_fault(shape: tuple[int, int, int]) -> None:
    image = np.full(shape, 120, np.uint8)
    assert advice.of_light(image) == []
    assert advice.of_focus(image, []) == []


# -- the sheet --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rig() -> Rig:
    return Rig(3)


def sheet(rig: Rig, image: Image, registration: Registration) -> tuple[list[Advice], Pose | None]:
    size = (image.shape[1], image.shape[0])
    before, found = registration.seen, dict(find_markers(image))
    pose = registration.find(found, size)
    return advice.of_sheet(rig.map, found, pose, size, before), pose


def hidden(rig: Rig, image: Image, pose: Pose, *corners: int) -> Image:
    """That picture with the corners of these numbers under something grey."""
    covered = image.copy()
    for number in corners:
        marker = rig.map.corners[number]
        x, y = pose.picture([marker.at])[0]
        reach = marker.side * pose.scale((image.shape[1], image.shape[0]))
        cv2.circle(covered, (round(float(x)), round(float(y))), round(reach), (90, 90, 90), -1)
    return covered


def test_corners_out_of_sight_are_named(rig: Rig) -> None:
    image = rig.frame().image
    registration = Registration(rig.map)
    found, pose = sheet(rig, image, registration)
    assert found == []
    assert pose is not None
    # Three are enough, also for who has not seen the sheet before.
    assert sheet(rig, hidden(rig, image, pose, 1), Registration(rig.map))[0] == []
    found, none = sheet(rig, hidden(rig, image, pose, 1, 3), Registration(rig.map))
    assert none is None
    assert "4 corners 2 are seen" in one(found).words
    assert "upper right and lower left" in one(found).cure
    assert sheet(rig, hidden(rig, image, pose, 0, 1, 2, 3), Registration(rig.map))[0] == []


def test_a_camera_that_was_turned_away_is_told(rig: Rig) -> None:
    image = rig.frame().image
    registration = Registration(rig.map)
    sheet(rig, image, registration)
    away = np.roll(image, image.shape[1] // 2, axis=1)
    away[:, : image.shape[1] // 2] = 70
    found, pose = sheet(rig, away, registration)
    assert pose is None
    assert "has moved" in one(found).words


def test_markers_that_are_small_in_the_picture_are_told(rig: Rig) -> None:
    image = rig.frame().image
    small = np.full_like(image, 80)
    part = cv2.resize(image, None, fx=0.55, fy=0.55, interpolation=cv2.INTER_AREA)
    small[: part.shape[0], : part.shape[1]] = part
    found, pose = sheet(rig, small, Registration(rig.map))
    assert pose is not None
    assert "small in the picture" in one(found).words
