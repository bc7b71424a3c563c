"""What cards do to fights: who takes part, and what winning and losing means."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.rail_raiders_infinite.actions import (
    Arm,
    Board,
    Decide,
    Done,
    Join,
    PickCar,
    PickKind,
    PickSeat,
    Send,
    Showdown,
    TurnUp,
)
from companion.games.rail_raiders_infinite.packs.vocabulary import Effect
from companion.games.rail_raiders_infinite.state import OFF, Job, State
from tests.rules.rail_positions import (
    LOW,
    PAIR,
    TRIPS,
    TWO_PAIR,
    awaited,
    dice_due,
    do,
    in_force,
    made,
    may,
    money,
    position,
    roll,
    rolls,
    waits_for,
    where,
)

SIX = "9 9 10 J Q A"  # a pair, with six dice


def duel(state: State) -> State:
    """Red starts a Showdown with Blue, and nobody joins."""
    state = do(state, Showdown("red", "blue"))
    while (job := waits_for(state)) and job.do == "join":
        state = do(state, Join(state.seats[job.seat], join=False))
    return state


def with_raider(*effects: Effect, **fields: Any) -> State:
    """Red has a Raider with these effects."""
    return position(pack=made(effects), **fields)


# -- who takes part -----------------------------------------------------------------------------------


def test_a_raider_is_compelled_to_take_part() -> None:
    state = do(with_raider(Effect("compel")), Showdown("red", "blue"), Join("green", join=False))
    assert may(state, PickSeat) == [PickSeat("red", "green"), PickSeat("red", "")]
    state = do(state, PickSeat("red", "green"))
    assert state.fight is not None
    assert [side.who for side in state.fight.sides] == [0, 1, 2]


def test_both_are_moved_before_others_join() -> None:
    state = with_raider(Effect("drag_target"), at={"green": 2}, down=[2])
    state = do(state, Showdown("red", "blue"))
    assert may(state, PickCar) == [PickCar("red", car) for car in (0, 2, OFF)]
    moved = do(state, PickCar("red", 2))
    assert where(moved) == [2, 2, 2]
    assert waits_for(moved) == Job("turn_up", 0, 2, card="cars")
    moved = do(moved, TurnUp("red", "sleeper"), TurnUp("red", "tin_star"), TurnUp("red", "tin_star"))
    assert awaited(moved) == "green"
    assert where(do(state, PickCar("red", OFF))) == [1, 1, 2]


def test_two_team_up_if_both_agree() -> None:
    state = duel(position(forces=in_force("odd_couple"), at={"green": 4}))
    assert may(state, PickSeat) == [PickSeat("red", "blue"), PickSeat("red", "")]
    state = do(state, PickSeat("red", "blue"))
    refused = do(state, Decide("blue", yes=False))
    assert dice_due(refused) == 5
    state = do(state, Decide("blue", yes=True))
    assert dice_due(state) == 6
    state = do(state, *roll("9 9 9 J Q A", SIX))
    assert (where(state), waits_for(state)) == ([1, 1, 4], Job("act", 0))


def test_an_officer_sits_it_out() -> None:
    state = with_raider(Effect("sit_out"), bots={1: (0, 1, 1)}, at={"blue": 2, "green": 2})
    state = do(state, Showdown("red", "lawbots"))
    assert may(state, PickKind) == [PickKind("red", kind) for kind in ("sheriff", "marshal", "")]
    state = do(state, PickKind("red", "marshal"), *roll(TRIPS))
    assert dice_due(state) == 5
    state = rolls(state, PAIR)
    assert (state.cars[1].bots, money(state)[0]) == ((0, 0, 1), 2)


def test_joining_from_the_next_car() -> None:
    state = position(at={"green": 2}, gear={"green": ["long_gun"]})
    state = do(state, Showdown("red", "blue"), Join("green", join=True))
    state = do(state, Arm("green", ()))
    state = rolls(state, TRIPS, PAIR, PAIR)
    assert Send("red", "green", 1) in may(state, Send)
    assert Send("red", "green", 3) in may(state, Send)
    assert Send("red", "green", 0) not in may(state, Send)


def test_a_second_showdown_in_one_action() -> None:
    state = duel(position(forces=in_force("twice_over")))
    state = do(rolls(state, TRIPS, PAIR), Send("red", "blue", 2))
    assert may(state, Showdown) == [Showdown("red", "green")]
    assert waits_for(do(state, Done("red"))) == Job("act", 0)
    state = rolls(do(state, Showdown("red", "green")), PAIR, TRIPS)
    state = do(state, Send("green", "red", 0))
    assert (state.acts.left, waits_for(state)) == (2, Job("act", 0))


# -- winning ------------------------------------------------------------------------------------------


def beat_lawbots(state: State) -> State:
    return rolls(do(state, Showdown("red", "lawbots")), TRIPS, PAIR)


ALONE = {"blue": 3, "green": 3}


def test_dollars_for_a_fight_with_a_raider() -> None:
    zak = Effect("win_dollars", needs="raider_in")
    assert money(rolls(duel(with_raider(zak)), TRIPS, PAIR))[0] == 1
    assert money(beat_lawbots(with_raider(zak, at=ALONE, bots={1: (1, 0, 0)})))[0] == 1  # the Deputy's


def test_one_lawbot_more_is_destroyed() -> None:
    state = beat_lawbots(with_raider(Effect("destroy_more"), at=ALONE, bots={1: (1, 1, 0)}))
    assert (state.cars[1].bots, money(state)[0]) == ((0, 0, 0), 3)
    armed = do(
        position(gear={"red": ["can_opener"]}, at=ALONE, bots={1: (3, 0, 0)}), Showdown("red", "lawbots")
    )
    armed = rolls(do(armed, Arm("red", ("can_opener",))), TRIPS, PAIR)
    assert armed.cars[1].bots == (1, 0, 0)


def test_bad_blood_destroys_one_more_and_throws_losers_off() -> None:
    state = position(forces=in_force("bad_blood"), bots={1: (2, 0, 0)}, at={"green": 3})
    state = do(state, Showdown("red", "lawbots"), Join("blue", join=True))
    state = rolls(state, PAIR, TRIPS, LOW)
    assert (where(state), money(state), state.cars[1].bots) == ([OFF, 1, 3], [0, 2, 0], (0, 0, 0))
    assert state.turn == 1


def test_a_destroyed_lawbot_leaves_a_token() -> None:
    state = beat_lawbots(position(forces=in_force("spilled_cargo"), at=ALONE, bots={1: (1, 0, 0)}))
    assert (len(state.cars[1].tokens), money(state)[0]) == (1, 1)


def test_scrap_is_worth_a_dollar_more() -> None:
    state = do(
        position(forces=in_force("scrap_dealer"), at=ALONE, bots={1: (1, 0, 0)}), Showdown("red", "lawbots")
    )
    assert money(rolls(state, TRIPS, PAIR))[0] == 2


def test_a_loot_card_in_place_of_a_lawbots_worth() -> None:
    state = with_raider(Effect("loot_for_lawbot"), at=ALONE, bots={1: (1, 0, 0)}, loot=["strongbox"])
    state = beat_lawbots(state)
    assert money(do(state, Decide("red", yes=False)))[0] == 1
    state = do(state, Decide("red", yes=True), TurnUp("red", "strongbox"))
    assert (money(state)[0], state.loot_discard) == (3, ("strongbox",))


def test_lawbots_fall_back_towards_the_locomotive_and_are_paid_for() -> None:
    state = beat_lawbots(position(grit={1: ["fall_back"]}, at=ALONE, bots={1: (1, 0, 0)}))
    assert (state.cars[1].bots, state.cars[2].bots, money(state)[0]) == ((0, 0, 0), (1, 0, 0), 1)
    assert (state.cars[1].grit, state.long_arm_discard) == ((), ("fall_back",))
    at_the_end = position(grit={6: ["fall_back"]}, at={**ALONE, "red": 6}, bots={6: (1, 0, 0)})
    assert beat_lawbots(at_the_end).cars[6].bots == (0, 0, 0)


def test_a_dollar_for_starting_a_showdown() -> None:
    state = position(grit={1: ["price_on_heads"]}, at=ALONE, bots={1: (1, 0, 0)})
    assert money(do(state, Showdown("red", "lawbots")))[0] == 1


# -- losing -------------------------------------------------------------------------------------------


def test_one_loser_is_thrown_off() -> None:
    state = do(with_raider(Effect("throw_off")), Showdown("red", "blue"), Join("green", join=True))
    state = rolls(state, TRIPS, PAIR, PAIR)
    assert Send("red", "blue", OFF) in may(state, Send)
    state = do(state, Send("red", "blue", OFF))
    assert Send("red", "green", OFF) not in may(state, Send)
    assert where(do(state, Send("red", "green", 0))) == [1, OFF, 0]


def test_nothing_happens_to_who_is_beaten_narrowly() -> None:
    state = rolls(duel(position(forces=in_force("stand_firm"))), TWO_PAIR, PAIR)
    assert (where(state), waits_for(state)) == ([1, 1, 1], Job("act", 0))
    assert may(rolls(duel(position(forces=in_force("stand_firm"))), TRIPS, PAIR), Send)
    spared = beat_lawbots(position(forces=in_force("stand_firm"), at=ALONE, bots={1: (1, 0, 0)}))
    assert spared.cars[1].bots == (0, 0, 0)


def test_a_die_holds_a_loser_where_it_is() -> None:
    hold = Effect("hold_on", faces=("Q", "K", "A"))
    lost = rolls(duel(with_raider(hold, dollars={"red": 2})), PAIR, TRIPS)
    lost = do(lost, Send("blue", "red", 0))
    assert (awaited(lost), dice_due(lost)) == ("red", 1)
    held = do(lost, *roll("Q"))
    assert (where(held), money(held)) == ([1, 1, 1], [2, 0, 0])
    moved = do(lost, *roll("J"))
    assert where(moved)[0] == 0
    assert waits_for(moved) == Job("donation", 1, seats=(0,))


def test_an_ace_costs_the_boots() -> None:
    state = rolls(duel(position(gear={"red": ["magnet_boots"]})), PAIR, TRIPS)
    state = do(state, Send("blue", "red", 0), *roll("A"))
    assert (where(state)[0], state.riders[0].gear, state.loot_discard) == (1, (), ("magnet_boots",))


def test_a_loser_picks_its_own_way() -> None:
    state = rolls(duel(with_raider(Effect("own_destination"))), PAIR, TRIPS)
    assert (awaited(state), may(state, PickCar)) == ("red", [PickCar("red", 0), PickCar("red", 2)])
    assert where(do(state, PickCar("red", 2)))[0] == 2


def test_a_doctor_helps_against_lawbots_alone() -> None:
    fields: dict[str, Any] = {"gear": {"red": ["doctors_bag"]}, "at": {"green": 3}}
    lost = rolls(duel(position(**fields)), PAIR, TRIPS)
    assert may(lost, Send, "blue")
    state = position(**fields, bots={1: (1, 0, 0)})
    state = do(state, Showdown("red", "lawbots"), Join("blue", join=False))
    state = rolls(state, PAIR, TRIPS)
    assert may(state, PickCar) == [PickCar("red", 0), PickCar("red", 2)]


@pytest.mark.parametrize(
    ("caught", "to"), [(Effect("catch_on", count=3), 2), (Effect("catch_on", count=99), 0)]
)
def test_who_is_thrown_off_catches_hold_nearer_to_the_caboose(caught: Effect, to: int) -> None:
    state = with_raider(caught, forces=in_force("bad_blood"), at={"red": 5, "blue": 5})
    state = rolls(duel(state), PAIR, TRIPS)
    assert where(state)[0] == to


def test_a_free_move_after_a_showdown() -> None:
    state = with_raider(Effect("move_after_showdown"))
    state = do(rolls(duel(state), TRIPS, PAIR), Send("red", "blue", 0))
    assert may(state, PickCar) == [PickCar("red", 0), PickCar("red", 2), PickCar("red", OFF)]
    state = do(state, PickCar("red", 2))
    assert (where(state)[0], state.acts.left, state.acts.moved_free) == (2, 2, True)


def test_a_free_attempt_to_board_after_being_thrown_off() -> None:
    state = with_raider(Effect("move_after_showdown"), forces=in_force("bad_blood"))
    state = rolls(duel(state), PAIR, TRIPS)
    assert where(state)[0] == OFF
    state = do(state, Board("red", 0))
    assert (where(state)[0], waits_for(state)) == (0, Job("act", 0))
