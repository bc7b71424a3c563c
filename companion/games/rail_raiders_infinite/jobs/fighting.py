"""The dice of a fight: first rolls, rerolls clockwise, dice that are set, and whose hand is best.

Rulebook, Fight; Rerolls; Showdown; RR-A09, RR-A12, RR-A13, RR-A28.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.game import AwaitedDice, Rolled
from companion.games.rail_raiders_infinite.actions import (
    Decide,
    Reroll,
    SetDie,
)
from companion.games.rail_raiders_infinite.dice.hands import FACES, in_order
from companion.games.rail_raiders_infinite.jobs.agenda import (
    Kind,
    instead,
    pop,
    put,
)
from companion.games.rail_raiders_infinite.jobs.forces import (
    counts_in,
    dice_of,
    effects_from,
    effects_on,
    final_hand,
    forced_rerolls,
    rerolls_of,
    side_of,
)
from companion.games.rail_raiders_infinite.jobs.piles import discarded, used_up
from companion.games.rail_raiders_infinite.jobs.rolling import (
    dice_awaited,
    kept,
    subsets,
    thrown,
)
from companion.games.rail_raiders_infinite.state import (
    LAWBOTS,
    LOOT,
    Fight,
    Job,
    Side,
    State,
    cards_of,
)


def present(state: State) -> Fight:
    """The fight that is going on."""
    assert state.fight is not None
    return state.fight


def with_fight(state: State, **changes: object) -> State:
    """The fight is changed."""
    return replace(state, fight=replace(present(state), **changes))


def with_side(state: State, who: int, **changes: object) -> State:
    """A side of the fight is changed."""
    sides = present(state).sides
    at = [side.who for side in sides].index(who)
    return with_fight(state, sides=put(sides, at, replace(sides[at], **changes)))


def a_side(state: State, who: int) -> Side:
    """The side of a seat or of the Lawbots."""
    side = side_of(present(state), who)
    assert side is not None
    return side


def yes_or_no(state: State, job: Job) -> tuple[Decide, ...]:
    """The answers to a question."""
    name = state.seats[job.seat]
    return (Decide(name, yes=True), Decide(name, yes=False))


# -- the dice -----------------------------------------------------------------------------------------


def _throw(state: State, job: Job) -> AwaitedDice:
    side = a_side(state, job.seat)
    return dice_awaited(state, side.runner, dice_of(state, present(state), side), _what_for(state, side))


def _what_for(state: State, side: Side) -> str:
    kind = "Showdown" if present(state).kind == "showdown" else "opposed Search"
    return f"{kind}, for the Lawbots" if side.who == LAWBOTS else kind


def _thrown(state: State, job: Job, action: Rolled) -> State:
    state = replace(pop(state), dice=thrown(action))
    return with_side(state, job.seat, faces=thrown(action))


def reroll_choices(state: State, who: int) -> tuple[tuple[str, ...], ...]:
    """The sets of dice that a side may reroll; no more than one set where it has no choice."""
    fight, side = present(state), a_side(state, who)
    return subsets(side.faces, rerolls_of(state, fight, side), forced_rerolls(state, fight, side))


def _reroll(state: State, job: Job) -> State | None:
    """Decided clockwise from the active player; without a choice it is decided (RR-A13)."""
    found = reroll_choices(state, job.seat)
    return None if len(found) > 1 else with_side(pop(state), job.seat, again=found[0])


def _reroll_asked(state: State, job: Job) -> tuple[Reroll, ...]:
    name = state.seats[a_side(state, job.seat).runner]
    return tuple(Reroll(name, again) for again in reroll_choices(state, job.seat))


def _reroll_decider(state: State, job: Job) -> int:
    return a_side(state, job.seat).runner


def _reroll_chosen(state: State, job: Job, action: Reroll) -> State:
    return with_side(pop(state), job.seat, again=action.dice)


def _throw_again(state: State, job: Job) -> State | None:
    return None if a_side(state, job.seat).again else pop(state)


def _again(state: State, job: Job) -> AwaitedDice:
    side = a_side(state, job.seat)
    return dice_awaited(state, side.runner, len(side.again or ()), f"{_what_for(state, side)}, rerolled")


def _thrown_again(state: State, job: Job, action: Rolled) -> State:
    """The second result stands: no die is rolled a third time."""
    side = a_side(state, job.seat)
    faces = in_order((*kept(side.faces, side.again or ()), *thrown(action)))
    return with_side(replace(pop(state), dice=thrown(action)), job.seat, faces=faces, again=())


def die_setters(state: State, seat: int) -> tuple[str, ...]:
    """The cards by which that Raider may set a die in this fight, as "deck/card"."""
    kind = present(state).kind
    found = (
        f"{source.deck}/{source.card}"
        for effect, source in effects_from(state, seat)
        if effect.do == "set_die" and counts_in(effect, kind)
    )
    return tuple(dict.fromkeys(found))


def _set_dice(state: State, job: Job) -> State:
    """One question for each card; which weapons are used is known by now."""
    return instead(state, *(Job("set_die", job.seat, card=source) for source in die_setters(state, job.seat)))


def _set_die_choices(state: State, job: Job) -> tuple[SetDie, ...]:
    deck, name = job.card.split("/")
    faces = {
        face
        for effect in cards_of(state.edition, deck)[name].effects
        if effect.do == "set_die"
        for face in effect.faces
    }
    lying = dict.fromkeys(a_side(state, job.seat).faces)
    seat = state.seats[job.seat]
    ways = (SetDie(seat, old, new) for old in lying for new in FACES if new in faces and new != old)
    return (*ways, SetDie(seat))


def _set_die(state: State, job: Job, action: SetDie) -> State:
    state = pop(state)
    if not action.new:
        return state
    side = a_side(state, job.seat)
    faces = in_order((*kept(side.faces, (action.old,)), action.new))
    state = with_side(state, job.seat, faces=faces)
    deck, name = job.card.split("/")
    if any(effect.spend for effect in cards_of(state.edition, deck)[name].effects):
        state = _spend(state, deck, name, job.seat)
    return state


def _spend(state: State, deck: str, name: str, seat: int) -> State:
    """A card is discarded: it was equipped, or in force."""
    if deck == LOOT and name in state.riders[seat].gear:
        return discarded(used_up(state, seat, name), LOOT, name)
    at = next(
        at
        for at, force in enumerate(state.forces)
        if (force.deck, force.card, force.seat) == (deck, name, seat)
    )
    state = replace(state, forces=(*state.forces[:at], *state.forces[at + 1 :]))
    return discarded(state, deck, name)


# -- whose hand is best -------------------------------------------------------------------------------


def best_sides(state: State, sides: Iterable[Side]) -> tuple[int, ...]:
    """Those whose hand is the best, or who win with the lowest one."""
    hands = {side.who: final_hand(state, side) for side in sides}
    least = [who for who, hand in hands.items() if hand == min(hands.values())]
    if len(least) == 1 and least[0] != LAWBOTS and effects_on(state, least[0], "lowest_wins"):
        return (least[0],)
    return tuple(who for who, hand in hands.items() if hand == max(hands.values()))


def _compare(state: State, job: Job) -> State:
    """The best hand wins; all who tie for it roll off (RR-A09)."""
    best = best_sides(state, present(state).sides)
    if len(best) > 1:
        return instead(with_fight(state, best=best), Job("contest", card="rolloff", seats=best))
    return instead(state, Job("won_rolloff", best[0]))


FIGHTS: dict[str, Kind] = {
    "throw": Kind(chance=_throw, answer=_thrown),
    "reroll": Kind(_reroll, _reroll_asked, None, _reroll_chosen, _reroll_decider),
    "throw_again": Kind(_throw_again, chance=_again, answer=_thrown_again),
    "set_dice": Kind(_set_dice),
    "set_die": Kind(choices=_set_die_choices, answer=_set_die),
    "compare": Kind(_compare),
}
"""The kinds of job of a fight's dice."""
