"""Positions and games at random, for the laws: by hypothesis, and by a seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from companion.bots import BOTS, Bot, RandomBot
from companion.games.game import Shuffled
from companion.games.pawns_of_perdition import GAME
from companion.games.pawns_of_perdition.state import ESCAPE, State
from companion.simulate import course
from tests.rules.positions import ALL_CARDS, begin, house, put


def random_options(chance: Random) -> dict[str, str]:
    return {option.name: chance.choice(option.values) for option in GAME.options}


def game_at_random(chance: Random) -> Iterator[tuple[State, Any]]:
    """A game of random seats and options from its beginning, or from when most cards lie discarded."""
    seats = tuple(chance.sample(GAME.seats, chance.randint(3, 5)))
    state = GAME.setup(seats, house(), random_options(chance))
    bots: dict[str, Bot] = {
        seat: RandomBot(chance, chance.uniform(0.05, 0.5)) if chance.random() < 0.8 else BOTS[GAME.name]()
        for seat in seats
    }
    if chance.random() < 0.5:
        state = GAME.play(state, Shuffled(tuple(chance.sample(ALL_CARDS, len(ALL_CARDS)))))
        left = chance.randint(0, 3)
        shown = chance.randint(0, len(state.deck) - left)
        deck, discard, buried = state.deck[:left], state.deck[left : left + shown], state.deck[left + shown :]
        state = replace(state, deck=deck, discard=discard, buried=buried)
    return course(GAME, state, bots, chance)


@st.composite
def positions(draw: st.DrawFn) -> State:
    """Any pawns, any cards anywhere, any options, before the first movement roll."""
    seats = draw(st.permutations(GAME.seats))[: draw(st.integers(3, 5))]
    options = {option.name: draw(st.sampled_from(option.values)) for option in GAME.options}
    state = begin(seats, **options)
    cards = draw(st.permutations(ALL_CARDS))
    hands: dict[str, tuple[str, ...]] = {}
    dealt = 0
    for seat in seats:
        count = draw(st.integers(0, 6))
        hands[seat] = tuple(cards[dealt : dealt + count])
        dealt = min(dealt + count, len(cards))
    left = draw(st.integers(0, len(cards) - dealt))
    return put(
        state,
        pawns={seat: draw(st.integers(0, ESCAPE - 1)) for seat in seats},
        hands=hands,
        deck=cards[dealt : dealt + left],
        skips={seat: draw(st.integers(0, 2)) for seat in seats},
        speaker=-1,
    )
