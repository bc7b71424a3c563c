"""Reads poker dice in a picture: where upper faces lie, by the networks, and which known face each is."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.games.layout import Dice, Die
from vision.dice import APART, BOUNDS, Bounds, Floats, Image, Known, apart, check, doubts_of, look, together
from vision.dice_faces import rectify
from vision.dice_finder import overlap
from vision.poker_faces import PATCH, WIDE, Named, PokerFaces

FACES = "poker"
"""What `Die.faces` says of such a die."""

_POSSIBLE = 0.03  # by the networks alone: what is less likely a face is not compared with the known ones
_WITNESS = 30.0  # times likelier than it was that a face lies where a known one is recognised
_STRANGER = 0.5  # and where none is


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
    judged: list[Judged] = []
    likely = [
        (1 - float(together(candidate, labels)[0]), candidate.corners) for candidate, labels in look(image)
    ]
    for face, corners in sorted(likely, key=lambda each: -each[0]):
        # What lies over a face that is recognised is that face once more, framed otherwise.
        if face >= _POSSIBLE and not any(
            overlap(corners, each.corners)[0] >= APART and each.named.confidence >= BOUNDS.sure
            for each in judged
        ):
            named = faces.name(rectify(image, corners, WIDE, PATCH))
            judged.append(Judged(corners, _witnessed(face, named), named))
    return apart(judged)


def decide(
    judged: Sequence[Judged], size: tuple[int, ...], known: Known | None = None, bounds: Bounds = BOUNDS
) -> Dice:
    """The dice among what was `judged` in a picture of `size` (height, width), and whether they are sure."""
    dice = sorted((_die(each) for each in judged if each.face > 0.5), key=_place)
    return Dice(tuple(dice), not doubts(judged, size, known, bounds))


def doubts(
    judged: Sequence[Judged], size: tuple[int, ...], known: Known | None = None, bounds: Bounds = BOUNDS
) -> list[str]:
    """Why a person should look at this picture, a sentence each; nothing when it is read surely."""
    faces = [
        (each.corners, each.face, "" if _sure(each, bounds) else f"may not show {each.named.name}")
        for each in judged
    ]
    return doubts_of(faces, size, known, bounds)


def _witnessed(face: float, named: Named) -> float:
    """How likely a face lies there, now that it has been compared with the known ones."""
    known = named.confidence >= BOUNDS.sure
    odds = face / max(1 - face, 1e-6) * (_WITNESS if known else _STRANGER if named.likeness < 0.6 else 1)
    return odds / (1 + odds)


def _sure(judged: Judged, bounds: Bounds) -> bool:
    return judged.named.confidence >= bounds.sure and judged.face >= bounds.sure


def _die(judged: Judged) -> Die:
    a, b, c, d = ((float(x), float(y)) for x, y in judged.corners)
    return Die(judged.named.name, (a, b, c, d), judged.face * judged.named.confidence, FACES)


def _place(die: Die) -> tuple[float, float]:
    x, y = (sum(axis) / 4 for axis in zip(*die.corners, strict=True))
    return y, x
