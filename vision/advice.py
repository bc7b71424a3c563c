"""What would make a camera's picture easier to read, in plain words: light, glare, focus, size, corners.

Each measure is taken on the picture itself, so that it holds in any room:

* Light. A camera sets its exposure by what is bright. Where even the brightest half per cent stays dim there
  is too little light; where much of the picture is white to the last level there is too much. A dark cloth
  alone is neither.
* Glare is one large spot of that white.
* Focus. Across a sharp edge the brightness changes within two or three pixels, however strong the edge is.
  How wide the strongest edges are is therefore a measure of the lens and not of what lies there. It
  counts as a part of a die's side, since pips blur into one another at a certain part of it; where nothing
  was read, as a part of the picture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.games.layout import TableMap
from vision.pose import Pose
from vision.tapped import Standing

Image = NDArray[np.uint8]
Floats = NDArray[Any]

_SIDE = 640  # pixels along the longer side of the picture in which light, and focus as a whole, are measured
_WHITE = 250  # of 255: nothing is told apart any more from here on
_BRIGHTEST = 99.5  # per cent of the picture are darker than its brightest part
_DIM = 75.0  # of 255: that part is so dark in too little light, in the brightest of its colours
_BURNT = 0.15  # of the picture is white: too much light
_SPOT = 0.015  # of the picture is one white spot: glare
_CONTRAST = 25.0  # of 255: an edge
_STRONG = 0.6  # of the steepest edge: these are the strongest
_FEW = 4  # edges that tell too little
_SOFT = 5.6  # pixels of _SIDE that the strongest edges of a whole picture out of focus are wide
_WINDOW = 25  # pixels of _SIDE around an edge in which its dark and its bright side lie
_SOFT_DIE = 0.14  # of a die's side that the strongest edges of dice out of focus are wide
_BESIDE = 0.15  # of a die's side around it that shows its own edges
_DIE_WINDOW = 0.45  # of a die's side
_ALL_OF_DIE = 1.6  # times the size of its upper face
_SMALL_DIE = 18.0  # pixels along a die's side
_SMALL_MARKER = 20.0  # pixels along a marker's side
_ENOUGH = 3  # corners of the sheet that tell where it lies


class Advice(Struct, frozen=True):
    """What is not as it should be in a picture, and what people can do about it, both in words."""

    words: str
    cure: str


def of_light(image: Image, dice: Sequence[Floats] = ()) -> list[Advice]:
    """Whether there is too little or too much light in `image` (BGR, uint8, HxWx3), or glare.

    White `dice` that were read (corners, 4x2 pixels) are no glare.
    """
    small = _small(image)
    if not small.size:
        return []
    if float(np.percentile(small.max(axis=2), _BRIGHTEST)) < _DIM:
        return [Advice("The picture is too dark.", "Put on more light over the table.")]
    white = (small.min(axis=2) >= _WHITE).astype(np.uint8)
    if float(white.mean()) > _BURNT:
        words = "The picture is too bright: much of it is plain white."
        return [Advice(words, "Turn the lamp away, draw a curtain, or use less light.")]
    shrunk = small.shape[1] / image.shape[1]
    cv2.fillPoly(white, [np.rint(_grown(corners) * shrunk).astype(np.int32) for corners in dice], (0,))
    count, _, spots, middles = cv2.connectedComponentsWithStats(white)
    if count > 1:
        largest = 1 + int(np.argmax(spots[1:, cv2.CC_STAT_AREA]))
        if spots[largest, cv2.CC_STAT_AREA] > _SPOT * white.size:
            where = _part(middles[largest], small.shape)
            words = f"Something {where} of the picture is plain white: glare, or too much light."
            cure = "Turn the lamp away or move it aside, or lay a cloth there that does not shine."
            return [Advice(words, cure)]
    return []


def of_focus(image: Image, dice: Sequence[Floats]) -> list[Advice]:
    """Whether `image` is out of focus: at the dice read in it (corners, 4x2 pixels), without any as a whole.

    `image` is BGR, uint8, HxWx3.
    """
    cure = "Wipe the lens, turn its ring until the picture here is sharp, and hold the camera still."
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.size else image[..., 0]
    widths = [width for corners in dice if (width := _softness(grey, corners)) is not None]
    if widths:
        if float(np.median(widths)) > _SOFT_DIE:
            return [Advice("The dice are out of focus.", cure)]
        return []
    small = _small(image)
    if not small.size:
        return []
    width = _edge_width(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8), _WINDOW)
    if width is not None and width > _SOFT:
        # A bare table may have nothing sharp on it.
        first = "Lay dice or the sheet under the camera. If they are blurred as well:"
        return [Advice("Nothing in the picture is sharp.", f"{first} {cure[:1].lower()}{cure[1:]}")]
    return []


def of_dice(dice: Sequence[Floats]) -> list[Advice]:
    """Whether the dice read in a picture (corners, 4x2 pixels of the whole picture) are too small."""
    sides = [side(corners) for corners in dice]
    if not sides or min(sides) >= _SMALL_DIE:
        return []
    words = (
        f"The dice are small in the picture: {round(min(sides))} pixels, where {_SMALL_DIE:.0f} are enough."
    )
    return [Advice(words, "Hang the camera lower, or use larger dice.")]


def of_sheet(
    map: TableMap, found: Mapping[int, Floats], pose: Pose | None, size: tuple[int, int], seen_before: bool
) -> list[Advice]:
    """What keeps the printed sheet of that map from being read in a picture of that size (across, down).

    `found` are the markers seen, by id, `pose` is where the sheet lies, None where that cannot be told;
    `seen_before` whether it could be earlier. Without any corner in sight there is no sheet to advise on.
    """
    missing = [corner for corner in map.corners if corner.id not in found]
    seen = len(map.corners) - len(missing)
    if pose is not None:
        sides = [token.side * pose.scale(size) for token in map.tokens]
        if sides and min(sides) < _SMALL_MARKER:
            words = (
                f"The markers on the pieces are small in the picture: {round(min(sides))} pixels, where "
                f"{_SMALL_MARKER:.0f} are enough."
            )
            return [Advice(words, "Hang the camera lower, so that the sheet fills the picture.")]
        return []
    if seen >= _ENOUGH:
        words = "The corners of the sheet do not fit one another."
        cure = "Lay the sheet flat, its parts edge to edge as printed, with one sheet only in the picture."
        return [Advice(words, cure)]
    if seen == 0 and not seen_before:
        return []
    names = _listed([_corner(corner.at, map) for corner in missing])
    moved = "The camera or the sheet has moved, or something covers it: of " if seen_before else "Of "
    words = f"{moved}the sheet's {len(map.corners)} corners {seen} {'is' if seen == 1 else 'are'} seen."
    cure = f"Turn the camera until all of the sheet is in the picture, and leave its corners free: {names}."
    return [Advice(words, cure)]


def of_taps(standing: Standing | None) -> list[Advice]:
    """What keeps corners that people have tapped from being gone by; nothing where that is not needed."""
    again = "set the corners again: Menu, Camera, Set the corners."
    if standing == "moved":
        words = "The camera, or what lies under it, has moved since the corners were set."
        return [Advice(words, f"S{again[1:]}")]
    if standing == "resized":
        return [Advice("The corners were set in pictures of another size.", f"S{again[1:]}")]
    if standing == "hidden":
        words = "The table does not look as it did around the corners that were set."
        return [Advice(words, f"Take away what covers them. If the camera has moved, {again}")]
    return []


def side(corners: Floats) -> float:
    """Side of a square as large as that face (corners, 4x2), in its pixels."""
    return float(np.sqrt(cv2.contourArea(np.asarray(corners, np.float32))))


def _grown(corners: Floats) -> Floats:
    """A face with the sides of its die that may show beside it."""
    middle = corners.mean(axis=0)
    grown: Floats = middle + (corners - middle) * _ALL_OF_DIE
    return grown


def _softness(grey: NDArray[Any], corners: Floats) -> float | None:
    """How wide the strongest edges of a die are, as a part of its side; None where it has too few of them."""
    length = side(corners)
    low = np.maximum(np.floor(corners.min(axis=0) - _BESIDE * length), 0).astype(int)
    high = np.ceil(corners.max(axis=0) + _BESIDE * length).astype(int)
    width = _edge_width(grey[low[1] : high[1], low[0] : high[0]], int(_DIE_WINDOW * length) | 1)
    return None if width is None else width / length


def _edge_width(grey: NDArray[Any], window: int) -> float | None:
    """How many pixels the strongest edges take from dark to bright; None where there are too few.

    The difference within a window around an edge, divided by how steeply it rises.
    """
    if min(grey.shape) < 3:
        return None
    smooth = cv2.GaussianBlur(grey, (0, 0), 0.8).astype(np.float32)
    across = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8)
    steep = cv2.magnitude(across, down)
    around = np.ones((window, window), np.uint8)
    contrast = cv2.dilate(smooth, around) - cv2.erode(smooth, around)
    edges = (steep >= cv2.dilate(steep, np.ones((5, 5), np.uint8))) & (contrast > _CONTRAST) & (steep > 0)
    if int(np.count_nonzero(edges)) < _FEW:
        return None
    slopes, heights = steep[edges], contrast[edges]
    strong = slopes >= _STRONG * slopes.max()
    return float(np.median(heights[strong] / slopes[strong]))


def _small(image: Image) -> Image:
    shrink = _SIDE / max(*image.shape[:2], 1)
    if shrink >= 1 or not image.size:
        return image
    return np.asarray(cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)


def _part(middle: Sequence[float] | Floats, shape: tuple[int, ...]) -> str:
    """In which part of a picture of that shape (height, width) that point lies."""
    across = ("on the left", "in the middle", "on the right")[min(int(3 * middle[0] / shape[1]), 2)]
    down = ("at the top", "", "at the bottom")[min(int(3 * middle[1] / shape[0]), 2)]
    if across == "in the middle":
        return down or across
    return f"{down} {across}".strip()


def _corner(at: Sequence[float], map: TableMap) -> str:
    down = "upper" if at[1] < map.height / 2 else "lower"
    return f"{down} {'left' if at[0] < map.width / 2 else 'right'}"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
