"""Doubts about the fights of Rail Raiders Infinite: ties, joiners, donations, who runs the Lawbots."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.actions import (
    Arm,
    Decide,
    Join,
    PickCar,
    PickSeat,
    Reroll,
    Send,
    SetDie,
    Showdown,
)
from companion.games.rail_raiders_infinite.jobs.forces import bots_in
from companion.games.rail_raiders_infinite.packs.vocabulary import Effect
from companion.games.rail_raiders_infinite.state import LAWBOTS, OFF, Card, Fight, Job, Side
from tests.rules.rail_positions import (
    FOUR,
    FULL,
    KINGS,
    LOW,
    PAIR,
    STRAIGHT,
    TRIPS,
    awaited,
    dice_due,
    do,
    made,
    may,
    money,
    position,
    roll,
    rolls,
    told,
    waits_for,
    where,
)

# -- ties and roll-offs -------------------------------------------------------------------------------


def test_of_three_who_tie_the_two_best_roll_off_again_and_both_others_have_lost() -> None:
    state = position(seats=FOUR, at=dict.fromkeys(FOUR, 2))
    state = do(state, Showdown("red", "blue"), Join("green", join=True), Join("yellow", join=True))
    state = rolls(state, TRIPS, TRIPS, TRIPS, PAIR)
    assert waits_for(state) == Job("contest", card="rolloff", seats=(0, 1, 2))
    state = do(state, *roll(KINGS, PAIR, KINGS))
    assert waits_for(state) == Job("contest", card="rolloff", seats=(0, 2))
    state = do(state, *roll(LOW, PAIR))
    assert {action.loser for action in may(state, Send, "green")} == {"red", "blue", "yellow"}


def test_hands_raised_in_the_fight_are_plain_in_the_roll_off() -> None:
    typhoon = made([Effect("rank", when="fight", least=4)])
    state = position(pack=typhoon, raiders={"red": "nobody", "blue": "nobody1"}, at={"green": 3})
    state = rolls(do(state, Showdown("red", "blue")), "9 9 10 J Q", "9 9 10 J Q")
    assert waits_for(state) == Job("contest", card="rolloff", seats=(0, 1))
    # Three nines would be rank 5 in the fight; a straight beats them in the roll-off.
    state = do(state, *roll(TRIPS, STRAIGHT))
    assert state.fight is not None
    assert state.fight.winner == 1


def test_lawbots_who_lose_the_roll_off_lose_one() -> None:
    state = position(at={"green": 3}, bots={1: (2, 0, 0)})
    state = do(state, Showdown("red", "lawbots"), Join("blue", join=True))
    assert awaited(state) == "red"
    state = rolls(state, TRIPS, TRIPS, TRIPS)
    assert state.fight is not None
    assert set(state.fight.best) == {0, 1, LAWBOTS}
    state = do(state, *roll(*(FULL if who == 1 else PAIR for who in state.fight.best)))
    assert (state.cars[1].bots, money(state)) == ((1, 0, 0), [0, 1, 0])
    assert awaited(state) == "blue"


def test_only_the_tied_roll_again_for_the_first_choice() -> None:
    state = GAME.setup(FOUR, made(), {})
    state = do(state, *roll(PAIR, TRIPS, TRIPS, TRIPS))
    assert waits_for(state) == Job("contest", card="raiders", seats=(1, 2, 3))
    state = do(state, *roll(PAIR, LOW, PAIR))
    assert waits_for(state) == Job("contest", card="raiders", seats=(1, 3))
    assert awaited(do(state, *roll(LOW, PAIR))) == "yellow"


# -- joiners and sides --------------------------------------------------------------------------------


def test_a_joiner_may_compel_too() -> None:
    state = position(pack=made([Effect("compel")]), raiders={"red": "nobody1", "blue": "nobody"}, seats=FOUR)
    state = do(state, Showdown("red", "green"), Join("blue", join=True), Join("yellow", join=False))
    assert may(state, PickSeat, "blue") == [PickSeat("blue", "yellow"), PickSeat("blue", "")]
    state = do(state, PickSeat("blue", "yellow"))
    assert state.fight is not None
    assert {side.who for side in state.fight.sides} == {0, 1, 2, 3}


def test_who_stays_out_compels_nobody() -> None:
    state = position(pack=made([Effect("compel")]), raiders={"red": "nobody1", "blue": "nobody"}, seats=FOUR)
    state = do(state, Showdown("red", "green"), Join("blue", join=False), Join("yellow", join=False))
    assert awaited(state) == "red"
    assert dice_due(state) == 5


def test_a_compelled_raider_does_not_run_the_lawbots() -> None:
    state = position(pack=made([Effect("compel")]), bots={1: (1, 0, 0)})
    state = do(state, Showdown("red", "lawbots"), Join("blue", join=False), Join("green", join=False))
    state = do(state, PickSeat("red", "blue"))
    assert state.fight is not None
    assert {side.who: side.runner for side in state.fight.sides} == {0: 0, 1: 1, LAWBOTS: 2}


def test_a_die_is_set_by_a_weapon_too() -> None:
    gun = Card(
        "fan_gun",
        "Loaded Dice",
        1,
        "Sets a die.",
        "weapon",
        effects=(Effect("set_die", when="fight", faces=("A",)),),
    )
    name = next(card.name for card in made().loot if card.kind == "weapon")
    pack = made((), **{name: replace(gun, name=name)})
    state = do(position(pack=pack, gear={"red": [name]}, at={"green": 3}), Showdown("red", "blue"))
    armed = do(state, Arm("red", (name,)), *roll(PAIR, KINGS))
    assert SetDie("red", "9", "A") in may(armed, SetDie)
    bare = do(state, Arm("red", ()), *roll(PAIR, KINGS))
    assert not may(bare, SetDie)


def test_nobody_pays_for_a_die_that_is_not_rolled() -> None:
    state = position(
        gear={"red": ["hired_gun"], "blue": ["blunderbuss"]}, dollars={"red": 3}, at={"green": 3}
    )
    state = do(state, Showdown("red", "blue"), Arm("red", ("hired_gun",)))
    assert may(do(state, Arm("blue", ())), Decide)
    state = do(state, Arm("blue", ("blunderbuss",)))
    assert (may(state, Decide), dice_due(state)) == ([], 5)


def test_grit_that_holds_raiders_lets_nobody_be_dragged_off() -> None:
    dragging = made([Effect("drag_target")])
    grit = {1: ["blocked_doors"]}
    state = position(pack=dragging, at={"green": 3}, grit=grit, bots={1: (1, 0, 0)})
    state = do(state, Showdown("red", "blue"))
    assert (awaited(state), dice_due(state)) == ("red", 5)
    free = do(position(pack=dragging, at={"green": 3}, grit=grit), Showdown("red", "blue"))
    assert may(free, PickCar)


def test_an_officer_who_sat_out_and_is_gone_counts_for_nobody() -> None:
    fight = Fight("showdown", 1, 0, LAWBOTS, (Side(0, 0), Side(LAWBOTS, 1)), out=("sheriff",))
    assert bots_in(position(bots={1: (1, 1, 0)}, fight=fight), fight) == (1, 0, 0)
    assert bots_in(position(bots={1: (1, 0, 0)}, fight=fight), fight) == (1, 0, 0)


def test_it_is_said_where_a_loser_is_sent() -> None:
    both = [Effect("throw_off"), Effect("rank", when="fight", least=1)]
    state = position(pack=made(both), raiders={"blue": "nobody1"}, at={"green": 3})
    state = rolls(do(state, Showdown("red", "blue")), TRIPS, PAIR)
    assert told(state, Send("red", "blue", 0)).startswith("Red sends Blue to the caboose.")
    assert told(state, Send("red", "blue", OFF)).startswith("Red throws Blue off the train.")
    for to in (0, OFF):
        assert "Blue is " not in told(state, Send("red", "blue", to))


# -- donations ----------------------------------------------------------------------------------------


def test_each_donation_is_asked_before_the_next_loser_is_moved() -> None:
    state = position(
        seats=FOUR, at=dict.fromkeys(FOUR, 2), dollars={"red": 2, "blue": 3, "green": 3, "yellow": 4}
    )
    state = do(state, Showdown("red", "blue"), Join("green", join=True), Join("yellow", join=True))
    state = rolls(state, FULL, PAIR, PAIR, PAIR)
    state = do(state, Send("red", "blue", 1))
    assert waits_for(state) == Job("donation", 0, seats=(1,))
    state = do(state, Decide("red", yes=True), Send("red", "green", 1))
    assert [action.loser for action in may(state, Send)] == ["yellow", "yellow"]  # Green has no more than Red
    state = do(state, Send("red", "yellow", 3), Decide("red", yes=True))
    assert money(state) == [4, 2, 3, 3]


def test_the_donation_comes_before_what_the_loser_flips() -> None:
    state = position(at={"green": 4}, dollars={"red": 3}, down=[2])
    state = do(state, Showdown("red", "blue"))
    state = do(rolls(state, PAIR, TRIPS), Send("blue", "red", 2))
    assert waits_for(state) == Job("donation", 1, seats=(0,))
    state = do(state, Decide("blue", yes=True))
    assert waits_for(state) == Job("turn_up", 0, 2, card="cars")


def test_lawbots_take_no_dollar_and_give_none() -> None:
    state = position(at={"green": 3, "blue": 3}, dollars={"red": 5}, bots={1: (1, 0, 0)})
    state = rolls(do(state, Showdown("red", "lawbots")), PAIR, TRIPS)
    state = do(state, Send("blue", "red", 0))
    assert (money(state), waits_for(state)) == ([5, 0, 0], Job("act", 0))


# -- who runs the Lawbots -----------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", FOUR)
def test_with_everyone_in_it_the_dealer_runs_the_lawbots(dealer: str) -> None:
    state = position(seats=FOUR, bots={1: (0, 1, 1)}, dealer=dealer)
    joins = [Join(seat, join=True) for seat in FOUR[1:]]
    state = do(state, Showdown("red", "lawbots"), *joins)
    assert state.fight is not None
    assert [side.runner for side in state.fight.sides if side.who == LAWBOTS] == [FOUR.index(dealer)]
    # The Dealer decides for the own Raider first, and for the Lawbots right after.
    whose = [side.who for side in state.fight.sides]
    assert whose.index(LAWBOTS) == whose.index(FOUR.index(dealer)) + 1
    dice = [LOW + " A" if who == LAWBOTS else PAIR for who in whose]
    state = do(state, *roll(*dice))
    assert awaited(state) == dealer
    assert Reroll(dealer, ("9",)) in may(state, Reroll, dealer)


def test_the_dealer_who_runs_the_lawbots_moves_the_own_raider() -> None:
    state = do(
        position(seats=FOUR[:2], bots={1: (1, 0, 0)}), Showdown("red", "lawbots"), Join("blue", join=True)
    )
    state = rolls(state, *(TRIPS if side.who == LAWBOTS else PAIR for side in state.fight.sides))  # type: ignore[union-attr]
    assert {action.loser for action in may(state, Send, "red")} == {"red", "blue"}
    state = do(state, Send("red", "red", 0), Send("red", "blue", 2))
    assert (where(state), state.cars[1].bots) == ([0, 2], (1, 0, 0))
