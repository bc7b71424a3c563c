"""Finds printed markers (ArUco, DICT_5X5_250) in a picture."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Corners = NDArray[np.float32]
"""A marker's black square: 4x2, pixels, clockwise from its own upper left corner."""

Box = tuple[int, int, int, int]
"""Part of a picture in pixels: left, top, right, below; the last two are outside it."""

_DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)

EVERY = tuple(range(len(_DICTIONARY.bytesList)))
"""The ids of all markers."""

WINDOW = 13
"""Side of the one threshold window of the quick pass, in pixels."""

_ZOOM = 2.0  # how much the whole picture is enlarged for a second look
_SOFT = 3.0  # pixels of the enlarged picture over which a blurred edge is spread
_SHARPER = 1.0  # how much steeper such an edge is made

_FINE = 44  # pixels to which a marker is enlarged where it is looked for closely
_LARGEST = 4.0  # how much is enlarged at most
_LEAST = 8  # pixels of a part in which a marker can be


@lru_cache(maxsize=16)
def _detector(quick: bool, ids: tuple[int, ...]) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    if quick:
        parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = WINDOW
    printed = cv2.aruco.Dictionary(
        np.ascontiguousarray(_DICTIONARY.bytesList[list(ids)]),
        _DICTIONARY.markerSize,
        _DICTIONARY.maxCorrectionBits,
    )
    return cv2.aruco.ArucoDetector(printed, parameters)


def find_markers(
    image: Image, *, quick: bool = False, of: tuple[int, ...] = EVERY
) -> list[tuple[int, Corners]]:
    """Each marker's id and corners, by id; `image` is BGR or grey.

    With OpenCV's own parameters, which were found to give the fewest wrong ids. `quick` looks
    through one threshold window in place of three: half the time, for evenly lit markers. `of` are
    the ids that count: what looks like a marker is compared with each, which takes most of the time.
    """
    corners: Any
    ids: Any
    corners, ids, _ = _detector(quick, of).detectMarkers(image)
    if ids is None:
        return []
    found = [
        (of[id], np.asarray(quad, np.float32).reshape(4, 2))
        for id, quad in zip(np.asarray(ids).ravel().tolist(), corners, strict=True)
    ]
    return sorted(found, key=_in_order)


def find_all(image: Image) -> list[tuple[int, Corners]]:
    """The same for a picture that nothing is known of and that may take its time: two to three times as much.

    After the whole picture it is looked at enlarged and sharpened, which shows markers whose cells a
    lens, a slant or a lamp has run together. `image` is BGR or grey. What both looks find is told once.
    """
    found = find_markers(image)
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    larger = cv2.resize(grey, None, fx=_ZOOM, fy=_ZOOM, interpolation=cv2.INTER_CUBIC)
    soft = cv2.GaussianBlur(larger, (0, 0), _SOFT)
    sharp = np.asarray(cv2.addWeighted(larger, 1 + _SHARPER, soft, -_SHARPER, 0), np.uint8)
    for id, quad in find_markers(sharp, quick=True):
        corners = np.asarray((quad + 0.5) / _ZOOM - 0.5, np.float32)
        if not any(id == other and _one(corners, there) for other, there in found):
            found.append((id, corners))
    return sorted(found, key=_in_order)


def find_near(
    image: Image, boxes: Iterable[Box], side: float, of: tuple[int, ...] = EVERY
) -> list[tuple[int, Corners]]:
    """The markers in those parts of `image`, looked at closely; `side` is about what one measures in pixels.

    What is enlarged is found down to less than half the size that the whole picture needs, for half
    a millisecond a part. Where parts overlap, a marker is told once. `of` are the ids that count.
    """
    zoom = float(np.clip(_FINE / max(side, 1.0), 1.0, _LARGEST))
    height, width = image.shape[:2]
    found: list[tuple[int, Corners]] = []
    for left, top, right, below in boxes:
        left, top, right, below = max(left, 0), max(top, 0), min(right, width), min(below, height)
        if min(right - left, below - top) < _LEAST:
            continue
        part = image[top:below, left:right]
        larger = cv2.resize(part, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
        for id, quad in find_markers(np.asarray(larger, np.uint8), quick=True, of=of):
            corners = np.asarray((quad + 0.5) / zoom - 0.5 + (left, top), np.float32)
            if not any(id == other and _one(corners, there) for other, there in found):
                found.append((id, corners))
    return found


def _in_order(marker: tuple[int, Corners]) -> tuple[int, float, float]:
    id, corners = marker
    return id, float(corners[0, 0]), float(corners[0, 1])


def _one(corners: Corners, other: Corners) -> bool:
    """Whether two findings of an id are of one marker."""
    side = float(np.sqrt(cv2.contourArea(other)))
    return bool(np.hypot(*(corners.mean(axis=0) - other.mean(axis=0))) < side / 2)
