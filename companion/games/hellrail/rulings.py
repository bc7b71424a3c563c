"""Which rulings an action's outcome rested on, so that the table can be told the first time."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.game import Rolled, Shuffled
from companion.games.hellrail.actions import (
    Cross,
    Declare,
    Derail,
    Done,
    EndTurn,
    Fan,
    HellRailAction,
    KeepChip,
    Land,
    LayRail,
    Move,
    PutCounter,
    Rammed,
    ScrapRail,
    Setout,
    SpendChip,
    Target,
    TurnRail,
    UpgradeRail,
)
from companion.games.hellrail.movement import Net, net_of
from companion.games.hellrail.moves import ends, landings
from companion.games.hellrail.options import OPTIONS
from companion.games.hellrail.refusals import refusal
from companion.games.hellrail.rules import hide, hide_action, play, scores
from companion.games.hellrail.state import (
    CROSSING,
    FANNED,
    FIRST_PLAYER,
    OVER,
    SETUP,
    State,
    circle_cards,
    rail_cards,
)
from companion.games.hellrail.track import Position, face

_SWITCHES: dict[type[HellRailAction], tuple[str, ...]] = {
    LayRail: ("adjacent",),
    UpgradeRail: ("same_rail",),
    Move: ("rail_without_rail", "derail_on_purpose", "rammed_into_circle"),
    Cross: ("rail_without_rail", "rammed_into_circle", "hopeless_crossing"),
    Land: ("rail_without_rail", "rammed_into_circle"),
    Rolled: ("rail_without_rail", "rammed_into_circle"),
}
"""Which switched rulings may decide an action's outcome."""


def decided(state: State, action: HellRailAction) -> tuple[str, ...]:
    """The ids of the rulings that a legal action's outcome rested on, in order.

    A switched ruling decided it when the game would have gone otherwise under its other value.
    """
    state, action = hide(state), hide_action(action)
    after = play(state, action)
    ids = {
        option.rule
        for option in OPTIONS
        if option.name in _SWITCHES.get(type(action), ())
        for value in option.values
        if _differs(state, action, after, option.name, value)
    }
    rams = _rams(state, action)
    off = any(ram.to is None for ram in rams) or (isinstance(action, Move) and action.to is None)
    if off and "HR-A05" not in ids:
        ids.add("HR-A06")
    ids.update(_of(state, action, after), _of_rams(state, rams))
    ids.update(_of_derailing(state, action, after), _of_turns(state, action, after))
    return tuple(sorted(ids))


def _differs(state: State, action: HellRailAction, after: State, option: str, value: str) -> bool:
    if getattr(state.options, option) == value:
        return False
    other = replace(state, options=replace(state.options, **{option: value}))
    return refusal(other, action) is not None or replace(play(other, action), options=state.options) != after


def _rams(state: State, action: HellRailAction) -> tuple[Rammed, ...]:
    """Who is rammed by the action, with where each ends."""
    match action:
        case Move() | Cross() | Land():
            return action.rammed
        case Rolled() if state.phase == CROSSING and not _falls(state, action):
            ways = landings(state)
            return ways[0] if len(ways) == 1 else ()
    return ()


def _falls(state: State, action: Rolled) -> bool:
    """Whether the die does not let the engine cross."""
    assert state.crossing is not None
    return int(action.values[0]) <= state.crossing.blanks


def _of(state: State, action: HellRailAction, after: State) -> Iterator[str]:
    match action:
        case Shuffled() if state.phase == SETUP and len(state.seats) == 2:
            yield "HR-A01"
        case Rolled() if state.phase == FIRST_PLAYER:
            if after.phase != FIRST_PLAYER or not any(throw > 0 for throw in after.throws):
                yield "HR-A02"
        case LayRail():
            yield "HR-A34" if _joins(state, action) else "HR-A04"
        case UpgradeRail(_, _, cell) if any(rail.counters for rail in state.rails if rail.cell == cell):
            yield "HR-A21"
        case Setout():
            yield "HR-A22"
        case Move():
            yield from _of_move(state, action)
        case Cross() | Land():
            yield "HR-A30"
        case Rolled() if state.phase == CROSSING:
            yield "HR-A30"
        case Declare() | SpendChip() | KeepChip():
            yield from _of_declaring(state, action)
        case TurnRail() | ScrapRail() | PutCounter():
            if any(not engine.in_circle for engine in state.engines):
                yield "HR-A40"


def _joins(state: State, action: LayRail) -> bool:
    """Whether rail on the new card meets rail on another, or in a Circle."""
    track = rail_cards(state.edition)[action.card].track
    net = dataclasses.replace(net_of(play(state, action)), barriers=frozenset(), walls=True)
    spots = face(track, action.turn).entries
    return any(net.across(action.cell, side) not in ((), (None,)) for side in spots if spots[side])


def _of_move(state: State, action: Move) -> Iterator[str]:
    here, to = state.engines[state.turn], action.to
    if state.loaded[state.turn]:
        yield "HR-A23"
    if to == here:
        yield "HR-A08"
        if here.in_circle:
            yield "HR-A33"
    elif here.in_circle:
        yield "HR-A36"
    else:
        yield "HR-A09"
    if to and not to.in_circle and _shares(state, to):
        yield "HR-A35"
    others = [end.rammed for end in ends(state, state.turn) if end.to == to]
    if len(action.rammed) > 1 and len(others) > 1:
        yield "HR-A13"


def _shares(state: State, position: Position) -> bool:
    """Whether the card there has ties that branches share."""
    rail = next(rail for rail in state.rails if rail.cell == position.cell)
    return any(rail_cards(state.edition)[rail.card].track.shared)


def _of_rams(state: State, rams: tuple[Rammed, ...]) -> Iterator[str]:
    if rams:
        yield "HR-A15"
    if len(rams) > 1:
        yield "HR-A12"
    net = net_of(state)
    for ram in rams:
        seat = state.seats.index(ram.seat)
        if ram.to is None:
            yield "HR-A16"
            if state.tickets[seat]:
                yield "HR-A32"
        elif not ram.to.in_circle:
            if not _leads(net, state.engines[seat], ram.to):
                yield "HR-A11"
            if ram.to.segment not in ("NS", "EW"):
                yield "HR-A10"


def _leads(net: Net, start: Position, to: Position) -> bool:
    """Whether the engine came there ahead, within what a Move can push it."""
    edge = {start}
    for _ in range(10):
        edge = {on for here in edge for on in net.ahead(here) if on and not on.in_circle}
        if to in edge:
            return True
    return False


def _of_declaring(state: State, action: Declare | SpendChip | KeepChip) -> Iterator[str]:
    effect = state.effect
    assert effect is not None
    gains = any(step.do == "gain" for step in circle_cards(state.edition)[effect.circle].steps)
    if isinstance(action, Declare):
        if gains:
            yield "HR-A29"
        return
    yield "HR-A27"
    if isinstance(action, SpendChip):
        if gains:
            yield "HR-A28"
        if not effect.use:
            yield "HR-A39"


def _of_derailing(state: State, action: HellRailAction, after: State) -> Iterator[str]:
    for seat in _derailed(state, action, after):
        yield "HR-A18"
        if state.chips[seat] or state.tickets[seat]:
            yield "HR-A17"
        if state.hands[seat] and state.loaded[seat]:
            yield "HR-A19"


def _derailed(state: State, action: HellRailAction, after: State) -> Iterator[int]:
    """The seats that derail by the action; of those in an Effect only who loses something by it."""
    yield from (state.seats.index(ram.seat) for ram in _rams(state, action) if ram.to is None)
    match action:
        case Move(_, _, None):
            yield state.turn
        case Rolled() if state.phase == CROSSING and _falls(state, action):
            yield state.turn
        case Derail(_, target):
            yield state.seats.index(target)
        case Declare() | SpendChip() | KeepChip() | Target() | Done() | Shuffled():
            shown = len(after.buried) > len(state.buried)
            for seat, (hand, cars) in enumerate(zip(state.hands, state.loaded, strict=True)):
                if cars != after.loaded[seat] or (shown and hand and not after.hands[seat]):
                    yield seat


def _of_turns(state: State, action: HellRailAction, after: State) -> Iterator[str]:
    if isinstance(action, EndTurn):
        yield "HR-A37"
    fanning = isinstance(action, Fan) or state.phase == FANNED
    if fanning and (after.phase == FANNED or (after.phase == OVER and after.turn == state.turn)):
        yield "HR-A24"
    if after.phase == OVER:
        if after.turn != state.turn:
            yield "HR-A25"
        if [standing.place for standing in scores(after)].count(1) > 1:
            yield "HR-A26"
