"""Finds where upper faces of dice may lie: a small network over a few sizes of the picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

WEIGHTS = "dice_finder.onnx"

STRIDE = 4  # pixels of the network's input for each cell of its answer
SMALLEST, LARGEST = 13.0, 38.0  # side of a face, in pixels of a level, that the network was taught
UNIT = 10.0  # half a side, in pixels, whose logarithm the network calls zero

FAR = (226, 160, 113)
"""Pixels along the longer side at which most dice are found."""

NEAR = (640, 453, 320)
"""Pixels along the longer side at which small dice are found; they take four times as long as all of FAR."""

EVERY = FAR + NEAR

_SHORTEST = 64  # a level smaller than this shows no whole die
_ALIKE = 0.45  # common area, of both together, from which two candidates are one
_POSSIBLE = 0.2  # heat under which a peak is no candidate


class Candidate(msgspec.Struct, frozen=True):
    """An upper face, perhaps: corners (4x2, pixels of the picture), heat 0..1 and label.

    `labels` are the network's own probabilities of 1..6 and of another mark.
    """

    corners: Floats
    heat: float
    labels: Floats


def encode(corners: Floats) -> Floats:
    """A face (4x2, pixels of a level) as shape numbers (5,) that a turn by 90 degrees leaves as they are.

    The face is a parallelogram with half axes a and b. The root of aa'+bb' says how large and
    how slanted it is; what it leaves is a turn, known up to 90 degrees.
    """
    axes = np.stack([(corners[1] - corners[0]) / 2, (corners[3] - corners[0]) / 2], axis=1)
    size, frame = np.linalg.eigh(axes @ axes.T)
    half = np.sqrt(np.maximum(size, 1e-3))
    log = frame @ np.diag(np.log(half / UNIT)) @ frame.T
    turned = frame @ np.diag(1 / half) @ frame.T @ axes
    turn = 4 * np.arctan2(turned[1, 0], turned[0, 0])
    mean = (log[0, 0] + log[1, 1]) / 2
    return np.array([mean, log[0, 0] - mean, log[0, 1], np.cos(turn), np.sin(turn)], np.float32)


def decode(centre: Floats, shape: Floats) -> Floats:
    """The corners (4x2) of the face that `encode` made `shape` of."""
    mean, difference, mixed, cosine, sine = (float(part) for part in shape)
    size, frame = np.linalg.eigh(np.array([[mean + difference, mixed], [mixed, mean - difference]]))
    root = frame @ np.diag(UNIT * np.exp(np.clip(size, -3, 3))) @ frame.T
    turn = np.arctan2(sine, cosine) / 4
    a = root @ np.array([np.cos(turn), np.sin(turn)])
    b = root @ np.array([-np.sin(turn), np.cos(turn)])
    corners: Floats = (np.array([-a - b, a - b, a + b, b - a]) + centre).astype(np.float32)
    return corners


class Finder:
    """The network and the levels that it looks at. One thread at a time."""

    def __init__(self, folder: Path) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(folder / WEIGHTS))

    def find(self, image: Image, lengths: Sequence[int] = EVERY) -> list[Candidate]:
        """Candidates in `image` (BGR, HxWx3), the likeliest first, each place and size once.

        It looks at the picture shrunk to each of `lengths` (pixels along the longer side), never enlarged.
        """
        longer = max(image.shape[:2])
        found: list[Candidate] = []
        for length in sorted({min(length, longer) for length in lengths}):
            if length >= _SHORTEST:
                found += self._look(image, length / longer)
        return _once(found)

    def _look(self, image: Image, scale: float) -> list[Candidate]:
        height, width = (max(1, round(length * scale)) for length in image.shape[:2])
        level = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
        zoom = image.shape[1] / width
        padded = cv2.copyMakeBorder(level, 0, -height % 16, 0, -width % 16, cv2.BORDER_REPLICATE)
        self._net.setInput(cv2.dnn.blobFromImage(padded, 1 / 255, mean=(127.5, 127.5, 127.5)))
        answer: NDArray[Any] = self._net.forward()[0]
        heat = np.ascontiguousarray(answer[0])
        peaks = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (
            heat > np.log(_POSSIBLE / (1 - _POSSIBLE))
        )
        candidates = []
        for row, column in np.argwhere(peaks):
            cell = answer[:, row, column]
            centre = (np.array([column, row]) + 0.5 + cell[1:3]) * STRIDE - 0.5
            side = 2 * UNIT * float(np.exp(min(cell[3], 3)))
            if not SMALLEST * 0.8 < side < LARGEST * 1.25:
                continue
            corners = (decode(centre, cell[3:8]) + 0.5) * zoom - 0.5
            odds = np.exp(cell[8:15] - cell[8:15].max())
            candidates.append(
                Candidate(
                    corners.astype(np.float32),
                    float(1 / (1 + np.exp(-cell[0]))),
                    (odds / odds.sum()).astype(np.float32),
                )
            )
        return candidates


def overlap(one: Floats, other: Floats) -> tuple[float, float]:
    """Common area of two faces: as a part of the smaller one, and of both together."""
    reach = np.ptp(one, axis=0).max() + np.ptp(other, axis=0).max()
    if np.abs(one.mean(axis=0) - other.mean(axis=0)).max() > reach:
        return 0.0, 0.0
    common, _ = cv2.intersectConvexConvex(one, other)
    areas = cv2.contourArea(one), cv2.contourArea(other)
    return common / max(min(areas), 1e-3), common / max(sum(areas) - common, 1e-3)


def _once(candidates: list[Candidate]) -> list[Candidate]:
    """Without those that neighbouring cells or levels have found too, and hotter."""
    kept: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda each: -each.heat):
        if all(overlap(candidate.corners, other.corners)[1] < _ALIKE for other in kept):
            kept.append(candidate)
    return kept
