"""Where things come to lie when people put them down, and dice when they are thrown.

Never quite where they belong: a card is laid a little askew, a pawn stands anywhere in its space.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, hypot, radians, sin
from random import Random

import cv2
import numpy as np

from companion.emulated.poses import DIE_SIDE, DiePose
from companion.games.layout import Face, Piece, Place, Point, TableMap

Spot = tuple[Point, float]
"""A middle (mm) and a turn (degrees clockwise)."""

Block = tuple[Point, tuple[float, float], float]
"""What a piece takes up: its middle, its size across and down (mm), its turn (degrees clockwise)."""

_CENTRED = 0.35  # how far from its place's middle a piece is put, as a part of the room there is
_ASIDE = 1.2  # mm beside its place's middle at which a piece is laid: standard deviation each way
_ASKEW = 1.3  # degrees: the same of a card's turn
_HEADING = 2.5  # degrees: the same of a small piece that is set along something
_STACKED = 4.0  # degrees: the same of a card on a pile
_CARELESS = 0.06  # how often a thing is laid with no care at all,
_MORE = 2.5  # which errs so many times as far
_SMALL = 40.0  # mm: in a smaller place a piece is set, not laid
_TOUCHING = 0.2  # how often a die comes to lie against another one
_RIM = 0.15  # how often a die comes to lie near the tray's rim


def bounds(place: Place) -> tuple[Point, Point]:
    """The upper left and lower right corner of the place's box (mm)."""
    xs, ys = zip(*place.outline, strict=True)
    return (min(xs), min(ys)), (max(xs), max(ys))


def middle(place: Place) -> Point:
    """The middle of the place's corners (mm)."""
    x, y = np.mean(place.outline, axis=0)
    return (float(x), float(y))


def place_of(map: TableMap, at: Point) -> str:
    """The name of the first place in which that spot (mm) lies, "" outside all places."""
    for place in map.places:
        if inside(place, at):
            return place.name
    return ""


def inside(place: Place, at: Point) -> bool:
    """Whether that spot (mm) lies in the place."""
    outline = np.array(place.outline, np.float32)
    return cv2.pointPolygonTest(outline, (float(at[0]), float(at[1])), False) >= 0


def roomy(place: Place, side: float) -> bool:
    """Whether pieces of that side (mm) stand beside each other there, and not on one another."""
    if place.turns:
        return False
    low, high = bounds(place)
    return max(high[0] - low[0], high[1] - low[1]) > 1.5 * side


def laid(piece: Piece, place: Place, chance: Random) -> Spot:
    """Where a card comes to lie in its place, or a piece along something there."""
    x, y = middle(place)
    far = _MORE if chance.random() < _CARELESS else 1.0
    at = (x + chance.gauss(0, _ASIDE * far), y + chance.gauss(0, _ASIDE * far))
    if not place.turns:
        return at, 90 * chance.randrange(4) + chance.gauss(0, _STACKED * far)
    low, high = bounds(place)
    askew = _ASKEW if min(high[0] - low[0], high[1] - low[1]) > _SMALL else _HEADING
    return at, piece.turn + chance.gauss(0, askew * far)


def takes(block: Block, there: Iterable[Block]) -> bool:
    """Whether one of those pieces is in this one's way."""
    return any(_overlap(block, other) for other in there)


def spread(blocks: Sequence[Block]) -> list[Block]:
    """The same pieces moved apart from their common middle until none is in another one's way."""
    middles = np.array([block[0] for block in blocks])
    centre, wider = middles.mean(axis=0), 1.0
    while True:
        moved = centre + (middles - centre) * wider
        apart = [((float(x), float(y)), *block[1:]) for (x, y), block in zip(moved, blocks, strict=True)]
        if not any(takes(block, apart[:at]) for at, block in enumerate(apart)):
            return apart
        wider += 0.02


def in_row(place: Place, wide: float, count: int, there: Sequence[float], chance: Random) -> list[Spot]:
    """Where so many cards of that width come to lie, from left to right, each a bit over the last if need be.

    `there` are the middles across of cards that lie in the row already. Those are covered where it has
    no room beside them.
    """
    low, high = bounds(place)
    first, last = low[0] + wide / 2 + _ASIDE, high[0] - wide / 2 - _ASIDE
    step = wide + 2 * _ASIDE
    if there and max(there) + count * step <= last:
        first = max(there) + step
    step = min(step, (last - first) / max(count - 1, 1))
    y = (low[1] + high[1]) / 2
    return [
        (
            (first + step * at + chance.gauss(0, _ASIDE / 2), y + chance.gauss(0, _ASIDE)),
            chance.gauss(0, _ASKEW),
        )
        for at in range(count)
    ]


def beside(place: Place, size: tuple[float, float], there: Sequence[Block], chance: Random) -> Spot | None:
    """A spot for a piece of that size that none of `there` takes, or None when the place is crowded."""
    low, high = np.array(bounds(place))
    x, y = (low + high) / 2
    room = np.maximum(high - low - max(size), 0) / 2
    for attempt in range(200):
        part = room * (_CENTRED if attempt < 20 else 1.0)
        at = (float(x + chance.uniform(-1, 1) * part[0]), float(y + chance.uniform(-1, 1) * part[1]))
        turn = 90 * chance.randrange(4) + chance.gauss(0, 8)
        if not takes((at, size, turn), there):
            return at, turn
    return None


def slots(place: Place, side: float) -> list[Point]:
    """How squares of that side stand in a place that is crowded: in rows and columns, side by side."""
    low, high = np.array(bounds(place))
    x, y = (low + high) / 2
    across = max(int((high[0] - low[0] + 1) // side), 1)
    down = max(int((high[1] - low[1] + 1) // side), 1)
    return [
        (
            float(x + (column - (across - 1) / 2) * (side + 0.5)),
            float(y + (row - (down - 1) / 2) * (side + 0.5)),
        )
        for row in range(down)
        for column in range(across)
    ]


def landed(tray: Place, values: Sequence[Face], look: int, chance: Random) -> tuple[DiePose, ...]:
    """Dice thrown into the tray; ValueError when it has no room for them."""
    low, high = np.array(bounds(tray))
    dice: list[DiePose] = []
    for value in values:
        for _ in range(500):
            turn = chance.uniform(0, 360)
            free = DIE_SIDE * (0.75 if chance.random() < _RIM else 1.4)
            at = (
                chance.uniform(low[0] + free, high[0] - free),
                chance.uniform(low[1] + free, high[1] - free),
            )
            if dice and chance.random() < _TOUCHING:
                other = chance.choice(dice)
                turn = other.turn + 90 * chance.randrange(4)
                way = radians(turn)
                far = DIE_SIDE * 1.03
                at = (other.at[0] + far * cos(way), other.at[1] + far * sin(way))
            die = DiePose(value, at, turn % 360, look)
            within = (np.array(at) > low + DIE_SIDE * 0.72).all() and (
                np.array(at) < high - DIE_SIDE * 0.72
            ).all()
            block = (die.at, (DIE_SIDE, DIE_SIDE), die.turn)
            others = ((other.at, (DIE_SIDE, DIE_SIDE), other.turn) for other in dice)
            if within and not takes(block, others):
                dice.append(die)
                break
        else:
            raise ValueError(f"The tray has no room for {len(values)} dice.")
    return tuple(dice)


def _overlap(one: Block, other: Block) -> bool:
    if hypot(one[0][0] - other[0][0], one[0][1] - other[0][1]) > 0.75 * (max(one[1]) + max(other[1])):
        return False
    kind, _ = cv2.rotatedRectangleIntersection(one, other)
    return bool(kind != cv2.INTERSECT_NONE)
