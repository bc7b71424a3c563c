"""Ordinary pieces of plain colour that carry no marker: what an owner has from another game's box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.emulated.poses import PiecePose
from companion.emulated.viewpoint import Viewpoint

Image = NDArray[np.uint8]
Floats = NDArray[Any]

PROFILES: dict[str, tuple[tuple[float, float], ...]] = {
    "pawn": ((0, 1), (0.1, 1), (0.2, 0.72), (0.55, 0.36), (0.62, 0.5), (0.8, 0.6), (0.94, 0.42), (1, 0.1)),
    "cone": ((0, 1), (1, 0.25)),
    "cylinder": ((0, 1), (1, 1)),
    "cube": ((0, 1), (1, 1)),
}
"""Of each shape, from its foot up: at which part of its height it has which part of its foot's radius."""

_SLICES = 24
_ROUND = 24  # corners of a round slice
_DARKEST = 0.62  # how bright a side is that falls away straight, to a top
_TURNED_AWAY = 0.12  # how much brighter than that the side is on which the lamp shines
_GLOSS = 0.22  # of a glossy piece's width is its highlight wide
_LIT = -0.3  # of its radius the highlight lies off, towards the lamp


class Figure(Struct, frozen=True):
    """A piece of one colour ("#rrggbb"): a shape of PROFILES, its foot's width and its height (mm)."""

    shape: str
    colour: str
    wide: float = 18.0
    high: float = 26.0
    glossy: bool = False


def drawn(
    figure: Figure,
    pose: PiecePose,
    view: Viewpoint,
    corner: tuple[float, float],
    fine: int,
    size: tuple[int, int],
) -> tuple[Floats, Image]:
    """The figure (BGR, float32) and what it covers (0 to 255), in a picture of that size (across, down).

    `corner` (pixels) is that picture's place in the camera's, of which each pixel is `fine` wide.
    """
    paint = np.zeros((size[1], size[0], 3), np.float32)
    cover = np.zeros((size[1], size[0]), np.uint8)
    colour = np.array([int(figure.colour[at : at + 2], 16) for at in (5, 3, 1)], np.float32)
    heights, radii = zip(*PROFILES[figure.shape], strict=True)
    for step in range(_SLICES + 1):
        part = step / _SLICES
        radius = float(np.interp(part, heights, radii)) * figure.wide / 2
        slope = float(np.interp(part - 0.03, heights, radii)) - float(np.interp(part + 0.03, heights, radii))
        flat = min(max(slope * figure.wide / (0.12 * figure.high), 0.0), 1.0) if step < _SLICES else 1.0
        bright = _DARKEST + (1 - _DARKEST) * flat
        for share, more in ((1.0, 0.0), (0.7, _TURNED_AWAY * (1 - flat))):
            aside = -radius * (1 - share) * 0.7
            middle = (pose.at[0] + aside, pose.at[1] + aside)
            _fill(
                paint,
                cover,
                _ring(figure.shape, middle, radius * share, pose.turn),
                view,
                pose.lift + part * figure.high,
                corner,
                fine,
                colour * (bright + more),
            )
    if figure.glossy:
        at = (pose.at[0] + _LIT * figure.wide / 4, pose.at[1] + _LIT * figure.wide / 4)
        spot = _ring("pawn", at, figure.wide * _GLOSS / 2, 0.0)
        _fill(
            paint, cover, spot, view, pose.lift + 0.9 * figure.high, corner, fine, np.full(3, 245, np.float32)
        )
    return paint, cover


def outline(figure: Figure, pose: PiecePose) -> Floats:
    """The figure's foot on the table (Nx2, mm)."""
    return _ring(figure.shape, pose.at, figure.wide / 2, pose.turn)


def _ring(shape: str, at: Sequence[float], radius: float, turn: float) -> Floats:
    corners = 4 if shape == "cube" else _ROUND
    reach = radius * 2**0.5 if corners == 4 else radius
    around = np.radians(turn + 45 + np.arange(corners) * 360 / corners)
    ring: Floats = np.column_stack([np.cos(around), np.sin(around)]) * reach + np.asarray(at)
    return ring


def _fill(
    paint: Floats,
    cover: Image,
    ring: Floats,
    view: Viewpoint,
    height: float,
    corner: tuple[float, float],
    fine: int,
    colour: Floats,
) -> None:
    at = (view.project(ring, height) - corner + 0.5) * fine - 0.5
    points = np.round(at * 16).astype(np.int32)
    cv2.fillConvexPoly(paint, points, colour.tolist(), cv2.LINE_8, 4)
    cv2.fillConvexPoly(cover, points, (255,), cv2.LINE_8, 4)
