"""Which rulings an action's outcome rested on, so that the table can be told the first time."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.game import Rolled
from companion.games.hellrail import moves
from companion.games.hellrail.actions import (
    Cross,
    Declare,
    Derail,
    Fan,
    HellRailAction,
    KeepChip,
    LayRail,
    Move,
    Rammed,
    Setout,
    SpendChip,
    UpgradeRail,
)
from companion.games.hellrail.movement import net_of
from companion.games.hellrail.rails import fitting, open_cells
from companion.games.hellrail.rules import hide, hide_action, play
from companion.games.hellrail.state import CROSSING, FIRST_PLAYER, OVER, State, rail_cards
from companion.games.hellrail.track import face


def decided(state: State, action: HellRailAction) -> tuple[str, ...]:
    """The ids of the rulings that a legal action's outcome rested on, in order."""
    state, action = hide(state), hide_action(action)
    after = play(state, action)
    ids = set(_of(state, action, after))
    if after.phase == OVER and state.phase != OVER:
        ids.add("HR-A24" if isinstance(action, Fan) else "HR-A25")
        totals = [(after.delivered[seat], after.loaded[seat]) for seat in range(len(after.seats))]
        if len({str(total) for total in totals}) < len(totals):
            ids.add("HR-A26")
    return tuple(sorted(ids))


def _of(state: State, action: HellRailAction, after: State) -> list[str]:
    match action:
        case Rolled() if state.phase == FIRST_PLAYER:
            again = after.phase == FIRST_PLAYER and not any(throw > 0 for throw in after.throws)
            return ["HR-A02"] if again else []
        case Rolled() if state.phase == CROSSING:
            return ["HR-A30"]
        case LayRail():
            return _of_lay(state, action)
        case UpgradeRail():
            return _of_upgrade(state, action)
        case Setout():
            return ["HR-A22"]
        case Move():
            return _of_move(state, action)
        case Cross():
            blanks = after.crossing.blanks if after.crossing else 0
            return ["HR-A30"] + ["HR-A31"] * (blanks >= moves.HOPELESS) + _of_rams(state, action.rammed)
        case SpendChip():
            return ["HR-A27", "HR-A39"] if state.effect and not state.effect.use else ["HR-A27"]
        case KeepChip():
            return ["HR-A27"]
        case Declare() if state.effect and state.effect.seat != state.turn:
            return ["HR-A14"]
        case Derail():
            return ["HR-A17"]
    return []


def _of_lay(state: State, action: LayRail) -> list[str]:
    """Whether the card joins no rail at all, and whether only a corner makes it adjacent."""
    track = rail_cards(state.edition)[action.card].track
    after = net_of(play(state, action))
    joined = any(
        there is not None
        for side, spots in face(track, action.turn).entries.items()
        if spots
        for there in after.across(action.cell, side)
    )
    ids = [] if joined else ["HR-A04"]
    by_side = replace(state, options=replace(state.options, adjacent="side"))
    return ids if action.cell in open_cells(by_side) else [*ids, "HR-A03"]


def _of_upgrade(state: State, action: UpgradeRail) -> list[str]:
    old = next(rail for rail in state.rails if rail.cell == action.cell)
    cards = rail_cards(state.edition)
    more = fitting(cards[action.card].track, cards[old.card].track, old.turn, True)
    ids = [] if action.turn in more else ["HR-A20"]
    return [*ids, "HR-A21"] if old.counters else ids


def _of_move(state: State, action: Move) -> list[str]:
    ids = _of_rams(state, action.rammed)
    here = state.engines[state.turn]
    if action.to is None:
        # Off the end of the board, or only where rail meets a card's side without rail?
        walled = replace(state, options=replace(state.options, rail_without_rail="blocked"))
        ends = moves.ends(walled, state.turn)
        plain = any(end.to is None for end in ends)
        return [*ids, "HR-A07", "HR-A17"] + ([] if plain else ["HR-A05"])
    if action.to == here:
        ids.append("HR-A08")
    elif action.to.in_circle:
        ids.append("HR-A29")
    return ids


def _of_rams(state: State, rams: tuple[Rammed, ...]) -> list[str]:
    if not rams:
        return []
    ids = ["HR-A15"]
    if len(rams) > 1:
        ids.append("HR-A12")
    for ram in rams:
        if ram.to is None:
            ids.append("HR-A16")
        elif ram.to.in_circle:
            ids.append("HR-A14")
    return ids
