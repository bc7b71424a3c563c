"""The house editions, and what is drawn of them."""

from __future__ import annotations

from functools import cache
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.emulated.raster import raster
from companion.games.drawing import Drawing, Text
from companion.games.hellrail.pack import edition, load_pack
from companion.games.hellrail.state import Edition
from companion.games.lettering import width_of

Box = tuple[float, float, float, float]


@cache
def hellrail_edition() -> Edition:
    text = (resources.files("companion.games.hellrail") / "packs" / "house.toml").read_text("utf-8")
    return edition(load_pack(text))


def found_markers(drawing: Drawing, pixels: float, around: float = 0.0) -> dict[int, NDArray[np.float32]]:
    """The corners (mm of the drawing, from the marker's upper left on) of what OpenCV finds, by number.

    `around` mm of a dark table are laid around the drawing.
    """
    edge = round(around * pixels)
    picture = cv2.copyMakeBorder(
        raster(drawing, pixels), edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(40, 50, 60)
    )
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
    detector = cv2.aruco.ArucoDetector(dictionary)
    corners, ids, _ = detector.detectMarkers(picture)
    numbers = [] if ids is None else [int(id) for id in ids.ravel()]
    assert len(set(numbers)) == len(numbers)
    return {
        id: ((at[0] + 0.5 - edge) / pixels).astype(np.float32)
        for id, at in zip(numbers, corners, strict=True)
    }


def box_of(text: Text) -> Box:
    """Left, top, right and bottom of a line of text, ascenders and descenders included."""
    wide = width_of(text.words, text.font, text.size)
    left = text.at[0] - {"start": 0.0, "middle": wide / 2, "end": wide}[text.anchor]
    # Neither figures nor the capitals of their font reach below the line.
    below = 0.02 if text.font == "number" else 0.25
    return left, text.at[1] - 0.8 * text.size, left + wide, text.at[1] + below * text.size


def inside(inner: Box, outer: Box) -> bool:
    return inner[0] >= outer[0] and inner[1] >= outer[1] and inner[2] <= outer[2] and inner[3] <= outer[3]
