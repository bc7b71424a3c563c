"""The rulings RR-A01 to RR-A18, each with its default and its other value, if any."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games.game import Shuffled
from companion.games.rail_raiders_infinite.actions import (
    Arm,
    Board,
    Decide,
    Join,
    Pass,
    PickLawbot,
    PutBack,
    Reroll,
    Search,
    Send,
    Showdown,
    StayOff,
    TurnUp,
)
from companion.games.rail_raiders_infinite.dice.hands import best
from companion.games.rail_raiders_infinite.state import OFF, Job, State
from tests.rules.rail_positions import (
    FOUR,
    KINGS,
    LOW,
    PAIR,
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
