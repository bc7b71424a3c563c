"""Photographs of cards as an owner takes them with a phone: one card, upright, on something dark."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.emulated.cutouts import Image
from companion.emulated.ground import printed, wood
from companion.emulated.viewpoint import over
from companion.games.drawing import Drawing

_SIZE = (1000, 750)
_SHOWN = 2.6  # cards across that such a picture would hold
_PIXELS = 6.0  # pixels to the mm in which the card and what it lies on are drawn
_DARK = 0.45  # what is left of the wood's brightness
_TILT = 6.0  # degrees by which the phone leans at most,
_ASKEW = 4.0  # and by which the card lies askew
_NOISE = 2.5
_QUALITY = 88


def photograph(drawing: Drawing, seed: int) -> Image:
    """A picture (BGR, uint8) of the card with that face; `seed` chooses the lamp and how it is held."""
    chance = np.random.default_rng(seed)
    wide = _SHOWN * max(drawing.width, drawing.height)
    sheet = (wide, wide * _SIZE[1] / _SIZE[0])
    flat = wood(round(sheet[0] * _PIXELS), round(sheet[1] * _PIXELS), chance) * np.float32(_DARK)
    card = printed(drawing, _PIXELS)
    middle = np.array(flat.shape[1::-1]) / 2 + chance.uniform(-3, 3, 2) * _PIXELS
    half = ((card.shape[1] - 1) / 2, (card.shape[0] - 1) / 2)
    laid = cv2.getRotationMatrix2D(half, float(chance.uniform(-_ASKEW, _ASKEW)), 1.0)
    laid[:, 2] += middle - half
    size = (flat.shape[1], flat.shape[0])
    cover = cv2.warpAffine(np.full(card.shape[:2], 255, np.uint8), laid, size)[..., None] / np.float32(255)
    flat = flat * (1 - cover) + cv2.warpAffine(card, laid, size) * cover
    view = over(
        *sheet,
        _SIZE,
        tilt=float(chance.uniform(0, _TILT)),
        way=float(chance.uniform(0, 360)),
        margin=-0.05,
    )
    to_mm = np.array([[1 / _PIXELS, 0, 0.5 / _PIXELS], [0, 1 / _PIXELS, 0.5 / _PIXELS], [0, 0, 1.0]])
    seen = cv2.warpPerspective(flat, view.homography() @ to_mm, _SIZE, borderMode=cv2.BORDER_REPLICATE)
    tint = np.array((chance.uniform(0.85, 1.0), chance.uniform(0.93, 1.0), 1.0)) * chance.uniform(0.7, 1.05)
    slope = np.linspace(chance.uniform(0.85, 1.0), chance.uniform(0.9, 1.05), _SIZE[0])
    seen = cv2.GaussianBlur(seen * tint * slope[None, :, None], (0, 0), 1.0)
    return np.asarray(np.clip(seen + chance.normal(0, _NOISE, seen.shape), 0, 255), np.uint8)


def keep(picture: Image, file: Path) -> None:
    """Write it as phones keep their pictures; OSError when it cannot be written."""
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    file.write_bytes(data.tobytes())
