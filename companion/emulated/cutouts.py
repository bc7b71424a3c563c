"""Pieces and dice as cut-outs of the picture: each is drawn once for where it lies, then laid on.

A cut-out is a small part of the picture: what covers it, how much, and the soft shadow around it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.emulated import figures
from companion.emulated.figures import Figure
from companion.emulated.poses import DIE_SIDE, FLAT, DiePose, PiecePose
from companion.emulated.sprites import die_cutout, drawn_die_side
from companion.emulated.viewpoint import Viewpoint
from companion.games.drawing import Drawing

Image = NDArray[np.uint8]
Floats = NDArray[Any]
Box = tuple[int, int, int, int]
"""Part of a picture in pixels: left, top, right, below; the last two are outside it."""

LAMP = np.array((0.55, 0.8))
"""How far a shadow falls, to the right and below, to the mm of height."""

_FINE = 3  # pieces are drawn this much larger and then made smaller
_SIDES = 0.62  # how bright a piece's sides are, to the edge of its top


@dataclass(frozen=True)
class Cutout:
    """What is laid on the picture at `box`: premultiplied colour and cover (both HxWx3).

    `shade` (HxWx3) is what its shadow leaves of the light at `shaded`. Cover and shade say the same of all
    three colours: so numpy need not repeat them, which takes far longer than to lay them on.
    """

    box: Box
    paint: Floats
    cover: Floats
    shaded: Box
    shade: Floats

    def lay(self, picture: Image, within: Box) -> None:
        """Lay it on the picture (BGR, uint8), as far as it lies within that part."""
        part = meet(self.shaded, within)
        if part is not None:
            patch = picture[part[1] : part[3], part[0] : part[2]]
            patch[:] = (patch * _of(self.shade, self.shaded, part)).astype(np.uint8)
        part = meet(self.box, within)
        if part is not None:
            patch = picture[part[1] : part[3], part[0] : part[2]]
            bare = 1 - _of(self.cover, self.box, part)
            patch[:] = np.clip(patch * bare + _of(self.paint, self.box, part), 0, 255).astype(np.uint8)

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The parts of the picture that it changes."""
        return tuple(box for box in (self.box, self.shaded) if box[0] < box[2] and box[1] < box[3])


class Scissors:
    """Cuts out what lies before one camera. `lamp` is the light on the picture (HxW).

    `faces` are those of the game's own dice, none for dice with pips.
    """

    def __init__(self, viewpoint: Viewpoint, lamp: Floats, faces: Mapping[str, Drawing]) -> None:
        self._names, self._faces = tuple(faces), tuple(faces.values())
        self._view = viewpoint
        self._lamp = lamp

    def brightness(self, at: Floats) -> float:
        """The light at a point of the picture."""
        x = int(np.clip(at[0], 0, self._view.size[0] - 1))
        y = int(np.clip(at[1], 0, self._view.size[1] - 1))
        return float(self._lamp[y, x])

    def piece(self, pose: PiecePose, top: Image, size: tuple[float, float], height: float) -> Cutout:
        """A block with that top (BGR), `size` mm across and down and so high."""
        view = self._view
        foot = rectangle(pose.at, size, pose.turn)
        shaded, shade = self._shadow(foot, height + pose.lift, 0.5)
        low, high = view.project(foot, pose.lift), view.project(foot, pose.lift + height)
        both = np.concatenate([low, high])
        box = clip(both, view.size, 2)
        if box is None:
            return _nothing(shaded, shade)
        left, upper, right, below = box
        lit = self.brightness(high.mean(axis=0))
        larger = np.array([[_FINE, 0, (0.5 - left) * _FINE - 0.5], [0, _FINE, (0.5 - upper) * _FINE - 0.5]])
        wide, deep = top.shape[1], top.shape[0]
        corners = np.array([(0, 0), (wide, 0), (wide, deep), (0, deep)], np.float32) - np.float32(0.5)
        target = (high @ larger[:, :2].T + larger[:, 2]).astype(np.float32)
        fit = cv2.getPerspectiveTransform(corners, target)
        shape = ((right - left) * _FINE, (below - upper) * _FINE)
        paint: Any = cv2.warpPerspective(top, fit, shape, borderMode=cv2.BORDER_REPLICATE)
        cover: Any = _mask(target, shape)
        if height >= FLAT:
            hull = cv2.convexHull(both.astype(np.float32))[:, 0] @ larger[:, :2].T + larger[:, 2]
            body = np.empty_like(paint)
            body[:] = edge_colour(top) * _SIDES
            share = cover.astype(np.float32) / 255
            paint = cv2.blendLinear(paint, body, share, 1 - share)
            cover = cv2.max(cover, _mask(hull, shape))
        small = (right - left, below - upper)
        cover = _thrice(cv2.resize(cover, small, interpolation=cv2.INTER_AREA).astype(np.float32) / 255)
        paint = cv2.resize(paint, small, interpolation=cv2.INTER_AREA) * (cover * lit)
        return Cutout(box, paint, cover, shaded, shade)

    def figure(self, pose: PiecePose, figure: Figure) -> Cutout:
        """A piece of plain colour as it stands there."""
        view = self._view
        foot = figures.outline(figure, pose)
        shaded, shade = self._shadow(foot, figure.high + pose.lift, 0.5)
        both = np.concatenate([view.project(foot, pose.lift), view.project(foot, pose.lift + figure.high)])
        box = clip(both, view.size, 2)
        if box is None:
            return _nothing(shaded, shade)
        left, upper, right, below = box
        small = (right - left, below - upper)
        large = (small[0] * _FINE, small[1] * _FINE)
        paint, cover = figures.drawn(figure, pose, view, (left, upper), _FINE, large)
        lit = self.brightness(both.mean(axis=0))
        share = _thrice(cv2.resize(cover, small, interpolation=cv2.INTER_AREA).astype(np.float32) / 255)
        shrunk = cv2.resize(paint, small, interpolation=cv2.INTER_AREA) * np.float32(lit)
        return Cutout(box, np.asarray(shrunk, np.float32), share, shaded, shade)

    def die(self, pose: DiePose) -> Cutout:
        """A die, as it lies or as it tumbles."""
        view = self._view
        at = view.project([pose.at], DIE_SIDE)[0]
        side = view.scale(pose.at, DIE_SIDE) * DIE_SIDE
        tilt, towards = view.slant(pose.at)
        ahead = view.project([(pose.at[0] + 1, pose.at[1])], DIE_SIDE)[0] - at
        turn = pose.turn + float(np.degrees(np.arctan2(ahead[1], ahead[0])))
        value = self._names.index(str(pose.value)) + 1 if self._names else int(pose.value)
        paint, cover = die_cutout(
            value, pose.look, turn, tilt, towards, faces=self._faces, tumbling=pose.flying
        )
        paint = paint * self.brightness(at)
        whole = DIE_SIDE * 1.24 if pose.flying else DIE_SIDE
        foot = rectangle(pose.at, (whole, whole), pose.turn)
        shaded, shade = self._shadow(foot, DIE_SIDE * (1.6 if pose.flying else 0.8), 0.45)
        shrink = side / drawn_die_side()
        middle = (len(cover) - 1) / 2
        if pose.flying:
            paint, cover = cv2.blur(paint, (9, 9)), cv2.blur(cover, (9, 9))
        else:
            soft = 0.45 / shrink
            paint = cv2.GaussianBlur(paint, (0, 0), soft)
            cover = cv2.GaussianBlur(cover, (0, 0), soft)
        box = clip(at[None], view.size, int(middle * shrink + 2) + 1)
        if box is None:
            return _nothing(shaded, shade)
        left, top, right, below = box
        fit = np.array(
            [[shrink, 0, at[0] - middle * shrink - left], [0, shrink, at[1] - middle * shrink - top]]
        )
        shape = (right - left, below - top)
        share = _thrice(cv2.warpAffine(cover, fit, shape))
        return Cutout(box, cv2.warpAffine(paint, fit, shape), share, shaded, shade)

    def _shadow(self, foot: Floats, height: float, depth: float) -> tuple[Box, Floats]:
        """The soft shadow of a block of that height with this foot (mm)."""
        fallen = np.concatenate([foot, foot + LAMP * height])
        at = self._view.project(fallen).astype(np.float32)
        box = clip(at, self._view.size, 9)
        if box is None:
            return (0, 0, 0, 0), np.ones((0, 0, 3), np.float32)
        left, top, right, below = box
        hull = cv2.convexHull(at)[:, 0] - np.array((left, top), np.float32)
        mask: Any = _mask(hull, (right - left, below - top)).astype(np.float32) / 255
        mask = cv2.GaussianBlur(mask, (0, 0), 2.2 + height / 16)
        return box, _thrice((1 - depth * mask).astype(np.float32))


def edge_colour(top: Image) -> Floats:
    """The colour (BGR) of a picture's edge."""
    edge: Floats = np.concatenate([top[0], top[-1], top[:, 0], top[:, -1]]).mean(axis=0)
    return edge


def rectangle(middle: Sequence[float], size: tuple[float, float], turn: float) -> Floats:
    """Corners (mm, clockwise from the upper left) of a rectangle turned clockwise by degrees."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    wide, deep = size[0] / 2, size[1] / 2
    flat = np.array([(-wide, -deep), (wide, -deep), (wide, deep), (-wide, deep)])
    turned: Floats = flat @ np.array([(c, s), (-s, c)]) + np.asarray(middle, float)
    return turned


def clip(points: Floats, size: tuple[int, int], reach: int) -> Box | None:
    """The box around those picture points and `reach` more, cut to the picture; None outside it."""
    left, top = np.maximum(np.floor(points.min(axis=0)).astype(int) - reach, 0)
    right, below = np.minimum(np.ceil(points.max(axis=0)).astype(int) + reach + 1, size)
    return (int(left), int(top), int(right), int(below)) if left < right and top < below else None


def meet(one: Box, other: Box) -> Box | None:
    """The part that two boxes share, if there is one."""
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, below = min(one[2], other[2]), min(one[3], other[3])
    return (left, top, right, below) if left < right and top < below else None


def _of(values: Floats, box: Box, part: Box) -> Floats:
    """Of what belongs to a box, what lies in a part of it."""
    return values[part[1] - box[1] : part[3] - box[1], part[0] - box[0] : part[2] - box[0]]


def _thrice(values: Floats) -> Floats:
    """One value (HxW) for each of three colours."""
    return np.asarray(cv2.merge([values] * 3))


def _mask(outline: Floats, shape: tuple[int, int]) -> Image:
    """A convex outline (pixels), filled (0 to 255)."""
    mask = np.zeros(shape[::-1], np.uint8)
    cv2.fillConvexPoly(mask, np.round(outline * 16).astype(np.int32), (255,), cv2.LINE_AA, 4)
    return mask


def _nothing(shaded: Box, shade: Floats) -> Cutout:
    """A thing outside the picture, whose shadow may be seen."""
    none = np.zeros((0, 0, 3), np.float32)
    return Cutout((0, 0, 0, 0), none, none, shaded, shade)
