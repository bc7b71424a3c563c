"""The cases of the rulebook, one test each, named by the case's id."""

from __future__ import annotations

import pytest

from companion.games.game import Rolled, Shuffled
from companion.games.hellrail import GAME
from companion.games.hellrail.actions import (
    Cross,
    Declare,
    EndTurn,
    Fan,
    LayRail,
    Move,
    Pickup,
    PlaceCircle,
    Rammed,
    SpendChip,
    UpgradeRail,
)
from companion.games.hellrail.state import (
    ACTIONS,
    CHIPS,
    COIN,
    CROSSING,
    DECLARE,
    HERESY,
    TICKETS,
    Rail,
    State,
)
from companion.games.hellrail.track import Position
from tests.rules.hellrail_positions import (
    NAMES,
    TRIO,
    circle,
    counted,
    do,
    engine,
    hand,
    in_turn,
    line,
    may,
    pack,
    position,
    rail,
    refused,
    tie,
    train,
)

CORNER = {(4, 3): ("curve1", 180)}
"""A curve from the Gate, on its left, to Circle 1, below it."""


def test_hr_01_three_players_are_set_up() -> None:
    state = do(GAME.setup(TRIO, pack(), {}), Shuffled(NAMES))
    assert counted(state.hands) == [3, 3, 3]
    assert len(state.deck) == 36
    assert state.discard + state.buried == ()
    assert set(state.engines) == {circle(state, "G")}
    assert (CHIPS - sum(state.chips), TICKETS - sum(state.tickets)) == (4, 2)
    assert state.rails == ()


def test_hr_03_three_points_stop_short_of_the_diagonal_circle() -> None:
    state = position(rails=CORNER, hands={"red": ["v3b2"]})
    stops = [move.to for move in may(state, Move) if move.to != circle(state, "G")]
    assert stops == [Position((4, 3), "SW", tie, "S") for tie in (3, 2, 1)]
    ruling = refused(state, Move("red", "v3b2", circle(state, "1")))
    assert ruling.sentence == "Circle 1 is 4 ties away, and v3b2 moves up to 3."


def test_hr_04_four_points_enter_the_diagonal_circle() -> None:
    state = position(rails=CORNER, hands={"red": ["v4b1"]})
    state = do(state, Move("red", "v4b1", circle(state, "1")))
    assert engine(state, "red") == circle(state, "1")


def test_hr_06_brimstone_says_which_card_moves_two_cars() -> None:
    state = position(
        rails=line(),
        engines={"red": tie(1)},
        hands={"red": ["v7b1", "v3b2"]},
        loaded={"red": ["spare1", "spare2"]},
    )
    assert "Brimstone 1" in refused(state, Move("red", "v7b1", tie(2))).sentence
    assert [move.to for move in may(state, Move)] == [tie(1), tie(2), tie(3), tie(4)]
    assert {move.card for move in may(state, Move)} == {"v3b2"}


def test_hr_07_without_cars_little_brimstone_will_do() -> None:
    state = position(rails=line(), engines={"red": tie(1)}, hands={"red": ["v6b1"]})
    assert [move.to for move in may(state, Move)] == [tie(number) for number in range(1, 8)]


def test_hr_09_an_engine_on_rail_goes_on_the_way_it_faces() -> None:
    state = position(rails=line(), engines={"red": tie(2)}, hands={"red": ["v3b2", "v2b5"]})
    state = do(state, Move("red", "v3b2", tie(5)))
    assert [move.to for move in may(state, Move)] == [tie(5), tie(6), tie(7)]
    for back in (tie(4), tie(4, "W"), tie(5, "W")):
        assert refused(state, Move("red", "v2b5", back)).section == "Movement - No Turning Back"


def test_hr_10_a_circle_is_left_by_any_side_with_rail() -> None:
    around = {
        (8, 3): ("straight1", 0),
        (9, 4): ("straight2", 90),
        (8, 5): ("curve1", 0),
        (7, 4): ("curve2", 0),
    }
    state = position(
        made=pack(sides={"5": "NE"}),
        rails=around,
        engines={"red": Position((8, 3), "NS", 4, "S")},
        hands={"red": ["v1b1", "v2b5"]},
    )
    state = do(state, Move("red", "v1b1", circle(state, "5")), Declare("red", use=False))
    assert [move.to for move in may(state, Move)] == [
        circle(state, "5"),
        Position((8, 3), "NS", 4, "N"),
        Position((9, 4), "EW", 4, "E"),
        Position((8, 3), "NS", 3, "N"),
        Position((9, 4), "EW", 3, "E"),
    ]


def test_hr_12_derailing_costs_hand_and_loaded_cars() -> None:
    state = position(
        rails=line(),
        engines={"red": tie(12)},
        hands={"red": ["v4b4", "spare1", "spare2"]},
        loaded={"red": ["from3to5", "from3to9"]},
        delivered={"red": ["from4to3", "from5to4", "from6to7"]},
    )
    state = do(state, Move("red", "v4b4", None))
    assert (hand(state, "red"), train(state, "red")) == ((), ())
    assert len(state.delivered[0]) == 3
    assert len(state.discard) + len(state.buried) == 5
    assert engine(state, "red") == circle(state, "G")
    assert in_turn(state) == "blue"


def test_hr_13_who_is_rammed_off_the_end_derails_and_the_turn_goes_on() -> None:
    state = position(
        rails=line(),
        engines={"red": tie(11), "blue": tie(12)},
        hands={"red": ["v1b1", "v2b5"], "blue": ["spare1"]},
        loaded={"blue": ["from3to5"]},
    )
    state = do(state, Move("red", "v1b1", tie(12), (Rammed("blue"),)))
    assert (hand(state, "blue"), train(state, "blue")) == ((), ())
    assert (engine(state, "red"), engine(state, "blue")) == (tie(12), circle(state, "G"))
    assert (in_turn(state), state.phase) == ("red", ACTIONS)
    state = do(state, EndTurn("red"))
    assert (in_turn(state), len(hand(state, "blue"))) == ("blue", 1)


ON_A_LINE = {"red": tie(2), "blue": tie(5)}


def test_hr_15_no_contact_before_the_tie_is_reached() -> None:
    state = position(rails=line(), engines=ON_A_LINE, hands={"red": ["v2b5"]})
    state = do(state, Move("red", "v2b5", tie(4)))
    assert (engine(state, "red"), engine(state, "blue")) == (tie(4), tie(5))


def test_hr_16_ramming_leaves_the_other_one_tie_ahead() -> None:
    state = position(rails=line(), engines=ON_A_LINE, hands={"red": ["v3b2"]})
    assert [move for move in may(state, Move) if move.to == tie(5)] == [
        Move("red", "v3b2", tie(5), (Rammed("blue", tie(6)),))
    ]


def test_hr_18_at_a_fork_the_rammed_engine_may_be_kept_ahead() -> None:
    rails = line(2) | {(3, 0): ("fork1", 270)}
    state = position(rails=rails, engines={"red": tie(7), "blue": tie(8)}, hands={"red": ["v3b2"]})
    ahead = (Rammed("blue", Position((3, 0), "EW", 2, "E")),)
    state = do(state, Move("red", "v3b2", Position((3, 0), "EW", 3, "E"), ahead))
    assert engine(state, "blue") == Position((3, 0), "EW", 2, "E")


def test_hr_19_an_engine_is_rammed_into_a_circle() -> None:
    state = position(
        rails={(1, 0): ("straight1", 90)},
        circles={"5": (2, 0)},
        engines={"red": tie(2), "blue": tie(4)},
        hands={"red": ["v2b5"]},
    )
    state = do(state, Move("red", "v2b5", tie(4), (Rammed("blue", circle(state, "5")),)))
    assert (engine(state, "red"), engine(state, "blue")) == (tie(4), circle(state, "5"))


def test_hr_21_nobody_gets_past_an_engine() -> None:
    state = position(rails=line(), engines={"red": tie(2), "blue": tie(4)}, hands={"red": ["v5b5"]})
    beyond = [move for move in may(state, Move) if move.to in (tie(5), tie(6), tie(7))]
    assert [move.rammed for move in beyond] == [
        (Rammed("blue", tie(6)),),
        (Rammed("blue", tie(7)),),
        (Rammed("blue", tie(8)),),
    ]
    for to in (tie(5), tie(6), tie(7)):
        ruling = refused(state, Move("red", "v5b5", to))
        assert ruling.section == "Movement - No Passing"


def test_hr_22_any_number_of_engines_in_a_circle() -> None:
    state = position(
        rails={(1, 0): ("straight1", 90)},
        circles={"5": (2, 0)},
        engines={"red": tie(4), "blue": "5", "green": "5"},
        hands={"red": ["v1b1"]},
    )
    state = do(state, Move("red", "v1b1", circle(state, "5")))
    assert set(state.engines) == {circle(state, "5")}


def test_hr_24_a_square_that_touches_no_card_takes_no_rail() -> None:
    state = position(hands={"red": ["v2b5"]})
    ruling = refused(state, LayRail("red", "v2b5", (0, 7), 0))
    assert (ruling.rule, ruling.section) == ("HR-A03", "Card Actions - Lay New Rail")
    assert not any(lay.cell == (0, 7) for lay in may(state, LayRail))


def test_hr_25_an_upgrade_keeps_the_old_rail_where_it_lay() -> None:
    state = position(rails={(1, 0): ("straight1", 0)}, hands={"red": ["fork1"]})
    assert [upgrade.turn for upgrade in may(state, UpgradeRail)] == [0, 180]
    for turn in (90, 270):
        ruling = refused(state, UpgradeRail("red", "fork1", (1, 0), turn))
        assert "N-S" in ruling.sentence
        assert "turn it to 0 and 180 degrees" in ruling.sentence


def test_hr_27_occupied_is_not_the_same_as_not_empty() -> None:
    coin = Rail((2, 0), "straight2", 90, counters=(COIN,))
    state = position(rails={**line(1), (2, 0): coin}, engines={"blue": tie(1)}, hands={"red": ["straight3"]})
    assert {upgrade.cell for upgrade in may(state, UpgradeRail)} == {(2, 0)}
    assert "occupied by Blue" in refused(state, UpgradeRail("red", "straight3", (1, 0), 90)).sentence
    assert rail(do(state, UpgradeRail("red", "straight3", (2, 0), 90)), (2, 0)).card == "straight3"


def test_hr_28_a_car_is_picked_up_in_its_circle_only() -> None:
    beside = {(6, 5): ("curve1", 0)}
    for where, legal in ((Position((6, 5), "NE", 3, "E"), False), ("3", True), ("4", False)):
        state = position(rails=beside, engines={"red": where}, hands={"red": ["from3to5"]})
        assert (may(state, Pickup) == [Pickup("red", "from3to5")]) is legal
        if not legal:
            assert "picked up at Circle 3" in refused(state, Pickup("red", "from3to5")).sentence


def test_hr_30_the_draw_at_the_start_of_a_turn_humps_the_pile() -> None:
    state = position(deck=[], discard=NAMES[:6])
    state = do(state, EndTurn("red"))
    assert (len(state.deck), len(state.discard), state.owed) == (0, 6, 1)
    state = do(state, Shuffled(NAMES[5::-1]))
    assert (len(state.deck), len(state.discard), hand(state, "blue")) == (5, 0, (NAMES[5],))
    assert (in_turn(state), state.phase) == ("blue", ACTIONS)


def test_hr_31_a_turn_that_cannot_draw_ends_the_game() -> None:
    state = do(position(deck=[], discard=[]), EndTurn("red"))
    assert GAME.over(state)
    assert not any(GAME.legal(state, seat) for seat in TRIO)
    assert refused(state, EndTurn("blue")).section == "End of the Line"


def test_hr_33_a_fan_ends_the_game_when_both_piles_are_empty() -> None:
    state = position(hands={"red": ["curve1"]}, deck=["spare1"], discard=[])
    state = do(state, Fan("red", "curve1"))
    assert (hand(state, "red"), state.discard, state.owed) == (("spare1",), ("curve1",), 2)
    state = do(state, Shuffled(("curve1",)))
    assert GAME.over(state)
    assert hand(state, "red") == ("curve1", "spare1")


def test_hr_34_fanning_ends_the_turn() -> None:
    state = position(rails=line(), engines={"red": tie(1)}, hands={"red": ["v3b2", "v2b5"]})
    state = do(state, Fan("red", "v3b2"))
    assert in_turn(state) == "blue"
    assert GAME.legal(state, "red") == ()
    assert refused(state, Move("red", "v2b5", tie(2))).section == "Turn Sequence"


def test_hr_36_loaded_cars_only_break_ties() -> None:
    state = position(
        seats=("red", "blue"),
        delivered={"red": ["from3to9", "v6b1"], "blue": ["from3to5", "v4b1"]},
        loaded={"red": ["v9b1", "v9b5", "v2b5"]},
        deck=[],
        discard=[],
    )
    state = do(state, EndTurn("red"))
    assert [(standing.seat, standing.place) for standing in GAME.scores(state)] == [("blue", 1), ("red", 2)]
    assert "10 points delivered" in GAME.scores(state)[1].facts
    assert "11 points delivered" in GAME.scores(state)[0].facts


def entering(circle_name: str, **fields: object) -> State:
    """Red is about to enter that Circle with one tie to go."""
    return position(
        rails={(1, 0): ("straight1", 90)},
        circles={circle_name: (2, 0)},
        engines={"red": tie(4)},
        hands={"red": ["v1b1", "from3to5"]},
        **fields,  # type: ignore[arg-type]
    )


def test_hr_37_a_chip_prevents_an_effect() -> None:
    state = entering("1", chips=["blue"])
    state = do(state, Move("red", "v1b1", circle(state, "1")), Declare("red", use=True))
    assert (state.phase, GAME.awaiting(state).seats) == (HERESY, ("blue",))
    state = do(state, SpendChip("blue"))
    assert (state.tickets, state.chips, state.phase) == ((0, 0, 0), (0, 0, 0), ACTIONS)


def test_hr_39_no_chip_against_a_ticket() -> None:
    rails = {**line(1), (4, 0): ("straight4", 90)}
    state = position(
        rails=rails, engines={"red": tie(4)}, hands={"red": ["v1b1"]}, tickets=["red"], chips=["blue"]
    )
    state = do(state, Cross("red", "v1b1", tie(4), "E", Position((4, 0), "EW", 4, "E")))
    assert state.phase == CROSSING
    assert refused(state, SpendChip("blue")).section == "Heresy Chips"
    assert GAME.awaiting(state).seats == ()


def test_hr_40_one_chip_to_a_player() -> None:
    state = entering("6", chips=["red"])
    state = do(state, Move("red", "v1b1", circle(state, "6")), Declare("red", use=True))
    assert (state.chips, state.phase) == ((1, 0, 0), ACTIONS)


@pytest.mark.parametrize(("die", "across"), [(3, True), (2, False)])
def test_hr_42_the_die_is_to_show_more_than_the_blank_squares(die: int, across: bool) -> None:
    rails = {**line(1), (4, 0): ("straight4", 90)}
    state = position(rails=rails, engines={"red": tie(4)}, hands={"red": ["v3b2"]}, tickets=["red"])
    first = Position((4, 0), "EW", 4, "E")
    assert may(state, Cross) == [Cross("red", "v3b2", tie(4), "E", first)]
    state = do(state, Cross("red", "v3b2", tie(4), "E", first), Rolled((die,)))
    assert engine(state, "red") == (first if across else circle(state, "G"))
    assert in_turn(state) == ("red" if across else "blue")


def test_hr_43_one_crosses_in_a_straight_line() -> None:
    rails = {**line(1), (2, 1): ("straight4", 0), (3, 1): ("straight5", 90)}
    state = position(rails=rails, engines={"red": tie(4)}, hands={"red": ["v3b2"]}, tickets=["red"])
    assert may(state, Cross) == []
    for to in (Position((2, 1), "NS", 1, "S"), Position((3, 1), "EW", 4, "E")):
        ruling = refused(state, Cross("red", "v3b2", tie(4), "E", to))
        assert (ruling.section, "straight line" in ruling.sentence) == ("Boatman Tickets", True)


def test_hr_45_the_effect_is_decided_on_before_any_card_action() -> None:
    state = entering("3")
    state = do(state, Move("red", "v1b1", circle(state, "3")))
    assert state.phase == DECLARE
    ruling = refused(state, Pickup("red", "from3to5"))
    assert ruling.section == "Movement - Entering a Circle"
    assert ruling.instead == (Declare("red", use=True), Declare("red", use=False))
    state = do(state, Declare("red", use=False), Pickup("red", "from3to5"))
    assert train(state, "red") == ("from3to5",)


def test_hr_46_the_next_circle_is_laid_diagonal_to_one_that_lies() -> None:
    names = ("G", *"123456789")
    state = GAME.setup(TRIO, pack(), {"circles": "devils_advocate"})
    state = do(state, Shuffled(names), PlaceCircle("red", "G", (0, 0)))
    assert PlaceCircle("blue", "1", (1, 1)) in GAME.legal(state, "blue")
    for cell in ((0, 1), (2, 0)):
        assert "diagonal" in refused(state, PlaceCircle("blue", "1", cell)).sentence


def test_hr_48_a_whole_line_shifts() -> None:
    state = position(
        rails=line(),
        engines={"red": tie(1), "blue": tie(3), "green": tie(4)},
        hands={"red": ["v3b2"]},
    )
    rams = (Rammed("blue", tie(5)), Rammed("green", tie(6)))
    assert [move for move in may(state, Move) if move.to == tie(4)] == [Move("red", "v3b2", tie(4), rams)]


def test_hr_49_rail_that_meets_a_side_without_rail_ends_there() -> None:
    rails = {**line(1), (2, 0): ("straight2", 0)}
    state = position(rails=rails, engines={"red": tie(3)}, hands={"red": ["v3b2"]})
    assert [move.to for move in may(state, Move)] == [tie(3), tie(4), None]
    assert engine(do(state, Move("red", "v3b2", None)), "red") == circle(state, "G")
