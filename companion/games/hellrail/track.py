"""Track as data: segments on cards, ties on segments, and where on them an engine stands.

One model of position for rules, pictures and camera. A card is a square whose sides are named N
(away from the viewer), E, S and W. Rail leaves it at the middle of a side. A segment joins two
sides and has so many black ties; segments that touch the same side fork there.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import cos, degrees, pi, sin

from msgspec import Struct

SIDES = "NESW"
"""The sides of a card, clockwise from the one away from the viewer."""

TURNS = (0, 90, 180, 270)
"""How a card may be turned, in degrees clockwise."""

Cell = tuple[int, int]
"""A square of the table: column (to the right) and row (towards the viewer)."""

Spot = tuple[str, int, str]
"""Where on a card: segment, tie counted from the segment's first side, and the side that lies ahead."""

_STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
_MIDDLES = {"N": (0.5, 0.0), "E": (1.0, 0.5), "S": (0.5, 1.0), "W": (0.0, 0.5)}


class Position(Struct, frozen=True, order=True, gc=False, forbid_unknown_fields=True):
    """Where an engine stands and which way it faces.

    On rail: the `segment` as it lies on the table ("NE"), the `tie` counted from its first-named
    side (1 is the tie at that side), and `facing`, the segment's side that lies ahead. In a Circle
    the three are empty: there is no facing. A tie that several segments share is named by the
    first of them.
    """

    cell: Cell
    segment: str = ""
    tie: int = 0
    facing: str = ""

    @property
    def spot(self) -> Spot:
        """The place on the card."""
        return (self.segment, self.tie, self.facing)

    @property
    def in_circle(self) -> bool:
        """Whether this is a Circle and no rail."""
        return not self.segment


class Track(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, cache_hash=True):
    """The rail printed on a card: segments as sides and ties ("NS4", "NE3"), sorted as SIDES are.

    `shared` are the first ties from each side (N, E, S, W) that all segments touching it share.
    """

    segments: tuple[str, ...]
    shared: tuple[int, int, int, int] = (0, 0, 0, 0)


class Face(Struct, frozen=True):
    """A card's track as it lies on the table, turned; `ahead` is where each spot leads.

    `entries` are the spots at which rail enters from each side. From a spot one comes to further
    spots (several at a fork), or leaves the card by a side.
    """

    segments: dict[str, int]
    entries: dict[str, tuple[Spot, ...]]
    ahead: dict[Spot, tuple[Spot | str, ...]]


def opposite(side: str) -> str:
    """The side across: N for S."""
    return SIDES[(SIDES.index(side) + 2) % 4]


def beside(cell: Cell, side: str) -> Cell:
    """The cell that shares that side."""
    step = _STEPS[side]
    return (cell[0] + step[0], cell[1] + step[1])


def neighbours(cell: Cell) -> Iterator[Cell]:
    """The four cells that share a whole side."""
    for side in SIDES:
        yield beside(cell, side)


@lru_cache(maxsize=1024)
def face(track: Track, turn: int) -> Face:
    """The track of a card that lies turned by so many degrees clockwise."""
    quarter = turn // 90
    segments: dict[str, int] = {}
    for text in track.segments:
        one, other = (SIDES[(SIDES.index(side) + quarter) % 4] for side in text[:2])
        segments["".join(sorted((one, other), key=SIDES.index))] = int(text[2:])
    segments = dict(sorted(segments.items(), key=lambda item: tuple(map(SIDES.index, item[0]))))
    shared = {SIDES[(at + quarter) % 4]: count for at, count in enumerate(track.shared)}
    touching = {side: [name for name in segments if side in name] for side in SIDES}

    def spot(name: str, tie: int, facing: str) -> Spot:
        """The spot by its first name: a shared tie belongs to the first segment that has it."""
        for side in name:
            count = tie if side == name[0] else segments[name] + 1 - tie
            if count <= shared[side]:
                first = touching[side][0]
                ahead = side if facing == side else _other(first, side)
                return (first, count if side == first[0] else segments[first] + 1 - count, ahead)
        return (name, tie, facing)

    def one_on(name: str, tie: int, facing: str) -> Spot | str:
        following = tie + 1 if facing == name[1] else tie - 1
        return spot(name, following, facing) if 1 <= following <= segments[name] else facing

    ahead: dict[Spot, dict[Spot | str, None]] = {}
    entries: dict[str, dict[Spot, None]] = {side: {} for side in SIDES}
    for name, ties in segments.items():
        for facing in name:
            for tie in range(1, ties + 1):
                ahead.setdefault(spot(name, tie, facing), {})[one_on(name, tie, facing)] = None
            entries[_other(name, facing)][spot(name, 1 if facing == name[1] else ties, facing)] = None
    return Face(
        segments,
        {side: tuple(spots) for side, spots in entries.items()},
        {at: tuple(following) for at, following in ahead.items()},
    )


@lru_cache(maxsize=1024)
def repeats(track: Track) -> int:
    """After how many degrees a card with this track lies as before: 360, 180 or 90.

    What else is printed on it counts for nothing. Of a card without rail nothing is known.
    """
    lies = face(track, 0)
    turned = (turn for turn in TURNS[1:] if track.segments and face(track, turn) == lies)
    return next(turned, 360)


def covers(new: Face, old: Face) -> bool:
    """Whether every segment of the old face is there on the new one, where it lay."""
    return old.segments.keys() <= new.segments.keys()


def reversed_spot(spot: Spot) -> Spot:
    """The same tie, faced the other way."""
    segment, tie, facing = spot
    return (segment, tie, _other(segment, facing))


def point(segment: str, ties: int, tie: int, facing: str) -> tuple[float, float, float]:
    """Where a tie lies on its card, and its heading: x and y in card sides from the upper left
    corner, degrees clockwise from straight away from the viewer.
    """
    x, y, heading = along(segment, (tie - 0.5) / ties)
    return x, y, heading if facing == segment[1] else (heading + 180) % 360


def along(segment: str, part: float) -> tuple[float, float, float]:
    """The point of a segment at that part (0 to 1) of its length from its first side, and the heading."""
    start, end = _MIDDLES[segment[0]], _MIDDLES[segment[1]]
    if segment[1] == opposite(segment[0]):
        x = start[0] + (end[0] - start[0]) * part
        y = start[1] + (end[1] - start[1]) * part
        return x, y, 90.0 * SIDES.index(segment[1])
    # A quarter circle around the corner that both sides share.
    corner = (start[0] if start[0] != 0.5 else end[0], start[1] if start[1] != 0.5 else end[1])
    out = (start[0] - corner[0], start[1] - corner[1])
    over = (end[0] - corner[0], end[1] - corner[1])
    turn = part * pi / 2
    x = corner[0] + out[0] * cos(turn) + over[0] * sin(turn)
    y = corner[1] + out[1] * cos(turn) + over[1] * sin(turn)
    first, last = 90.0 * SIDES.index(opposite(segment[0])), 90.0 * SIDES.index(segment[1])
    swing = (last - first + 180) % 360 - 180
    return x, y, (first + swing * degrees(turn) / 90) % 360


def _other(segment: str, side: str) -> str:
    return segment[1] if side == segment[0] else segment[0]
