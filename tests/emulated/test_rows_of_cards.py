"""Cards in rows at the emulated table: how they come to lie, what one hand does, what goes with a play."""

from __future__ import annotations

from itertools import pairwise

import pytest

from companion.emulated.box import box_of
from companion.emulated.clock import VirtualClock
from companion.emulated.hands import REACH
from companion.emulated.placing import bounds
from companion.emulated.poses import PiecePose
from companion.emulated.world import World
from companion.games.hachi_train import GAME
from companion.games.hachi_train.actions import Pass
from companion.games.hachi_train.state import State
from companion.games.hachi_train.table import CARD, MARK, MARK_AT, field_place
from tests.rules.hachi_positions import do, play, position

SEVEN = ("5", "5", "5", "5", "5", "5/6", "5/6")


def table(state: State, seed: int = 1) -> World:
    """That state, set out."""
    world = World(seed, VirtualClock())
    world.set_out(GAME.table_map(state), GAME.layout(state), box_of(GAME, state))
    return world


def settle(world: World) -> tuple[PiecePose, ...]:
    world.clock.sleep(world.rests - world.clock.now() + 0.01)
    return world.moment(world.clock.now()).pieces


def cars(pieces: tuple[PiecePose, ...]) -> list[PiecePose]:
    return [piece for piece in pieces if piece.kind == "car"]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("count", [1, 2, 4, 5, 7])
def test_a_play_comes_in_one_hand_and_leaves_every_marker_free(count: int, seed: int) -> None:
    before = position(hands={"red": [*SEVEN, "1"]}, players=5)
    world = table(before, seed)
    after = do(before, play("red", *SEVEN[:count]))
    world.bring(GAME.table_map(after), GAME.layout(after))
    assert world.rests - world.clock.now() < 3 * REACH, "one hand brings all of them"
    laid = cars(settle(world))
    assert len(laid) == count
    place = next(place for place in GAME.table_map(after).places if place.name == field_place("red"))
    low, high = bounds(place)
    for piece in laid:
        assert low[0] + 25 < piece.at[0] < high[0] - 25
        assert low[1] + 35 < piece.at[1] < high[1] - 35
    # Later ones lie on earlier ones, to their right, and off their markers.
    for one, other in pairwise(laid):
        assert other.at[0] - one.at[0] > 38
        assert other.at[0] - CARD[0] / 2 > one.at[0] + MARK_AT[0] + MARK / 2 + 4


def test_what_is_played_over_goes_with_the_play_and_the_deck_does_not() -> None:
    before = position(field=["4", "4"], by="green", hands={"red": ["5", "5", "1"]}, deck=3)
    world = table(before)
    after = GAME.layout(do(before, play("red", "5", "5")))
    assert {kind for kind, _ in world.taken_up(after, drawn=False)} == {"car"}
    assert len(world.taken_up(after, drawn=False)) == 2
    passed = GAME.layout(do(before, Pass("red")))
    assert world.taken_up(passed, drawn=True) == {("back", "deck:3")}
    assert world.taken_up(passed, drawn=False) == frozenset()


def test_marks_that_are_printed_on_the_sheet_are_nobody_s_to_carry() -> None:
    state = position(deck=3)
    world = table(state)
    assert any(piece.kind == "mark" for piece in GAME.layout(state).pieces)
    assert {piece.kind for piece in settle(world)} == {"asset", "back"}
    assert world.fits(GAME.layout(state))


def test_a_row_that_was_not_cleared_is_laid_beside_or_over() -> None:
    for old, new in (("4", ("5",)), ("4", ("5", "5", "5", "5", "5"))):
        before = position(field=[old], by="red", turn="blue", hands={"red": [*new, "1"]}, players=5)
        world = table(before)
        after = do(position(hands={"red": [*new, "1"]}, players=5), play("red", *new))
        world.bring(GAME.table_map(after), GAME.layout(after), {("car", f"5 {at}") for at in range(1, 6)})
        first, *laid = cars(settle(world))
        assert first.name.startswith("4 ")
        assert len(laid) == len(new)
        beside = laid[0].at[0] - first.at[0] > CARD[0]
        assert beside == (len(new) == 1)
