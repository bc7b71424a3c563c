"""Rolls outside of fights: contests for the best hand, boarding, and one die that a card asks for.

Rulebook, Rolling; Rerolls; Beginning a New Round; Boarding the Train; RR-A09, RR-A26.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.game import AwaitedDice, Rolled
from companion.games.rail_raiders_infinite.actions import Decide, Reroll
from companion.games.rail_raiders_infinite.dice.hands import DICE, FACES, best, counts_of, faces_of, in_order
from companion.games.rail_raiders_infinite.dice.odds import choices
from companion.games.rail_raiders_infinite.jobs.agenda import Kind, instead, score
from companion.games.rail_raiders_infinite.jobs.forces import counts_in, effects_on, more_dice, rerolls_for
from companion.games.rail_raiders_infinite.state import LAWBOTS, Job, State

CONTESTS = {"raiders": "who chooses first", "dealer": "the Dealer", "rolloff": "roll-off"}
"""What five plain dice are rolled for."""

CHECKS = {
    "boarding": "boarding",
    "hold_on": "holding on",
    "put_token": "a Loot token",
    "search_dollar": "a dollar",
    "bomb": "the bomb",
}
"""What a Raider's other rolls are for."""


def dice_awaited(state: State, seat: int, count: int, why: str) -> AwaitedDice:
    """So many poker dice, thrown by that seat."""
    return AwaitedDice(state.seats[seat], count, why, FACES)


def thrown(action: Rolled) -> tuple[str, ...]:
    """The dice as they lie, the lowest first."""
    return in_order(str(value) for value in action.values)


def subsets(dice: tuple[str, ...], allowed: int, forced: tuple[str, ...] = ()) -> tuple[tuple[str, ...], ...]:
    """The sets of dice that may be rerolled, none at all first unless some have to be."""
    return tuple(faces_of(again) for again in choices(counts_of(dice), allowed, counts_of(forced)))


def kept(dice: tuple[str, ...], again: tuple[str, ...]) -> tuple[str, ...]:
    """The dice that stay."""
    left = list(dice)
    for face in again:
        left.remove(face)
    return tuple(left)


# -- contests -----------------------------------------------------------------------------------------


def runner_of(state: State, who: int) -> int:
    """The seat that rolls for a side of the fight, or for itself."""
    if state.fight is None:
        return who
    return next((side.runner for side in state.fight.sides if side.who == who), who)


def _contest_dice(state: State, job: Job) -> AwaitedDice:
    who = job.seats[len(job.hands)]
    why = CONTESTS[job.card] + (" for the Lawbots" if who == LAWBOTS else "")
    return dice_awaited(state, runner_of(state, who), DICE, why)


def _contest_rolled(state: State, job: Job, action: Rolled) -> State:
    """The next hand; when all have rolled, who ties for the best rolls again."""
    hands = (*job.hands, best(thrown(action)))
    state = replace(state, dice=thrown(action))
    if len(hands) < len(job.seats):
        return instead(state, replace(job, hands=hands))
    tied = tuple(who for who, hand in zip(job.seats, hands, strict=True) if hand == max(hands))
    if len(tied) > 1:
        return instead(state, Job("contest", card=job.card, seats=tied))
    return instead(state, Job(f"won_{job.card}", tied[0]))


# -- a Raider's own rolls -----------------------------------------------------------------------------


def _kind(job: Job) -> str:
    return "boarding" if job.card == "boarding" else "check"


def dice_in(state: State, job: Job) -> int:
    """How many dice a Raider's own roll is of."""
    return DICE + more_dice(state, job.seat, "boarding") if job.card == "boarding" else 1


def _offer(state: State, job: Job) -> State | None:
    """A reroll may be paid for before the roll."""
    if price_of_reroll(state, job.seat, _kind(job)):
        return None
    return instead(state, replace(job, do="roll"))


def price_of_reroll(state: State, seat: int, kind: str) -> int:
    """What one reroll costs the Raider in a roll of that kind; 0 where none is for sale."""
    prices = [effect.count for effect in effects_on(state, seat, "buy_reroll") if counts_in(effect, kind)]
    return min((price for price in prices if price <= state.riders[seat].dollars), default=0)


def _offers(state: State, job: Job) -> tuple[Decide, ...]:
    seat = state.seats[job.seat]
    return (Decide(seat, yes=True), Decide(seat, yes=False))


def _offered(state: State, job: Job, action: Decide) -> State:
    if action.yes:
        state = score(state, job.seat, -price_of_reroll(state, job.seat, _kind(job)))
    return instead(state, replace(job, do="roll", more=int(action.yes)))


def _roll_dice(state: State, job: Job) -> AwaitedDice:
    return dice_awaited(state, job.seat, dice_in(state, job), CHECKS[job.card])


def _rolled(state: State, job: Job, action: Rolled) -> State:
    return instead(replace(state, dice=thrown(action)), replace(job, do="reroll_own", faces=thrown(action)))


def own_rerolls(state: State, job: Job) -> int:
    """How many dice may be rerolled in a Raider's own roll."""
    return min(dice_in(state, job), job.more + rerolls_for(state, job.seat, _kind(job)))


def _reroll_own(state: State, job: Job) -> State | None:
    if own_rerolls(state, job):
        return None
    return _result(state, job)


def _reroll_choices(state: State, job: Job) -> tuple[Reroll, ...]:
    seat = state.seats[job.seat]
    return tuple(Reroll(seat, again) for again in subsets(job.faces, own_rerolls(state, job)))


def _reroll_chosen(state: State, job: Job, action: Reroll) -> State:
    if not action.dice:
        return _result(state, job)
    return instead(state, replace(job, do="roll_again", again=action.dice))


def _again_dice(state: State, job: Job) -> AwaitedDice:
    return dice_awaited(state, job.seat, len(job.again), f"{CHECKS[job.card]}, rerolled")


def _rolled_again(state: State, job: Job, action: Rolled) -> State:
    faces = in_order((*kept(job.faces, job.again), *thrown(action)))
    state = replace(state, dice=thrown(action))
    return _result(state, replace(job, faces=faces, again=()))


def _result(state: State, job: Job) -> State:
    return instead(state, replace(job, do=f"rolled_{job.card}"))


ROLLS: dict[str, Kind] = {
    "contest": Kind(chance=_contest_dice, answer=_contest_rolled),
    "offer": Kind(_offer, _offers, None, _offered),
    "roll": Kind(chance=_roll_dice, answer=_rolled),
    "reroll_own": Kind(_reroll_own, _reroll_choices, None, _reroll_chosen),
    "roll_again": Kind(chance=_again_dice, answer=_rolled_again),
}
"""The kinds of job that are rolls outside of fights."""
