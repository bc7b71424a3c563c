"""Finds printed markers (ArUco, DICT_5X5_250) in a picture."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Corners = NDArray[np.float32]
"""A marker's black square: 4x2, pixels, clockwise from its own upper left corner."""

WINDOW = 13
"""Side of the one threshold window of the quick pass, in pixels."""


def _detector(quick: bool) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    if quick:
        parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = WINDOW
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250), parameters)


_QUICK, _USUAL = _detector(True), _detector(False)


def find_markers(image: Image, *, quick: bool = False) -> list[tuple[int, Corners]]:
    """Each marker's id and corners, by id; `image` is BGR or grey.

    With OpenCV's own parameters, which were found to give the fewest wrong ids. `quick` looks
    through one threshold window in place of three: half the time, for evenly lit markers.
    """
    corners: Any
    ids: Any
    corners, ids, _ = (_QUICK if quick else _USUAL).detectMarkers(image)
    if ids is None:
        return []
    found = [
        (int(id), np.asarray(quad, np.float32).reshape(4, 2))
        for id, quad in zip(np.asarray(ids).ravel(), corners, strict=True)
    ]
    return sorted(found, key=lambda marker: (marker[0], marker[1][0, 0], marker[1][0, 1]))
