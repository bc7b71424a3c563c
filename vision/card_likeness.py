"""How alike pictures of cards are: as a whole, as far as they are seen, and place by place."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]

PLACE = 7
"""Pixels of a side of one place: about a digit."""

SEEN = 0.4
"""Part of a picture that must show to be compared at all."""

_GRAIN = 2.0  # contrast that every picture has
_LEAST = 1e-6


def correlate(pictures: Floats, shown: Floats, faces: Floats) -> Floats:
    """How alike each picture (NxHxWx3) is to each face (FxHxWx3), light and tint apart: NxF, -1..1.

    Only those pixels are compared that are seen: where `shown` (NxHxW) is 1 and not 0. A picture of
    which less than `SEEN` shows is like none: -1.
    """
    number = len(pictures)
    seen = shown.reshape(number, -1).astype(np.float32)
    count = np.maximum(seen.sum(axis=1, keepdims=True), 1.0)
    # Far from zero the differences below would be lost.
    level = faces.mean(axis=(0, 1, 2))
    given = (pictures - level).reshape(number, -1, 3) * seen[..., None]
    known = (faces - level).reshape(len(faces), -1, 3)
    both = given.reshape(number, -1) @ known.reshape(len(known), -1).T
    one = (given * given).sum(axis=(1, 2))[:, None]
    other = seen @ (known * known).sum(axis=2).T
    for channel in range(3):
        mean = given[..., channel].sum(axis=1, keepdims=True) / count
        face = seen @ known[..., channel].T
        both -= mean * face
        one = one - mean * mean * count
        other -= face * face / count
    alike = both / np.sqrt(np.maximum(one, _LEAST) * np.maximum(other, _LEAST))
    alike[seen.mean(axis=1) < SEEN] = -1.0
    return np.asarray(alike)


def by_place(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """How alike two faces are at each place (-1..1), and the larger contrast of the two there."""

    def mean(values: Floats) -> Floats:
        return np.asarray(cv2.boxFilter(values, -1, (PLACE, PLACE), borderType=cv2.BORDER_REFLECT))

    mean_one, mean_other = mean(one), mean(other)
    contrast_one = np.maximum((mean(one * one) - mean_one**2).sum(axis=2), 0)
    contrast_other = np.maximum((mean(other * other) - mean_other**2).sum(axis=2), 0)
    both = (mean(one * other) - mean_one * mean_other).sum(axis=2)
    alike = both / np.sqrt((contrast_one + _GRAIN**2) * (contrast_other + _GRAIN**2))
    return alike, np.sqrt(np.maximum(contrast_one, contrast_other))
