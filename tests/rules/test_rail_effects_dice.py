"""What cards do to the dice of a fight: more of them, rerolls, dice that are set, and ranks."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.rail_raiders_infinite.actions import (
    Arm,
    Decide,
    Join,
    Reroll,
    Search,
    Send,
    SetDie,
    Showdown,
    UseCard,
)
from companion.games.rail_raiders_infinite.dice.hands import FACES
from companion.games.rail_raiders_infinite.packs.vocabulary import Effect
from companion.games.rail_raiders_infinite.state import LONG_ARM, State, Turn
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
    for effect, showdown, search in (
        (Effect("rerolls", when="showdown"), 1, 0),
        (Effect("rerolls", when="search"), 0, 1),
        (Effect("rerolls", when="roll"), 1, 1),
    ):
        state = with_raider(effect, tokens={1: ("1",)}, at={"green": 4})
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
