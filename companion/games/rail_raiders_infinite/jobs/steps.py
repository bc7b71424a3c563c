"""What cards do once: the steps of their vocabulary, and Long Arm cards that are turned up.

Rulebook, Long Arm of the Law Cards; Grit; High Noon Phase; RR-A18, RR-A24.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from companion.games.game import AwaitedShuffle, Shuffled
from companion.games.layout import UNKNOWN
from companion.games.rail_raiders_infinite.actions import (
    Done,
    PickCar,
    PickLawbot,
    PutBack,
)
from companion.games.rail_raiders_infinite.jobs.agenda import (
    Kind,
    clockwise,
    instead,
    pop,
    score,
    with_acts,
    with_car,
    with_top,
    without,
)
from companion.games.rail_raiders_infinite.jobs.doing import USED
from companion.games.rail_raiders_infinite.jobs.forces import effects_on
from companion.games.rail_raiders_infinite.jobs.piles import WHAT, discard_high_noon
from companion.games.rail_raiders_infinite.jobs.rounds import mark_last_round
from companion.games.rail_raiders_infinite.jobs.train import (
    adjacent,
    go,
    highest,
    lawbots_on,
    lowest,
    move_lawbot,
    place,
    raiders_on,
    shift_towards_locomotive,
)
from companion.games.rail_raiders_infinite.packs.vocabulary import Effect
from companion.games.rail_raiders_infinite.state import (
    HIGH_NOON,
    KINDS,
    LONG_ARM,
    LOOT,
    NOBODY,
    OFF,
    Force,
    Job,
    State,
    cards_of,
)


def _turned_long_arm(state: State, job: Job) -> State:
    """The card does what it says; a Grit card stays beside its car, newest on top."""
    card = cards_of(state.edition, LONG_ARM)[job.card]
    steps = [Job("step", job.seat, job.car, card=LONG_ARM, effect=step) for step in card.steps]
    if card.grit:
        state = with_car(state, job.car, grit=(card.name, *state.cars[job.car].grit))
        return instead(state, *steps)
    state = with_top(state, LONG_ARM, card.name)
    if card.lasts:
        force = Force(LONG_ARM, card.name, job.seat, card.lasts)
        return instead(replace(state, forces=(*state.forces, force)), *steps)
    return instead(state, *steps, Job(f"aside_{LONG_ARM}", card=card.name))


def _effect(job: Job) -> Effect:
    assert job.effect is not None
    return job.effect


def _step(state: State, job: Job) -> State:
    """A step of a card touches the car on which the owner is by then, but for a Long Arm card's."""
    if job.card in (HIGH_NOON, LOOT, USED):
        job = replace(job, car=state.riders[job.seat].at)
    return STEPS[_effect(job).do](state, job)


# -- money and decks ----------------------------------------------------------------------------------


def _dollars(state: State, job: Job) -> State:
    effect, state = _effect(job), pop(state)
    if effect.needs == "won_fight" and not (job.seat == state.turn and state.acts.won):
        return state
    more = 0
    if job.card == LOOT and job.seat == state.turn and not state.acts.loot_scored:
        more = sum(bonus.count for bonus in effects_on(state, job.seat, "first_loot_dollar"))
        state = with_acts(state, loot_scored=True)
    return score(state, job.seat, effect.count + more)


def _lose_dollars(state: State, job: Job) -> State:
    effect, count = _effect(job), _effect(job).count
    if effect.what == "officers":
        count *= sum(state.cars[job.car].bots[1:]) if job.car != OFF else 0
    return score(pop(state), job.seat, -count)


def _discard_high_noon(state: State, job: Job) -> State:
    """The deck runs down; empty, it makes this the last round once what goes on is resolved (RR-A01)."""
    state = discard_high_noon(pop(state), _effect(job).count)
    if any(later.do == "check_deck" for later in state.agenda):
        return state
    return mark_last_round(state)


def _return_high_noon(state: State, job: Job) -> State:
    if not (state.high_noon_discard or state.high_noon_buried):
        return pop(state)
    return instead(state, Job("put_back", job.seat))


def _put_back_choices(state: State, job: Job) -> tuple[PutBack, ...]:
    name = state.seats[job.seat]
    found = [PutBack(name, card) for card in dict.fromkeys(state.high_noon_discard)]
    return (*found, *([PutBack(name, UNKNOWN)] if state.high_noon_buried else []))


def _put_back(state: State, job: Job, action: PutBack) -> State:
    """The card joins the deck in the shuffle; until then it is on the way, shown or not."""
    if action.card == UNKNOWN:
        card, *rest = state.high_noon_buried
        state = replace(state, high_noon_buried=tuple(rest))
        return instead(state, Job("shuffle_back", NOBODY, cards=(card,)))
    left = without(state.high_noon_discard, action.card)
    state = replace(state, high_noon_discard=left)
    if state.tops[0] == action.card:
        others = left or any(force.deck == HIGH_NOON for force in state.forces)
        state = with_top(state, HIGH_NOON, UNKNOWN if others else "")
    return instead(state, Job("shuffle_back", NOBODY, card=action.card))


def _cards_to_shuffle(state: State, job: Job) -> AwaitedShuffle:
    back = job.cards or (job.card,)
    return AwaitedShuffle(tuple(sorted((*state.high_noon, *back))), WHAT[HIGH_NOON])


def _shuffled_back(state: State, job: Job, action: Shuffled) -> State:
    return replace(pop(state), high_noon=action.cards)


def _draw_long_arm(state: State, job: Job) -> State:
    if job.car == OFF:
        return pop(state)
    draws = (Job("long_arm", job.seat, job.car) for _ in range(_effect(job).count))
    # What the car's icon still asks for lies higher in the deck than these, and comes to the same.
    return instead(state, *draws)


def _score_loot(state: State, job: Job) -> State:
    return instead(state, *(Job(LOOT, job.seat) for _ in range(_effect(job).count)))


# -- Lawbots ------------------------------------------------------------------------------------------


def _place(state: State, job: Job) -> State:
    """Lawbots come onto the car; from another car when there are none left (RR-A18)."""
    effect, car = _effect(job), job.car
    if car == OFF:
        return pop(state)
    return instead(state, *(Job("put_lawbot", job.seat, car, card=effect.what) for _ in range(effect.count)))


def _put_lawbot(state: State, job: Job) -> State | None:
    placed = place(state, job.card, job.car)
    if placed is not None:
        return pop(placed)
    found = _put_choices(state, job)
    if len(found) > 1:
        return None
    return _lawbot_picked(state, job, found[0]) if found else pop(state)


def _put_choices(state: State, job: Job) -> tuple[PickLawbot, ...]:
    name, at = state.seats[job.seat], KINDS.index(job.card)
    return tuple(
        PickLawbot(name, job.card, car, job.car)
        for car, on in enumerate(state.cars)
        if on.bots[at] and car != job.car
    )


def _lawbot_picked(state: State, job: Job, action: PickLawbot) -> State:
    return move_lawbot(pop(state), action.kind, action.car, action.to)


def _place_near_raider(state: State, job: Job) -> State:
    """On an adjacent car that holds a Raider, as the drawer picks."""
    cars = [car for car in adjacent(state, job.car) if raiders_on(state, car)]
    if not cars:
        return pop(state)
    kind = _effect(job).what
    if len(cars) == 1:
        return instead(state, Job("put_lawbot", job.seat, cars[0], card=kind))
    return instead(state, Job("near_raider", job.seat, job.car, card=kind))


def _near_choices(state: State, job: Job) -> tuple[PickCar, ...]:
    cars = (car for car in adjacent(state, job.car) if raiders_on(state, car))
    return tuple(PickCar(state.seats[job.seat], car) for car in cars)


def _near_chosen(state: State, job: Job, action: PickCar) -> State:
    return instead(state, Job("put_lawbot", job.seat, action.car, card=job.card))


def _bring_lawbot(state: State, job: Job) -> State:
    """A Lawbot from an adjacent car comes here, as the drawer or the player on the left picks."""
    effect = _effect(job)
    if job.car == OFF:
        return pop(state)
    seat = clockwise(state, job.seat)[1] if effect.who == "left" else job.seat
    return instead(state, Job("bring", seat, job.car, card=effect.what))


def _bring_choices(state: State, job: Job) -> tuple[PickLawbot, ...]:
    name = state.seats[job.seat]
    near = [car for car in adjacent(state, job.car) if lawbots_on(state, car)]
    kinds = {car: _kinds(state, car, job.card) for car in near}
    present = [kind for found in kinds.values() for kind in found]
    if not present:
        return ()
    if job.card == "any":
        wanted = set(present)
    else:
        pick = max if job.card == "highest" else min
        wanted = {pick(present, key=KINDS.index)}
    return tuple(
        PickLawbot(name, kind, car, job.car) for car in near for kind in kinds[car] if kind in wanted
    )


def _kinds(state: State, car: int, which: str) -> tuple[str, ...]:
    bots = state.cars[car].bots
    if which == "any":
        return tuple(kind for kind, count in zip(KINDS, bots, strict=True) if count)
    return (highest(bots) if which == "highest" else lowest(bots),)


def _bring(state: State, job: Job) -> State | None:
    found = _bring_choices(state, job)
    if len(found) > 1:
        return None
    return _lawbot_picked(state, job, found[0]) if found else pop(state)


def _shift_lawbots(state: State, job: Job) -> State:
    return shift_towards_locomotive(pop(state))


def _shift_any(state: State, job: Job) -> State:
    return instead(state, Job("shift", job.seat, count=_effect(job).count))


def _shift(state: State, job: Job) -> State | None:
    return None if job.count and len(_shift_choices(state, job)) > 1 else pop(state)


def _shift_choices(state: State, job: Job) -> tuple[PickLawbot | Done, ...]:
    """Each Lawbot goes one car at most: those that were shifted already stay."""
    name = state.seats[job.seat]
    found = [
        PickLawbot(name, kind, car, to)
        for car, on in enumerate(state.cars)
        for kind, count in zip(KINDS, on.bots, strict=True)
        if count > job.moved.count((kind, car))
        for to in adjacent(state, car)
    ]
    return (*found, Done(name))


def _shifted(state: State, job: Job, action: PickLawbot | Done) -> State:
    if isinstance(action, Done):
        return pop(state)
    state = move_lawbot(state, action.kind, action.car, action.to)
    moved = (*job.moved, (action.kind, action.to))
    return instead(state, replace(job, count=job.count - 1, moved=moved))


# -- the owner ----------------------------------------------------------------------------------------


def _to_go(state: State, job: Job) -> State:
    return instead(state, Job(_effect(job).do, job.seat))


def _destinations(state: State, job: Job) -> tuple[int, ...]:
    here = state.riders[job.seat].at
    if here == OFF:
        return ()
    if job.do == "may_move":
        return adjacent(state, here)
    others = tuple(car for car in range(len(state.cars)) if car != here)
    if job.do == "may_jump":
        return others
    return tuple(car for car in others if raiders_on(state, car))


def _going(state: State, job: Job) -> State | None:
    return None if _destinations(state, job) else pop(state)


def _going_choices(state: State, job: Job) -> tuple[PickCar, ...]:
    name = state.seats[job.seat]
    stay = () if job.do == "move_to_raider" else (PickCar(name, OFF),)
    return (*(PickCar(name, car) for car in _destinations(state, job)), *stay)


def _gone(state: State, job: Job, action: PickCar) -> State:
    state = pop(state)
    if action.car == OFF:
        return state
    if job.do == "may_jump":
        state = with_acts(state, no_moves=True)
    return go(state, job.seat, action.car)


def _put_token(state: State, job: Job) -> State:
    effect, here = _effect(job), state.riders[job.seat].at
    if here == OFF:
        return pop(state)
    if effect.faces:
        return instead(state, Job("offer", job.seat, here, card="put_token", effect=effect))
    return instead(state, Job("tokens", job.seat, here, effect.count))


def _rolled_put_token(state: State, job: Job) -> State:
    effect = _effect(job)
    if job.faces[0] not in effect.faces:
        return pop(state)
    return instead(state, Job("tokens", job.seat, job.car, effect.count))


def _extra_action(state: State, job: Job) -> State:
    state = pop(state)
    return with_acts(state, left=state.acts.left + 1, thirds=state.acts.thirds + 1)


def _leave_bomb(state: State, job: Job) -> State:
    """Nothing more: the card itself stays on the car when it is used."""
    return pop(state)


def _table(state: State, job: Job) -> State:
    return instead(state, Job("table", job.seat, job.car, effect=job.effect))


STEPS: dict[str, Callable[[State, Job], State]] = {
    "dollars": _dollars,
    "lose_dollars": _lose_dollars,
    "discard_high_noon": _discard_high_noon,
    "return_high_noon": _return_high_noon,
    "place": _place,
    "place_near_raider": _place_near_raider,
    "draw_long_arm": _draw_long_arm,
    "bring_lawbot": _bring_lawbot,
    "shift_lawbots": _shift_lawbots,
    "shift_any": _shift_any,
    "may_move": _to_go,
    "may_jump": _to_go,
    "move_to_raider": _to_go,
    "score_loot": _score_loot,
    "put_token": _put_token,
    "extra_action": _extra_action,
    "leave_bomb": _leave_bomb,
    "table": _table,
}
"""Each step of the vocabulary."""

CARD_STEPS: dict[str, Kind] = {
    f"turned_{LONG_ARM}": Kind(_turned_long_arm),
    "step": Kind(_step),
    "put_back": Kind(choices=_put_back_choices, answer=_put_back),
    "shuffle_back": Kind(chance=_cards_to_shuffle, answer=_shuffled_back),
    "put_lawbot": Kind(_put_lawbot, _put_choices, None, _lawbot_picked),
    "near_raider": Kind(choices=_near_choices, answer=_near_chosen),
    "bring": Kind(_bring, _bring_choices, None, _lawbot_picked),
    "shift": Kind(_shift, _shift_choices, None, _shifted),
    **{do: Kind(_going, _going_choices, None, _gone) for do in ("may_move", "may_jump", "move_to_raider")},
    "rolled_put_token": Kind(_rolled_put_token),
}
"""The kinds of job that cards ask for."""
