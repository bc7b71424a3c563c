"""Games of Rail Raiders Infinite at random, for the laws: every kind of action as likely as any other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.bots import Bot
from companion.games.game import Game
from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.packs.pack import Pack, load_pack
from companion.games.rail_raiders_infinite.state import LOOT, State, cards_of
from companion.simulate import course

PACK = Path(__file__).parents[2] / "companion/games/rail_raiders_infinite/packs/house.toml"


@cache
def house() -> Pack:
    return load_pack(PACK.read_text("utf-8"))


class AnyKind:
    """Plays any kind of action that is legal, and any action of that kind; turns end less often."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def choose(self, game: Game[Any, Any], view: Any, seat: str, legal: tuple[Any, ...]) -> Any | None:
        if seat not in game.awaiting(view).seats and self._chance.random() < 0.8:
            return None
        kinds: dict[str, list[Any]] = {}
        for action in legal:
            kinds.setdefault(type(action).__name__, []).append(action)
        for idle in ("Pass", "StayOff"):
            if len(kinds) > 1 and self._chance.random() < 0.8:
                kinds.pop(idle, None)
        return self._chance.choice(kinds[self._chance.choice(sorted(kinds))])


def random_options(chance: Random) -> dict[str, str]:
    return {option.name: chance.choice(option.values) for option in GAME.options}


def game_at_random(chance: Random, rich: float = 0.6) -> Iterator[tuple[State, Any]]:
    """A game of random seats and options; so many begin with the first Dealer roll, and gear for everyone."""
    seats = tuple(chance.sample(GAME.seats, chance.randint(2, 4)))
    state = GAME.setup(seats, house(), random_options(chance))
    bots: dict[str, Bot] = {seat: AnyKind(chance) for seat in seats}
    if chance.random() >= rich:
        return course(GAME, state, bots, chance)
    begun = next(now for now, _ in course(GAME, state, bots, chance) if now.round == 1)
    return course(GAME, equipped(begun, chance), bots, chance)


def equipped(state: State, chance: Random) -> State:
    """The same with equipment, weapons and dollars dealt out of the Loot deck."""
    loot = cards_of(state.edition, LOOT)
    for seat in range(len(state.seats)):
        gear = [card for card in state.loot if loot[card].kind != "score"]
        picked = chance.sample(gear, min(len(gear), chance.randint(2, 6)))
        left = list(state.loot)
        for card in picked:
            left.remove(card)
        rider = state.riders[seat]
        rider = replace(
            rider, gear=tuple(sorted((*rider.gear, *picked))), dollars=rider.dollars + chance.randint(0, 5)
        )
        riders = (*state.riders[:seat], rider, *state.riders[seat + 1 :])
        state = replace(state, riders=riders, loot=tuple(left))
    return state
