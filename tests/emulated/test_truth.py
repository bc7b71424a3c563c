"""The truth behind the companion's line: complete, conserved, and the same after every restart."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from companion import games, packs
from companion.bots import RandomBot
from companion.chance import filled_in, outcome
from companion.emulated.truth import Truth
from companion.games.game import Action
from companion.games.layout import UNKNOWN
from companion.games.pawns_of_perdition.actions import PlayCard

GAME = games.load("pawns_of_perdition")


def opening(seats: tuple[str, ...] = ("red", "blue", "green")) -> Any:
    return GAME.setup(seats, packs.load(GAME, "house"), {})


def line(seed: int, length: int) -> tuple[Any, list[Action]]:
    """A start, and a line as the companion would have believed it."""
    chance = Random(seed)
    bot = RandomBot(chance)
    start = state = opening()
    moves: list[Action] = []
    while len(moves) < length and not GAME.over(state):
        awaiting = GAME.awaiting(state)
        action: Any = None
        for seat in state.seats:
            legal = GAME.legal(state, seat)
            if legal and (action := bot.choose(GAME, state, seat, legal)) is not None:
                break
        if action is None:
            assert awaiting.chance is not None
            action = outcome(awaiting.chance, chance)
        moves.append(GAME.hide_action(action))
        state = GAME.play(state, action)
    return start, moves


def cards(state: Any) -> Counter[str]:
    piles = (*state.hands, state.deck, state.discard, state.buried, state.aside)
    return Counter(card for pile in piles for card in pile)


@pytest.mark.parametrize("seed", range(8))
def test_the_truth_knows_every_card_and_agrees_with_what_is_believed(seed: int) -> None:
    start, moves = line(seed, 120)
    truth = Truth(GAME, seed)
    believed = GAME.hide(start)
    whole = cards(start)
    for index, move in enumerate(moves):
        state = truth.follow(1, start, moves[: index + 1])
        believed = GAME.play(believed, move)
        assert GAME.hide(state) == believed
        assert UNKNOWN not in cards(state)
        assert cards(state) == whole


@pytest.mark.parametrize("seed", range(8))
def test_a_restart_finds_the_same_truth(seed: int) -> None:
    start, moves = line(seed, 120)
    step_by_step = Truth(GAME, 5)
    for index in range(len(moves) + 1):
        state = step_by_step.follow(1, start, moves[:index])
    assert Truth(GAME, 5).follow(1, start, moves) == state
    assert Truth(GAME, 6).follow(1, start, moves) != state
    assert Truth(GAME, 5).follow(2, start, moves) != state


def test_going_back_and_on_is_the_same_as_never_having_gone_back() -> None:
    start, moves = line(3, 90)
    other = [*moves[:40], *line(3, 40)[1][40:]]
    truth = Truth(GAME, 9)
    whole = truth.follow(1, start, moves)
    truth.follow(1, start, moves[:40])
    truth.follow(1, start, other)
    assert truth.follow(1, start, moves) == whole
    fresh = opening(("blue", "green", "white"))
    assert truth.follow(2, fresh, []) == fresh


def test_a_card_that_was_played_was_held() -> None:
    """Whoever plays by phone alone may name a card that chance dealt elsewhere."""
    start = opening()
    truth = Truth(GAME, 1)
    moves: list[Action] = []
    state = truth.follow(1, start, moves)
    chance = Random(2)
    while not GAME.legal(GAME.hide(state), "red"):
        awaited = GAME.awaiting(state).chance
        assert awaited is not None
        moves.append(GAME.hide_action(outcome(awaited, chance)))
        state = truth.follow(1, start, moves)
    playable = [action for action in GAME.legal(GAME.hide(state), "red") if isinstance(action, PlayCard)]
    held = state.hands[state.seats.index("red")]
    others = [action for action in playable if action.card not in held]
    assert others
    for action in others:
        after = truth.follow(1, start, [*moves, action])
        assert cards(after) == cards(start)
        assert GAME.hide(after) == GAME.play(GAME.hide(state), action)
        assert truth.follow(1, start, moves) == state


def test_a_bot_that_knows_its_card_is_believed() -> None:
    seed = 0
    while True:
        start, moves = line(seed, 150)
        hidden = [index for index, move in enumerate(moves) if getattr(move, "card", "") == UNKNOWN]
        if hidden:
            break
        seed += 1
    index = hidden[0]
    truth = Truth(GAME, 4)
    state = truth.follow(1, start, moves[:index])
    ways = [
        way
        for way in GAME.legal(state, moves[index].seat)  # type: ignore[attr-defined]
        if GAME.hide_action(way) == moves[index]
    ]
    for way in ways:
        assert Truth(GAME, 4).follow(1, start, moves[:index]) == state
        chosen = Truth(GAME, 4)
        chosen.follow(1, start, moves[:index])
        assert chosen.follow(1, start, moves[: index + 1], way) == GAME.play(state, way)
    assert filled_in(GAME, state, moves[index], Random(1)) in ways
