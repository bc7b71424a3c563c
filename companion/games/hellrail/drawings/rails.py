"""The rail of a card as shapes: bed, black ties that can be counted, and two steel rails."""

from __future__ import annotations

from math import cos, radians, sin

from companion.games.drawing import Path, polygon
from companion.games.hellrail.table import CARD
from companion.games.hellrail.track import Track, along, face, point
from companion.games.layout import Point

TIE = "#14100f"
"""Ink of the black ties, and of nothing else on a card."""

REACH = 6.1
"""How far a track's bed reaches to each side of its middle (mm)."""

_EDGE, _BED, _STEEL, _SHINE = "#a9622f", "#edc48d", "#5d626c", "#c9cdd3"
_BED_HALF = 5.4
_TIE_HALF = (4.3, 1.8)  # across the rail, along it
_GAUGE = 2.5  # from the middle to each rail
_RAIL, _RAIL_SHINE = 0.65, 0.28  # half of a rail's width, and of the light on it
_STEPS = 24  # a quarter circle drawn in so many lines strays by 0.02 mm


def ties(track: Track) -> tuple[tuple[Point, float], ...]:
    """Where each black tie of an unturned card lies: its middle (mm) and the rail's heading there.

    A tie that segments share is there once.
    """
    unturned = face(track, 0)
    found = []
    for segment, count in unturned.segments.items():
        for tie in range(1, count + 1):
            if (segment, tie, segment[1]) in unturned.ahead:
                x, y, heading = point(segment, count, tie, segment[1])
                found.append(((x * CARD, y * CARD), heading))
    return tuple(found)


def rail(track: Track) -> tuple[Path, ...]:
    """All rail of an unturned card, on shapes below it; its beds run together where segments fork."""
    segments = face(track, 0).segments
    return (
        *(_ribbon(segment, -REACH, REACH, _EDGE) for segment in segments),
        *(_ribbon(segment, -_BED_HALF, _BED_HALF, _BED) for segment in segments),
        *(_tie(middle, heading) for middle, heading in ties(track)),
        *(
            _ribbon(segment, side * _GAUGE - half, side * _GAUGE + half, colour)
            for half, colour in ((_RAIL, _STEEL), (_RAIL_SHINE, _SHINE))
            for segment in segments
            for side in (-1, 1)
        ),
    )


def stub(side: str, length: float) -> tuple[Path, ...]:
    """Rail of that length that enters an unturned card from a side and bears no tie."""
    through = {"N": "NS", "E": "EW", "S": "NS", "W": "EW"}[side]
    whole = length / CARD
    part = (0.0, whole) if side == through[0] else (1.0 - whole, 1.0)
    return (
        _ribbon(through, -REACH, REACH, _EDGE, part),
        _ribbon(through, -_BED_HALF, _BED_HALF, _BED, part),
        *(
            _ribbon(through, across * _GAUGE - half, across * _GAUGE + half, colour, part)
            for half, colour in ((_RAIL, _STEEL), (_RAIL_SHINE, _SHINE))
            for across in (-1, 1)
        ),
    )


def _tie(middle: Point, heading: float) -> Path:
    across, onward = _TIE_HALF
    corners = ((-across, -onward), (across, -onward), (across, onward), (-across, onward))
    return polygon([_beside(middle, heading, wide, far) for wide, far in corners], TIE)


def _ribbon(segment: str, near: float, far: float, fill: str, part: tuple[float, float] = (0.0, 1.0)) -> Path:
    """The strip between two distances (mm) to the right of a segment's middle, over a part of its length."""
    begin, end = part
    places = [
        along(segment, begin + (end - begin) * step / _STEPS)
        for step in ((0, _STEPS) if _is_straight(segment) else range(_STEPS + 1))
    ]
    edges = [
        [_beside((x * CARD, y * CARD), heading, across) for x, y, heading in places] for across in (near, far)
    ]
    return polygon([*edges[0], *reversed(edges[1])], fill)


def _is_straight(segment: str) -> bool:
    return segment in ("NS", "EW")


def _beside(at: Point, heading: float, right: float, ahead: float = 0.0) -> Point:
    c, s = cos(radians(heading)), sin(radians(heading))
    return (at[0] + right * c + ahead * s, at[1] + right * s - ahead * c)
