"""The rulings RR-A01 to RR-A35, each with its default and its other value, if any."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.game import Shuffled
from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.actions import (
    Arm,
    Board,
    Decide,
    Done,
    Join,
    Keep,
    Move,
    Pass,
    PickLawbot,
    PutBack,
    Reroll,
    Search,
    Send,
    Showdown,
    StayOff,
    TurnUp,
    UseCar,
)
from companion.games.rail_raiders_infinite.hands import best
from companion.games.rail_raiders_infinite.machine import advance
from companion.games.rail_raiders_infinite.state import LAWBOTS, LOOT, OFF, Job, State, Turn
from tests.rules.rail_games import house
from tests.rules.rail_positions import (
    FIVES,
    FOUR,
    KINGS,
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
    money,
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


def test_a01_a_deck_emptied_by_a_discard_makes_this_the_last_round() -> None:
    state = turn(left=2, high_noon=["no_brakes"])
    assert "RR-A01" in named(state, TurnUp("red", "no_brakes"))
    state = do(state, TurnUp("red", "no_brakes"))
    assert (state.last_round, len(state.high_noon_buried)) == (True, 1)
    assert "RR-A01" in named(state, Pass("red"))
    state = do(state, Pass("red"))
    assert (awaited(state), waits_for(state)) == ("blue", Job("act", 1))


def test_a02_a_last_card_that_puts_one_back_goes_on_or_ends() -> None:
    for value, last in (("goes_on", False), ("last_round", True)):
        state = shown_then_signal(value)
        state = do(state, TurnUp("red", "red_signal"), PutBack("red", "more_coal"))
        state = do(state, Shuffled(("more_coal",)))
        assert (state.last_round, len(state.high_noon)) == (last, 1)


def shown_then_signal(value: str) -> State:
    """One High Noon card is left, a Red Signal, and one lies discarded."""
    state = turn(left=1, high_noon=["red_signal"], options={"shuffled_back": value})
    at = state.unused.index("more_coal")
    return replace(state, high_noon_discard=("more_coal",), unused=state.unused[:at] + state.unused[at + 1 :])


def test_a03_no_boarding_beyond_rank_8() -> None:
    for seats, last in ((FOUR[:2], 5), (FOUR[:3], 6), (FOUR, 6)):
        agenda = [Job("turn", number) for number in range(len(seats))]
        state = position(seats=seats, at={"red": OFF}, agenda=[*agenda, Job("round_end")])
        assert may(state, Board)[-1] == Board("red", last)
    assert refused(state, Board("red", 7)).rule == "RR-A03"
    assert "RR-A03" in named(state, Board("red", 1))


def test_a04_a_facedown_car_is_flipped_in_ones_own_turn() -> None:
    state = position(at={"red": OFF}, down=[1], agenda=[Job("board", 0, card="opening"), *TURNS])
    state = replace(state, turn=-2)
    assert "RR-A04" in named(state, Board("red", 1))
    state = do(state, Board("red", 1), *roll(TWO_PAIR))
    assert waits_for(state) == Job("turn_up", 0, 1, card="cars")
    assert state.turn == 0
    at_once = do(turn(at={"red": OFF}, down=[1]), Board("red", 1), *roll(TWO_PAIR))
    assert waits_for(at_once) == Job("turn_up", 0, 1, card="cars")
    assert at_once.agenda[1].do == "flip_here"


def test_a05_one_attempt_to_board_at_the_start_of_the_turn() -> None:
    state = do(turn(at={"red": OFF}, high_noon=["hot_blood"]), StayOff("red"))
    assert waits_for(state) == Job("turn_up", 0, card="high_noon")
    state = do(state, TurnUp("red", "hot_blood"))
    assert state.turn == 1
    other = turn(at={"red": OFF}, high_noon=["hot_blood"], options={"boarding": "an_action_too"})
    assert "RR-A05" in named(do(other, StayOff("red")), TurnUp("red", "hot_blood"))
    other = do(other, StayOff("red"), TurnUp("red", "hot_blood"))
    other = do(other, Board("red", 0))
    assert (where(other)[0], other.acts.left) == (0, 2)


def test_a06_an_opposed_search_needs_the_win_or_the_raider_there() -> None:
    for value, after in (("must_win", Job("act", 0)), ("still_there", Job("turn_up", 0, 1, card="token"))):
        state = position(
            at={"green": 3},
            tokens={1: ("1",)},
            gear={"red": ["magnet_boots"]},
            options={"opposed_search": value},
        )
        state = rolls(do(state, Search("red"), Join("blue", join=True)), PAIR, TRIPS)
        state = do(state, Send("blue", "red", 0))
        assert "RR-A06" in named(state, *roll("K"))
        assert waits_for(do(state, *roll("K"))) == after


def test_a07_every_participant_is_a_side_and_a_joiner_scores_for_the_lawbots() -> None:
    state = do(position(bots={1: (0, 1, 0)}, at={"green": 3}), Showdown("red", "lawbots"))
    assert "RR-A07" in named(state, Join("blue", join=True))
    state = rolls(do(state, Join("blue", join=True)), PAIR, TRIPS, LOW)
    assert money(state) == [0, 2, 0]
    assert {send.loser for send in may(state, Send, "blue")} == {"red"}


def test_a08_salvage_comes_first_or_as_the_winner_decides() -> None:
    fields: dict[str, Any] = {"bots": {1: (0, 1, 0)}, "dollars": {"blue": 1}, "at": {"green": 3}}

    def won(**options: str) -> State:
        state = do(position(options=options, **fields), Showdown("red", "lawbots"), Join("blue", join=True))
        return rolls(state, TRIPS, PAIR, LOW)

    state = won()
    assert money(state) == [2, 1, 0]
    state = do(state, Send("red", "blue", 0))
    assert waits_for(state) == Job("act", 0)
    other = won(consequences="winner_decides")
    assert (money(other), awaited(other)) == ([0, 1, 0], "red")
    moved = do(other, Decide("red", yes=False), Send("red", "blue", 0), Decide("red", yes=True))
    assert money(moved) == [3, 0, 0]
    assert money(do(other, Decide("red", yes=True))) == [2, 1, 0]


def test_a09_all_who_tie_for_the_best_roll_off() -> None:
    state = do(position(), Showdown("red", "blue"), Join("green", join=True), *roll(TRIPS, TRIPS))
    assert "RR-A09" in named(state, *roll(TRIPS))
    tied = do(state, *roll(TRIPS))
    assert waits_for(tied) == Job("contest", card="rolloff", seats=(0, 1, 2))
    tied = do(tied, *roll(KINGS, KINGS, PAIR))
    assert waits_for(tied) == Job("contest", card="rolloff", seats=(0, 1))
    tied = do(tied, *roll(PAIR, TRIPS))
    assert {send.loser for send in may(tied, Send, "blue")} == {"red", "green"}


def test_a10_who_runs_the_lawbots_moves_the_losers() -> None:
    state = do(
        position(bots={1: (1, 0, 0)}, dollars={"red": 5}, at={"blue": 3, "green": 3}),
        Showdown("red", "lawbots"),
    )
    state = rolls(state, PAIR, TRIPS)
    assert "RR-A10" in named(state, Send("blue", "red", 0))
    state = do(state, Send("blue", "red", 0))
    assert (money(state), waits_for(state)) == ([5, 0, 0], Job("act", 0))


def test_a11_all_five_dice_are_compared() -> None:
    assert best(["K", "K", "10", "10", "A"]) > best(["K", "K", "10", "10", "Q"])
    state = do(
        position(at={"green": 3}, agenda=[Job("contest", card="dealer", seats=(0, 1))]), *roll("K K A 9 10")
    )
    assert "RR-A11" in named(state, *roll("K K A 9 J"))
    assert do(state, *roll("K K A 9 J")).dealer == 1


def test_a12_the_best_five_count() -> None:
    state = position(forces=in_force("hot_blood"), at={"green": 3})
    state = do(state, Showdown("red", "blue"))
    assert dice_due(state) == 6
    assert "RR-A12" in named(state, *roll("9 10 J Q K K"))
    state = do(state, *roll("9 10 J Q K K", TRIPS))
    assert awaited(state) == "red"


def test_a13_rerolls_are_decided_before_any_die_is_rolled_again() -> None:
    gear = {"red": ["twin_barrels"], "blue": ["twin_barrels"]}
    state = position(gear=gear, at={"green": 3}, dealer="red")
    state = do(state, Showdown("red", "blue"), *ARMS, *roll(LOW, PAIR))
    assert (awaited(state), "RR-A13" in named(state, Reroll("red", ("9",)))) == ("red", True)
    state = do(state, Reroll("red", ("9",)))
    assert awaited(state) == "blue"
    state = do(state, Reroll("blue", ("10",)))
    assert (awaited(state), dice_due(state)) == ("red", 1)


ARMS = (Arm("red", ("twin_barrels",)), Arm("blue", ("twin_barrels",)))


def test_a14_several_officers_add_no_more() -> None:
    state = do(
        position(bots={1: (0, 2, 2)}, at={"blue": 3, "green": 3}), Showdown("red", "lawbots"), *roll(PAIR)
    )
    assert dice_due(state) == 6
    assert "RR-A14" in named(state, *roll("9 9 10 J Q A"))
    state = do(state, *roll("9 9 10 J Q A"))
    assert max(len(reroll.dice) for reroll in may(state, Reroll, "blue")) == 1


def test_a15_all_losers_go_to_the_one_car_beside_an_end() -> None:
    state = position(at={seat: 6 for seat in FOUR[:3]})
    state = do(state, Showdown("red", "blue"), Join("green", join=True))
    state = rolls(state, TRIPS, PAIR, PAIR)
    assert may(state, Send) == [Send("red", "blue", 5), Send("red", "green", 5)]
    assert "RR-A15" in named(state, Send("red", "blue", 5))
    assert where(do(state, Send("red", "blue", 5))) == [6, 5, 5]


def test_a16_a_loser_flips_the_car_in_its_own_turn_alone() -> None:
    state = rolls(do(position(down=[2], at={"green": 3}), Showdown("red", "blue")), PAIR, TRIPS)
    assert "RR-A16" in named(state, Send("blue", "red", 2))
    assert waits_for(do(state, Send("blue", "red", 2))) == Job("turn_up", 0, 2, card="cars")
    state = rolls(do(position(down=[2], at={"green": 3}), Showdown("red", "blue")), TRIPS, PAIR)
    assert waits_for(do(state, Send("red", "blue", 2))) == Job("act", 0)


def test_a17_one_dollar_from_who_has_more_if_the_winner_wants_it() -> None:
    state = rolls(do(position(dollars={"blue": 2}, at={"green": 3}), Showdown("red", "blue")), TRIPS, PAIR)
    state = do(state, Send("red", "blue", 0))
    assert "RR-A17" in named(state, Decide("red", yes=True))
    assert money(do(state, Decide("red", yes=True))) == [1, 1, 0]
    assert money(do(state, Decide("red", yes=False))) == [0, 2, 0]


def test_a18_who_drew_the_card_picks_the_lawbot_that_is_moved() -> None:
    agenda = [Job("long_arm", 0, 2), Job("act", 0), Job("cleanup", 0), *TURNS[1:]]
    state = position(agenda=agenda, long_arm=["gold_star"], bots={0: (0, 0, 1), 4: (0, 0, 1)})
    state = do(state, TurnUp("red", "gold_star"))
    assert "RR-A18" in named(state, PickLawbot("red", "marshal", 4, 2))
    assert do(state, PickLawbot("red", "marshal", 4, 2)).cars[2].bots == (0, 0, 1)
    there = position(agenda=agenda, long_arm=["gold_star"], bots={2: (0, 0, 2)})
    assert do(there, TurnUp("red", "gold_star")).cars[2].bots == (0, 0, 2)


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
