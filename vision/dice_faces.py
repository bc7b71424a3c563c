"""Reads one face of a die: the patch within its corners, and the network that names its mark."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

WEIGHTS = Path(__file__).parent / "weights" / "dice_reader.onnx"

PATCH = 40  # pixels along a patch
WIDE = 1.5  # the patch is so much wider than the face: what surrounds a face helps to know it

_HARDLY = -0.02  # logarithm of the chance of no face above which a patch is read from one side only

LABELS = 8  # none, 1..6, another mark


def rectify(image: Image, corners: Floats, wide: float = WIDE, pixels: int = PATCH) -> Image:
    """The face within `corners` (4x2, pixels), `wide` times as wide, turned upright: `pixels` square, BGR."""
    centre = corners.mean(axis=0)
    frame = (corners[:3] - centre) * wide + centre
    side = float(np.sqrt(max(cv2.contourArea(corners), 1.0))) * wide
    # Shrinking by sampling would alias: cut out, shrink by area, then turn.
    source = image
    if side > 2 * pixels:
        low = np.floor((corners - centre).min(axis=0) * 2 + centre).astype(int)
        high = np.ceil((corners - centre).max(axis=0) * 2 + centre).astype(int)
        low = np.clip(low, 0, [image.shape[1] - 1, image.shape[0] - 1])
        high = np.clip(high, low + 1, [image.shape[1], image.shape[0]])
        source = image[low[1] : high[1], low[0] : high[0]]
        zoom = 1.5 * pixels / side
        shape = (max(1, round(source.shape[1] * zoom)), max(1, round(source.shape[0] * zoom)))
        scale = np.array(shape) / [source.shape[1], source.shape[0]]
        source = np.asarray(cv2.resize(source, shape, interpolation=cv2.INTER_AREA), np.uint8)
        frame = (frame - low + 0.5) * scale - 0.5
    end = pixels - 0.5
    square = np.array([[-0.5, -0.5], [end, -0.5], [end, end]], np.float32)
    matrix = cv2.getAffineTransform(frame.astype(np.float32), square)
    size = (pixels, pixels)
    patch = cv2.warpAffine(source, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, np.uint8)


def whence(points: Floats, corners: Floats, wide: float = WIDE, pixels: int = PATCH) -> Floats:
    """Where points (Nx2, pixels) of a patch lie in the picture that `rectify` cut it out of in that way."""
    centre = corners.mean(axis=0)
    a, b, c = (corners[:3] - centre) * wide + centre
    part = (points + 0.5) / pixels
    found: Floats = (a + part[:, :1] * (b - a) + part[:, 1:] * (c - b)).astype(np.float32)
    return found


class Reader:
    """The network that names the mark of a face. One thread at a time."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(weights))

    def read(self, patches: Sequence[Image]) -> Floats:
        """Probabilities (N x LABELS) of: no upper face, 1..6, a face with another mark.

        A face may be read from four sides. What may be one is read from all of them, and the
        geometric mean is the answer.
        """
        logs = self._logs(patches)
        perhaps = [at for at, row in enumerate(logs) if row[0] < _HARDLY]
        for turn in (1, 2, 3):
            logs[perhaps] += self._logs([np.ascontiguousarray(np.rot90(patches[at], turn)) for at in perhaps])
        logs[perhaps] /= 4
        odds = np.exp(logs)
        read: Floats = (odds / odds.sum(axis=1, keepdims=True)).astype(np.float32)
        return read

    def _logs(self, patches: Sequence[Image]) -> Floats:
        """Logarithms of the probabilities, none below that of one in a million."""
        if not patches:
            return np.zeros((0, LABELS), np.float32)
        self._net.setInput(cv2.dnn.blobFromImages(list(patches), 1 / 255, mean=(127.5, 127.5, 127.5)))
        answer = self._net.forward()
        odds = np.exp(answer - answer.max(axis=1, keepdims=True))
        logs: Floats = np.log(odds / odds.sum(axis=1, keepdims=True) + 1e-6).astype(np.float32)
        return logs
