"""Exact chances: golden numbers, and agreement with every roll counted one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from time import perf_counter

import pytest

from companion.games.rail_raiders_infinite.dice import odds
from companion.games.rail_raiders_infinite.dice.hands import FACES, Hand, best, counts_of, in_order, rolls

FIVE_DICE = {8: 6, 7: 150, 6: 300, 5: 240, 4: 1200, 3: 1800, 2: 3600, 1: 480}
"""Of the 7,776 rolls of five dice, those of each rank."""


def test_the_ranks_of_five_dice() -> None:
    outlook = odds.roll_outlook()
    for rank, ways in FIVE_DICE.items():
        assert sum(chance for hand, chance in outlook.items() if hand.rank == rank) == Fraction(ways, 7776)


@pytest.mark.parametrize(
    ("dice", "percent"),
    [(5, {3: 47.5, 4: 24.4, 5: 9.0, 6: 5.9, 7: 2.0}), (6, {3: 84.6, 4: 46.0, 5: 30.6, 6: 21.3, 7: 5.2})],
)
def test_boarding_rolls(dice: int, percent: dict[int, float]) -> None:
    for rank, share in percent.items():
        assert float(odds.boarding(rank, dice)) * 100 == pytest.approx(share, abs=0.05)
    assert odds.boarding(9, dice) == 0
    assert odds.boarding(1, dice) == 1


def test_six_dice_are_never_high_die() -> None:
    six = odds.roll_outlook(6)
    assert min(hand.rank for hand in six) == 2
    assert float(odds.expected(six, lambda hand: Fraction(hand.rank == 8))) * 100 == pytest.approx(
        0.4, abs=0.05
    )


@pytest.mark.parametrize("count", [5, 6])
def test_an_outlook_counts_what_every_roll_comes_to(count: int) -> None:
    ways = Counter(_best(in_order(dice)) for dice in product(FACES, repeat=count))
    assert odds.roll_outlook(count) == {hand: Fraction(n, 6**count) for hand, n in ways.items()}


@cache
def _best(dice: tuple[str, ...]) -> Hand:
    return best(dice)


@pytest.mark.parametrize("count", [5, 6, 7, 8])
def test_the_ways_to_lie_are_all_rolls(count: int) -> None:
    assert sum(ways for _, ways in rolls(count)) == 6**count
    assert sum(odds.roll_outlook(count).values()) == 1


def rerolled(faces: str, again: str) -> odds.Outlook:
    """The outlook of dice of which these are rolled again."""
    kept = list(faces.split())
    for face in again.split():
        kept.remove(face)
    return odds.after_reroll(counts_of(kept), len(again.split()))


def test_a_reroll_counts_what_each_die_may_show() -> None:
    outlook = rerolled("9 10 Q K A", "9")
    ways = Counter(best(("10", "Q", "K", "A", die)) for die in FACES)
    assert outlook == {hand: Fraction(n, 6) for hand, n in ways.items()}


def test_a_choice_takes_the_forced_dice_and_up_to_so_many_others() -> None:
    dice = (2, 0, 0, 0, 1, 1)
    forced = (0, 0, 0, 0, 1, 1)
    assert odds.choices(dice, 1, forced) == ((0, 0, 0, 0, 1, 1), (1, 0, 0, 0, 1, 1))
    assert len(odds.choices((1, 1, 1, 1, 1, 0), 5)) == 32


def test_boarding_with_a_reroll_agrees_with_every_roll_and_choice() -> None:
    def chance(dice: tuple[str, ...]) -> Fraction:
        found = [Fraction(best(dice).rank >= 4)]
        for at in range(5):
            others = dice[:at] + dice[at + 1 :]
            found.append(Fraction(sum(best((*others, die)).rank >= 4 for die in FACES), 6))
        return max(found)

    known = lru_cache(maxsize=None)(chance)
    every = sum(known(in_order(dice)) for dice in product(FACES, repeat=5))
    assert odds.boarding(4, rerolls=1) == every / 6**5


def test_a_fight_agrees_with_every_pair_of_rolls_to_come() -> None:
    mine, theirs = (
        rerolled("K K 9 10 J", "9 10"),
        rerolled("Q Q A A J", "J"),
    )
    wins = Fraction(0)
    for two in product(FACES, repeat=2):
        for one in FACES:
            hands = best((*two, "K", "K", "J")), best((one, "Q", "Q", "A", "A"))
            wins += Fraction(hands[0] > hands[1]) + Fraction(hands[0] == hands[1], 2)
    assert odds.fight([mine, theirs]) == (wins / 216, 1 - wins / 216)


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_equal_sides_have_equal_chances(sides: int) -> None:
    assert odds.fight([odds.roll_outlook()] * sides) == (Fraction(1, sides),) * sides


def test_three_sides_of_which_two_are_equal_share_what_the_third_leaves() -> None:
    same = {best(["K", "K", "9", "10", "J"]): Fraction(1)}
    third = rerolled("9 9 10 J Q", "9")
    chances = odds.fight([same, same, third])
    assert chances[0] == chances[1]
    assert sum(chances) == 1
    assert chances[2] == Fraction(1, 6)  # only a King makes more, a straight


def test_an_extra_die_and_a_reroll_to_come_help() -> None:
    plain = odds.roll_outlook()

    def rank(hand: Hand) -> Fraction:
        return Fraction(hand.rank)

    marshal, sheriff = odds.roll_outlook(6), odds.outlook_to_come(5, 1, rank)
    assert odds.fight([marshal, plain])[0] > odds.fight([sheriff, plain])[0] > Fraction(1, 2)
    assert sum(sheriff.values()) == 1
    assert odds.outlook_to_come(5, 0, rank) == plain


def contender(faces: str, allowed: int, decided: str | None = None) -> odds.Contender:
    dice = counts_of(faces.split())
    side = odds.Contender(odds.Prospect(dice, 0), odds.choices(dice, allowed))
    return side if decided is None else side.rerolls(counts_of(decided.split()))


def test_two_who_decide_one_after_the_other_do_it_as_well_as_can_be() -> None:
    mine, other = "9 9 J Q A", "10 10 J K A"
    wins = []
    for again in ("", *mine.split()):
        answers = [
            odds.fight([rerolled(mine, again), rerolled(other, then)])[1] for then in ("", *other.split())
        ]
        wins.append(1 - max(answers))
    assert odds.best_play((contender(mine, 1), contender(other, 1))) == (max(wins), 1 - max(wins))


def test_who_decides_later_knows_what_was_decided_before() -> None:
    sides = (contender("9 9 J Q A", 1, "9"), contender("10 10 J K A", 1))
    best_answer = max(
        odds.fight([rerolled("9 9 J Q A", "9"), rerolled("10 10 J K A", then)])[1]
        for then in ("", "10", "J", "K", "A")
    )
    assert odds.best_play(sides)[1] == best_answer


def test_who_has_nothing_to_decide_has_what_lies_there() -> None:
    sides = (contender("9 9 J Q A", 0), contender("10 10 J K A", 0))
    assert odds.best_play(sides) == (Fraction(0), Fraction(1))


def test_a_fight_of_four_with_rerolls_is_answered_while_people_decide(
    record_property: Callable[[str, str], None],
) -> None:
    sides = (contender("K K 9 10 J", 1), contender("Q Q 9 10 J A", 1), contender("9 10 J Q A", 1))
    begun = perf_counter()
    found = odds.best_play((*sides, contender("10 10 J Q K A K", 2, "J Q")))
    seconds = perf_counter() - begun
    record_property("told", f"rail raiders: all rerolls of a fight of four in {seconds * 1000:.0f} ms")
    assert sum(found) == 1
    assert seconds < 5


def test_one_die() -> None:
    assert odds.die_shows(("Q", "K", "A")) == Fraction(1, 2)
