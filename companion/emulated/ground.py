"""What everything lies on: the wooden table, the printed sheet on it, the dice tray on that."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.emulated.raster import raster
from companion.emulated.viewpoint import Viewpoint
from companion.games.drawing import Drawing
from companion.games.layout import Place

Image = NDArray[np.uint8]
Floats = NDArray[Any]
Colour = tuple[float, float, float]

SURROUND = 260.0
"""Mm of bare table on each side of the sheet."""

FELT: Colour = (86, 108, 62)
RIM: Colour = (44, 70, 104)

_WOOD = 2.0  # pixels to the mm in which the wood is drawn
_PRINT = 4.0  # and the sheet
_INK, _PAPER = 22.0, 238.0  # black and white as printers and paper give them (of 255)


def ground(sheet: Drawing, tray: Place, viewpoint: Viewpoint, lamp: Floats, seed: int) -> Image:
    """The picture (BGR, uint8) of a table on which nothing lies but its sheet and its tray.

    `lamp` is the light on each pixel (HxW).
    """
    chance = np.random.default_rng(seed)
    twice = (viewpoint.size[0] * 2, viewpoint.size[1] * 2)
    to_twice = np.diag([2.0, 2.0, 1.0]) @ viewpoint.homography()
    wide, high = (round((side + 2 * SURROUND) * _WOOD) for side in (sheet.width, sheet.height))
    table = wood(wide, high, chance)
    _shade(table, sheet)
    seen: Any = cv2.warpPerspective(
        table, to_twice @ _to_mm(_WOOD, SURROUND), twice, borderMode=cv2.BORDER_REFLECT
    )
    cv2.warpPerspective(
        _laid_out(sheet, tray, chance),
        to_twice @ _to_mm(_PRINT, 0.0),
        twice,
        dst=seen,
        borderMode=cv2.BORDER_TRANSPARENT,
    )
    small = cv2.resize(seen, viewpoint.size, interpolation=cv2.INTER_AREA)
    return np.asarray(np.clip(small * cv2.merge([lamp] * 3), 0, 255), np.uint8)


def printed(drawing: Drawing, pixels: float) -> Image:
    """The drawing as it comes out of a printer (BGR, uint8), so many pixels to the mm."""
    tones = np.linspace(_INK, _PAPER, 256).round().astype(np.uint8)
    return np.asarray(cv2.LUT(raster(drawing, pixels), tones), np.uint8)


def wood(width: int, height: int, chance: np.random.Generator) -> Image:
    """Planks along x, each of its own tone, with grain drawn out along them."""
    small = (width // 4, height // 4)
    grain = np.zeros((small[1], small[0]), np.float32)
    for along, across, weight in ((60, 1.2, 9.0), (24, 0.5, 5.0), (120, 5, 8.0)):
        rough = chance.normal(0, 1, (small[1], small[0])).astype(np.float32)
        layer = cv2.GaussianBlur(rough, (0, 0), sigmaX=along / 4, sigmaY=across)
        grain += weight * layer / max(float(layer.std()), 1e-6)
    plank = round(105 * _WOOD / 4)
    tone = np.zeros(small[1], np.float32)
    for top in range(0, small[1], plank):
        tone[top : top + plank] = chance.normal(0, 7)
        tone[top : top + 1] -= 30
    shade = grain * 0.8 + tone[:, None]
    base = np.array((84, 122, 164), np.float32)
    wood = base + shade[..., None] * np.array((0.75, 0.9, 1.0), np.float32)
    small_picture = np.clip(wood, 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(small_picture, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


def _to_mm(pixels: float, edge: float) -> Floats:
    """From pixels of a flat drawing, so many to the mm and with such an edge, to mm of the sheet."""
    half = 0.5 / pixels - edge
    fit: Floats = np.array([[1 / pixels, 0, half], [0, 1 / pixels, half], [0, 0, 1]])
    return fit


def _laid_out(sheet: Drawing, tray: Place, chance: np.random.Generator) -> Image:
    """The sheet with its paper's grain, and the tray on it."""
    paper = _grained(_sheet(sheet), 3.0, chance)
    outline = np.array(tray.outline)
    middle = outline.mean(axis=0)
    for out, colour in ((9.0, (24, 36, 54)), (8.0, RIM), (3.0, (30, 48, 72)), (0.0, FELT)):
        edge = outline + np.sign(outline - middle) * out
        pixels = np.round((edge * _PRINT - 0.5) * 16).astype(np.int32)
        cv2.fillConvexPoly(paper, pixels, colour, cv2.LINE_AA, 4)
    left, top = (outline.min(axis=0) * _PRINT).astype(int)
    right, low = (outline.max(axis=0) * _PRINT).astype(int)
    felt = paper[top:low, left:right]
    felt[:] = _grained(felt, 6.0, chance)
    return paper


@lru_cache(maxsize=2)
def _sheet(sheet: Drawing) -> Image:
    """The printed sheet: each game has one, which is set out again and again."""
    return printed(sheet, _PRINT)


def _grained(picture: Image, depth: float, chance: np.random.Generator) -> Image:
    """The picture with the grain of what it is on: standard deviation of 255, a mm or so across."""
    height, width = picture.shape[:2]
    rough = chance.standard_normal((height // 2, width // 2), np.float32)
    soft = cv2.GaussianBlur(rough, (0, 0), 0.8)
    grain = cv2.resize(soft * (depth / float(soft.std())), (width, height), interpolation=cv2.INTER_LINEAR)
    grown = cv2.add(picture, cv2.merge([grain] * 3), dtype=cv2.CV_8U)
    return np.asarray(grown, np.uint8)


def _shade(table: Image, sheet: Drawing) -> None:
    """The soft shadow that the sheet's edge throws on the wood."""
    height, width = table.shape[0] // 8, table.shape[1] // 8
    mask: Any = np.zeros((height, width), np.float32)
    left, top = ((SURROUND + shift) * _WOOD / 8 for shift in (5, 7))
    corner = (round(left + sheet.width * _WOOD / 8), round(top + sheet.height * _WOOD / 8))
    cv2.rectangle(mask, (round(left), round(top)), corner, (1.0,), -1)
    share = cv2.resize(0.55 * cv2.GaussianBlur(mask, (0, 0), 2.2), table.shape[1::-1])
    table[:] = cv2.blendLinear(table, np.zeros_like(table), 1 - share, share)
