"""The faces of one picture together: upper faces lie in one plane, and are all seen from one slant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice_finder import encode

Floats = NDArray[Any]

_WITNESS = 0.5  # likelihood of an upper face from which it says how the others lie
_SPREAD = 0.06  # by which upper faces of one picture differ in their slant, as `encode` tells it
_ALIKE = 0.1  # no face is held unlike the others for less
_WORST = 4.0  # logarithm of the odds that an unlike slant takes away at most
_WORST_LEVEL = 8.0  # the same where it is known how level things are seen
_TOUCHING = 0.92  # of a side: no two upper faces lie nearer to each other, middle to middle
_OVER = 0.4  # of a side: what lies nearer is the same face once more, framed otherwise


@dataclass(frozen=True)
class Level:
    """How level things are seen in a picture.

    `matrix` (3x3) takes its pixels to mm in a level plane, `foot` (2,) is where in it the camera stands.
    """

    matrix: Floats
    foot: Floats

    def part(self, left: float, top: float, zoom: float) -> Level:
        """The same for the part of the picture that begins there, enlarged so many times."""
        # Pixels are counted from their middles.
        beside = 0.5 / zoom - 0.5
        to_whole = [(1 / zoom, 0, left + beside), (0, 1 / zoom, top + beside), (0, 0, 1.0)]
        return Level(self.matrix @ to_whole, self.foot)

    def at(self, points: Floats) -> Floats:
        """Where in the plane those pixels (Nx2) are seen (Nx2, mm)."""
        there = np.column_stack([points, np.ones(len(points))]) @ self.matrix.T
        result: Floats = there[:, :2] / there[:, 2:]
        return result


def unlike(corners: Sequence[Floats], likely: Sequence[float], level: Level | None = None) -> Floats:
    """What the slant of each face (4x2, pixels) says against an upper one: log odds (N), 0 and less.

    The slant of a parallelogram is what a turn in the plane leaves as it is. It is compared with how level
    things are seen there, where that is known. Else with the median of the others that are `likely` (0..1)
    upper faces: a side face has another slant than all of them.
    """
    if level is not None:
        beside = [encode(each)[1:3] - encode(_level(each, level))[1:3] for each in corners]
        known = [(_ALIKE**2 - float(np.sum(each**2))) / (2 * _SPREAD**2) for each in beside]
        against = np.clip(np.array(known, np.float32), -_WORST_LEVEL, 0.0)
        return np.maximum(against + _beside(corners, likely, level), -_WORST_LEVEL)
    against = np.zeros(len(corners), np.float32)
    weights = np.where(np.array(likely) > _WITNESS, np.array(likely) ** 2, 0.0)
    if np.count_nonzero(weights) == 0 or len(corners) < 2:
        return against
    slants = np.array([encode(each)[1:3] for each in corners])
    for at in range(len(corners)):
        others = weights.copy()
        others[at] = 0.0
        if not others.any():
            continue
        usual = [_median(slants[:, part], others) for part in (0, 1)]
        few = 1 + 1 / np.count_nonzero(others)
        off = float(np.sum((slants[at] - usual) ** 2))
        against[at] = np.clip((_ALIKE**2 - off) / (2 * _SPREAD**2 * few), -_WORST, 0.0)
    return against


def _level(corners: Floats, level: Level) -> Floats:
    """A level square (4x2, pixels) as it is seen where that face lies, about as large as it."""
    middle = corners.mean(axis=0)
    here, right, below = level.at(middle + np.eye(3, 2, -1))
    steps = np.linalg.inv(np.column_stack([right - here, below - here]))
    side = np.sqrt(_area(corners) / max(abs(np.linalg.det(steps)), 1e-9))
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side / 2
    seen: Floats = (square @ steps.T + middle).astype(np.float32)
    return seen


def _beside(corners: Sequence[Floats], likely: Sequence[float], level: Level) -> Floats:
    """What other faces say against each one, as sides of the same die: log odds (N), 0 and less.

    Dice that touch have their upper faces one side apart. What lies nearer to one is no upper face of
    another die, if that one is upper: it is a side, if it lies where sides are seen, towards the camera.
    """
    against = np.zeros(len(corners), np.float32)
    if not corners:
        return against
    middles = level.at(np.array([each.mean(axis=0) for each in corners]))
    sides = [np.sqrt(_area(level.at(each))) for each in corners]
    for at, middle in enumerate(middles):
        for upper, other in enumerate(middles):
            off = middle - other
            apart = float(np.hypot(*off)) / max(sides[upper], 1e-9)
            if _OVER < apart < _TOUCHING and off @ (level.foot - other) > 0:
                against[at] = min(against[at], float(np.log(1 - likely[upper] + 1e-4)))
    return against


def _area(corners: Floats) -> float:
    return abs(cv2.contourArea(np.asarray(corners, np.float32)))


def _median(values: Floats, weights: Floats) -> float:
    """The value up to which half of the weight lies, or the mean of two when that is between them."""
    order = np.argsort(values)
    below = np.cumsum(weights[order])
    low = int(np.searchsorted(below, below[-1] / 2 - 1e-6))
    high = int(np.searchsorted(below, below[-1] / 2 + 1e-6))
    return float((values[order[low]] + values[order[min(high, len(order) - 1)]]) / 2)
