"""The Action Phase: what a Raider may do, and starting it; cards that are used up.

Rulebook, Action Phase; RR-A22, RR-A23, RR-A32.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.rail_raiders_infinite.actions import (
    Board,
    Done,
    Move,
    Pass,
    PickCar,
    Search,
    Showdown,
    StayOff,
    TradeCard,
    UseCar,
    UseCard,
)
from companion.games.rail_raiders_infinite.jobs.agenda import (
    Kind,
    pop,
    push,
    score,
    seat_of,
    with_acts,
    with_car,
)
from companion.games.rail_raiders_infinite.jobs.forces import effects_on, on_car
from companion.games.rail_raiders_infinite.jobs.gathering import begin_fight
from companion.games.rail_raiders_infinite.jobs.piles import discarded, used_up
from companion.games.rail_raiders_infinite.jobs.rounds import boarded, boardings
from companion.games.rail_raiders_infinite.jobs.train import (
    adjacent,
    card_of_car,
    go,
    holds_fast,
    lawbots_on,
    raiders_on,
)
from companion.games.rail_raiders_infinite.state import (
    LAWBOTS,
    LOOT,
    OFF,
    SAME,
    Card,
    Force,
    Job,
    State,
    cards_of,
)

LAWBOT_TARGET = "lawbots"

USED = "used"
"""Stands where a step comes from a card that was used up."""

Act = Move | Showdown | Search | UseCar | UseCard | TradeCard | Board | Pass


# -- how often ----------------------------------------------------------------------------------------


def may_take(state: State, kind: str) -> bool:
    """Whether the turn has an action of that type left. Rulebook, Action Phase."""
    acts = state.acts
    return acts.left > 0 and (acts.done.count(kind) < SAME or acts.thirds > 0)


def take(state: State, kind: str) -> State:
    """An action of that type is taken."""
    acts = state.acts
    third = acts.done.count(kind) >= SAME
    return with_acts(state, left=acts.left - 1, done=(*acts.done, kind), thirds=acts.thirds - third)


# -- what may be done ---------------------------------------------------------------------------------


def reachable(state: State, seat: int) -> tuple[int, ...]:
    """The cars to which a Move may go."""
    here = state.riders[seat].at
    far = max((effect.count for effect in effects_on(state, seat, "long_move")), default=1)
    return tuple(car for car in range(len(state.cars)) if car != here and abs(car - here) <= far)


def may_move(state: State, seat: int) -> bool:
    """Whether nothing forbids a Move action but its number."""
    return not (
        state.acts.no_moves or effects_on(state, seat, "no_moves") or holds_fast(state, state.riders[seat].at)
    )


def may_search(state: State, seat: int) -> bool:
    """Whether nothing forbids a Search but its number. Rulebook, Search; RR-A32."""
    here = state.riders[seat].at
    if here == OFF or not state.cars[here].tokens or effects_on(state, seat, "no_search"):
        return False
    bots = lawbots_on(state, here)
    among = effects_on(state, seat, "search_among_lawbots") and bots <= len(raiders_on(state, here))
    return not bots or bool(among or effects_on(state, seat, "search_freely"))


def showdowns(state: State, seat: int) -> tuple[Showdown, ...]:
    """The targets of a Showdown: Raiders on the same car, and its Lawbots."""
    here, name = state.riders[seat].at, state.seats[seat]
    found = [Showdown(name, state.seats[other]) for other in raiders_on(state, here) if other != seat]
    if lawbots_on(state, here):
        found.append(Showdown(name, LAWBOT_TARGET))
    return tuple(found)


def ability(card: str) -> str:
    """The action type of that train car's ability (RR-A22)."""
    return f"car:{card}"


def acts(state: State, seat: int) -> tuple[Act, ...]:
    """All that the player in turn may do."""
    name, here = state.seats[seat], state.riders[seat].at
    found: list[Act] = []
    if here == OFF:
        if may_take(state, "board"):
            found += boardings(state, seat)
        return (*found, Pass(name))
    if may_take(state, "move") and may_move(state, seat):
        found += [Move(name, car) for car in reachable(state, seat)]
    if may_take(state, "showdown"):
        found += showdowns(state, seat)
    if may_take(state, "search") and may_search(state, seat):
        found.append(Search(name))
    car = card_of_car(state, here)
    if car is not None and car.steps and may_take(state, ability(car.name)):
        found.append(UseCar(name))
    found += usable(state, seat)
    if state.acts.left and effects_on(state, seat, "third_action"):
        found += [TradeCard(name, card) for card in dict.fromkeys(state.riders[seat].gear)]
    return (*found, Pass(name))


def usable(state: State, seat: int) -> tuple[UseCard, ...]:
    """The equipped cards that the player in turn may use up."""
    found = []
    for name in dict.fromkeys(state.riders[seat].gear):
        use = cards_of(state.edition, LOOT)[name].use
        if use == "turn" or (use == "action" and may_take(state, "card")):
            found.append(UseCard(state.seats[seat], name))
    return tuple(found)


def answers(state: State, seat: int) -> tuple[UseCard, ...]:
    """The equipped cards that another player may use up in somebody's turn.

    Who is Off the Train affects nobody on it, and is affected by nobody. Rulebook, Off the Train.
    """
    if OFF in (state.riders[seat].at, state.riders[state.turn].at):
        return ()
    loot = cards_of(state.edition, LOOT)
    held = dict.fromkeys(state.riders[seat].gear)
    return tuple(UseCard(state.seats[seat], name) for name in held if loot[name].use == "opponent")


# -- doing it -----------------------------------------------------------------------------------------


def _act(state: State, job: Job) -> State | None:
    """The phase ends with the last action, unless a card may still be used."""
    seat, acts_now = job.seat, state.acts
    if state.riders[seat].at == OFF:
        again = state.options.boarding == "an_action_too" and may_take(state, "board")
        return None if again and not acts_now.over else pop(state)
    if acts_now.over or not (acts_now.left or usable(state, seat)):
        return pop(state)
    return None


def _act_choices(state: State, job: Job) -> tuple[Act, ...]:
    return acts(state, job.seat)


def _acted(state: State, job: Job, action: Act) -> State:
    seat = seat_of(state, action)
    match action:
        case Pass():
            return with_acts(state, over=True)
        case Board():
            return boarded(take(state, "board"), seat, action)
        case Move(car=car):
            return go(take(state, "move"), seat, car)
        case Showdown():
            return _start_showdown(state, seat, action)
        case Search():
            return push(take(state, "search"), Job("search", seat, state.riders[seat].at))
        case UseCar():
            return _use_car(state, seat)
        case TradeCard(card=card):
            state = discarded(used_up(state, seat, card), LOOT, card)
            return with_acts(state, thirds=state.acts.thirds + 1)
    return _use_card(state, seat, cards_of(state.edition, LOOT)[action.card])


def _start_showdown(state: State, seat: int, action: Showdown) -> State:
    """A Showdown action: what may follow it waits below the fight."""
    state = push(take(state, "showdown"), Job("free_move", seat))
    if effects_on(state, seat, "double_showdown"):
        state = push(state, Job("second_showdown", seat))
    return _showdown(state, seat, action)


def _showdown(state: State, seat: int, action: Showdown) -> State:
    here = state.riders[seat].at
    target = LAWBOTS if action.target == LAWBOT_TARGET else state.seats.index(action.target)
    state = with_acts(state, fought=state.acts.fought + 1)
    if target == LAWBOTS:
        gains = sum(effect.count for effect in on_car(state, here) if effect.do == "showdown_dollar")
        state = score(state, seat, gains)
    return begin_fight(state, "showdown", here, seat, target)


def _second_showdown(state: State, job: Job) -> State | None:
    on_train = state.riders[job.seat].at != OFF
    return None if on_train and showdowns(state, job.seat) else pop(state)


def _second_choices(state: State, job: Job) -> tuple[Showdown | Done, ...]:
    return (*showdowns(state, job.seat), Done(state.seats[job.seat]))


def _second_chosen(state: State, job: Job, action: Showdown | Done) -> State:
    state = pop(state)
    return _showdown(state, job.seat, action) if isinstance(action, Showdown) else state


def _free_move(state: State, job: Job) -> State | None:
    """Once a turn after a Showdown, for who may: a move, or an attempt to board."""
    may = effects_on(state, job.seat, "move_after_showdown") and not state.acts.moved_free
    return None if may and not holds_fast(state, state.riders[job.seat].at) else pop(state)


def _free_choices(state: State, job: Job) -> tuple[PickCar | Board | StayOff, ...]:
    name, here = state.seats[job.seat], state.riders[job.seat].at
    if here == OFF:
        return (*boardings(state, job.seat), StayOff(name))
    return (*(PickCar(name, car) for car in adjacent(state, here)), PickCar(name, OFF))


def _free_chosen(state: State, job: Job, action: PickCar | Board | StayOff) -> State:
    state = pop(state)
    if isinstance(action, StayOff) or action.car == OFF:
        return state
    state = with_acts(state, moved_free=True, over=False)
    return boarded(state, job.seat, action) if isinstance(action, Board) else go(state, job.seat, action.car)


def _use_car(state: State, seat: int) -> State:
    here = state.riders[seat].at
    car = card_of_car(state, here)
    assert car is not None
    state = take(state, ability(car.name))
    return push(state, *(Job("step", seat, here, effect=step) for step in car.steps))


def _use_card(state: State, seat: int, card: Card) -> State:
    """A card is used up: it stays in force if it lasts, lies on the car, or is discarded."""
    here = state.riders[seat].at
    state = used_up(state, seat, card.name)
    if card.use == "action":
        state = take(state, "card")
    if any(step.do == "leave_bomb" for step in card.steps):
        return with_car(state, here, bombs=(*state.cars[here].bombs, card.name))
    if card.lasts:
        owner = state.turn if card.use == "opponent" else seat
        state = replace(state, forces=(*state.forces, Force(LOOT, card.name, owner, card.lasts)))
    else:
        state = push(state, Job(f"aside_{LOOT}", card=card.name))
    return push(state, *(Job("step", seat, card=USED, effect=step) for step in card.steps))


ACTS: dict[str, Kind] = {
    "act": Kind(_act, _act_choices, None, _acted),
    "second_showdown": Kind(_second_showdown, _second_choices, None, _second_chosen),
    "free_move": Kind(_free_move, _free_choices, None, _free_chosen),
}
"""The kinds of job of the Action Phase."""
