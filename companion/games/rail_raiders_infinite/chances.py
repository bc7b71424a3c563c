"""What the odds are just now, for people who decide: boarding, rerolls, and how a fight stands."""

from __future__ import annotations

from fractions import Fraction

from companion.games.rail_raiders_infinite import odds
from companion.games.rail_raiders_infinite.fighting import present, reroll_choices
from companion.games.rail_raiders_infinite.forces import counts_in, dice_of, effects_on, rerolls_for
from companion.games.rail_raiders_infinite.hands import counts_of
from companion.games.rail_raiders_infinite.rolling import kept
from companion.games.rail_raiders_infinite.rounds import rank_to_board
from companion.games.rail_raiders_infinite.state import LAWBOTS, Side, State


def to_board(state: State, seat: int, car: int, look: bool = False) -> Fraction:
    """The chance that a Raider boards that car at one attempt, its rerolls used as well as can be."""
    rank = rank_to_board(state, car, look)
    return odds.boarding(rank, rerolls=min(5, rerolls_for(state, seat, "boarding"))) if rank else Fraction(1)


def after_each_reroll(state: State, who: int) -> dict[tuple[str, ...], Fraction]:
    """For each choice of dice to reroll, the chance that the side wins the fight.

    Who has decided rolls what was chosen; who has not yet is taken to keep what lies there.
    """
    fight = present(state)
    mine = next(side for side in fight.sides if side.who == who)
    others = tuple(prospect(state, side) for side in fight.sides if side.who != who)
    allowed = reroll_choices(state, who)
    chances = odds.reroll_chances(prospect(state, mine), tuple(map(counts_of, allowed)), others)
    return dict(zip(allowed, chances, strict=True))


def standing(state: State) -> dict[int, Fraction]:
    """The chance of each side to win, as far as dice lie and choices are made."""
    sides = present(state).sides
    chances = odds.chances(tuple(prospect(state, side) for side in sides))
    return {side.who: chance for side, chance in zip(sides, chances, strict=True)}


def prospect(state: State, side: Side) -> odds.Prospect:
    """What a side has: a roll to come, or the dice that lie there less those it rolls again."""
    raises = _raises(state, side.who)
    if not side.faces:
        return odds.Prospect(odds.NO_DICE, dice_of(state, present(state), side), raises)
    again = side.again or ()
    return odds.Prospect(counts_of(kept(side.faces, again)), len(again), raises)


def _raises(state: State, who: int) -> tuple[tuple[int, int], ...]:
    """What cards add to the ranks of a side's hands."""
    kind = present(state).kind
    found = () if who == LAWBOTS else effects_on(state, who, "rank")
    return tuple((effect.least, effect.count) for effect in found if counts_in(effect, kind))
