"""Looks for known cards all over a picture, without outlines: for cards that are partly covered.

Each local feature of the picture is held against those of all known cards. Where enough of them
agree on one card in one place, it may lie there. This costs more than looking inside outlines,
and its cost is bounded: features of the picture, features of the cards, places that are tried.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision import card_features as look
from vision.card_features import Floats, Image
from vision.card_naming import Naming, judge
from vision.card_outlines import LONG_SIDE, SMALLEST
from vision.known_cards import KnownCards

_IN_PICTURE = 1200  # features of the picture
_OF_CARDS = 24_000  # features of all cards together
_TRIED = 24  # places that are looked at closely
_FEWEST = 8  # features that agree on a card and its place
_NEIGHBOURS = 3  # features of cards to which one is held: the next other card is among them
_NEAREST, _RATIO = 64, 0.85  # bits between two features; and to the next other card


class CardSearch:
    """The features of all known cards, ready to be searched. Made once, then only read."""

    def __init__(self, known: KnownCards) -> None:
        self._known = known
        each = max(_FEWEST, _OF_CARDS // len(known.cards))
        rich = [place for place, card in enumerate(known.cards) if not card.plain]
        kept = [known.cards[place].features for place in rich]
        counts = [min(each, len(features)) for features in kept]
        self._owner = np.repeat(rich, counts)
        self._points = np.concatenate([np.zeros((0, 2)), *(features.points[:each] for features in kept)])
        self._descriptors = np.concatenate(
            [np.zeros((0, 32), np.uint8), *(features.descriptors[:each] for features in kept)]
        )

    def find(self, image: Image, cover: Image) -> list[Naming]:
        """Known cards that may lie where `cover` (uint8, HxW) is not 0, not yet compared with one another."""
        height, width = image.shape[:2]
        scale = min(1.0, LONG_SIDE / max(height, width, 1))
        size = (round(width * scale), round(height * scale))
        if min(size) < SMALLEST or not len(self._owner):
            return []
        work = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        open_to = np.asarray(cv2.resize(cover, size, interpolation=cv2.INTER_NEAREST), np.uint8)
        seen = look.find_features(work, _IN_PICTURE, open_to)
        if len(seen) < _FEWEST:
            return []
        fx, fy = size[0] / width, size[1] / height
        to_work = np.array([[fx, 0, fx / 2 - 0.5], [0, fy, fy / 2 - 0.5], [0, 0, 1]])
        pairs = self._pairs(seen)
        owners = self._owner[pairs[:, 1]] if len(pairs) else np.zeros(0, int)
        places, votes = np.unique(owners, return_counts=True)
        found: list[Naming] = []
        tried = 0
        for owner in places[np.argsort(-votes)]:
            left = pairs[owners == owner]
            while len(left) >= _FEWEST and tried < _TRIED:
                tried += 1
                near, known = seen.points[left[:, 0]], self._points[left[:, 1]]
                over = look.lay(near, known)
                if over is None or len(over.met) < _FEWEST:
                    break
                found.append(judge(image, over.transform @ to_work, self._known.cards[owner], cover))
                # The same card may lie there a second time.
                left = left[_far(near, known, over.transform)]
        return found

    def _pairs(self, seen: look.Features) -> Floats:
        """Places of features in the picture and of those of a card that they are surely like (Nx2)."""
        matches = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(seen.descriptors, self._descriptors, k=_NEIGHBOURS)
        kept = []
        for first, *others in matches:
            owner = self._owner[first.trainIdx]
            other = next((each for each in others if self._owner[each.trainIdx] != owner), None)
            if first.distance < _NEAREST and (other is None or first.distance < _RATIO * other.distance):
                kept.append((first.queryIdx, first.trainIdx))
        return np.array(kept, int).reshape(-1, 2)


def _far(seen: Floats, known: Floats, transform: Floats) -> Floats:
    """Which paired points the transform does not explain."""
    moved = cv2.perspectiveTransform(seen.reshape(-1, 1, 2).astype(np.float64), transform).reshape(-1, 2)
    return np.asarray(np.hypot(*(moved - known).T) > 3 * look.OFF)
