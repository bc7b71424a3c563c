"""Which legal actions may have brought pieces to where they were seen, and what a moved piece means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from companion.games.layout import Piece
from companion.games.rail_raiders_infinite.actions import (
    Board,
    Move,
    PickCar,
    PickLawbot,
    RaidAction,
    Send,
    TellLawbot,
    TellRaider,
    TurnUp,
    UseCar,
    UseCard,
)
from companion.games.rail_raiders_infinite.machine import decider, legal, waiting
from companion.games.rail_raiders_infinite.state import OFF, TURNED_UP, Edition, Job, State
from companion.games.rail_raiders_infinite.table import (
    OFF_PLACE,
    bare_map,
    grit_place,
    rider_place,
    tile_place,
    turned_place,
)


def candidates(state: State, seat: str, pieces: tuple[Piece, ...]) -> Iterator[RaidAction]:
    """The seat's legal actions that set a model somewhere or turn a card up, with those that were seen.

    What is decided about dice, fights and cards in hand is said: it moves nothing by itself.
    """
    names = _called(state.edition)
    seen = {names.get((piece.kind, piece.name), piece.name) for piece in pieces}
    for action in legal(state, seat):
        match action:
            case (
                TurnUp(card=name)
                | PickLawbot(kind=name)
                | Send(loser=name)
                | TellRaider(target=name)
                | TellLawbot(kind=name)
            ):
                if name in seen:
                    yield action
            case Board() | Move() | PickCar() | UseCar() | UseCard():
                yield action


def meant(state: State, piece: Piece) -> RaidAction | None:
    """What setting that piece there would be: a Move, boarding, a loser sent on, something turned up."""
    job, seat = waiting(state), decider(state)
    if job is None or not seat:
        return None
    if piece.kind == "raider":
        return _going(state, job, seat, piece)
    if piece.kind == "lawbot" or not _is_turned_up_there(job, piece):
        return None
    return TurnUp(seat, _called(state.edition).get((piece.kind, piece.name), piece.name))


def _going(state: State, job: Job, seat: str, piece: Piece) -> RaidAction | None:
    """What a Raider's way to another car is, for who is to decide."""
    cars = [car for car in (OFF, *range(len(state.cars))) if rider_place(car) == piece.place]
    here = state.riders[state.seats.index(piece.name)].at if piece.name in state.seats else OFF
    if not cars or cars[0] == here:
        return None
    if job.do == "losers":
        return Send(seat, piece.name, cars[0])
    if piece.name != seat or piece.place == OFF_PLACE:
        return None
    if here == OFF:
        return Board(seat, cars[0])
    return Move(seat, cars[0]) if job.do == "act" else PickCar(seat, cars[0])


def _is_turned_up_there(job: Job, piece: Piece) -> bool:
    """Whether the card that is to be turned up next belongs where that one lies."""
    if job.do != "turn_up":
        return True
    if piece.kind == "car":
        return job.card == "cars" and piece.place == tile_place(job.car)
    places = {turned_place(piece.kind), grit_place(job.car)}
    return piece.kind in TURNED_UP and job.card == piece.kind and piece.place in places


@lru_cache(maxsize=4)
def _called(edition: Edition) -> Mapping[tuple[str, str], str]:
    """What the rules call each of the pieces that are alike."""
    tokens = bare_map(edition).tokens
    return {(token.kind, token.name): token.alike for token in tokens if token.alike}
