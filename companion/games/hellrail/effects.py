"""Circle Effects: deciding on one, Heresy Chips, and the steps of which an Effect is made.

Rulebook, Movement - Entering a Circle; Heresy Chips. What a Circle does is data of the pack, put
together from `STEPS`. A step that cannot be done is passed over.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.hellrail.actions import (
    Declare,
    Derail,
    DiscardCard,
    Done,
    DrawCard,
    Gain,
    HellRailAction,
    KeepChip,
    MoveEngine,
    PutCounter,
    ScrapRail,
    SpendChip,
    TakeCounter,
    Target,
    TurnRail,
)
from companion.games.hellrail.movement import net_of
from companion.games.hellrail.piles import derail_all, discard, draw, next_turn, playable, put
from companion.games.hellrail.rails import occupied, rail_at, with_rail, without_rail
from companion.games.hellrail.state import (
    ACTIONS,
    CHIP,
    CHIPS,
    COUNTERS,
    DECLARE,
    EFFECT,
    HERESY,
    OPPONENTS,
    TICKET,
    TICKETS,
    Effect,
    Rail,
    State,
    Step,
    circle_cards,
)
from companion.games.hellrail.track import TURNS, Position

# -- deciding -----------------------------------------------------------------------------------------


def circle_at(state: State, seat: int) -> str:
    """The Circle in which that seat's engine is; "" on rail."""
    position = state.engines[seat]
    if not position.in_circle:
        return ""
    return next(circle.name for circle in state.circles if circle.cell == position.cell)


def enter(state: State, seat: int) -> State:
    """That seat's engine has come into a Circle, and its player decides on the Effect."""
    return replace(state, phase=DECLARE, effect=Effect(seat, circle_at(state, seat)))


def enter_next(state: State) -> State:
    """Those who were pushed into Circles decide, where they may (HR-A14); then the turn goes on, or ends."""
    if not state.entries:
        return next_turn(state) if state.turn_over else replace(state, phase=ACTIONS, effect=None)
    return enter(replace(state, effect=None, entries=state.entries[1:]), state.entries[0])


def present(state: State) -> Effect:
    """The Effect that is decided or carried out."""
    assert state.effect is not None
    return state.effect


def declare(state: State, action: Declare) -> State:
    """Used or not; opponents with chips are asked, clockwise (HR-A27)."""
    effect, count = present(state), len(state.seats)
    opponents = [(effect.seat + step) % count for step in range(1, count)]
    asked = tuple(seat for seat in opponents if state.chips[seat])
    state = replace(state, effect=replace(effect, use=action.use, asked=asked))
    return replace(state, phase=HERESY) if asked else _settle(state)


def spend_chip(state: State, action: SpendChip) -> State:
    """What was declared is turned round; the chip goes back to the supply."""
    seat, effect = state.seats.index(action.seat), present(state)
    chips = put(state.chips, seat, state.chips[seat] - 1)
    return _settle(replace(state, chips=chips, effect=replace(effect, use=not effect.use, asked=())))


def keep_chip(state: State, action: KeepChip) -> State:
    """The next opponent is asked; when all have been, it stands."""
    effect = present(state)
    state = replace(state, effect=replace(effect, asked=effect.asked[1:]))
    return state if effect.asked[1:] else _settle(state)


def _settle(state: State) -> State:
    effect = present(state)
    if not effect.use:
        return enter_next(state)
    steps = circle_cards(state.edition)[effect.circle].steps
    return resolve(replace(state, phase=EFFECT, effect=replace(effect, steps=steps)))


# -- carrying out -------------------------------------------------------------------------------------


def resolve(state: State) -> State:
    """The steps that need nobody's choice and no shuffle, up to one that does, or to the end.

    Who derails in the own turn does no further step: that turn is over.
    """
    while state.phase == EFFECT and not state.owed:
        effect = present(state)
        ended = state.turn_over and effect.seat == state.turn
        if not effect.steps or (ended and not effect.chosen):
            return enter_next(state)
        step = effect.steps[0]
        if not effect.chosen:
            targets = targets_of(state, step)
            if not targets:
                state = _after_step(state)
                continue
            if needs_target(step) and (step.optional or len(targets) > 1):
                return state
            state = _chosen(state, targets)
        if waits_for_choice(state):
            return state
        state = _do(state, step)
    return state


def needs_target(step: Step) -> bool:
    """Whether somebody says for whom the step is, or whether it is done at all."""
    return step.who in ("opponent", "anyone") or (
        step.optional and step.do in ("gain", "derail", "draw", "discard")
    )


def targets_of(state: State, step: Step) -> tuple[int, ...]:
    """The seats that the step may be for, clockwise from the one whose Effect it is."""
    own, count = present(state).seat, len(state.seats)
    others = tuple((own + far) % count for far in range(1, count))
    seats = {"self": (own,), "anyone": (own, *others)}.get(step.who, others)
    if step.do == "gain":
        return tuple(seat for seat in seats if may_gain(state, seat, step.what))
    if step.do == "discard":
        return tuple(seat for seat in seats if state.hands[seat])
    if step.do == "move_engine":
        return tuple(seat for seat in seats if _destinations(state, seat, step))
    if step.do in ("turn_rail", "scrap_rail", "put_counter", "take_counter"):
        return seats if _on_rails(state, state.seats[own], step) else ()
    return seats


def nameable(state: State, step: Step) -> tuple[str, ...]:
    """What a Target may say: one of the seats, or all opponents where the step is for all of them."""
    seats = targets_of(state, step)
    return (OPPONENTS,) if step.who == OPPONENTS else tuple(state.seats[seat] for seat in seats)


def named(state: State, action: Target) -> tuple[int, ...]:
    """The seats that a Target says."""
    if action.target == OPPONENTS:
        return targets_of(state, present(state).steps[0])
    return (state.seats.index(action.target),)


def may_gain(state: State, seat: int, what: str) -> bool:
    """One chip and one ticket to a player, as long as there are any.

    Rulebook, Heresy Chips; Boatman Tickets.
    """
    if what == CHIP:
        return not state.chips[seat] and sum(state.chips) < CHIPS
    return not state.tickets[seat] and sum(state.tickets) < TICKETS


def _chosen(state: State, seats: tuple[int, ...]) -> State:
    effect = present(state)
    return replace(state, effect=replace(effect, chosen=seats, count=effect.steps[0].count))


def _after_step(state: State) -> State:
    effect = present(state)
    return replace(state, effect=replace(effect, steps=effect.steps[1:], chosen=(), count=0))


def _after_target(state: State) -> State:
    effect = present(state)
    if len(effect.chosen) == 1:
        return _after_step(state)
    return replace(state, effect=replace(effect, chosen=effect.chosen[1:], count=effect.steps[0].count))


def _counted(state: State) -> State:
    """One of the step's times is done."""
    effect = present(state)
    if effect.count == 1:
        return _after_target(state)
    return replace(state, effect=replace(effect, count=effect.count - 1))


def waits_for_choice(state: State) -> bool:
    """Whether the present step, for whom it is, needs somebody to choose."""
    effect = present(state)
    step, seat = effect.steps[0], effect.chosen[0]
    match step.do:
        case "table":
            return True
        case "discard":
            return bool(state.hands[seat])
        case "move_engine":
            return step.optional or len(_destinations(state, seat, step)) > 1
        case "turn_rail" | "scrap_rail" | "put_counter" | "take_counter":
            return bool(_on_rails(state, state.seats[effect.seat], step))
    return False


def _do(state: State, step: Step) -> State:
    """The present step for the present seat, where nothing is to be chosen (any more)."""
    effect = present(state)
    seat = effect.chosen[0]
    match step.do:
        case "gain":
            return _after_target(gain(state, seat, step.what) if may_gain(state, seat, step.what) else state)
        case "derail":
            return _derailed(_after_step(state), effect.chosen)
        case "draw":
            state = replace(_after_target(state), owed=step.count, drawer=seat)
            return draw(state)
        case "move_engine" if there := _destinations(state, seat, step):
            return set_engine(_after_target(state), seat, there[0])
    return _after_target(state)


def set_engine(state: State, seat: int, to: Position) -> State:
    """The engine is somewhere else, and has entered nothing; where it was pushed to does not matter now."""
    entries = tuple(entered for entered in state.entries if entered != seat)
    return replace(state, engines=put(state.engines, seat, to), entries=entries)


def gain(state: State, seat: int, what: str) -> State:
    """A chip or a ticket from the supply."""
    if what == CHIP:
        return replace(state, chips=put(state.chips, seat, 1))
    return replace(state, tickets=put(state.tickets, seat, 1))


def _derailed(state: State, seats: tuple[int, ...]) -> State:
    """They derail; who does so in the own turn ends it, once what others do in it is done."""
    state = derail_all(state, tuple(sorted(seats)))
    return replace(state, turn_over=state.turn_over or state.turn in seats)


# -- choosing -----------------------------------------------------------------------------------------


def chooser(state: State) -> int:
    """The seat that the Effect waits for."""
    effect = present(state)
    if effect.chosen and effect.steps[0].do == "discard":
        return effect.chosen[0]
    return effect.seat


def choices(state: State, seat: int, card: str = "") -> tuple[HellRailAction, ...]:
    """What the seat may choose while an Effect is carried out; with a card, what it does with that."""
    effect = present(state)
    step, name = effect.steps[0], state.seats[seat]
    if step.do == "table" or (step.do == "discard" and effect.chosen):
        if step.do == "table" or seat == effect.chosen[0]:
            cards = [held for held in playable(state, seat) if card in ("", held)]
            drops: tuple[HellRailAction, ...] = tuple(DiscardCard(name, held) for held in cards)
            if step.do == "table" and seat == effect.seat and not card:
                return (*drops, *_by_the_table(state, name), Done(name))
            return drops
        return ()
    if seat != effect.seat or card:
        return ()
    done = (Done(name),) if step.optional else ()
    if not effect.chosen:
        return (*(Target(name, target) for target in nameable(state, step)), *done)
    if step.do == "move_engine":
        target = state.seats[effect.chosen[0]]
        there = _destinations(state, effect.chosen[0], step)
        return (*(MoveEngine(name, target, to) for to in there), *done)
    return (*_on_rails(state, name, step), *done)


def _on_rails(state: State, name: str, step: Step) -> tuple[HellRailAction, ...]:
    taken = occupied(state)
    free = [rail for rail in state.rails if rail.cell not in taken]
    bare = [rail for rail in free if not rail.counters]
    match step.do:
        case "turn_rail":
            return tuple(turn for rail in bare for turn in _turns(name, rail))
        case "scrap_rail":
            return tuple(ScrapRail(name, rail.cell) for rail in bare)
        case "put_counter":
            return tuple(
                PutCounter(name, rail.cell, step.what) for rail in free if step.what not in rail.counters
            )
    kinds = (step.what,) if step.what else COUNTERS
    return tuple(
        TakeCounter(name, rail.cell, kind) for rail in state.rails for kind in kinds if kind in rail.counters
    )


def _turns(name: str, rail: Rail) -> tuple[TurnRail, ...]:
    return tuple(TurnRail(name, rail.cell, turn) for turn in TURNS if turn != rail.turn)


def _destinations(state: State, seat: int, step: Step) -> tuple[Position, ...]:
    """The Circles to which the step may move that seat's engine, in the order of their names."""
    there = (Position(circle.cell) for circle in state.circles if step.to in ("", circle.name))
    return tuple(position for position in there if position != state.engines[seat])


def _by_the_table(state: State, name: str) -> tuple[HellRailAction, ...]:
    """All that players may tell of what they have done, where the vocabulary cannot say it."""
    taken = occupied(state)
    free = [rail for rail in state.rails if rail.cell not in taken]
    found: list[HellRailAction] = []
    for seat, other in enumerate(state.seats):
        found += [Derail(name, other), DrawCard(name, other)]
        found += [Gain(name, other, what) for what in (CHIP, TICKET) if may_gain(state, seat, what)]
        found += [MoveEngine(name, other, to) for to in _anywhere(state) if to != state.engines[seat]]
    for rail in free:
        found += [*_turns(name, rail), ScrapRail(name, rail.cell)]
        found += [PutCounter(name, rail.cell, kind) for kind in COUNTERS if kind not in rail.counters]
    found += [TakeCounter(name, rail.cell, kind) for rail in state.rails for kind in rail.counters]
    return tuple(found)


def _anywhere(state: State) -> tuple[Position, ...]:
    """Every Circle, and every tie on which no engine stands, faced either way."""
    taken = {(position.cell, position.segment, position.tie) for position in state.engines}
    ties = (
        Position(cell, *spot)
        for cell, lying in sorted(net_of(state).faces.items())
        for spot in lying.ahead
        if (cell, *spot[:2]) not in taken
    )
    return (*(Position(circle.cell) for circle in state.circles), *ties)


def choose(state: State, action: HellRailAction) -> State:
    """A choice within an Effect is carried out, and what follows from it."""
    by_table = present(state).steps[0].do == "table"
    match action:
        case Done():
            return resolve(_after_target(state) if present(state).chosen else _after_step(state))
        case Target():
            return resolve(_chosen(state, named(state, action)))
        case DiscardCard(seat=seat, card=card):
            state = discard(state, state.seats.index(seat), card)
        case TurnRail(cell=cell, turn=turn):
            state = with_rail(state, replace(rail_at(state, cell), turn=turn))
        case ScrapRail(cell=cell):
            state = without_rail(state, cell)
        case PutCounter(cell=cell, counter=counter):
            rail = rail_at(state, cell)
            state = with_rail(state, replace(rail, counters=tuple(sorted((*rail.counters, counter)))))
        case TakeCounter(cell=cell, counter=counter):
            rail = rail_at(state, cell)
            state = with_rail(state, replace(rail, counters=tuple(k for k in rail.counters if k != counter)))
        case MoveEngine(target=target, to=to):
            state = set_engine(state, state.seats.index(target), to)
        case Derail(target=target):
            state = _derailed(state, (state.seats.index(target),))
        case DrawCard(target=target):
            return draw(replace(state, owed=1, drawer=state.seats.index(target)))
        case Gain(target=target, what=what):
            state = gain(state, state.seats.index(target), what)
    if by_table:
        return state
    return resolve(_after_target(state) if isinstance(action, MoveEngine) else _counted(state))
