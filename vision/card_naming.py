"""Says which known card lies inside an outline, which way up, and how surely."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from vision import card_features as look
from vision.card_features import Features, Floats, Image
from vision.card_outlines import Corners, clockwise, sides
from vision.known_cards import KnownCards, Reference

ENOUGH_MET = 10
"""Features that must meet before a card is named by them."""

# What makes it even odds that a naming is right, and how fast the odds grow.
_BY_FEATURES = (1.2, 30.0)  # spread and agreement together, and more for many features
_MORE = 0.35
_BY_PRINT = (0.86, 40.0)  # a card whose features were not found has to fit very well
_BY_PLAIN_PRINT = (0.72, 40.0)
_BY_LEAD = (0.0, 70.0)

_FORESHORTENED = 1.75  # how much narrower or wider than it is a card may look
_SQUARE = 120  # pixels to which an outline is brought for its thumbnails
_SHORTLIST = 6  # cards that are looked at closely
_PRINTS = 8  # cards and turns whose print is laid over
_FAINTLY = 0.0  # thumbnails less alike than this are not even of a part of the card
_RESEMBLES = 0.5  # thumbnails less alike than this are of other cards
_MET = 8  # features that must meet before a card is looked at once more
_PLENTY = 80  # features that meet on one card only: nothing else is tried
_ENOUGH = 0.9  # confidence from which no other card is tried
_HOLDS = 2  # features that a part of a card needs to count, and that must be found again there
_SHOWN = 0.6  # of a part of a card must be visible for it to count
_SHIFT = 0.15  # of a card's size: how far alignment may move a corner


@dataclass(frozen=True)
class Naming:
    """A known card at a place in a picture.

    `transform` (3x3) brings the picture's pixels to the card's. `spread` and `agreement` (0..1) are
    what card_features tells; `lead` is how much better it fits, where they differ, than the
    known card that fits next best; `visible` is the part of it that nothing covers.
    """

    card: Reference
    transform: Floats
    met: int
    spread: float
    agreement: float
    alike: Floats
    weight: Floats
    visible: float
    lead: float = 1.0

    @cached_property
    def corners(self) -> Corners:
        """The card's corners in the picture, clockwise from its own upper left one."""
        width, height = self.card.size
        own = np.array([[[0, 0]], [[width, 0]], [[width, height]], [[0, height]]], np.float32) - 0.5
        placed = cv2.perspectiveTransform(own, np.linalg.inv(self.transform))
        return np.asarray(placed, np.float32).reshape(4, 2)

    def rotation(self, corners: Corners) -> float:
        """How far the card is turned clockwise where its corners are, in degrees.

        From 0 to 360; from 0 to 180 if it looks the same both ways.
        """
        across = corners[1] - corners[0] + corners[2] - corners[3]
        turn = float(np.degrees(np.arctan2(across[1], across[0])))
        return turn % (180 if self.card.same_both_ways else 360)

    @property
    def fit(self) -> float:
        """How alike the prints are on the whole (-1..1)."""
        total = float(self.weight.sum())
        return float((self.weight * self.alike).sum()) / total if total > 0 else 0.0

    @property
    def confidence(self) -> float:
        """The probability that it is this card."""
        by_features = 0.0
        if self.met >= ENOUGH_MET:
            by_features = _odds(self.spread + self.agreement + _MORE * np.log(self.met / 50), *_BY_FEATURES)
        by_print = _odds(self.fit, *(_BY_PLAIN_PRINT if self.card.plain else _BY_PRINT))
        return max(by_features, by_print) * _odds(self.lead, *_BY_LEAD)


def name(image: Image, outline: Corners, known: KnownCards, cover: Image | None = None) -> Naming | None:
    """The known card inside `outline` (4x2, pixels of `image`); None if it resembles none.

    `cover` (uint8, as large as the image) is 0 where something lies over what is to be named.
    """
    turns = [np.roll(outline, -turn, axis=0) for turn in range(4)]
    square, _ = look.rectify(image, outline, (_SQUARE, _SQUARE))
    thumbnails = np.array([look.thumbnail(np.ascontiguousarray(np.rot90(square, turn))) for turn in range(4)])
    scores = known.compare(thumbnails)
    for turn, corners in enumerate(turns):
        across, down = sides(corners)
        off = np.abs(np.log(across / down / known.shapes))
        scores[turn, off > np.log(_FORESHORTENED)] = -1
    found = _by_features(image, turns, scores, known, cover)
    if not found or max(each.confidence for each in found) < _ENOUGH:
        found += _by_print(image, turns, scores, known, cover)
    return best_of(found, known)


def best_of(found: list[Naming], known: KnownCards) -> Naming | None:
    """The likeliest of several namings of one place, with its lead over the others and over its twins.

    That is the one that fits best against each of the others, where it differs from them.
    """
    if not found:
        return None
    leads = {
        id(one): min((lead(one, other) for other in found if other.card is not one.card), default=1.0)
        for one in found
    }
    first = max(found, key=lambda each: (leads[id(each)], each.fit))
    if known.twins[first.card.name] - {each.card.name for each in found}:
        return replace(first, lead=min(0.0, leads[id(first)]))
    return replace(first, lead=leads[id(first)])


def lead(first: Naming, rival: Naming) -> float:
    """How much better `first` fits than `rival` at those places where the two cards differ (-1..1)."""
    if first.card.print.shape != rival.card.print.shape:
        return first.agreement - rival.agreement
    same, weight = look.likeness(first.card.print, rival.card.print)
    differ = np.clip(1 - same, 0, 1) * weight * np.minimum(first.weight > 0, rival.weight > 0)
    total = float(differ.sum())
    better = np.clip(first.alike, 0, 1) - np.clip(rival.alike, 0, 1)
    return float((differ * better).sum()) / total if total > 0 else 0.0


def judge(image: Image, transform: Floats, card: Reference, cover: Image | None = None) -> Naming:
    """How well `card` fits where `transform` (3x3) lays it; the place is made more exact first."""
    picture = look.warp(image, transform, card.size)
    again = None if card.plain else look.overlay(look.find_features(picture), card.features)
    points = np.zeros((0, 2))
    if again is not None and len(again.met) >= _MET:
        transform = again.transform @ transform
        picture, points = look.warp(image, transform, card.size), again.met
    visible = _visible(image, transform, card, cover)
    alike, weight = look.likeness(look.print_of(picture), card.print)
    shown = cv2.resize(visible, look.print_size(card.size), interpolation=cv2.INTER_AREA)
    weight = weight * (shown > 0.99)
    return Naming(
        card,
        transform,
        len(points),
        _spread(points, card, visible),
        look.agreement(alike, weight),
        alike,
        weight,
        float(visible.mean()),
    )


def _by_features(
    image: Image, turns: list[Corners], scores: Floats, known: KnownCards, cover: Image | None
) -> list[Naming]:
    """Cards of the shortlist that features lay over the outline, the best first."""
    seen: dict[tuple[int, tuple[int, int]], tuple[Features, Floats]] = {}
    laid: list[tuple[int, Reference, Floats]] = []
    for place in np.argsort(-scores.max(axis=0))[:_SHORTLIST]:
        turn = int(scores[:, place].argmax())
        if scores[turn, place] < _FAINTLY:
            break
        card = known.cards[place]
        if card.plain:
            continue
        key = (turn % 2, card.size)
        if key not in seen:
            picture, transform = look.rectify(image, turns[turn % 2], card.size)
            seen[key] = look.find_features(picture), transform
        features, transform = seen[key]
        over = look.overlay(features, card.features)
        if over is not None and len(over.met) >= _MET:
            laid.append((len(over.met), card, over.transform @ transform))
            if len(over.met) >= _PLENTY:
                break
    laid.sort(key=lambda each: -each[0])
    return [judge(image, transform, card, cover) for _, card, transform in laid[:2]]


def _by_print(
    image: Image, turns: list[Corners], scores: Floats, known: KnownCards, cover: Image | None
) -> list[Naming]:
    """Cards and turns whose thumbnails are most alike, their print laid over the outline."""
    found: dict[str, Naming] = {}
    for at in np.argsort(-scores, axis=None)[:_PRINTS]:
        turn, place = divmod(int(at), len(known.cards))
        if scores[turn, place] < _RESEMBLES:
            break
        card = known.cards[place]
        _, transform = look.rectify(image, turns[turn], card.size)
        _keep(found, _lay_print(image, transform, card, cover))
    if found:
        # What one card's print found out of the place is a fair start for the others as well.
        best = max(found.values(), key=lambda each: each.fit)
        for card in [each.card for each in found.values() if each.card.size == best.card.size]:
            _keep(found, _lay_print(image, best.transform, card, cover))
    return list(found.values())


def _lay_print(image: Image, transform: Floats, card: Reference, cover: Image | None) -> Naming | None:
    step = look.align(look.print_of(look.warp(image, transform, card.size)), card.print)
    if step is None:
        return None
    to_print = _to_print(card)
    step = np.linalg.inv(to_print) @ np.linalg.inv(step) @ to_print
    return judge(image, step @ transform, card, cover) if _is_small(step, card) else None


def _keep(found: dict[str, Naming], naming: Naming | None) -> None:
    if naming is not None:
        other = found.get(naming.card.name)
        if other is None or other.fit < naming.fit:
            found[naming.card.name] = naming


def _to_print(card: Reference) -> Floats:
    """The transform (3x3) of a card's pixels to those of its print."""
    width, height = look.print_size(card.size)
    fx, fy = width / card.size[0], height / card.size[1]
    return np.array([[fx, 0, fx / 2 - 0.5], [0, fy, fy / 2 - 0.5], [0, 0, 1]])


def _is_small(step: Floats, card: Reference) -> bool:
    width, height = card.size
    own = np.array([[[0, 0]], [[width, 0]], [[width, height]], [[0, height]]], np.float32)
    moved = cv2.perspectiveTransform(own, step)
    return bool((np.abs(moved - own) < _SHIFT * np.array([width, height])).all())


def _visible(image: Image, transform: Floats, card: Reference, cover: Image | None) -> Floats:
    """1 where the card can be seen (its pixels), 0 outside the picture and under other cards."""
    whole = cover if cover is not None else np.full(image.shape[:2], 255, np.uint8)
    return np.asarray(
        cv2.warpPerspective(whole, transform, card.size, flags=cv2.INTER_NEAREST) > 0, np.float32
    )


def _spread(met: Floats, card: Reference, visible: Floats) -> float:
    """The part (0..1) of the card's visible, printed area in which features were found again."""
    shown = cv2.resize(visible, look.CELLS, interpolation=cv2.INTER_AREA) > _SHOWN
    holds = (card.cells >= _HOLDS) & shown
    again = look.count_cells(met, card.size) >= _HOLDS
    return float((again & holds).sum()) / max(1, int(holds.sum()))


def _odds(value: float, even: float, slope: float) -> float:
    return float(1 / (1 + np.exp(np.clip(-slope * (value - even), -50, 50))))


def whole(picture: Image) -> Corners:
    """The corners of a picture that a card fills."""
    height, width = picture.shape[:2]
    return clockwise(np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5)
