"""The train: which cars are adjacent, who is where, Lawbots that come, go and are counted.

Rulebook, Moving; Facedown Train Cars; Off the Train; Long Arm of the Law Cards.
"""

from __future__ import annotations

from companion.games.rail_raiders_infinite.jobs.agenda import push, with_acts, with_car, with_rider
from companion.games.rail_raiders_infinite.jobs.forces import effects_on, on_car
from companion.games.rail_raiders_infinite.state import KINDS, MODELS, OFF, CarCard, Job, State, car_cards

Bots = tuple[int, int, int]


def adjacent(state: State, car: int) -> tuple[int, ...]:
    """The cars next to that one, the nearer to the caboose first; none Off the Train (RR-A15)."""
    if car == OFF:
        return ()
    return tuple(other for other in (car - 1, car + 1) if 0 <= other < len(state.cars))


def raiders_on(state: State, car: int) -> tuple[int, ...]:
    """The seats whose Raiders are on that car."""
    return tuple(seat for seat, rider in enumerate(state.riders) if car != OFF and rider.at == car)


def card_of_car(state: State, car: int) -> CarCard | None:
    """The train car that lies there; None while nobody has seen it."""
    return car_cards(state.edition)[state.train[car]] if state.cars[car].up else None


def lawbots_on(state: State, car: int) -> int:
    """How many Lawbots are on that car."""
    return sum(state.cars[car].bots) if car != OFF else 0


def holds_fast(state: State, car: int) -> bool:
    """Whether a Grit card keeps Raiders on the car."""
    return bool(lawbots_on(state, car)) and any(effect.do == "hold_fast" for effect in on_car(state, car))


def lowest(bots: Bots) -> str:
    """The lowest kind among them; "" for none."""
    return next((kind for kind, count in zip(KINDS, bots, strict=True) if count), "")


def highest(bots: Bots) -> str:
    """The highest kind among them; "" for none."""
    return next((kind for kind, count in zip(KINDS[::-1], bots[::-1], strict=True) if count), "")


def changed(bots: Bots, kind: str, by: int) -> Bots:
    """So many more or fewer of a kind."""
    deputies, sheriffs, marshals = (
        count + (by if other == kind else 0) for other, count in zip(KINDS, bots, strict=True)
    )
    return (deputies, sheriffs, marshals)


def supply(state: State, kind: str) -> int:
    """How many Lawbots of that kind are not on the train."""
    at = KINDS.index(kind)
    return MODELS[at] - sum(car.bots[at] for car in state.cars)


def put_lawbot(state: State, kind: str, car: int, by: int = 1) -> State:
    """A Lawbot comes onto a car, or leaves it."""
    return with_car(state, car, bots=changed(state.cars[car].bots, kind, by))


def move_lawbot(state: State, kind: str, car: int, to: int) -> State:
    """A Lawbot goes from one car to another."""
    return put_lawbot(put_lawbot(state, kind, car, -1), kind, to)


def go(state: State, seat: int, car: int) -> State:
    """A Raider comes onto a car; in its own turn a facedown one is flipped (RR-A16)."""
    state = with_rider(state, seat, at=car)
    if seat == state.turn and not state.cars[car].up:
        return push(state, Job("flip", seat, car))
    return state


def throw_off(state: State, seat: int) -> State:
    """A Raider is thrown Off the Train, or catches hold nearer to the caboose."""
    here = state.riders[seat].at
    if here == OFF:
        return state
    for effect in effects_on(state, seat, "catch_on"):
        return go(state, seat, max(0, here - effect.count))
    state = with_rider(state, seat, at=OFF)
    if seat == state.turn and state.options.boarding == "turn_start":
        state = with_acts(state, over=True)
    return state


def shift_towards_locomotive(state: State) -> State:
    """On every car the lowest Lawbot moves one car towards the locomotive; none moves twice."""
    moves = [(lowest(car.bots), at) for at, car in enumerate(state.cars[:-1])]
    for kind, at in moves:
        if kind:
            state = move_lawbot(state, kind, at, at + 1)
    return state


def place(state: State, kind: str, car: int) -> State | None:
    """A Lawbot from the supply comes onto a car; None where there is none left."""
    return put_lawbot(state, kind, car) if supply(state, kind) else None


def without_bots(state: State, car: int) -> State:
    """Every Lawbot on the car goes back to the supply."""
    return with_car(state, car, bots=(0, 0, 0))
