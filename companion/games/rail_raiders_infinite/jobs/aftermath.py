"""What a fight comes to: salvage, losers moved in the winner's order, donations, Grit.

Rulebook, Showdown; Grit; RR-A08, RR-A10, RR-A15 to RR-A17, RR-A31, RR-A33, RR-A34.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.rail_raiders_infinite.actions import Decide, PickCar, Send
from companion.games.rail_raiders_infinite.jobs.agenda import (
    Kind,
    instead,
    pop,
    push,
    score,
    with_acts,
    with_car,
    with_rider,
    with_top,
)
from companion.games.rail_raiders_infinite.jobs.fighting import a_side, present, with_fight, yes_or_no
from companion.games.rail_raiders_infinite.jobs.forces import (
    Source,
    anywhere,
    bots_in,
    effects_from,
    effects_on,
    final_hand,
    is_met,
    on_car,
    side_of,
)
from companion.games.rail_raiders_infinite.jobs.piles import discarded, used_up
from companion.games.rail_raiders_infinite.jobs.train import (
    adjacent,
    go,
    lowest,
    move_lawbot,
    put_lawbot,
    throw_off,
)
from companion.games.rail_raiders_infinite.packs.vocabulary import Effect
from companion.games.rail_raiders_infinite.state import (
    KINDS,
    LAWBOTS,
    LONG_ARM,
    LOOT,
    OFF,
    Job,
    State,
)


def _won(state: State, job: Job) -> State:
    """The winner is known. A Raider is paid, salvages, and then moves the losers (RR-A08)."""
    winner, fight = job.seat, present(state)
    spared = _spared(state, winner)
    losers = tuple(side.who for side in fight.sides if side.who not in (winner, LAWBOTS, *spared))
    state = with_fight(state, winner=winner, losers=losers)
    if winner == state.turn:
        state = with_acts(state, won=state.acts.won + 1)
    decider = a_side(state, winner).runner
    after = [Job("losers", decider), Job("fight_over")]
    if winner == LAWBOTS:
        return instead(state, *after)
    bonus = [effect for effect in effects_on(state, winner, "win_dollars") if is_met(state, effect, winner)]
    state = score(state, winner, sum(effect.count for effect in bonus))
    if side_of(fight, LAWBOTS) is None or LAWBOTS in spared:
        return instead(state, *after)
    salvage = Job("salvage", winner, count=_destroyed(state, winner))
    if losers and state.options.consequences == "winner_decides":
        return instead(state, Job("what_first", winner, count=salvage.count), *after)
    return instead(state, salvage, *after)


def _spared(state: State, winner: int) -> tuple[int, ...]:
    """Those to whom nothing happens though they have lost."""
    fight = present(state)
    hands = {side.who: final_hand(state, side) for side in fight.sides}
    least = max((effect.count for effect in anywhere(state, "mercy")), default=0)
    spared = [who for who, hand in hands.items() if least and hands[winner].rank - hand.rank < least]
    if winner in fight.partners:
        spared += fight.partners
    return tuple(who for who in spared if who != winner)


def _destroyed(state: State, winner: int) -> int:
    """How many Lawbots are destroyed. Rulebook, Showdown: one, and more by cards."""
    return 1 + sum(effect.count for effect in effects_on(state, winner, "destroy_more"))


def _what_first(state: State, job: Job, action: Decide) -> State:
    """Whether salvage comes before the moves, as the winner decides (RR-A08)."""
    salvage = Job("salvage", job.seat, count=job.count)
    if action.yes:
        return instead(state, salvage)
    losers, *rest = state.agenda[1:]
    return replace(state, agenda=(losers, salvage, *rest))


# -- salvage ------------------------------------------------------------------------------------------


def _salvage(state: State, job: Job) -> State | None:
    """The lowest Lawbot is destroyed. Rulebook, Showdown."""
    fight = present(state)
    if not job.count or not sum(bots_in(state, fight)):
        return pop(state)
    if effects_on(state, job.seat, "loot_for_lawbot") and (
        state.loot or state.loot_discard or state.loot_buried
    ):
        return None
    return _destroy(state, job, for_loot=False)


def _salvaged(state: State, job: Job, action: Decide) -> State:
    return _destroy(state, job, for_loot=action.yes)


def _destroy(state: State, job: Job, for_loot: bool) -> State:
    fight, winner = present(state), job.seat
    kind = lowest(bots_in(state, fight))
    state = instead(state, replace(job, count=job.count - 1))
    shifts = any(effect.do == "shift_instead" for effect in on_car(state, fight.car))
    if shifts and fight.car + 1 < len(state.cars):
        state = move_lawbot(state, kind, fight.car, fight.car + 1)
    else:
        state = put_lawbot(state, kind, fight.car, -1)
        here = state.riders[winner].at
        tokens = len(effects_on(state, winner, "lawbot_token"))
        if tokens and here != OFF:
            state = push(state, Job("tokens", winner, here, tokens))
    more = sum(effect.count for effect in effects_on(state, winner, "lawbot_dollars"))
    if for_loot:
        return push(score(state, winner, more), Job(LOOT, winner))
    return score(state, winner, KINDS.index(kind) + 1 + more)


# -- losers -------------------------------------------------------------------------------------------


def sendings(state: State, decider: int) -> tuple[Send, ...]:
    """How the next loser may be moved: any of them, to any car that is allowed."""
    fight, name = present(state), state.seats[decider]
    found: list[Send] = []
    for loser in fight.losers:
        other, here = state.seats[loser], state.riders[loser].at
        if anywhere(state, "losers_off"):
            found.append(Send(name, other, OFF))
            continue
        chooses = [
            effect for effect in effects_on(state, loser, "own_destination") if is_met(state, effect, loser)
        ]
        if chooses:
            found.append(Send(name, other, own=True))
        else:
            found += [Send(name, other, car) for car in adjacent(state, here)]
        may_throw = fight.winner != LAWBOTS and not fight.thrown
        if may_throw and effects_on(state, fight.winner, "throw_off"):
            found.append(Send(name, other, OFF))
    return tuple(found)


def _losers(state: State, job: Job) -> State | None:
    """The losers are moved one after the other; what leaves no choice happens at once."""
    fight = present(state)
    there = tuple(loser for loser in fight.losers if state.riders[loser].at != OFF)
    if not there:
        return with_fight(pop(state), losers=())
    if there != fight.losers:
        return with_fight(state, losers=there)
    found = sendings(state, job.seat)
    return None if len(found) > 1 else _sent(state, job, found[0])


def _send_choices(state: State, job: Job) -> tuple[Send, ...]:
    return sendings(state, job.seat)


def _sent(state: State, job: Job, action: Send) -> State:
    fight = present(state)
    loser = state.seats.index(action.loser)
    thrown = action.car == OFF and not action.own and not anywhere(state, "losers_off")
    state = with_fight(
        state,
        losers=tuple(other for other in fight.losers if other != loser),
        thrown=fight.thrown or thrown,
    )
    if action.own:
        return push(state, Job("own_way", loser))
    return push(state, Job("leaves", loser, action.car))


def _own_way(state: State, job: Job) -> State | None:
    cars = adjacent(state, state.riders[job.seat].at)
    return None if len(cars) > 1 else instead(state, Job("leaves", job.seat, cars[0]))


def _own_choices(state: State, job: Job) -> tuple[PickCar, ...]:
    name = state.seats[job.seat]
    return tuple(PickCar(name, car) for car in adjacent(state, state.riders[job.seat].at))


def _own_chosen(state: State, job: Job, action: PickCar) -> State:
    return instead(state, Job("leaves", job.seat, action.car))


def _holding(state: State, seat: int) -> tuple[tuple[Effect, Source], ...]:
    """What may hold a Raider where it is: an ability before cards, which may be lost by it."""
    return tuple(found for found in effects_from(state, seat) if found[0].do == "hold_on")


def _leaves(state: State, job: Job) -> State:
    """A loser is about to go; a die may hold it where it is, but not on the way off the train.

    Each card is a roll of its own, as long as none has held; `count` is the next one.
    """
    holding = _holding(state, job.seat)
    if job.car == OFF or job.count > len(holding):
        return instead(state, Job("moved", job.seat, job.car))
    effect, _ = holding[job.count - 1]
    return instead(state, Job("offer", job.seat, job.car, job.count, card="hold_on", effect=effect))


def _rolled_hold_on(state: State, job: Job) -> State:
    """Whether the loser stays; a die may cost it the card."""
    face = job.faces[0]
    effect, source = _holding(state, job.seat)[job.count - 1]
    if face not in effect.faces:
        return instead(state, Job("leaves", job.seat, job.car, job.count + 1))
    if face in effect.breaks and source.deck == LOOT and source.card in state.riders[job.seat].gear:
        state = discarded(used_up(state, job.seat, source.card), LOOT, source.card)
    return pop(state)


def _moved(state: State, job: Job) -> State:
    """A loser goes, and the winner may take a dollar from one who has more (RR-A17)."""
    state, loser = pop(state), job.seat
    winner, before = present(state).winner, state.riders[loser].at
    state = throw_off(state, loser) if job.car == OFF else go(state, loser, job.car)
    gone = state.riders[loser].at != before
    if gone and winner != LAWBOTS and state.riders[loser].dollars > state.riders[winner].dollars:
        return push(state, Job("donation", winner, seats=(loser,)))
    return state


def _donated(state: State, job: Job, action: Decide) -> State:
    state = pop(state)
    if not action.yes:
        return state
    loser = job.seats[0]
    state = with_rider(state, loser, dollars=state.riders[loser].dollars - 1)
    return score(state, job.seat, 1)


# -- the end of it ------------------------------------------------------------------------------------


def _fight_over(state: State, job: Job) -> State:
    """The top Grit card goes if Lawbots took part, and a Search goes on if it may (RR-A06, RR-A33)."""
    fight = present(state)
    state = pop(replace(state, fight=None))
    if side_of(fight, LAWBOTS) is not None and state.cars[fight.car].grit:
        top, *rest = state.cars[fight.car].grit
        state = discarded(with_car(state, fight.car, grit=tuple(rest)), LONG_ARM, top)
        state = with_top(state, LONG_ARM, top)
    if fight.kind == "search":
        there = state.options.opposed_search == "still_there" and state.riders[fight.active].at == fight.car
        if fight.winner == fight.active or there:
            return push(state, Job("search_on", fight.active, fight.car))
    return state


AFTERMATH: dict[str, Kind] = {
    "won_rolloff": Kind(_won),
    "what_first": Kind(choices=yes_or_no, answer=_what_first),
    "salvage": Kind(_salvage, yes_or_no, None, _salvaged),
    "losers": Kind(_losers, _send_choices, None, _sent),
    "own_way": Kind(_own_way, _own_choices, None, _own_chosen),
    "leaves": Kind(_leaves),
    "rolled_hold_on": Kind(_rolled_hold_on),
    "moved": Kind(_moved),
    "donation": Kind(choices=yes_or_no, answer=_donated),
    "fight_over": Kind(_fight_over),
}
"""The kinds of job of a fight's consequences."""
