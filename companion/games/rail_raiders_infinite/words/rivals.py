"""Who rolls against whom: each side of a fight or a roll-off with its dice, its hand and its chance."""

from __future__ import annotations

from fractions import Fraction

from companion.games.game import Rival
from companion.games.rail_raiders_infinite.dice.hands import Hand, called, in_order
from companion.games.rail_raiders_infinite.jobs.fighting import present
from companion.games.rail_raiders_infinite.jobs.forces import dice_of, final_hand, rerolls_of
from companion.games.rail_raiders_infinite.jobs.rolling import runner_of
from companion.games.rail_raiders_infinite.machine import waiting
from companion.games.rail_raiders_infinite.state import LAWBOTS, LOOT, NOBODY, Job, Side, State
from companion.games.rail_raiders_infinite.words.chances import standing
from companion.games.rail_raiders_infinite.words.names import counted, percent, sentence, title, who

_ROLLING = ("throw", "reroll", "throw_again")
"""What a fight waits for while its chances are of interest."""


def rivals(state: State) -> tuple[Rival, ...]:
    """The sides of the fight or the roll-off that is going on, in the order in which they roll."""
    job = waiting(state)
    if job is None:
        return ()
    if job.do == "contest":
        return tuple(_rolling_off(state, job, at) for at in range(len(job.seats)))
    if state.fight is None or len(state.fight.sides) < 2:
        return ()
    chances = standing(state) if job.do in _ROLLING else {}
    return tuple(_side(state, job, side, chances.get(side.who)) for side in state.fight.sides)


def _side(state: State, job: Job, side: Side, chance: Fraction | None) -> Rival:
    return Rival(
        *_whose(state, side.who),
        by=state.seats[side.runner],
        dice=side.faces,
        again=side.again or (),
        hand=sentence(called(final_hand(state, side))) if side.faces else "",
        chance=None if chance is None else float(chance),
        odds="" if chance is None else percent(chance),
        note=_note(state, job, side),
        waits=job.do in (*_ROLLING, "arm", "buy_die", "buy_reroll", "set_die") and job.seat == side.who,
    )


def _whose(state: State, number: int) -> tuple[str, str]:
    """The seat and the name of a side."""
    seat = "" if number == LAWBOTS else state.seats[number]
    return seat, sentence(who(state, number).removeprefix("the "))


def _note(state: State, job: Job, side: Side) -> str:
    """What else tells how strong the side is, or how it has fared."""
    fight = present(state)
    if fight.winner != NOBODY:
        return "wins" if side.who == fight.winner else "loses"
    said = [title(state, LOOT, weapon) for weapon in side.weapons]
    if not side.faces:
        said.append(counted(dice_of(state, fight, side), "die").replace("dies", "dice"))
    elif side.again is None and (count := rerolls_of(state, fight, side)) and job.do in ("throw", "reroll"):
        said.append(f"may reroll {count}")
    return ", ".join(said)


def _rolling_off(state: State, job: Job, at: int) -> Rival:
    """One of those who roll five plain dice for the best hand."""
    number = job.seats[at]
    hand: Hand | None = job.hands[at] if at < len(job.hands) else None
    return Rival(
        *_whose(state, number),
        by=state.seats[runner_of(state, number)],
        dice=in_order(hand.dice) if hand else (),
        hand=sentence(called(hand)) if hand else "",
        waits=at == len(job.hands),
    )
