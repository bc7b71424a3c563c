"""Why a Move, a crossing or a landing may not be done."""

from __future__ import annotations

from dataclasses import replace

from companion.games.hellrail import moves
from companion.games.hellrail.actions import Cross, Land, Move
from companion.games.hellrail.movement import Net, net_of
from companion.games.hellrail.names import circle_not_entered, counted, name, place
from companion.games.hellrail.state import RailCard, State, rail_cards
from companion.games.hellrail.track import Cell, Position, reversed_spot
from companion.games.refusing import BOOK, FORM, Fault

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
        return _no_end(state) if action.to is None else _unreachable(state, action.card, action.to)
    within = [end for end in reached if end.cost <= card.value]
    if not within:
        return _too_far(state, action.card, action.to, min(end.cost for end in reached))
    if action.rammed not in [end.rammed for end in within]:
        return _rammed_otherwise(action, within)
    return _unknown(moves.unknown_to_move(state, state.turn, action.to, action.rammed))


def _unknown(circle: str) -> Fault:
    """Nobody leaves or enters a Circle of which nobody has said what it does."""
    return (FORM, f"{_MOVEMENT} - Entering a Circle", circle_not_entered(circle)) if circle else None


def _too_far(state: State, card: str, to: Position | None, ties: int) -> Fault:
    where = place(state, to) if to else "the end of the rail"
    value = rail_cards(state.edition)[card].value
    sentence = (
        f"{where[0].upper()}{where[1:]} is {counted(ties, 'tie')} away, and {card} moves up to {value}."
    )
    return BOOK, _MOVE, sentence


def _rammed_otherwise(action: Move, within: list[moves.End]) -> Fault:
    """Whether an engine would be passed, or is only said to end up where it does not."""
    said = {ram.seat for ram in action.rammed}
    passed = [ram.seat for end in within for ram in end.rammed if ram.seat not in said]
    if passed and all(not {ram.seat for ram in end.rammed} <= said for end in within):
        return (
            BOOK,
            f"{_MOVEMENT} - No Passing",
            f"{name(passed[0])} stands in the way; an engine rams those ahead and never passes one.",
        )
    return (
        BOOK,
        f"{_MOVEMENT} - Ramming",
        "The engines in the way end up somewhere else; choose one of the ways in which they can.",
    )


def _no_end(state: State) -> Fault:
    net = net_of(state)
    if net.walls and None in _ways(replace(net, walls=False), state.engines[state.turn]):
        return (
            "HR-A05",
            f"{_MOVEMENT} - End of Rail",
            "A card's side without rail blocks the way at this table: nobody derails there; stop before.",
        )
    return BOOK, f"{_MOVEMENT} - End of Rail", "No rail ends within reach; the engine cannot derail."


def _unreachable(state: State, card: str, to: Position) -> Fault:
    """Which rule of movement keeps the engine from there, as far as one can say."""
    net, here = net_of(state), state.engines[state.turn]
    ahead = _ways(net, here)
    if to in ahead:
        if ahead[to] > moves.highest_value(state):
            return _too_far(state, card, to, ahead[to])
        return (
            BOOK,
            f"{_MOVEMENT} - No Passing",
            "An engine stands in the way and cannot be pushed on; nobody passes it, so stop before.",
        )
    if not here.in_circle and _tie(to) in _ties(_ways(net, Position(here.cell, *reversed_spot(here.spot)))):
        return (
            BOOK,
            f"{_MOVEMENT} - No Turning Back",
            "An engine on rail keeps its facing and never reverses; it goes on straight ahead only.",
        )
    if to in _ways(net, here, through=True):
        return (
            BOOK,
            f"{_MOVEMENT} - Entering a Circle",
            f"A Circle lies on the way to {place(state, to)}, and entering it ends the Move; go there first.",
        )
    if _tie(to) in _ties(ahead):
        return (
            BOOK,
            f"{_MOVEMENT} - No Turning Back",
            f"An engine never turns round: it comes to {place(state, to)} facing the other way.",
        )
    if to in _ways(replace(net, barriers=frozenset()), here):
        return (
            BOOK,
            f"{_MOVEMENT} - Entering a Circle",
            "A barrier lies in the way, put there by a Circle's Effect: no engine goes onto its card.",
        )
    return (
        BOOK,
        f"{_MOVEMENT} - Stay On Rail Ties",
        f"No rail ahead leads to {place(state, to)}; follow the ties from where the engine faces.",
    )


def _tie(position: Position) -> tuple[Cell, str, int]:
    return (position.cell, position.segment, position.tie)


def _ties(ways: dict[Position | None, int]) -> set[tuple[Cell, str, int]]:
    return {_tie(there) for there in ways if there}


def _ways(net: Net, start: Position, *, through: bool = False) -> dict[Position | None, int]:
    """Everywhere that rail leads from there, whoever stands on it, and the ties that it takes; None for
    off its end. Circles are passed `through`, or end the way.
    """
    found: dict[Position | None, int] = {start: 0}
    edge = [start]
    while edge:
        here = edge.pop(0)
        for there in net.ahead(here):
            if there not in found:
                found[there] = found[here] + 1
                if there is not None and (through or not there.in_circle):
                    edge.append(there)
    return found


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
        return _unknown(moves.unknown_to_cross(state, state.turn, way))
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
