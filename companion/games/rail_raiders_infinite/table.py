"""The physical table: the train from the caboose to the locomotive, the tray, and what lies where."""

from __future__ import annotations

from functools import lru_cache

from companion.games.layout import UNKNOWN, Layout, Marker, Piece, Place, Point, TableMap, Token
from companion.games.rail_raiders_infinite.state import KINDS, OFF, SEATS, Edition, State

_SHEET = (960.0, 540.0)
_CORNER = 28.0
_CAR = (100.0, 150.0)
_LEFT, _TOP = 70.0, 60.0
_TRAY = (320.0, 250.0, 640.0, 500.0)
_RAIDERS, _LAWBOTS, _CARS = 10, 16, 40
_MARK = 18.0

UP, DOWN = "face", "roof"
"""The sides of a train car."""


def car_place(car: int) -> str:
    """The name of a car's place; cars count from the caboose."""
    return f"car:{car}"


def layout(state: State) -> Layout:
    """The cars as they lie, the Raiders and Lawbots on them, and the dice thrown last."""
    pieces = [
        Piece("car", name if on.up else UNKNOWN, car_place(at), up=UP if on.up else DOWN)
        for at, (name, on) in enumerate(zip(state.train, state.cars, strict=True))
    ]
    pieces += [
        Piece("raider", seat, car_place(rider.at))
        for seat, rider in zip(state.seats, state.riders, strict=True)
        if rider.at != OFF
    ]
    pieces += [
        Piece("lawbot", kind, car_place(at))
        for at, on in enumerate(state.cars)
        for kind, count in zip(KINDS, on.bots, strict=True)
        for _ in range(count)
    ]
    return Layout(tuple(sorted(pieces)), state.dice)


def table_map(state: State) -> TableMap:
    """The sheet with a row of places for the cars, and the tray below it."""
    return _map(state.edition, state.seats, len(state.cars))


@lru_cache(maxsize=16)
def _map(edition: Edition, seats: tuple[str, ...], cars: int) -> TableMap:
    width, height = _SHEET
    near = _CORNER
    corners = ((near, near), (width - near, near), (width - near, height - near), (near, height - near))
    tokens = [Token(_RAIDERS + SEATS.index(seat), _MARK, "raider", seat) for seat in seats]
    tokens += [Token(_LAWBOTS + at, _MARK, "lawbot", kind) for at, kind in enumerate(KINDS)]
    tokens += [Token(_CARS + at, _MARK, "car", card.name, height=0.0) for at, card in enumerate(edition.cars)]
    return TableMap(
        width=width,
        height=height,
        corners=tuple(Marker(number, at, 36.0) for number, at in enumerate(corners)),
        places=tuple(_place(car, cars) for car in range(cars)),
        tray=Place("tray", _rectangle(*_TRAY), "tray", "Dice"),
        tokens=tuple(tokens),
    )


def _place(car: int, cars: int) -> Place:
    wide, high = _CAR
    left = _LEFT + car * wide
    words = {0: "the caboose", cars - 1: "the locomotive"}.get(car, f"car {car}")
    label = {0: "Caboose", cars - 1: "Locomotive"}.get(car, str(car))
    outline = _rectangle(left, _TOP, left + wide, _TOP + high)
    return Place(car_place(car), outline, "car", label, ("car", "raider", "lawbot"), words=words)


def _rectangle(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    return ((left, top), (right, top), (right, bottom), (left, bottom))
