"""From markers to pieces: where the middle of each lies on the sheet, and how it is turned.

A piece may carry several markers. Each by itself tells middle and turn; together they tell them
better, and whether they belong to one piece at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Point, Token
from vision.markers import Corners
from vision.pose import Pose

Floats = NDArray[Any]

Key = tuple[str, str]
"""A piece's kind and name."""

_SMALLEST, _LARGEST = 0.7, 1.4  # of its printed side: another size is another game's marker, or held up
_COMPLEX = np.array([1, 1j])
_ONE = 4.0  # mm by which a marker's corner may lie beside where the others of its piece put it


@dataclass(frozen=True)
class Found:
    """A piece as its markers show it: its middle (mm) and turn (degrees clockwise, any).

    `ids` are the markers seen. `sure` is no when one was seen twice, or when they lie as they
    cannot on one piece. `whole` says that it is a card that was read by its whole face. It may stand
    `loose` mm beside its middle as it was seen.
    """

    kind: str
    name: str
    at: Point
    turn: float
    ids: frozenset[int]
    sure: bool
    flat: bool
    whole: bool = False
    loose: float = 0.0

    @property
    def key(self) -> Key:
        """Which piece it is."""
        return (self.kind, self.name)


def find_pieces(
    markers: Iterable[tuple[int, Corners]], tokens: Mapping[int, Token], pose: Pose
) -> list[Found]:
    """The pieces of which `tokens` (by id) tell, from markers in a picture of that pose; each once."""
    ours = [(tokens[id], quad) for id, quad in markers if id in tokens]
    if not ours:
        return []
    heights = np.repeat([token.height for token, _ in ours], 4)
    quads = pose.table(np.concatenate([quad for _, quad in ours]), heights).reshape(-1, 4, 2)
    sides = np.linalg.norm(quads - quads[:, (3, 0, 1, 2)], axis=2).mean(axis=1)
    seen: dict[Key, dict[int, list[Floats]]] = {}
    for (token, _), corners, side in zip(ours, quads, sides.tolist(), strict=True):
        if _SMALLEST < side / token.side < _LARGEST:
            seen.setdefault((token.kind, token.name), {}).setdefault(token.id, []).append(corners)
    return [_piece(key, marks, tokens) for key, marks in sorted(seen.items())]


def _piece(key: Key, marks: Mapping[int, Sequence[Floats]], tokens: Mapping[int, Token]) -> Found:
    ids = sorted(marks)
    printed = {id: _square(tokens[id]) for id in ids}
    # Of markers seen twice those are taken that fit together best; the piece is not sure all the same.
    ways = [
        _fit(np.concatenate([printed[id] for id in ids]), np.concatenate(one))
        for one in product(*(marks[id] for id in ids))
    ]
    at, turn, off = min(ways, key=lambda way: way[2])
    sure = len(ways) == 1 and off <= _ONE
    if off > _ONE:
        at, turn, _ = _fit(printed[ids[0]], marks[ids[0]][0])
    flat = all(tokens[id].flat for id in ids)
    return Found(*key, at, turn, frozenset(ids), sure, flat)


@lru_cache(maxsize=1024)
def _square(token: Token) -> Floats:
    half = token.side / 2
    return np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) + token.at


def _fit(printed: Floats, seen: Floats) -> tuple[Point, float, float]:
    """Move and turn `printed` onto `seen`: where its origin comes to lie, the turn, the farthest miss."""
    # As complex numbers: a turn is a factor.
    here, there = printed @ _COMPLEX, seen @ _COMPLEX
    one, other = here.mean(), there.mean()
    turn = np.vdot(here - one, there - other)
    turn /= abs(turn)
    miss = np.abs((here - one) * turn - (there - other)).max()
    at = other - one * turn
    return (float(at.real), float(at.imag)), float(np.degrees(np.angle(turn))) % 360, float(miss)


def turned(points: Floats, degrees: float) -> Floats:
    """Points (Nx2, y towards the viewer) turned clockwise around the origin."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    result: Floats = points @ np.array([(c, s), (-s, c)])
    return result
