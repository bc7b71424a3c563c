"""What is compared of two pictures of cards: a thumbnail, local features, and the print itself.

A card's picture is brought to one area first, whatever its shape: `upright_size`. The thumbnail
says which cards it may be; features (ORB) lay one picture over the other; then two witnesses say
whether they are the same card. `spread`: how much of the known card has features that were found
again. `agreement`: how much of its print looks alike, place by place. A card of the same deck has
the same frame and often the same title bar, so it agrees in parts; the same card agrees all over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[Any]

AREA = 300 * 420
"""Square pixels to which a card's picture is brought."""

FEATURES = 500
"""Most features of one card."""

THUMBNAIL = (16, 22)
CELLS = (4, 6)
"""Parts of a card, across and down, in which found features are counted."""

_PRINT = 48 * 67  # square pixels of the small picture whose print is compared
_CHROMA = (1.0, 1.5, 1.5)  # how much lightness and the two colours count in print
_WINDOW = 9  # side of one place in print
_GRAIN = 2.0  # contrast that every picture has, in steps of lightness
_PLAIN, _RICH = 3.0, 20.0  # contrast that begins to count, and that counts no more for being more
_ALIKE = 0.5  # correlation from which a place looks alike
_NEAREST, _RATIO = 70, 0.8  # bits between two features of a kind; and to the next best
_RIM = 0.1  # part of a print's width and height at each side by which it is not aligned
_SOFT = 3  # pixels of smoothing while prints are aligned
_FEWEST = 6  # pairs under which no picture is laid over another
OFF = 8.0  # pixels that paired features may lie apart


@dataclass(frozen=True)
class Features:
    """Local features, the strongest first: where they lie (Nx2, pixels), their ORB descriptors (Nx32)."""

    points: Floats
    descriptors: Image

    def __len__(self) -> int:
        return len(self.points)


@dataclass(frozen=True)
class Overlay:
    """How one picture lies over a known one: transform (3x3), and where features met (Nx2, known pixels)."""

    transform: Floats
    met: Floats


def upright_size(width: float, height: float) -> tuple[int, int]:
    """Width and height in pixels of a card of that shape, brought to AREA."""
    scale = float(np.sqrt(AREA / (width * height)))
    return max(16, round(width * scale)), max(16, round(height * scale))


def rectify(image: Image, corners: Floats, size: tuple[int, int]) -> tuple[Image, Floats]:
    """The card inside `corners` (4x2) as a picture of `size`, and the transform (3x3) that made it."""
    width, height = size
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    transform = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), frame)
    return warp(image, transform, size), transform


def warp(image: Image, transform: Floats, size: tuple[int, int]) -> Image:
    """The part of `image` that `transform` brings to a picture of `size`; what is outside is black."""
    # Without smoothing first, a large card made small would be full of moiré.
    frame = np.array([[[0, 0]], [[size[0], 0]], [[size[0], size[1]]], [[0, size[1]]]], np.float32)
    back = cv2.perspectiveTransform(frame, np.linalg.inv(transform))
    shrink = float(np.sqrt(max(cv2.contourArea(back), 1.0) / (size[0] * size[1])))
    if shrink > 2:
        low = np.maximum(np.floor(back.reshape(4, 2).min(axis=0)).astype(int) - 2, 0)
        high = np.ceil(back.reshape(4, 2).max(axis=0)).astype(int) + 2
        part = image[low[1] : high[1], low[0] : high[0]]
        if part.size:
            reduced = (max(1, round(part.shape[1] / shrink)), max(1, round(part.shape[0] / shrink)))
            fx, fy = reduced[0] / part.shape[1], reduced[1] / part.shape[0]
            to_image = np.array(
                [[1 / fx, 0, low[0] + 0.5 / fx - 0.5], [0, 1 / fy, low[1] + 0.5 / fy - 0.5], [0, 0, 1]]
            )
            image = np.asarray(cv2.resize(part, reduced, interpolation=cv2.INTER_AREA), np.uint8)
            transform = transform @ to_image
    return np.asarray(cv2.warpPerspective(image, transform, size, flags=cv2.INTER_LINEAR), np.uint8)


def thumbnail(picture: Image) -> Floats:
    """A card's colours on a coarse grid, freed of the light's strength and tint: a vector of length 1."""
    small = cv2.resize(picture, THUMBNAIL, interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32)
    lab -= lab.mean(axis=(0, 1))
    lab[..., 1:] *= 2
    vector = lab.ravel()
    return vector / max(float(np.linalg.norm(vector)), 1e-6)


def find_features(picture: Image, most: int = FEATURES, mask: Image | None = None) -> Features:
    """The strongest local features of `picture` (BGR), at most `most`, none where `mask` is 0."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    # Not shared: a detector serves one thread at a time, and is made in no time.
    points, descriptors = cv2.ORB.create(most, edgeThreshold=15, fastThreshold=8).detectAndCompute(grey, mask)
    if not points:
        return Features(np.zeros((0, 2), np.float32), np.zeros((0, 32), np.uint8))
    strongest = np.argsort([-point.response for point in points], kind="stable")
    places = np.array(cv2.KeyPoint.convert(points), np.float32)
    return Features(places[strongest], np.asarray(descriptors, np.uint8)[strongest])


def overlay(seen: Features, known: Features) -> Overlay | None:
    """Lay the seen features over the known ones; None when too few agree on how."""
    if min(len(seen), len(known)) < _FEWEST:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(seen.descriptors, known.descriptors, k=2)
    kept = [one for one, other in pairs if one.distance < _RATIO * other.distance and one.distance < _NEAREST]
    return lay(seen.points[[pair.queryIdx for pair in kept]], known.points[[pair.trainIdx for pair in kept]])


def lay(seen: Floats, known: Floats) -> Overlay | None:
    """The transform that brings most of the paired points (Nx2 each) together; None when too few agree."""
    if len(seen) < _FEWEST:
        return None
    transform, kept = cv2.findHomography(seen, known, cv2.RANSAC, OFF, maxIters=500, confidence=0.995)
    if transform is None or np.linalg.det(transform[:2, :2]) <= 0:
        return None
    met = known[np.asarray(kept).ravel() > 0]
    return Overlay(np.asarray(transform), met) if len(met) >= _FEWEST else None


def count_cells(points: Floats, size: tuple[int, int]) -> Floats:
    """How many of the points (Nx2, pixels of a card of `size`) lie in each of CELLS: rows of columns."""
    counted, _, _ = np.histogram2d(
        points[:, 1], points[:, 0], (CELLS[1], CELLS[0]), ((-0.5, size[1] - 0.5), (-0.5, size[0] - 0.5))
    )
    return counted


def print_size(size: tuple[int, int]) -> tuple[int, int]:
    """Width and height in pixels of the small picture whose print is compared, of a card of `size`."""
    scale = float(np.sqrt(_PRINT / (size[0] * size[1])))
    return max(8, round(size[0] * scale)), max(8, round(size[1] * scale))


def print_of(picture: Image) -> Floats:
    """The print of a card's picture: lightness and colours (HxWx3) of a small, smooth copy."""
    size = print_size((picture.shape[1], picture.shape[0]))
    small = cv2.GaussianBlur(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), (0, 0), 0.7)
    lab: Floats = cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32) * np.array(_CHROMA, np.float32)
    return lab


def likeness(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """How alike two prints are at each place (-1..1), and how much each place has to say (0..)."""
    mean_one, mean_other = _window(one), _window(other)
    contrast_one = np.maximum((_window(one * one) - mean_one**2).sum(axis=2), 0)
    contrast_other = np.maximum((_window(other * other) - mean_other**2).sum(axis=2), 0)
    both = (_window(one * other) - mean_one * mean_other).sum(axis=2)
    alike = both / np.sqrt((contrast_one + _GRAIN**2) * (contrast_other + _GRAIN**2))
    weight = np.clip(np.sqrt(np.maximum(contrast_one, contrast_other)) - _PLAIN, 0, _RICH - _PLAIN)
    return alike, weight


def agreement(alike: Floats, weight: Floats) -> float:
    """The part of the print (0..1) that looks alike; 0 where there is nothing to be seen."""
    total = float(weight.sum())
    return float((weight * (alike > _ALIKE)).sum()) / total if total > 0 else 0.0


def align(seen: Floats, known: Floats) -> Floats | None:
    """The transform (3x3) of a known print's pixels to a seen print's that lies nearly right; None if none.

    For cards with too little print for features: lines and patches are brought over each other.
    """
    ends = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 1e-3)
    start = np.eye(2, 3, dtype=np.float32)
    # At the rim the table may be seen, and one card may be cut closer than another.
    height, width = known.shape[:2]
    rim = round(_RIM * height), round(_RIM * width)
    inner = np.zeros((height, width), np.uint8)
    inner[rim[0] : height - rim[0], rim[1] : width - rim[1]] = 255
    try:
        _, found = cv2.findTransformECC(
            _relief(known), _relief(seen), start, cv2.MOTION_AFFINE, ends, inner, _SOFT
        )
    except cv2.error as fault:
        if fault.code == cv2.Error.StsNoConv:
            return None
        raise
    return np.vstack([found, [0, 0, 1]])


def _window(values: Floats) -> Floats:
    return np.asarray(cv2.boxFilter(values, -1, (_WINDOW, _WINDOW), borderType=cv2.BORDER_REFLECT))


def _relief(lab: Floats) -> Floats:
    """How far each pixel is from the card's ground colour."""
    ground = np.median(lab.reshape(-1, 3), axis=0)
    return np.asarray(cv2.GaussianBlur(np.abs(lab - ground).sum(axis=2), (0, 0), 1.0), np.float32)
