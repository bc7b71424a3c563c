"""A fight before its dice: who takes part, who runs the Lawbots, weapons, and what is agreed and paid.

Rulebook, Showdown; Search; Equipment and Weapons; RR-A07, RR-A25, RR-A29.
"""

from __future__ import annotations

from itertools import combinations

from msgspec.structs import replace

from companion.games.rail_raiders_infinite.actions import (
    Arm,
    Decide,
    Join,
    PickCar,
    PickKind,
    PickSeat,
)
from companion.games.rail_raiders_infinite.jobs.agenda import (
    Kind,
    clockwise,
    instead,
    pop,
    push,
    score,
    with_rider,
)
from companion.games.rail_raiders_infinite.jobs.fighting import (
    present,
    with_fight,
    with_side,
    yes_or_no,
)
from companion.games.rail_raiders_infinite.jobs.forces import (
    are_plain,
    bots_in,
    counts_in,
    effects_on,
    side_of,
)
from companion.games.rail_raiders_infinite.jobs.rolling import (
    price_of_reroll,
)
from companion.games.rail_raiders_infinite.jobs.train import adjacent, holds_fast, raiders_on
from companion.games.rail_raiders_infinite.state import (
    KINDS,
    LAWBOTS,
    LOOT,
    NOBODY,
    OFF,
    Card,
    Fight,
    Job,
    Side,
    State,
    cards_of,
)

# -- who takes part -----------------------------------------------------------------------------------


def begin_fight(state: State, kind: str, car: int, active: int, target: int) -> State:
    """A fight is prepared: the target may be dragged along, and the others on the car are asked."""
    state = replace(state, fight=Fight(kind, car, active, target, (Side(active, active),)))
    if target >= 0:
        state = with_fight(state, sides=(Side(active, active), Side(target, target)))
    return push(state, Job("drag", active, car), Job("ask_to_join", active))


def may_drag(state: State, seat: int) -> bool:
    """Whether that seat may move itself and its target before the Showdown."""
    fight = present(state)
    may = fight.target >= 0 and effects_on(state, seat, "drag_target")
    return bool(may) and not holds_fast(state, fight.car)


def _drag(state: State, job: Job) -> State | None:
    return None if may_drag(state, job.seat) else pop(state)


def _drag_choices(state: State, job: Job) -> tuple[PickCar, ...]:
    cars = (*adjacent(state, job.car), OFF)
    return tuple(PickCar(state.seats[job.seat], car) for car in cars)


def _dragged(state: State, job: Job, action: PickCar) -> State:
    state = pop(state)
    if action.car == OFF:
        return state
    state = with_rider(state, job.seat, at=action.car)
    state = with_rider(state, present(state).target, at=action.car)
    state = with_fight(state, car=action.car)
    return push(state, Job("flip_here", job.seat))


def _ask_to_join(state: State, job: Job) -> State:
    """Clockwise from the active player, which is from the left where a Search is opposed."""
    fight = present(state)
    asked = [seat for seat in clockwise(state, fight.active) if may_join(state, seat)]
    # Joiners may compel too, and who joins is not known yet.
    compelling = clockwise(state, fight.active) if fight.kind == "showdown" else ()
    return instead(
        state,
        *(Job("join", seat) for seat in asked),
        *(Job("compel", seat) for seat in compelling),
        Job("gather"),
    )


def may_join(state: State, seat: int) -> bool:
    """Whether a Raider may take part: it is on the car, or shoots from the next one."""
    fight, here = present(state), state.riders[seat].at
    if side_of(fight, seat) is not None or here == OFF:
        return False
    near = here in adjacent(state, fight.car) and effects_on(state, seat, "join_from_next")
    return here == fight.car or bool(near)


def _join_choices(state: State, job: Job) -> tuple[Join, ...]:
    name = state.seats[job.seat]
    return (Join(name, join=True), Join(name, join=False))


def _joined(state: State, job: Job, action: Join) -> State:
    return _with_raider(pop(state), job.seat) if action.join else pop(state)


def _with_raider(state: State, seat: int) -> State:
    return with_fight(state, sides=(*present(state).sides, Side(seat, seat)))


def compellable(state: State, seat: int) -> tuple[int, ...]:
    """Whom that Raider may compel to take part."""
    fight = present(state)
    if side_of(fight, seat) is None or not effects_on(state, seat, "compel"):
        return ()
    return tuple(other for other in raiders_on(state, fight.car) if side_of(fight, other) is None)


def _compel(state: State, job: Job) -> State | None:
    return None if compellable(state, job.seat) else pop(state)


def _compel_choices(state: State, job: Job) -> tuple[PickSeat, ...]:
    name = state.seats[job.seat]
    return tuple(PickSeat(name, _name(state, who)) for who in (*compellable(state, job.seat), NOBODY))


def _name(state: State, who: int) -> str:
    return "" if who == NOBODY else state.seats[who]


def _compelled(state: State, job: Job, action: PickSeat) -> State:
    state = pop(state)
    return _with_raider(state, state.seats.index(action.target)) if action.target else state


def controller(state: State, fight: Fight) -> int:
    """Who rolls and decides for the Lawbots: the next player to the left who takes no part, or the
    Dealer. Rulebook, Showdown; RR-A25, RR-A29.
    """
    for seat in clockwise(state, fight.active):
        if side_of(fight, seat) is None:
            return seat
    return state.dealer


def _gather(state: State, job: Job) -> State:
    """All who take part are known; everything else follows in its order."""
    fight = present(state)
    if fight.kind == "search" and len(fight.sides) == 1:
        return instead(replace(state, fight=None), Job("search_on", fight.active, fight.car))
    sides = list(fight.sides)
    if fight.target == LAWBOTS:
        sides.append(Side(LAWBOTS, controller(state, fight)))
    order = clockwise(state, fight.active)
    sides.sort(key=lambda side: (order.index(side.runner), side.who == LAWBOTS))
    state = with_fight(state, sides=tuple(sides))
    sides_in_order = [side.who for side in sides]
    raiders = [who for who in sides_in_order if who != LAWBOTS]
    from_dealer = [seat for seat in clockwise(state, state.dealer) if seat in raiders]
    return instead(
        state,
        *(Job("partner", who) for who in raiders),
        *(Job("sit_out", who) for who in raiders if fight.kind == "showdown"),
        *(Job("arm", who) for who in from_dealer),
        *(Job("buy_die", who) for who in raiders),
        *(Job("buy_reroll", who) for who in raiders),
        *(Job("throw", who) for who in sides_in_order),
        *(Job("reroll", who) for who in sides_in_order),
        *(Job("throw_again", who) for who in sides_in_order),
        *(Job("set_dice", who) for who in raiders),
        Job("compare"),
    )


# -- what is agreed before the dice -------------------------------------------------------------------


def partners_for(state: State, seat: int) -> tuple[int, ...]:
    """With whom that Raider may team up."""
    fight = present(state)
    if fight.partners or not effects_on(state, seat, "partner"):
        return ()
    return tuple(side.who for side in fight.sides if side.who not in (LAWBOTS, seat))


def _partner(state: State, job: Job) -> State | None:
    return None if partners_for(state, job.seat) else pop(state)


def _partner_choices(state: State, job: Job) -> tuple[PickSeat, ...]:
    name = state.seats[job.seat]
    return tuple(PickSeat(name, _name(state, who)) for who in (*partners_for(state, job.seat), NOBODY))


def _partner_chosen(state: State, job: Job, action: PickSeat) -> State:
    if not action.target:
        return pop(state)
    return instead(state, Job("agree", state.seats.index(action.target), seats=(job.seat,)))


def _agreed(state: State, job: Job, action: Decide) -> State:
    partners = tuple(sorted((job.seat, *job.seats))) if action.yes else ()
    return with_fight(pop(state), partners=partners)


def may_sit_out(state: State, seat: int) -> tuple[str, ...]:
    """The Sheriffs and Marshals of whom that Raider may take one out; some Lawbot has to stay."""
    fight = present(state)
    bots = bots_in(state, fight)
    if fight.target != LAWBOTS or sum(bots) < 2 or not effects_on(state, seat, "sit_out"):
        return ()
    return tuple(kind for kind, count in zip(KINDS, bots, strict=True) if count and kind != KINDS[0])


def _sit_out(state: State, job: Job) -> State | None:
    return None if may_sit_out(state, job.seat) else pop(state)


def _sit_out_choices(state: State, job: Job) -> tuple[PickKind, ...]:
    name = state.seats[job.seat]
    return tuple(PickKind(name, kind) for kind in (*may_sit_out(state, job.seat), ""))


def _sat_out(state: State, job: Job, action: PickKind) -> State:
    state = pop(state)
    return with_fight(state, out=(*present(state).out, action.kind)) if action.kind else state


def armouries(state: State, seat: int) -> tuple[tuple[str, ...], ...]:
    """The sets of weapons that a Raider may use in one fight, none at all last."""
    loot = cards_of(state.edition, LOOT)
    weapons = [name for name in state.riders[seat].gear if loot[name].kind == "weapon"]
    limits = [effect.count for effect in effects_on(state, seat, "weapons")]
    most = min(limits) if 0 in limits else max(limits, default=1)
    found = [
        chosen
        for count in range(len(weapons), 0, -1)
        for chosen in combinations(weapons, count)
        if sum(not _is_beside(loot[name]) for name in chosen) <= most
    ]
    return (*dict.fromkeys(tuple(sorted(chosen)) for chosen in found), ())


def _is_beside(card: Card) -> bool:
    return any(effect.do == "beside" for effect in card.effects)


def _arm(state: State, job: Job) -> State | None:
    return None if len(armouries(state, job.seat)) > 1 else pop(state)


def _arm_choices(state: State, job: Job) -> tuple[Arm, ...]:
    name = state.seats[job.seat]
    return tuple(Arm(name, weapons) for weapons in armouries(state, job.seat))


def _armed(state: State, job: Job, action: Arm) -> State:
    return with_side(pop(state), job.seat, weapons=action.weapons)


def price_of_die(state: State, seat: int) -> int:
    """What one more die costs the Raider in this fight; 0 where none is for sale."""
    if are_plain(state, present(state)):
        return 0
    kind = present(state).kind
    prices = [effect.count for effect in effects_on(state, seat, "buy_die") if counts_in(effect, kind)]
    return min((price for price in prices if price <= state.riders[seat].dollars), default=0)


def _buy_die(state: State, job: Job) -> State | None:
    return None if price_of_die(state, job.seat) else pop(state)


def _die_bought(state: State, job: Job, action: Decide) -> State:
    if not action.yes:
        return pop(state)
    state = score(state, job.seat, -price_of_die(state, job.seat))
    return with_side(pop(state), job.seat, dice=1)


def _buy_reroll(state: State, job: Job) -> State | None:
    return None if price_of_reroll(state, job.seat, present(state).kind) else pop(state)


def _reroll_bought(state: State, job: Job, action: Decide) -> State:
    if not action.yes:
        return pop(state)
    state = score(state, job.seat, -price_of_reroll(state, job.seat, present(state).kind))
    return with_side(pop(state), job.seat, rerolls=1)


GATHERINGS: dict[str, Kind] = {
    "drag": Kind(_drag, _drag_choices, None, _dragged),
    "ask_to_join": Kind(_ask_to_join),
    "join": Kind(choices=_join_choices, answer=_joined),
    "compel": Kind(_compel, _compel_choices, None, _compelled),
    "gather": Kind(_gather),
    "partner": Kind(_partner, _partner_choices, None, _partner_chosen),
    "agree": Kind(choices=yes_or_no, answer=_agreed),
    "sit_out": Kind(_sit_out, _sit_out_choices, None, _sat_out),
    "arm": Kind(_arm, _arm_choices, None, _armed),
    "buy_die": Kind(_buy_die, yes_or_no, None, _die_bought),
    "buy_reroll": Kind(_buy_reroll, yes_or_no, None, _reroll_bought),
}
"""The kinds of job of a fight before its dice."""
