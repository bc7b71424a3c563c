"""Reads dice in a picture: which values lie up, where, and whether a person should be asked.

Three steps. The finder proposes upper faces; the reader names the mark on each, from the full
picture; then all of them together decide whether the picture is read or a person is asked.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Dice, Die
from vision.dice_faces import Reader
from vision.dice_finder import EVERY, FAR, NEAR, Candidate, Finder, overlap
from vision.dice_slant import Level, unlike

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

WEIGHTS = Path(__file__).parent / "weights"
"""The folder of the two networks."""

_MANY = 48  # candidates that are read; more than so many dice lie on no table
APART = 0.4
"""Part of the smaller face that two faces may cover of each other."""
_OTHER = 2.0  # times larger or smaller than the dice: such a thing is none
_WHOLE = 0.95  # of a face lies in the picture, or the die is cut off
_ODD = 1.7  # times larger or smaller than the others: such a die is a doubt
_SMALL = 14.0  # pixels along a face, in the largest picture of FAR: what is smaller is looked at closely
_HARDLY, _CLEARLY = 0.05, 0.95  # what is likelier than the one and less than the other is looked at closely
_TRUST = 0.65  # of two opinions that know nothing of each other it would be 1, of one that is told twice 0.5
_NET = threading.local()  # a network serves one thread at a time


class Known(msgspec.Struct, frozen=True):
    """What is known beforehand: how many dice lie there, and how level things are seen, if it is."""

    count: int | None = None
    level: Level | None = None


class Bounds(msgspec.Struct, frozen=True):
    """From what probability on nobody is asked."""

    sure: float = 0.8  # each die shows its value with this probability at least
    nothing: float = 0.15  # what is not read as a die is one with this probability at most
    empty: float = 0.05  # the same where no die is seen at all: one that is missed there is a lost throw


BOUNDS = Bounds()


class Judged(msgspec.Struct, frozen=True):
    """A candidate with the probabilities of its labels (8): no upper face, 1..6, another mark."""

    corners: Floats
    labels: Floats

    @property
    def face(self) -> float:
        """Probability that an upper face of a die lies here."""
        return float(1 - self.labels[0])


class Doubt(msgspec.Struct, frozen=True):
    """Why a person should look at a picture: `words` with room ({}) for the name of what it is about.

    `which` of what was judged that is, counted from 0; None where it is all of the picture.
    """

    words: str
    which: int | None = None

    def told(self, where: str) -> str:
        """The sentence for people, who know the place that it is about by that name."""
        return self.words.replace("{}", where)


class _Likely(Protocol):
    @property
    def corners(self) -> Floats: ...

    @property
    def face(self) -> float: ...


_J = TypeVar("_J", bound=_Likely)


def read_dice(image: Image, *, known: Known | None = None) -> Dice:
    """The dice in `image` (BGR, uint8, HxWx3), from above to below in the picture.

    Each die's confidence is the probability that it lies there and shows its value. The answer
    is sure when every die is, and nothing else could be one. Raises ValueError when `image` is
    not a colour picture.
    """
    if not check(image):
        return Dice((), False)
    return decide(judge(image, level=known.level if known else None), image.shape[:2], known)


def check(image: Image) -> bool:
    """Whether there is anything in `image` to be read. Raises ValueError when it is no colour picture."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise ValueError(
            f"dice are read in colour pictures (HxWx3, uint8), not in {image.shape} of {image.dtype}: "
            "convert the picture first"
        )
    return bool(min(image.shape[:2]) > 0)


def judge(image: Image, weights: Path = WEIGHTS, level: Level | None = None) -> list[Judged]:
    """Every place in `image` where a die may lie, none over another, the likeliest first.

    `weights` is the folder of the two networks, `level` how level things are seen, if it is known.
    """
    looked = look(image, FAR, weights)
    judged = _judged_together(looked, level)
    if not _left_open(judged, max(image.shape[:2]) / max(FAR)):
        return judged
    return _judged_together(looked + look(image, NEAR, weights), level)


def _left_open(judged: Sequence[Judged], zoom: float) -> bool:
    """Whether a closer look may show more; `zoom` is the picture's pixels for one of the largest in FAR."""
    likely = [each for each in judged if each.face > 0.5]
    small = any(_side(each.corners) < _SMALL * zoom for each in likely)
    return small or not likely or any(_HARDLY < each.face < _CLEARLY for each in judged)


def _judged_together(looked: Sequence[tuple[Candidate, Floats]], level: Level | None) -> list[Judged]:
    """What candidates and their labels come to, seen together: none over another, the likeliest first."""
    alone = [Judged(each.corners, together(each, labels)) for each, labels in looked]
    against = unlike([each.corners for each in alone], [each.face for each in alone], level)
    return apart([_spoken_against(each, odds) for each, odds in zip(alone, against, strict=True)])


def decide(
    judged: Sequence[Judged], size: tuple[int, ...], known: Known | None = None, bounds: Bounds = BOUNDS
) -> Dice:
    """The dice among what was `judged` in a picture of `size` (height, width), and whether they are sure."""
    dice = [each for each in judged if each.face > 0.5 and each.labels[1:].argmax() < 6]
    read = tuple(_die(each) for each in sorted(dice, key=_place))
    return Dice(read, not doubts(judged, size, known, bounds))


def doubts(
    judged: Sequence[Judged], size: tuple[int, ...], known: Known | None = None, bounds: Bounds = BOUNDS
) -> list[Doubt]:
    """Why a person should look at this picture; nothing when it is read surely."""
    return doubts_of([(each.corners, each.face, _mark(each, bounds)) for each in judged], size, known, bounds)


def doubts_of(
    faces: Sequence[tuple[Floats, float, str]],
    size: tuple[int, ...],
    known: Known | None = None,
    bounds: Bounds = BOUNDS,
) -> list[Doubt]:
    """As `doubts`, of what may be upper faces: corners (4x2), how likely it is one, what is open about it.

    That last part goes on from "The die at A"; "" when its mark leaves no doubt.
    """
    found: list[Doubt] = []
    sides = [_side(corners) for corners, _, _ in faces]
    dice = [side for side, (_, face, _) in zip(sides, faces, strict=True) if face > 0.5]
    usual = float(np.median(dice)) if dice else 0.0
    for which, (side, (corners, face, mark)) in enumerate(zip(sides, faces, strict=True)):
        if face <= 0.5:
            # Dice that lie together are of a size: what is much smaller or larger is a speck or a shadow.
            if face > (bounds.nothing if dice else bounds.empty) and (
                not dice or usual / _OTHER < side < usual * _OTHER
            ):
                found.append(Doubt("There may be a die at {}.", which))
            continue
        if mark:
            found.append(Doubt(f"The die at {{}} {mark}.", which))
        if not usual / _ODD < side < usual * _ODD:
            found.append(Doubt("The die at {} differs much in size from the others.", which))
        if cv2.intersectConvexConvex(corners, _border(size))[0] < _WHOLE * side**2:
            found.append(Doubt("The die at {} is cut off by the picture's edge.", which))
    if known and known.count is not None and known.count != len(dice):
        found.append(Doubt(f"{known.count} dice were expected and {len(dice)} are seen."))
    return found


def look(
    image: Image, lengths: Sequence[int] = EVERY, weights: Path = WEIGHTS
) -> list[tuple[Candidate, Floats]]:
    """Where upper faces may lie in `image`, the likeliest first, and the reader's labels (8) of each.

    `lengths`: see `Finder.find`.
    """
    finder, reader = _networks(weights)
    candidates = finder.find(image, lengths)[:_MANY]
    readings = reader.read(image, [candidate.corners for candidate in candidates])
    return [
        (msgspec.structs.replace(candidate, corners=reading.corners), reading.labels)
        for candidate, reading in zip(candidates, readings, strict=True)
    ]


def apart(judged: Sequence[_J]) -> list[_J]:
    """Those none of which lies over a likelier one, the likeliest first."""
    kept: list[_J] = []
    for each in sorted(judged, key=lambda each: -each.face):
        if all(overlap(each.corners, other.corners)[0] < APART for other in kept):
            kept.append(each)
    return kept


def _mark(judged: Judged, bounds: Bounds) -> str:
    best = int(judged.labels[1:].argmax()) + 1
    if best > 6:
        return "shows no pips that can be read"
    if judged.labels[best] < bounds.sure:
        return f"may show something other than {best}"
    return ""


def _networks(weights: Path) -> tuple[Finder, Reader]:
    if not hasattr(_NET, "pairs"):
        _NET.pairs = {}
    pairs: dict[Path, tuple[Finder, Reader]] = _NET.pairs
    if weights not in pairs:
        pairs[weights] = Finder(weights), Reader(weights)
    return pairs[weights]


def together(candidate: Candidate, read: Floats) -> Floats:
    """Both networks' opinions as one: the product of their odds, to the power that makes it true."""
    found = np.concatenate([[1 - candidate.heat], candidate.heat * candidate.labels])
    both = ((found + 1e-4) * (read + 1e-6)) ** _TRUST
    joint: Floats = (both / both.sum()).astype(np.float32)
    return joint


def _spoken_against(judged: Judged, odds: float) -> Judged:
    """`judged` once something speaks against an upper face there, by so much (logarithm of the odds)."""
    labels = judged.labels.copy()
    labels[1:] *= np.exp(odds)
    return Judged(judged.corners, labels / labels.sum())


def _die(judged: Judged) -> Die:
    value = int(judged.labels[1:7].argmax()) + 1
    a, b, c, d = ((float(x), float(y)) for x, y in judged.corners)
    return Die(value, (a, b, c, d), float(judged.labels[value]))


def _side(corners: Floats) -> float:
    """Side of a square as large as the face, in pixels."""
    return float(np.sqrt(cv2.contourArea(corners)))


def _place(judged: Judged) -> tuple[float, float]:
    x, y = judged.corners.mean(axis=0)
    return float(y), float(x)


def _border(size: tuple[int, ...]) -> Floats:
    height, width = size
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
