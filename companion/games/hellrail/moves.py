"""Card actions that move the engine: Move, and a Move that crosses blank squares with a ticket."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from companion.games.hellrail.actions import Cross, Land, Move, Rammed
from companion.games.hellrail.effects import enter, enter_next
from companion.games.hellrail.entering import rests_on
from companion.games.hellrail.movement import Net, net_of, pushed, rammed, reach
from companion.games.hellrail.piles import derail_all, discard, put
from companion.games.hellrail.state import (
    CROSSING,
    LANDING,
    Crossing,
    Edition,
    RailCard,
    State,
    rail_cards,
)
from companion.games.hellrail.track import Position

HOPELESS = 6
"""No die shows more than this many blank squares (HR-A31)."""


class End(Struct, frozen=True, gc=False):
    """Where a Move may end: the ties that it takes, the mover's place (None: derailed), who is rammed."""

    cost: int
    to: Position | None
    rammed: tuple[Rammed, ...]


class Ticketed(Struct, frozen=True, gc=False):
    """Where a Move may go on with a ticket: the ties up to `at`, the blank squares, what a Cross says."""

    cost: int
    at: Position
    side: str
    blanks: int
    to: Position
    rammed: tuple[Rammed, ...]


def others_of(state: State, seat: int) -> tuple[Position, ...]:
    """The opponents' engines, in seat order."""
    return (*state.engines[:seat], *state.engines[seat + 1 :])


def ends(state: State, seat: int) -> tuple[End, ...]:
    """Every end of a Move by that seat, up to the highest Car Value there is, nearest first."""
    return _reached(net_of(state), state.seats, state.engines, seat, highest_value(state))[0]


def tickets(state: State, seat: int) -> tuple[Ticketed, ...]:
    """Every crossing that a Boatman Ticket would allow within a Move by that seat, nearest first."""
    return _reached(net_of(state), state.seats, state.engines, seat, highest_value(state))[1]


def highest_value(state: State) -> int:
    """The highest Car Value of the edition."""
    return _highest_value(state.edition)


@lru_cache(maxsize=64)
def _highest_value(edition: Edition) -> int:
    return max(card.value for card in edition.rails)


@lru_cache(maxsize=64)
def _reached(
    net: Net, seats: tuple[str, ...], engines: tuple[Position, ...], seat: int, points: int
) -> tuple[tuple[End, ...], tuple[Ticketed, ...]]:
    start = engines[seat]
    others = (*engines[:seat], *engines[seat + 1 :])
    found: dict[tuple[Position | None, tuple[Rammed, ...]], End] = {}
    crossings: dict[tuple[Position, str, Position, tuple[Rammed, ...]], Ticketed] = {}
    for (to, rest), cost in reach(net, start, others, points).items():
        rams = rammed(seats, engines, seat, rest)
        found.setdefault((to, rams), End(cost, to, rams))
        if to is None or (to.in_circle and to != start):
            continue
        for side, blanks, landings in net.crossings(to):
            for landing in landings:
                if next(pushed(net, landing, rest), None) is not None:
                    crossings.setdefault(
                        (to, side, landing, rams), Ticketed(cost, to, side, blanks, landing, rams)
                    )
    return tuple(found.values()), tuple(crossings.values())


def may_move_with(state: State, seat: int, card: RailCard) -> bool:
    """Whether the train is short enough for the card's Brimstone Value. Rulebook, Card Actions - Move."""
    return len(state.loaded[seat]) <= card.brimstone


def moves(state: State, seat: str, name: str) -> tuple[Move, ...]:
    """Every Move with that card."""
    number, card = state.seats.index(seat), rail_cards(state.edition)[name]
    if not may_move_with(state, number, card):
        return ()
    refused = state.options.derail_on_purpose == "refused"
    return tuple(
        Move(seat, name, end.to, end.rammed)
        for end in ends(state, number)
        if end.cost <= card.value
        and not (end.to is None and refused)
        and not unknown_to_move(state, number, end.to, end.rammed)
    )


def crosses(state: State, seat: str, name: str) -> tuple[Cross, ...]:
    """Every Move with that card that goes on across blank squares (HR-A30)."""
    number, card = state.seats.index(seat), rail_cards(state.edition)[name]
    if not state.tickets[number] or not may_move_with(state, number, card):
        return ()
    refused = state.options.hopeless_crossing == "refused"
    return tuple(
        Cross(seat, name, way.at, way.side, way.to, way.rammed)
        for way in tickets(state, number)
        if way.cost < card.value
        and not (way.blanks >= HOPELESS and refused)
        and not unknown_to_cross(state, number, way)
    )


def unknown_to_move(state: State, seat: int, to: Position | None, rams: tuple[Rammed, ...]) -> str:
    """The Circle, not entered yet, whose sides or Effect such a Move would rest on; "" for none."""
    start = state.engines[seat]
    if to == start:
        return ""
    return rests_on(state, (start, to, *(ram.to for ram in rams)))


def unknown_to_cross(state: State, seat: int, way: Ticketed) -> str:
    """The Circle, not entered yet, that the crossing or its landing would rest on; "" for none."""
    start, rams = state.engines[seat], {ram.seat: ram.to for ram in way.rammed}
    others = [
        rams.get(name, engine)
        for name, engine in zip(state.seats, state.engines, strict=True)
        if name != state.seats[seat]
    ]
    shoved = [place for after in pushed(net_of(state), way.to, tuple(others)) for place in after]
    moved = [place for place in shoved if place not in others]
    return rests_on(state, (start, way.at, way.to, *rams.values(), *moved))


def move(state: State, action: Move) -> State:
    """The card is discarded, the rammed engines are pushed, and the engine is where it goes."""
    seat = state.seats.index(action.seat)
    state = discard(state, seat, action.card)
    state = _push(state, action.rammed, () if action.to else (seat,))
    if action.to is None:
        return enter_next(replace(state, turn_over=True))
    entered = action.to.in_circle and action.to != state.engines[seat]
    state = replace(state, engines=put(state.engines, seat, action.to))
    return enter(state, seat) if entered else enter_next(state)


def _push(state: State, rams: tuple[Rammed, ...], also: tuple[int, ...] = ()) -> State:
    """Rammed engines go to where they end; those rammed off derail, and so do the seats in `also`.

    Those rammed into Circles decide clockwise from the rammer, if they do at all (HR-A14).
    """
    engines, lost, entries, count = list(state.engines), list(also), [], len(state.seats)
    for ram in sorted(rams, key=lambda ram: (state.seats.index(ram.seat) - state.turn) % count):
        victim = state.seats.index(ram.seat)
        if ram.to is None:
            lost.append(victim)
            continue
        engines[victim] = ram.to
        if ram.to.in_circle and state.options.rammed_into_circle == "decides":
            entries.append(victim)
    return derail_all(replace(state, engines=tuple(engines), entries=tuple(entries)), tuple(sorted(lost)))


def cross(state: State, action: Cross) -> State:
    """The engine stands at the edge; the die decides. The ticket goes back whatever it shows."""
    seat = state.seats.index(action.seat)
    way = next(
        way
        for way in tickets(state, seat)
        if (way.at, way.side, way.to, way.rammed) == (action.at, action.side, action.to, action.rammed)
    )
    state = _push(discard(state, seat, action.card), action.rammed)
    return replace(
        state,
        phase=CROSSING,
        engines=put(state.engines, seat, action.at),
        tickets=put(state.tickets, seat, 0),
        crossing=Crossing(way.blanks, action.to),
    )


def crossed(state: State, value: int) -> State:
    """The die is thrown: across, or derailed. Rulebook, Boatman Tickets."""
    crossing = state.crossing
    assert crossing is not None
    if value <= crossing.blanks:
        state = replace(derail_all(state, (state.turn,)), crossing=None, turn_over=True)
        return enter_next(state)
    ways = landings(state)
    if len(ways) == 1:
        return land(state, Land(state.seats[state.turn], ways[0]))
    return replace(state, phase=LANDING)


def landings(state: State) -> tuple[tuple[Rammed, ...], ...]:
    """The ways in which what stands where the crossing ends may be pushed on."""
    assert state.crossing is not None
    ways = pushed(net_of(state), state.crossing.to, others_of(state, state.turn))
    return tuple(sorted({rammed(state.seats, state.engines, state.turn, way) for way in ways}, key=repr))


def land(state: State, action: Land) -> State:
    """The engine is across, on the first tie or in the Circle there; that ends the Move."""
    assert state.crossing is not None
    seat, to = state.turn, state.crossing.to
    entries = state.entries
    state = _push(replace(state, crossing=None), action.rammed)
    state = replace(state, engines=put(state.engines, seat, to), entries=(*entries, *state.entries))
    return enter(state, seat) if to.in_circle else enter_next(state)
