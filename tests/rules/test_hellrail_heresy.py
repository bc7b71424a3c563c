"""Deciding on a Circle's Effect, and Heresy Chips: HR-A14, HR-A27 to HR-A29, HR-A33, HR-A39."""

from __future__ import annotations

import pytest

from companion.games.hellrail import GAME
from companion.games.hellrail.actions import (
    Declare,
    Derail,
    Done,
    DrawCard,
    EndTurn,
    KeepChip,
    Move,
    MoveEngine,
    Rammed,
    SpendChip,
    Target,
    TurnRail,
)
from companion.games.hellrail.state import ACTIONS, CHIPS, DECLARE, EFFECT, GATE, HERESY, State, Step
from companion.games.hellrail.track import Position
from tests.rules.hellrail_positions import (
    FOUR,
    circle,
    do,
    engine,
    entered,
    entering,
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


def declared(use: bool, *answers: object, chips: tuple[str, ...] = ("blue", "green", "yellow")) -> State:
    """Red has entered Circle 6 of four players and declared, and these have answered."""
    state = do(entered("6", seats=FOUR, chips=chips), Declare("red", use=use))
    return do(state, *answers)  # type: ignore[arg-type]


def test_without_chips_what_is_declared_stands() -> None:
    used = do(entered("6"), Declare("red", use=True))
    assert (used.chips, used.phase) == ((1, 0, 0), ACTIONS)
    left = do(entered("6"), Declare("red", use=False))
    assert (left.chips, left.phase) == ((0, 0, 0), ACTIONS)


def test_a27_opponents_are_asked_clockwise_from_the_player() -> None:
    state = declared(True)
    assert (state.phase, GAME.awaiting(state).seats) == (HERESY, ("blue",))
    assert refused(state, SpendChip("green")).rule == "HR-A27"
    assert named(state, KeepChip("blue")) == ("HR-A27",)
    state = do(state, KeepChip("blue"))
    assert GAME.awaiting(state).seats == ("green",)
    state = do(state, KeepChip("green"), KeepChip("yellow"))
    assert (state.chips, state.phase) == ((1, 1, 1, 1), ACTIONS)


def test_a27_the_first_chip_settles_it_and_none_answers_it() -> None:
    state = declared(True, KeepChip("blue"), SpendChip("green"))
    assert (state.chips, state.phase) == ((0, 1, 0, 1), ACTIONS)
    assert GAME.legal(state, "yellow") == ()
    assert refused(state, SpendChip("yellow")).section == "Heresy Chips"


def test_a27_who_has_no_chip_is_not_asked_and_nobody_answers_the_own_declaration() -> None:
    state = declared(True, chips=("red", "yellow"))
    assert GAME.awaiting(state).seats == ("yellow",)
    assert refused(state, SpendChip("red")).rule == "HR-A27"
    alone = declared(True, chips=("red",))
    assert alone.phase == ACTIONS


@pytest.mark.parametrize(("use", "gains"), [(True, False), (False, True)])
def test_a_chip_turns_what_was_declared_round_and_goes_back_to_the_supply(use: bool, gains: bool) -> None:
    state = declared(use, SpendChip("blue"))
    assert state.chips == (int(gains), 0, 1, 1)
    assert CHIPS - sum(state.chips) == (1 if gains else 2)


def test_a28_gaining_is_the_effect_and_is_prevented_or_forced_with_it() -> None:
    assert "HR-A28" in named(declared(True), SpendChip("blue"))
    prevented = declared(True, SpendChip("blue"))
    assert prevented.chips[0] == 0
    forced = do(entered("1", chips=["blue"]), Declare("red", use=False))
    assert {"HR-A27", "HR-A28", "HR-A39"} == set(named(forced, SpendChip("blue")))
    assert do(forced, SpendChip("blue")).tickets == (1, 0, 0)


def test_a28_forced_to_gain_what_one_has_or_what_is_gone_changes_nothing() -> None:
    state = do(entered("1", chips=["blue"], tickets=["red"]), Declare("red", use=False), SpendChip("blue"))
    assert (state.tickets, state.phase) == ((1, 0, 0), ACTIONS)
    state = do(entered("1", tickets=["blue", "green"]), Declare("red", use=True))
    assert (state.tickets, state.phase) == ((0, 1, 1), ACTIONS)


def test_a29_starting_a_turn_in_a_circle_or_coming_there_otherwise_gives_nothing() -> None:
    state = position(engines={"red": "6"}, hands={"red": ["v1b1"]})
    assert state.phase == ACTIONS
    assert not any(isinstance(action, Declare) for action in GAME.legal(state, "red"))
    assert named(entered("6"), Declare("red", use=True)) == ("HR-A29",)
    assert named(entered("3"), Declare("red", use=True)) == ()


def test_a33_one_decision_for_each_time_that_it_is_entered() -> None:
    state = do(entered("6", hands={"red": ["v1b1", "v2b5"]}), Declare("red", use=False))
    assert refused(state, Declare("red", use=True)).rule == "HR-A33"
    stay = Move("red", "v2b5", circle(state, "6"))
    assert set(named(state, stay)) == {"HR-A08", "HR-A33"}
    assert do(state, stay).phase == ACTIONS


def test_a33_entered_again_it_is_decided_again() -> None:
    state = entered("6", hands={"red": ["v1b1", "v2b5"]}, rails={(3, 0): ("straight3", 90)})
    out = Position((3, 0), "EW", 4, "E")
    state = do(state, Declare("red", use=False), Move("red", "v2b5", out), EndTurn("red"))
    assert engine(state, "red") == out
    again = do(entered("6"), Declare("red", use=False), EndTurn("red"), EndTurn("blue"), EndTurn("green"))
    assert (in_turn(again), again.phase) == ("red", ACTIONS)


def test_a39_who_is_forced_makes_every_choice() -> None:
    steps = {"3": (Step("derail", who="opponent"),)}
    state = do(entered("3", made=pack(steps), chips=["blue"]), Declare("red", use=False), SpendChip("blue"))
    assert (state.phase, GAME.awaiting(state).seats) == (EFFECT, ("red",))
    assert may(state, Target) == [Target("red", "blue"), Target("red", "green")]
    assert refused(state, Target("blue", "green")).rule == "HR-A39"


def test_a_circle_whose_effect_is_not_entered_yet_is_entered_by_nobody() -> None:
    state = entering("3", made=pack({"3": ()}), chips=["blue"])
    move = Move("red", "v1b1", Position((2, 0)))
    ruling = refused(state, move)
    assert (ruling.rule, "Circle 3 is not entered yet" in ruling.sentence) == ("form", True)
    assert move not in GAME.legal(state, "red")


# HR-A14, where who is rammed into a Circle decides


def two_rammed(**fields: object) -> State:
    """Red may ram Blue and Green into Circle 6, and enter it too."""
    return entering(
        "6",
        options={"rammed_into_circle": "decides"},
        engines={"red": tie(2), "blue": tie(3), "green": tie(4)},
        hands={"red": ["v2b5", "v3b2"]},
        **fields,
    )


BOTH = (Rammed("blue", Position((2, 0))), Rammed("green", Position((2, 0))))


def test_a14_two_victims_decide_clockwise_from_the_rammer() -> None:
    state = do(two_rammed(), Move("red", "v2b5", tie(4), BOTH))
    assert (GAME.awaiting(state).seats, state.entries) == (("blue",), (2,))
    state = do(state, Declare("blue", use=True))
    assert (GAME.awaiting(state).seats, state.chips) == (("green",), (0, 1, 0))
    # Blue's new chip may prevent Green's.
    state = do(state, Declare("green", use=True))
    assert (state.phase, GAME.awaiting(state).seats) == (HERESY, ("blue",))
    state = do(state, SpendChip("blue"))
    assert (state.chips, state.phase, in_turn(state)) == ((0, 0, 0), ACTIONS, "red")


def test_a14_clockwise_means_from_the_rammer_on() -> None:
    state = position(
        options={"rammed_into_circle": "decides"},
        rails=line(1),
        circles={"6": (2, 0)},
        engines={"red": tie(4), "green": tie(3), "blue": tie(2)},
        hands={"blue": ["v2b5"]},
        turn=1,
    )
    both = (Rammed("green", Position((2, 0))), Rammed("red", Position((2, 0))))
    state = do(state, Move("blue", "v2b5", tie(4), both))
    assert (GAME.awaiting(state).seats, state.entries) == (("green",), (0,))


def test_a14_opponents_are_asked_clockwise_from_who_was_rammed_in() -> None:
    state = position(
        seats=FOUR,
        options={"rammed_into_circle": "decides"},
        rails=line(1),
        circles={"3": (2, 0)},
        engines={"red": tie(3), "blue": tie(4)},
        hands={"red": ["v1b1"]},
        chips=["red", "green"],
    )
    state = do(state, Move("red", "v1b1", tie(4), (Rammed("blue", Position((2, 0))),)))
    state = do(state, Declare("blue", use=True))
    assert state.effect is not None
    assert state.effect.asked == (2, 0)


def test_a14_the_mover_decides_first() -> None:
    state = do(two_rammed(), Move("red", "v3b2", Position((2, 0)), BOTH))
    assert (GAME.awaiting(state).seats, state.entries) == (("red",), (1, 2))
    state = do(state, *(Declare(seat, use=False) for seat in ("red", "blue", "green")))
    assert (state.phase, in_turn(state)) == (ACTIONS, "red")


def test_a14_victims_decide_though_the_rammer_has_derailed() -> None:
    # Red pushes Blue aside into Circle 6 and goes off the end of the other branch.
    branch = [Position((2, 0), "SW", number, "S") for number in (2, 1)]
    state = position(
        seats=FOUR,
        options={"rammed_into_circle": "decides"},
        rails={**line(1), (2, 0): ("shared1", 270)},
        circles={"6": (2, 1)},
        engines={
            "red": tie(4),
            "blue": Position((2, 0), "EW", 4, "E"),
            "green": branch[0],
            "yellow": branch[1],
        },
        hands={"red": ["v9b1"]},
    )
    shed = (Rammed("blue", branch[0]), Rammed("green", branch[1]), Rammed("yellow", circle(state, "6")))
    state = do(state, Move("red", "v9b1", None, shed))
    assert (engine(state, "red"), in_turn(state)) == (circle(state, GATE), "red")
    assert (GAME.awaiting(state).seats, state.turn_over) == (("yellow",), True)
    state = do(state, Declare("yellow", use=True))
    assert (state.chips, in_turn(state), state.phase) == ((0, 0, 0, 1), "blue", ACTIONS)


def test_a14_a_turn_that_is_over_stays_so_whoever_else_derails() -> None:
    # Blue's Effect derails Red, whose turn it is; then Green's derails Blue.
    steps = {"6": (Step("gain", what="chip"), Step("derail", who="opponent"))}
    state = do(two_rammed(made=pack(steps)), Move("red", "v2b5", tie(4), BOTH))
    state = do(state, Declare("blue", use=True), Target("blue", "red"))
    state = do(state, Declare("green", use=True), KeepChip("blue"), Target("green", "blue"))
    assert (in_turn(state), state.phase, state.turn_over) == ("blue", ACTIONS, False)


@pytest.mark.parametrize("who", ["opponent", "opponents"])
def test_a14_who_is_derailed_or_moved_away_meanwhile_decides_no_more(who: str) -> None:
    steps = {"6": (Step("gain", what="chip"), Step("derail", who=who))}
    state = do(two_rammed(made=pack(steps)), Move("red", "v3b2", Position((2, 0)), BOTH))
    state = do(state, Declare("red", use=True))
    if who == "opponent":
        state = do(state, Target("red", "blue"))
        assert (state.phase, GAME.awaiting(state).seats) == (DECLARE, ("green",))
    else:
        assert (state.phase, in_turn(state), state.entries) == (ACTIONS, "red", ())


def test_a14_who_is_set_elsewhere_meanwhile_decides_no_more() -> None:
    steps = {"6": (Step("gain", what="chip"), Step("table", words="Do as you like."))}
    state = do(two_rammed(made=pack(steps)), Move("red", "v3b2", Position((2, 0)), BOTH))
    state = do(state, Declare("red", use=True))
    state = do(state, MoveEngine("red", "blue", tie(1, "W")), MoveEngine("red", "green", circle(state, "3")))
    state = do(state, Done("red"))
    assert (state.phase, in_turn(state), state.entries) == (ACTIONS, "red", ())


def test_a14_a_victim_who_derails_the_player_in_turn_ends_that_turn_when_all_have_decided() -> None:
    steps = {"6": (Step("gain", what="chip"), Step("derail", who="opponent"), Step("draw"))}
    state = do(two_rammed(made=pack(steps)), Move("red", "v2b5", tie(4), BOTH))
    state = do(state, Declare("blue", use=True), Target("blue", "red"))
    # Blue's Effect goes on, since it is not Blue's turn that is over; and Green is still to decide.
    assert (len(hand(state, "blue")), hand(state, "red")) == (1, ())
    assert (in_turn(state), GAME.awaiting(state).seats, state.turn_over) == ("red", ("green",), True)
    state = do(state, Declare("green", use=False))
    state = do(state, KeepChip("blue"))
    assert (in_turn(state), state.phase, len(hand(state, "blue"))) == ("blue", ACTIONS, 2)


def test_a14_a_victim_who_derails_by_the_own_effect_ends_nobodys_turn() -> None:
    steps = {"6": (Step("gain", what="chip"), Step("derail"))}
    state = do(two_rammed(made=pack(steps)), Move("red", "v2b5", tie(4), BOTH))
    state = do(state, Declare("blue", use=True))
    assert engine(state, "blue") == circle(state, GATE)
    assert (in_turn(state), GAME.awaiting(state).seats) == ("red", ("green",))


def test_who_derails_while_the_table_does_it_may_tell_the_rest_before_the_turn_ends() -> None:
    steps = {"3": (Step("table", words="Derail, and everybody else draws."), Step("draw"))}
    state = do(entered("3", made=pack(steps)), Declare("red", use=True), Derail("red", "red"))
    assert (in_turn(state), state.phase, GAME.awaiting(state).seats) == ("red", EFFECT, ("red",))
    state = do(state, DrawCard("red", "blue"), Done("red"))
    # The next step is not done: Red's turn is over.
    assert (in_turn(state), hand(state, "red"), len(hand(state, "blue"))) == ("blue", (), 2)


def test_turning_a_card_is_told_of_the_rule_on_engines_only_where_one_stands() -> None:
    steps = {"3": (Step("turn_rail"),)}
    turn = TurnRail("red", (1, 0), 0)
    assert named(do(entered("3", made=pack(steps)), Declare("red", use=True)), turn) == ()
    rails = {(4, 3): ("curve1", 180)}
    on_rail = {"blue": Position((4, 3), "SW", 1, "S")}
    state = do(entered("3", made=pack(steps), rails=rails, engines=on_rail), Declare("red", use=True))
    assert named(state, turn) == ("HR-A40",)
