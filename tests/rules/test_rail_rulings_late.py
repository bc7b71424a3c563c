"""The rulings RR-A19 to RR-A35, each with its default and its other value, if any."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.game import Shuffled
from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.actions import (
    Arm,
    Done,
    Join,
    Keep,
    Move,
    Pass,
    Reroll,
    Search,
    Send,
    Showdown,
    StayOff,
    TurnUp,
    UseCar,
)
from companion.games.rail_raiders_infinite.machine import advance
from companion.games.rail_raiders_infinite.state import LAWBOTS, LOOT, OFF, Job, State, Turn
from tests.rules.rail_games import house
from tests.rules.rail_positions import (
    FIVES,
    FOUR,
    LOW,
    PAIR,
    STRAIGHT,
    TRIPS,
    TWO_PAIR,
    awaited,
    dice_due,
    do,
    in_force,
    may,
    named,
    position,
    refused,
    roll,
    rolls,
    told,
    waits_for,
    where,
)

TURNS = (Job("turn", 0), Job("turn", 1), Job("turn", 2), Job("round_end"))


def turn(**fields: Any) -> State:
    """Red's turn begins."""
    return position(agenda=TURNS, **fields)


def test_a19_used_tokens_lie_aside_until_they_are_needed() -> None:
    state = position(tokens={1: ("1",)}, at={"blue": 3, "green": 3}, loot=["loose_change"])
    state = do(state, Search("red"))
    assert "RR-A19" in named(state, TurnUp("red", "1"))
    state = do(state, TurnUp("red", "1"), Keep("red", "loose_change"))
    assert state.shown == ("1",)
    on_cars = replace(state.cars[3], tokens=state.tokens)
    emptied = replace(state, tokens=(), cars=(*state.cars[:3], on_cars, *state.cars[4:]))
    emptied = advance(replace(emptied, agenda=(Job("tokens", 0, 2), *emptied.agenda)))
    assert waits_for(emptied) == Job("shuffle", card="tokens")
    assert "RR-A19" in named(emptied, Shuffled(("1",)))
    assert do(emptied, Shuffled(("1",))).cars[2].tokens == ("1",)


def test_a20_an_empty_deck_is_made_of_its_discards() -> None:
    state = position(tokens={1: ("2",)}, at={"blue": 3, "green": 3})
    top, rest = state.loot[:1], tuple(sorted(state.loot[1:]))
    state = do(replace(state, loot=top, loot_buried=rest), Search("red"), TurnUp("red", "2"))
    assert waits_for(state) == Job("shuffle", card=LOOT)
    assert "RR-A20" in named(state, Shuffled(rest))
    state = do(state, Shuffled(rest))
    assert (len(state.agenda[0].cards), state.loot_buried) == (2, ())


def test_a21_the_ends_get_no_tokens_and_draw_no_cards() -> None:
    state = position(at={"red": 5})
    assert "RR-A21" in named(state, Move("red", 6))
    state = do(state, Move("red", 6))
    assert (state.cars[6].tokens, waits_for(state)) == ((), Job("act", 0))


def test_a22_a_cars_ability_is_a_type_of_its_own() -> None:
    train = ("dining", "saloon", "workshop", "cattle", "tender")
    state = position(train=train, at={"blue": 3, "green": 3})
    assert "RR-A22" in named(state, UseCar("red"))
    state = do(state, UseCar("red"), *roll("9"), UseCar("red"), *roll("9"))
    assert refused(state, UseCar("red")).rule == "RR-A22"
    again = Turn(left=2, done=("car:dining", "car:dining"))
    state = do(position(train=train, at={"blue": 3, "green": 3}, acts=again), Move("red", 2))
    assert may(state, UseCar)


def test_a23_passing_ends_the_turn() -> None:
    assert "RR-A23" in named(position(), Pass("red"))
    assert do(position(), Pass("red")).turn == 1


def test_a24_high_noon_is_drawn_off_the_train_too() -> None:
    state = do(turn(at={"red": OFF}, high_noon=["over_the_roofs"], left=8), StayOff("red"))
    assert "RR-A24" in named(state, TurnUp("red", "over_the_roofs"))
    state = do(state, TurnUp("red", "over_the_roofs"))
    assert (where(state)[0], state.turn) == (OFF, 1)
    thrust = do(
        turn(at={"red": OFF}, high_noon=["downhill"], left=8), StayOff("red"), TurnUp("red", "downhill")
    )
    assert len(thrust.high_noon) == 5


def test_a25_lawbots_are_run_from_off_the_train() -> None:
    state = position(bots={1: (1, 0, 0)}, at={"blue": OFF, "green": 3})
    assert "RR-A25" in named(state, Showdown("red", "lawbots"))
    assert awaited(do(state, Showdown("red", "lawbots"), *roll(PAIR))) == "blue"


def test_a26_who_ties_for_the_dealer_rolls_again() -> None:
    state = position(agenda=[Job("contest", card="dealer", seats=(0, 1, 2))])
    state = do(state, *roll(TRIPS, PAIR))
    assert "RR-A26" in named(state, *roll(TRIPS))
    state = do(state, *roll(TRIPS))
    assert waits_for(state) == Job("contest", card="dealer", seats=(0, 2))
    assert dice_due(state) == 5
    assert do(state, *roll(PAIR, TRIPS)).dealer == 2


def test_a27_showdown_words_are_meant_exactly() -> None:
    state = position(forces=in_force("hot_blood"), tokens={1: ("1",)}, at={"green": 3})
    state = do(state, Search("red"))
    assert "RR-A27" in named(state, Join("blue", join=True))
    assert dice_due(do(state, Join("blue", join=True))) == 5


def test_a28_the_sides_roll_in_turn() -> None:
    forces = [*in_force("front_page", lasts="kept")]
    state = position(seats=FOUR, forces=forces)
    state = do(state, Showdown("red", "blue"), Join("green", join=True), Join("yellow", join=True))
    assert [awaited(state), dice_due(state)] == ["red", 6]
    state = do(state, *roll("9 9 10 J Q A", PAIR, LOW))
    assert "RR-A28" in named(state, *roll(PAIR))


def test_a29_the_dealer_keeps_two_hands_apart() -> None:
    state = position(bots={1: (1, 0, 0)}, dealer="green")
    state = do(state, Showdown("red", "lawbots"), Join("blue", join=True))
    assert "RR-A29" in named(state, Join("green", join=True))
    state = do(state, Join("green", join=True))
    assert state.fight is not None
    assert [(side.who, side.runner) for side in state.fight.sides] == [(0, 0), (1, 1), (2, 2), (LAWBOTS, 2)]
    state = rolls(state, PAIR, LOW, TWO_PAIR, TRIPS)
    assert {send.loser for send in may(state, Send, "green")} == {"red", "blue", "green"}


def test_a30_a_raised_five_of_a_kind_beats_a_plain_one() -> None:
    state = position(gear={"red": ["blank_card"]}, at={"green": 3})
    state = do(state, Showdown("red", "blue"), *roll(FIVES))
    assert "RR-A30" in named(state, *roll("A A A A A"))
    assert awaited(do(state, *roll("A A A A A"))) == "red"


def test_a31_a_loser_goes_next_to_its_own_car() -> None:
    state = position(at={"green": 2}, gear={"green": ["long_gun"]})
    state = do(state, Showdown("red", "blue"), Join("green", join=True), Arm("green", ()))
    state = rolls(state, TRIPS, PAIR, PAIR)
    assert "RR-A31" in named(state, Send("red", "green", 3))
    assert refused(state, Send("red", "green", 0)).rule == "RR-A31"


def test_a32_a_search_needs_a_token() -> None:
    assert refused(position(), Search("red")).rule == "RR-A32"
    assert "RR-A32" in named(position(tokens={1: ("1",)}), Search("red"))


@pytest.mark.parametrize("mine", [TRIPS, LOW])
def test_a33_the_top_grit_card_goes_after_any_fight_with_the_lawbots(mine: str) -> None:
    state = position(grit={1: ["drilled", "fall_back"]}, bots={1: (2, 0, 0)}, at={"blue": 3, "green": 3})
    state = do(state, Showdown("red", "lawbots"), *roll(mine, PAIR))
    last = Reroll("blue", ())
    if mine == TRIPS:
        assert "RR-A33" in named(state, last)
    state = do(state, last)
    state = do(state, *(may(state, Send, "blue")[:1]))
    assert (state.cars[1].grit, state.long_arm_discard) == (("fall_back",), ("drilled",))
    without = rolls(
        do(position(grit={1: ["drilled"]}, at={"green": 3}), Showdown("red", "blue")), TRIPS, PAIR
    )
    assert do(without, Send("red", "blue", 0)).cars[1].grit == ("drilled",)


def test_a34_the_winner_stays_put() -> None:
    state = position(tokens={1: ("1",)}, at={"green": 3})
    state = do(state, Search("red"), Join("blue", join=True), *roll(PAIR))
    assert "RR-A34" in named(state, *roll(TRIPS))
    state = do(state, *roll(TRIPS), Send("blue", "red", 0))
    assert (where(state), state.cars[1].tokens, waits_for(state)) == ([0, 1, 3], ("1",), Job("act", 0))


def test_a35_lawbots_that_arrive_start_no_fight() -> None:
    agenda = [Job("long_arm", 0, 1), Job("act", 0), Job("cleanup", 0), *TURNS[1:]]
    state = position(agenda=agenda, long_arm=["full_crew"], tokens={1: ("1",)})
    assert "RR-A35" in named(state, TurnUp("red", "full_crew"))
    state = do(state, TurnUp("red", "full_crew"))
    assert (state.fight, waits_for(state)) == (None, Job("act", 0))
    assert not may(state, Search)


def test_f06_raiders_are_chosen_or_dealt() -> None:
    state = GAME.setup(FOUR[:3], house(), {})
    assert waits_for(state) == Job("contest", card="raiders", seats=(0, 1, 2))
    state = do(state, *roll(PAIR, STRAIGHT, TRIPS))
    assert awaited(state) == "blue"
    dealt = GAME.setup(FOUR[:3], house(), {"raiders": "dealt"})
    assert waits_for(dealt) == Job("shuffle", card="raiders")
    dealt = do(dealt, Shuffled(tuple(sorted(dealt.raiders, reverse=True))))
    assert told(dealt, TurnUp("red", dealt.raiders[0])).startswith("Raider for Red: ")
    assert Done("red") not in GAME.legal(dealt, "red")


@pytest.mark.parametrize(
    ("options", "says"),
    [({"luck": "good"}, "There is no option 'luck'"), ({"boarding": "never"}, "Known values: turn_start")],
)
def test_options_are_known(options: dict[str, str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        GAME.setup(FOUR[:3], house(), options)
