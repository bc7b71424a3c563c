"""Where the grid of cells truly lies: cards laid edge to edge creep away from the printed one.

How far each cell lies beside where it is printed is a smooth field over the table. It is
estimated from cards that lie where they are expected (Gaussian-process regression, both
directions alike); a turn of the whole grid shows in it as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]

_CREEP = 30.0  # mm that a grid may lie beside its print
_REACH = 250.0  # mm over which that changes
_HAND = 3.0  # mm by which a card lies beside its own cell
_START = 18.0  # mm beside the middle card's offset up to which cards are believed at first
_STRAY = 15.0  # mm beside the field from which on a card is not where it is expected
_ROUNDS = 10


class Drift:
    """The field: how far (mm) what is printed at a point lies beside it. Without cards, not at all."""

    def __init__(self, printed: Floats, seen: Floats) -> None:
        """From where cells are printed and where the cards that belong there were seen (both Nx2, mm).

        Cards that lie elsewhere than the others would have them have no say.
        """
        off = seen - printed
        believed = (
            np.abs(off - np.median(off, axis=0)).max(axis=1) <= _START if len(off) else np.zeros(0, bool)
        )
        self._at, self._weights = np.zeros((0, 2)), np.zeros((0, 2))
        for _ in range(_ROUNDS):
            self._at = printed[believed]
            likeness = _likeness(self._at, self._at) + np.eye(len(self._at)) * _HAND**2
            self._weights = np.linalg.solve(likeness, off[believed])
            # From those that agree to their neighbours, and so on to the table's end.
            now = np.abs(off - self.at(printed)).max(axis=1, initial=0.0) <= _STRAY
            if (now == believed).all():
                break
            believed = now

    def at(self, points: Floats) -> Floats:
        """How far each of these points (Nx2, mm) lies beside its print (Nx2, mm)."""
        field: Floats = _likeness(np.asarray(points, float), self._at) @ self._weights
        return field


def _likeness(one: Floats, other: Floats) -> Floats:
    apart = ((one[:, None] - other[None]) ** 2).sum(axis=2)
    alike: Floats = _CREEP**2 * np.exp(-apart / (2 * _REACH**2))
    return alike
