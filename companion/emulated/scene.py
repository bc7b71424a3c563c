"""Draws what a camera over the emulated table sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.emulated.poses import CAP_RIM, DIE_SIDE, PAWN_HEIGHT, Arm, DiePose, Moment, PawnPose
from companion.emulated.sheet import PIXELS, SURROUND, draw_table, wood
from companion.emulated.sprites import (
    ARM_LENGTH,
    ARM_WIDTH,
    arm,
    cap,
    die_cutout,
    drawn_die_side,
    pawn_colour,
)
from companion.emulated.viewpoint import Viewpoint, over
from companion.games.layout import Point, TableMap

Image = NDArray[np.uint8]
Floats = NDArray[Any]

_NOISE = 2.4  # standard deviation of the sensor's noise, of 255
_FIELDS = 5  # different noise pictures, which are shifted about
_SHIFT = 64
_FINE = 3  # pieces are drawn this much larger and then made smaller
_ARM_HEIGHT = 55.0
_LAMP = np.array((0.55, 0.8))  # how far a shadow falls, to the right and below, to the mm of height


class Scene:
    """A camera's picture of one table: `seed` chooses where it hangs, its lamp and its arms."""

    def __init__(
        self,
        map: TableMap,
        seed: int = 0,
        size: tuple[int, int] = (1280, 720),
        viewpoint: Viewpoint | None = None,
    ) -> None:
        chance = np.random.default_rng(seed)
        self.map = map
        self.viewpoint = viewpoint or over(
            map.width,
            map.height,
            size,
            tilt=float(chance.uniform(2, 12)),
            way=float(chance.uniform(50, 130)),
            turn=float(chance.uniform(-2.5, 2.5)),
            margin=0.008,
        )
        self.size = self.viewpoint.size
        self._arm_seed = int(chance.integers(1 << 16))
        self._tokens = {token.name: token for token in map.tokens}
        self._lamp = _lamp(self.size, chance)
        self._ground = self._warp_ground(seed)
        self._noise = [_noise(self.size, chance) for _ in range(_FIELDS)]
        self._chance = chance
        self._still: tuple[tuple[tuple[PawnPose, ...], tuple[DiePose, ...]], Image] | None = None

    def draw(self, moment: Moment, *, light: float = 1.0, shift: tuple[float, float] = (0.0, 0.0)) -> Image:
        """The picture (BGR, uint8) of that moment, with fresh noise.

        `light` multiplies the lamp; `shift` moves the whole picture (pixels), as a knocked camera does.
        """
        picture = self._resting(
            tuple(pawn for pawn in moment.pawns if not pawn.lift),
            tuple(die for die in moment.dice if not die.flying),
        )
        lifted = [pawn for pawn in moment.pawns if pawn.lift]
        flying = [die for die in moment.dice if die.flying]
        if lifted or flying or moment.arms:
            picture = picture.copy()
            for die in flying:
                self._draw_die(picture, die)
            for pawn in lifted:
                self._draw_pawn(picture, pawn)
            for reaching in moment.arms:
                self._draw_arm(picture, reaching)
        if shift != (0.0, 0.0):
            moved = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], float)
            picture = np.asarray(
                cv2.warpAffine(picture, moved, self.size, borderMode=cv2.BORDER_REFLECT), np.uint8
            )
        field = self._noise[int(self._chance.integers(_FIELDS))]
        left, top = self._chance.integers(_SHIFT, size=2)
        noise = field[top : top + self.size[1], left : left + self.size[0]]
        return np.asarray(cv2.addWeighted(picture, light, noise, 1.0, -128.0), np.uint8)

    def _resting(self, pawns: tuple[PawnPose, ...], dice: tuple[DiePose, ...]) -> Image:
        if self._still is None or self._still[0] != (pawns, dice):
            picture = self._ground.copy()
            for die in sorted(dice, key=lambda die: -self._away(die.at)):
                self._draw_die(picture, die)
            # Those farther from below the camera first: the nearer ones hide their sides.
            for pawn in sorted(pawns, key=lambda pawn: -self._away(pawn.at)):
                self._draw_pawn(picture, pawn)
            self._still = ((pawns, dice), picture)
        return self._still[1]

    def _away(self, at: Point) -> float:
        """How far that spot is from the one below the camera (mm)."""
        return float(np.hypot(*(self.viewpoint.place[:2] - at)))

    def _warp_ground(self, seed: int) -> Image:
        flat = draw_table(self.map, seed)
        to_mm = np.array([[1 / PIXELS, 0, -SURROUND], [0, 1 / PIXELS, -SURROUND], [0, 0, 1]])
        larger = np.diag([2.0, 2.0, 1.0])
        twice = (self.size[0] * 2, self.size[1] * 2)
        to_picture = larger @ self.viewpoint.homography() @ to_mm
        seen = cv2.warpPerspective(flat, to_picture, twice, borderMode=cv2.BORDER_REFLECT)
        small = cv2.resize(seen, self.size, interpolation=cv2.INTER_AREA)
        return np.clip(small * self._lamp[..., None], 0, 255).astype(np.uint8)

    def _brightness(self, at: Floats) -> float:
        x = int(np.clip(at[0], 0, self.size[0] - 1))
        y = int(np.clip(at[1], 0, self.size[1] - 1))
        return float(self._lamp[y, x])

    def _draw_die(self, picture: Image, die: DiePose) -> None:
        view = self.viewpoint
        at = view.project([die.at], DIE_SIDE)[0]
        side = view.scale(die.at, DIE_SIDE) * DIE_SIDE
        tilt, towards = view.slant(die.at)
        ahead = view.project([(die.at[0] + 1, die.at[1])], DIE_SIDE)[0] - at
        turn = die.turn + float(np.degrees(np.arctan2(ahead[1], ahead[0])))
        paint, cover = die_cutout(die.value, die.look, turn, tilt, towards, tumbling=die.flying)
        paint = paint * self._brightness(at)
        half = DIE_SIDE * 0.62 if die.flying else DIE_SIDE / 2
        foot = _square(die.at, half, die.turn)
        self._shadow(picture, foot, DIE_SIDE * (1.6 if die.flying else 0.8), 0.45)
        if die.flying:
            paint, cover = cv2.blur(paint, (9, 9)), cv2.blur(cover, (9, 9))
        shrink = side / drawn_die_side()
        middle = (len(cover) - 1) / 2
        if not die.flying:
            soft = 0.45 / shrink
            paint = cv2.GaussianBlur(paint, (0, 0), soft)
            cover = cv2.GaussianBlur(cover, (0, 0), soft)
        fit = np.array([[shrink, 0, at[0] - middle * shrink], [0, shrink, at[1] - middle * shrink]])
        _lay(picture, paint, cover, fit, at, middle * shrink + 2)

    def _draw_pawn(self, picture: Image, pawn: PawnPose) -> None:
        token = self._tokens[pawn.name]
        half = token.side / 2 + CAP_RIM
        foot = _square(pawn.at, half, pawn.turn)
        self._shadow(picture, foot, PAWN_HEIGHT + pawn.lift, 0.5)
        view = self.viewpoint
        low, high = view.project(foot, pawn.lift), view.project(foot, pawn.lift + PAWN_HEIGHT)
        both = np.concatenate([low, high])
        left, top = np.maximum(np.floor(both.min(axis=0)).astype(int) - 2, 0)
        right, below = np.minimum(np.ceil(both.max(axis=0)).astype(int) + 3, self.size)
        if left >= right or top >= below:
            return
        patch = picture[top:below, left:right]
        fine = np.repeat(np.repeat(patch, _FINE, axis=0), _FINE, axis=1)
        lit = self._brightness(high.mean(axis=0))
        larger = np.array(
            [[_FINE, 0, (0.5 - left) * _FINE - 0.5], [0, _FINE, (0.5 - top) * _FINE - 0.5], [0, 0, 1]]
        )
        hull = cv2.convexHull(both.astype(np.float32))[:, 0] @ larger[:2, :2].T + larger[:2, 2]
        body = np.array(pawn_colour(pawn.name)) * lit * 0.62
        cv2.fillConvexPoly(fine, np.round(hull * 16).astype(np.int32), body.tolist(), cv2.LINE_AA, 4)
        drawn = cap(token)
        edge = float(len(drawn))
        corners = np.array([(0, 0), (edge, 0), (edge, edge), (0, edge)], np.float32) - 0.5
        target = (high @ larger[:2, :2].T + larger[:2, 2]).astype(np.float32)
        fit = cv2.getPerspectiveTransform(corners, target)
        shape = fine.shape[1::-1]
        top_side = cv2.warpPerspective(
            drawn, fit, shape, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
        )
        mask = np.zeros(fine.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(target * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        share = mask[..., None] / np.float32(255)
        fine = np.clip(fine * (1 - share) + top_side * (share * lit), 0, 255).astype(np.uint8)
        patch[:] = cv2.resize(fine, patch.shape[1::-1], interpolation=cv2.INTER_AREA)

    def _draw_arm(self, picture: Image, over_table: Arm) -> None:
        drawn, cover = arm(self._arm_seed)
        tip, shoulder = np.array(over_table.tip), np.array(over_table.shoulder)
        back = (shoulder - tip) / max(float(np.hypot(*(shoulder - tip))), 1e-6)
        side = np.array([-back[1], back[0]])
        half = side * ARM_WIDTH / 2
        end = tip + back * ARM_LENGTH
        corners = np.array([tip + half, tip - half, end - half, end + half])
        high, wide = cover.shape
        flat = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
        fallen = self.viewpoint.project(corners + _LAMP * _ARM_HEIGHT)
        self._dim(picture, cover, flat, fallen)
        lifted = self.viewpoint.project(corners, _ARM_HEIGHT).astype(np.float32)
        box = _clip(lifted, self.size, 1)
        if box is None:
            return
        left, top, right, below = box
        fit = cv2.getPerspectiveTransform(flat, lifted - np.array((left, top), np.float32))
        shape = (right - left, below - top)
        lit = self._brightness(lifted[:2].mean(axis=0))
        paint = cv2.warpPerspective(drawn, fit, shape)
        share = cv2.warpPerspective(cover, fit, shape)[..., None]
        patch = picture[top:below, left:right]
        patch[:] = np.clip(patch * (1 - share) + paint * (share * lit), 0, 255).astype(np.uint8)

    def _dim(self, picture: Image, cover: Floats, flat: Floats, fallen: Floats) -> None:
        """The arm's shadow, worked out at a quarter of the size: it is soft."""
        box = _clip(fallen, self.size, 24)
        if box is None:
            return
        left, top, right, below = box
        shape = ((right - left) // 4 + 1, (below - top) // 4 + 1)
        small = ((fallen - (left, top)) / 4).astype(np.float32)
        fallen_cover: Any = cv2.warpPerspective(cover, cv2.getPerspectiveTransform(flat, small), shape)
        dark = cv2.GaussianBlur(fallen_cover, (0, 0), 3.0)
        patch = picture[top:below, left:right]
        light: Any = cv2.resize(1 - 0.38 * dark, (right - left, below - top), interpolation=cv2.INTER_LINEAR)
        patch[:] = (patch * light[..., None]).astype(np.uint8)

    def _shadow(self, picture: Image, foot: Floats, height: float, depth: float) -> None:
        """The soft shadow of a block of that height with this foot (mm)."""
        fallen = np.concatenate([foot, foot + _LAMP * height])
        at = self.viewpoint.project(fallen).astype(np.float32)
        box = _clip(at, self.size, 9)
        if box is None:
            return
        left, top, right, below = box
        mask: Any = np.zeros((below - top, right - left), np.float32)
        hull = cv2.convexHull(at)[:, 0] - np.array((left, top), np.float32)
        cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
        mask = cv2.GaussianBlur(mask, (0, 0), 2.2 + height / 16)
        patch = picture[top:below, left:right]
        patch[:] = (patch * (1 - depth * mask[..., None])).astype(np.uint8)


def bare_table(size: tuple[int, int], seed: int) -> Image:
    """The picture (BGR, uint8) of a table on which nothing lies."""
    chance = np.random.default_rng(seed)
    lit = wood(size[0], size[1], chance) * _lamp(size, chance)[..., None]
    return np.clip(lit, 0, 255).astype(np.uint8)


def _square(middle: Sequence[float], half: float, turn: float) -> Floats:
    """Corners (mm, clockwise from the upper left) of a square turned clockwise by degrees."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    flat = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    turned: Floats = flat @ np.array([(c, s), (-s, c)]) + np.asarray(middle, float)
    return turned


def _clip(points: Floats, size: tuple[int, int], reach: int) -> tuple[int, int, int, int] | None:
    """The box around those picture points and `reach` more, cut to the picture; None outside it."""
    left, top = np.maximum(np.floor(points.min(axis=0)).astype(int) - reach, 0)
    right, below = np.minimum(np.ceil(points.max(axis=0)).astype(int) + reach, size)
    return (int(left), int(top), int(right), int(below)) if left < right and top < below else None


def _lay(
    picture: Image,
    paint: Floats,
    cover: Floats,
    fit: Floats,
    at: Floats,
    reach: float,
) -> None:
    """Lay a premultiplied cut-out on the picture by the affine `fit`."""
    box = _clip(at[None], (picture.shape[1], picture.shape[0]), int(reach) + 1)
    if box is None:
        return
    left, top, right, below = box
    moved = fit - np.array([[0, 0, left], [0, 0, top]])
    shape = (right - left, below - top)
    over_it = cv2.warpAffine(paint, moved, shape, flags=cv2.INTER_LINEAR)
    share = cv2.warpAffine(cover, moved, shape, flags=cv2.INTER_LINEAR)[..., None]
    patch = picture[top:below, left:right]
    patch[:] = np.clip(patch * (1 - share) + over_it, 0, 255).astype(np.uint8)


def _lamp(size: tuple[int, int], chance: np.random.Generator) -> Floats:
    """The lamp's uneven light over the picture (0.7 to 1.1), darker towards the lens's edge."""
    x, y = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-1, 1, size[1]))
    way = chance.uniform(0, 2 * np.pi)
    slope = 0.1 * (np.cos(way) * x + np.sin(way) * y)
    spot_x, spot_y = chance.uniform(-0.6, 0.6, 2)
    spot = 0.1 * np.exp(-((x - spot_x) ** 2 + (y - spot_y) ** 2) / 0.5)
    lamp: Floats = (0.95 + slope + spot - 0.09 * (x**2 + y**2)).astype(np.float32)
    return lamp


def _noise(size: tuple[int, int], chance: np.random.Generator) -> Image:
    wide = (size[1] + _SHIFT, size[0] + _SHIFT, 3)
    return np.clip(np.round(128 + chance.normal(0, _NOISE, wide)), 0, 255).astype(np.uint8)
