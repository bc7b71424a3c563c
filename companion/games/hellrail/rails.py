"""Laying rail: which cards go where, in which turns. Rulebook, Card Actions."""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import chain, product

from msgspec.structs import replace

from companion.games.hellrail.actions import LayRail, UpgradeRail
from companion.games.hellrail.piles import leave_hand
from companion.games.hellrail.state import Circle, Rail, State, rail_cards
from companion.games.hellrail.track import TURNS, Cell, Track, covers, face, neighbours


def open_cells(state: State) -> tuple[Cell, ...]:
    """The blank cells that are adjacent to a card, sorted (HR-A03)."""
    return _open_cells(state.rails, state.circles, state.options.adjacent)


@lru_cache(maxsize=64)
def _open_cells(rails: tuple[Rail, ...], circles: tuple[Circle, ...], adjacent: str) -> tuple[Cell, ...]:
    taken = {rail.cell for rail in rails} | {circle.cell for circle in circles}
    near = {there for cell in taken for there in neighbours(cell)}
    if adjacent == "side_or_corner":
        near |= {
            (column + right, row + down) for column, row in taken for right, down in product((-1, 1), (-1, 1))
        }
    return tuple(sorted(near - taken))


def occupied(state: State) -> frozenset[Cell]:
    """The cells on which an engine stands. Rulebook, Occupied vs. Empty."""
    return frozenset(position.cell for position in state.engines)


def empty(state: State, rail: Rail) -> bool:
    """Whether nothing stands on the Rail Card: no engine, coin or counter of any kind."""
    return not rail.counters and rail.cell not in occupied(state)


def lays(state: State, seat: str, card: str) -> tuple[LayRail, ...]:
    """Every way to lay that card as new rail."""
    return _lays(seat, card, open_cells(state))


@lru_cache(maxsize=1024)
def _lays(seat: str, card: str, cells: tuple[Cell, ...]) -> tuple[LayRail, ...]:
    return tuple(chain.from_iterable(map(partial(_lays_on, seat, card), cells)))


@lru_cache(maxsize=16384)
def _lays_on(seat: str, card: str, cell: Cell) -> tuple[LayRail, ...]:
    return tuple(LayRail(seat, card, cell, turn) for turn in TURNS)


def upgrades(state: State, seat: str, card: str) -> tuple[UpgradeRail, ...]:
    """Every way to lay that card over a non-occupied Rail Card."""
    cards = rail_cards(state.edition)
    track, taken = cards[card].track, occupied(state)
    more = state.options.same_rail == "refused"
    return tuple(
        _upgrade(seat, card, rail.cell, turn)
        for rail in state.rails
        if rail.cell not in taken
        for turn in fitting(track, cards[rail.card].track, rail.turn, more)
    )


@lru_cache(maxsize=65536)
def _upgrade(seat: str, card: str, cell: Cell, turn: int) -> UpgradeRail:
    return UpgradeRail(seat, card, cell, turn)


@lru_cache(maxsize=16384)
def fitting(new: Track, old: Track, old_turn: int, more: bool) -> tuple[int, ...]:
    """The turns in which the new track has every segment of the old one (HR-A20: and one more)."""
    lying = face(old, old_turn)
    if more and len(new.segments) == len(old.segments):
        return ()
    return tuple(turn for turn in TURNS if covers(face(new, turn), lying))


def lay(state: State, action: LayRail) -> State:
    """The card lies on the blank cell."""
    state = leave_hand(state, state.seats.index(action.seat), action.card)
    rail = Rail(action.cell, action.card, action.turn)
    return replace(state, rails=tuple(sorted((*state.rails, rail))))


def upgrade(state: State, action: UpgradeRail) -> State:
    """The card lies over the old one, which is out of the game; counters go onto it (HR-A21)."""
    state = leave_hand(state, state.seats.index(action.seat), action.card)
    old = rail_at(state, action.cell)
    new = replace(old, card=action.card, turn=action.turn, covered=(*old.covered, (old.card, old.turn)))
    return with_rail(state, new)


def rail_at(state: State, cell: Cell) -> Rail:
    """The Rail Card on that cell; KeyError when none lies there."""
    for rail in state.rails:
        if rail.cell == cell:
            return rail
    raise KeyError(cell)


def with_rail(state: State, new: Rail) -> State:
    """The state with another Rail Card on that cell."""
    return replace(state, rails=tuple(new if rail.cell == new.cell else rail for rail in state.rails))


def without_rail(state: State, cell: Cell) -> State:
    """The Rail Card on top leaves the cell for the discard pile; what it covered shows again."""
    gone = rail_at(state, cell)
    state = replace(state, discard=(*state.discard, gone.card), top=gone.card)
    if gone.covered:
        card, turn = gone.covered[-1]
        return with_rail(state, Rail(cell, card, turn, gone.covered[:-1], gone.counters))
    return replace(state, rails=tuple(rail for rail in state.rails if rail.cell != cell))
