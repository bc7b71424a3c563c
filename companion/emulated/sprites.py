"""The loose things on the emulated table as cut-outs: dice, an arm."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.emulated.ground import printed
from companion.games.drawing import Drawing
from vision.render_dice import DieLook, Light, cut_die, lay_die

Image = NDArray[np.uint8]
Floats = NDArray[Any]

DICE_LOOKS = (
    DieLook(body=(226, 236, 240), pip=(28, 24, 24), roundness=0.12, gloss=0.25),
    DieLook(body=(44, 40, 186), pip=(236, 240, 240), roundness=0.12, gloss=0.25),
    DieLook(body=(206, 226, 236), pip=(28, 24, 24), one=(40, 40, 190), roundness=0.16, cut=0.3, gloss=0.3),
)

ARM_PIXELS = 2.0
ARM_LENGTH = 620.0
ARM_WIDTH = 150.0

_TURNS = 12
_TILTS = 8.0
_DRAWN = 30.0  # a die is drawn this many pixels wide and then fitted to the picture
_STICKER = 64.0  # pixels along a picture that is stuck on a die


def die_cutout(
    value: int,
    look: int,
    turn: float,
    tilt: float,
    towards: float,
    *,
    faces: tuple[Drawing, ...] = (),
    tumbling: bool = False,
) -> tuple[Floats, Floats]:
    """A die that is `_DRAWN` pixels wide around its upper face's middle, and what it covers.

    With `faces` it shows the one of that number (from 1), and pips without. Angles are degrees; `turn`
    is the die's, `tilt` and `towards` are the view's (`draw_die`). The cut-out is premultiplied BGR
    (NxNx3) and cover (NxN, 0 to 1). A die seen from the same side is
    drawn once: the picture is turned to where it is wanted.
    """
    step = 360 / _TURNS
    # A die that tumbles is a blur: from whichever side it is drawn, one drawing of it will do.
    seen = 1 if tumbling else round((turn - towards) / step) % _TURNS
    lean = max(round(tilt / _TILTS), 0) * _TILTS
    paint, cover = _die(value, look % len(DICE_LOOKS), seen * step, lean, faces)
    middle = (len(cover) - 1) / 2
    spin = turn - seen * step
    turned = cv2.getRotationMatrix2D((middle, middle), -spin, 1.0)
    size = (len(cover), len(cover))
    return (
        np.asarray(cv2.warpAffine(paint, turned, size, flags=cv2.INTER_CUBIC), np.float32),
        np.asarray(cv2.warpAffine(cover, turned, size), np.float32),
    )


@lru_cache(maxsize=1024)
def _die(
    value: int, look: int, turn: float, tilt: float, faces: tuple[Drawing, ...]
) -> tuple[Floats, Floats]:
    """Seen towards 0 degrees; found by drawing it on black and on white."""
    size = round(_DRAWN * 2.4) | 1
    middle = (size - 1) / 2
    cut = cut_die(
        (size, size),
        (middle, middle),
        _DRAWN,
        turn,
        value,
        DICE_LOOKS[look],
        light=Light(shadow=0.0),
        tilt=tilt,
        towards=0.0,
        seed=value + int(turn),
        rays=2,
        stickers=[_sticker(face) for face in faces],
    )
    both = []
    for ground in (0, 255):
        canvas = np.full((size, size, 3), ground, np.uint8)
        lay_die(canvas, cut, DICE_LOOKS[look])
        both.append(canvas.astype(np.float32))
    cover = 1 - (both[1] - both[0]).mean(axis=2) / 255
    return both[0], np.clip(cover, 0, 1).astype(np.float32)


@lru_cache(maxsize=32)
def _sticker(face: Drawing) -> Image:
    return printed(face, _STICKER / face.width)


def drawn_die_side() -> float:
    """How many pixels wide `die_cutout` draws a die."""
    return _DRAWN


@lru_cache(maxsize=4)
def arm(seed: int) -> tuple[Image, Floats]:
    """An arm with its hand (BGR) and what it covers (0 to 1), `ARM_PIXELS` to the mm.

    It points up; its fingertips are at the middle of the upper edge.
    """
    chance = np.random.default_rng(seed)
    skin = np.array(((118, 150, 208), (84, 116, 172), (60, 84, 128))[int(chance.integers(3))], np.float32)
    sleeve = np.array(((96, 74, 58), (62, 92, 78), (70, 60, 110))[int(chance.integers(3))], np.float32)
    high, wide = round(ARM_LENGTH * ARM_PIXELS), round(ARM_WIDTH * ARM_PIXELS)
    cover = np.zeros((high, wide), np.uint8)
    middle = ARM_WIDTH / 2

    def limb(x0: float, y0: float, x1: float, y1: float, thick: float) -> None:
        at = [(round(x * ARM_PIXELS), round(y * ARM_PIXELS)) for x, y in ((x0, y0), (x1, y1))]
        cv2.line(cover, at[0], at[1], 255, round(thick * ARM_PIXELS), cv2.LINE_AA)

    for x0, y0, x1, thick in ((-22, 26, -20, 15), (-7, 10, -8, 17), (9, 12, 6, 17), (24, 22, 20, 16)):
        limb(middle + x0, y0, middle + x1, 92, thick)
    limb(middle - 52, 92, middle - 22, 140, 18)
    limb(middle - 8, 112, middle - 5, 138, 52)
    limb(middle + 12, 112, middle + 8, 138, 50)
    limb(middle, 150, middle + 4, 330, 52)
    limb(middle + 4, 330, middle + 10, ARM_LENGTH + 40, 88)
    deep = cv2.distanceTransform((cover > 127).astype(np.uint8), cv2.DIST_L2, 5)
    relief = cv2.GaussianBlur(np.sqrt(deep).astype(np.float32), (0, 0), 9)
    slope = cv2.Sobel(relief, cv2.CV_32F, 1, 0) + cv2.Sobel(relief, cv2.CV_32F, 0, 1)
    rows = np.arange(high)[:, None, None] / ARM_PIXELS
    colour = np.where(rows < 300, skin, sleeve)
    folds = np.where(rows[..., 0] < 300, 0, 6 * np.sin(rows[..., 0] / 9))
    lit = np.clip(0.86 + 0.13 * slope, 0.35, 1.2)
    picture = np.clip(colour * lit[..., None] + folds[..., None], 0, 255).astype(np.uint8)
    soft = cv2.GaussianBlur(cover, (0, 0), 1.0).astype(np.float32) / 255
    return picture, soft
