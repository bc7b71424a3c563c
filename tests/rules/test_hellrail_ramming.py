"""The odd corners of movement: chains, loops, forks, Circles and barriers."""

from __future__ import annotations

from companion.games.hellrail.actions import Move, Rammed
from companion.games.hellrail.state import BARRIER, COIN, Rail
from companion.games.hellrail.track import Position, reversed_spot
from tests.rules.hellrail_positions import (
    FOUR,
    Rails,
    circle,
    do,
    line,
    may,
    position,
    refused,
    tie,
)

FORKED = {**line(1), (2, 0): ("fork1", 270), (3, 0): ("straight3", 90), (2, 1): ("straight2", 0)}
"""Ties 1 to 4, then a fork: straight on to the right, or down."""
STRAIGHT_ON = [Position((2, 0), "EW", number, "E") for number in (4, 3, 2, 1)]
DOWN = [Position((2, 0), "SW", number, "S") for number in (3, 2, 1)]


def test_an_engine_is_not_rammed_while_it_stands_on_another_branch() -> None:
    state = position(rails=FORKED, engines={"red": tie(4), "blue": DOWN[0]}, hands={"red": ["v1b1"]})
    assert Move("red", "v1b1", STRAIGHT_ON[0]) in may(state, Move)


def test_on_a_diamond_nobody_is_in_the_other_ones_way() -> None:
    state = position(
        rails={**line(1), (2, 0): ("diamond", 0), (3, 0): ("straight3", 90)},
        engines={"red": tie(4), "blue": Position((2, 0), "NS", 2, "S")},
        hands={"red": ["v5b5"]},
    )
    assert Move("red", "v5b5", Position((3, 0), "EW", 4, "E")) in may(state, Move)


def test_three_ways_from_one_side() -> None:
    state = position(
        rails={**line(1), (2, 0): ("three", 270)}, engines={"red": tie(4)}, hands={"red": ["v1b1"]}
    )
    assert {move.to.segment for move in may(state, Move) if move.to.cell == (2, 0)} == {"NW", "EW", "SW"}


LOOP = {
    (0, 6): ("curve1", 90),
    (1, 6): ("curve2", 180),
    (0, 7): ("curve3", 0),
    (1, 7): ("curve4", 270),
}
"""Four curves that close to a circle of twelve ties."""


ROUND = [
    Position(cell, segment, number, facing)
    for cell, segment, ties, facing in (
        ((0, 6), "ES", (3, 2, 1), "E"),
        ((1, 6), "SW", (3, 2, 1), "S"),
        ((1, 7), "NW", (1, 2, 3), "W"),
        ((0, 7), "NE", (3, 2, 1), "N"),
    )
    for number in ties
]
"""The ties of the loop, clockwise."""


def test_a_chain_is_rammed_round_a_loop_to_where_the_rammer_came_from() -> None:
    state = position(
        seats=FOUR,
        rails=LOOP,
        engines=dict(zip(FOUR, ROUND, strict=False)),
        hands={"red": ["v9b1"]},
    )
    rams = tuple(Rammed(seat, ROUND[at % 12]) for at, seat in ((10, "blue"), (11, "green"), (12, "yellow")))
    farthest = may(state, Move)[-1]
    assert (farthest.to, farthest.rammed) == (ROUND[9], rams)
    assert do(state, farthest).engines == (ROUND[9], ROUND[10], ROUND[11], ROUND[0])


def test_engines_that_face_each_other_are_rammed_round_a_loop_as_they_face() -> None:
    back = [Position(on.cell, *reversed_spot(on.spot)) for on in ROUND]
    state = position(
        rails=LOOP,
        engines={"red": ROUND[0], "blue": back[4], "green": ROUND[5]},
        hands={"red": ["v7b1"]},
    )
    state = do(state, Move("red", "v7b1", ROUND[7], (Rammed("blue", back[8]), Rammed("green", ROUND[9]))))
    assert state.engines == (ROUND[7], back[8], ROUND[9])


def test_a_chain_is_rammed_into_a_circle_one_after_the_other_and_the_rammer_follows() -> None:
    state = position(
        rails=line(1),
        circles={"5": (2, 0)},
        engines={"red": tie(1), "blue": tie(2), "green": tie(4)},
        hands={"red": ["v4b1"]},
    )
    there = circle(state, "5")
    assert [move.rammed for move in may(state, Move)] == [
        (),
        (Rammed("blue", tie(3)),),
        (Rammed("blue", tie(4)), Rammed("green", there)),
        (Rammed("blue", there), Rammed("green", there)),
        (Rammed("blue", there), Rammed("green", there)),
    ]
    assert set(do(state, may(state, Move)[-1]).engines) == {there}


def test_nobody_is_rammed_out_of_a_circle() -> None:
    state = position(
        rails={**line(1), (3, 0): ("straight3", 90)},
        circles={"5": (2, 0)},
        engines={"red": tie(3), "blue": "5"},
        hands={"red": ["v9b1"]},
    )
    assert {(move.to, move.rammed) for move in may(state, Move)} == {
        (tie(3), ()),
        (tie(4), ()),
        (circle(state, "5"), ()),
    }
    beyond = Position((3, 0), "EW", 4, "E")
    assert refused(state, Move("red", "v9b1", beyond)).section == "Movement - Entering a Circle"


def test_two_are_rammed_in_one_move_one_left_aside_and_one_kept_ahead() -> None:
    state = position(
        rails=FORKED,
        engines={"red": tie(3), "blue": tie(4), "green": STRAIGHT_ON[1]},
        hands={"red": ["v4b1"]},
    )
    rams = (Rammed("blue", DOWN[0]), Rammed("green", STRAIGHT_ON[3]))
    assert Move("red", "v4b1", STRAIGHT_ON[2], rams) in may(state, Move)
    both = (Rammed("blue", STRAIGHT_ON[3]), Rammed("green", Position((3, 0), "EW", 4, "E")))
    assert Move("red", "v4b1", STRAIGHT_ON[2], both) in may(state, Move)


def test_coming_out_of_a_branch_one_rams_what_stands_on_the_line() -> None:
    up = [Position((2, 0), "SW", number, "W") for number in (1, 2, 3)]
    state = position(
        rails=FORKED,
        engines={"red": up[1], "blue": tie(4, "W"), "green": Position((2, 0), "EW", 4, "W")},
        hands={"red": ["v2b5"]},
    )
    assert may(state, Move)[-1] == Move("red", "v2b5", tie(4, "W"), (Rammed("blue", tie(3, "W")),))


BARRED: Rails = {**line(1), (2, 0): Rail((2, 0), "straight2", 90, counters=(BARRIER, COIN))}


def test_a_barrier_lets_nobody_onto_its_card_neither_moving_nor_pushed() -> None:
    state = position(rails=BARRED, engines={"red": tie(3)}, hands={"red": ["v5b5"]})
    assert [move.to for move in may(state, Move)] == [tie(3), tie(4)]
    ruling = refused(state, Move("red", "v5b5", tie(5)))
    assert "barrier" in ruling.sentence
    assert refused(state, Move("red", "v5b5", None)).section == "Movement - End of Rail"
    state = position(rails=BARRED, engines={"red": tie(2), "blue": tie(4)}, hands={"red": ["v5b5"]})
    assert [move.to for move in may(state, Move)] == [tie(2), tie(3)]
    assert "cannot be pushed on" in refused(state, Move("red", "v5b5", tie(4))).sentence


def test_a_coin_is_in_nobodys_way_and_a_barrier_holds_nobody_who_is_there() -> None:
    coin: Rails = {**line(1), (2, 0): Rail((2, 0), "straight2", 90, counters=(COIN,))}
    state = position(rails=coin, engines={"red": tie(4)}, hands={"red": ["v1b1"]})
    assert Move("red", "v1b1", tie(5)) in may(state, Move)
    state = position(rails=BARRED, engines={"red": tie(6, "W")}, hands={"red": ["v3b2"]})
    assert may(state, Move)[-1].to == tie(3, "W")


def test_a_barrier_on_a_branch_leaves_the_other_one() -> None:
    below = Rail((2, 1), "straight2", 0, counters=(BARRIER,))
    state = position(
        rails={**FORKED, (2, 1): below},
        engines={"red": tie(4), "blue": DOWN[2]},
        hands={"red": ["v3b2"]},
    )
    assert {move.to.segment for move in may(state, Move) if move.to.cell == (2, 0)} == {"EW", "SW"}
    assert DOWN[2] not in {move.to for move in may(state, Move)}


def test_how_far_away_is_said_even_beyond_any_card() -> None:
    state = position(rails=line(3), engines={"red": tie(1)}, hands={"red": ["v9b1"]})
    ruling = refused(state, Move("red", "v9b1", tie(12)))
    assert ruling.sentence == "Tie 1 of E-W on D1 is 11 ties away, and v9b1 moves up to 9."


def test_a_place_that_there_is_not_is_refused_in_words() -> None:
    state = position(rails=line(1), engines={"red": tie(1)}, hands={"red": ["v9b1"]})
    for nowhere in (
        Position((9, 9)),
        Position((1, 0)),
        Position((1, 0), "E", 1, "E"),
        Position((1, 0), "NS", 1, "S"),
        Position((1, 0), "EW", 9, "E"),
        Position((-700, 10**12), "", 3, "sideways"),
    ):
        assert refused(state, Move("red", "v9b1", nowhere)).section == "Movement - Stay On Rail Ties"
    assert refused(state, Move("red", "v9b1", tie(2), (Rammed("blue", tie(3)),))).section.endswith("Ramming")


def test_at_a_barrier_the_rail_does_not_end_though_its_card_has_none_on_that_side() -> None:
    crosswise: Rails = {**line(1), (2, 0): Rail((2, 0), "straight2", 0, counters=(BARRIER,))}
    state = position(rails=crosswise, engines={"red": tie(3), "blue": tie(4)}, hands={"red": ["v5b5"]})
    assert [move.to for move in may(state, Move)] == [tie(3)]


def test_circles_that_lie_side_by_side_are_one_tie_apart() -> None:
    state = position(
        circles={"5": (2, 0), "6": (3, 0)},
        engines={"red": "5", "blue": "6"},
        hands={"red": ["v9b1"]},
    )
    there = circle(state, "6")
    assert [move.to for move in may(state, Move)] == [circle(state, "5"), there]
    assert set(do(state, Move("red", "v9b1", there)).engines[:2]) == {there}
