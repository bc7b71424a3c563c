"""The laws of every game, in random games of Hachi Train."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.hachi_train import GAME
from companion.laws import Laws
from tests.rules.hachi_games import game_at_random

CHUNKS, GAMES = 40, 25
DEEP_CHUNKS, DEEP_GAMES = 100, 50


def check(seed: str) -> None:
    laws = Laws(GAME, Random(f"laws {seed}"))
    for state, action in game_at_random(Random(seed)):
        if action is None:
            laws.end(state)
        else:
            laws.step(state, action)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_thousand_games_obey_every_law_at_every_step(chunk: int) -> None:
    for number in range(GAMES):
        check(f"{chunk}/{number}")


@pytest.mark.deep
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("chunk", range(DEEP_CHUNKS))
def test_five_thousand_games_obey_every_law_at_every_step(chunk: int) -> None:
    for number in range(DEEP_GAMES):
        check(f"deep {chunk}/{number}")
