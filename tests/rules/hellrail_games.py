"""Games of HellRail at random, for the laws: every kind of action as likely as any other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.bots import BOTS, Bot
from companion.games.game import Game, Shuffled
from companion.games.hellrail import GAME
from companion.games.hellrail.movement import net_of
from companion.games.hellrail.pack import Pack, load_pack
from companion.games.hellrail.state import ACTIONS, SETUP, State
from companion.games.hellrail.track import Position
from companion.simulate import course

PACK = Path(__file__).parents[2] / "companion/games/hellrail/packs/house.toml"


@cache
def house() -> Pack:
    return load_pack(PACK.read_text("utf-8"))


class AnyKind:
    """Plays any kind of action that is legal, and any action of that kind; turns end less often."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def choose(self, game: Game[Any, Any], view: Any, seat: str, legal: tuple[Any, ...]) -> Any | None:
        if seat not in game.awaiting(view).seats:
            return None
        kinds: dict[str, list[Any]] = {}
        for action in legal:
            kinds.setdefault(type(action).__name__, []).append(action)
        if len(kinds) > 1 and self._chance.random() < 0.6:
            kinds.pop("EndTurn", None)
        if len(kinds) > 1 and self._chance.random() < 0.6:
            kinds.pop("Fan", None)
        return self._chance.choice(kinds[self._chance.choice(sorted(kinds))])


def random_options(chance: Random) -> dict[str, str]:
    return {option.name: chance.choice(option.values) for option in GAME.options}


def game_at_random(chance: Random, sensible: float = 0.1) -> Iterator[tuple[State, Any]]:
    """A game of random seats and options, now and then with rail lying and chips and tickets dealt out.

    `sensible` is how many of the seats think, which takes its time.
    """
    seats = tuple(chance.sample(GAME.seats, chance.randint(2, 4)))
    state = GAME.setup(seats, house(), random_options(chance))
    bots: dict[str, Bot] = {
        seat: AnyKind(chance) if chance.random() >= sensible else BOTS[GAME.name]() for seat in seats
    }
    if state.phase == SETUP and chance.random() < 0.6:
        state = under_way(state, chance)
    return course(GAME, state, bots, chance)


def under_way(state: State, chance: Random) -> State:
    """The same game later: much rail lies, and everyone holds what Circles give."""
    names = [card.name for card in state.edition.rails]
    chance.shuffle(names)
    state = GAME.play(state, Shuffled(tuple(names)))
    count = len(state.seats)
    chips = tuple(chance.randint(0, 1) for _ in range(count))
    tickets = tuple(chance.randint(0, 1) if seat < 2 else 0 for seat in range(count))
    state = replace(state, phase=ACTIONS, throws=(1,) * count, chips=chips, tickets=tickets)
    for _ in range(chance.randint(4, 16)):
        card = state.deck[0]
        hands = (tuple(sorted((*state.hands[0], card))), *state.hands[1:])
        state = replace(state, hands=hands, deck=state.deck[1:])
        lays = [action for action in GAME.legal(state, seats_first(state), card) if is_lay(action)]
        state = GAME.play(state, chance.choice(lays))
    return replace(state, engines=_standing(state, chance))


def _standing(state: State, chance: Random) -> tuple[Position, ...]:
    """Engines in Circles and on ties, more often where the rail forks ahead."""
    found: list[Position] = []
    for _ in state.seats:
        spots = [
            Position(cell, *spot)
            for cell, lying in net_of(state).faces.items()
            for spot, ahead in lying.ahead.items()
            if len(ahead) > 1 or chance.random() < 0.1
        ]
        taken = {(at.cell, at.segment, at.tie) for at in found}
        free = [at for at in spots if (at.cell, at.segment, at.tie) not in taken]
        on_rail = free and chance.random() < 0.6
        found.append(chance.choice(free) if on_rail else Position(chance.choice(state.circles).cell))
    return tuple(found)


def seats_first(state: State) -> str:
    return state.seats[0]


def is_lay(action: Any) -> bool:
    return type(action).__name__ in ("LayRail", "UpgradeRail")
