"""The laws of every game, in random games of HellRail; no card is lost in any of them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from companion.games.game import AwaitedShuffle, Rolled
from companion.games.hellrail import GAME
from companion.games.hellrail import state as states
from companion.games.hellrail.actions import Cross, HellRailAction
from companion.games.hellrail.movement import net_of
from companion.games.hellrail.state import ACTIONS, LANDING, State
from companion.games.hellrail.track import Position
from companion.laws import Laws
from tests.rules.hellrail_games import game_at_random

CHUNKS, GAMES = 20, 10
DEEP_CHUNKS, DEEP_GAMES = 100, 50


def check(seed: str) -> None:
    laws = Laws(GAME, Random(f"laws {seed}"))
    for state, action in game_at_random(Random(seed)):
        assert cards(state) == sorted(card.name for card in state.edition.rails)
        if action is None:
            laws.end(state)
        else:
            laws.step(state, action)


def cards(state: State) -> list[str]:
    """Every Rail Card, wherever it is (HR-50: none is lost, none is doubled)."""
    held = (*state.hands, *state.loaded, *state.delivered, state.deck, state.discard, state.buried)
    lying = [rail.card for rail in state.rails]
    covered = [card for rail in state.rails for card, _ in rail.covered]
    return sorted([card for pile in held for card in pile] + lying + covered)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_two_hundred_games_obey_every_law_at_every_step(chunk: int) -> None:
    for number in range(GAMES):
        check(f"{chunk}/{number}")


@pytest.mark.deep
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("chunk", range(DEEP_CHUNKS))
def test_five_thousand_games_obey_every_law_at_every_step(chunk: int) -> None:
    for number in range(DEEP_GAMES):
        check(f"deep {chunk}/{number}")


def test_random_games_go_everywhere() -> None:
    phases: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    rulings: Counter[str] = Counter()
    steps: Counter[str] = Counter()
    shuffles: Counter[str] = Counter()
    rammed: Counter[str] = Counter()
    for number in range(300):
        for state, action in game_at_random(Random(f"everywhere {number}"), sensible=0.0):
            phases[state.phase] += 1
            if action is None:
                break
            kinds[type(action).__name__] += 1
            rulings.update(GAME.decided(state, action))
            if state.effect and state.effect.steps:
                steps[state.effect.steps[0].do] += 1
            if isinstance(GAME.awaiting(state).chance, AwaitedShuffle):
                shuffles[state.phase] += 1
            for ram in getattr(action, "rammed", ()):
                rammed["off" if ram.to is None else "circle" if ram.to.in_circle else "tie"] += 1
    assert set(kinds) | {"Land"} == {kind.__name__ for kind in HellRailAction.__args__}
    assert set(phases) | {states.LANDING} == set(states.PHASES)
    waiting = {"table", "discard", "turn_rail", "scrap_rail", "put_counter", "take_counter", "derail"}
    assert waiting <= set(steps)
    assert {states.SETUP, states.CIRCLES, states.ACTIONS, states.FANNED, states.EFFECT} <= set(shuffles)
    assert set(rammed) == {"off", "circle", "tie"}


def test_the_laws_hold_where_one_lands_on_another_engine() -> None:
    """Rare in random games: the die carries an engine across onto a tie where another stands."""
    landings = 0
    for seed in range(200):
        state, _ = next(game_at_random(Random(f"landing {seed}"), sensible=0.0))
        if state.phase == ACTIONS:
            landings += _lands(state, Random(f"laws {seed}"))
    assert landings >= 10


def _lands(state: State, chance: Random) -> int:
    """Cross from wherever the first seat may wait, onto every tie that two branches share."""
    state = replace(state, tickets=(1, *(0 for _ in state.seats[1:])))
    found = 0
    net = net_of(state)
    for circle in state.circles:
        waiting = replace(state, engines=(Position(circle.cell), *state.engines[1:]))
        for action in GAME.legal(waiting, state.seats[0]):
            if isinstance(action, Cross) and len(net.ahead(action.to)) > 1 and not action.rammed:
                found += _lands_on(waiting, action, Laws(GAME, chance))
    return found


def _lands_on(state: State, action: Cross, laws: Laws) -> bool:
    """That crossing, with the second seat where it ends: whether it was to be said where that one goes."""
    occupied = replace(state, engines=(state.engines[0], action.to, *state.engines[2:]))
    if GAME.faults(occupied) or GAME.refusal(occupied, action) is not None:
        return False
    crossing = GAME.play(occupied, action)
    after = GAME.play(crossing, Rolled((6,)))
    if after.phase != LANDING:
        return False
    laws.step(occupied, action)
    laws.step(crossing, Rolled((6,)))
    for land in GAME.legal(after, after.seats[0]):
        laws.step(after, land)
    return True
