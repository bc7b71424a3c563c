"""Draws the printed sheet of a table map, and the wood that it lies on, flat and at a fixed scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Place, Point, TableMap

Image = NDArray[np.uint8]
Floats = NDArray[Any]
Colour = tuple[float, float, float]

PIXELS = 2.0
"""Pixels of the flat drawing to a mm of the sheet."""

SURROUND = 260.0
"""Mm of bare table drawn on each side of the sheet."""

DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
_BITS = 5 + 2  # the code and its black frame
_SUB = 4  # bits of sub-pixel places for the drawing functions

PAPER: Colour = (52, 44, 58)
LINE: Colour = (120, 160, 190)
INK: Colour = (40, 36, 44)
LOOKS: dict[str, Colour] = {
    "start": (150, 186, 208),
    "safe": (198, 214, 224),
    "blessing": (206, 160, 96),
    "torment": (62, 58, 64),
    "draw": (158, 158, 156),
    "sin": (168, 84, 132),
    "escape": (104, 196, 238),
}
OTHER: Colour = (190, 200, 205)
FELT: Colour = (86, 108, 62)
RIM: Colour = (44, 70, 104)


def marker_picture(id: int, pixels: int) -> Image:
    """A marker's black square (pixels x pixels, grey), without its white rim."""
    return np.asarray(cv2.aruco.generateImageMarker(DICTIONARY, id, pixels), np.uint8)


def draw_table(map: TableMap, seed: int) -> Image:
    """The sheet on its wooden table, from straight above, `PIXELS` to the mm, `SURROUND` around."""
    chance = np.random.default_rng(seed)
    width = round((map.width + 2 * SURROUND) * PIXELS)
    height = round((map.height + 2 * SURROUND) * PIXELS)
    table = wood(width, height, chance)
    corner = np.array([SURROUND, SURROUND])
    edge = _box(0, 0, map.width, map.height)
    _shade(table, edge, corner, (5, 7), 9, 0.55)
    _fill(table, edge, corner, PAPER)
    left = top = round(SURROUND * PIXELS)
    sheet = table[top : top + round(map.height * PIXELS), left : left + round(map.width * PIXELS)]
    _vignette(sheet)
    _tray(sheet, map.tray)
    for place in map.places:
        _place(sheet, place)
    for marker in map.corners:
        rim = marker.side * (1 + 2 / _BITS)
        x, y = marker.at
        _fill(sheet, _box(x - rim / 2, y - rim / 2, rim, rim), np.zeros(2), (238, 240, 240))
        _stamp(sheet, marker.id, marker.at, marker.side)
    grain = chance.normal(0, 2.2, sheet.shape[:2]).astype(np.float32)
    sheet[:] = np.clip(sheet + cv2.GaussianBlur(grain, (0, 0), 0.8)[..., None] * 1.6, 0, 255).astype(np.uint8)
    return table


def wood(width: int, height: int, chance: np.random.Generator) -> Image:
    """Planks along x, each of its own tone, with grain drawn out along them."""
    small = (width // 4, height // 4)
    grain = np.zeros((small[1], small[0]), np.float32)
    for along, across, weight in ((60, 1.2, 9.0), (24, 0.5, 5.0), (120, 5, 8.0)):
        rough = chance.normal(0, 1, (small[1], small[0])).astype(np.float32)
        layer = cv2.GaussianBlur(rough, (0, 0), sigmaX=along / 4, sigmaY=across)
        grain += weight * layer / max(float(layer.std()), 1e-6)
    plank = round(105 * PIXELS / 4)
    tone = np.zeros(small[1], np.float32)
    for top in range(0, small[1], plank):
        tone[top : top + plank] = chance.normal(0, 7)
        tone[top : top + 1] -= 30
    shade = grain * 0.8 + tone[:, None]
    base = np.array((84, 122, 164), np.float32)
    wood = base + shade[..., None] * np.array((0.75, 0.9, 1.0), np.float32)
    small_picture = np.clip(wood, 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(small_picture, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


def _vignette(sheet: Image) -> None:
    """The print's own picture: an ember glow that rises from the sheet's lower edge."""
    height, width = sheet.shape[:2]
    down = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    across = np.abs(np.linspace(-1, 1, width, dtype=np.float32))[None, :]
    glow = np.clip(down**2 * (1 - 0.6 * across**2), 0, 1)[..., None]
    ember = np.array((34, 52, 150), np.float32)
    sheet[:] = (sheet * (1 - 0.62 * glow) + ember * 0.62 * glow).astype(np.uint8)


def _tray(sheet: Image, tray: Place) -> None:
    outline = np.array(tray.outline)
    middle = outline.mean(axis=0)
    zero = np.zeros(2)
    for out, colour in ((9.0, (24, 36, 54)), (8.0, RIM), (3.0, (30, 48, 72))):
        away = np.sign(outline - middle) * out
        _fill(sheet, outline + away, zero, colour)
    _fill(sheet, outline, zero, FELT)
    left, top = (outline.min(axis=0) * PIXELS).astype(int)
    right, low = (outline.max(axis=0) * PIXELS).astype(int)
    felt = sheet[top:low, left:right]
    nap = np.random.default_rng(7).normal(0, 5, felt.shape[:2]).astype(np.float32)
    felt[:] = np.clip(felt + cv2.GaussianBlur(nap, (0, 0), 1.1)[..., None] * 2, 0, 255).astype(np.uint8)


def _place(sheet: Image, place: Place) -> None:
    outline = np.array(place.outline)
    middle = outline.mean(axis=0)
    zero = np.zeros(2)
    inset = outline - np.sign(outline - middle) * 1.6
    colour = LOOKS.get(place.look, OTHER)
    _shade(sheet, inset, zero, (0.6, 1.2), 1.2, 0.5)
    _fill(sheet, inset, zero, tuple(0.55 * a + 0.45 * b for a, b in zip(colour, LINE, strict=True)))
    _fill(sheet, outline - np.sign(outline - middle) * 2.6, zero, colour)
    lines = place.label.split()
    room = float(np.ptp(outline[:, 0])) - 10
    ink = INK if sum(colour) > 330 else (206, 214, 222)
    size = 8.5 if max(map(len, lines), default=0) < 4 else 6.5
    low = float(outline[:, 1].max())
    for index, line in enumerate(reversed(lines)):
        _write(sheet, line, (middle[0], low - 6 - index * size * 1.3), size, room, ink)


def _write(sheet: Image, text: str, at: Sequence[float], size: float, room: float, ink: Colour) -> None:
    """A line of text, `size` mm high and at most `room` mm wide, its foot's middle at that point."""
    font, weight = cv2.FONT_HERSHEY_DUPLEX, 1
    (wide, high), _ = cv2.getTextSize(text, font, 1.0, weight)
    scale = min(size * PIXELS / high, room * PIXELS / wide)
    (wide, _), _ = cv2.getTextSize(text, font, scale, weight)
    foot = (round(at[0] * PIXELS - wide / 2), round(at[1] * PIXELS))
    cv2.putText(sheet, text, foot, font, scale, ink, weight, cv2.LINE_AA)


def _stamp(sheet: Image, id: int, at: Point, side: float) -> None:
    pixels = round(side * PIXELS)
    left, top = round((at[0] - side / 2) * PIXELS), round((at[1] - side / 2) * PIXELS)
    code = marker_picture(id, pixels)
    sheet[top : top + pixels, left : left + pixels] = (24 + code * (214 / 255))[..., None].astype(np.uint8)


def _box(x: float, y: float, width: float, height: float) -> NDArray[np.float64]:
    return np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])


def _fill(
    picture: Image, outline: NDArray[np.float64], corner: NDArray[np.float64], colour: Sequence[float]
) -> None:
    at = np.round(((outline + corner) * PIXELS - 0.5) * 2**_SUB).astype(np.int32)
    cv2.fillConvexPoly(picture, at, tuple(colour), cv2.LINE_AA, _SUB)


def _shade(
    picture: Image,
    outline: NDArray[np.float64],
    corner: NDArray[np.float64],
    shift: Point,
    blur: float,
    depth: float,
) -> None:
    """A soft shadow (mm) of that outline."""
    at = (outline + corner + np.array(shift)) * PIXELS
    reach = round(3 * blur * PIXELS)
    low = np.maximum(np.floor(at.min(axis=0)).astype(int) - reach, 0)
    high = np.minimum(np.ceil(at.max(axis=0)).astype(int) + reach, picture.shape[1::-1])
    mask: Any = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
    cv2.fillConvexPoly(mask, np.round(at - low).astype(np.int32), 1.0, cv2.LINE_AA)
    mask = cv2.GaussianBlur(mask, (0, 0), blur * PIXELS)
    patch = picture[low[1] : high[1], low[0] : high[0]]
    patch[:] = (patch * (1 - depth * mask[..., None])).astype(np.uint8)
