"""Exact chances with poker dice, by counting every way in which they can lie.

Chances are fractions, not rounded. Who has rerolls is taken to use them as well as can be: for the
highest chance of what is wanted, with all that is known when the choice is made.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate, product
from math import lcm, prod
from typing import NamedTuple

from companion.games.rail_raiders_infinite.dice.hands import (
    DICE,
    FACES,
    Counts,
    Hand,
    Raises,
    best_of,
    rolls,
)

Outlook = Mapping[Hand, Fraction]
"""The chance of each hand that a side may end with; they add up to one."""

Worth = Callable[[Hand], Fraction]

NO_DICE: Counts = (0, 0, 0, 0, 0, 0)


def roll_outlook(dice: int = DICE) -> Outlook:
    """What a roll of five dice or more comes to, without rerolls."""
    return after_reroll(NO_DICE, dice)


def after_reroll(kept: Counts, again: int) -> Outlook:
    """The outlook of a side that keeps these dice and rolls so many."""
    return {hand: Fraction(ways, 6**again) for hand, ways in _ways(kept, again)}


@lru_cache(maxsize=8192)
def _ways(kept: Counts, again: int) -> tuple[tuple[Hand, int], ...]:
    """The hands that come of it, each with in how many of the 6^again rolls it does."""
    found: dict[Hand, int] = {}
    for counts, ways in rolls(again):
        hand = best_of(_together(kept, counts))
        found[hand] = found.get(hand, 0) + ways
    return tuple(found.items())


@lru_cache(maxsize=1024)
def choices(dice: Counts, allowed: int, forced: Counts = NO_DICE) -> tuple[Counts, ...]:
    """The sets of dice that may be rerolled: the forced ones, and up to so many of the others."""
    free = tuple(count - must for count, must in zip(dice, forced, strict=True))
    found = []
    for more in product(*(range(min(count, allowed) + 1) for count in free)):
        if sum(more) <= allowed:
            again = tuple(must + extra for must, extra in zip(forced, more, strict=True))
            found.append((again[0], again[1], again[2], again[3], again[4], again[5]))
    return tuple(found)


def expected(outlook: Outlook, worth: Worth) -> Fraction:
    """What the outlook is worth on average."""
    return sum((chance * worth(hand) for hand, chance in outlook.items()), Fraction(0))


def outlook_to_come(dice: int, allowed: int, worth: Worth) -> Outlook:
    """The outlook before a roll with so many rerolls to come, each used for what hands are worth."""
    if not allowed:
        return roll_outlook(dice)
    worths = {hand: worth(hand) for hand, _ in _ways(NO_DICE, dice)}
    unit = lcm(*(value.denominator for value in worths.values()))
    whole = {hand: int(value * unit) for hand, value in worths.items()}

    @cache
    def comes_to(kept: Counts) -> tuple[int, int]:
        """What is worth most, the fewest rerolls of equal choices; many rolls come to the same."""
        count = dice - sum(kept)
        ways = _ways(kept, count)
        return sum(number * whole[hand] for hand, number in ways) * 6 ** (allowed - count), -count

    found: dict[Hand, int] = {}
    for counts, ways in rolls(dice):
        kept = max((_without(counts, again) for again in choices(counts, allowed)), key=comes_to)
        count = dice - sum(kept)
        for hand, number in _ways(kept, count):
            found[hand] = found.get(hand, 0) + ways * number * 6 ** (dice - count)
    return {hand: Fraction(ways, 36**dice) for hand, ways in found.items()}


@lru_cache(maxsize=256)
def boarding(rank: int, dice: int = DICE, rerolls: int = 0, raises: Raises = ()) -> Fraction:
    """The chance to roll that rank or a better one. Rulebook, Boarding the Train."""

    def worth(hand: Hand) -> Fraction:
        return Fraction(hand.raised_by(raises).rank >= rank)

    return expected(outlook_to_come(dice, rerolls, worth), worth)


_SHARES = 60
"""Divides evenly among up to six who tie."""


class _Tally(NamedTuple):
    """An outlook in whole numbers: its hands, the lowest first, and in how many of `whole` ways each comes.

    `below[n]` are the ways to end with one of the first n hands.
    """

    hands: tuple[Hand, ...]
    ways: Mapping[Hand, int]
    below: tuple[int, ...]
    whole: int


def _tally(outlook: Outlook) -> _Tally:
    whole = lcm(*(chance.denominator for chance in outlook.values()))
    return _counted({hand: int(chance * whole) for hand, chance in outlook.items()}, whole)


def _counted(ways: Mapping[Hand, int], whole: int) -> _Tally:
    ordered = {hand: ways[hand] for hand in sorted(ways)}
    return _Tally(tuple(ordered), ordered, tuple(accumulate(ordered.values(), initial=0)), whole)


def fight(sides: Sequence[Outlook]) -> tuple[Fraction, ...]:
    """The chance of each side to win the fight; they add up to one."""
    return _fought([_tally(side) for side in sides])


def _fought(sides: Sequence[_Tally]) -> tuple[Fraction, ...]:
    """Who ties for the best rolls off, each as likely as the other (RR-A09), so ways are counted in
    parts of _SHARES.
    """
    whole = _SHARES * prod(side.whole for side in sides)
    found = []
    for at, side in enumerate(sides):
        others = [*sides[:at], *sides[at + 1 :]]
        wins = sum(ways * _beaten(hand, others) for hand, ways in side.ways.items())
        found.append(Fraction(wins, whole))
    return tuple(found)


def _beaten(hand: Hand, others: Sequence[_Tally]) -> int:
    """In how many ways the others may end so that the hand wins, in parts of _SHARES."""
    # equal[n]: in how many ways nobody is better and n are equal.
    equal = [1]
    for other in others:
        less, tied = other.below[bisect_left(other.hands, hand)], other.ways.get(hand, 0)
        if tied:
            equal = [less * more + tied * fewer for more, fewer in zip([*equal, 0], [0, *equal], strict=True)]
        elif less:
            equal = [less * count for count in equal]
        else:
            return 0
    return sum(count * (_SHARES // (n + 1)) for n, count in enumerate(equal))


# -- as a fight goes on -------------------------------------------------------------------------------


class Prospect(NamedTuple):
    """What one side has: the dice that it keeps, how many it still rolls, and what raises its hands."""

    kept: Counts
    to_roll: int
    raises: Raises = ()


@lru_cache(maxsize=512)
def chances(sides: tuple[Prospect, ...]) -> tuple[Fraction, ...]:
    """The chance of each side to win, as far as dice lie and choices are made."""
    return _fought([_tally_of(side) for side in sides])


@lru_cache(maxsize=2048)
def _tally_of(prospect: Prospect) -> _Tally:
    """The hands that a side may end with, raised as they are."""
    found: dict[Hand, int] = {}
    for hand, ways in _ways(prospect.kept, prospect.to_roll):
        higher = hand.raised_by(prospect.raises)
        found[higher] = found.get(higher, 0) + ways
    return _counted(found, 6**prospect.to_roll)


class Contender(NamedTuple):
    """A side of a fight: what it has, and the sets of dice among which it still chooses to reroll.

    `choices` are empty where there is nothing to decide any more.
    """

    has: Prospect
    choices: tuple[Counts, ...] = ()

    def rerolls(self, again: Counts) -> Contender:
        """The side when it has decided."""
        return Contender(Prospect(_without(self.has.kept, again), sum(again), self.has.raises))


@lru_cache(maxsize=8192)
def best_play(sides: tuple[Contender, ...]) -> tuple[Fraction, ...]:
    """The chance of each side to win when all who still decide do it as well as can be.

    They decide in their order, and each knows what was decided before it. Of choices that are
    equally good the first one is taken.
    """
    at = next((at for at, side in enumerate(sides) if side.choices), None)
    if at is None:
        return chances(tuple(side.has for side in sides))
    results = (
        best_play((*sides[:at], sides[at].rerolls(again), *sides[at + 1 :])) for again in sides[at].choices
    )
    return max(results, key=lambda result: result[at])


def die_shows(faces: Sequence[str]) -> Fraction:
    """The chance that one die shows one of these faces."""
    return Fraction(len(set(faces) & set(FACES)), len(FACES))


def _together(one: Counts, other: Counts) -> Counts:
    return (
        one[0] + other[0],
        one[1] + other[1],
        one[2] + other[2],
        one[3] + other[3],
        one[4] + other[4],
        one[5] + other[5],
    )


def _without(dice: Counts, gone: Counts) -> Counts:
    return (
        dice[0] - gone[0],
        dice[1] - gone[1],
        dice[2] - gone[2],
        dice[3] - gone[3],
        dice[4] - gone[4],
        dice[5] - gone[5],
    )
