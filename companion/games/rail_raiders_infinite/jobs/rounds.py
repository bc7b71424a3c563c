"""The course of a game: choosing Raiders, Dealer rolls, boarding, turns, rounds and the end.

Rulebook, Setup; Beginning a New Round; Starting the Game; Player Turns; Ending the Game.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.rail_raiders_infinite.actions import Board, PickRaider, StayOff
from companion.games.rail_raiders_infinite.dice.hands import FIVE, best
from companion.games.rail_raiders_infinite.jobs.agenda import (
    Kind,
    clockwise,
    instead,
    pop,
    push,
    with_car,
    with_rider,
    with_top,
    without,
)
from companion.games.rail_raiders_infinite.jobs.forces import effects_on, raises
from companion.games.rail_raiders_infinite.jobs.piles import discarded
from companion.games.rail_raiders_infinite.jobs.train import go, raiders_on, throw_off, without_bots
from companion.games.rail_raiders_infinite.state import (
    HIGH_NOON,
    LONG_ARM,
    LOOT,
    NOBODY,
    OFF,
    Force,
    Job,
    State,
    Turn,
    cards_of,
)

MORE_THAN_AWAY = 2
"""What is added to a car's distance from the caboose. Rulebook, Boarding the Train."""


def beginning(state: State) -> State:
    """The first jobs of a game, in the rulebook's order."""
    everyone = tuple(range(len(state.seats)))
    if state.options.raiders == "dealt":
        first = [Job("shuffle", card="raiders"), *(Job("turn_up", seat, card="raiders") for seat in everyone)]
    else:
        first = [Job("contest", card="raiders", seats=everyone)]
    piles = (HIGH_NOON, LONG_ARM, LOOT, "tokens", "cars")
    shuffles = (Job("shuffle", card=pile) for pile in piles)
    return push(state, *first, *shuffles, Job("starts"), Job("round"))


# -- choosing Raiders ---------------------------------------------------------------------------------


def _won_raiders(state: State, job: Job) -> State:
    return instead(state, *(Job("pick_raider", seat) for seat in clockwise(state, job.seat)))


def _raiders_left(state: State, job: Job) -> tuple[PickRaider, ...]:
    return tuple(PickRaider(state.seats[job.seat], raider) for raider in state.raiders)


def _raider_picked(state: State, job: Job, action: PickRaider) -> State:
    left = tuple(raider for raider in state.raiders if raider != action.raider)
    return with_rider(pop(replace(state, raiders=left)), job.seat, raider=action.raider)


def _turned_raiders(state: State, job: Job) -> State:
    return with_rider(pop(state), job.seat, raider=job.card)


def _starts(state: State, job: Job) -> State:
    """What Raiders do before the game begins."""
    raiders = cards_of(state.edition, "raiders")
    return instead(
        state,
        *(
            Job("step", seat, effect=step)
            for seat, rider in enumerate(state.riders)
            for step in raiders[rider.raider].steps
        ),
    )


# -- rounds -------------------------------------------------------------------------------------------


def _round(state: State, job: Job) -> State:
    state = replace(state, round=state.round + 1, turn=NOBODY)
    everyone = clockwise(state, state.dealer if state.round > 1 else 0)
    return instead(state, Job("contest", card="dealer", seats=everyone))


def _won_dealer(state: State, job: Job) -> State:
    """The Dealer is known: boarding before the very first turn, then everyone's turn, clockwise."""
    order = clockwise(state, job.seat)
    state = replace(state, dealer=job.seat)
    opening = [Job("board", seat, card="opening") for seat in order] if state.round == 1 else []
    bombs = [
        Job("offer", job.seat, car, card="bomb", effect=effect)
        for car, on in enumerate(state.cars)
        for name in on.bombs
        for effect in cards_of(state.edition, LOOT)[name].effects
        if effect.do == "bomb"
    ]
    turns = [Job("turn", seat) for seat in order]
    return instead(state, *opening, *bombs, *turns, Job("round_end"))


def _rolled_bomb(state: State, job: Job) -> State:
    """A bomb goes off when the die says so: no Lawbot stays, and nobody on board."""
    state, car, effect = pop(state), job.car, job.effect
    loot = cards_of(state.edition, LOOT)
    lying = [name for name in state.cars[car].bombs if effect in loot[name].effects]
    if effect is None or job.faces[0] not in effect.faces or not lying:
        return state
    left = without(state.cars[car].bombs, lying[0])
    state = discarded(with_car(without_bots(state, car), car, bombs=left), LOOT, lying[0])
    for seat in raiders_on(state, car):
        state = throw_off(state, seat)
    return state


def _round_end(state: State, job: Job) -> State:
    state = pop(expire(replace(state, turn=NOBODY), "round"))
    return state if state.last_round else push(state, Job("round"))


def expire(state: State, lasts: str) -> State:
    """Timed cards whose time is over are discarded."""
    over = [force for force in state.forces if force.lasts == lasts]
    state = replace(state, forces=tuple(force for force in state.forces if force.lasts != lasts))
    for force in over:
        state = discarded(state, force.deck, force.card)
    return state


# -- boarding -----------------------------------------------------------------------------------------


def rank_to_board(state: State, car: int, look: bool = False) -> int:
    """The hand rank that boarding a car needs; 0 for the caboose, which needs no roll."""
    return car + MORE_THAN_AWAY - look if car else 0


def boardings(state: State, seat: int) -> tuple[Board, ...]:
    """The cars that a Raider may try to board (RR-A03)."""
    name = state.seats[seat]
    found = [Board(name, car) for car in range(len(state.cars)) if rank_to_board(state, car) <= FIVE]
    if effects_on(state, seat, "look_before_boarding"):
        found += [
            Board(name, car, look=True)
            for car, on in enumerate(state.cars)
            if not on.up and rank_to_board(state, car, look=True) <= FIVE
        ]
    return tuple(found)


def _board(state: State, job: Job) -> State | None:
    return pop(state) if state.riders[job.seat].at != OFF else None


def _board_choices(state: State, job: Job) -> tuple[Board | StayOff, ...]:
    found = boardings(state, job.seat)
    return found if job.card == "opening" else (*found, StayOff(state.seats[job.seat]))


def _board_chosen(state: State, job: Job, action: Board | StayOff) -> State:
    return boarded(pop(state), job.seat, action)


def boarded(state: State, seat: int, action: Board | StayOff) -> State:
    """A Raider boards the caboose, or rolls for another car."""
    if isinstance(action, StayOff):
        return state
    if not action.car:
        return go(state, seat, 0)
    rank = rank_to_board(state, action.car, action.look)
    state = push(state, Job("offer", seat, action.car, rank, card="boarding"))
    return push(state, Job("flip", seat, action.car)) if action.look else state


def _rolled_boarding(state: State, job: Job) -> State:
    state = pop(state)
    hand = best(job.faces).raised_by(raises(state, job.seat, "boarding"))
    return go(state, job.seat, job.car) if hand.rank >= job.count else state


# -- turns --------------------------------------------------------------------------------------------


def _turn(state: State, job: Job) -> State:
    """A player's turn begins: boarding, the car underfoot, High Noon, actions, cleanup (RR-A05)."""
    seat = job.seat
    state = replace(state, turn=seat, acts=Turn())
    jobs = [Job("flip_here", seat), Job(HIGH_NOON, seat), Job("act", seat), Job("cleanup", seat)]
    if state.riders[seat].at == OFF:
        jobs.insert(0, Job("board", seat, card="turn"))
    return instead(state, *jobs)


def _flip_here(state: State, job: Job) -> State:
    here = state.riders[job.seat].at
    if here == OFF or state.cars[here].up:
        return pop(state)
    return instead(state, Job("flip", job.seat, here))


def _turned_high_noon(state: State, job: Job) -> State:
    """The card does what it says, stays in force if it lasts, and is discarded otherwise."""
    card = cards_of(state.edition, HIGH_NOON)[job.card]
    state = with_top(state, HIGH_NOON, card.name)
    here = state.riders[job.seat].at
    steps = [Job("step", job.seat, here, card=HIGH_NOON, effect=step) for step in card.steps]
    if state.options.shuffled_back == "last_round":
        state = mark_last_round(state)
    if card.lasts:
        force = Force(HIGH_NOON, card.name, job.seat, card.lasts)
        return instead(replace(state, forces=(*state.forces, force)), *steps)
    return instead(state, *steps, Job(f"aside_{HIGH_NOON}", card=card.name))


def _check_deck(state: State, job: Job) -> State:
    """An empty High Noon deck makes this the last round; the card has been resolved (RR-A01, RR-A02)."""
    return mark_last_round(pop(state))


def mark_last_round(state: State) -> State:
    """The round is the last one once the High Noon deck is empty."""
    return state if state.high_noon or not state.round else replace(state, last_round=True)


def _cleanup(state: State, job: Job) -> State:
    """What lasts until the end of the turn is over. Rulebook, Cleanup Phase."""
    state = expire(pop(state), "turn")
    if not state.acts.scored:
        mine = [force for force in state.forces if force.lasts == "kept" and force.seat == job.seat]
        state = replace(state, forces=tuple(force for force in state.forces if force not in mine))
        for force in mine:
            state = discarded(state, force.deck, force.card)
    return mark_last_round(replace(state, turn=NOBODY))


ROUNDS: dict[str, Kind] = {
    "won_raiders": Kind(_won_raiders),
    "pick_raider": Kind(choices=_raiders_left, answer=_raider_picked),
    "turned_raiders": Kind(_turned_raiders),
    "starts": Kind(_starts),
    "round": Kind(_round),
    "won_dealer": Kind(_won_dealer),
    "rolled_bomb": Kind(_rolled_bomb),
    "round_end": Kind(_round_end),
    "board": Kind(_board, _board_choices, None, _board_chosen),
    "rolled_boarding": Kind(_rolled_boarding),
    "turn": Kind(_turn),
    "flip_here": Kind(_flip_here),
    "turned_high_noon": Kind(_turned_high_noon),
    "check_deck": Kind(_check_deck),
    "cleanup": Kind(_cleanup),
}
"""The kinds of job that a game's course is made of."""
