"""Faces of an owner's dice that were misread once, or shown: what is no pips is compared with them.

They name a mark that would be asked about. Pips are the networks' own to read: where dice look like one
that was misread as just that, a person is asked. So a kept face never changes in silence what was read
surely, whatever somebody has said of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import cv2
import msgspec
import numpy as np

from companion.games.layout import Cut
from vision.dice import BOUNDS, Bounds, Floats, Image, Judged
from vision.dice_faces import rectify
from vision.poker_faces import PATCH, WIDE, PokerFaces

SIDE = 80
"""Pixels along a face that is kept."""

_OTHER = 7  # the label of a mark that is no pips
_ALONE = 0.95  # confidence that is wanted where nothing says what a face is unlike: one value is known alone
_WITNESS = 30.0  # times likelier an upper face lies where a kept one is recognised
_DOUBTED = 0.7  # of the bound from which nobody is asked


class KeptFace(msgspec.Struct, frozen=True):
    """A face that was put right: the value that it shows, and as what it `was` read (0: as no pips).

    The picture is square, BGR, uint8.
    """

    value: int
    was: int
    picture: Image


class OwnFaces:
    """The faces that were kept, any number of each value, for dice to be compared with.

    Made once, then only read: any number of threads may share it.
    """

    def __init__(self, kept: Iterable[KeptFace]) -> None:
        kept = tuple(kept)
        self._all = _Known(kept) if kept else None
        self._slips = {
            was: _Known([face for face in kept if face.was == was])
            for was in {face.was for face in kept if face.was not in (0, face.value)}
        }

    def heard(self, image: Image, judged: Sequence[Judged], bounds: Bounds = BOUNDS) -> list[Judged]:
        """What was `judged` in `image` (BGR, uint8, HxWx3), once the kept faces have been asked as well."""
        return [self._heard(image, each, bounds) if each.face > 0.5 else each for each in judged]

    def _heard(self, image: Image, judged: Judged, bounds: Bounds) -> Judged:
        best = int(judged.labels[1:].argmax()) + 1
        known = self._all if best == _OTHER else self._slips.get(best)
        if known is None:
            return judged
        value, confidence = known.name(image, judged.corners)
        if confidence < bounds.sure or value == best:
            return judged
        labels = judged.labels.copy()
        if best == _OTHER:
            odds = judged.face / max(1 - judged.face, 1e-6) * _WITNESS
            face = odds / (1 + odds)
            labels[0] = 1 - face
            labels[1:] = face * (1 - confidence) / 6
            labels[value] = face * confidence
        elif labels[best] >= bounds.sure:
            # It stays the likeliest, as it was read; but a person says whether that was right this time.
            labels[value] += labels[best] - _DOUBTED * bounds.sure
            labels[best] = _DOUBTED * bounds.sure
        return Judged(judged.corners, labels)


class _Known:
    """Some of the kept faces, and whether they tell of more than one value."""

    def __init__(self, kept: Sequence[KeptFace]) -> None:
        self._faces = PokerFaces((str(face.value), face.picture) for face in kept)
        self._one = len(set(self._faces.names)) == 1

    def name(self, image: Image, corners: Floats) -> tuple[int, float]:
        """The value of the face there, and how surely; 0 where that is not enough to be told."""
        named = self._faces.name(rectify(image, corners, WIDE, PATCH))
        least = _ALONE if self._one else 0.0
        return int(named.name), named.confidence if named.confidence >= least else 0.0


def cut_out(image: Image, judged: Iterable[Judged]) -> tuple[Cut, ...]:
    """The faces that were `judged` to lie in `image` (BGR, uint8, HxWx3), SIDE pixels square."""
    return tuple(_cut(image, each) for each in judged if each.face > 0.5)


def _cut(image: Image, judged: Judged) -> Cut:
    best = int(judged.labels[1:].argmax()) + 1
    done, png = cv2.imencode(".png", rectify(image, judged.corners, 1.0, SIDE))
    if not done:
        raise ValueError("A face of a die cannot be written as PNG.")
    return Cut(0 if best == _OTHER else best, float(judged.labels[best]), png.tobytes())


def misread(cuts: Sequence[Cut], truth: Sequence[int], sure: float = BOUNDS.sure) -> dict[int, int]:
    """Which of the dice that were cut out were in doubt or wrong, and what they show.

    `truth` are the values that lie there, in any order. Only what is beyond doubt is told: nothing where
    not each die was found, or where it is open which of them shows what.
    """
    if len(cuts) != len(truth):
        return {}
    left = Counter(truth)
    surely = Counter(cut.value for cut in cuts if cut.confidence >= sure and cut.value)
    puzzling = [at for at, cut in enumerate(cuts) if cut.confidence < sure or not cut.value]
    for value, count in surely.items():
        if left[value] >= count:
            left[value] -= count
        elif left[value]:
            return {}  # some of those that show it were read wrong, and nobody knows which
        else:
            puzzling += [at for at, cut in enumerate(cuts) if cut.value == value and cut.confidence >= sure]
    values = list((+left).elements())
    return (
        dict.fromkeys(puzzling, values[0]) if len(set(values)) == 1 and len(values) == len(puzzling) else {}
    )


def opened(png: bytes) -> Image:
    """The face that such a picture shows. ValueError when it shows none."""
    data = np.frombuffer(png, np.uint8)
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if picture is None or picture.shape != (SIDE, SIDE, 3):
        raise ValueError(f"this is no picture of {SIDE} x {SIDE} pixels")
    return np.asarray(picture, np.uint8)
