"""Searching: opposition, the Loot token, the cards looked at, and what is done with Loot.

Rulebook, Search; Equipment and Weapons; RR-A06, RR-A19.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.layout import UNKNOWN
from companion.games.rail_raiders_infinite.actions import Decide, Keep
from companion.games.rail_raiders_infinite.jobs.agenda import (
    Kind,
    instead,
    pop,
    score,
    with_acts,
    with_rider,
    without,
)
from companion.games.rail_raiders_infinite.jobs.fighting import yes_or_no
from companion.games.rail_raiders_infinite.jobs.forces import effects_on
from companion.games.rail_raiders_infinite.jobs.gathering import begin_fight
from companion.games.rail_raiders_infinite.jobs.piles import discarded, refill, unseen
from companion.games.rail_raiders_infinite.state import LOOT, NOBODY, Job, State, cards_of


def _search(state: State, job: Job) -> State:
    """The others on the car may oppose it, unless a card forbids that."""
    if effects_on(state, job.seat, "search_freely"):
        return instead(state, Job("search_on", job.seat, job.car))
    return begin_fight(pop(state), "search", job.car, job.seat, NOBODY)


def _search_on(state: State, job: Job) -> State:
    """The Search happens: a token is turned up, of two or more perhaps one that was peeked at."""
    tokens = len(state.cars[job.car].tokens)
    if not tokens or state.riders[job.seat].at != job.car:
        return pop(state)
    after = Job("searched", job.seat)
    if tokens > 1 and effects_on(state, job.seat, "peek"):
        return instead(state, Job("peek", job.seat, job.car), after)
    return instead(state, Job("turn_up", job.seat, job.car, card="token"), after)


def _peeked(state: State, job: Job, action: Decide) -> State:
    """The token that was peeked at is taken, or another one."""
    return instead(state, Job("turn_up", job.seat, job.car, 1 if action.yes else 2, card="token"))


def _turned_token(state: State, job: Job) -> State:
    more = (
        0 if state.acts.searched else sum(effect.count for effect in effects_on(state, job.seat, "look_more"))
    )
    state = with_acts(state, searched=state.acts.searched + 1)
    return instead(state, Job("look", job.seat, count=int(job.card) + more))


def _look(state: State, job: Job) -> State | None:
    """So many cards come off the Loot deck for that player's eyes, as far as there are any."""
    if not job.count:
        return None if job.cards else pop(state)
    if not state.loot:
        return refill(state, LOOT) or instead(state, replace(job, count=0))
    cards = tuple(sorted((*job.cards, state.loot[0])))
    return instead(replace(state, loot=state.loot[1:]), replace(job, count=job.count - 1, cards=cards))


def keepable(state: State, job: Job) -> tuple[str, ...]:
    """The cards of which one may be kept: those looked at, or all that they may be."""
    known = tuple(dict.fromkeys(card for card in job.cards if card != UNKNOWN))
    return known if UNKNOWN not in job.cards else tuple(dict.fromkeys((*known, *unseen(state, LOOT))))


def _keep_choices(state: State, job: Job) -> tuple[Keep, ...]:
    return tuple(Keep(state.seats[job.seat], card) for card in keepable(state, job))


def _kept(state: State, job: Job, action: Keep) -> State:
    """One card is scored or equipped, the others are discarded."""
    rest = without(job.cards, action.card if action.card in job.cards else UNKNOWN)
    state = replace(state, loot_buried=tuple(sorted((*state.loot_buried, *rest))))
    return instead(state, Job(f"turned_{LOOT}", job.seat, card=action.card))


def _turned_loot(state: State, job: Job) -> State:
    """A Loot card is scored or equipped; who can hold no weapons discards one."""
    card, seat = cards_of(state.edition, LOOT)[job.card], job.seat
    if card.kind == "score":
        here = state.riders[seat].at
        steps = [Job("step", seat, here, card=LOOT, effect=step) for step in card.steps]
        return instead(state, *steps, Job(f"aside_{LOOT}", card=card.name))
    unarmed = any(effect.count == 0 for effect in effects_on(state, seat, "weapons"))
    if card.kind == "weapon" and unarmed:
        return discarded(pop(state), LOOT, card.name)
    gear = tuple(sorted((*state.riders[seat].gear, card.name)))
    return with_rider(pop(state), seat, gear=gear)


def _searched(state: State, job: Job) -> State:
    found = effects_on(state, job.seat, "search_dollar")
    if not found:
        return pop(state)
    return instead(state, Job("offer", job.seat, card="search_dollar", effect=found[0]))


def _rolled_search_dollar(state: State, job: Job) -> State:
    found = effects_on(state, job.seat, "search_dollar")
    dollars = sum(effect.count for effect in found if job.faces[0] in effect.faces)
    return score(pop(state), job.seat, dollars)


SEARCHES: dict[str, Kind] = {
    "search": Kind(_search),
    "search_on": Kind(_search_on),
    "peek": Kind(choices=yes_or_no, answer=_peeked),
    "turned_token": Kind(_turned_token),
    "look": Kind(_look, _keep_choices, None, _kept),
    f"turned_{LOOT}": Kind(_turned_loot),
    "searched": Kind(_searched),
    "rolled_search_dollar": Kind(_rolled_search_dollar),
}
"""The kinds of job of a Search and of Loot."""
