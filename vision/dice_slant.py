"""The faces of one picture together: upper faces lie in one plane, and are all seen from one slant."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.dice_finder import encode

Floats = NDArray[np.float32]

_WITNESS = 0.5  # likelihood of an upper face from which it says how the others lie
_SPREAD = 0.06  # by which upper faces of one picture differ in their slant, as `encode` tells it
_ALIKE = 0.1  # no face is held unlike the others for less
_WORST = 4.0  # logarithm of the odds that an unlike slant takes away at most


def unlike(corners: Sequence[Floats], likely: Sequence[float]) -> Floats:
    """What the slant of each face (4x2, pixels) says against an upper one: log odds (N), 0 and less.

    The slant of a parallelogram is what a turn in the plane leaves as it is. It is compared with the median
    of the others that are `likely` (0..1) upper faces: a side face has another slant than all of them.
    """
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


def _median(values: Floats, weights: Floats) -> float:
    """The value up to which half of the weight lies, or the mean of two when that is between them."""
    order = np.argsort(values)
    below = np.cumsum(weights[order])
    low = int(np.searchsorted(below, below[-1] / 2 - 1e-6))
    high = int(np.searchsorted(below, below[-1] / 2 + 1e-6))
    return float((values[order[low]] + values[order[min(high, len(order) - 1)]]) / 2)
