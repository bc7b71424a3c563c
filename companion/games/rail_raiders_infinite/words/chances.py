"""What the odds are just now, for people who decide: boarding, rerolls, and how a fight stands."""

from __future__ import annotations

from fractions import Fraction
from math import prod

from companion.games.rail_raiders_infinite.dice import odds
from companion.games.rail_raiders_infinite.dice.hands import DICE, Counts, counts_of
from companion.games.rail_raiders_infinite.jobs.fighting import present, reroll_choices
from companion.games.rail_raiders_infinite.jobs.forces import dice_of, more_dice, raises, rerolls_for
from companion.games.rail_raiders_infinite.jobs.rolling import kept
from companion.games.rail_raiders_infinite.jobs.rounds import rank_to_board
from companion.games.rail_raiders_infinite.state import LAWBOTS, Job, Side, State


def to_board(state: State, seat: int, car: int, look: bool = False) -> Fraction:
    """The chance that a Raider boards that car at one attempt, its rerolls used as well as can be."""
    rank = rank_to_board(state, car, look)
    if not rank:
        return Fraction(1)
    dice = DICE + more_dice(state, seat, "boarding")
    rerolls = min(dice, rerolls_for(state, seat, "boarding"))
    return odds.boarding(rank, dice, rerolls, raises(state, seat, "boarding"))


MANY = 2000
"""As long as those who still decide have no more ways to do it together, all of them are looked at."""


def after_each_reroll(state: State, who: int) -> dict[tuple[str, ...], Fraction]:
    """For each choice of dice to reroll, the chance that the side wins the fight.

    Who decides later is taken to do it as well as can be, or to keep all dice where there are too
    many ways to look at.
    """
    sides = present(state).sides
    at = [side.who for side in sides].index(who)
    contenders = list(_contenders(state))
    allowed = reroll_choices(state, who)
    found = {}
    for again in allowed:
        contenders[at] = odds.Contender(prospect(state, sides[at])).rerolls(counts_of(again))
        found[again] = odds.best_play(tuple(contenders))[at]
    return found


def standing(state: State) -> dict[int, Fraction]:
    """The chance of each side to win, with the dice that lie there and the rerolls to come."""
    chances = odds.best_play(_contenders(state))
    return {side.who: chance for side, chance in zip(present(state).sides, chances, strict=True)}


def _contenders(state: State) -> tuple[odds.Contender, ...]:
    sides = present(state).sides
    open_to: dict[int, tuple[Counts, ...]] = {}
    if all(side.faces for side in sides):
        open_to = {
            side.who: tuple(map(counts_of, reroll_choices(state, side.who)))
            for side in sides
            if side.again is None
        }
    if prod(map(len, open_to.values())) > MANY:
        open_to = {}
    return tuple(odds.Contender(prospect(state, side), open_to.get(side.who, ())) for side in sides)


def in_own_roll(state: State, job: Job, again: tuple[str, ...]) -> Fraction:
    """The chance that a Raider's own roll comes to what it is for when these dice are rerolled."""
    if job.card == "boarding":
        outlook = odds.after_reroll(counts_of(kept(job.faces, again)), len(again))
        by = raises(state, job.seat, "boarding")
        return odds.expected(outlook, lambda hand: Fraction(hand.raised_by(by).rank >= job.count))
    assert job.effect is not None
    return odds.die_shows(job.effect.faces) if again else Fraction(job.faces[0] in job.effect.faces)


def prospect(state: State, side: Side) -> odds.Prospect:
    """What a side has: a roll to come, or the dice that lie there less those it rolls again."""
    by = () if side.who == LAWBOTS else raises(state, side.who, present(state).kind)
    if not side.faces:
        return odds.Prospect(odds.NO_DICE, dice_of(state, present(state), side), by)
    again = side.again or ()
    return odds.Prospect(counts_of(kept(side.faces, again)), len(again), by)
