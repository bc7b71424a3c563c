"""Boatman Tickets: HR-A30 to HR-A32, and the odd corners of crossing."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.game import AwaitedDice, Rolled
from companion.games.hellrail import GAME
from companion.games.hellrail.actions import Cross, Declare, EndTurn, Land, Move, Rammed
from companion.games.hellrail.state import (
    ACTIONS,
    BARRIER,
    CROSSING,
    DECLARE,
    GATE,
    LANDING,
    TICKETS,
    Rail,
    State,
)
from companion.games.hellrail.track import Position
from tests.rules.hellrail_positions import (
    FOUR,
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
    refused,
    tie,
)

GAP = {**line(1), (4, 0): ("straight4", 90), (5, 0): ("straight5", 90)}
"""Ties 1 to 4, two blank squares, and rail again."""

LANDED = Position((4, 0), "EW", 4, "E")
NEXT = Position((4, 0), "EW", 3, "E")


def ferry(**fields: object) -> State:
    """Red on tie 3 with a ticket and three points to go."""
    fields = {"engines": {"red": tie(3)}, "hands": {"red": ["v3b2"]}, "tickets": ["red"], **fields}
    return position(**{"rails": GAP, **fields})  # type: ignore[arg-type]


OVER = Cross("red", "v3b2", tie(4), "E", LANDED)


def test_a30_the_ticket_is_used_inside_a_move_and_goes_back_whatever_the_roll() -> None:
    state = ferry()
    assert may(state, Cross) == [OVER]
    assert named(state, OVER) == ("HR-A30",)
    state = do(state, OVER)
    assert (state.phase, engine(state, "red"), hand(state, "red")) == (CROSSING, tie(4), ())
    assert (state.discard, TICKETS - sum(state.tickets)) == (("v3b2",), 2)
    assert GAME.awaiting(state).chance == AwaitedDice("red", 1, "Boatman Ticket")
    assert not any(GAME.legal(state, seat) for seat in state.seats)
    for die in (2, 3):
        assert do(state, Rolled((die,))).tickets == (0, 0, 0)
    assert named(state, Rolled((3,))) == ("HR-A30",)


def test_a30_the_move_ends_on_the_first_tie_of_the_opposite_card() -> None:
    state = do(
        ferry(hands={"red": ["v9b1", "v1b1"]}), Cross("red", "v9b1", tie(4), "E", LANDED), Rolled((6,))
    )
    assert (engine(state, "red"), state.phase, in_turn(state)) == (LANDED, ACTIONS, "red")
    assert [move.to for move in may(state, Move)] == [LANDED, NEXT]


def test_a30_who_fails_derails_in_the_own_turn() -> None:
    state = do(ferry(hands={"red": ["v3b2", "spare1"]}, loaded={"red": ["from3to5"]}), OVER)
    assert {"HR-A18", "HR-A19", "HR-A30"} <= set(named(state, Rolled((2,))))
    state = do(state, Rolled((2,)))
    assert (engine(state, "red"), hand(state, "red"), in_turn(state)) == (circle(state, GATE), (), "blue")
    assert (state.crossing, state.turn_over) == (None, False)


@pytest.mark.parametrize(("card", "may_cross"), [("v1b1", False), ("v2b5", True)])
def test_a30_a_point_must_be_left(card: str, may_cross: bool) -> None:
    state = ferry(hands={"red": [card]})
    cross = Cross("red", card, tie(4), "E", LANDED)
    assert (cross in may(state, Cross)) is may_cross
    if not may_cross:
        ruling = refused(state, cross)
        assert (ruling.rule, ruling.section) == ("HR-A30", "Boatman Tickets")
        assert "1 tie to get there and one more" in ruling.sentence


def test_a30_on_rail_one_crosses_straight_on_from_the_last_tie() -> None:
    state = ferry(engines={"red": tie(2)}, hands={"red": ["v9b1"]})
    assert {(cross.at, cross.side) for cross in may(state, Cross)} == {(tie(4), "E")}
    for at, side in ((tie(3), "E"), (tie(4), "N"), (tie(1), "W")):
        assert "straight line" in refused(state, Cross("red", "v9b1", at, side, LANDED)).sentence
    back = ferry(engines={"red": tie(2, "W")}, hands={"red": ["v9b1"]})
    assert may(back, Cross) == []


def test_a30_out_of_a_circle_one_crosses_by_any_side_that_has_rail() -> None:
    rails = {(2, 0): ("straight1", 90), (0, 2): ("straight2", 0)}
    for sides, found in (("NESW", {"E", "S"}), ("NSW", {"S"})):
        state = position(
            made=pack(sides={"2": sides}),
            circles={"2": (0, 0)},
            rails=rails,
            engines={"red": "2"},
            hands={"red": ["v1b1"]},
            tickets=["red"],
        )
        assert {cross.side for cross in may(state, Cross)} == found
    cross = Cross("red", "v1b1", circle(state, "2"), "S", Position((0, 2), "NS", 1, "S"))
    assert engine(do(state, cross, Rolled((2,))), "red") == cross.to


def test_a30_from_a_circle_that_was_just_entered_one_needs_another_move() -> None:
    rails = {**line(1), (4, 0): ("straight4", 90)}
    state = position(
        rails=rails,
        circles={"2": (2, 0)},
        engines={"red": tie(4)},
        hands={"red": ["v9b1", "v1b1"]},
        tickets=["red"],
    )
    assert may(state, Cross) == []
    state = do(state, Move("red", "v9b1", circle(state, "2")), Declare("red", use=False))
    assert [(cross.card, cross.side) for cross in may(state, Cross)] == [("v1b1", "E")]


def test_a30_one_may_land_in_a_circle_and_enters_it() -> None:
    state = ferry(circles={"6": (3, 0)}, rails=line(1))
    cross = Cross("red", "v3b2", tie(4), "E", circle(state, "6"))
    assert may(state, Cross) == [cross]
    state = do(state, cross, Rolled((2,)))
    assert (engine(state, "red"), state.phase) == (circle(state, "6"), DECLARE)
    assert do(state, Declare("red", use=True)).chips == (1, 0, 0)


@pytest.mark.parametrize("far", [("straight4", 0), ("curve4", 0), ("curve4", 90)])
def test_a30_where_one_lands_there_must_be_rail_on_that_side(far: tuple[str, int]) -> None:
    state = ferry(rails={**line(1), (4, 0): far})
    assert may(state, Cross) == []
    assert may(ferry(rails={**line(1), (4, 0): ("curve4", 270)}), Cross) != []


def test_a30_nor_does_one_land_in_a_circle_without_rail_there() -> None:
    fields = {"circles": {"6": (3, 0)}, "rails": line(1)}
    assert may(ferry(made=pack(sides={"6": "NES"}), **fields), Cross) == []
    assert len(may(ferry(made=pack(sides={"6": "W"}), **fields), Cross)) == 1


def test_a30_nor_on_a_card_with_a_barrier() -> None:
    barred = Rail((4, 0), "straight4", 90, counters=(BARRIER,))
    assert may(ferry(rails={**line(1), (4, 0): barred}), Cross) == []


def test_a30_nor_where_what_stands_there_cannot_be_pushed_on() -> None:
    curve = [Position((4, 0), "NW", number, "N") for number in (3, 2, 1)]
    above = Rail((4, -1), "straight4", 0, counters=(BARRIER,))
    fields = {
        "seats": FOUR,
        "engines": {"red": tie(3), "blue": curve[0], "green": curve[1], "yellow": curve[2]},
    }
    assert may(ferry(rails={**line(1), (4, 0): ("curve4", 270), (4, -1): above}, **fields), Cross) == []
    assert may(ferry(rails={**line(1), (4, 0): ("curve4", 270)}, **fields), Cross) != []


def test_a30_without_blank_squares_there_is_nothing_to_cross() -> None:
    assert may(ferry(rails=line(3)), Cross) == []
    assert may(ferry(rails={**line(1), (2, 0): ("straight2", 0)}), Cross) == []


def test_a30_what_stands_where_one_lands_is_rammed_one_tie_on() -> None:
    state = do(ferry(engines={"red": tie(3), "blue": LANDED, "green": NEXT}), OVER)
    assert engine(state, "blue") == LANDED
    assert {"HR-A12", "HR-A15", "HR-A30"} <= set(named(state, Rolled((5,))))
    assert do(state, Rolled((1,))).engines[1:] == (LANDED, NEXT)
    state = do(state, Rolled((5,)))
    assert state.engines == (LANDED, NEXT, Position((4, 0), "EW", 2, "E"))
    assert in_turn(state) == "red"


def test_a30_a_line_of_them_may_be_rammed_off_the_end_by_landing() -> None:
    curve = [Position((4, 0), "NW", number, "N") for number in (3, 2, 1)]
    state = ferry(
        seats=FOUR,
        rails={**line(1), (4, 0): ("curve4", 270)},
        engines={"red": tie(3), "blue": curve[0], "green": curve[1], "yellow": curve[2]},
        hands={"red": ["v3b2"], "yellow": ["spare1"]},
        loaded={"yellow": ["from3to5"]},
    )
    state = do(state, Cross("red", "v3b2", tie(4), "E", curve[0]))
    assert {"HR-A06", "HR-A12", "HR-A16", "HR-A18", "HR-A19"} <= set(named(state, Rolled((3,))))
    state = do(state, Rolled((3,)))
    assert state.engines == (*curve, circle(state, GATE))
    assert (hand(state, "yellow"), state.loaded[3], in_turn(state)) == ((), (), "red")


def test_a30_at_a_fork_the_player_says_where_it_is_pushed() -> None:
    # Where one lands the branches share a tie; what stands there goes on by either of them.
    rails = {**line(1), (4, 0): ("shared1", 270)}
    there = Position((4, 0), "EW", 4, "E")
    state = ferry(rails=rails, engines={"red": tie(3), "blue": there})
    state = do(state, Cross("red", "v3b2", tie(4), "E", there), Rolled((3,)))
    assert (state.phase, GAME.awaiting(state).seats) == (LANDING, ("red",))
    straight_on, down = Position((4, 0), "EW", 3, "E"), Position((4, 0), "SW", 2, "S")
    assert may(state, Land) == [
        Land("red", (Rammed("blue", straight_on),)),
        Land("red", (Rammed("blue", down),)),
    ]
    assert refused(state, Land("red")).section == "Movement - Ramming"
    assert refused(state, Land("blue", (Rammed("blue", down),))).section == "Boatman Tickets"
    assert refused(state, EndTurn("red")).section == "Turn Sequence"
    assert {"HR-A10", "HR-A30"} <= set(named(state, Land("red", (Rammed("blue", down),))))
    state = do(state, Land("red", (Rammed("blue", down),)))
    assert (state.engines[:2], state.phase) == ((there, down), ACTIONS)


def test_a30_where_branches_share_no_tie_one_says_which_to_land_on() -> None:
    rails = {**line(1), (4, 0): ("fork1", 270)}
    state = ferry(rails=rails)
    assert {cross.to for cross in may(state, Cross)} == {
        Position((4, 0), "EW", 4, "E"),
        Position((4, 0), "SW", 3, "S"),
    }


def test_a30_one_may_ram_on_the_way_to_the_edge() -> None:
    state = ferry(
        rails=GAP,
        engines={"red": tie(3), "blue": tie(4)},
        hands={"red": ["v3b2"], "blue": ["spare1", "spare2"]},
    )
    cross = Cross("red", "v3b2", tie(4), "E", LANDED, (Rammed("blue"),))
    assert may(state, Cross) == [cross]
    assert {"HR-A06", "HR-A16", "HR-A18", "HR-A30"} <= set(named(state, cross))
    state = do(state, cross)
    assert (engine(state, "blue"), hand(state, "blue")) == (circle(state, GATE), ())
    assert (state.phase, state.top) == (CROSSING, "")
    assert engine(do(state, Rolled((3,))), "red") == LANDED


def test_a30_without_a_ticket_or_with_too_many_cars_nobody_crosses() -> None:
    assert "no Boatman Ticket" in refused(ferry(tickets=["blue"]), OVER).sentence
    heavy = ferry(loaded={"red": ["spare1", "spare2", "spare3"]})
    assert refused(heavy, OVER).section == "Card Actions - Move"


def far_apart(blanks: int, **options: str) -> State:
    return position(
        options=options,
        rails={**line(1), (2 + blanks, 0): ("straight4", 90)},
        engines={"red": tie(4)},
        hands={"red": ["v1b1"]},
        tickets=["red"],
    )


@pytest.mark.parametrize("blanks", [5, 6, 9])
def test_a31_six_and_more_may_be_tried_and_always_derail(blanks: int) -> None:
    state = far_apart(blanks)
    [cross] = may(state, Cross)
    assert ("HR-A31" in named(state, cross)) is (blanks > 5)
    [choice] = [choice for choice in GAME.prompt(state, "red", "v1b1").choices if choice.action == cross]
    assert bool(choice.warning) is (blanks > 5)
    after = do(state, cross, Rolled((6,)))
    assert (in_turn(after) == "red") is (blanks == 5)


def test_a31_or_they_may_not() -> None:
    state = far_apart(6, hopeless_crossing="refused")
    assert may(state, Cross) == []
    to = Position((8, 0), "EW", 4, "E")
    assert refused(state, Cross("red", "v1b1", tie(4), "E", to)).rule == "HR-A31"
    assert len(may(far_apart(5, hopeless_crossing="refused"), Cross)) == 1


def test_a32_who_is_rammed_off_uses_no_ticket() -> None:
    state = ferry(engines={"red": tie(3), "blue": tie(4)}, hands={"red": ["v1b1"]}, tickets=["red", "blue"])
    off = Move("red", "v1b1", tie(4), (Rammed("blue"),))
    assert "HR-A32" in named(state, off)
    assert "HR-A32" not in named(replace(state, tickets=(1, 0, 0)), off)
    state = do(state, off)
    assert (engine(state, "blue"), state.tickets) == (circle(state, GATE), (1, 1, 0))
    assert GAME.awaiting(state).seats == ("red",)


@pytest.mark.parametrize(("die", "follows"), [(2, "red"), (1, "blue")])
def test_who_was_rammed_into_a_circle_on_the_way_decides_after_the_crossing(die: int, follows: str) -> None:
    # The branches share their first tie. Blue is left aside there, and pushes the others on.
    branch = [Position((2, 0), "SW", number, "S") for number in (2, 1)]
    state = position(
        seats=FOUR,
        options={"rammed_into_circle": "decides"},
        rails={**line(1), (2, 0): ("shared1", 270), (4, 0): ("straight4", 90)},
        circles={"6": (2, 1)},
        engines={
            "red": tie(4),
            "blue": Position((2, 0), "EW", 4, "E"),
            "green": branch[0],
            "yellow": branch[1],
        },
        hands={"red": ["v9b1"]},
        tickets=["red"],
    )
    shed = (Rammed("blue", branch[0]), Rammed("green", branch[1]), Rammed("yellow", circle(state, "6")))
    cross = Cross("red", "v9b1", Position((2, 0), "EW", 1, "E"), "E", LANDED, shed)
    assert "HR-A14" in named(state, cross)
    state = do(state, cross)
    assert (state.entries, state.phase) == ((3,), CROSSING)
    state = do(state, Rolled((die,)))
    assert (state.phase, GAME.awaiting(state).seats, in_turn(state)) == (DECLARE, ("yellow",), "red")
    state = do(state, Declare("yellow", use=True))
    assert (state.chips, in_turn(state), state.phase) == ((0, 0, 0, 1), follows, ACTIONS)
    assert (state.entries, state.turn_over) == ((), False)
