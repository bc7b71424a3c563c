"""Movement and ramming, ruling by ruling."""

from __future__ import annotations

import pytest

from companion.games.hellrail.actions import Declare, EndTurn, LayRail, Move, Rammed, UpgradeRail
from companion.games.hellrail.state import ACTIONS, GATE
from companion.games.hellrail.track import Position
from tests.rules.hellrail_positions import (
    FOUR,
    TRIO,
    circle,
    do,
    engine,
    hand,
    in_turn,
    line,
    may,
    named,
    pack,
    position,
    rail,
    refused,
    tie,
)

WALL = {**line(1), (2, 0): ("straight2", 0)}


def test_a05_rail_without_rail_beyond_is_its_end() -> None:
    state = position(rails=WALL, engines={"red": tie(4)}, hands={"red": ["v1b1"]})
    assert {"HR-A05", "HR-A07"} <= set(named(state, Move("red", "v1b1", None)))
    assert in_turn(do(state, Move("red", "v1b1", None))) == "blue"
    assert "HR-A06" not in named(state, Move("red", "v1b1", None))


def test_a05_or_it_is_blocked_for_who_moves_and_for_who_is_pushed() -> None:
    blocked = {"rail_without_rail": "blocked"}
    state = position(options=blocked, rails=WALL, engines={"red": tie(4)}, hands={"red": ["v1b1"]})
    assert [move.to for move in may(state, Move)] == [tie(4)]
    assert refused(state, Move("red", "v1b1", None)).rule == "HR-A05"
    pushed = {"red": tie(2), "blue": tie(4)}
    state = position(options=blocked, rails=WALL, engines=pushed, hands={"red": ["v3b2"]})
    assert [move.to for move in may(state, Move)] == [tie(2), tie(3)]
    ruling = refused(state, Move("red", "v3b2", tie(4), (Rammed("blue"),)))
    assert (ruling.section, "cannot be pushed on" in ruling.sentence) == ("Movement - No Passing", True)
    state = position(rails=WALL, engines=pushed, hands={"red": ["v3b2"]})
    off = Move("red", "v3b2", tie(4), (Rammed("blue"),))
    assert "HR-A05" in named(state, off)
    assert engine(do(state, off), "blue") == circle(state, GATE)


def test_a05_off_the_board_is_no_matter_of_the_switch() -> None:
    state = position(
        options={"rail_without_rail": "blocked"},
        rails=line(1),
        engines={"red": tie(4)},
        hands={"red": ["v1b1"]},
    )
    assert may(state, Move)[-1] == Move("red", "v1b1", None)


def test_a05_a_circle_without_rail_on_that_side_is_an_end_too() -> None:
    for blocked, ends in (("derails", [tie(4), None]), ("blocked", [tie(4)])):
        state = position(
            made=pack(sides={"5": "NES"}),
            options={"rail_without_rail": blocked},
            rails=line(1),
            circles={"5": (2, 0)},
            engines={"red": tie(4)},
            hands={"red": ["v1b1"]},
        )
        assert [move.to for move in may(state, Move)] == ends


def test_a09_facing_is_remembered_over_moves_and_turns() -> None:
    state = position(rails=line(), engines={"red": tie(6, "W")}, hands={"red": ["v2b5"], "blue": ["v1b1"]})
    assert "HR-A09" in named(state, Move("red", "v2b5", tie(5, "W")))
    state = do(state, Move("red", "v2b5", tie(5, "W")), *(EndTurn(seat) for seat in TRIO))
    assert in_turn(state) == "red"
    assert {move.to for move in may(state, Move)} == {tie(number, "W") for number in range(1, 6)} | {None}


def test_a09_facing_is_free_again_in_a_circle() -> None:
    rails = {(1, 0): ("straight1", 90), (3, 0): ("straight3", 90)}
    state = position(
        rails=rails, circles={"2": (2, 0)}, engines={"red": tie(4)}, hands={"red": ["v1b1", "v2b5"]}
    )
    state = do(state, Move("red", "v1b1", circle(state, "2")), Declare("red", use=False))
    assert {move.to for move in may(state, Move)} == {
        circle(state, "2"),
        tie(4, "W"),
        tie(3, "W"),
        Position((3, 0), "EW", 4, "E"),
        Position((3, 0), "EW", 3, "E"),
    }
    assert named(state, Move("red", "v2b5", tie(4, "W"))) == ("HR-A36",)


BEND = {(1, 0): ("straight1", 90), (2, 0): ("curve2", 180), (2, 1): ("straight3", 0)}
"""A line to the right that bends down."""


@pytest.mark.parametrize(("facing", "after"), [("E", "S"), ("W", "W")])
def test_a10_round_a_curve_an_engine_keeps_facing_to_or_away_from_the_rammer(facing: str, after: str) -> None:
    state = position(rails=BEND, engines={"red": tie(3), "blue": tie(4, facing)}, hands={"red": ["v3b2"]})
    round_the_bend = Position((2, 0), "SW", 2, "S" if after == "S" else "W")
    move = Move("red", "v3b2", Position((2, 0), "SW", 3, "S"), (Rammed("blue", round_the_bend),))
    assert "HR-A10" in named(state, move)
    assert engine(do(state, move), "blue") == round_the_bend


def test_a11_a_head_on_push_leaves_the_other_facing_its_rammer() -> None:
    state = position(
        rails=line(),
        engines={"red": tie(2), "blue": tie(4, "W")},
        hands={"red": ["v3b2"], "blue": ["v4b1"]},
    )
    push = Move("red", "v3b2", tie(5), (Rammed("blue", tie(6, "W")),))
    assert {"HR-A11", "HR-A15"} <= set(named(state, push))
    assert "HR-A10" not in named(state, push)
    state = do(state, push, EndTurn("red"))
    # Blue's own Move goes the way that it faces, and rams the rammer.
    back = Move("blue", "v4b1", tie(4, "W"), (Rammed("red", tie(3, "E")),))
    assert back in may(state, Move, "blue")
    assert {move.to for move in may(state, Move, "blue")} == {tie(number, "W") for number in range(1, 7)}


def test_a12_one_engine_to_a_tie_and_the_whole_line_shifts() -> None:
    state = position(
        seats=FOUR,
        rails=line(),
        engines={"red": tie(1), "blue": tie(4), "green": tie(3, "W"), "yellow": tie(5)},
        hands={"red": ["v2b5"]},
    )
    shift = (Rammed("blue", tie(5)), Rammed("green", tie(4, "W")), Rammed("yellow", tie(6)))
    assert "HR-A12" in named(state, Move("red", "v2b5", tie(3), shift))
    assert [move for move in may(state, Move) if move.to == tie(3)] == [Move("red", "v2b5", tie(3), shift)]


def test_a12_the_last_of_a_line_is_pushed_off_the_end() -> None:
    state = position(
        seats=FOUR,
        rails=line(1),
        engines={"red": tie(1), "blue": tie(2), "green": tie(3), "yellow": tie(4)},
        hands={"red": ["v3b2"], "yellow": ["spare1"]},
    )
    one = Move("red", "v3b2", tie(2), (Rammed("blue", tie(3)), Rammed("green", tie(4)), Rammed("yellow")))
    two = Move("red", "v3b2", tie(3), (Rammed("blue", tie(4)), Rammed("green"), Rammed("yellow")))
    all_of_them = Move("red", "v3b2", tie(4), (Rammed("blue"), Rammed("green"), Rammed("yellow")))
    assert [move for move in may(state, Move) if move.rammed] == [one, two, all_of_them]
    after = do(state, one)
    assert after.engines == (tie(2), tie(3), tie(4), circle(state, GATE))
    after = do(state, all_of_them)
    assert after.engines == (tie(4), *[circle(state, GATE)] * 3)


FORKED = {**line(1), (2, 0): ("fork1", 270), (3, 0): ("straight3", 90), (2, 1): ("straight2", 0)}
"""Ties 1 to 4, then a fork: straight on to the right, or down."""
STRAIGHT_ON = [Position((2, 0), "EW", number, "E") for number in (4, 3, 2, 1)]
DOWN = [Position((2, 0), "SW", number, "S") for number in (3, 2, 1)]


def test_a13_the_rammer_decides_for_each_engine_that_comes_to_the_fork() -> None:
    state = position(
        rails=FORKED,
        engines={"red": tie(2), "blue": tie(3), "green": tie(4)},
        hands={"red": ["v2b5"]},
    )
    after = {move.rammed for move in may(state, Move) if move.to == tie(4)}
    on, down = STRAIGHT_ON, DOWN
    assert after == {
        (Rammed("blue", on[0]), Rammed("green", on[1])),
        (Rammed("blue", down[0]), Rammed("green", on[0])),
        (Rammed("blue", on[0]), Rammed("green", down[0])),
        (Rammed("blue", down[0]), Rammed("green", down[1])),
    }
    shed = Move("red", "v2b5", tie(4), (Rammed("blue", down[0]), Rammed("green", on[0])))
    assert "HR-A13" in named(state, shed)
    no_fork = (Rammed("blue", tie(4)), Rammed("green", tie(5)))
    plain = position(
        rails=line(),
        engines={"red": tie(2), "blue": tie(3), "green": tie(4)},
        hands={"red": ["v2b5"]},
    )
    assert named(plain, Move("red", "v2b5", tie(3), no_fork)) == ("HR-A09", "HR-A12", "HR-A15")


def test_a13_one_that_is_left_aside_pushes_what_stood_there_by_one_tie() -> None:
    state = position(
        rails=FORKED,
        engines={"red": tie(3), "blue": tie(4), "green": DOWN[0]},
        hands={"red": ["v2b5"]},
    )
    shed = (Rammed("blue", DOWN[0]), Rammed("green", DOWN[1]))
    assert Move("red", "v2b5", STRAIGHT_ON[0], shed) in may(state, Move)
    after = do(state, Move("red", "v2b5", STRAIGHT_ON[0], shed))
    assert after.engines == (STRAIGHT_ON[0], DOWN[0], DOWN[1])


def test_a15_contact_is_when_the_tie_is_reached_and_costs_nothing() -> None:
    state = position(rails=line(), engines={"red": tie(2), "blue": tie(3)}, hands={"red": ["v4b1"]})
    assert may(state, Move)[-1] == Move("red", "v4b1", tie(6), (Rammed("blue", tie(7)),))
    assert named(state, may(state, Move)[1]) == ("HR-A09", "HR-A15")


def test_a16_the_move_goes_on_after_somebody_is_rammed_off() -> None:
    state = position(
        rails=line(1),
        engines={"red": tie(2), "blue": tie(4)},
        hands={"red": ["v3b2", "v1b1"], "blue": ["spare1"]},
        loaded={"blue": ["from3to5", "from3to9"]},
        delivered={"blue": ["from4to3"]},
        tickets=["blue"],
        chips=["blue"],
    )
    off = Move("red", "v3b2", tie(4), (Rammed("blue"),))
    assert {"HR-A16", "HR-A17", "HR-A18", "HR-A19", "HR-A32"} <= set(named(state, off))
    # With the third point Red would go off the end as well.
    assert Move("red", "v3b2", None, (Rammed("blue"),)) in may(state, Move)
    state = do(state, off)
    assert (in_turn(state), state.phase, may(state, Move)[-1].to) == ("red", ACTIONS, None)
    state = do(state, EndTurn("red"))
    assert in_turn(state) == "blue"
    assert len(hand(state, "blue")) == 1


# HR-A34 to HR-A36: how rail joins


def test_a34_several_segments_beyond_a_side_are_a_fork() -> None:
    state = position(rails=FORKED, engines={"red": tie(4)}, hands={"red": ["v1b1"]})
    assert {move.to for move in may(state, Move)} == {tie(4), STRAIGHT_ON[0], DOWN[0]}


def test_a34_several_segments_at_the_near_side_are_a_merge() -> None:
    up_the_branch = Position((2, 0), "SW", 1, "W")
    state = position(rails=FORKED, engines={"red": up_the_branch}, hands={"red": ["v4b1"]})
    assert {move.to for move in may(state, Move)} == {
        *(Position((2, 0), "SW", number, "W") for number in (1, 2, 3)),
        tie(4, "W"),
        tie(3, "W"),
    }


def test_a34_rail_joins_where_both_cards_have_some_at_the_side() -> None:
    state = position(rails=line(1), hands={"red": ["curve1"]})
    assert named(state, LayRail("red", "curve1", (2, 0), 270)) == ("HR-A34",)
    assert named(state, LayRail("red", "curve1", (2, 0), 0)) == ("HR-A04",)
    below_the_gate = LayRail("red", "curve1", (3, 4), 0)
    assert named(position(hands={"red": ["curve1"]}), below_the_gate) == ("HR-A34",)


SHARED = {**line(1), (2, 0): ("shared1", 270), (3, 0): ("straight3", 90), (2, 1): ("straight2", 0)}
"""Ties 1 to 4, then a fork whose branches share their first tie."""
STEM = Position((2, 0), "EW", 4, "E")


def test_a35_branches_share_the_ties_that_the_card_says() -> None:
    state = position(rails=SHARED, engines={"red": tie(4)}, hands={"red": ["v2b5"]})
    assert [move.to for move in may(state, Move)] == [
        tie(4),
        STEM,
        Position((2, 0), "EW", 3, "E"),
        Position((2, 0), "SW", 2, "S"),
    ]
    assert "HR-A35" in named(state, Move("red", "v2b5", STEM))
    plain = position(rails=FORKED, engines={"red": tie(4)}, hands={"red": ["v2b5"]})
    assert "HR-A35" not in named(plain, Move("red", "v2b5", STRAIGHT_ON[0]))


def test_a35_a_shared_tie_is_one_place_from_either_branch() -> None:
    # Blue has come up the branch that names the tie second, and stands on the shared one.
    state = position(
        rails=SHARED,
        engines={"red": Position((2, 0), "EW", 2, "W"), "blue": Position((2, 0), "EW", 4, "W")},
        hands={"red": ["v2b5"]},
    )
    assert [move.rammed for move in may(state, Move) if move.to == Position((2, 0), "EW", 4, "W")] == [
        (Rammed("blue", tie(4, "W")),)
    ]
    down = position(
        rails=SHARED,
        engines={"red": Position((2, 0), "SW", 2, "W"), "blue": STEM},
        hands={"red": ["v1b1"]},
    )
    # Head-on: Blue is pushed back onto the line, and faces Red still.
    assert [move.rammed for move in may(down, Move) if move.rammed] == [(Rammed("blue", tie(4, "E")),)]


def test_a35_from_a_shared_tie_one_may_go_on_by_any_branch() -> None:
    state = position(rails=SHARED, engines={"red": STEM}, hands={"red": ["v1b1"]})
    assert {move.to for move in may(state, Move)} == {
        STEM,
        Position((2, 0), "EW", 3, "E"),
        Position((2, 0), "SW", 2, "S"),
    }


def test_a35_an_upgrade_may_share_ties_that_the_old_card_did_not() -> None:
    for old, new in (("fork1", "shared1"), ("shared1", "fork1")):
        state = position(rails={**line(1), (2, 0): (old, 270)}, hands={"red": [new]})
        assert [up.turn for up in may(state, UpgradeRail) if up.cell == (2, 0)] == [270]
        after = do(state, UpgradeRail("red", new, (2, 0), 270))
        moved = position(
            rails={**line(1), (2, 0): (new, 270)}, engines={"red": tie(4)}, hands={"red": ["v1b1"]}
        )
        ends = {move.to for move in may(moved, Move)} - {tie(4)}
        assert len(ends) == (1 if new == "shared1" else 2)
        assert rail(after, (2, 0)).covered == ((old, 270),)


def test_a36_the_first_tie_out_of_a_circle_costs_one_point() -> None:
    state = position(rails={(4, 3): ("curve1", 180)}, hands={"red": ["v1b1"]})
    out = Move("red", "v1b1", Position((4, 3), "SW", 3, "S"))
    assert [move.to for move in may(state, Move)] == [circle(state, GATE), out.to]
    assert named(state, out) == ("HR-A36",)
