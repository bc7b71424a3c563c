"""The emulated table's physical truth: what lies where, and how hands move it about in time.

Nothing here knows the rules. What people do begins at once and takes its time; `moment` says what
can be seen at any later time.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import cos, hypot, radians, sin

import cv2
import numpy as np
from msgspec.structs import replace

from companion.emulated.clock import Clock, MonotonicClock
from companion.emulated.poses import CAP_RIM, DIE_SIDE, Arm, DiePose, Moment, PawnPose
from companion.games.layout import Layout, Place, Point, TableMap

REACH = 0.35
"""Seconds that an arm takes from the table's edge to a thing on it, and back."""

CARRY = 0.4
"""Seconds that a pawn is carried."""

TUMBLE = 0.6
"""Seconds that dice roll about."""

_CENTRED = 0.35  # how far from its place's middle a pawn is put, as a part of the room there is
_TOUCHING = 0.2  # how often a die comes to lie against another one
_RIM = 0.15  # how often a die comes to lie near the tray's rim
_HELD = 35.0  # height in mm at which a pawn is carried


@dataclass
class _Throw:
    start: float
    dice: tuple[DiePose, ...]
    hand: Arm
    seed: int


@dataclass
class _Carry:
    start: float
    name: str
    target: PawnPose
    shoulder: Point


@dataclass
class _Reach:
    start: float
    rest: float
    hand: Arm


@dataclass
class World:
    """One table: sheet, pawns, dice and arms. Any thread may use it.

    `thrown` counts the throws. Before `set_out` the table is bare.
    """

    seed: int
    clock: Clock = field(default_factory=MonotonicClock)
    map: TableMap | None = None
    thrown: int = 0
    _pawns: dict[str, PawnPose] = field(default_factory=dict)
    _dice: tuple[DiePose, ...] = ()
    _throw: _Throw | None = None
    _carries: list[_Carry] = field(default_factory=list)
    _reaches: list[_Reach] = field(default_factory=list)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        self._chance = random.Random(f"{self.seed}:hands")
        self._look = self._chance.randrange(3)

    # -- what people do -----------------------------------------------------------------------

    def set_out(self, map: TableMap, layout: Layout) -> None:
        """Lay out the sheet, put each pawn on its place, and lay into the tray what was thrown last."""
        with self._lock:
            self.map = map
            self._dice, self._throw = self._land(tuple(int(face) for face in layout.dice)), None
            self._carries, self._reaches, self._pawns = [], [], {}
            for piece in layout.pieces:
                self._pawns[piece.name] = self._spot(piece.name, self._place(piece.place))

    def throw(self, values: Iterable[int]) -> float:
        """Take up all dice and throw so many, which will show these faces; when they lie still (seconds)."""
        with self._lock:
            self._pass(self.clock.now())
            start = max(self.clock.now(), self._throw_ends())
            self._pass(start)
            self.thrown += 1
            dice = self._land(tuple(values))
            tray = self._tray()
            hand = Arm(self._within(tray, 60.0), self._shoulder(tray))
            self._throw = _Throw(start, dice, hand, self._chance.randrange(1 << 30))
            return self._throw_ends()

    def carry(self, name: str, place: str) -> float:
        """Carry a pawn to a place, as exactly as people do; when the hand is gone (seconds)."""
        with self._lock:
            self._known(name)
            target = self._spot(name, self._place(place))
            return self._take(name, target)

    def put(self, name: str, at: Point) -> float:
        """Carry a pawn to that very spot (mm); when the hand is gone (seconds)."""
        with self._lock:
            self._known(name)
            return self._take(name, PawnPose(name, at, self._chance.uniform(-25, 25)))

    def reach(self, at: Point, rest: float) -> float:
        """Hold an arm over that spot (mm) for so many seconds; when it is gone (seconds)."""
        with self._lock:
            start = self.clock.now()
            self._reaches.append(_Reach(start, rest, Arm(at, self._shoulder(at))))
            return start + rest + 2 * REACH

    # -- what there is ------------------------------------------------------------------------

    @property
    def values(self) -> tuple[int, ...]:
        """The upper faces of the dice in the tray, once they lie still."""
        with self._lock:
            dice = self._throw.dice if self._throw else self._dice
            return tuple(die.value for die in dice)

    @property
    def spots(self) -> dict[str, Point]:
        """Where each pawn stands, or will once it is put down (mm)."""
        with self._lock:
            spots = {name: pose.at for name, pose in self._pawns.items()}
            return spots | {carry.name: carry.target.at for carry in self._carries}

    @property
    def places(self) -> dict[str, str]:
        """The place in which each pawn stands, or will once it is put down; "" for none."""
        if self.map is None:
            return {}
        return {name: place_of(self.map, at) for name, at in self.spots.items()}

    @property
    def rests(self) -> float:
        """When everything will have come to rest (seconds)."""
        with self._lock:
            ends = [self._throw_ends(), *(carry.start + 2 * REACH + CARRY for carry in self._carries)]
            return max([*ends, *(reach.start + reach.rest + 2 * REACH for reach in self._reaches)])

    def moment(self, now: float) -> Moment:
        """What is where at that time, which must not go back."""
        with self._lock:
            self._pass(now)
            pawns = dict(self._pawns)
            arms = []
            for carry in self._carries:
                if now < carry.start:
                    continue
                pose, arm = self._carried(carry, now - carry.start)
                pawns[carry.name] = pose
                arms.append(arm)
            dice = self._dice
            if self._throw is not None and now >= self._throw.start:
                dice, hand = self._tumbling(self._throw, now - self._throw.start)
                arms += hand
            for reach in self._reaches:
                arms.append(_moved(reach.hand, _nearness(now - reach.start, reach.rest)))
            return Moment(tuple(pawns.values()), dice, tuple(arms))

    # -- how it goes on -----------------------------------------------------------------------

    def _pass(self, now: float) -> None:
        """What has come to its end by then is the state of things."""
        if self._throw is not None and now >= self._throw_ends():
            self._dice, self._throw = self._throw.dice, None
        for carry in [carry for carry in self._carries if now >= carry.start + 2 * REACH + CARRY]:
            self._pawns[carry.name] = carry.target
            self._carries.remove(carry)
        self._reaches = [reach for reach in self._reaches if now < reach.start + reach.rest + 2 * REACH]

    def _throw_ends(self) -> float:
        return self._throw.start + 2 * REACH + TUMBLE if self._throw else self.clock.now()

    def _take(self, name: str, target: PawnPose) -> float:
        now = self.clock.now()
        self._pass(now)
        # One hand after the other: two that carry at once would meet.
        start = max([now, *(carry.start + 2 * REACH + CARRY for carry in self._carries)])
        self._carries.append(_Carry(start, name, target, self._shoulder(target.at)))
        return start + 2 * REACH + CARRY

    def _carried(self, carry: _Carry, age: float) -> tuple[PawnPose, Arm]:
        pose = self._pawns[carry.name]
        if age < REACH:
            return pose, _moved(Arm(_grip(pose.at), carry.shoulder), age / REACH)
        if age < REACH + CARRY:
            part = _smooth((age - REACH) / CARRY)
            at = _between(pose.at, carry.target.at, part)
            turn = pose.turn + (carry.target.turn - pose.turn) * part
            return PawnPose(carry.name, at, turn, _HELD), Arm(_grip(at), carry.shoulder)
        left = (age - REACH - CARRY) / REACH
        return carry.target, _moved(Arm(_grip(carry.target.at), carry.shoulder), 1 - left)

    def _tumbling(self, throw: _Throw, age: float) -> tuple[tuple[DiePose, ...], list[Arm]]:
        if age < REACH:
            return self._dice, [_moved(throw.hand, age / REACH)]
        if age < 2 * REACH:
            return (), [_moved(throw.hand, 2 - age / REACH)]
        part = _smooth(min((age - 2 * REACH) / TUMBLE, 1.0))
        step = int(age * 30)
        rolling = []
        for index, die in enumerate(throw.dice):
            chance = random.Random(f"{throw.seed}:{index}:{step}")
            wobble = (1 - part) * 12
            at = _between(throw.hand.tip, die.at, part)
            rolling.append(
                DiePose(
                    chance.randint(1, 6),
                    (at[0] + chance.uniform(-wobble, wobble), at[1] + chance.uniform(-wobble, wobble)),
                    chance.uniform(0, 360),
                    die.look,
                    flying=True,
                )
            )
        return tuple(rolling), []

    def _known(self, name: str) -> None:
        if name not in self._pawns:
            raise ValueError(f"There is no pawn '{name}' here. Pawns: {', '.join(sorted(self._pawns))}.")

    # -- where things come to lie -------------------------------------------------------------

    def _place(self, name: str) -> Place:
        for place in self._sheet().places:
            if place.name == name:
                return place
        raise ValueError(f"This table has no place '{name}'.")

    def _sheet(self) -> TableMap:
        if self.map is None:
            raise ValueError("The table is bare: set a game out first.")
        return self.map

    def _tray(self) -> Point:
        x, y = np.mean(self._sheet().tray.outline, axis=0)
        return (float(x), float(y))

    def _within(self, middle: Point, radius: float) -> Point:
        way, far = self._chance.uniform(0, 360), self._chance.uniform(0, radius)
        return (middle[0] + far * cos(radians(way)), middle[1] + far * sin(radians(way)))

    def _shoulder(self, at: Point) -> Point:
        """Somebody sits there: at the near edge, or at the side that is nearer."""
        sheet = self._sheet()
        side = -250.0 if at[0] < sheet.width / 2 else sheet.width + 250.0
        if self._chance.random() < 0.4:
            return (side, at[1] + self._chance.uniform(0, 200))
        return (at[0] + self._chance.uniform(-180, 180), sheet.height + 350.0)

    def _land(self, values: tuple[int, ...]) -> tuple[DiePose, ...]:
        outline = np.array(self._sheet().tray.outline)
        low, high = outline.min(axis=0), outline.max(axis=0)
        dice: list[DiePose] = []
        for value in values:
            for _ in range(500):
                turn = self._chance.uniform(0, 360)
                free = DIE_SIDE * (0.75 if self._chance.random() < _RIM else 1.4)
                at = (
                    self._chance.uniform(low[0] + free, high[0] - free),
                    self._chance.uniform(low[1] + free, high[1] - free),
                )
                if dice and self._chance.random() < _TOUCHING:
                    beside = self._chance.choice(dice)
                    turn = beside.turn + 90 * self._chance.randrange(4)
                    way = radians(turn)
                    far = DIE_SIDE * 1.03
                    at = (beside.at[0] + far * cos(way), beside.at[1] + far * sin(way))
                die = DiePose(value, at, turn % 360, self._look)
                inside = (np.array(at) > low + DIE_SIDE * 0.72).all() and (
                    np.array(at) < high - DIE_SIDE * 0.72
                ).all()
                if inside and not any(
                    _overlap((die.at, die.turn), (other.at, other.turn), DIE_SIDE) for other in dice
                ):
                    dice.append(die)
                    break
            else:
                raise ValueError(f"The tray has no room for {len(values)} dice.")
        return tuple(dice)

    def _spot(self, name: str, place: Place) -> PawnPose:
        """A spot in that place that no other pawn takes; the others are moved up where it is crowded."""
        sheet = self._sheet()
        side = next(token.side for token in sheet.tokens if token.name == name) + 2 * CAP_RIM
        low, high = np.min(place.outline, axis=0), np.max(place.outline, axis=0)
        middle = (low + high) / 2
        room = np.maximum(high - low - side, 0) / 2
        there = [
            pose for pose in self._standing() if pose.name != name and place_of(sheet, pose.at) == place.name
        ]
        for attempt in range(200):
            part = room * (_CENTRED if attempt < 20 else 1.0)
            at = (
                float(middle[0] + self._chance.uniform(-1, 1) * part[0]),
                float(middle[1] + self._chance.uniform(-1, 1) * part[1]),
            )
            turn = self._chance.gauss(0, 8)
            if not any(_overlap((at, turn), (pose.at, pose.turn), side) for pose in there):
                return PawnPose(name, at, turn)
        across = max(int((high[0] - low[0] + 1) // side), 1)
        down = max(int((high[1] - low[1] + 1) // side), 1)
        slots = [
            (
                float(middle[0] + (column - (across - 1) / 2) * (side + 0.5)),
                float(middle[1] + (row - (down - 1) / 2) * (side + 0.5)),
            )
            for row in range(down)
            for column in range(across)
        ]
        for pose, slot in zip(there, slots, strict=False):
            moved = replace(pose, at=slot, turn=self._chance.gauss(0, 0.5))
            coming = [carry for carry in self._carries if carry.name == pose.name]
            if coming:
                coming[-1].target = moved
            else:
                self._pawns[pose.name] = moved
        # Where there is no slot left, the pawn is put on top of another one.
        at = slots[len(there)] if len(there) < len(slots) else self._chance.choice(slots)
        return PawnPose(name, at, self._chance.gauss(0, 0.5))

    def _standing(self) -> list[PawnPose]:
        poses = self._pawns | {carry.name: carry.target for carry in self._carries}
        return list(poses.values())


def place_of(map: TableMap, at: Point) -> str:
    """The name of the place in which that spot (mm) lies, "" outside all places."""
    for place in map.places:
        outline = np.array(place.outline, np.float32)
        if cv2.pointPolygonTest(outline, (float(at[0]), float(at[1])), False) >= 0:
            return place.name
    return ""


def _overlap(one: tuple[Point, float], other: tuple[Point, float], side: float) -> bool:
    if hypot(one[0][0] - other[0][0], one[0][1] - other[0][1]) > side * 1.5:
        return False
    first, second = ((at, (side, side), turn) for at, turn in (one, other))
    kind, _ = cv2.rotatedRectangleIntersection(first, second)
    return bool(kind != cv2.INTERSECT_NONE)


def _grip(at: Point) -> Point:
    """Where the fingertips are when they hold a thing there: its near half shows from above."""
    return (at[0], at[1] + 4)


def _between(start: Point, end: Point, part: float) -> Point:
    return (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)


def _smooth(part: float) -> float:
    return part * part * (3 - 2 * part)


def _moved(arm: Arm, part: float) -> Arm:
    """The arm on its way: 0 out of the picture, 1 there."""
    return Arm(_between(arm.shoulder, arm.tip, _smooth(min(max(part, 0.0), 1.0))), arm.shoulder)


def _nearness(age: float, rest: float) -> float:
    if age < REACH:
        return age / REACH
    return 1.0 if age < REACH + rest else 1 - (age - REACH - rest) / REACH
