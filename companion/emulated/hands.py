"""Hands over the table, and what they do in time: carry pieces, throw dice, reach over it all.

Each is a plan with its start; given a time it says where the arm is and where what it holds is.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import hypot

from msgspec.structs import replace

from companion.emulated.poses import Arm, DiePose, Key, PiecePose
from companion.games.layout import Point

REACH = 0.35
"""Seconds that an arm takes from the table's edge to a thing on it, and back."""

CARRY = 0.4
"""Seconds that a piece is carried from one place on the table to another."""

TUMBLE = 0.6
"""Seconds that dice roll about."""

_SETTLE = 0.1  # seconds in which a hand lays down what it brings, or takes up what it takes away
_HELD = 35.0  # height in mm at which a piece is carried
_NEAR = 4.0  # mm that the fingertips are before the middle of what they hold: half of it shows,
_GRIP = 12.0  # or all but so many mm of its edge


@dataclass
class Throw:
    """All dice are taken up and thrown; `dice` is how they will lie."""

    start: float
    dice: tuple[DiePose, ...]
    hand: Arm
    seed: int

    @property
    def end(self) -> float:
        """When they lie still."""
        return self.start + 2 * REACH + TUMBLE

    def at(self, now: float, before: tuple[DiePose, ...]) -> tuple[tuple[DiePose, ...], tuple[Arm, ...]]:
        """The dice and the arm at that time; `before` are the dice that lay there."""
        age = now - self.start
        if age < 0:
            return before, ()
        if age < REACH:
            return before, (_moved(self.hand, age / REACH),)
        if age < 2 * REACH:
            return (), (_moved(self.hand, 2 - age / REACH),)
        part = _smooth(min((age - 2 * REACH) / TUMBLE, 1.0))
        step = int(age * 30)
        rolling = []
        for index, die in enumerate(self.dice):
            chance = random.Random(f"{self.seed}:{index}:{step}")
            wobble = (1 - part) * 12
            x, y = _between(self.hand.tip, die.at, part)
            at = (x + chance.uniform(-wobble, wobble), y + chance.uniform(-wobble, wobble))
            value, turn = chance.choice(self.dice).value, chance.uniform(0, 360)
            rolling.append(DiePose(value, at, turn, die.look, flying=True))
        return tuple(rolling), ()


@dataclass
class Carry:
    """A hand brings pieces to where they will lie (`targets`, lowest first), or takes them away (none).

    What does not lie on the table when it begins comes with the hand. `side` is the largest one's
    (mm); `along` says that they go from one place on the table to another.
    """

    start: float
    taken: tuple[Key, ...]
    targets: tuple[PiecePose, ...]
    shoulder: Point
    side: float
    along: bool

    @property
    def end(self) -> float:
        """When the hand is gone."""
        return self.start + 2 * REACH + self._holding

    @property
    def _holding(self) -> float:
        return CARRY if self.along else _SETTLE

    def at(self, now: float, lying: dict[Key, PiecePose]) -> tuple[tuple[PiecePose, ...], Arm]:
        """The pieces that it is about and the arm at that time, given those on the table before it."""
        age = now - self.start
        before = tuple(lying[key] for key in self.taken if key in lying)
        first, last = before or self.targets, self.targets or before
        if age < REACH:
            arm = _moved(self._arm(first[-1].at), age / REACH)
            # On its way with empty fingers, or with what it brings.
            return (before or self._held(first, arm)), arm
        if age < REACH + self._holding:
            part = _smooth((age - REACH) / self._holding)
            arm = self._arm(_between(first[-1].at, last[-1].at, part))
            turned = tuple(
                replace(end, turn=begin.turn + _swing(begin.turn, end.turn) * part)
                for begin, end in zip(first, last, strict=True)
            )
            return self._held(turned, arm), arm
        arm = _moved(self._arm(last[-1].at), 1 - (age - REACH - self._holding) / REACH)
        return (self.targets or self._held(last, arm)), arm

    def _arm(self, at: Point) -> Arm:
        """An arm whose fingers hold what lies there."""
        x, y = self._near(at)
        return Arm((at[0] + x, at[1] + y), self.shoulder)

    def _held(self, pieces: tuple[PiecePose, ...], arm: Arm) -> tuple[PiecePose, ...]:
        """Those pieces in that hand."""
        x, y = self._near(arm.tip)
        at = (arm.tip[0] - x, arm.tip[1] - y)
        return tuple(replace(piece, at=at, lift=_HELD) for piece in pieces)

    def _near(self, at: Point) -> Point:
        """From the middle of what is held there to the fingers that hold it (mm)."""
        back = (self.shoulder[0] - at[0], self.shoulder[1] - at[1])
        part = max(_NEAR, self.side / 2 - _GRIP) / max(hypot(*back), 1.0)
        return (back[0] * part, back[1] * part)


@dataclass
class Reach:
    """An arm is held over the table for a while."""

    start: float
    rest: float
    hand: Arm

    @property
    def end(self) -> float:
        """When it is gone."""
        return self.start + self.rest + 2 * REACH

    def at(self, now: float) -> Arm:
        """The arm at that time."""
        age = now - self.start
        if age < REACH:
            return _moved(self.hand, age / REACH)
        return _moved(self.hand, 1.0 if age < REACH + self.rest else 1 - (age - REACH - self.rest) / REACH)


def _swing(start: float, end: float) -> float:
    """The shorter way from one turn to another."""
    return (end - start + 180) % 360 - 180


def _between(start: Point, end: Point, part: float) -> Point:
    return (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)


def _smooth(part: float) -> float:
    return part * part * (3 - 2 * part)


def _moved(arm: Arm, part: float) -> Arm:
    """The arm on its way: 0 out of the picture, 1 there."""
    return Arm(_between(arm.shoulder, arm.tip, _smooth(min(max(part, 0.0), 1.0))), arm.shoulder)
