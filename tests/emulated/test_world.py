"""The emulated world: things lie where they can lie, hands take their time, chance is fair."""

from __future__ import annotations

from itertools import combinations
from math import hypot
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import games, packs
from companion.chance import outcome
from companion.emulated.box import box_of
from companion.emulated.clock import VirtualClock
from companion.emulated.hands import REACH, TUMBLE
from companion.emulated.placing import place_of
from companion.emulated.poses import DIE_SIDE
from companion.emulated.world import World
from companion.games.game import AwaitedDice, Rolled
from companion.games.layout import Layout, Piece
from tests.emulated.rig import NAMES, small_box, small_map


def world(seed: int = 1) -> World:
    world = World(seed, VirtualClock())
    pieces = tuple(sorted(Piece("pawn", name, f"p:{number}") for number, name in enumerate(NAMES)))
    world.set_out(small_map(), Layout(pieces, (3, 4)), small_box())
    return world


def settle(world: World) -> None:
    world.clock.sleep(world.rests - world.clock.now() + 0.01)
    world.moment(world.clock.now())


def test_a_carried_pawn_is_in_a_hand_and_then_where_it_was_brought() -> None:
    there = world()
    start = there.moment(there.clock.now())
    assert not start.arms
    there.carry("red", "p:9")
    seen = []
    for _ in range(40):
        there.clock.sleep(0.05)
        moment = there.moment(there.clock.now())
        seen.append(moment)
        assert {pawn.name for pawn in moment.pieces} == set(NAMES)
        if any(pawn.lift for pawn in moment.pieces):
            assert moment.arms
    assert any(pawn.lift for moment in seen for pawn in moment.pieces)
    last = {pawn.name: pawn for pawn in seen[-1].pieces}
    assert not seen[-1].arms
    assert place_of(small_map(), last["red"].at) == "p:9"
    assert last["blue"] == next(pawn for pawn in start.pieces if pawn.name == "blue")
    assert there.rests <= there.clock.now()


def test_dice_are_taken_up_tumble_and_lie() -> None:
    there = world()
    assert list(there.values) == [3, 4]
    there.throw((6, 1, 2))
    assert list(there.values) == [6, 1, 2]
    phases = []
    for age in (REACH / 2, REACH * 1.5, 2 * REACH + TUMBLE / 2, 2 * REACH + TUMBLE + 0.1):
        moment = there.moment(1000.0 + age)
        phases.append((len(moment.dice), any(die.flying for die in moment.dice), bool(moment.arms)))
    assert phases == [(2, False, True), (0, False, True), (3, True, False), (3, False, False)]
    assert tuple(die.value for die in there.moment(1010.0).dice) == (6, 1, 2)
    assert there.moment(1010.0) == there.moment(1020.0)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), count=st.integers(1, 4))
def test_dice_lie_in_the_tray_and_not_in_each_other(seed: int, count: int) -> None:
    there = world(seed)
    there.throw(range(1, count + 1))
    settle(there)
    dice = there.moment(there.clock.now()).dice
    assert len(dice) == count
    left, top = small_map().tray.outline[0]
    right, below = small_map().tray.outline[2]
    for die in dice:
        assert left + DIE_SIDE / 2 < die.at[0] < right - DIE_SIDE / 2
        assert top + DIE_SIDE / 2 < die.at[1] < below - DIE_SIDE / 2
    for one, other in combinations(dice, 2):
        assert hypot(one.at[0] - other.at[0], one.at[1] - other.at[1]) >= DIE_SIDE


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    targets=st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 11)), max_size=12),
)
def test_pawns_stand_in_their_places_side_by_side(seed: int, targets: list[tuple[str, int]]) -> None:
    there = world(seed)
    expected = {name: f"p:{number}" for number, name in enumerate(NAMES)}
    for name, number in targets:
        there.carry(name, f"p:{number}")
        expected[name] = f"p:{number}"
        if seed % 2:
            settle(there)
    assert there.places == expected
    settle(there)
    assert there.places == expected
    for one, other in combinations(there.spots.values(), 2):
        assert hypot(one[0] - other[0], one[1] - other[1]) >= 28.0


def test_five_pawns_start_side_by_side_on_the_real_board() -> None:
    game = games.load("pawns_of_perdition")
    state = game.setup(game.seats, packs.load(game, "house"), {})
    for seed in range(10):
        there = World(seed, VirtualClock())
        there.set_out(game.table_map(state), game.layout(state), box_of(game, state))
        assert set(there.places.values()) == {"space:0"}
        for one, other in combinations(there.spots.values(), 2):
            assert hypot(one[0] - other[0], one[1] - other[1]) >= 28.0
        for name in game.seats[:4]:
            there.carry(name, "space:30")
        settle(there)
        assert [place for place in there.places.values() if place == "space:30"] == ["space:30"] * 4
        four = [there.spots[name] for name in game.seats[:4]]
        for one, other in combinations(four, 2):
            assert hypot(one[0] - other[0], one[1] - other[1]) >= 28.0


def test_throws_are_fair() -> None:
    """Chi-square over the faces of one die and over the pairs of two; 0.1 % would fail by chance."""
    chance = Random("fair")
    awaited = AwaitedDice("red", 2, "movement roll")
    faces, pairs = [0] * 6, [0] * 36
    throws = 7200
    for _ in range(throws):
        roll = outcome(awaited, chance)
        assert isinstance(roll, Rolled)
        a, b = (int(value) for value in roll.values)
        faces[a - 1] += 1
        faces[b - 1] += 1
        pairs[(a - 1) * 6 + b - 1] += 1
    assert sum((count - throws / 3) ** 2 / (throws / 3) for count in faces) < 20.5
    assert sum((count - throws / 36) ** 2 / (throws / 36) for count in pairs) < 66.6


def test_what_is_not_there_cannot_be_moved() -> None:
    there = world()
    with pytest.raises(ValueError, match="no piece 'pink'"):
        there.carry("pink", "p:1")
    with pytest.raises(ValueError, match="no place 'moon'"):
        there.carry("red", "moon")
    with pytest.raises(ValueError, match="bare"):
        World(1, VirtualClock()).throw((1,))


def test_the_same_seed_makes_the_same_world() -> None:
    moments = []
    for _ in range(2):
        there = world(77)
        there.throw((2, 2))
        there.carry("blue", "p:5")
        settle(there)
        moments.append(there.moment(there.clock.now()))
    assert moments[0] == moments[1]
    assert world(78).moment(1000.0) != world(77).moment(1000.0)
