"""Small parts of a picture by which it is told later whether the camera, or what lies there, has moved.

They are taken along an outline: the corners of a sheet and its print, or a tray's rim. Each is a grey square
of a few pixels. They are chosen so that no move makes many of them look as before: a pattern that repeats
would fit again one step further. Later each is looked for around its place. Those that are found elsewhere
have moved; those that are not found say nothing, since a hand or a card may lie there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[Any]

SIDE = 720
"""Pixels along the longer side of the picture in which they are looked for: larger ones are made smaller."""

Verdict = Literal["fits", "moved", "hidden"]
"""What becomes of them: in place, elsewhere, or too few to be seen to tell."""

_HALF = 12  # pixels from a landmark's middle to its border
_REACH = 24  # pixels around its place in which one is looked for
_BAND = 0.05  # of the picture's longer side, to both sides of the outline: there they are taken
_MOST = 40
_QUALITY = 0.01  # of the strongest corner in the picture: weaker ones are none
_APART = 14  # pixels
_LEAST = 6  # of all; fewer tell nothing
_PARTS = 3  # of an outline's four corners that must have some of them: fewer let it turn around one
_CONTRAST = 5.0  # of 255: less is noise
_LIKE = 0.7  # correlation with which one is found again
_STILL = 2  # pixels that one may lie beside its place
_BETTER = 0.07  # by so much more it must be like the other place than like its own
_NUDGED = 6  # pixels: so near to its place nearly every one looks like itself
_SHARE = 0.3  # of all must be found in place


class Landmark(Struct, frozen=True):
    """A square of `2 * 12 + 1` grey pixels, row by row, and where in the small picture its middle is.

    `part` is the number of the outline's corner that is nearest.
    """

    at: tuple[int, int]
    part: int
    grey: bytes

    def __post_init__(self) -> None:
        if len(self.grey) != (2 * _HALF + 1) ** 2:
            raise ValueError(f"{len(self.grey)} bytes are no landmark")


def small(image: Image) -> Image:
    """The picture (BGR, uint8, HxWx3) in grey, at most SIDE pixels along its longer side."""
    shrink = min(1.0, SIDE / max(image.shape[:2]))
    if shrink < 1:
        image = np.asarray(
            cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
        )
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 1.0), np.uint8)


def find(grey: Image, outline: Floats) -> tuple[Landmark, ...]:
    """Landmarks along an outline (4x2, pixels) of a `small` picture; none where they tell too little."""
    band = np.zeros(grey.shape, np.uint8)
    wide = 2 * round(_BAND * max(grey.shape)) + 1
    cv2.polylines(band, [np.rint(outline).astype(np.int32)], True, (255,), wide)
    inner = np.zeros_like(band)
    inner[_HALF:-_HALF, _HALF:-_HALF] = 255
    spots = cv2.goodFeaturesToTrack(grey, _MOST, _QUALITY, _APART, mask=band & inner, blockSize=7)
    found: list[Landmark] = []
    for x, y in np.rint(np.reshape([] if spots is None else spots, (-1, 2))).astype(int).tolist():
        patch = grey[y - _HALF : y + _HALF + 1, x - _HALF : x + _HALF + 1]
        if patch.shape == (2 * _HALF + 1, 2 * _HALF + 1) and float(patch.std()) >= _CONTRAST:
            part = int(np.linalg.norm(outline - (x, y), axis=1).argmin())
            found.append(Landmark((x, y), part, patch.tobytes()))
    found = _told_apart(grey, found)
    tells = len(found) >= _LEAST and len({mark.part for mark in found}) >= _PARTS
    return tuple(found) if tells else ()


def _told_apart(grey: Image, found: Sequence[Landmark]) -> list[Landmark]:
    """Those that no move lets be taken for themselves all together: no pattern that repeats is left."""
    kept = list(found)
    alike = [_alike(grey, mark) for mark in kept]
    shape = np.subtract(grey.shape, 2 * _HALF)
    by_move = np.zeros(2 * shape - 1, np.int16)

    def of(mark: Landmark) -> tuple[slice, slice]:
        # Where in all moves those lie that lead from this landmark to some place in the picture.
        first = shape - 1 - (np.array(mark.at[::-1]) - _HALF)
        return (slice(first[0], first[0] + shape[0]), slice(first[1], first[1] + shape[1]))

    for mark, places in zip(kept, alike, strict=True):
        by_move[of(mark)] += places
    while len(kept) >= _LEAST and by_move.max() >= max(_PARTS, _SHARE * len(kept)):
        down, right = (int(at) for at in np.unravel_index(int(by_move.argmax()), by_move.shape))
        fooled = [
            number
            for number, (mark, places) in enumerate(zip(kept, alike, strict=True))
            if _at(places, down - of(mark)[0].start, right - of(mark)[1].start)
        ]
        weakest = fooled[-1]
        by_move[of(kept[weakest])] -= alike[weakest]
        del kept[weakest], alike[weakest]
    return kept


def _alike(grey: Image, mark: Landmark) -> NDArray[np.bool_]:
    """Of each place of a landmark's upper left corner whether it would be taken to be itself there."""
    like = _correlation(grey, _patch(mark))
    around = cv2.dilate(like, np.ones((2 * _STILL + 1, 2 * _STILL + 1), np.uint8))
    x, y = mark.at[0] - _HALF, mark.at[1] - _HALF
    least = np.full(like.shape, _LIKE, np.float32)
    # So near, its true place is seen beside it.
    _square(least, x, y, _REACH)[:] = 1 - _BETTER
    places = np.asarray(around) >= least
    _square(places, x, y, _NUDGED)[:] = False
    return places


def _square(of: Floats, x: int, y: int, reach: int) -> Floats:
    part: Floats = of[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1]
    return part


def _at(places: NDArray[np.bool_], row: int, column: int) -> bool:
    high, wide = places.shape
    return 0 <= row < high and 0 <= column < wide and bool(places[row, column])


def look(grey: Image, marks: Sequence[Landmark]) -> Verdict:
    """What has become of these landmarks in a `small` picture of the size that they were taken in."""
    still: set[int] = set()
    here = gone = 0
    for mark in marks:
        in_place, elsewhere = _likeness(grey, mark)
        if in_place >= _LIKE and elsewhere - in_place < _BETTER:
            here += 1
            still.add(mark.part)
        elif elsewhere >= _LIKE:
            gone += 1
    if here >= max(_PARTS, _SHARE * len(marks)) and len(still) >= _PARTS and here > 2 * gone:
        return "fits"
    return "moved" if gone >= _PARTS and gone > here / 2 else "hidden"


def _likeness(grey: Image, mark: Landmark) -> tuple[float, float]:
    """How like a landmark the picture is at its place, and at most around that."""
    x, y = mark.at
    reach = _HALF + _REACH
    left, top = max(x - reach, 0), max(y - reach, 0)
    window = grey[top : y + reach + 1, left : x + reach + 1]
    if min(window.shape) < 2 * _HALF + 1:
        return 0.0, 0.0
    like = _correlation(window, _patch(mark))
    rows, columns = np.indices(like.shape)
    beside = np.maximum(np.abs(rows + top + _HALF - y), np.abs(columns + left + _HALF - x))
    return float(like[beside <= _STILL].max(initial=0.0)), float(like[beside > _STILL + 1].max(initial=0.0))


def _patch(mark: Landmark) -> Image:
    return np.frombuffer(mark.grey, np.uint8).reshape(2 * _HALF + 1, -1)


def _correlation(grey: Image, patch: Image) -> NDArray[np.float32]:
    """How like `patch` each part of the picture is, from -1 to 1; 0 where there is nothing."""
    like = cv2.matchTemplate(grey, patch, cv2.TM_CCOEFF_NORMED)
    return np.nan_to_num(np.asarray(like, np.float32), posinf=0, neginf=0)
