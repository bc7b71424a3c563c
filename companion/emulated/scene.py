"""Draws what a camera over the emulated table sees."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.emulated.box import Box as GameBox
from companion.emulated.cutouts import LAMP, Box, Cutout, Scissors, clip
from companion.emulated.ground import ground, printed, wood
from companion.emulated.poses import FLAT, Arm, DiePose, Moment, PiecePose
from companion.emulated.sprites import ARM_LENGTH, ARM_WIDTH, arm
from companion.emulated.viewpoint import Viewpoint, over
from companion.games.drawing import Drawing
from companion.games.layout import Point, TableMap

Image = NDArray[np.uint8]
Floats = NDArray[Any]
Thing = PiecePose | DiePose

_NOISE = 2.4  # standard deviation of the sensor's noise, of 255
_FIELDS = 2  # different noise pictures, which are shifted about
_SHIFT = 64
_ARM_HEIGHT = 55.0
_PILE = 9.0  # height in mm of a pile of cards
_CARD = 0.5  # and of a card or tile without a marker
_PRINT = 8.0  # pixels to the mm in which a piece's top is drawn


class Scene:
    """A camera's picture of one table: `seed` chooses where it hangs, its lamp and its arms.

    `aside` are the degrees that it leans more than a camera over the middle of the table does. What lies
    still is drawn once, and again only where something changes.
    """

    def __init__(
        self,
        map: TableMap,
        box: GameBox,
        seed: int = 0,
        size: tuple[int, int] = (1280, 720),
        viewpoint: Viewpoint | None = None,
        aside: float = 0.0,
    ) -> None:
        chance = np.random.default_rng(seed)
        self.viewpoint = viewpoint or over(
            map.width,
            map.height,
            size,
            tilt=aside + float(chance.uniform(2, 12)),
            way=float(chance.uniform(50, 130)),
            turn=float(chance.uniform(-2.5, 2.5)),
            margin=0.008,
        )
        self.size = self.viewpoint.size
        self._piece = box.piece
        self._figures = box.figures
        self._heights = {(token.kind, token.name): token.height for token in map.tokens}
        self._arm_seed = int(chance.integers(1 << 16))
        lamp = _lamp(self.size, chance)
        self._scissors = Scissors(self.viewpoint, lamp, box.faces)
        self._ground = ground(box.sheet, map.tray, self.viewpoint, lamp, seed)
        self._noise = [_noise(self.size, chance) for _ in range(_FIELDS)]
        self._chance = chance
        self._picture = self._ground.copy()
        self._lying: dict[Thing, Cutout] = {}

    def draw(self, moment: Moment, *, light: float = 1.0, shift: tuple[float, float] = (0.0, 0.0)) -> Image:
        """The picture (BGR, uint8) of that moment, with fresh noise.

        `light` multiplies the lamp; `shift` moves the whole picture (pixels), as a knocked camera does.
        """
        self._rest(self._in_order(moment))
        picture = self._picture
        moving: list[Thing] = [die for die in moment.dice if die.flying]
        moving += [piece for piece in moment.pieces if piece.lift]
        if moving or moment.arms:
            picture = picture.copy()
            for thing in moving:
                self._cutout(thing).lay(picture, (0, 0, *self.size))
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

    def _in_order(self, moment: Moment) -> list[Thing]:
        """What lies still, in the order in which it is drawn.

        Cards lie as they were laid. Of what stands on them, what is farther from below the camera
        comes first: the nearer ones hide its sides.
        """
        pieces = [piece for piece in moment.pieces if not piece.lift]
        standing: list[Thing] = [piece for piece in pieces if self._height(piece) >= FLAT]
        standing += [die for die in moment.dice if not die.flying]
        standing.sort(key=lambda thing: -self._away(thing.at))
        return [*(piece for piece in pieces if self._height(piece) < FLAT), *standing]

    def _rest(self, things: list[Thing]) -> None:
        """Draw what lies still: only where something has come or gone since, if the rest lies as it lay."""
        before = self._lying
        now = {thing: before.get(thing) or self._cutout(thing) for thing in things}
        if [thing for thing in before if thing in now] == [thing for thing in now if thing in before]:
            changed = [cutout for thing, cutout in now.items() if thing not in before]
            changed += [cutout for thing, cutout in before.items() if thing not in now]
            parts = list(_joined(box for cutout in changed for box in cutout.boxes))
        else:
            parts = [(0, 0, *self.size)]
        for part in parts:
            left, top, right, below = part
            self._picture[top:below, left:right] = self._ground[top:below, left:right]
            for cutout in now.values():
                cutout.lay(self._picture, part)
        self._lying = now

    def _cutout(self, thing: Thing) -> Cutout:
        if isinstance(thing, DiePose):
            return self._scissors.die(thing)
        figure = self._figures.get(thing.key)
        if figure is not None:
            return self._scissors.figure(thing, figure)
        drawing = self._piece(thing.kind, thing.name)
        size = (drawing.width, drawing.height)
        return self._scissors.piece(thing, _printed(drawing), size, self._height(thing))

    def _height(self, piece: PiecePose) -> float:
        return self._heights.get(piece.key, _CARD if piece.name else _PILE)

    def _away(self, at: Point) -> float:
        """How far that spot is from the one below the camera (mm)."""
        return float(np.hypot(*(self.viewpoint.place[:2] - at)))

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
        fallen = self.viewpoint.project(corners + LAMP * _ARM_HEIGHT)
        self._dim(picture, cover, flat, fallen)
        lifted = self.viewpoint.project(corners, _ARM_HEIGHT).astype(np.float32)
        box = clip(lifted, self.size, 1)
        if box is None:
            return
        left, top, right, below = box
        fit = cv2.getPerspectiveTransform(flat, lifted - np.array((left, top), np.float32))
        shape = (right - left, below - top)
        lit = self._scissors.brightness(lifted[:2].mean(axis=0))
        paint = cv2.convertScaleAbs(cv2.warpPerspective(drawn, fit, shape), alpha=lit)
        share = np.asarray(cv2.warpPerspective(cover, fit, shape), np.float32)
        patch = picture[top:below, left:right]
        patch[:] = cv2.blendLinear(np.ascontiguousarray(patch), paint, 1 - share, share)

    def _dim(self, picture: Image, cover: Floats, flat: Floats, fallen: Floats) -> None:
        """The arm's shadow, worked out at a quarter of the size: it is soft."""
        box = clip(fallen, self.size, 24)
        if box is None:
            return
        left, top, right, below = box
        shape = ((right - left) // 4 + 1, (below - top) // 4 + 1)
        small = ((fallen - (left, top)) / 4).astype(np.float32)
        fallen_cover: Any = cv2.warpPerspective(cover, cv2.getPerspectiveTransform(flat, small), shape)
        dark = cv2.GaussianBlur(fallen_cover, (0, 0), 3.0)
        patch = np.ascontiguousarray(picture[top:below, left:right])
        share: Any = cv2.resize(0.38 * dark, patch.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        picture[top:below, left:right] = cv2.blendLinear(patch, np.zeros_like(patch), 1 - share, share)


def bare_table(size: tuple[int, int], seed: int) -> Image:
    """The picture (BGR, uint8) of a table on which nothing lies."""
    chance = np.random.default_rng(seed)
    lit = wood(size[0], size[1], chance) * _lamp(size, chance)[..., None]
    return np.clip(lit, 0, 255).astype(np.uint8)


@lru_cache(maxsize=256)
def _printed(drawing: Drawing) -> Image:
    return printed(drawing, _PRINT)


def _joined(boxes: Iterable[Box]) -> Iterable[Box]:
    """Boxes that cover the same; those that meet are one."""
    parts: list[Box] = []
    for box in boxes:
        left, top, right, below = box
        while touching := [
            part for part in parts if part[0] < right and left < part[2] and part[1] < below and top < part[3]
        ]:
            for part in touching:
                parts.remove(part)
                left, top = min(left, part[0]), min(top, part[1])
                right, below = max(right, part[2]), max(below, part[3])
        parts.append((left, top, right, below))
    return parts


def _lamp(size: tuple[int, int], chance: np.random.Generator) -> Floats:
    """The lamp's uneven light over the picture (0.7 to 1.1), darker towards the lens's edge."""
    x, y = np.linspace(-1, 1, size[0])[None], np.linspace(-1, 1, size[1])[:, None]
    way = chance.uniform(0, 2 * np.pi)
    slope = 0.1 * (np.cos(way) * x + np.sin(way) * y)
    spot_x, spot_y = chance.uniform(-0.6, 0.6, 2)
    spot = 0.1 * np.exp(-((x - spot_x) ** 2 + (y - spot_y) ** 2) / 0.5)
    lamp: Floats = (0.95 + slope + spot - 0.09 * (x**2 + y**2)).astype(np.float32)
    return lamp


def _noise(size: tuple[int, int], chance: np.random.Generator) -> Image:
    noise = chance.standard_normal((size[1] + _SHIFT, size[0] + _SHIFT, 3), np.float32)
    noise *= _NOISE
    noise += 128
    np.round(noise, out=noise)
    np.clip(noise, 0, 255, out=noise)
    return noise.astype(np.uint8)
