"""How the light falls on a sheet whose print is known: what lies on it shows its own colours then.

The print is fitted to the picture: how bright the light is from place to place, and how printer, lamp and
camera turn the colours of the drawing into those that are seen. What the fit leaves over is no print.
All colours are told as parts of what white paper would show in the same place: so a lamp's colour and a
dark corner of the room are taken out of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.coverage import most
from vision.pose import Pose

Image = NDArray[np.uint8]
Floats = NDArray[Any]
Mask = NDArray[np.bool_]

CELL = 1.5
"""Mm of the sheet along one cell of what is told here, and of the print that it is told by."""

_SOME = 5  # every fifth cell of every fifth row tells the light
_BRIGHT = 110.0  # of 255: print that is lighter shows how bright the light is
_ROUNDS = 5
_FITS = 0.1  # of white: print that is seen so far beside what was expected still tells the light
_LEAST = 0.5  # of the cells must fit, or something else than this sheet is seen
_STIFF = 0.02  # how strongly colours are held to stay apart from each other, to the cells that tell them
_DARKEST, _BRIGHTEST = 0.3, 1.12  # what shadow and light leave of print, as parts of the light around
_PAPER = 0.03  # of white: what is so near to the print in some shade is the print
_SMEAR = 0.1  # of a cell's own brightness: and so much more, for print is not quite as it was drawn
_DIM = 12.0  # of 255: white paper that is darker shows no colours


@dataclass(frozen=True)
class Lit:
    """A sheet as one picture shows it, cell by cell: `colours` (HxWx3, BGR, parts of white paper), where
    `paper` (HxW) the print is seen, in the light or in a shadow, and how that was expected (HxWx3, likewise).
    """

    colours: Floats
    paper: Mask
    expected: Floats


class SheetLight:
    """Fits the print of one sheet to pictures. `print` is that print from above: BGR, uint8, a pixel a cell.

    `shown` (HxW) are the cells in which the print may be seen: not a tray that lies on it.
    """

    def __init__(self, print: Image, shown: Mask) -> None:
        self._print = np.asarray(print, np.float32)
        self._size = (print.shape[1], print.shape[0])
        self._shown = shown
        some = np.zeros_like(shown)
        some[::_SOME, ::_SOME] = True
        self._rows, self._columns = np.nonzero(some & shown)
        x = self._columns / self._size[0] * 2 - 1
        y = self._rows / self._size[1] * 2 - 1
        self._field = _terms(x, y)
        across, down = np.meshgrid(
            np.arange(self._size[0]) / self._size[0] * 2 - 1, np.arange(self._size[1]) / self._size[1] * 2 - 1
        )
        self._whole_field = _terms(across, down)

    def see(self, image: Image, pose: Pose) -> Lit | None:
        """How `image` (BGR, uint8) shows the sheet; None when too little of what it shows is this print."""
        seen = self._flat(image, pose)
        fit = self._fit(seen)
        if fit is None:
            return None
        light, ink = fit
        white = np.full(3, 255.0) @ ink[:3] + ink[3]
        if float(white.max()) < _DIM or float(white.min()) <= 0:
            return None
        bright = np.exp(self._whole_field @ light).astype(np.float32)
        colours = seen / (bright[..., None] * white.astype(np.float32))
        expected = ((self._print @ ink[:3].astype(np.float32) + ink[3]) / white).astype(np.float32)
        return Lit(colours, is_print(colours, expected) & self._shown, expected)

    def _flat(self, image: Image, pose: Pose) -> Floats:
        """The sheet from above, a pixel a cell (HxWx3)."""
        twice = (self._size[0] * 2, self._size[1] * 2)
        to_mm = np.array([[CELL / 2, 0, CELL / 4], [0, CELL / 2, CELL / 4], [0, 0, 1.0]])
        flat = cv2.warpPerspective(
            image, pose.matrix @ to_mm, twice, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        )
        return np.asarray(cv2.resize(flat, self._size, interpolation=cv2.INTER_AREA), np.float32)

    def _fit(self, seen: Floats) -> tuple[Floats, Floats] | None:
        """The light over the sheet (the logarithm's terms), and from drawn colours to seen ones (4x3)."""
        drawn = self._print[self._rows, self._columns].astype(float)
        there = seen[self._rows, self._columns].astype(float)
        clear = drawn.min(axis=1) > _BRIGHT
        if not clear.any():
            return None
        gain = np.median(there[clear] / drawn[clear], axis=0)
        ink = np.vstack([np.diag(gain), np.zeros(3)])
        light = np.zeros(self._field.shape[1])
        fits = clear
        for _ in range(_ROUNDS):
            expected = np.maximum(drawn @ ink[:3] + ink[3], 1.0)
            lit = fits & clear
            ratio = np.log(np.maximum(there[lit].sum(axis=1), 1.0) / expected[lit].sum(axis=1))
            field = self._field[lit]
            light = np.linalg.solve(field.T @ field + 1e-6 * np.eye(field.shape[1]), field.T @ ratio)
            bright = np.exp(self._field @ light)[:, None]
            level = there / bright
            fits = np.abs(level - expected).max(axis=1) < _FITS * 255 * gain.max() * (
                1 if fits.all() else 1.5
            )
            if fits.mean() < _LEAST or not (fits & clear).any():
                return None
            ink = self._ink(drawn[fits], level[fits], gain)
        return light, ink

    def _ink(self, drawn: Floats, level: Floats, gain: Floats) -> Floats:
        """From drawn colours to seen ones (4x3); where the print has few colours each stays for itself."""
        stiff = _STIFF * len(drawn) * 255.0**2
        inputs = np.column_stack([drawn, np.full(len(drawn), 255.0)])
        normal = inputs.T @ inputs + stiff * np.diag([1.0, 1.0, 1.0, 1.0])
        wanted = inputs.T @ level + stiff * np.vstack([np.diag(gain), np.zeros(3)])
        ink: Floats = np.linalg.solve(normal, wanted)
        ink[3] *= 255.0
        return ink


def is_print(colours: Floats, expected: Floats) -> Mask:
    """Where these colours (HxWx3, parts of white) are the print that was expected there, in some shade."""
    spot = np.ones((3, 3), np.uint8)
    # Drawn edges lie a little beside those that are seen: any colour between those around will do.
    low, high = cv2.erode(expected, spot), cv2.dilate(expected, spot)
    mask = _fits(colours, np.clip(colours, low, high), low, high)
    rows, columns = np.nonzero(~mask)
    left = (colours[rows, columns], expected[rows, columns], low[rows, columns], high[rows, columns])
    mask[rows, columns] = _fits(*left)
    return mask


def _fits(colours: Floats, nearest: Floats, low: Floats, high: Floats) -> Mask:
    """Whether colours lie between two others in that shade which brings them to the nearest one."""
    shade = _dot(colours, nearest) / np.maximum(_dot(nearest, nearest), 1e-4)
    shade = np.clip(shade, _DARKEST, _BRIGHTEST)[..., None]
    off = np.maximum(most(low * shade - colours), most(colours - high * shade))
    fits: Mask = off <= _PAPER + _SMEAR * np.minimum(most(colours), 0.5)
    return fits


def _dot(one: Floats, other: Floats) -> Floats:
    return np.asarray(np.einsum("...c,...c->...", one, other))


def _terms(x: Floats, y: Floats) -> Floats:
    """The terms of a smooth field at points of the sheet (each from -1 to 1), the last axis."""
    return np.stack([np.ones_like(x, float), x, y, x * x, x * y, y * y], axis=-1)
