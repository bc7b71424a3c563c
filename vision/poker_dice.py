"""Reads poker dice in a picture: where upper faces lie, by the networks, and which known face each is.

Dice of one throw are alike: they are of a size, and the camera sees them from the same slant. So what is
recognised at first sight tells what to look for where something else lies.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np

from companion.games.layout import Dice, Die
from vision.dice import (
    APART,
    BOUNDS,
    Bounds,
    Doubt,
    Floats,
    Image,
    Known,
    apart,
    check,
    doubts_of,
    look,
    together,
)
from vision.dice_faces import rectify, whence
from vision.dice_finder import SMALLEST, Candidate, overlap
from vision.dice_slant import unlike
from vision.poker_faces import LEVEL_PATCH, LEVEL_WIDE, PATCH, WIDE, Named, PokerFaces

FACES = "poker"
"""What `Die.faces` says of such a die."""

# By the networks alone: what is less likely a face is not compared with the known ones at first sight,
_POSSIBLE = 0.03
_FOUND = 0.4  # heat of the finder's from which a place is looked at in any case
_BARELY = 0.01  # nor where it is known how large and how slanted a die would be
# How many times likelier than it was a face lies where a known one is recognised; where nothing lies that
# is at least so like one; and how many times likelier then.
_FIRST_SIGHT = (30.0, 0.6, 0.5)
_AS_THE_OTHERS = (1000.0, 0.8, 0.3)  # the same where it is looked for as large and as slanted as the others
# Pixels along the longer side at which the networks look first. Scales in between gave more frames that are
# a little off: in three games six throws were asked about in place of one.
_FIRST = (320, 160, 80)
_CLOSELY = (640, *_FIRST)
_LARGE = 1.25 * SMALLEST  # pixels along faces of a level that shows enough of them
_ALIKE = 1.15  # times longer, one way or the other, than another face that is seen from the same slant


_Likely = tuple[float, Floats]
"""How likely a face lies there by the networks, and its corners (4x2)."""


class Judged(msgspec.Struct, frozen=True):
    """What may be an upper face: its corners (4x2), how likely it is one, and which it looks like."""

    corners: Floats
    face: float
    named: Named


def read_poker_dice(image: Image, faces: PokerFaces, *, known: Known | None = None) -> Dice:
    """The dice in `image` (BGR, uint8, HxWx3) by the known `faces`, from above to below in the picture.

    A die whose face is none of them, or as like two of them, is there, and the answer is not sure.
    Raises ValueError when `image` is not a colour picture.
    """
    if not check(image):
        return Dice((), False)
    return decide(judge(image, faces), image.shape[:2], known)


def judge(image: Image, faces: PokerFaces) -> list[Judged]:
    """Every place in `image` where a die may lie, none over another, the likeliest first."""
    judged = [each for each in _looked(image, faces, _FIRST) if each.face >= _BARELY]
    least = _LARGE * max(image.shape[:2]) / max(_FIRST)
    # Where anything is not clear yet, and where dice are small, the networks look more closely.
    if judged and all(_recognised(each.named) and _size(each.corners) >= least for each in judged):
        return judged
    return _looked(image, faces, _CLOSELY)


def _looked(image: Image, faces: PokerFaces, lengths: Sequence[int]) -> list[Judged]:
    """As `judge`, for which the networks look at the picture at these `lengths` (see `Finder.find`)."""
    found = look(image, lengths)
    likely = [(_chance(candidate, labels), candidate.corners) for candidate, labels in found]
    likely = sorted((each for each in likely if each[0] >= _BARELY), key=lambda each: -each[0])
    judged: list[Judged] = []
    for face, corners in likely:
        # What lies over a face that is recognised is that face once more, framed otherwise.
        if face >= _POSSIBLE and not any(
            _recognised(each.named) and overlap(corners, each.corners)[0] >= APART for each in judged
        ):
            named = faces.name(rectify(image, corners, WIDE, PATCH))
            judged.append(_judged(face, named, corners, (corners, WIDE, PATCH), _FIRST_SIGHT))
    shape = _shape([each.corners for each in judged if _recognised(each.named)])
    return apart(judged if shape is None else _alike(image, faces, likely, judged, shape))


def _alike(
    image: Image,
    faces: PokerFaces,
    likely: Sequence[_Likely],
    judged: Sequence[Judged],
    shape: Floats,
) -> list[Judged]:
    """What was `judged`, and what else is `likely`, once more: as dice that are seen alike, in that shape."""
    known = [each for each in judged if _recognised(each.named)]
    found = [each for each in known if _is_like(_axes(each.corners), shape)]
    others = _without_sides([each for each in known if not _is_like(_axes(each.corners), shape)], found)
    times = _AS_THE_OTHERS[0] / _FIRST_SIGHT[0]
    found = [Judged(each.corners, _likelier(each.face, times), each.named) for each in found]
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) @ shape.T
    for face, corners in likely:
        middle = corners.mean(axis=0)
        if not any(_recognised(each.named) and _within(middle, each.corners) for each in found):
            frame = ((square + middle).astype(np.float32), LEVEL_WIDE, LEVEL_PATCH)
            named = faces.name_level(rectify(image, *frame))
            found.append(_judged(face, named, corners, frame, _AS_THE_OTHERS))
    return found + others


def _chance(candidate: Candidate, labels: Floats) -> float:
    """How likely a face lies there by the networks."""
    face = 1 - float(together(candidate, labels)[0])
    # The reader knows pips and does not know these marks: it does not outdo the finder.
    return max(face, _POSSIBLE) if candidate.heat >= _FOUND else face


def _without_sides(others: Sequence[Judged], found: Sequence[Judged]) -> list[Judged]:
    """The `others` again, which are not shaped as those that were `found`, and may be sides of dice.

    A side has a mark too, which is then no witness that it lies up; and all upper faces are seen from one
    slant, whatever the size of their dice.
    """
    kept = []
    for other in others:
        faces = [other, *found]
        against = float(unlike([each.corners for each in faces], [each.face for each in faces])[0])
        kept.append(
            other
            if against == 0
            else Judged(other.corners, _likelier(other.face, np.exp(against) / _FIRST_SIGHT[0]), other.named)
        )
    return kept


def decide(
    judged: Sequence[Judged], size: tuple[int, ...], known: Known | None = None, bounds: Bounds = BOUNDS
) -> Dice:
    """The dice among what was `judged` in a picture of `size` (height, width), and whether they are sure."""
    dice = sorted((_die(each) for each in judged if each.face > 0.5), key=_place)
    return Dice(tuple(dice), not doubts(judged, size, known, bounds))


def doubts(
    judged: Sequence[Judged], size: tuple[int, ...], known: Known | None = None, bounds: Bounds = BOUNDS
) -> list[Doubt]:
    """Why a person should look at this picture; nothing when it is read surely."""
    faces = [
        (each.corners, each.face, "" if _sure(each, bounds) else f"may not show {each.named.name}")
        for each in judged
    ]
    return doubts_of(faces, size, known, bounds)


def _judged(
    face: float,
    named: Named,
    corners: Floats,
    frame: tuple[Floats, float, int],
    evidence: tuple[float, float, float],
) -> Judged:
    """What a patch shows that was cut out by that `frame`; a network framed it by `corners`."""
    witness, like, stranger = evidence
    if _recognised(named):
        assert named.outline is not None
        return Judged(whence(named.outline, *frame), _likelier(face, witness), named)
    return Judged(corners, _likelier(face, stranger if named.likeness < like else 1.0), named)


def _likelier(face: float, times: float) -> float:
    odds = face / max(1 - face, 1e-6) * times
    return odds / (1 + odds)


def _recognised(named: Named) -> bool:
    return named.confidence >= BOUNDS.sure


def _axes(corners: Floats) -> Floats:
    """The sides of a face as columns (2x2, pixels)."""
    axes: Floats = np.stack([corners[1] - corners[0], corners[3] - corners[0]], axis=1)
    return axes


def _is_like(axes: Floats, shape: Floats) -> bool:
    """Whether a face with these sides has about that shape, in whatever turn."""
    longest, shortest = np.linalg.svd(np.linalg.solve(shape, axes))[1]
    return bool(longest < _ALIKE and shortest > 1 / _ALIKE)


def _shape(faces: Sequence[Floats]) -> Floats | None:
    """How a square of a die's size that lies upright looks in the picture, as two columns (2x2, pixels).

    It is the mean of the largest group of faces that are alike; None without a face.
    """
    axes = [_axes(corners) for corners in faces]
    groups = [[other for other in axes if _is_like(other, _upright([each]))] for each in axes]
    return _upright(max(groups, key=len)) if groups else None


def _upright(axes: Sequence[Floats]) -> Floats:
    """The mean of faces with these sides, each turned upright: a turn leaves what is seen of a square."""
    size, frame = np.linalg.eigh(np.mean([sides @ sides.T for sides in axes], axis=0))
    upright: Floats = frame @ np.diag(np.sqrt(size)) @ frame.T
    return upright


def _size(corners: Floats) -> float:
    """Side of a square as large as the face, in pixels."""
    return float(np.sqrt(cv2.contourArea(corners)))


def _within(point: Floats, corners: Floats) -> bool:
    x, y = (float(value) for value in point)
    return cv2.pointPolygonTest(corners, (x, y), False) >= 0


def _sure(judged: Judged, bounds: Bounds) -> bool:
    return judged.named.confidence >= bounds.sure and judged.face >= bounds.sure


def _die(judged: Judged) -> Die:
    a, b, c, d = ((float(x), float(y)) for x, y in judged.corners)
    return Die(judged.named.name, (a, b, c, d), judged.face * judged.named.confidence, FACES)


def _place(die: Die) -> tuple[float, float]:
    x, y = (sum(axis) / 4 for axis in zip(*die.corners, strict=True))
    return y, x
