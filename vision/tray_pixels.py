"""What has changed in the tray, pixel by pixel, from one look at rest to another, whatever the light."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Die

Image = NDArray[np.uint8]
Floats = NDArray[Any]
Box = tuple[int, int, int, int]
"""Part of a picture in pixels: left, top, right, below; the last two are outside it."""

CHANGE = 20.0
"""Of 255: a pixel that differs by more has changed. It is more than noise, and less than a pip."""

_SPARSE = 3  # every so many pixels tell how the light has changed
_BANDS = 0.25  # by how much a flickering lamp makes a row brighter or darker, at most
_FEW = 2  # pixels of the half-size tray that may differ so much by chance
_DEEPEST = 0.5  # of the light that a hand's shade leaves at least
_EDGE = 5  # half-size pixels across: how ragged an edge is
_FINE = 6.0  # pixels: coarser differences are the light's


def unchanged(before: Floats, now: Floats) -> bool:
    """Whether the tray looks as it did, whatever its light."""
    if before.shape != now.shape:
        return False
    change = change_of(before, now) > CHANGE
    return int(np.count_nonzero(change[..., 0] | change[..., 1] | change[..., 2])) <= _FEW


def change_of(before: Floats, now: Floats) -> Floats:
    """By how much each pixel has changed, whatever the light."""
    change: Floats = np.asarray(cv2.absdiff(now, _lit(before, now)))
    return change


def repainted(before: Floats, now: Floats) -> Floats:
    """By how much each pixel has changed, whatever the light and what shades it."""
    lit = _lit(before, now)
    shade = np.clip((now.sum(axis=2) + 1) / (lit.sum(axis=2) + 1), _DEEPEST, 1)
    change: Floats = np.asarray(cv2.absdiff(now, np.asarray(lit * shade[..., None], np.float32)))
    return change


def _lit(before: Floats, now: Floats) -> Floats:
    """The picture `before` in the light of the other one: that of the whole, and of each row of it."""
    # What most pixels tell is the light: an arm that reaches in makes the mean brighter or darker.
    ratio = (now[:, ::_SPARSE] + 1) / (before[:, ::_SPARSE] + 1)
    light = np.median(ratio[::_SPARSE], axis=(0, 1))
    rows = np.median(ratio, axis=1)
    # A lamp on mains power draws bands; what changes a row by more lies across it.
    gain = np.where(np.abs(rows / light - 1) < _BANDS, rows, light)
    lit: Floats = np.asarray(before * gain[:, None], np.float32)
    return lit


def inside(mask: Image) -> Image:
    """The parts of a mask (0 and 1) that do not reach its edge, as a die does not and an arm does."""
    high, wide = mask.shape
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    kept = [
        left > 0 and top > 0 and left + across < wide and top + down < high
        for left, top, across, down, _ in stats.tolist()
    ]
    kept[0] = False  # what is not in the mask
    return np.asarray(np.array(kept)[np.asarray(labels)], np.uint8)


def broad(mask: Image, across: float) -> Image:
    """The parts of a mask that are so many pixels across, with their edges."""
    size = max(1, round(across))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel)
    return mask & np.asarray(cv2.dilate(opened, np.ones((_EDGE, _EDGE), np.uint8)), np.uint8)


def where(dice: Sequence[Die], box: Box, shape: tuple[int, ...]) -> Image:
    """Where in the half-size part of the picture the faces of these dice are (1, else 0)."""
    mask = np.zeros(shape[:2], np.uint8)
    for die in dice:
        cv2.fillConvexPoly(mask, np.rint((np.array(die.corners) - box[:2]) / 2).astype(np.int32), 1)
    return mask


def beside(dice: Sequence[Die], box: Box, shape: tuple[int, ...], sides: float) -> Image:
    """Where in the half-size part of the picture no die's middle is within so many sides (255, else 0)."""
    mask = np.full(shape[:2], 255, np.uint8)
    for die in dice:
        corners = np.array(die.corners)
        middle = (corners.mean(axis=0) - box[:2]) / 2
        reach = sides * side_of(die) / 2
        cv2.circle(mask, (round(middle[0]), round(middle[1])), round(reach), 0, -1)
    return mask


def side_of(die: Die) -> float:
    """The length of a face's first side, in pixels."""
    return float(np.linalg.norm(np.subtract(die.corners[1], die.corners[0])))


def misfit(grounds: tuple[Floats, Floats], masks: list[Image], shift: Floats) -> float:
    """How unlike the second ground is to the first one moved by `shift`, beside the dice of both."""
    before, now = grounds
    size = (now.shape[1], now.shape[0])
    move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float64)
    there = cv2.warpAffine(masks[0], move, size, flags=cv2.INTER_NEAREST)
    both = np.asarray(cv2.bitwise_and(there, masks[1]))
    if not both.any():
        return float("inf")
    # The light may have changed with it, and a lamp flickers: fine structure alone is compared.
    moved = cv2.warpAffine(_fine(before), move, size)
    change = cv2.absdiff(np.asarray(moved), _fine(now))
    return float(np.mean(change[both > 0]))


def _fine(ground: Floats) -> Floats:
    """What is finer than _FINE pixels, of one brightness."""
    soft = cv2.GaussianBlur(ground, (0, 0), _FINE)
    fine: Floats = np.asarray(cv2.GaussianBlur(ground, (0, 0), 1.0)) / (np.asarray(soft) + 8.0)
    return fine
