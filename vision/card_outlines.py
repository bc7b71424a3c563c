"""Finds outlines of cards in a picture of a table: quadrangles with straight sides.

Edges are looked for in lightness and in both colours, since a card may differ from the table in
one of them alone. Every closed line that is a quadrangle is an outline: of a card, of a frame
printed on it, of a picture inside the frame. Which of them is a card is for those who know the
cards to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Corners = NDArray[np.float32]
"""A quadrangle: 4x2, pixels, clockwise."""

LONG_SIDE = 1200
"""Pixels of the longer side of the picture in which outlines are looked for."""

SMALLEST = 24.0
"""Shorter side of the smallest outline, in those pixels: of a smaller card nothing can be read."""

_SMOOTH = 1.2  # pixels; finer lines are print or grain
_CHROMA = 2.5  # how much a step of colour counts, in steps of lightness
_EDGES = ((30, 80), (80, 200))  # weak and strong gradients: a faint rim, and one amid a pattern
_SAME = 0.9  # common area, of both together, from which two outlines are one
_SIDE = (0.12, 0.88)  # the part of a side without its rounded corners
_OFF = 0.04  # how far from its side a point of the outline may lie, in lengths of the side
_DRAWN = 0.7  # how much of each side must be there
_STEPS = 20  # parts of a side that are drawn or not
_POINTS = 600  # of a closed line that are looked at
_BENT = 2.5  # pixels that a line may be off and still is straight
_STRAIGHT = -0.97  # cosine of an angle that is none
_SQUARE = 0.5  # cosine of the angle at which a card's sides meet, seen from a slant
_FULL = 0.85  # how much of the quadrangle the closed line must fill
_COARSER = (0.015, 0.02, 0.03, 0.04, 0.06, 0.08)  # of its length: how much a line may be simplified


@dataclass(frozen=True)
class Traces:
    """What is drawn in a picture: outlines, the largest first, and square bends of other lines.

    A bend is a place (x, y, pixels) at which two straight lines meet about as the sides of a card
    do, and the length of the shorter one. A card that others cover has bends, if it has no outline.
    """

    outlines: list[Corners]
    bends: list[tuple[float, float, float]]


def trace(image: Image) -> Traces:
    """Outlines and bends in `image` (BGR, uint8, HxWx3), each outline once."""
    height, width = image.shape[:2]
    scale = min(1.0, LONG_SIDE / max(height, width, 1))
    if min(height, width) * scale < SMALLEST:
        return Traces([], [])
    work = image
    if scale < 1:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        work = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    zoom = np.array([width / work.shape[1], height / work.shape[0]])
    quads: list[Corners] = []
    bends: list[tuple[float, float, float]] = []
    for drawing in _drawings(work):
        lines, _ = cv2.findContours(drawing, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for line in lines:
            if len(line) < 4 * SMALLEST or min(cv2.boundingRect(line)[2:]) < SMALLEST:
                continue
            quad = _quadrangle(line)
            if quad is None:
                bends += _bends(line)
            elif min(sides(quad)) >= SMALLEST:
                quads.append(quad)
    return Traces(
        _once([((quad + 0.5) * zoom - 0.5).astype(np.float32) for quad in quads]),
        [(x * zoom[0], y * zoom[1], arm * float(zoom.mean())) for x, y, arm in bends],
    )


def find_outlines(image: Image) -> list[Corners]:
    """Outlines in `image` (BGR, uint8, HxWx3), the largest first, each once; corners in its pixels."""
    return trace(image).outlines


def divide(outline: Corners, across: int, down: int) -> list[Corners]:
    """The outline in equal parts, as it is seen: `across` from its first side's start, `down` from there."""
    unit = np.array([[0, 0], [across, 0], [across, down], [0, down]], np.float32)
    place = cv2.getPerspectiveTransform(unit, outline)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    return [
        np.asarray(
            cv2.perspectiveTransform(np.add(corners, (x, y))[None].astype(np.float32), place)[0], np.float32
        )
        for y in range(down)
        for x in range(across)
    ]


def clockwise(quad: Corners) -> Corners:
    """The same corners, clockwise as seen in the picture."""
    middle = quad.mean(axis=0)
    return quad[np.argsort(np.arctan2(quad[:, 1] - middle[1], quad[:, 0] - middle[0]))]


def sides(quad: Corners) -> tuple[float, float]:
    """Mean length in pixels of the first and third side, and of the second and fourth."""
    lengths = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    return float(lengths[0] + lengths[2]) / 2, float(lengths[1] + lengths[3]) / 2


def common(one: Corners, other: Corners) -> float:
    """Area in square pixels that two outlines have in common."""
    low, high = np.maximum(one.min(axis=0), other.min(axis=0)), np.minimum(one.max(axis=0), other.max(axis=0))
    if (low >= high).any():
        return 0.0
    area, _ = cv2.intersectConvexConvex(one, other)
    return float(area)


def _drawings(work: Image) -> list[Image]:
    """Line drawings of the picture: edges of lightness, of each colour, and of all together."""
    lab = cv2.cvtColor(work, cv2.COLOR_BGR2LAB)
    gradients = []
    for channel, gain in ((0, 1.0), (1, _CHROMA), (2, _CHROMA)):
        smooth = cv2.GaussianBlur(lab[..., channel], (0, 0), _SMOOTH)
        gradients.append(
            (
                cv2.Sobel(smooth, cv2.CV_16S, 1, 0, scale=gain),
                cv2.Sobel(smooth, cv2.CV_16S, 0, 1, scale=gain),
            )
        )
    drawn: list[Image] = []
    for low, high in _EDGES:
        lightness, red, yellow = (
            np.asarray(cv2.Canny(across, down, low, high, L2gradient=True), np.uint8)
            for across, down in gradients
        )
        drawn += [lightness, red, yellow, lightness | red | yellow]
    bridge = np.ones((3, 3), np.uint8)
    return [np.asarray(cv2.morphologyEx(lines, cv2.MORPH_CLOSE, bridge), np.uint8) for lines in drawn]


def _quadrangle(line: NDArray[Any]) -> Corners | None:
    """The quadrangle that a closed line is, rounded corners and gaps aside; None if it is another figure."""
    hull = cv2.convexHull(line)
    length = cv2.arcLength(hull, True)
    corners = hull
    for coarser in _COARSER:
        corners = cv2.approxPolyDP(hull, coarser * length, True)
        if len(corners) <= 4:
            break
    if len(corners) != 4:
        return None
    area = cv2.contourArea(hull)
    if area < _FULL * cv2.contourArea(corners):
        return None
    rough = np.asarray(corners, np.float32).reshape(4, 2)
    points = np.asarray(line, np.float32).reshape(-1, 2)
    points = points[:: max(1, len(points) // _POINTS)]
    borders = []
    for start, end in zip(rough, np.roll(rough, -1, axis=0), strict=True):
        border = _border(points, start, end)
        if border is None:
            return None
        borders.append(border)
    return _crossings(borders, area)


def _corner(points: Corners) -> tuple[Corners, Corners]:
    """For each point of a closed line: the cosine of its angle, and the shorter way to a neighbour."""
    back, on = np.roll(points, 1, axis=0) - points, np.roll(points, -1, axis=0) - points
    one, other = np.hypot(*back.T), np.hypot(*on.T)
    return (back * on).sum(axis=1) / np.maximum(one * other, 1e-6), np.minimum(one, other)


def _bends(line: NDArray[Any]) -> list[tuple[float, float, float]]:
    """The square bends of a line: where (x, y), and the length of the shorter arm."""
    points = cv2.approxPolyDP(line, _BENT, True).reshape(-1, 2).astype(np.float32)
    # A long side that wavers is one side.
    points = points[_corner(points)[0] > _STRAIGHT]
    if len(points) < 3:
        return []
    cosine, arm = _corner(points)
    square = (np.abs(cosine) < _SQUARE) & (arm >= SMALLEST)
    return [
        (float(x), float(y), float(length))
        for (x, y), length in zip(points[square], arm[square], strict=True)
    ]


def _border(points: Corners, start: Corners, end: Corners) -> tuple[float, float, float] | None:
    """The line a x + b y = c through the points along one side; None where too little of it is drawn."""
    way = end - start
    length = float(np.hypot(*way))
    if length < SMALLEST / 3:
        return None
    along = (points - start) @ way / length**2
    off = (points - start) @ np.array([-way[1], way[0]]) / length
    on = (along > _SIDE[0]) & (along < _SIDE[1]) & (np.abs(off) < max(3.0, _OFF * length))
    steps = np.count_nonzero(np.bincount((along[on] * _STEPS).astype(int)))
    if steps < _DRAWN * _STEPS * (_SIDE[1] - _SIDE[0]):
        return None
    dx, dy, x, y = (float(part) for part in cv2.fitLine(points[on], cv2.DIST_L2, 0, 0.01, 0.01).ravel())
    return dy, -dx, dy * x - dx * y


def _crossings(borders: list[tuple[float, float, float]], area: float) -> Corners | None:
    """Where the four borders meet; None if they make no quadrangle that is about `area` large."""
    corners = []
    for one, other in zip(borders[-1:] + borders[:-1], borders, strict=True):
        slopes = np.array([one[:2], other[:2]])
        if abs(np.linalg.det(slopes)) < 0.2:
            return None
        corners.append(np.linalg.solve(slopes, [one[2], other[2]]))
    quad = np.array(corners, np.float32)
    if not cv2.isContourConvex(quad) or area < _FULL * cv2.contourArea(quad):
        return None
    return clockwise(quad)


def _once(quads: list[Corners]) -> list[Corners]:
    """Without those that another drawing shows too."""
    kept: list[Corners] = []
    areas: list[float] = []
    boxes: list[Corners] = []
    for quad in sorted(quads, key=lambda quad: -cv2.contourArea(quad)):
        area = cv2.contourArea(quad)
        box = np.concatenate([quad.min(axis=0), quad.max(axis=0)])
        near = np.abs(np.array(boxes).reshape(-1, 4) - box).max(axis=1) < np.sqrt(area) / 5
        if all(
            common(quad, kept[place]) < _SAME * (area + areas[place]) / (1 + _SAME)
            for place in np.flatnonzero(near)
        ):
            kept.append(quad)
            areas.append(area)
            boxes.append(box)
    return kept
