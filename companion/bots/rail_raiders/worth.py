"""What things are worth to a player of Rail Raiders Infinite, in double-dollars."""

from __future__ import annotations

from fractions import Fraction

from companion.games.rail_raiders_infinite.dice import odds
from companion.games.rail_raiders_infinite.jobs.forces import counts_in, effects_on, is_met
from companion.games.rail_raiders_infinite.jobs.train import lawbots_on, lowest
from companion.games.rail_raiders_infinite.state import KINDS, LOOT, OFF, State, cards_of

SEARCH = 1.7
"""What one Loot token brings on average."""

UNSEEN = 2.2
"""A facedown car: tokens come, and Lawbots to salvage, or to be moved by."""

MOVED = 0.7
"""What it costs to be moved by a fight."""

GEAR = {"weapon": 1.8, "equipment": 1.4, "item": 0.8}
"""What a Loot card is worth that is kept."""

_STEPS = {"dollars": 1.0, "score_loot": 1.8, "put_token": 0.6, "shift_any": 0.2}


def loot_card(state: State, card: str) -> float:
    """What a Loot card is worth to who keeps it."""
    found = cards_of(state.edition, LOOT)[card]
    if found.kind != "score":
        return GEAR[found.kind]
    return sum(_STEPS.get(step.do, 0.0) * step.count for step in found.steps)


def dice_of_raider(state: State, seat: int, kind: str) -> tuple[int, int]:
    """How many dice a Raider would roll in a fight, and reroll, as far as can be said before it."""
    more = sum(
        effect.count
        for effect in effects_on(state, seat, "dice")
        if counts_in(effect, kind)
        and (effect.needs in ("raider_in", "lawbots_in") or is_met(state, effect, seat))
    )
    again = sum(effect.count for effect in effects_on(state, seat, "rerolls") if counts_in(effect, kind))
    weapons = [
        card for card in state.riders[seat].gear if cards_of(state.edition, LOOT)[card].kind == "weapon"
    ]
    return 5 + min(3, more + bool(weapons)), min(2, again)


def dice_of_lawbots(state: State, car: int) -> tuple[int, int]:
    """How many dice the Lawbots on a car roll, and reroll."""
    bots = state.cars[car].bots
    return 5 + bool(bots[2]), int(bool(bots[1]))


def chance_to_win(mine: tuple[int, int], others: list[tuple[int, int]]) -> float:
    """The chance to win against these, each with so many dice and rerolls."""
    sides = tuple(odds.Prospect(odds.NO_DICE, dice) for dice, _ in (mine, *others))
    chance = odds.chances(sides)[0]
    # A reroll is worth about half a die, in a fight of two.
    edge = Fraction(mine[1] * 6 - sum(again for _, again in others) * 6, 100)
    return float(min(Fraction(95, 100), max(Fraction(5, 100), chance + edge)))


def salvage(state: State, car: int) -> int:
    """The dollars for the lowest Lawbot on a car."""
    kind = lowest(state.cars[car].bots)
    return KINDS.index(kind) + 1 if kind else 0


def car_worth(state: State, car: int) -> float:
    """What it is worth to be on a car, before other Raiders come."""
    if car == OFF:
        return -1.0
    on = state.cars[car]
    if not on.up:
        return UNSEEN
    if lawbots_on(state, car):
        dice, again = dice_of_lawbots(state, car)
        win = 0.6 - 0.15 * (dice - 5) - 0.06 * again
        return win * (salvage(state, car) + 0.5 * bool(on.tokens)) - (1 - win) * MOVED
    return min(2, len(on.tokens)) * SEARCH * 0.8
