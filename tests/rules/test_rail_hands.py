"""Hands of poker dice, against a brute force that knows no more than the rulebook's key."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, product
from random import Random

import pytest

from companion.games.rail_raiders_infinite.dice.hands import (
    FACES,
    RANK_NAMES,
    Hand,
    best,
    best_of,
    called,
    counts_of,
    faces_of,
    in_order,
    rolls,
)


@cache
def plainly(five: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """Five dice, sorted, as the key ranks them: by the sizes of their groups, and then the groups."""
    counts = Counter(five)
    groups = sorted(counts, key=lambda face: (counts[face], face), reverse=True)
    quality = tuple(face for face in groups for _ in range(counts[face]))
    sizes = sorted(counts.values(), reverse=True)
    if sizes == [1] * 5:
        return (5 if max(five) - min(five) == 4 else 1), quality
    return {(5,): 8, (4, 1): 7, (3, 2): 6, (3, 1, 1): 4, (2, 2, 1): 3, (2, 1, 1, 1): 2}[tuple(sizes)], quality


def by_brute_force(dice: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    return max(plainly(five) for five in combinations(sorted(dice), 5))


def agrees(dice: tuple[int, ...]) -> bool:
    hand = best(FACES[die] for die in dice)
    return (hand.rank, hand.quality) == by_brute_force(dice)


@pytest.mark.parametrize("count", [5, 6])
def test_every_roll_is_ranked_as_by_brute_force(count: int) -> None:
    for dice in product(range(6), repeat=count):
        assert agrees(dice), dice


@pytest.mark.parametrize("count", [5, 6, 7, 8])
def test_every_way_that_dice_can_lie_is_ranked_as_by_brute_force(count: int) -> None:
    for counts, _ in rolls(count):
        assert agrees(tuple(FACES.index(face) for face in faces_of(counts))), counts


def test_random_rolls_of_seven_and_eight_are_ranked_as_by_brute_force() -> None:
    chance = Random(7)
    for _ in range(10_000):
        assert agrees(tuple(chance.randrange(6) for _ in range(chance.choice((7, 8)))))


@pytest.mark.deep
def test_a_million_random_rolls_of_seven_and_eight_are_ranked_as_by_brute_force() -> None:
    chance = Random(8)
    for _ in range(1_000_000):
        assert agrees(tuple(chance.randrange(6) for _ in range(chance.choice((7, 8)))))


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("K K 9 10 J", "Q Q A K J"),  # the pair first
        ("Q Q A 10 9", "Q Q K J 10"),  # then the highest other die
        ("Q Q A K 10", "Q Q A K 9"),  # down to the last one
        ("K K 10 10 9", "K K 9 9 A"),  # the high pair, the low pair
        ("K K 10 10 A", "K K 10 10 Q"),  # the odd die
        ("J J J 9 9", "10 10 10 A A"),  # full house: trips first
        ("J J J 10 10", "J J J 9 9"),  # then the pair
        ("J J J A 9", "J J J K Q"),
        ("10 J Q K A", "9 10 J Q K"),
        ("9 9 9 9 10", "A A A K K"),
        ("9 9 9 9 9", "A A A A K"),
        ("A K Q 10 9", "A J Q 10 9"),  # high die
        ("9 10 J Q K", "A A A K Q"),  # a straight beats trips
        ("9 9 9 10 10", "10 J Q K A"),  # a full house beats a straight
    ],
)
def test_which_hand_beats_which(higher: str, lower: str) -> None:
    assert best(higher.split()) > best(lower.split())


def test_a_hand_is_the_same_however_it_lies() -> None:
    assert best(["K", "9", "K", "A", "9"]) == best(["9", "9", "K", "K", "A"])
    assert best(["K", "9", "K", "A", "9"]).dice == ("K", "K", "9", "9", "A")
    assert in_order(["K", "9", "K", "A", "9"]) == ("9", "9", "K", "K", "A")


def test_a_raised_hand_beats_all_below_it() -> None:
    assert best(["9"] * 5).raised(1) > best(["A"] * 5)
    assert best(["9"] * 5).raised(1).rank == 9


def test_fewer_than_five_dice_are_no_hand() -> None:
    with pytest.raises(ValueError, match="5 dice, and there are 4"):
        best(["9"] * 4)
    with pytest.raises(KeyError):
        best(["joker"] * 5)


def test_hands_have_names() -> None:
    names = {
        "9 10 J Q A": "Ace high",
        "K K A Q 9": "a pair of Kings",
        "10 10 J J Q": "Jacks and tens",
        "9 J Q Q Q": "three Queens",
        "9 10 J Q K": "a straight to the King",
        "9 9 A A A": "a full house, Aces over nines",
        "9 9 9 9 A": "four nines",
        "A A A A A": "five Aces",
    }
    assert [called(best(dice.split())) for dice in names] == list(names.values())
    assert called(best(["A"] * 3 + ["9", "10"]).raised(1)) == "three Aces, raised to rank 5"
    assert len(RANK_NAMES) == 8


def test_eight_dice_of_all_faces_are_the_highest_straight() -> None:
    assert best(FACES) == Hand(5, (5, 4, 3, 2, 1))
    assert best_of(counts_of((*FACES, "9", "9"))) == Hand(5, (5, 4, 3, 2, 1))
    assert best_of(counts_of((*FACES, "9", "10"))).rank == 5
