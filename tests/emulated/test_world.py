"""The emulated world: things lie where they can lie, hands take their time, chance is fair."""

from __future__ import annotations

from itertools import combinations, islice
from math import hypot
from random import Random

import cv2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion import games, packs
from companion.bots import RandomBot
from companion.chance import outcome
from companion.emulated.box import box_of
from companion.emulated.clock import VirtualClock
from companion.emulated.hands import REACH, TUMBLE
from companion.emulated.placing import inside, middle, place_of
from companion.emulated.poses import DIE_SIDE, PiecePose
from companion.emulated.world import World
from companion.games.game import AwaitedDice, Rolled
from companion.games.hellrail.state import Rail
from companion.games.hellrail.track import Position
from companion.games.layout import UNKNOWN, Layout, Piece, TableMap
from companion.simulate import course
from tests.emulated.hellrail import GAME, SEATS, bring, opening, settle, some_rail, table
from tests.emulated.rig import NAMES, small_box, small_map


def world(seed: int = 1) -> World:
    world = World(seed, VirtualClock())
    pieces = tuple(sorted(Piece("pawn", name, f"p:{number}") for number, name in enumerate(NAMES)))
    world.set_out(small_map(), Layout(pieces, (3, 4)), small_box())
    return world


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


# -- cards, engines, piles ----------------------------------------------------------------------------


def pose(world: World, kind: str, name: str) -> PiecePose:
    found = [piece for piece in world.moment(world.clock.now()).pieces if piece.key == (kind, name)]
    assert len(found) == 1
    return found[0]


def askew(turn: float, should: float) -> float:
    return abs((turn - should + 180) % 360 - 180)


@pytest.mark.parametrize("seed", range(10))
def test_cards_lie_in_their_cells_and_engines_head_along_their_ties(seed: int) -> None:
    state = some_rail()
    there = table(state, seed)
    places = {place.name: place for place in GAME.table_map(state).places}
    aside: list[float] = []
    for piece in GAME.layout(state).pieces:
        lies = pose(there, piece.kind, piece.name)
        at = middle(places[piece.place])
        aside.append(hypot(lies.at[0] - at[0], lies.at[1] - at[1]))
        if places[piece.place].turns:
            assert aside[-1] < 12.0
            assert askew(lies.turn, piece.turn) < 20.0
        else:
            assert inside(places[piece.place], lies.at)
    # Nothing lies quite where it should, and little lies far from there.
    assert 0.3 < sorted(aside)[len(aside) // 2] < 4.0


@pytest.mark.parametrize("seed", range(10))
def test_engines_push_each_other_aside(seed: int) -> None:
    """On neighbouring ties of a curve they do not fit, and in a Circle they stand beside each other."""
    ties = tuple(Position((3, 4), "NE", tie, "E") for tie in (1, 2, 3))
    there = table(replace(some_rail(), engines=ties), seed)
    gate = table(opening(), seed)
    for world in (there, gate):
        blocks = [
            (pose(world, "engine", seat).at, (18.0, 15.0), pose(world, "engine", seat).turn) for seat in SEATS
        ]
        for one, other in combinations(blocks, 2):
            assert cv2.rotatedRectangleIntersection(one, other)[0] == cv2.INTERSECT_NONE
    for tie, seat in enumerate(SEATS, 1):
        place = next(p for p in GAME.table_map(some_rail()).places if p.name == f"tie:3,4:NE:{tie}")
        at = pose(there, "engine", seat).at
        assert hypot(at[0] - middle(place)[0], at[1] - middle(place)[1]) < 8.0


def test_a_card_comes_with_the_hand_and_lies_on_what_it_covers() -> None:
    state = some_rail()
    there = table(state)
    old = pose(there, "rail", "r02")
    rails = tuple(
        Rail((4, 3), "r08", 0, (("r02", 90),)) if rail.cell == (4, 3) else rail for rail in state.rails
    )
    after = replace(state, rails=rails)
    there.bring(GAME.table_map(after), GAME.layout(after))
    lifts, arms = [], []
    while there.clock.now() < there.rests:
        there.clock.sleep(0.05)
        moment = there.moment(there.clock.now())
        new = [piece for piece in moment.pieces if piece.name == "r08"]
        lifts.append(new[0].lift if new else -1.0)
        arms.append(len(moment.arms))
    assert max(lifts) > 0
    assert max(arms) == 1
    order = [piece.name for piece in there.moment(there.clock.now()).pieces]
    assert order.index("r02") < order.index("r08")
    assert pose(there, "rail", "r02") == old
    assert there.fits(GAME.layout(after))
    assert not there.fits(GAME.layout(state))
    # Taken back: the card goes with the hand, and what it covered has not moved.
    bring(there, state)
    assert not [piece for piece in there.moment(there.clock.now()).pieces if piece.name == "r08"]
    assert pose(there, "rail", "r02") == old
    assert there.fits(GAME.layout(state))


def test_discards_pile_up_and_are_taken_off_together() -> None:
    state = some_rail()
    there = table(state)
    for top in ("r30", "r31", "r32"):
        state = replace(state, top=top, discard=(*state.discard, top))
        bring(there, state)
        assert [p.name for p in there.moment(there.clock.now()).pieces][-1] == top
    before = {piece.name for piece in there.moment(there.clock.now()).pieces}
    shuffled = replace(state, top="", discard=())
    start = there.clock.now()
    bring(there, shuffled)
    assert there.clock.now() - start < 1.5
    gone = before - {piece.name for piece in there.moment(there.clock.now()).pieces}
    assert gone == {"r40", "r30", "r31", "r32"}


def raid() -> tuple[World, TableMap]:
    """The emulated table at the beginning of a game of Rail Raiders."""
    game = games.load("rail_raiders_infinite")
    state = game.setup(("red", "blue"), packs.load(game, "house"), {})
    there, map = World(3, VirtualClock()), game.table_map(state)
    there.set_out(map, Layout(()), box_of(game, state))
    return there, map


def turn_up(there: World, map: TableMap, card: str) -> str:
    """Turn up another copy of that card; the name of the one that then lies on top of the pile."""
    layout = Layout((Piece("high_noon", card, "turned:high_noon"),))
    wanted = there.told_apart(layout)
    there.bring(map, wanted, only={(piece.kind, piece.name) for piece in wanted.pieces})
    settle(there)
    assert there.told_apart(layout) == wanted
    assert there.fits(layout)
    return [piece.name for piece in there.moment(there.clock.now()).pieces if piece.kind == "high_noon"][-1]


def test_a_copy_of_a_card_deep_in_a_pile_is_turned_up_onto_it() -> None:
    there, map = raid()
    copies = {token.name for token in map.tokens if token.alike == "downhill"}
    assert len(copies) > 1
    seen: set[str] = set()
    for _ in copies:
        turned = turn_up(there, map, "downhill")
        assert turned in copies - seen
        seen.add(turned)
        assert turn_up(there, map, "elbow_room").startswith("elbow_room")
    # They were all turned up: one was shuffled back, and comes once more.
    assert turn_up(there, map, "downhill") in copies


def test_the_draw_pile_lies_there_and_nobody_asks_for_it() -> None:
    there = table(opening())
    (pile,) = (piece for piece in there.moment(there.clock.now()).pieces if piece.kind == "back")
    draw = next(place for place in GAME.table_map(opening()).places if place.name == "draw")
    assert inside(draw, pile.at)
    assert there.fits(GAME.layout(opening()))


def test_pieces_of_no_concern_are_left_where_they_lie() -> None:
    state = some_rail()
    there = table(state)
    after = replace(state, top="r33", discard=("r40", "r33"), engines=(state.engines[2], *state.engines[1:]))
    there.bring(GAME.table_map(after), GAME.layout(after), only={("rail", "r33")})
    settle(there)
    assert there.late(GAME.layout(after)) == (Piece("engine", "red", "circle:G"),)
    bring(there, after)
    assert there.late(GAME.layout(after)) == ()


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_whatever_is_played_the_table_comes_to_lie_like_it(seed: int) -> None:
    """Through a random game, taken back now and then, all is brought to where each state has it."""
    chance = Random(seed)
    start = GAME.setup(SEATS, packs.load(GAME, "house"), {})
    bots = {seat: RandomBot(chance) for seat in SEATS}
    states = [state for state, _ in islice(course(GAME, start, bots, chance), 60)]
    there = table(states[0], seed)
    for number, state in enumerate(states):
        seen = states[max(0, number - 3)] if chance.random() < 0.1 else state
        layout = Layout(
            tuple(p for p in GAME.layout(seen).pieces if p.name != UNKNOWN), GAME.layout(seen).dice
        )
        there.bring(GAME.table_map(seen), layout)
        settle(there)
        assert there.fits(layout)
        lying = [piece.key for piece in there.moment(there.clock.now()).pieces if piece.kind != "back"]
        assert len(lying) == len(set(lying))
        assert {(piece.kind, piece.name) for piece in layout.pieces} <= set(lying)
