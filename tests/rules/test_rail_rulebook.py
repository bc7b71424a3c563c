"""Sentences of the rulebook that no case, ruling or card holds: components, setting up, turns, fights."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.chance import outcome
from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.actions import (
    Arm,
    Board,
    Join,
    Keep,
    Move,
    Pass,
    PickRaider,
    Search,
    Send,
    Showdown,
    StayOff,
    TurnUp,
)
from companion.games.rail_raiders_infinite.dice.hands import FACES, RANK_NAMES
from companion.games.rail_raiders_infinite.machine import advance
from companion.games.rail_raiders_infinite.state import (
    DECKS,
    LAWBOTS,
    MODELS,
    OFF,
    TOKENS,
    Job,
    State,
    all_copies,
)
from tests.rules.rail_games import house
from tests.rules.rail_positions import (
    FOUR,
    PAIR,
    STRAIGHT,
    TRIO,
    TRIPS,
    TWO_PAIR,
    awaited,
    dice_due,
    do,
    may,
    money,
    position,
    refused,
    roll,
    rolls,
    waits_for,
    where,
)

TURNS = (Job("turn", 0), Job("turn", 1), Job("turn", 2), Job("round_end"))


def test_the_components_are_all_there() -> None:
    edition = GAME.setup(TRIO, house(), {}).edition
    assert (len(edition.cars), len(edition.raiders)) == (14, 6)
    assert [len(all_copies(edition, deck)) for deck in DECKS] == [56, 56, 56]
    assert (MODELS, tuple(TOKENS.values())) == ((7, 5, 2), (10, 7, 3))
    assert FACES == ("9", "10", "J", "Q", "K", "A")


def test_the_ranks_are_those_of_the_key() -> None:
    assert RANK_NAMES == (
        "High Die",
        "One Pair",
        "Two Pair",
        "Three of a Kind",
        "Straight",
        "Full House",
        "Four of a Kind",
        "Five of a Kind",
    )


# -- setting up ---------------------------------------------------------------------------------------


def test_the_best_hand_chooses_a_raider_and_the_others_follow_clockwise() -> None:
    state = do(GAME.setup(TRIO, house(), {}), *roll(PAIR, STRAIGHT, STRAIGHT))
    assert waits_for(state) == Job("contest", card="raiders", seats=(1, 2))
    state = do(state, *roll(PAIR, TRIPS))
    assert len(may(state, PickRaider, "green")) == 6
    state = do(state, PickRaider("green", "ada"), PickRaider("red", "finn"), PickRaider("blue", "hilde"))
    assert [rider.raider for rider in state.riders] == ["finn", "hilde", "ada"]
    assert where(state) == [OFF, OFF, OFF]


def test_decks_tokens_and_cars_are_shuffled_in_the_books_order() -> None:
    state = begun_with_raiders()
    shuffled = []
    while (job := waits_for(state)) and job.do == "shuffle":
        shuffled.append(job.card)
        pile = GAME.awaiting(state).chance
        assert pile is not None
        state = do(state, outcome(pile, Random(1)))
    assert shuffled == ["high_noon", "long_arm", "loot", "tokens", "cars"]
    assert waits_for(state) == Job("contest", card="dealer", seats=(0, 1, 2))
    assert state.train[0] == "caboose"
    assert state.train[-1] == "locomotive"
    assert [car.up for car in state.cars] == [True, *[False] * 5, True]


def begun_with_raiders() -> State:
    state = do(GAME.setup(TRIO, house(), {}), *roll(TRIPS, PAIR, PAIR))
    return do(state, PickRaider("red", "ada"), PickRaider("blue", "finn"), PickRaider("green", "hilde"))


def begun() -> State:
    """The first round, before its Dealer is known."""
    state = begun_with_raiders()
    while not state.round:
        pile = GAME.awaiting(state).chance
        assert pile is not None
        state = do(state, outcome(pile, Random(2)))
    return state


def test_everyone_boards_before_the_first_turn_the_dealer_first() -> None:
    state = do(begun(), *roll(PAIR, TRIPS, PAIR))
    order = [(job.do, job.seat) for job in state.agenda]
    assert order == [
        ("board", 1),
        ("board", 2),
        ("board", 0),
        ("turn", 1),
        ("turn", 2),
        ("turn", 0),
        ("round_end", 0),
    ]
    assert not may(state, StayOff, "blue")
    state = do(state, Board("blue", 0), Board("green", 1), *roll(PAIR), Board("red", 0))
    assert where(state) == [0, 0, OFF]
    assert waits_for(state) == Job("turn_up", 1, card="high_noon")


def test_the_token_goes_to_the_best_hand_each_round() -> None:
    state = position(agenda=[Job("round_end")], dealer="green")
    assert waits_for(state) == Job("contest", card="dealer", seats=(2, 0, 1))
    state = do(state, *roll(PAIR, TWO_PAIR, TRIPS))
    assert (state.dealer, awaited(state)) == (1, "blue")


def test_a_round_is_a_turn_for_everyone_clockwise_from_the_dealer() -> None:
    state = do(position(agenda=[Job("round_end")]), *roll(PAIR, TRIPS, PAIR))
    played = [state.turn]
    chance = Random(3)
    while state.round == 3:
        waits = GAME.awaiting(state)
        legal = () if waits.chance else GAME.legal(state, waits.seats[0])
        action = outcome(waits.chance, chance) if waits.chance else legal[-1]
        state = GAME.play(state, action)
        if state.turn not in (played[-1], -2):
            played.append(state.turn)
    assert played == [1, 2, 0]


# -- turns --------------------------------------------------------------------------------------------


def test_a_turn_is_high_noon_three_actions_and_cleanup() -> None:
    state = position(agenda=TURNS, high_noon=["scrap_dealer", "second_wind"])
    state = do(state, TurnUp("red", "scrap_dealer"), Move("red", 2), Move("red", 1))
    assert not may(state, Move)
    assert refused(state, Move("red", 2)).section == "Action Phase"
    state = do(state, Showdown("red", "blue"), Join("green", join=False))
    state = do(rolls(state, TRIPS, PAIR), Send("red", "blue", 0))
    assert (state.forces, waits_for(state)) == ((), Job("turn_up", 1, card="high_noon"))


def test_a_car_is_flipped_when_a_raider_begins_its_turn_there() -> None:
    state = position(agenda=TURNS, down=[1])
    assert waits_for(state) == Job("turn_up", 0, 1, card="cars")
    state = do(state, TurnUp("red", "mail"))
    assert (state.cars[1].up, len(state.cars[1].tokens)) == (True, 3)
    assert waits_for(state) == Job("turn_up", 0, 1, card="long_arm")


def test_tokens_lie_facedown_for_everybody() -> None:
    state = position(tokens={1: ("1", "2")})
    for seat in (*TRIO, ""):
        assert GAME.view(state, seat).cars[1].tokens == ("?", "?")
    assert {action.card for action in may(do(GAME.hide(state), Search("red"), *nobody()), TurnUp)} == {
        "1",
        "2",
        "3",
    }


def nobody() -> tuple[Join, ...]:
    return (Join("blue", join=False), Join("green", join=False))


def test_who_boards_at_the_start_of_the_turn_has_all_actions() -> None:
    state = position(agenda=TURNS, at={"red": OFF}, high_noon=["hot_blood"])
    state = do(state, Board("red", 1), *roll(TRIPS), TurnUp("red", "hot_blood"))
    assert (where(state)[0], state.acts.left) == (1, 3)


def test_nothing_on_the_train_reaches_a_raider_off_the_train() -> None:
    state = position(at={"green": OFF}, tokens={1: ("1",)})
    assert Showdown("red", "green") not in GAME.legal(state, "red")
    fight = do(state, Showdown("red", "blue"))
    assert waits_for(fight) == Job("throw", 0)
    search = do(state, Search("red"))
    assert awaited(search) == "blue"
    mine = position(at={"red": OFF}, agenda=TURNS)
    assert {type(action) for action in GAME.legal(mine, "red")} == {Board, StayOff}


def test_passing_is_always_possible() -> None:
    assert Pass("red") in GAME.legal(position(), "red")
    assert Pass("red") in GAME.legal(do(position(), Move("red", 2), Move("red", 3)), "red")


# -- fights -------------------------------------------------------------------------------------------


def test_the_log_tells_who_wins_also_where_nothing_is_left_to_decide() -> None:
    state = position(bots={1: (1, 0, 0)}, at={"blue": 3, "green": 3})
    state = do(state, Showdown("red", "lawbots"), *roll(TRIPS))
    assert GAME.story(state, *roll(PAIR)) == (
        "Blue for the Lawbots rolls 9 9 10 J Q: a pair of nines.",
        "Red wins the fight with three nines.",
        "Red gets 1 double-dollar and has 1 now.",
        "1 Deputy is gone from car 1 (Mail Car).",
    )


def test_the_log_tells_who_is_the_dealer() -> None:
    state = do(position(agenda=[Job("contest", card="dealer", seats=(0, 1))]), *roll(TRIPS))
    assert GAME.story(state, *roll(PAIR))[1] == "Red is the Dealer."
    assert GAME.story(state, *roll(TRIPS)) == ("Blue rolls 9 9 9 10 J: three nines.",)


def test_lawbots_that_are_no_target_take_no_part() -> None:
    state = do(position(bots={1: (1, 0, 0)}, at={"green": 3}), Showdown("red", "blue"))
    assert state.fight is not None
    assert [side.who for side in state.fight.sides] == [0, 1]
    state = do(rolls(state, TRIPS, PAIR), Send("red", "blue", 0))
    assert (state.cars[1].bots, money(state)) == ((1, 0, 0), [0, 0, 0])


def test_one_roll_is_made_for_all_lawbots() -> None:
    state = do(
        position(bots={1: (3, 2, 1)}, at={"blue": 3, "green": 3}), Showdown("red", "lawbots"), *roll(PAIR)
    )
    assert state.fight is not None
    assert [side.who for side in state.fight.sides] == [0, LAWBOTS]
    assert dice_due(state) == 6


@pytest.mark.parametrize(
    ("bots", "left", "dollars"),
    [((1, 1, 1), (0, 1, 1), 1), ((0, 1, 1), (0, 0, 1), 2), ((0, 0, 2), (0, 0, 1), 3)],
)
def test_the_lowest_lawbot_goes_first_and_is_paid_for(
    bots: tuple[int, int, int], left: tuple[int, int, int], dollars: int
) -> None:
    state = do(position(bots={1: bots}, at={"blue": 3, "green": 3}), Showdown("red", "lawbots"))
    state = rolls(state, TRIPS, "9 9 10 J Q A" if bots[2] else PAIR)
    assert (state.cars[1].bots, money(state)[0]) == (left, dollars)


def test_one_weapon_is_used_in_a_fight_chosen_from_the_dealer_on() -> None:
    gear = {"red": ["repeater", "twin_barrels"], "blue": ["repeater"]}
    state = do(position(gear=gear, at={"green": 3}, dealer="blue"), Showdown("red", "blue"))
    assert awaited(state) == "blue"
    state = do(state, Arm("blue", ("repeater",)))
    assert all(len(arm.weapons) <= 1 for arm in may(state, Arm))
    state = do(state, Arm("red", ()))
    assert dice_due(state) == 5
    assert dice_due(do(state, *roll(PAIR))) == 6


def test_a_search_may_be_opposed_by_whom_is_there_and_happens_if_nobody_does() -> None:
    state = do(position(tokens={1: ("1",)}, loot=["loose_change"]), Search("red"), *nobody())
    assert state.fight is None
    state = do(state, TurnUp("red", "1"), Keep("red", "loose_change"))
    assert money(state)[0] == 1


def test_a_fight_may_be_taken_back_step_by_step() -> None:
    """Every decision and every throw of a fight is an act of its own."""
    state = do(position(bots={1: (0, 1, 0)}), Showdown("red", "lawbots"))
    asked: list[Any] = []
    for action in (Join("blue", join=True), Join("green", join=False), *roll(TRIPS, PAIR, "9 10 Q K A")):
        asked.append(waits_for(state))
        state = do(state, action)
    assert [job.do for job in asked] == ["join", "join", "throw", "throw", "throw"]
    assert (waits_for(state), awaited(state)) == (Job("reroll", LAWBOTS), "green")


def test_four_sides_with_all_rerolls_and_two_weapons_decide_one_after_the_other() -> None:
    gear = {"red": ["repeater"], "blue": ["twin_barrels"]}
    raiders = {"green": "brass", "yellow": "brass"}
    state = position(seats=FOUR, gear=gear, raiders=raiders, bots={1: (0, 1, 1)}, dealer="yellow")
    state = do(state, Showdown("red", "lawbots"), *(Join(seat, join=True) for seat in FOUR[1:]))
    state = do(state, Arm("red", ("repeater",)), Arm("blue", ("twin_barrels",)))
    state = do(state, *roll("9 9 10 J Q A", PAIR, PAIR, PAIR, "9 9 10 J Q A"))
    order = []
    while (job := waits_for(state)) and job.do == "reroll":
        order.append((awaited(state), job.seat))
        state = do(state, GAME.legal(state, awaited(state))[-1])
    assert order == [("blue", 1), ("green", 2), ("yellow", 3), ("yellow", LAWBOTS)]
    assert awaited(state) == "blue"


def test_an_empty_train_car_gets_what_is_left_of_the_tokens() -> None:
    state = position()
    full = replace(state.cars[3], tokens=state.tokens[:-1])
    state = replace(state, tokens=state.tokens[-1:], cars=(*state.cars[:3], full, *state.cars[4:]))
    state = advance(replace(state, agenda=(Job("tokens", 0, 2, 3), *state.agenda)))
    assert (len(state.cars[2].tokens), waits_for(state)) == (1, Job("act", 0))


def test_the_raiders_that_are_left_lie_aside() -> None:
    state = begun_with_raiders()
    assert state.raiders == ("dusty", "brass", "ptolemy")
