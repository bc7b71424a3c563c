"""The train as a row of cars: who and what is on each, for screens."""

from __future__ import annotations

from companion.games.game import About, Stop
from companion.games.rail_raiders_infinite.state import (
    KINDS,
    LONG_ARM,
    LOOT,
    State,
    car_cards,
    cards_of,
)
from companion.games.rail_raiders_infinite.table import car_place
from companion.games.rail_raiders_infinite.words.names import bots, counted, title


def stops(state: State) -> tuple[Stop, ...]:
    """The cars from the caboose to the locomotive."""
    return tuple(_stop(state, number) for number in range(len(state.cars)))


def _stop(state: State, number: int) -> Stop:
    on = state.cars[number]
    ends = {0: "Caboose", len(state.cars) - 1: "Locomotive"}
    signs_of_ends = {0: "Cab", len(state.cars) - 1: "Loco"}
    loose = (("loot", len(on.tokens)), ("grit", len(on.grit)), ("bomb", len(on.bombs)))
    signs = (*zip(KINDS, on.bots, strict=True), *loose)
    name = car_cards(state.edition)[state.train[number]].title if on.up else ""
    return Stop(
        car_place(number),
        signs_of_ends.get(number, str(number)),
        ends.get(number) or (f"Car {number}: {name or state.train[number]}" if on.up else f"Car {number}"),
        not on.up,
        tuple(seat for seat, rider in zip(state.seats, state.riders, strict=True) if rider.at == number),
        tuple((sign, count) for sign, count in signs if count),
        (*_on_board(state, number), *_car(state, number), *_grit(state, number), *_bombs(state, number)),
    )


def _on_board(state: State, number: int) -> tuple[About, ...]:
    """Lawbots and Loot tokens, in words."""
    on = state.cars[number]
    found = [bots(on.bots)] * any(on.bots)
    found += [counted(len(on.tokens), "Loot token")] * bool(on.tokens)
    return (About(", ".join(found)),) if found else ()


def _car(state: State, number: int) -> tuple[About, ...]:
    if not state.cars[number].up:
        return (About("Face down", "It is flipped when a Raider moves onto it, or begins a turn on it."),)
    card = car_cards(state.edition)[state.train[number]]
    return (About(card.title or card.name, card.words),) if card.words else ()


def _grit(state: State, number: int) -> tuple[About, ...]:
    """The Grit card on top; those below it wait."""
    stack = state.cars[number].grit
    if not stack:
        return ()
    below = f" ({counted(len(stack) - 1, 'card')} below)" if len(stack) > 1 else ""
    card = cards_of(state.edition, LONG_ARM)[stack[0]]
    return (About(f"Grit: {title(state, LONG_ARM, stack[0])}{below}", card.words),)


def _bombs(state: State, number: int) -> tuple[About, ...]:
    loot = cards_of(state.edition, LOOT)
    return tuple(About(title(state, LOOT, bomb), loot[bomb].words) for bomb in state.cars[number].bombs)
