"""How many ways there are to go on within a turn: a golden table, and two counts that must agree.

One count plays the rules; the other (`hellrail_counting`) is another model of the same table. Where
the rules changed on purpose, `python -m tests.rules.test_hellrail_counts` writes the table anew.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.hellrail import GAME
from companion.games.hellrail.state import ACTIONS, State
from tests.rules.hellrail_counting import Counter
from tests.rules.hellrail_games import game_at_random, house

TABLE = Path(__file__).parent / "golden/hellrail_counts.json"


class Row(msgspec.Struct, frozen=True):
    """A position, and the number of ways to do 1, 2, … things in it."""

    position: State
    counts: tuple[int, ...]


def played(state: State, depth: int) -> int:
    """The ways to do so many things one after the other in this turn, by the rules."""
    seat = state.seats[state.turn]
    actions = GAME.legal(state, seat)
    if depth == 1:
        return len(actions)
    count = 0
    for action in actions:
        after = GAME.play(state, action)
        if (
            after.phase == ACTIONS
            and after.turn == state.turn
            and type(action).__name__ not in ("EndTurn", "Fan")
        ):
            count += played(after, depth - 1)
    return count


def rows() -> list[Row]:
    return msgspec.json.decode(TABLE.read_bytes(), type=list[Row])


@pytest.mark.parametrize("number", range(12))
def test_both_counts_agree_with_the_table(number: int) -> None:
    row = rows()[number]
    counter = Counter(row.position)
    for depth, expected in enumerate(row.counts[:2], 1):
        assert played(row.position, depth) == expected
        assert counter.count(counter.table(row.position), depth) == expected


@pytest.mark.deep
@pytest.mark.parametrize("number", range(12))
def test_both_counts_agree_with_the_whole_table(number: int) -> None:
    row = rows()[number]
    counter = Counter(row.position)
    for depth, expected in enumerate(row.counts, 1):
        assert played(row.position, depth) == expected
        assert counter.count(counter.table(row.position), depth) == expected


@pytest.mark.parametrize("seed", range(40))
def test_both_counts_agree_in_random_games(seed: int) -> None:
    """One thing deep, wherever a turn of a random game stands."""
    for at, (state, _) in enumerate(game_at_random(Random(f"counts {seed}"))):
        if at % 7 == seed % 7 and state.phase == ACTIONS and not state.owed and plain(state):
            counter = Counter(state)
            assert counter.count(counter.table(state), 1) == played(state, 1)


def plain(state: State) -> bool:
    """Without what the other model leaves out: barriers, and a ticket to cross with."""
    return not state.tickets[state.turn] and not any("barrier" in rail.counters for rail in state.rails)


def positions() -> list[State]:
    """Twelve positions from random games: few cards in hand, or the counts would take hours."""
    found: list[State] = []
    for seed in range(400):
        game = list(game_at_random(Random(f"positions {seed}")))
        state = game[len(game) * (seed % 5 + 2) // 8][0]
        crowded = sum(not engine.in_circle for engine in state.engines) if state.engines else 0
        if state.phase == ACTIONS and not state.owed and plain(state) and state.turn == seed % 2:
            hand = state.hands[state.turn]
            if crowded >= (2 if len(found) < 8 else 1) and len(hand) >= 1:
                keep, spare = hand[:2], hand[2:]
                hands = (*state.hands[: state.turn], keep, *state.hands[state.turn + 1 :])
                found.append(replace(state, hands=hands, buried=tuple(sorted((*state.buried, *spare)))))
        if len(found) == 12:
            break
    return found


def write() -> None:
    table = []
    for position in positions():
        counter = Counter(position)
        depths = 3 if len(position.hands[position.turn]) < 2 else 2
        counts = tuple(counter.count(counter.table(position), depth) for depth in range(1, depths + 1))
        table.append(Row(position, counts))
    TABLE.write_bytes(msgspec.json.format(msgspec.json.encode(table), indent=0) + b"\n")


if __name__ == "__main__":
    assert house().name == "house"
    write()
