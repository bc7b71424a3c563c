"""Which legal actions may have brought pieces to where they were seen, and what a moved piece means."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.layout import Piece
from companion.games.rail_raiders_infinite.actions import Move, RaidAction
from companion.games.rail_raiders_infinite.machine import legal, waiting
from companion.games.rail_raiders_infinite.state import State
from companion.games.rail_raiders_infinite.table import car_place


def candidates(state: State, seat: str, pieces: tuple[Piece, ...]) -> Iterable[RaidAction]:
    """All that the seat may do: there is never much."""
    return legal(state, seat)


def meant(state: State, piece: Piece) -> RaidAction | None:
    """A Raider set onto another car in its own turn is a Move; None for anything else."""
    job = waiting(state)
    if job is None or job.do != "act" or piece.kind != "raider" or piece.name != state.seats[job.seat]:
        return None
    cars = [car for car in range(len(state.cars)) if car_place(car) == piece.place]
    return Move(piece.name, cars[0]) if cars and cars[0] != state.riders[job.seat].at else None
