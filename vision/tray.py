"""The dice in the tray: read at rest, once for each throw, however long they lie and in what light."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import cv2
import numpy as np

from companion.games.layout import Cut, Dice, Die, Face, Point
from vision.dice import Known, check, decide, judge, read_dice
from vision.dice_slant import Level
from vision.own_faces import OwnFaces, cut_out
from vision.poker_dice import read_poker_dice
from vision.poker_faces import PokerFaces
from vision.settling import RollTracker
from vision.tray_pixels import (
    CHANGE,
    Box,
    Floats,
    Image,
    beside,
    broad,
    change_of,
    inside,
    misfit,
    repainted,
    side_of,
    unchanged,
    where,
)

PICTURE_BYTES = 40_000
"""The most that the picture of the dice may take."""

_PICTURE_SIDE = 640
_READ_SIDE = 720  # pixels along the tray for the dice reader: small dice are read more surely enlarged
_READ_ZOOM = 2.0
_SAME_PLACE = 0.25  # of a die's side
_SAME_TURN = 10.0  # degrees
_SMALLEST, _WIDEST = 0.35, 3.0  # of a die's face, and of its side with its shadow: what may be a die
_COVERED = 0.75  # of a die's side, from its middle: what it covers
_PART = 0.1  # of a die's face that is seen beside a hand, and that the hand hides
_BROAD = 0.5  # of a die's side: what covers a die is as broad as a finger
_SHADED = 1.6  # of a die's side, from its middle: what it covers or shades
_SURELY = 0.8  # of the misfit of a cloth at rest: one that moved fits so much better


class Tray:
    """Reads the tray through the looks of one rest after the other. `rolls` counts the throws.

    `faces` are those of poker dice; dice with pips are read without them.
    """

    def __init__(self, rolls: RollTracker, faces: PokerFaces | None = None) -> None:
        self._rolls = rolls
        self._faces = faces
        self._own: OwnFaces | None = None
        self._looks: list[Dice] = []
        self._agreed = False
        self._now: Floats | None = None
        self._box: Box | None = None
        # What lies there: how it looked when it was read last, and what was read.
        self._before: Floats | None = None
        self._box_before: Box | None = None
        self._lying: Dice | None = None

    @property
    def throw(self) -> int:
        """Throws so far."""
        return self._rolls.throw

    def learn(self, faces: PokerFaces | None) -> None:
        """Read dice by these faces from now on; those that lie there are read anew."""
        self._faces = faces
        self._looks, self._agreed = [], False
        self._before = self._lying = None

    def remember(self, own: OwnFaces | None) -> None:
        """Ask these kept faces as well, from the next throw on; None where none may be kept."""
        self._own = own

    def stir(self) -> None:
        """Something moves: what was looked at in this rest is no longer sure."""
        self._looks, self._agreed = [], False

    def look(self, image: Image, box: Box, level: Level | None = None) -> bool:
        """Look once more at that part of the picture; whether what was seen is settled.

        `level` is how level things are seen in the picture, if it is known.

        It is when the tray looks as it did when it was last read, when two looks in a row read the
        same, or when nothing lies there: nothing is no throw.
        """
        left, top, right, below = box
        crop = image[top:below, left:right]
        half = (max(1, crop.shape[1] // 2), max(1, crop.shape[0] // 2))
        small = cv2.resize(crop, half, interpolation=cv2.INTER_AREA)
        self._now, self._box = np.asarray(small, np.float32), box
        if self._before is not None and self._lying is not None and unchanged(self._before, self._now):
            self._looks, self._agreed = [self._lying], True
            return True
        larger, zoom = enlarged(crop)
        dice = _moved(
            self._read(larger, level and level.part(left, top, zoom)), 1 / zoom, float(left), float(top)
        )
        self._agreed = dice.sure and (not dice.dice or (bool(self._looks) and _alike(dice, self._looks[-1])))
        self._looks.append(dice)
        return self._agreed

    def _read(self, image: Image, level: Level | None) -> Dice:
        if self._faces is not None:
            return read_poker_dice(image, self._faces)
        if self._own is None or not check(image):
            return read_dice(image, known=Known(level=level))
        return decide(self._own.heard(image, judge(image, level=level)), image.shape[:2])

    def cuts(self, image: Image, box: Box, level: Level | None = None) -> tuple[Cut, ...]:
        """The faces in that part of the picture as they are read now, where they may be kept."""
        if self._own is None or self._faces is not None:
            return ()
        left, top, right, below = box
        larger, zoom = enlarged(image[top:below, left:right])
        level = level and level.part(left, top, zoom)
        if not check(larger):
            return ()
        return cut_out(larger, self._own.heard(larger, judge(larger, level=level)))

    def settle(self, time: float) -> Dice | None:
        """What the looks of this rest come to, unsure where they do not agree; None without a look."""
        if not self._looks:
            return None
        dice = self._looks[-1]
        if not self._agreed:
            # A die that shows in some of them alone lies there.
            dice = max(reversed(self._looks), key=lambda look: len(look.dice))
            # Most looks were sure, and none said otherwise: that is good enough.
            sure = sum(look.sure for look in self._looks)
            same = all(_values(look) == _values(dice) for look in self._looks)
            dice = Dice(dice.dice, same and 2 * sure >= len(self._looks) and sure > 1)
        dice = self._whole(dice)
        come = self._come(dice)
        unread = bool(come) and not dice.sure
        if self._lying is not None and _lie_alike(dice, self._lying) and not unread:
            # A lying die is read once: neither a shadow nor a second thought makes it another throw.
            dice = self._lying
        elif self._bumped(dice):
            self._rolls.follow(dice)
        else:
            before, changed = self._rolls.throw, None if come is None else partial(self._lies_in, come)
            if self._rolls.see(time, dice, changed) == before and unread:
                self._rolls.add(dice)
        self._lying, self._before, self._box_before = dice, self._now, self._box
        return dice

    def _come(self, dice: Dice) -> list[Box] | None:
        """Where something as large as a die has come to lie since the tray was last read, in half-size pixels
        of the part that is looked at; None where nobody knows. An arm reaches in from outside.
        """
        changed = self._changed(change_of)
        if changed is None or self._lying is None or self._box is None:
            return None
        known = dice.dice or self._lying.dice
        if not known:
            return None
        side = float(np.median([side_of(die) for die in known])) / 2
        changed = inside(changed)
        # Where a die was taken up the picture has changed too, and that of one that lies may flicker.
        gone = [old for old in self._lying.dice if not any(_lies_as(die, old) for die in dice.dice)]
        changed &= beside(gone, self._box, changed.shape, _SHADED)
        changed &= beside(self._lying.dice, self._box, changed.shape, _COVERED)
        _, _, stats, _ = cv2.connectedComponentsWithStats(changed)
        return [
            (left, top, left + across, top + down)
            for left, top, across, down, area in stats[1:].tolist()
            if max(across, down) < _WIDEST * side and area > _SMALLEST * side * side
        ]

    def _changed(self, how: Callable[[Floats, Floats], Floats]) -> Image | None:
        """What has changed since the tray was last read (1, else 0), in half-size pixels of the part that is
        looked at; None where nobody knows.
        """
        if self._before is None or self._now is None or self._box != self._box_before:
            return None
        changed = np.asarray(np.max(how(self._before, self._now), axis=2) > CHANGE, np.uint8)
        return np.asarray(cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)

    def _whole(self, dice: Dice) -> Dice:
        """The same, with the die that lay there for each of which a hand leaves a part to be seen.

        What is left is read as a face that lies a little beside it, or with another value: it would be a
        throw. One that fell there shows beside the hand, too, that it lies otherwise.
        """
        changed = self._changed(repainted)
        if changed is None or self._lying is None or self._box is None:
            return dice
        arm = changed - inside(changed)
        whole: dict[Die, None] = {}
        for die in dice.dice:
            near = [old for old in self._lying.dice if _apart(die, old) <= _COVERED]
            old = min(near, key=partial(_apart, die), default=die)
            hand = broad(arm, _BROAD * side_of(old) / 2)
            lay, both = (where(faces, self._box, changed.shape) for faces in ([old], [die, old]))
            seen, hidden = (np.count_nonzero(lay & mask) for mask in (1 - changed, hand))
            stays = min(seen, hidden) > _PART * np.count_nonzero(lay) and not np.any(
                both & changed & (1 - hand)
            )
            whole[old if stays else die] = None
        return Dice(tuple(whole), dice.sure)

    def _lies_in(self, boxes: list[Box], die: Die) -> bool:
        """Whether the die's middle lies in one of these boxes, in half-size pixels."""
        assert self._box is not None
        x, y = (np.mean(die.corners, axis=0) - self._box[:2]) / 2
        return any(left <= x < right and top <= y < below for left, top, right, below in boxes)

    def _bumped(self, dice: Dice) -> bool:
        """Whether the camera was bumped: the cloth has moved by the step by which all dice have."""
        step = self._rolls.shifted(dice)
        if step is None or self._before is None or self._now is None or self._lying is None:
            return False
        if self._box is None or self._box_before is None or self._before.shape != self._now.shape:
            return False
        # How far what is at rest in the picture moves within the part that is looked at, in its half size.
        still = np.subtract(self._box_before[:2], self._box[:2]) / 2
        masks = [
            beside(lying.dice, box, self._now.shape, _SHADED)
            for lying, box in ((self._lying, self._box_before), (dice, self._box))
        ]
        grounds = self._before, self._now
        moved = misfit(grounds, masks, still + np.array(step) / 2)
        rested = misfit(grounds, masks, still)
        return moved < _SURELY * rested


def enlarged(crop: Image) -> tuple[Image, float]:
    """That part of a picture as the dice reader gets it, and how many times as large that is."""
    zoom = min(max(_READ_SIDE / max(crop.shape[:2]), 1.0), _READ_ZOOM)
    if zoom == 1:
        return crop, zoom
    larger = cv2.resize(crop, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
    return np.asarray(larger, np.uint8), zoom


def picture(image: Image, box: Box, dice: Dice | None) -> bytes:
    """A JPEG to show to people: the dice that were read surely, else all of that part of the picture."""
    left, top, right, below = box
    return _jpeg(
        _around(image, box, dice) if dice is not None and dice.sure else image[top:below, left:right]
    )


def _alike(dice: Dice, other: Dice) -> bool:
    """Whether two readings of dice at rest say the same."""
    return other.sure and _values(dice) == _values(other)


def _values(dice: Dice) -> list[Face]:
    return sorted(dice.values, key=str)


def _lie_alike(dice: Dice, before: Dice) -> bool:
    """Whether each die lies where one lay before, turned as that one was, whatever it seems to show."""
    if len(dice.dice) != len(before.dice):
        return False
    return all(any(_lies_as(die, other) for other in before.dice) for die in dice.dice)


def _lies_as(die: Die, other: Die) -> bool:
    if _apart(die, other) > _SAME_PLACE:
        return False
    now, then = np.array(die.corners), np.array(other.corners)
    ways = [np.arctan2(*(corners[1] - corners[0])[::-1]) for corners in (now, then)]
    turn = np.degrees(ways[1] - ways[0]) % 90
    return bool(min(turn, 90 - turn) <= _SAME_TURN)


def _apart(die: Die, other: Die) -> float:
    """How far their middles are from each other, in sides of `other`."""
    now, then = np.array(die.corners), np.array(other.corners)
    return float(np.hypot(*(now.mean(axis=0) - then.mean(axis=0)))) / side_of(other)


def _moved(dice: Dice, zoom: float, left: float, top: float) -> Dice:
    """Dice of an enlarged part of a picture, in pixels of the whole picture."""

    def moved(die: Die) -> Die:
        a, b, c, d = (((x + 0.5) * zoom - 0.5 + left, (y + 0.5) * zoom - 0.5 + top) for x, y in die.corners)
        return Die(die.value, (a, b, c, d), die.confidence, die.faces)

    return Dice(tuple(moved(die) for die in dice.dice), dice.sure)


def _around(image: Image, box: Box, dice: Dice) -> Image:
    """The part of the picture in which the dice lie, with some of what is around them; within the box."""
    left, top, right, below = box
    corners: list[Point] = [corner for die in dice.dice for corner in die.corners]
    if not corners:
        return image[top:below, left:right]
    points = np.array(corners)
    reach = float(np.ptp(points, axis=0).max()) * 0.25 + 40
    first = np.maximum(points.min(axis=0) - reach, (left, top)).astype(int)
    last = np.minimum(np.ceil(points.max(axis=0) + reach), (right, below)).astype(int)
    return image[first[1] : last[1], first[0] : last[0]]


def _jpeg(image: Image) -> bytes:
    """At most PICTURE_BYTES of JPEG, smaller and coarser until it fits; nothing of an empty picture."""
    if not image.size:
        return b""
    shrink = min(1.0, _PICTURE_SIDE / max(image.shape[:2]))
    while True:
        size = (max(1, round(image.shape[1] * shrink)), max(1, round(image.shape[0] * shrink)))
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        for quality in (85, 70, 50):
            done, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])
            if not done:
                raise ValueError(f"A picture of {small.shape} cannot be written as JPEG.")
            if len(data) <= PICTURE_BYTES:
                return bytes(data)
        shrink *= 0.7
