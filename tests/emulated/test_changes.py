"""What people carry where: one hand after the other, what belongs below before what stands on it."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from companion.emulated.changes import Change, changes
from companion.games.hellrail.state import Rail, State
from companion.games.hellrail.track import Position
from companion.games.layout import Layout, Piece
from tests.emulated.hellrail import GAME, SEATS, some_rail

SIDES = {"rail": 60.0, "circle": 60.0, "engine": 18.0}
STATE = some_rail()


def lead(lying: tuple[Piece, ...], state: State, seed: int = 0) -> list[Change]:
    layout, map = GAME.layout(state), GAME.table_map(state)
    return list(changes(lying, layout, map, lambda kind, name: SIDES[kind], Random(seed)))


def pieces(state: State) -> tuple[Piece, ...]:
    found: tuple[Piece, ...] = GAME.layout(state).pieces
    return found


def with_rail(state: State, *rails: Rail) -> State:
    cells = {rail.cell for rail in rails}
    kept = (rail for rail in state.rails if rail.cell not in cells)
    return replace(state, rails=tuple(sorted((*kept, *rails))))


def test_nothing_is_done_where_all_lies_as_it_should() -> None:
    assert lead(pieces(STATE), STATE) == []


def test_an_upgrade_covers_the_old_card_which_stays() -> None:
    after = with_rail(STATE, Rail((4, 3), "r08", 0, (("r02", 90),)))
    assert lead(pieces(STATE), after) == [Change((("rail", "r08"),), (Piece("rail", "r08", "cell:4,3", 0),))]


def test_an_upgrade_that_is_taken_back_goes_off_the_table() -> None:
    covered = Piece("rail", "r02", "cell:4,3", 90)
    lying = [piece for piece in pieces(STATE) if piece != covered]
    lying += [covered, Piece("rail", "r08", "cell:4,3", 0)]
    assert lead(tuple(lying), STATE) == [Change((("rail", "r08"),))]


def test_scrapped_rail_goes_to_the_discard_pile_and_shows_what_it_covered() -> None:
    covered = Piece("rail", "r02", "cell:4,3", 90)
    lying = (
        covered,
        *(piece for piece in pieces(STATE) if piece != covered),
        Piece("rail", "r08", "cell:4,3"),
    )
    after = replace(STATE, top="r08")
    assert lead(lying, after) == [Change((("rail", "r08"),), (Piece("rail", "r08", "discard"),))]


def test_a_pile_is_taken_off_as_one_and_grows_card_by_card() -> None:
    pile = (Piece("rail", "r30", "discard"), Piece("rail", "r31", "discard"), Piece("rail", "r40", "discard"))
    lying = (*(piece for piece in pieces(STATE) if piece.place != "discard"), *pile)
    keys = tuple((piece.kind, piece.name) for piece in pile)
    assert lead(lying, replace(STATE, top="", discard=())) == [Change(keys)]
    assert lead(lying, replace(STATE, top="r33")) == [
        Change((("rail", "r33"),), (Piece("rail", "r33", "discard"),))
    ]
    # The card that was discarded last is taken back.
    assert lead(lying, replace(STATE, top="r31")) == [Change((("rail", "r40"),))]


@pytest.mark.parametrize("seed", range(20))
def test_rail_is_laid_before_the_engine_on_it_and_a_pushed_engine_goes_first(seed: int) -> None:
    grown = with_rail(STATE, Rail((6, 4), "r14", 90))
    far, near = Position((6, 4), "EW", 1, "E"), Position((5, 4), "EW", 3, "W")
    after = replace(grown, engines=(near, far, STATE.engines[2]), top="r41")
    done = [change.taken[0] for change in lead(pieces(STATE), after, seed)]
    assert sorted(done) == sorted([("rail", "r14"), ("rail", "r41"), ("engine", "blue"), ("engine", "red")])
    assert done.index(("rail", "r14")) < done.index(("engine", "blue")) < done.index(("engine", "red"))


def test_two_that_change_places_are_both_carried() -> None:
    red, blue, green = STATE.engines
    changed = lead(pieces(STATE), replace(STATE, engines=(blue, red, green)))
    assert sorted(change.taken[0][1] for change in changed) == ["blue", "red"]


def test_a_card_turned_and_an_engine_turned_are_carried() -> None:
    # This card's rail lies the same upside down: 180 is as good as 0, and 270 as 90, where it lies.
    turned = with_rail(STATE, Rail((4, 3), "r02", 180))
    assert [change.to[0].turn for change in lead(pieces(STATE), turned)] == [0]
    assert lead(pieces(STATE), with_rail(STATE, Rail((4, 3), "r02", 270))) == []
    about = replace(STATE, engines=(replace(STATE.engines[0], facing="N"), *STATE.engines[1:]))
    (change,) = lead(pieces(STATE), about)
    assert change.taken == (("engine", SEATS[0]),)


def test_people_do_not_always_take_the_same_order() -> None:
    after = replace(STATE, engines=(STATE.engines[2], *STATE.engines[1:]), top="r41")
    orders = {tuple(change.taken for change in lead(pieces(STATE), after, seed)) for seed in range(20)}
    assert len(orders) == 2


def test_a_place_that_is_not_there_is_named() -> None:
    moon = Layout((Piece("engine", "red", "moon"), Piece("rail", "r01", "cell:3,4")), ())
    with pytest.raises(ValueError, match="moon"):
        changes((), moon, GAME.table_map(STATE), lambda kind, name: SIDES[kind], Random(0))
