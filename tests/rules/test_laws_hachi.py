"""The laws of every game, in random games of Hachi Train."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from companion.games.hachi_train import GAME
from companion.games.hachi_train.actions import Play
from companion.games.hachi_train.cards import KINDS
from companion.games.hachi_train.options import OPTIONS
from companion.games.hachi_train.state import PHASES
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


def test_random_games_go_everywhere() -> None:
    phases: Counter[str] = Counter()
    rulings: Counter[str] = Counter()
    actions: Counter[str] = Counter()
    cards: Counter[str] = Counter()
    losers: Counter[int] = Counter()
    plays: Counter[bool] = Counter()
    for number in range(150):
        for state, action in game_at_random(Random(f"everywhere {number}"), whole=0.1):
            phases[state.phase] += 1
            if action is None:
                lost = sum("loses" in standing.facts for standing in GAME.scores(state))
                losers[lost if lost < len(state.seats) else -1] += 1
                break
            rulings.update(GAME.decided(state, action))
            actions[type(action).__name__] += 1
            if isinstance(action, Play):
                cards.update(action.cards)
                plays[bool(action.places)] += 1
    assert set(phases) == set(PHASES)
    told = {"EnterCard", "ForgetHand", "KeepHand", "PutIn"}
    assert set(actions) == {"Lead", "Pass", "Play", "Rolled", "Shuffled", *told}
    assert set(cards) == set(KINDS)
    assert min(plays[True], plays[False]) > 100
    assert {-1, 0, 1} <= set(losers), "all, nobody and one lose"
    never = {"HT-A02", "HT-A03", "HT-A18", "HT-A19"}
    assert set(rulings) == {option.rule for option in OPTIONS} - never
