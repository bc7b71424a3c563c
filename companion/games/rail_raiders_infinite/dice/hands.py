"""Hands of poker dice: the best five of those that were rolled, and which hand beats which.

Rulebook, Hand Rank; Rolling; RR-A11, RR-A12, RR-A30.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial

from msgspec import Struct

FACES = ("9", "10", "J", "Q", "K", "A")
"""The faces of a die, from the lowest to the highest."""

DICE = 5
"""How many dice make a hand."""

HIGH_DIE, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FULL_HOUSE, FOUR, FIVE = RANKS = (1, 2, 3, 4, 5, 6, 7, 8)
"""The ranks, from the Hand Rank Key."""

RANK_NAMES = (
    "High Die",
    "One Pair",
    "Two Pair",
    "Three of a Kind",
    "Straight",
    "Full House",
    "Four of a Kind",
    "Five of a Kind",
)

_NUMBER = {face: number for number, face in enumerate(FACES)}
_PLURALS = ("nines", "tens", "Jacks", "Queens", "Kings", "Aces")
_SINGULARS = ("nine", "ten", "Jack", "Queen", "King", "Ace")

Counts = tuple[int, int, int, int, int, int]
"""How many dice show each face, the lowest face first."""

Raises = tuple[tuple[int, int], ...]
"""What raises hands, as (rank, ranks): those of that rank or better count for so many ranks more."""


class Hand(Struct, frozen=True, order=True, array_like=True, forbid_unknown_fields=True):
    """A hand: of two the greater one wins, and equal ones roll off.

    `quality` are its five dice as numbers of faces, the larger group of equal ones first, then the
    higher. `rank` may lie above 8 where a card adds to it (RR-A30).
    """

    rank: int
    quality: tuple[int, ...]

    @property
    def dice(self) -> tuple[str, ...]:
        """The five dice that make it."""
        return tuple(FACES[number] for number in self.quality)

    def raised(self, ranks: int) -> Hand:
        """The hand with its rank so much higher."""
        return Hand(self.rank + ranks, self.quality)

    def raised_by(self, raises: Raises) -> Hand:
        """The hand with its rank as much higher as is due to it."""
        return self.raised(sum(ranks for least, ranks in raises if self.rank >= least))


def counts_of(faces: Iterable[str]) -> Counts:
    """How often each face lies there; KeyError for what is no face."""
    found = [0] * len(FACES)
    for face in faces:
        found[_NUMBER[face]] += 1
    return (found[0], found[1], found[2], found[3], found[4], found[5])


def faces_of(counts: Counts) -> tuple[str, ...]:
    """The dice, the lowest first."""
    return tuple(face for face, count in zip(FACES, counts, strict=True) for _ in range(count))


def in_order(faces: Iterable[str]) -> tuple[str, ...]:
    """The same dice, the lowest first; ValueError for what is no face."""
    return tuple(sorted(faces, key=FACES.index))


def best(faces: Iterable[str]) -> Hand:
    """The highest hand that five of these dice make; ValueError for fewer than five."""
    return best_of(counts_of(faces))


@lru_cache(maxsize=8192)
def best_of(counts: Counts) -> Hand:
    """The highest hand of so many dice of each face; ValueError for fewer than five."""
    if sum(counts) < DICE:
        raise ValueError(f"A hand is of {DICE} dice, and there are {sum(counts)}.")
    most = max(counts)
    if most >= 4:
        group = _highest(counts, most if most < DICE else DICE)
        if most >= DICE:
            return Hand(FIVE, (group,) * DICE)
        return Hand(FOUR, (group,) * 4 + _rest(counts, (group,), 1))
    if most == 3:
        trips = _highest(counts, 3)
        pair = _highest(counts, 2, trips)
        if pair >= 0:
            return Hand(FULL_HOUSE, (trips,) * 3 + (pair,) * 2)
    for low in (1, 0):
        if all(counts[low : low + DICE]):
            return Hand(STRAIGHT, tuple(range(low + DICE - 1, low - 1, -1)))
    if most == 3:
        return Hand(TRIPS, (trips,) * 3 + _rest(counts, (trips,), 2))
    if most == 1:
        return Hand(HIGH_DIE, _rest(counts, (), DICE))
    high = _highest(counts, 2)
    low = _highest(counts, 2, high)
    if low >= 0:
        return Hand(TWO_PAIR, (high, high, low, low, *_rest(counts, (high, low), 1)))
    return Hand(PAIR, (high, high, *_rest(counts, (high,), 3)))


def _highest(counts: Counts, least: int, but: int = -1) -> int:
    """The highest face that lies there so often at least, another than `but`; -1 for none."""
    return max((face for face in range(6) if counts[face] >= least and face != but), default=-1)


def _rest(counts: Counts, but: tuple[int, ...], count: int) -> tuple[int, ...]:
    """The highest so many dice of other faces."""
    dice = [face for face in range(5, -1, -1) if face not in but for _ in range(counts[face])]
    return tuple(dice[:count])


def called(hand: Hand) -> str:
    """The hand as people call it: "a pair of Kings, with A Q 9"."""
    first, quality = hand.quality[0], hand.quality
    plain = _kind(quality)
    words = {
        HIGH_DIE: f"{_SINGULARS[first]} high",
        PAIR: f"a pair of {_PLURALS[first]}",
        TWO_PAIR: f"{_PLURALS[first]} and {_PLURALS[quality[2]]}",
        TRIPS: f"three {_PLURALS[first]}",
        STRAIGHT: f"a straight to the {_SINGULARS[first]}",
        FULL_HOUSE: f"a full house, {_PLURALS[first]} over {_PLURALS[quality[3]]}",
        FOUR: f"four {_PLURALS[first]}",
        FIVE: f"five {_PLURALS[first]}",
    }[plain]
    return words if hand.rank == plain else f"{words}, raised to rank {hand.rank}"


def _kind(quality: tuple[int, ...]) -> int:
    """The rank of five dice by themselves."""
    return best(FACES[number] for number in quality).rank


@lru_cache(maxsize=16)
def rolls(count: int) -> tuple[tuple[Counts, int], ...]:
    """Every way that so many dice can lie, order aside, with how many of the 6^count rolls it is."""
    found = []
    for faces in combinations_with_replacement(FACES, count):
        counts, ways = counts_of(faces), factorial(count)
        for number in counts:
            ways //= factorial(number)
        found.append((counts, ways))
    return tuple(found)
