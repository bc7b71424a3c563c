"""Which known card lies at a place of a table, and how it is turned there: by its face, with no marker.

The place says where a card must lie, within a quarter of its side, and how large it is. So cards that
differ in one digit alone can be told: faces are laid over one another to less than a millimetre, and a
card is the one that nothing on it contradicts. Its outer rim is not asked: a neighbour may lie over it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.card_likeness import PLACE, by_place, correlate
from vision.known_cards import SMALLEST, Fault

Image = NDArray[np.uint8]
Floats = NDArray[Any]
Mask = NDArray[np.bool_]

SIDE = 120
"""Pixels: the square root of a face's area."""

AROUND = 0.25
"""Of its size: what is shown around a place on each side, since no card lies just where it should."""

RIM = 1 / 12
"""Of a face's size: what is not looked at on each side."""

TURNS = (0, 90, 180, 270)

_SQUARE = 0.08  # logarithm of width to height up to which cards are square
_SHAPED = 0.12  # the same by which a card, or a place, may differ from the other cards
_CHROMA = (1.0, 1.5, 1.5)  # how much lightness and the two colours count
_SOFT = 0.8  # pixels: as a camera over the table softens what it sees
_STEP = 5  # pixels of a face to one of its small picture
_INNER = 2  # pixels of that on each side that are not compared
_SPUN = (0.0, -8.0, 8.0)  # degrees: turns of the picture that are tried
_STRAIGHT = 0.8  # likeness from which no other turn of it is
_FAINT = 0.5  # likeness of small pictures under which no card lies there
_STARTS = 3  # places of a card that are made more exact
_RANKED = 48  # pixels of a side of the pictures by which cards are ranked then
_CLOSELY = 6  # cards, in one turn each, that are compared place by place
_CONTRAST = 10.0  # of a place from which it says something
_ALIKE = 0.5  # correlation from which a place looks alike
_SURE = 0.6  # of the place that is least alike, from which nothing contradicts a card
_RIVAL = 0.45  # the same from which another card may be meant too
_RESEMBLES = 0.6  # part of the places that look alike from which a card lies there, whichever it is
_TELLING = 0.04  # part of a face that must say something
_VISIBLE = 0.6  # part of a face that must be seen
_STRETCHED = 0.08  # by how much a side may be off
_ASKEW = 25.0  # degrees beside its turn at which a card may lie
_WHOLE = 0.99  # part of a pixel that must be seen
_FACELESS = 4.0  # contrast of what nothing is printed on


@dataclass(frozen=True)
class Facing:
    """A card that lies there: its name, its quarter turn, where its corners are (4x2, pixels).

    Corners begin with the card's own upper left one. `worst` is how alike the least alike place is.
    Without `sure` the name is a guess. `turns` are those that it may have: one, unless it looks the
    same turned.
    """

    card: str
    turn: int
    corners: Floats
    worst: float
    sure: bool
    turns: frozenset[int]


class CardFaces:
    """The faces of known cards, in all turns. Made once, then only read: threads may share it."""

    def __init__(self, cards: Iterable[tuple[str, Image]], faults: Iterable[Fault] = ()) -> None:
        """`cards` are names and pictures (BGR, uint8) that the cards fill, upright, all of one shape.

        `faults` say what is wrong with those that cannot be used, these among them.
        """
        given = list(cards)
        shapes = [float(np.log(picture.shape[1] / picture.shape[0])) for _, picture in given]
        shape = float(np.median(shapes)) if shapes else 0.0
        self._turns = TURNS if abs(shape) < _SQUARE else TURNS[::2]
        shape = 0.0 if abs(shape) < _SQUARE else shape
        self.size = (round(SIDE * np.exp(shape / 2)), round(SIDE * np.exp(-shape / 2)))
        """Width and height of a face in pixels."""
        found = list(faults)
        kept: list[tuple[str, Image]] = []
        for (name, picture), own in zip(given, shapes, strict=True):
            fault = self._fault(name, picture, own - shape)
            if fault is None:
                kept.append((name, _resized(picture, self.size)))
            else:
                found.append(fault)
        self.faults = tuple(found)
        self.cards = tuple(name for name, _ in kept)
        """The names of the cards that can be told."""
        self._of = [(name, turn) for name, _ in kept for turn in self._turns]
        pictures = [
            np.asarray(np.rot90(picture, -turn // 90), np.uint8)
            for _, picture in kept
            for turn in self._turns
        ]
        self._faces = [_soft(_lab(np.ascontiguousarray(picture))) for picture in pictures]
        self._small = np.array([_shrunk(face)[_INNER:-_INNER, _INNER:-_INNER] for face in self._faces])
        self._ranked = np.array([self._within(face) for face in self._faces])

    @property
    def around(self) -> tuple[int, int]:
        """Pixels, across and down, that a picture of a place shows on each side of it."""
        return round(self.size[0] * AROUND), round(self.size[1] * AROUND)

    def fits(self, width: float, height: float) -> bool:
        """Whether cards of this shape lie in a place of that size."""
        return bool(self._of) and abs(np.log(width * self.size[1] / height / self.size[0])) < _SHAPED

    def name(self, picture: Image, cover: Image) -> Facing | None:
        """The card that shows best in a picture (BGR) of a place; None of none.

        The place may have room for several: the picture is `size` or larger, and `around` on each side.
        `cover` (uint8, as large) is 0 where something lies or stands on what is to be named.
        """
        seen = _lab(picture)
        laid = self._lay(seen, cover)
        if laid is None:
            return None
        transform, ranks = laid
        found = [
            facing
            for at in np.argsort(-ranks)[:_CLOSELY].tolist()
            if (facing := self._closely(at, seen, cover, transform)) is not None
        ]
        if not found:
            return None
        first = max(found, key=lambda each: each.worst)
        rivals = [each for each in found if each.worst >= _RIVAL]
        alone = all(each.card == first.card for each in rivals)
        turns = first.turns | {each.turn for each in rivals if each.card == first.card}
        return replace(first, sure=first.sure and alone, turns=turns)

    # -- looking ------------------------------------------------------------------------------

    def _lay(self, seen: Floats, cover: Image) -> tuple[Floats, Floats] | None:
        """Where a card lies (3x3, from a face's pixels), and how alike each face is to what lies there."""
        starts = list(self._starts(seen, cover))
        grey = np.ascontiguousarray(seen[..., 0])
        best: tuple[Floats, Floats] | None = None
        for at, start in starts:
            transform = _aligned(self._faces[at], grey, cover, start, cv2.MOTION_EUCLIDEAN, 5)
            if transform is not None:
                transform = _aligned(self._faces[at], grey, cover, transform, cv2.MOTION_AFFINE, 5)
            if transform is None:
                continue
            face = self._within(self._warped(seen, transform))
            shown = self._within(self._shown(cover, transform).astype(np.float32)) > _WHOLE
            (ranks,) = correlate(face[None], shown[None], self._ranked)
            if best is None or ranks.max() > best[1].max():
                best = (transform, ranks)
        return best

    def _starts(self, seen: Floats, cover: Image) -> Iterator[tuple[int, Floats]]:
        """Faces (by number) and about where they may lie, the likeliest first, each place once."""
        scores: list[tuple[float, int, int, Floats]] = []
        high, wide = seen.shape[:2]
        shape = self._small.shape[1:3]
        for spun in _SPUN:
            turn = np.vstack(
                [cv2.getRotationMatrix2D(((wide - 1) / 2, (high - 1) / 2), spun, 1.0), [0, 0, 1]]
            )
            turned = cv2.warpAffine(seen, turn[:2], (wide, high), borderMode=cv2.BORDER_REPLICATE)
            hidden = cv2.warpAffine(cover, turn[:2], (wide, high), borderMode=cv2.BORDER_REPLICATE)
            parts = _windows(_shrunk(np.asarray(turned) if spun else seen), shape)
            shown = _windows(_shrunk(np.asarray(hidden, np.float32)) > 255 * _WHOLE, shape)
            columns = parts.shape[1]
            alike = correlate(
                parts.transpose(0, 1, 3, 4, 2).reshape(-1, *shape, 3), shown.reshape(-1, *shape), self._small
            )
            places = alike.argmax(axis=0)
            best = alike[places, np.arange(alike.shape[1])]
            for at in np.argsort(-best)[:_CLOSELY].tolist():
                row, column = divmod(int(places[at]), columns)
                corner = (np.array([column, row]) - _INNER) * float(_STEP)
                shift = np.array([[1, 0, corner[0]], [0, 1, corner[1]], [0, 0, 1.0]])
                scores.append(
                    (float(best[at]), at, int(places[at]) * 3 + int(spun), np.linalg.inv(turn) @ shift)
                )
            if max(score for score, *_ in scores) > _STRAIGHT:
                break
        tried: set[int] = set()
        for score, at, place, start in sorted(scores, key=lambda each: -each[0]):
            if score >= _FAINT and place not in tried and len(tried) < _STARTS:
                tried.add(place)
                yield at, start

    def _closely(self, at: int, seen: Floats, cover: Image, transform: Floats) -> Facing | None:
        """That face, laid over what is seen as exactly as can be; None when it is not like it."""
        face = self._faces[at]
        grey = np.ascontiguousarray(seen[..., 0])
        exact = _aligned(face, grey, cover, transform, cv2.MOTION_HOMOGRAPHY, 3)
        corners = None if exact is None else self._corners(exact)
        if exact is None or corners is None:
            return None
        shown = self._shown(cover, exact)
        alike, contrast = by_place(self._warped(seen, exact), face)
        hidden = cv2.dilate((~shown).astype(np.uint8), np.ones((PLACE, PLACE), np.uint8))
        telling = self._inside(np.asarray(hidden) == 0) & (contrast > _CONTRAST)
        area = self._inside(np.ones(shown.shape, bool)).sum()
        if int(telling.sum()) < _TELLING * area:
            return None
        values = alike[telling]
        if float((values > _ALIKE).mean()) < _RESEMBLES:
            return None
        worst = float(values.min())
        seen_enough = float(self._inside(shown).sum()) >= _VISIBLE * area
        card, turn = self._of[at]
        return Facing(card, turn, corners, worst, worst >= _SURE and seen_enough, frozenset((turn,)))

    def _warped(self, seen: Floats, transform: Floats) -> Floats:
        return _soft(np.asarray(cv2.warpPerspective(seen, transform, self.size, flags=_BACK)))

    def _shown(self, cover: Image, transform: Floats) -> Mask:
        """Where a face that lies so is not covered."""
        return np.asarray(cv2.warpPerspective(cover, transform, self.size, flags=_BACK_NEAREST)) > 0

    def _corners(self, transform: Floats) -> Floats | None:
        """The corners of a face that lies there; None where no card can lie so."""
        width, height = self.size
        own = np.array([[[0, 0]], [[width, 0]], [[width, height]], [[0, height]]], np.float32) - 0.5
        corners = cv2.perspectiveTransform(own, transform).reshape(4, 2)
        sides = np.roll(corners, -1, axis=0) - corners
        off = np.abs(np.log(np.hypot(*sides.T) / (width, height, width, height)))
        angles = np.degrees(np.arctan2(sides[:, 1], sides[:, 0])) - TURNS
        askew = np.abs((angles + 180) % 360 - 180)
        if not np.isfinite(corners).all() or off.max() > _STRETCHED or askew.max() > _ASKEW:
            return None
        return np.asarray(corners, float)

    def _inside(self, mask: Mask) -> Mask:
        """Without the rim."""
        inner = np.zeros_like(mask)
        across, down = _rim(self.size)
        inner[down:-down, across:-across] = mask[down:-down, across:-across]
        return inner

    def _within(self, face: Floats) -> Floats:
        """The face without its rim, small."""
        across, down = _rim(self.size)
        inner = face[down:-down, across:-across]
        return np.asarray(cv2.resize(inner, (_RANKED, _RANKED), interpolation=cv2.INTER_AREA))

    def _fault(self, name: str, picture: Image, off: float) -> Fault | None:
        height, width = picture.shape[:2]
        if min(width, height) < SMALLEST:
            words = f"Its picture is only {width} x {height} pixels."
            return Fault(
                name, words, f"Take it again with the card at least {SMALLEST} pixels wide.", lost=True
            )
        if abs(off) > _SHAPED:
            cure = "Lay it alone on something dark and plain, whole in the picture, and take it again."
            return Fault(name, "The card cannot be found in its picture.", cure, lost=True)
        if faceless(picture):
            return Fault(
                name, "Nothing can be seen on its picture.", "Take it again, in good light.", lost=True
            )
        return None


def faceless(picture: Image) -> bool:
    """Whether nothing is printed on what a picture (BGR) shows, but for its rim."""
    height, width = picture.shape[:2]
    across, down = _rim((width, height))
    inner = cv2.resize(picture[down:-down, across:-across], (_RANKED, _RANKED), interpolation=cv2.INTER_AREA)
    return float(_lab(np.asarray(inner, np.uint8)).std(axis=(0, 1)).max()) < _FACELESS


_BACK = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
_BACK_NEAREST = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP


def _aligned(
    face: Floats, grey: Floats, cover: Image, start: Floats, motion: int, soft: int
) -> Floats | None:
    """From a face's pixels to those of a picture (3x3), more exact than `start`; None of no fit."""
    ends = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 1e-4)
    across, down = _rim((face.shape[1], face.shape[0]))
    inner = np.ascontiguousarray(face[down:-down, across:-across, 0])
    shift = np.array([[1, 0, across], [0, 1, down], [0, 0, 1.0]])
    rows = 3 if motion == cv2.MOTION_HOMOGRAPHY else 2
    first = start @ shift
    try:
        _, found = cv2.findTransformECC(
            inner, grey, (first / first[2, 2])[:rows].astype(np.float32), motion, ends, cover, soft
        )
    except cv2.error as fault:
        if fault.code == cv2.Error.StsNoConv:
            return None
        raise
    exact = np.vstack([found, [[0, 0, 1]]]) if rows == 2 else found
    aligned = np.asarray(exact, float) @ np.linalg.inv(shift)
    return np.asarray(aligned / aligned[2, 2])


def _lab(picture: Image) -> Floats:
    lab = cv2.cvtColor(picture.astype(np.float32) / np.float32(255), cv2.COLOR_BGR2LAB)
    return np.asarray(lab * np.array(_CHROMA, np.float32))


def _soft(face: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(face, (0, 0), _SOFT))


def _shrunk(face: Floats) -> Floats:
    size = (face.shape[1] // _STEP, face.shape[0] // _STEP)
    return np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA))


def _windows(picture: Floats, shape: tuple[int, int]) -> Floats:
    """All parts of that shape of a picture, by their upper left corner."""
    parts = np.lib.stride_tricks.sliding_window_view(picture, shape, axis=(0, 1))
    return np.asarray(parts)


def _resized(picture: Image, size: tuple[int, int]) -> Image:
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _rim(size: tuple[int, int]) -> tuple[int, int]:
    return max(1, round(size[0] * RIM)), max(1, round(size[1] * RIM))
