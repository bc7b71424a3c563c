"""Tells when the table has come to rest, and whether the dice that then lie there were thrown anew.

Two parts that know nothing of each other. `MotionGate` looks at a few pixels of each frame and
says whether the picture rests. `RollTracker` is shown what was read at rest and counts throws.
`Settling` joins them for dice alone. Time is monotonic seconds and always comes from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Dice, Die, Point
from vision.source import STRIDE

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

REST = 0.4
"""Seconds without motion after which the picture is at rest."""

AGREE = 2
"""Equal readings in a row that make a settled one."""

_FEW = 3  # pixels so many differ by noise alone
_QUIETEST, _LOUDEST = 10.0, 40.0  # grey levels between which the bound for a difference lies
_AROUND, _FAINTEST = 5, 5.0  # pixels across, and grey levels, of a mean that noise hardly reaches
_WHITE = 245.0  # grey level from which on a pixel may be brighter than the camera can tell
_NOISE, _WIDE_NOISE = 6.0, 6.5  # the bound, in mean differences: of single pixels, and of many together
_SAME_PLACE = 0.35  # of a die's side: it lies where it lay
_SAME_STEP = 0.15  # of a die's side: it has moved as the others have
_LIKELY = 0.5  # confidence of a die that is rather there than not
_BUMP = 1.5  # of a die's side: how far a camera is shifted at most
_TRIES = 5  # readings of one rest after which it is taken as it is


class MotionGate:
    """Tells from a few pixels of each frame whether the picture rests.

    A change of the whole picture's brightness, or of the bands that a lamp on mains power draws
    across it, is divided out row by row; noise raises the bound for what counts as motion.
    """

    def __init__(self, rest: float = REST) -> None:
        if rest <= 0:
            raise ValueError(f"a rest of {rest} seconds cannot be waited for: give more than 0")
        self._rest = rest
        self._before: Floats | None = None
        self._moved = 0.0

    def still(self, time: float, frame: Image) -> bool:
        """Whether nothing has moved for the time of rest; `frame` is BGR (HxWx3) or grey (HxW), uint8."""
        return self.rests(time, frame[::STRIDE, ::STRIDE])

    def rests(self, time: float, small: Image) -> bool:
        """The same, of a picture that has been made small already, of which every pixel is looked at."""
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY) if small.ndim == 3 else small
        now = grey.astype(np.float32)
        if self._before is None or self._before.shape != now.shape or _differs(self._before, now):
            self._moved = time
        self._before = now
        return time - self._moved >= self._rest


def _differs(before: Floats, now: Floats) -> bool:
    level_before = cv2.reduce(before, 1, cv2.REDUCE_AVG)
    level_now = cv2.reduce(now, 1, cv2.REDUCE_AVG)
    gain = (level_now + 1) / (level_before + 1)
    expected = np.minimum(before * gain, 255.0)
    change: Floats = np.asarray(now - expected, np.float32)
    # What was too bright for the camera may have been any brighter, and has not dimmed with its row.
    change[(before >= _WHITE) & (change > 0)] = 0
    bound = min(max(_NOISE * _mean(change), _QUIETEST), _LOUDEST)
    if _further(change, bound):
        return True
    if bound <= _QUIETEST:
        return False
    # Under noise a die or an arm may differ less than single pixels do, and is larger than they are. A few
    # pixels alone, however much they differ, change neither the middle one of nine nor the mean of many.
    middle = cv2.medianBlur(change, 3)
    if _further(middle, max(_WIDE_NOISE * _mean(middle), _QUIETEST)):
        return True
    cut = cv2.threshold(change, bound / 2, 0, cv2.THRESH_TRUNC)[1]
    cut = -cv2.threshold(-cut, bound / 2, 0, cv2.THRESH_TRUNC)[1]
    around = cv2.blur(cut, (_AROUND, _AROUND))
    return _further(around, max(_WIDE_NOISE * _mean(around), _FAINTEST))


def _mean(change: NDArray[Any]) -> float:
    """How far the values are from 0 in the mean."""
    return cv2.norm(change, cv2.NORM_L1) / change.size


def _further(change: NDArray[Any], bound: float) -> bool:
    """Whether more values than a few by chance are further from 0 than that."""
    return int(np.count_nonzero(np.abs(change) > bound)) > _FEW


class RollTracker:
    """Counts throws: dice that lie where they lay are one throw, however often they are seen.

    A hand over the dice, or dice taken away, is no throw: what counts is that dice come to lie
    otherwise than at the last throw. When all have moved by one small step, the camera has moved.
    An unsure reading may have a die too many or a value wrong; it is the same throw as the
    readings before and after it that have most of the dice where it has them, unless one has come
    where none lay. Half is not enough: one of two dice may come to lie by chance where one lay, and a
    lost throw is worse than a question.
    """

    def __init__(self) -> None:
        self._throw = 0
        self._last = Dice((), True)

    @property
    def throw(self) -> int:
        """Throws so far."""
        return self._throw

    def see(self, time: float, dice: Dice | None, changed: Callable[[Die], bool] | None = None) -> int:
        """Take what was read at rest (None: the dice could not be seen); the number of the last throw.

        `changed` says whether something as large as a die has come where that die lies since the tray was
        last read at rest: a die that was thrown shows so, and a guess of the reader does not.
        """
        if dice is None or not dice.dice:
            return self._throw
        if dice.sure and self._last.sure:
            if _lie_among(dice.dice, self._last.dice):
                return self._throw
            same = _shifted(dice.dice, self._last.dice)
        else:
            kept = sum(_lies_there(die, other) for die in dice.dice for other in self._last.dice)
            same = 2 * kept > min(len(dice.dice), len(self._last.dice)) and not self._some_thrown(
                dice, changed
            )
            # Of unsure readings the fullest is kept: what is taken up in between has gone from that one.
            fewer = not dice.sure and len(dice.dice) < len(self._last.dice)
            if same and (self._last.sure or fewer):
                return self._throw
        self._throw += not same
        self._last = dice
        return self._throw

    def _some_thrown(self, dice: Dice, changed: Callable[[Die], bool] | None) -> bool:
        """Whether among dice that lie as they lay there are some that have come."""
        last = self._last
        come = [
            die
            for die in _left_over(dice.dice, last.dice)
            if die.confidence >= _LIKELY and (changed is None or changed(die))
        ]
        # Where no picture tells, a reading may have missed what lay there: another one must have gone.
        gone = any(die.confidence >= _LIKELY for die in _left_over(last.dice, dice.dice))
        return bool(come) and (gone or changed is not None)

    def shifted(self, dice: Dice) -> Point | None:
        """How far (x, y in pixels) `dice` lie from those of the last throw, all by the same step and, where
        both were read surely, with the values that they had; None where they do not.
        """
        if not dice.dice or len(dice.dice) != len(self._last.dice):
            return None
        shift = _step(dice.dice, self._last.dice)
        for die in dice.dice:
            there = [other for other in self._last.dice if _away(die, other, shift) <= _SAME_STEP]
            if not there or (dice.sure and self._last.sure and there[0].value != die.value):
                return None
        return float(shift[0]), float(shift[1])

    def add(self, dice: Dice) -> None:
        """Count a throw of which `dice` are what could be read."""
        self._throw += 1
        self._last = dice

    def follow(self, dice: Dice) -> None:
        """Take `dice` for those of the last throw, seen by a camera that was bumped."""
        self._last = dice


def _middle(die: Die) -> Floats:
    middle: Floats = np.mean(die.corners, axis=0)
    return middle


def _lies_there(die: Die, other: Die) -> bool:
    """Whether `die` lies where `other` lay."""
    return _away(die, other) <= _SAME_PLACE


def _away(die: Die, other: Die, shift: Floats | float = 0.0) -> float:
    """How far `die` lies from where `other` would lie, moved by `shift` pixels: in sides of `other`."""
    side = np.sqrt(cv2.contourArea(np.array(other.corners, np.float32)))
    away = float(np.hypot(*(_middle(die) - shift - _middle(other))))
    return away / float(side)


def _left_over(dice: Sequence[Die], others: Sequence[Die]) -> list[Die]:
    """Those of the dice that lie where none of the others does."""
    return [die for die in dice if not any(_lies_there(die, other) for other in others)]


def _lie_among(now: Sequence[Die], before: Sequence[Die]) -> bool:
    """Whether each die of `now` is one of `before`, in its place and with its value."""
    return all(any(die.value == other.value and _lies_there(die, other) for other in before) for die in now)


def _shifted(now: Sequence[Die], before: Sequence[Die]) -> bool:
    """Whether `now` is `before` seen by a camera that was bumped."""
    if len(now) != len(before) or len(now) < 2:
        return False
    shift = _step(now, before)
    side = min(np.sqrt(cv2.contourArea(np.array(die.corners, np.float32))) for die in before)
    # One of two that was thrown again, not far, has moved alone: half as far from their middle as it seems.
    return bool(np.hypot(*shift) < _BUMP * side) and all(
        any(die.value == other.value and _away(die, other, shift) <= _SAME_STEP for other in before)
        for die in now
    )


def _step(now: Sequence[Die], before: Sequence[Die]) -> Floats:
    """From the middle of all dice before to that of those now, in pixels."""
    step: Floats = np.mean([_middle(die) for die in now], axis=0) - np.mean(
        [_middle(die) for die in before], axis=0
    )
    return step


class Roll(msgspec.Struct, frozen=True):
    """Dice that have come to rest: `throw` counts from 1, and the same again means the dice of that
    throw, read better or otherwise; `time` is that of the last frame read.
    """

    time: float
    throw: int
    dice: Dice


class Settling:
    """Frames in, rolls out: nothing while anything moves, then one Roll for each throw.

    `read` reads the dice of a frame at rest; it is asked until AGREE answers in a row say the same.
    """

    def __init__(self, read: Callable[[Image], Dice], *, rest: float = REST) -> None:
        self._read = read
        self._gate = MotionGate(rest)
        self._rolls = RollTracker()
        self._readings: list[Dice] = []
        self._done = False
        self._told: tuple[int, bool] = (0, True)

    def feed(self, time: float, frame: Image) -> Roll | None:
        """The roll that this frame settles, if it does; frames come in the order of their times.

        A roll that was unsure comes once more, with the same `throw`, when it can be read surely.
        """
        if not self._gate.still(time, frame):
            self._readings, self._done = [], False
            return None
        if self._done:
            return None
        self._readings.append(self._read(frame))
        agreed = len(self._readings) >= AGREE and _agree(self._readings[-AGREE:])
        if not agreed and len(self._readings) < _TRIES:
            return None
        self._done = True
        last = self._readings[-1]
        dice = last if agreed else Dice(last.dice, False)
        throw = self._rolls.see(time, dice)
        told, sure = self._told
        if not dice.dice or (throw == told and (sure or not dice.sure)):
            return None
        self._told = (throw, dice.sure)
        return Roll(time, throw, dice)


def _agree(readings: Sequence[Dice]) -> bool:
    first = readings[0]
    return all(
        len(other.dice) == len(first.dice) and other.sure == first.sure and _lie_among(other.dice, first.dice)
        for other in readings[1:]
    )
