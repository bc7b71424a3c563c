"""Reads dice in a picture: which values lie up, where, and whether a person should be asked.

Three steps. The finder proposes upper faces; the reader names the mark on each, from the full
picture; then all of them together decide whether the picture is read or a person is asked.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Dice, Die
from vision.dice_faces import Reader, rectify
from vision.dice_finder import Candidate, Finder, overlap

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

_MANY = 48  # candidates that are read; more than so many dice lie on no table
_APART = 0.4  # of the smaller face: what two faces may cover of each other
_OTHER = 2.0  # times larger or smaller than the dice: such a thing is none
_WHOLE = 0.85  # of a face lies in the picture, or the die is cut off
_ODD = 1.7  # times larger or smaller than the others: such a die is a doubt
_NET = threading.local()  # a network serves one thread at a time


class Known(msgspec.Struct, frozen=True):
    """What is known beforehand: how many dice lie there, if it is."""

    count: int | None = None


class Bounds(msgspec.Struct, frozen=True):
    """From what probability on nobody is asked."""

    sure: float = 0.8  # each die shows its value with this probability at least
    nothing: float = 0.15  # what is not read as a die is one with this probability at most


BOUNDS = Bounds()


class Judged(msgspec.Struct, frozen=True):
    """A candidate with the probabilities of its labels (8): no upper face, 1..6, another mark."""

    corners: Floats
    labels: Floats

    @property
    def face(self) -> float:
        """Probability that an upper face of a die lies here."""
        return float(1 - self.labels[0])

    @property
    def side(self) -> float:
        """Side of a square as large as the face, in pixels."""
        return float(np.sqrt(cv2.contourArea(self.corners)))


def read_dice(image: Image, *, known: Known | None = None) -> Dice:
    """The dice in `image` (BGR, uint8, HxWx3), from above to below in the picture.

    Each die's confidence is the probability that it lies there and shows its value. The answer
    is sure when every die is, and nothing else could be one. Raises ValueError when `image` is
    not a colour picture.
    """
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise ValueError(
            f"dice are read in colour pictures (HxWx3, uint8), not in {image.shape} of {image.dtype}: "
            "convert the picture first"
        )
    if min(image.shape[:2]) < 1:
        return Dice((), False)
    return decide(judge(image), image.shape[:2], known)


def judge(image: Image) -> list[Judged]:
    """Every place in `image` where a die may lie, none over another, the likeliest first."""
    finder, reader = _networks()
    candidates = finder.find(image)[:_MANY]
    labels = reader.read([rectify(image, candidate.corners) for candidate in candidates])
    judged = [
        Judged(candidate.corners, _together(candidate, row))
        for candidate, row in zip(candidates, labels, strict=True)
    ]
    kept: list[Judged] = []
    for each in sorted(judged, key=lambda each: -each.face):
        if all(overlap(each.corners, other.corners)[0] < _APART for other in kept):
            kept.append(each)
    return kept


def decide(
    judged: Sequence[Judged], size: tuple[int, ...], known: Known | None = None, bounds: Bounds = BOUNDS
) -> Dice:
    """The dice among what was `judged` in a picture of `size` (height, width), and whether they are sure."""
    dice = [each for each in judged if each.face > 0.5 and each.labels[1:].argmax() < 6]
    read = tuple(_die(each) for each in sorted(dice, key=_place))
    return Dice(read, not doubts(judged, size, known, bounds))


def doubts(
    judged: Sequence[Judged], size: tuple[int, ...], known: Known | None = None, bounds: Bounds = BOUNDS
) -> list[str]:
    """Why a person should look at this picture, a sentence each; nothing when it is read surely."""
    found: list[str] = []
    dice = [each for each in judged if each.face > 0.5]
    usual = float(np.median([each.side for each in dice])) if dice else 0.0
    for each in judged:
        x, y = (round(float(middle)) for middle in each.corners.mean(axis=0))
        best = int(each.labels[1:].argmax()) + 1
        if each.face <= 0.5:
            # Dice that lie together are of a size: what is much smaller or larger is a speck or a shadow.
            if each.face > bounds.nothing and (not dice or usual / _OTHER < each.side < usual * _OTHER):
                found.append(f"There may be a die at {x}, {y}.")
            continue
        if best > 6:
            found.append(f"The die at {x}, {y} shows no pips that can be read.")
        elif each.labels[best] < bounds.sure:
            found.append(f"The die at {x}, {y} may show something other than {best}.")
        if not usual / _ODD < each.side < usual * _ODD:
            found.append(f"The die at {x}, {y} differs much in size from the others.")
        if cv2.intersectConvexConvex(each.corners, _border(size))[0] < _WHOLE * each.side**2:
            found.append(f"The die at {x}, {y} is cut off by the picture's edge.")
    if known and known.count is not None and known.count != len(dice):
        found.append(f"{known.count} dice were expected and {len(dice)} are seen.")
    return found


def _networks() -> tuple[Finder, Reader]:
    if not hasattr(_NET, "pair"):
        _NET.pair = Finder(), Reader()
    pair: tuple[Finder, Reader] = _NET.pair
    return pair


def _together(candidate: Candidate, read: Floats) -> Floats:
    """Both networks' opinions as one: the geometric mean of their odds."""
    found = np.concatenate([[1 - candidate.heat], candidate.heat * candidate.labels])
    both = np.sqrt((found + 1e-4) * (read + 1e-6))
    joint: Floats = (both / both.sum()).astype(np.float32)
    return joint


def _die(judged: Judged) -> Die:
    value = int(judged.labels[1:7].argmax()) + 1
    a, b, c, d = ((float(x), float(y)) for x, y in judged.corners)
    return Die(value, (a, b, c, d), float(judged.labels[value]))


def _place(judged: Judged) -> tuple[float, float]:
    x, y = judged.corners.mean(axis=0)
    return float(y), float(x)


def _border(size: tuple[int, ...]) -> Floats:
    height, width = size
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
