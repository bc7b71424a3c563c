"""The truth behind the companion's line: complete, conserved, and the same after every restart."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion import games, packs
from companion.bots import RandomBot
from companion.chance import filled_in, outcome
from companion.emulated.truth import Truth
from companion.games.game import Action
from companion.games.hellrail.actions import Move
from companion.games.layout import UNKNOWN
from companion.games.pawns_of_perdition.actions import PlayCard

GAME = games.load("pawns_of_perdition")
HELLRAIL = games.load("hellrail")
LINES = pytest.mark.parametrize(
    ("game", "seed"), [(GAME, seed) for seed in range(8)] + [(HELLRAIL, seed) for seed in range(3)]
)


def opening(seats: tuple[str, ...] = ("red", "blue", "green"), game: Any = GAME) -> Any:
    return game.setup(seats, packs.load(game, "house"), {})


class Reckless(RandomBot):
    """Derails wherever it can."""

    def choose(self, game: Any, view: Any, seat: str, legal: tuple[Any, ...]) -> Any:
        derailing = tuple(action for action in legal if isinstance(action, Move) and action.to is None)
        return super().choose(game, view, seat, derailing or legal)


def line(
    seed: int, length: int, game: Any = GAME, bot: type[RandomBot] = RandomBot
) -> tuple[Any, list[Action]]:
    """A start, and a line as the companion would have believed it."""
    chance = Random(seed)
    player = bot(chance)
    start = state = opening(game=game)
    moves: list[Action] = []
    while len(moves) < length and not game.over(state):
        awaiting = game.awaiting(state)
        action: Any = None
        for seat in state.seats:
            legal = game.legal(state, seat)
            if legal and (action := player.choose(game, state, seat, legal)) is not None:
                break
        if action is None:
            assert awaiting.chance is not None
            action = outcome(awaiting.chance, chance)
        moves.append(game.hide_action(action))
        state = game.play(state, action)
    return start, moves


def cards(state: Any) -> Counter[str]:
    piles = [*state.hands, state.deck, state.discard, state.buried]
    piles += [state.aside] if hasattr(state, "aside") else [*state.loaded, *state.delivered]
    for rail in getattr(state, "rails", ()):
        piles.append((rail.card, *(card for card, _ in rail.covered)))
    return Counter(card for pile in piles for card in pile)


@LINES
def test_the_truth_knows_every_card_and_agrees_with_what_is_believed(game: Any, seed: int) -> None:
    start, moves = line(seed, 120, game)
    truth = Truth(game, seed)
    believed = game.hide(start)
    whole = cards(start)
    for index, move in enumerate(moves):
        state = truth.follow(1, start, moves[: index + 1])
        believed = game.play(believed, move)
        assert game.hide(state) == believed
        assert UNKNOWN not in cards(state)
        assert cards(state) == whole


@LINES
def test_a_restart_finds_the_same_truth(game: Any, seed: int) -> None:
    start, moves = line(seed, 120, game)
    step_by_step = Truth(game, 5)
    for index in range(len(moves) + 1):
        state = step_by_step.follow(1, start, moves[:index])
    assert Truth(game, 5).follow(1, start, moves) == state
    # Early on much is hidden still: another seed, or another game, has dealt other cards.
    dealt = Truth(game, 5).follow(1, start, moves[:20])
    assert Truth(game, 6).follow(1, start, moves[:20]) != dealt
    assert Truth(game, 5).follow(2, start, moves[:20]) != dealt


def test_of_a_hand_that_is_discarded_unnamed_one_card_lies_on_top() -> None:
    """HellRail: who derails discards the hand, and the companion does not know which cards those are."""
    named = 0
    for seed in range(30):
        start, moves = line(seed, 100, HELLRAIL, Reckless)
        truth = Truth(HELLRAIL, seed)
        state = truth.follow(1, start, [])
        for index in range(len(moves)):
            before, state = state, truth.follow(1, start, moves[: index + 1])
            layout = HELLRAIL.layout(state)
            blank = next((piece for piece in layout.pieces if piece.name == UNKNOWN), None)
            if blank is None:
                assert truth.layout() == layout
                continue
            (top,) = set(truth.layout().pieces) - set(layout.pieces)
            assert replace(top, name=UNKNOWN) == blank
            assert top.name in (*state.buried, *state.discard)
            if blank not in HELLRAIL.layout(before).pieces and state.buried != before.buried:
                named += 1
                assert top.name in state.buried
        if named >= 3:
            break
    assert named >= 3


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
