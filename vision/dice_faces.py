"""Reads one face of a die: the patch within its corners, and the network that names its mark."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

WEIGHTS = "dice_reader.onnx"

PATCH = 48  # pixels along a patch
WIDE = 1.8  # the patch is so much wider than the face: its sides, shadow and neighbours help to know it

_HARDLY = -0.02  # logarithm of the chance of no face above which a frame is read once only
_FAR = 0.6  # of half a side: a face lies no further off in its frame, or it is another face

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


class Reading(msgspec.Struct, frozen=True):
    """What a frame shows: the face's corners (4x2, pixels), put right, and the chances (LABELS) of a mark."""

    corners: Floats
    labels: Floats


class Reader:
    """The network that names the mark of a face and says how the face lies in its frame, for one thread."""

    def __init__(self, folder: Path) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(folder / WEIGHTS))

    def read(self, image: Image, frames: Sequence[Floats]) -> list[Reading]:
        """What each of `frames` (4x2, pixels) of `image` shows: no upper face, 1..6, or another mark.

        What may be a face is framed as the network says that it lies, and read again from two sides; the
        geometric mean is the answer.
        """
        if not frames:
            return []
        logs, lies = self._answer([rectify(image, frame) for frame in frames])
        corners = list(frames)
        perhaps = [at for at, row in enumerate(logs) if row[0] < _HARDLY]
        if perhaps:
            for at in perhaps:
                corners[at] = put_right(corners[at], lies[at])
            patches = [rectify(image, corners[at]) for at in perhaps]
            turned = [np.ascontiguousarray(np.rot90(patch)) for patch in patches]
            again, lies = self._answer(patches + turned)
            logs[perhaps] = (again[: len(perhaps)] + again[len(perhaps) :]) / 2
            for at, row in zip(perhaps, lies, strict=False):
                corners[at] = put_right(corners[at], row)
        odds = np.exp(logs)
        labels = (odds / odds.sum(axis=1, keepdims=True)).astype(np.float32)
        return [Reading(*each) for each in zip(corners, labels, strict=True)]

    def _answer(self, patches: Sequence[Image]) -> tuple[Floats, Floats]:
        """Logarithms of the chances, none below that of one in a million, and how the faces lie (N x 6)."""
        self._net.setInput(cv2.dnn.blobFromImages(list(patches), 1 / 255, mean=(127.5, 127.5, 127.5)))
        answer = self._net.forward()
        odds = np.exp(answer[:, :LABELS] - answer[:, :LABELS].max(axis=1, keepdims=True))
        logs: Floats = np.log(odds / odds.sum(axis=1, keepdims=True) + 1e-6).astype(np.float32)
        return logs, np.asarray(answer[:, LABELS:], np.float32)


def put_right(frame: Floats, lies: Floats) -> Floats:
    """The corners (4x2, pixels) of the face that `lies` so in `frame`.

    First its shift (2), then its axes less the frame's own (4), all in halves of the frame's sides.
    """
    centre = frame.mean(axis=0)
    axes = np.stack([(frame[1] - frame[0]) / 2, (frame[3] - frame[0]) / 2], axis=1)
    centre = centre + axes @ np.clip(lies[:2], -_FAR, _FAR)
    a, b = (axes @ (np.eye(2) + np.clip(lies[2:].reshape(2, 2), -_FAR, _FAR))).T
    corners: Floats = (np.array([-a - b, a - b, a + b, b - a]) + centre).astype(np.float32)
    return corners
