"""The laws of every game, in random games of Pawns of Perdition."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.bots import RandomBot
from companion.games.game import AwaitedShuffle
from companion.games.pawns_of_perdition import GAME
from companion.games.pawns_of_perdition import state as states
from companion.games.pawns_of_perdition.actions import Move, PlayCard
from companion.games.pawns_of_perdition.options import OPTIONS, SINS
from companion.games.pawns_of_perdition.state import CARDS, State
from companion.laws import Laws
from companion.simulate import course
from tests.rules.strategies import game_at_random, positions

CHUNKS, GAMES = 20, 10
DEEP_CHUNKS, DEEP_GAMES = 100, 50


def check(seed: str) -> None:
    chance = Random(seed)
    laws = Laws(GAME, Random(f"laws {seed}"))
    for state, action in game_at_random(chance):
        if action is None:
            laws.end(state)
            assert [standing.place for standing in GAME.scores(state)].count(1) == 1, "one pawn wins"
        else:
            laws.step(state, action)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_two_hundred_games_obey_every_law_at_every_step(chunk: int) -> None:
    for number in range(GAMES):
        check(f"{chunk}/{number}")


@pytest.mark.deep
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("chunk", range(DEEP_CHUNKS))
def test_five_thousand_games_obey_every_law_at_every_step(chunk: int) -> None:
    for number in range(DEEP_GAMES):
        check(f"deep {chunk}/{number}")


@settings(max_examples=60)
@given(state=positions(), seed=st.integers(0, 2**32))
def test_any_position_obeys_every_law_for_a_while(state: State, seed: int) -> None:
    chance = Random(seed)
    laws = Laws(GAME, Random(seed))
    bots = {seat: RandomBot(chance, 0.6) for seat in state.seats}
    for at, action in islice(course(GAME, state, bots, chance), 8):
        if action is not None:
            laws.step(at, action)


@given(state=positions(), seed=st.integers(0, 2**32))
def test_what_one_cannot_see_does_not_change_what_one_may_do(state: State, seed: int) -> None:
    hidden = GAME.hide(state)
    for seat in state.seats:
        by_view = {GAME.hide_action(action) for action in GAME.legal(GAME.view(state, seat), seat)}
        assert by_view <= set(GAME.legal(hidden, seat))


def test_random_games_go_everywhere() -> None:
    phases: Counter[str] = Counter()
    cards: Counter[str] = Counter()
    landings: Counter[str] = Counter()
    rulings: Counter[str] = Counter()
    shuffles: Counter[str] = Counter()
    for number in range(120):
        for state, action in game_at_random(Random(f"everywhere {number}")):
            phases[state.phase] += 1
            if action is None:
                break
            rulings.update(GAME.decided(state, action))
            if isinstance(action, PlayCard):
                cards[action.card] += 1
            if isinstance(action, Move):
                space = state.pawns[state.turn] + states.distance(state)
                landings[state.board[min(space, states.ESCAPE)]] += 1
            if isinstance(GAME.awaiting(state).chance, AwaitedShuffle):
                shuffles[state.board[state.pawns[state.turn]]] += 1
    assert set(cards) == set(CARDS)
    assert set(landings) == {*SINS, "safe", "blessing", "torment", "draw", "escape"}
    names = ("SETUP", "FIRST_PLAYER", "BEFORE_ROLL", "REROLL", "BEACON", "KEEP", "AFTER_ROLL", "LANDING")
    more = ("GREED", "LUST", "AFTER_EFFECT", "TURN_END", "OVER")
    assert set(phases) == {getattr(states, name) for name in (*names, *more)}
    assert {"draw", "gluttony", "start"} <= set(shuffles)
    never = {"PP-A01", "PP-A25"}
    assert set(rulings) == {option.rule for option in OPTIONS} - never
