"""Reads enrolled cards in a picture: which lie there, which way up, and whether to ask a person.

First the outlines of a card's shape are named. Then known cards are searched for all over what is
left, since a card that others cover has no outline; then other outlines are looked into, and rows
of cards that touch. What looks like a card and could not be named, or not surely, makes the whole
reading unsure.
"""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.card_naming import Naming, best_of, name, whole
from vision.card_outlines import Corners, Traces, common, divide, sides, trace
from vision.card_search import CardSearch
from vision.known_cards import KnownCards

Image = NDArray[np.uint8]
Point = tuple[float, float]

SURE = 0.95
"""Confidence from which on a card is named without asking."""

LISTED = 0.4
"""Confidence from which on a card is named at all."""

_SAME_PLACE = 0.35  # of the smaller card: what two cards may have in common and both lie there
_COVERED = 0.75  # of a card under others that they may hide
_SAME_OUTLINE = 0.85  # common area, of both together, from which an outline is that of a named card
_EXPLAINED = 0.5  # of an outline that named cards cover: so much, and it is of one of them
_PART = 0.12  # of a card's area: a smaller outline is no card that others cover
_TOO_LARGE = 2.5  # of the largest card's area: such an outline is of the table
_CARD_PART = 0.004  # of the picture: a smaller outline is no card, as long as none was named
_STRETCH = 2.6  # longer side to shorter: no card looks so long
_TRIED = 40  # outlines in which nothing is found: after so many no other is looked into
_SHAPED = 0.3  # logarithm: how far from a card's shape an outline seen from a slant may be
_IN_ROW = 5  # cards that lie side by side and touch
_FEWER = 0.01  # how much one part less is worth, in the same measure
_ROW_OFF = 0.25  # how far a part of a row may be from a card's shape (logarithm)
_ARM = 0.4  # of a card's shorter side: a bend with shorter arms is none of a card
_LONGER = 1.3  # of a card's longer side: a bend with longer arms is one of the table
_BESIDE = 0.06  # of a card's size: what is so near to a named card belongs to it
_MAYBE = 0.05  # confidence of a find from which it is a doubt


class Card(msgspec.Struct, frozen=True):
    """One card that was read: `rotation` in degrees clockwise; `corners` in pixels, its own upper left first.

    A card that looks the same both ways has a rotation below 180. `confidence` is the probability
    that this card lies there.
    """

    card: str
    rotation: float
    corners: tuple[Point, Point, Point, Point]
    confidence: float


class Cards(msgspec.Struct, frozen=True):
    """The cards in a picture, from above to below. `sure`: nobody need be asked; `doubts` say why not."""

    cards: tuple[Card, ...]
    sure: bool
    doubts: tuple[str, ...] = ()


class CardReader:
    """Reads the known cards. Holds nothing of what it read: any number of threads may share it."""

    def __init__(self, known: KnownCards) -> None:
        self._known = known
        self._search = CardSearch(known)

    def name(self, picture: Image) -> Card | None:
        """The card that fills `picture` (BGR, uint8), any way up; None if it is none of the known ones.

        Raises ValueError when `picture` is not a colour picture.
        """
        _check(picture)
        if min(picture.shape[:2]) < 8:
            return None
        found = name(picture, whole(picture), self._known)
        return None if found is None or found.confidence < LISTED else _card(found, [])

    def read(self, image: Image) -> Cards:
        """The known cards in `image` (BGR, uint8, HxWx3). Raises ValueError for another kind of picture."""
        _check(image)
        if min(image.shape[:2]) < 1:
            return Cards((), False, ("There is no picture.",))
        traces = trace(image)
        named, others = self._in_outlines(image, traces.outlines)
        found, maybe = self._elsewhere(image, named)
        named += found
        found, left = self._in_others(image, others, named)
        named += found
        cards = tuple(_card(each, traces.outlines) for each in sorted(named, key=_place))
        doubts = [*_unsure(named), *_unread(left, named, image.shape), *_guessed(maybe, named)]
        doubts += _bent(traces, named, image.shape)
        return Cards(cards, not doubts, tuple(doubts))

    def _in_outlines(self, image: Image, outlines: list[Corners]) -> tuple[list[Naming], list[Corners]]:
        """What is named inside outlines of a card's shape, and the outlines in which nothing is."""
        named: list[Naming] = []
        others: list[Corners] = []
        for outline in outlines:
            if _covered(outline, named) > _EXPLAINED:
                continue
            across, down = sides(outline)
            off = min(self._off(across / down), self._off(down / across))
            found = self._named(image, [outline], named) if off < _SHAPED and len(others) < _TRIED else []
            named += found
            if not found:
                others.append(outline)
        return named, others

    def _in_others(
        self, image: Image, outlines: list[Corners], named: list[Naming]
    ) -> tuple[list[Naming], list[Corners]]:
        """What is named inside other outlines, and rows of touching cards; and the outlines still left."""
        found: list[Naming] = []
        left: list[Corners] = []
        for outline in outlines:
            if _covered(outline, named + found) > _EXPLAINED:
                continue
            if len(left) < _TRIED:
                across, down = sides(outline)
                if min(self._off(across / down), self._off(down / across)) >= _SHAPED:
                    found += self._named(image, [outline], named + found)
                if _covered(outline, named + found) < _EXPLAINED:
                    found += self._in_row(image, outline, named + found)
            if _covered(outline, named + found) < _EXPLAINED:
                left.append(outline)
        return found, left

    def _off(self, shape: float) -> float:
        """How far an outline's shape is from the nearest known card's (logarithm)."""
        return float(np.abs(np.log(self._known.shapes / shape)).min())

    def _named(self, image: Image, outlines: list[Corners], others: list[Naming]) -> list[Naming]:
        """The cards inside those of the outlines that are of a card's shape."""
        found: list[Naming] = []
        for outline in outlines:
            if max(sides(outline)) < _STRETCH * min(sides(outline)):
                naming = name(image, outline, self._known)
                if naming is not None and naming.confidence >= LISTED and _is_free(naming, others + found):
                    found.append(naming)
        return found

    def _in_row(self, image: Image, outline: Corners, named: list[Naming]) -> list[Naming]:
        """The cards inside the outline of several that touch: in a row, or in a block."""
        first, second = sides(outline)
        fits: list[tuple[float, int, int]] = []
        for across in range(1, _IN_ROW + 1):
            for down in range(1, _IN_ROW + 1):
                if 1 < across * down <= 2 * _IN_ROW:
                    part = (first / across) / (second / down)
                    fits.append((min(self._off(part), self._off(1 / part)), across, down))
        for worst, across, down in sorted(fits, key=lambda fit: fit[0] + _FEWER * fit[1] * fit[2])[:2]:
            if worst < _ROW_OFF:
                parts = divide(outline, across, down)
                # Where neither of the first two is a card, this is no row of them.
                if found := self._named(image, parts[:2], named):
                    return found + self._named(image, parts[2:], named + found)
        return []

    def _elsewhere(self, image: Image, named: list[Naming]) -> tuple[list[Naming], list[Naming]]:
        """Cards that are found beside and under the named ones, and those that may be ones."""
        cover = np.full(image.shape[:2], 255, np.uint8)
        for each in named:
            cv2.fillConvexPoly(cover, np.rint(each.corners).astype(np.int32), 0)
        found = [each for each in self._search.find(image, cover) if _is_possible(each, image.shape)]
        more: list[Naming] = []
        maybe: list[Naming] = []
        for each in sorted(found, key=lambda each: -each.confidence):
            rivals = [other for other in found if _overlap(each, other) > _COVERED]
            best = best_of(rivals, self._known)
            if best is None or not all(_overlap(best, other) < _COVERED for other in named + more):
                continue
            if best.confidence >= LISTED:
                more.append(best)
            elif best.confidence >= _MAYBE:
                maybe.append(best)
        return more, maybe


def _check(image: Image) -> None:
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise ValueError(
            f"cards are read in colour pictures (HxWx3, uint8), not in {image.shape} of {image.dtype}: "
            "convert the picture first"
        )


def _unsure(named: list[Naming]) -> list[str]:
    return [
        f"The card at {_at(each.corners)} may be another than {each.card.name}."
        for each in sorted(named, key=_place)
        if each.confidence < SURE
    ]


def _unread(outlines: list[Corners], named: list[Naming], size: tuple[int, ...]) -> list[str]:
    """A sentence for each outline that may be of a card, or of a part of one, that was not named."""
    areas = sorted(cv2.contourArea(each.corners) for each in named)
    smallest = _PART * areas[len(areas) // 2] if areas else _CARD_PART * size[0] * size[1]
    largest = _TOO_LARGE * areas[-1] if areas else float("inf")
    told: list[Corners] = []
    for outline in outlines:
        area = cv2.contourArea(outline)
        if (
            smallest < area < largest
            and _covered(outline, named) < _EXPLAINED
            and all(common(outline, other) < _EXPLAINED * area for other in told)
        ):
            told.append(outline)
    return [f"There may be a card at {_at(outline)}." for outline in told]


def _bent(traces: Traces, named: list[Naming], size: tuple[int, ...]) -> list[str]:
    """A sentence where a line outside all outlines that were looked into bends as a card's side does."""
    if named:
        lengths = np.array([sorted(sides(each.corners)) for each in named])
        short, long = float(np.median(lengths[:, 0])), float(lengths[:, 1].max())
    else:
        short, long = float(np.sqrt(_CARD_PART * size[0] * size[1])), float(min(size[:2]))
    shown = [each.corners + (each.corners - each.corners.mean(axis=0)) * _BESIDE for each in named]
    for x, y, arm in traces.bends:
        if _ARM * short < arm < _LONGER * long and all(
            cv2.pointPolygonTest(corners, (x, y), False) < 0 for corners in shown
        ):
            return [f"A part of a card may be seen at {x:.0f}, {y:.0f}."]
    return []


def _guessed(maybe: list[Naming], named: list[Naming]) -> list[str]:
    return [
        f"{each.card.name} may lie at {_at(each.corners)}, covered in part."
        for each in maybe
        if _covered(each.corners, named) < _EXPLAINED
    ]


def _covered(outline: Corners, named: list[Naming]) -> float:
    """The part of an outline that named cards cover."""
    shared = sum(common(outline, each.corners) for each in named)
    return shared / max(cv2.contourArea(outline), 1.0)


def _overlap(one: Naming, other: Naming) -> float:
    areas = cv2.contourArea(one.corners), cv2.contourArea(other.corners)
    return common(one.corners, other.corners) / max(min(areas), 1.0)


def _is_free(naming: Naming, named: list[Naming]) -> bool:
    return all(_overlap(naming, each) < _SAME_PLACE for each in named)


def _is_possible(naming: Naming, size: tuple[int, ...]) -> bool:
    """Whether a card can lie so: a convex outline, not seen from the edge, no larger than the picture."""
    corners = naming.corners
    return (
        bool(np.isfinite(corners).all())
        and cv2.isContourConvex(corners)
        and max(sides(corners)) < _STRETCH * min(sides(corners))
        and cv2.contourArea(corners) < 2 * size[0] * size[1]
    )


def _card(naming: Naming, outlines: list[Corners]) -> Card:
    """The card as it is told: in the outline that is drawn there, if there is one."""
    corners = naming.corners
    area = cv2.contourArea(corners)
    for outline in outlines:
        size = cv2.contourArea(outline)
        shared = common(corners, outline)
        if shared > _SAME_OUTLINE * (area + size - shared):
            turns = [np.roll(outline, -turn, axis=0) for turn in range(4)]
            corners = min(turns, key=lambda turn: float(np.abs(turn - naming.corners).sum()))
            break
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return Card(naming.card.name, naming.rotation(corners), (a, b, c, d), naming.confidence)


def _place(naming: Naming) -> tuple[float, float]:
    x, y = naming.corners.mean(axis=0)
    return float(y), float(x)


def _at(corners: Corners) -> str:
    x, y = corners.mean(axis=0)
    return f"{x:.0f}, {y:.0f}"
