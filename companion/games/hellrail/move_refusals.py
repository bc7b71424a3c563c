"""Why a Move, a crossing or a landing may not be done."""

from __future__ import annotations

from companion.games.hellrail import moves
from companion.games.hellrail.actions import Cross, Land, Move
from companion.games.hellrail.names import BOOK, Fault, counted, name, place
from companion.games.hellrail.state import RailCard, State, rail_cards

_MOVE = "Card Actions - Move"
_MOVEMENT = "Movement"
_TICKETS = "Boatman Tickets"


def _too_long(state: State, card: RailCard) -> Fault:
    loaded = len(state.loaded[state.turn])
    if moves.may_move_with(state, state.turn, card):
        return None
    return (
        BOOK,
        _MOVE,
        f"{counted(loaded, 'loaded car')} may not be moved with Brimstone {card.brimstone}; "
        "play a card with a higher Brimstone Value, or set out cars.",
    )


def move_fault(state: State, action: Move) -> Fault:
    """Brimstone first, then whether the engine gets there as the action says."""
    card = rail_cards(state.edition)[action.card]
    if fault := _too_long(state, card):
        return fault
    if action.to is None and state.options.derail_on_purpose == "refused":
        return "HR-A07", f"{_MOVEMENT} - End of Rail", "Nobody derails on purpose at this table; stop before."
    reached = [end for end in moves.ends(state, state.turn) if end.to == action.to]
    if not reached:
        if action.to is None:
            return BOOK, f"{_MOVEMENT} - End of Rail", "No rail ends within reach; the engine cannot derail."
        return _unreachable(state, action)
    if not any(end.cost <= card.value for end in reached):
        ties = min(end.cost for end in reached)
        where = place(state, action.to) if action.to else "the end of the rail"
        return (
            BOOK,
            _MOVE,
            f"{where[0].upper()}{where[1:]} is {counted(ties, 'tie')} away, "
            f"and {action.card} moves up to {card.value}.",
        )
    within = [end for end in reached if end.cost <= card.value]
    if action.rammed not in [end.rammed for end in within]:
        return (
            BOOK,
            f"{_MOVEMENT} - Ramming",
            "The engines in the way end up somewhere else; choose one of the ways in which they can.",
        )
    return None


def _unreachable(state: State, action: Move) -> Fault:
    """Which rule of movement keeps the engine from there, as far as one can say."""
    here = state.engines[state.turn]
    to = action.to
    assert to is not None
    if not here.in_circle and to.cell == here.cell and to.segment == here.segment:
        return (
            BOOK,
            f"{_MOVEMENT} - No Turning Back",
            "An engine on rail keeps its facing and never reverses; it goes on straight ahead only.",
        )
    for seat, there in zip(state.seats, state.engines, strict=True):
        if (there.cell, there.segment, there.tie) == (to.cell, to.segment, to.tie) and not to.in_circle:
            return (
                BOOK,
                f"{_MOVEMENT} - No Passing",
                f"{name(seat)} stands there; an engine rams the others ahead and never passes one.",
            )
    return (
        BOOK,
        f"{_MOVEMENT} - Stay On Rail Ties",
        f"No rail ahead leads to {place(state, to)}; follow the ties from where the engine faces.",
    )


def cross_fault(state: State, action: Cross) -> Fault:
    """A ticket, a straight line of blank squares, rail where one lands, and a point left."""
    card = rail_cards(state.edition)[action.card]
    if not state.tickets[state.turn]:
        return BOOK, _TICKETS, f"{name(action.seat)} has no Boatman Ticket; one is taken at Circle 1."
    if fault := _too_long(state, card):
        return fault
    wanted = (action.at, action.side, action.to, action.rammed)
    for way in moves.tickets(state, state.turn):
        if (way.at, way.side, way.to, way.rammed) != wanted:
            continue
        if way.cost >= card.value:
            return (
                "HR-A30",
                _TICKETS,
                f"Card {action.card} leaves no point to cross with: "
                f"it takes {counted(way.cost, 'tie')} to get there and one more.",
            )
        if way.blanks >= moves.HOPELESS and state.options.hopeless_crossing == "refused":
            return (
                "HR-A31",
                _TICKETS,
                f"No die crosses {way.blanks} blank squares; such a crossing is not tried at this table.",
            )
        return None
    return (
        "HR-A30",
        _TICKETS,
        "One crosses blank squares in a straight line, on from the last tie or out of a Circle, to a card "
        "that has rail on that side.",
    )


def land_fault(state: State, action: Land) -> Fault:
    """What stood on the landing tie is pushed on by one."""
    if action.rammed in moves.landings(state):
        return None
    return (
        BOOK,
        f"{_MOVEMENT} - Ramming",
        "What stands on the landing tie is pushed one tie on; choose one of the ways that the rail gives.",
    )
