"""Draws a `Drawing` as a picture of pixels."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from math import ceil
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Letters
from PIL import ImageDraw, ImageFont

from companion import fonts
from companion.games.aruco import MODULES, white_runs
from companion.games.drawing import (
    BLACK,
    WHITE,
    Circle,
    Drawing,
    Part,
    Path,
    Placed,
    Shape,
    Text,
    flattened,
    on_circle,
)
from companion.games.layout import Marker

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

_SUB = 4  # bits of sub-pixel places for the drawing functions
_FINE = 16.0  # pixels to the mm at which lines and letters have their true widths
_LARGEST = 50_000_000  # pixels of the larger picture that is drawn first and made smaller


def raster(drawing: Drawing, pixels: float, paper: str = WHITE) -> Image:
    """The drawing on paper of that colour, anti-aliased: BGR, uint8, `pixels` to the mm."""
    width, height = round(drawing.width * pixels), round(drawing.height * pixels)
    larger = max(1, ceil(_FINE / pixels))
    while larger > 1 and width * height * larger**2 > _LARGEST:
        larger -= 1
    picture: Image = np.empty((height * larger, width * larger, 3), np.uint8)
    # OpenCV fills a picture many times as fast as numpy repeats a colour.
    cv2.rectangle(picture, (0, 0), (picture.shape[1], picture.shape[0]), _bgr(paper), cv2.FILLED)
    across, down = picture.shape[1] / drawing.width, picture.shape[0] / drawing.height
    _draw(picture, drawing.shapes, np.array([[across, 0.0, 0.0], [0.0, down, 0.0]]))
    if larger == 1:
        return picture
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _draw(picture: Image, shapes: tuple[Shape, ...], fit: Floats) -> None:
    """Draw the shapes; `fit` (2x3) leads from their mm to pixels, upper left corner to upper left corner."""
    for shape in shapes:
        match shape:
            case Path():
                _path(picture, shape, fit)
            case Circle():
                _circle(picture, shape, fit)
            case Text():
                _text(picture, shape, fit)
            case Marker():
                _marker(picture, shape, fit)
            case Placed():
                _draw(picture, shape.drawing.shapes, fit @ _placing(shape))
            case Part():
                _part(picture, shape, fit)


def _placing(placed: Placed) -> Floats:
    """From the placed drawing's mm to those around it (3x3)."""
    turn = np.radians(placed.turn)
    c, s = np.cos(turn), np.sin(turn)
    moved = np.array([[c, -s, placed.at[0]], [s, c, placed.at[1]], [0, 0, 1]])
    middle = np.array([[1, 0, -placed.drawing.width / 2], [0, 1, -placed.drawing.height / 2], [0, 0, 1]])
    around: Floats = moved @ middle
    return around


def _part(picture: Image, part: Part, fit: Floats) -> None:
    """Drawn on the pixels that it may fill alone. A part is never turned."""
    ends = (part.at, (part.at[0] + part.width, part.at[1] + part.height))
    (left, top), (right, below) = np.round(_at(ends, fit)).astype(int).clip(0).tolist()
    shift = np.array(
        [[1, 0, part.at[0] - part.corner[0]], [0, 1, part.at[1] - part.corner[1]], [0, 0, 1]], float
    )
    inner = fit @ shift
    inner[:, 2] -= (left, top)
    _draw(picture[top:below, left:right], part.drawing.shapes, inner)


def _path(picture: Image, path: Path, fit: Floats) -> None:
    points = [_sub_pixels(_at(flattened(path), fit))]
    if path.fill:
        cv2.fillPoly(picture, points, _bgr(path.fill), cv2.LINE_AA, _SUB)
    if path.stroke:
        cv2.polylines(
            picture,
            points,
            path.closed,
            _bgr(path.stroke),
            # OpenCV's smooth lines come out some two pixels wider than they are asked to be.
            max(1, round(path.width * _scale(fit)) - 2),
            cv2.LINE_AA,
            _SUB,
        )


def _circle(picture: Image, circle: Circle, fit: Floats) -> None:
    around = tuple(on_circle(circle.at, circle.radius, turn) for turn in range(0, 360, 5))
    _path(picture, Path(around[0], around[1:], circle.fill, circle.stroke, circle.width), fit)


def _marker(picture: Image, marker: Marker, fit: Floats) -> None:
    left, top = marker.at[0] - marker.side / 2, marker.at[1] - marker.side / 2
    side = marker.side / MODULES

    def squares(row: int, column: int, wide: int, high: int, colour: str) -> None:
        x, y = left + column * side, top + row * side
        corners = ((x, y), (x + wide * side, y), (x + wide * side, y + high * side), (x, y + high * side))
        cv2.fillPoly(picture, [_sub_pixels(_at(corners, fit))], _bgr(colour), cv2.LINE_AA, _SUB)

    squares(0, 0, MODULES, MODULES, BLACK)
    for row, column, count in white_runs(marker.id):
        squares(row, column, count, 1, WHITE)


def _text(picture: Image, text: Text, fit: Floats) -> None:
    """The letters are drawn upright, then laid where they belong."""
    size = text.size * _scale(fit)
    if size < 1 or not text.words:
        return
    letters = _font(text.font, round(size))
    fine = letters.size / text.size  # pixels to the mm in which the letters are drawn
    left, top, right, below = letters.getbbox(text.words, anchor="ls")
    edge = 2
    mask = Letters.new("L", (ceil(right - left) + 2 * edge, ceil(below - top) + 2 * edge))
    ImageDraw.Draw(mask).text((edge - left, edge - top), text.words, fill=255, font=letters, anchor="ls")
    length = letters.getlength(text.words) / fine
    ahead = {"start": 0.0, "middle": length / 2, "end": length}[text.anchor]
    foot = np.array([[1 / fine, 0, text.at[0] - ahead], [0, 1 / fine, text.at[1]], [0, 0, 1]])
    to_foot = np.array([[1, 0, left - edge], [0, 1, top - edge], [0, 0, 1]])
    place = fit @ foot @ to_foot
    corners = _at([(x, y) for x in (0, mask.width) for y in (0, mask.height)], place)
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int), picture.shape[1::-1])
    if (low >= high).any():
        return
    place[:, 2] -= low
    # Corner to corner is not middle to middle of the first pixels.
    place[:, 2] += place[:, :2] @ (0.5, 0.5) - 0.5
    shape = (int(high[0] - low[0]), int(high[1] - low[1]))
    cover: Any = cv2.warpAffine(np.asarray(mask), place, shape, flags=cv2.INTER_LINEAR)
    share = cover[..., None].astype(np.float32) / 255
    patch = picture[low[1] : high[1], low[0] : high[0]]
    patch[:] = np.round(patch * (1 - share) + np.array(_bgr(text.colour), np.float32) * share).astype(
        np.uint8
    )


@lru_cache(maxsize=64)
def _font(font: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(BytesIO(fonts.data(font)), size, layout_engine=ImageFont.Layout.BASIC)


def _at(points: Any, fit: Floats) -> Floats:
    at: Floats = np.asarray(points, float) @ fit[:, :2].T + fit[:, 2]
    return at


def _sub_pixels(at: Floats) -> NDArray[np.int32]:
    """For OpenCV, whose whole numbers are the middles of pixels."""
    return np.asarray(np.round((at - 0.5) * 2**_SUB), np.int32)


def _scale(fit: Floats) -> float:
    return float(abs(np.linalg.det(fit[:, :2])) ** 0.5)


def _bgr(colour: str) -> tuple[int, int, int]:
    return int(colour[5:7], 16), int(colour[3:5], 16), int(colour[1:3], 16)
