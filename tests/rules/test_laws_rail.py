"""The laws of every game, in random games of Rail Raiders Infinite; nothing is lost in any of them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.actions import RaidAction
from companion.games.rail_raiders_infinite.machine import MACHINE
from companion.games.rail_raiders_infinite.state import DECKS, KINDS, LOOT, MODELS, TOKENS, State, all_copies
from companion.laws import Laws
from tests.rules.rail_games import game_at_random

CHUNKS, GAMES = 20, 10
DEEP_CHUNKS, DEEP_GAMES = 100, 50


def check(seed: str) -> None:
    laws = Laws(GAME, Random(f"laws {seed}"))
    for state, action in game_at_random(Random(seed)):
        conserved(state)
        if action is None:
            laws.end(state)
        else:
            laws.step(state, action)


def conserved(state: State) -> None:
    """Every card, token, car and model is somewhere, and once."""
    for deck in DECKS:
        assert sorted(cards(state, deck)) == sorted(all_copies(state.edition, deck)), deck
    tokens = Counter((*state.tokens, *state.shown, *(token for car in state.cars for token in car.tokens)))
    assert tokens == TOKENS
    for at, kind in enumerate(KINDS):
        assert 0 <= sum(car.bots[at] for car in state.cars) <= MODELS[at], kind
    if state.round:
        assert sorted((*state.train, *state.box)) == sorted(car.name for car in state.edition.cars)
    assert all(rider.dollars >= 0 for rider in state.riders)


def cards(state: State, deck: str) -> list[str]:
    found = [*getattr(state, deck), *getattr(state, f"{deck}_discard")]
    found += [force.card for force in state.forces if force.deck == deck]
    found += [job.card for job in state.agenda if job.do == f"aside_{deck}"]
    if deck == "high_noon":
        found += [*state.high_noon_buried, *state.unused]
        found += [
            card for job in state.agenda if job.do == "shuffle_back" for card in job.cards or (job.card,)
        ]
    if deck == "long_arm":
        found += [card for car in state.cars for card in car.grit]
    if deck == LOOT:
        found += [*state.loot_buried, *(card for rider in state.riders for card in rider.gear)]
        found += [card for car in state.cars for card in car.bombs]
        found += [card for job in state.agenda if job.do == "look" for card in job.cards]
    return found


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
    kinds: Counter[str] = Counter()
    jobs: Counter[str] = Counter()
    rulings: Counter[str] = Counter()
    for number in range(120):
        for state, action in game_at_random(Random(f"everywhere {number}"), rich=0.8):
            if action is None:
                break
            kinds[type(action).__name__] += 1
            jobs[state.agenda[0].do] += 1
            rulings.update(GAME.decided(state, action))
    assert {kind.__name__ for kind in RaidAction.__args__} <= set(kinds)
    waiting = {do for do, kind in MACHINE.items() if kind.answer is not None}
    assert waiting - set(jobs) <= RARE_JOBS
    assert {option.rule for option in GAME.options} - set(rulings) <= RARE_RULINGS


RARE_JOBS = {"near_raider", "sit_out", "compel", "peek"}
"""What random games may not come to; the tests of cards and rulings have them."""

RARE_RULINGS = {"RR-F06", "RR-A06", "RR-A20", "RR-A28", "RR-A30"}
