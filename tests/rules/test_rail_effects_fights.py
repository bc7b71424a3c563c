"""What cards do to fights: dice, rerolls, ranks, who takes part, and what winning and losing means."""

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
    Reroll,
    Search,
    Send,
    SetDie,
    Showdown,
    TurnUp,
    UseCard,
)
from companion.games.rail_raiders_infinite.hands import FACES
from companion.games.rail_raiders_infinite.state import LONG_ARM, OFF, Job, State, Turn
from companion.games.rail_raiders_infinite.vocabulary import Effect
from tests.rules.rail_positions import (
    FOURS,
    FULL,
    LOW,
    PAIR,
    STRAIGHT,
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


# -- dice ---------------------------------------------------------------------------------------------


def with_raider(*effects: Effect, **fields: Any) -> State:
    """Red has a Raider with these effects."""
    return position(pack=made(effects), **fields)


def test_more_dice_in_showdowns_with_a_raider() -> None:
    thorne = Effect("dice", when="showdown", needs="raider_in")
    assert dice_due(duel(with_raider(thorne))) == 6
    state = with_raider(thorne, bots={1: (1, 0, 0)}, at={"blue": 2, "green": 2})
    assert dice_due(do(state, Showdown("red", "lawbots"))) == 5
    joined = with_raider(thorne, bots={1: (1, 0, 0)}, at={"green": 2})
    assert dice_due(do(joined, Showdown("red", "lawbots"), Join("blue", join=True))) == 6


def test_what_counts_in_showdowns_does_not_in_opposed_searches_nor_the_other_way_round() -> None:
    for when, showdown, search in (("showdown", 6, 5), ("search", 5, 6), ("fight", 6, 6)):
        state = with_raider(Effect("dice", when=when), tokens={1: ("1",)}, at={"green": 4})
        assert dice_due(duel(state)) == showdown
        assert dice_due(do(state, Search("red"), Join("blue", join=True))) == search


def test_more_dice_beside_another_raider() -> None:
    state = position(forces=in_force("elbow_room"), at={"green": 4})
    assert dice_due(duel(state)) == 6
    alone = position(forces=in_force("elbow_room"), at={"blue": 4, "green": 4}, bots={1: (1, 0, 0)})
    assert dice_due(do(alone, Showdown("red", "lawbots"))) == 5


@pytest.mark.parametrize(("card", "deck"), [("hot_blood", "high_noon"), ("front_page", "high_noon")])
def test_timed_cards_add_dice(card: str, deck: str) -> None:
    assert dice_due(duel(position(forces=in_force(card, deck=deck)))) == 6


def test_more_dice_while_a_weapon_is_held() -> None:
    state = position(forces=in_force("well_oiled"))
    assert dice_due(duel(state)) == 5
    armed = duel(position(forces=in_force("well_oiled"), gear={"red": ["twin_barrels"]}))
    assert dice_due(do(armed, Arm("red", ()))) == 6


def test_weapons_work_when_they_are_used() -> None:
    state = duel(position(gear={"red": ["repeater", "twin_barrels"]}))
    assert may(state, Arm) == [Arm("red", ("repeater",)), Arm("red", ("twin_barrels",)), Arm("red", ())]
    assert dice_due(do(state, Arm("red", ("repeater",)))) == 6
    state = do(state, Arm("red", ("twin_barrels",)), *roll(LOW, PAIR))
    assert Reroll("red", ("9",)) in may(state, Reroll)


def test_a_weapon_beside_another_and_two_weapons() -> None:
    state = duel(position(gear={"red": ["boot_knife", "repeater", "twin_barrels"]}))
    assert Arm("red", ("boot_knife", "repeater")) in may(state, Arm)
    assert Arm("red", ("repeater", "twin_barrels")) not in may(state, Arm)
    two = duel(position(gear={"red": ["bandolier", "repeater", "twin_barrels"]}))
    assert may(two, Arm)[0] == Arm("red", ("repeater", "twin_barrels"))


@pytest.mark.parametrize(("bots", "dice"), [((1, 0, 0), 5), ((0, 1, 0), 6), ((0, 0, 1), 6)])
def test_a_knife_for_officers(bots: tuple[int, int, int], dice: int) -> None:
    state = position(gear={"red": ["boot_knife"]}, bots={1: bots}, at={"blue": 2, "green": 2})
    state = do(state, Showdown("red", "lawbots"), Arm("red", ("boot_knife",)))
    assert dice_due(state) == dice


def test_nobody_rolls_more_than_five_beside_a_blunderbuss() -> None:
    state = position(
        gear={"red": ["blunderbuss"]},
        forces=in_force("hot_blood"),
        bots={1: (0, 0, 1)},
        at={"blue": 2, "green": 2},
    )
    state = do(state, Showdown("red", "lawbots"), Arm("red", ("blunderbuss",)))
    assert dice_due(state) == 5
    assert dice_due(do(state, *roll(PAIR))) == 5


def test_a_die_that_is_paid_for() -> None:
    state = duel(position(gear={"red": ["hired_gun"]}, dollars={"red": 1}))
    state = do(state, Arm("red", ("hired_gun",)))
    paid = do(state, Decide("red", yes=True))
    assert (dice_due(paid), money(paid)[0]) == (6, 0)
    assert dice_due(do(state, Decide("red", yes=False))) == 5
    poor = do(duel(position(gear={"red": ["hired_gun"]})), Arm("red", ("hired_gun",)))
    assert dice_due(poor) == 5


def test_a_reroll_that_is_paid_for() -> None:
    state = duel(position(gear={"red": ["lucky_coin"]}, dollars={"red": 1}))
    state = do(state, Decide("red", yes=True), *roll(LOW, PAIR))
    assert (len(may(state, Reroll)), money(state)[0]) == (6, 0)


# -- rerolls ------------------------------------------------------------------------------------------


def rerolls(state: State, mine: str = LOW, other: str = PAIR) -> int:
    """How many dice Red may reroll after these rolls."""
    return max((len(reroll.dice) for reroll in may(do(state, *roll(mine, other)), Reroll)), default=0)


def test_rerolls_in_showdowns_and_in_opposed_searches() -> None:
    for when, showdown, search in (("showdown", 1, 0), ("search", 0, 1), ("roll", 1, 1)):
        state = with_raider(Effect("rerolls", when=when), tokens={1: ("1",)}, at={"green": 4})
        assert rerolls(duel(state)) == showdown
        assert rerolls(do(state, Search("red"), Join("blue", join=True))) == search


def test_rerolls_with_lawbots_in_the_fight() -> None:
    brass = Effect("rerolls", count=2, when="showdown", needs="lawbots_in")
    assert rerolls(duel(with_raider(brass))) == 0
    state = with_raider(brass, bots={1: (1, 0, 0)}, at={"blue": 2, "green": 2})
    assert rerolls(do(state, Showdown("red", "lawbots"))) == 2


def test_rerolls_while_rich() -> None:
    cola = Effect("rerolls", count=2, when="showdown", least=2)
    assert rerolls(duel(with_raider(cola, dollars={"red": 1}))) == 0
    assert rerolls(duel(with_raider(cola, dollars={"red": 2}))) == 2


def test_any_number_of_rerolls_in_the_first_showdown_alone() -> None:
    assert rerolls(duel(position(forces=in_force("wild_shots")))) == 5
    again = position(forces=in_force("wild_shots"), acts=Turn(fought=1, done=("showdown",), left=2))
    assert rerolls(duel(again)) == 0


def test_a_reroll_for_who_is_behind() -> None:
    state = duel(position(gear={"red": ["padded_coat"]}))
    assert rerolls(state, LOW, PAIR) == 1
    assert rerolls(state, TRIPS, PAIR) == 0


def test_bottled_courage_gives_rerolls_and_forbids_searching() -> None:
    state = position(forces=in_force("bottled_courage"), tokens={1: ("1",)})
    assert not may(state, Search)
    assert rerolls(duel(state)) == 2


def test_kings_and_aces_have_to_be_rerolled_in_handcuffs() -> None:
    state = position(at={"green": 4}, gear={"blue": ["handcuffs"]})
    state = do(state, UseCard("blue", "handcuffs"))
    assert state.forces == tuple(in_force("handcuffs", deck="loot"))
    state = do(duel(state), *roll("9 9 K A A", PAIR))
    assert (awaited(state), dice_due(state)) == ("red", 3)
    again = duel(
        position(at={"green": 4}, gear={"red": ["twin_barrels"]}, forces=in_force("handcuffs", deck="loot"))
    )
    again = do(again, Arm("red", ("twin_barrels",)), *roll("9 9 K 10 10", PAIR))
    assert may(again, Reroll) == [Reroll("red", dice) for dice in (("K",), ("10", "K"), ("9", "K"))]


def test_lawbots_reroll_and_roll_more_by_cards() -> None:
    for card, deck, dice, count in (
        ("wired", "high_noon", 5, 1),
        ("general_alarm", LONG_ARM, 6, 1),
    ):
        forces = in_force(card, deck=deck, lasts="round")
        state = position(forces=forces, bots={1: (1, 0, 0)}, at={"blue": 2, "green": 2})
        state = do(state, Showdown("red", "lawbots"), *roll(PAIR))
        assert dice_due(state) == dice
        state = do(state, *roll(LOW if dice == 5 else SIX))
        assert max(len(reroll.dice) for reroll in may(state, Reroll, "blue")) == count


@pytest.mark.parametrize(("card", "dice", "count"), [("drilled", 5, 2), ("steady_aim", 6, 0)])
def test_grit_helps_the_lawbots_of_its_car(card: str, dice: int, count: int) -> None:
    state = position(grit={1: [card]}, bots={1: (1, 0, 0)}, at={"blue": 2, "green": 2})
    state = do(state, Showdown("red", "lawbots"), *roll(PAIR))
    assert dice_due(state) == dice
    state = do(state, *roll(LOW if dice == 5 else SIX))
    assert max((len(reroll.dice) for reroll in may(state, Reroll, "blue")), default=0) == count


def test_only_the_top_grit_card_counts() -> None:
    state = position(
        grit={1: ["blocked_doors", "steady_aim"]}, bots={1: (1, 0, 0)}, at={"blue": 2, "green": 2}
    )
    state = do(state, Showdown("red", "lawbots"), *roll(PAIR))
    assert dice_due(state) == 5


# -- dice that are set, ranks -------------------------------------------------------------------------


def test_a_die_is_turned_to_an_ace() -> None:
    state = duel(with_raider(Effect("set_die", when="showdown", faces=("A",))))
    state = do(state, *roll("A A A A 9", FOURS))
    assert may(state, SetDie) == [SetDie("red", "9", "A"), SetDie("red")]
    state = do(state, SetDie("red", "9", "A"))
    assert state.fight is not None
    assert state.fight.sides[0].faces == ("A",) * 5
    assert awaited(state) == "red"


def test_a_card_up_the_sleeve_is_spent() -> None:
    state = do(duel(position(forces=in_force("ace_up_sleeve"))), *roll("9 9 9 9 10", FULL))
    assert len(may(state, SetDie)) == 2 * (len(FACES) - 1) + 1
    kept = do(state, SetDie("red"))
    assert len(kept.forces) == 1
    spent = do(state, SetDie("red", "10", "9"))
    assert (spent.forces, spent.high_noon_discard) == ((), ("ace_up_sleeve",))


def test_a_rank_more_from_three_of_a_kind_on() -> None:
    typhoon = Effect("rank", when="fight", least=4)
    state = rolls(duel(with_raider(typhoon)), "A A A 9 10", STRAIGHT)
    assert awaited(state) == "red"
    state = rolls(duel(with_raider(typhoon)), TWO_PAIR, TRIPS)
    assert awaited(state) == "blue"


def test_the_lowest_hand_wins() -> None:
    state = rolls(duel(position(forces=in_force("topsy_turvy"))), LOW, TRIPS)
    assert awaited(state) == "red"
    assert may(state, Send)
    higher = rolls(duel(position(forces=in_force("topsy_turvy"))), TRIPS, LOW)
    assert may(higher, Send)
    others = do(position(forces=in_force("topsy_turvy")), Showdown("red", "blue"), Join("green", join=True))
    others = rolls(others, TWO_PAIR, PAIR, TRIPS)
    assert awaited(others) == "green"


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


@pytest.mark.parametrize(("count", "to"), [(3, 2), (99, 0)])
def test_who_is_thrown_off_catches_hold_nearer_to_the_caboose(count: int, to: int) -> None:
    state = with_raider(
        Effect("catch_on", count=count), forces=in_force("bad_blood"), at={"red": 5, "blue": 5}
    )
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
