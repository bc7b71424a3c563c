"""HellRail for the emulated table's tests: a state with rail that grows as told, and how it is set out."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion import games, packs
from companion.emulated.box import box_of
from companion.emulated.clock import VirtualClock
from companion.emulated.world import World
from companion.games.hellrail.state import Rail, State
from companion.games.hellrail.track import Position, Track

GAME: Any = games.load("hellrail")
SEATS = ("red", "blue", "green")


TRACKS = {"r02": ("NE3", "NS4", "SW3"), "r08": ("NE3", "NS4", "EW4", "SW3"), "r24": ("NE3", "SW3")}
TRACKS |= {"r13": ("NS4",), "r14": ("NS4",)}
"""Rail of some cards, whatever an edition has on them; the others are curves."""


def opening() -> State:
    """The ring of Circles, all engines at the Gate."""
    state: State = GAME.setup(SEATS, packs.load(GAME, "house"), {})
    cards = (replace(card, track=Track(TRACKS.get(card.name, ("NE3",)))) for card in state.edition.rails)
    return replace(state, edition=replace(state.edition, rails=tuple(cards)))


def some_rail() -> State:
    """Rail from the Gate on, two engines on it, one card on the discard pile."""
    rails = (
        Rail((3, 4), "r01", 0),
        Rail((4, 3), "r02", 90),
        Rail((5, 4), "r13", 90),
        Rail((5, 3), "r24", 180),
    )
    state = opening()
    gate = state.engines[0]
    engines = (Position((3, 4), "NE", 2, "E"), Position((5, 4), "EW", 3, "W"), gate)
    return replace(
        state, rails=tuple(sorted(rails)), engines=engines, top="r40", discard=("r40",), phase="actions"
    )


def table(state: State, seed: int = 1) -> World:
    """That state, set out."""
    world = World(seed, VirtualClock())
    world.set_out(GAME.table_map(state), GAME.layout(state), box_of(GAME, state))
    return world


def bring(world: World, state: State) -> None:
    """Carry all to where that state has it, and let it come to rest."""
    world.bring(GAME.table_map(state), GAME.layout(state))
    settle(world)


def settle(world: World) -> None:
    """Let everything come to rest."""
    world.clock.sleep(world.rests - world.clock.now() + 0.01)
    world.moment(world.clock.now())
