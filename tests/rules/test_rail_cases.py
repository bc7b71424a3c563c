"""The cases of the rulebook, one test each, named by the case's id."""

from __future__ import annotations

from random import Random

import pytest

from companion.chance import outcome
from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.actions import (
    Board,
    Decide,
    Join,
    Keep,
    Move,
    Pass,
    PickLawbot,
    Reroll,
    Search,
    Send,
    Showdown,
    TurnUp,
)
from companion.games.rail_raiders_infinite.dice.hands import FACES, best
from companion.games.rail_raiders_infinite.jobs.forces import dice_of, rerolls_of
from companion.games.rail_raiders_infinite.jobs.rounds import rank_to_board
from companion.games.rail_raiders_infinite.state import LAWBOTS, OFF, Fight, Job, Side, State
from tests.rules.rail_positions import (
    FOUR,
    KINGS,
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
    refused,
    roll,
    rolls,
    waits_for,
    where,
)


def test_rr_02_nine_ten_queen_king_ace_is_high_die() -> None:
    assert best(["9", "10", "Q", "K", "A"]).rank == 1


def test_rr_03_the_winner_salvages_a_sheriff_and_moves_the_other() -> None:
    state = position(at={"red": 3, "blue": 3, "green": 5}, bots={3: (0, 1, 0)})
    state = do(state, Showdown("red", "lawbots"), Join("blue", join=True))
    assert awaited(state) == "red"
    state = do(state, *roll("9 J Q Q Q", "10 10 J J Q", "9 10 Q K A"))
    assert (awaited(state), may(state, Reroll, "green")[1:]) == (
        "green",
        [Reroll("green", (die,)) for die in ("A", "K", "Q", "10", "9")],
    )
    state = do(state, Reroll("green", ("9",)), *roll("K"))
    assert (state.cars[3].bots, money(state)) == ((0, 0, 0), [2, 0, 0])
    assert may(state, Send) == [Send("red", "blue", 2), Send("red", "blue", 4)]
    state = do(state, Send("red", "blue", 2))
    assert where(state) == [3, 2, 5]


def test_rr_05_a_car_two_away_needs_rank_4() -> None:
    state = boarding()
    assert [rank_to_board(state, car) for car in range(4)] == [0, 3, 4, 5]
    state = do(state, Board("red", 2))
    assert where(do(state, *roll(TRIPS)))[0] == 2
    assert where(do(state, *roll(TWO_PAIR)))[0] == OFF


def boarding(high_noon: tuple[str, ...] = ()) -> State:
    """Red is Off the Train as its turn begins."""
    agenda = [Job("turn", 0), Job("turn", 1), Job("turn", 2), Job("round_end")]
    return position(at={"red": OFF}, agenda=agenda, high_noon=high_noon)


def test_rr_06_the_caboose_needs_no_roll() -> None:
    state = do(boarding(), Board("red", 0))
    assert where(state)[0] == 0
    assert waits_for(state) == Job("turn_up", 0, card="high_noon")


def test_rr_08_who_fails_to_board_draws_and_may_try_again_next_turn() -> None:
    state = do(boarding(("hot_blood",)), Board("red", 1), *roll(PAIR))
    assert where(state)[0] == OFF
    state = do(state, TurnUp("red", "hot_blood"))
    assert (state.turn, waits_for(state)) == (1, Job("turn_up", 1, card="high_noon"))
    assert [board.car for board in may(boarding(), Board)] == [0, 1, 2, 3, 4, 5, 6]


def test_rr_09_move_showdown_move_is_legal() -> None:
    state = position(at={"blue": 2})
    state = do(state, Move("red", 2), Showdown("red", "blue"))
    state = do(rolls(state, TRIPS, PAIR), Send("red", "blue", 1), Move("red", 3))
    assert where(state)[0] == 3


def test_rr_11_two_searches_and_a_showdown_are_legal() -> None:
    state = position(
        at={"red": 2, "blue": 1}, tokens={2: ("1", "1", "1")}, bots={1: (1, 0, 0)}, loot=["loose_change"] * 2
    )
    state = do(state, Search("red"), TurnUp("red", "1"), Keep("red", "loose_change"))
    state = do(state, Search("red"), TurnUp("red", "1"), Keep("red", "loose_change"))
    assert not may(state, Search)
    assert "2 times this turn" in refused(state, Search("red")).sentence
    assert may(state, Move)


def test_rr_12_donations_are_taken_one_after_the_other() -> None:
    state = position(dollars={"red": 2, "blue": 3, "green": 4})
    state = do(state, Showdown("red", "blue"), Join("green", join=True))
    state = rolls(state, TRIPS, PAIR, PAIR)
    state = do(state, Send("red", "blue", 0), Decide("red", yes=True))
    assert money(state) == [3, 2, 4]
    state = do(state, Send("red", "green", 0), Decide("red", yes=True))
    assert money(state) == [4, 2, 3]


@pytest.mark.parametrize("has", [5, 2])
def test_rr_14_a_loser_with_no_more_gives_nothing(has: int) -> None:
    state = position(dollars={"red": 5, "blue": has})
    state = do(state, Showdown("red", "blue"), Join("green", join=False))
    state = do(rolls(state, TRIPS, PAIR), Send("red", "blue", 0))
    assert money(state) == [5, has, 0]
    assert waits_for(state) == Job("act", 0)


def test_rr_15_one_deputy_of_a_group_is_destroyed() -> None:
    state = position(at={"red": 3}, bots={3: (2, 1, 0)})
    state = rolls(do(state, Showdown("red", "lawbots")), TRIPS, PAIR)
    assert (state.cars[3].bots, money(state)) == ((1, 1, 0), [1, 0, 0])


def test_rr_17_a_lone_marshal_is_worth_three() -> None:
    state = position(at={"red": 3}, bots={3: (0, 0, 1)})
    state = rolls(do(state, Showdown("red", "lawbots")), TRIPS, "9 9 10 J Q A")
    assert (state.cars[3].bots, money(state)) == ((0, 0, 0), [3, 0, 0])


@pytest.mark.parametrize(
    ("bots", "dice", "rerolls"),
    [
        ((3, 0, 0), 5, 0),
        ((0, 1, 0), 5, 1),
        ((0, 2, 0), 5, 1),
        ((0, 0, 1), 6, 0),
        ((0, 0, 2), 6, 0),
        ((0, 1, 1), 6, 1),
    ],
)
def test_rr_18_what_sheriffs_and_marshals_add(bots: tuple[int, int, int], dice: int, rerolls: int) -> None:
    state = position(bots={1: bots})
    side = Side(LAWBOTS, 1, faces=("9",) * dice)
    fight = Fight("showdown", 1, 0, LAWBOTS, (Side(0, 0), side))
    assert (dice_of(state, fight, side), rerolls_of(state, fight, side)) == (dice, rerolls)


def test_rr_20_six_dice_of_all_faces_are_a_straight_to_the_ace() -> None:
    hand = best(FACES)
    assert (hand.rank, hand.dice) == (5, ("A", "K", "Q", "J", "10"))


def test_rr_21_the_higher_straight_wins() -> None:
    assert best(["10", "J", "Q", "K", "A"]) > best(["9", "10", "J", "Q", "K"])


def test_rr_23_the_higher_pair_wins() -> None:
    assert best(KINGS.split()) > best(["Q", "Q", "A", "10", "9"])


def test_rr_24_exactly_the_same_hand_is_rolled_off() -> None:
    state = do(position(at={"green": 4}), Showdown("red", "blue"), *roll(TRIPS, TRIPS))
    assert waits_for(state) == Job("contest", card="rolloff", seats=(0, 1))
    assert dice_due(state) == 5
    state = do(state, *roll(PAIR, PAIR, PAIR, TRIPS))
    assert awaited(state) == "blue"
    assert may(state, Send, "blue") == [Send("blue", "red", 0), Send("blue", "red", 2)]


@pytest.mark.parametrize(("players", "deck", "down", "length"), [(2, 16, 4, 6), (3, 24, 5, 7), (4, 32, 6, 8)])
def test_rr_26_decks_and_train_by_players(players: int, deck: int, down: int, length: int) -> None:
    state = GAME.setup(FOUR[:players], made(), {"raiders": "dealt"})
    chance = Random(1)
    while not state.round:
        awaits = GAME.awaiting(state)
        action = outcome(awaits.chance, chance) if awaits.chance else GAME.legal(state, awaits.seats[0])[0]
        state = do(state, action)
    assert len(state.high_noon) == deck
    assert [car.up for car in state.cars].count(False) == down
    assert (len(state.cars), state.cars[0].up, state.cars[-1].up) == (length, True, True)


def test_rr_27_a_flipped_car_gets_tokens_and_then_long_arm_cards_in_order() -> None:
    train = ("mail", "workshop", "baggage", "cattle", "tender", "private")
    state = position(train=train, down=[2], long_arm=["silver_star", "tin_star", "two_by_two"])
    state = do(state, Move("red", 2))
    assert waits_for(state) == Job("turn_up", 0, 2, card="cars")
    state = do(state, TurnUp("red", "workshop"))
    assert (state.cars[2].up, len(state.cars[2].tokens)) == (True, 2)
    assert waits_for(state) == Job("turn_up", 0, 2, card="long_arm")
    state = do(state, TurnUp("red", "silver_star"))
    assert state.cars[2].bots == (0, 1, 0)
    state = do(state, TurnUp("red", "tin_star"), TurnUp("red", "two_by_two"))
    assert state.cars[2].bots == (3, 1, 0)
    assert waits_for(state) == Job("act", 0)


def test_rr_29_no_search_beside_a_deputy() -> None:
    state = position(at={"red": 2}, bots={2: (1, 0, 0)}, tokens={2: ("1", "2")})
    assert not may(state, Search)
    ruling = refused(state, Search("red"))
    assert ruling.section == "Action Phase - Search"
    assert ruling.sentence == "No Search while Lawbots are on the car: 1 Deputy; beat them first."


def test_rr_30_a_two_shows_two_cards_of_which_one_is_kept() -> None:
    state = position(at={"red": 2}, tokens={2: ("2",)}, loot=["strongbox", "loose_change"])
    state = do(state, Search("red"), TurnUp("red", "2"))
    assert may(state, Keep) == [Keep("red", "loose_change"), Keep("red", "strongbox")]
    state = do(state, Keep("red", "strongbox"))
    assert money(state) == [3, 0, 0]
    assert (state.loot_discard, state.loot_buried) == (("strongbox",), ("loose_change",))
    assert (state.cars[2].tokens, state.shown) == ((), ("2",))


def test_rr_32_who_opposes_and_wins_stops_the_search() -> None:
    state = position(at={"red": 2, "blue": 2}, tokens={2: ("2",)}, dollars={"red": 3})
    state = do(state, Search("red"), Join("blue", join=True))
    state = do(rolls(state, PAIR, TRIPS), Send("blue", "red", 1), Decide("blue", yes=True))
    assert (where(state), money(state)) == ([1, 2, 1], [2, 1, 0])
    assert (state.cars[2].tokens, waits_for(state)) == (("2",), Job("act", 0))


def test_rr_33_the_searcher_wins_against_two_and_searches() -> None:
    state = position(tokens={1: ("1",)}, dollars={"blue": 1, "green": 2}, loot=["fat_wallet"])
    state = do(state, Search("red"), Join("blue", join=True), Join("green", join=True))
    state = do(rolls(state, TRIPS, PAIR, PAIR), Send("red", "green", 2), Decide("red", yes=True))
    state = do(state, Send("red", "blue", 0))
    assert (where(state), money(state)) == ([1, 0, 2], [1, 1, 1])
    state = do(state, TurnUp("red", "1"), Keep("red", "fat_wallet"))
    assert money(state) == [3, 1, 1]


@pytest.mark.parametrize(
    ("joining", "runs"),
    [
        ((), "blue"),
        (("blue",), "green"),
        (("blue", "green"), "yellow"),
        (("blue", "green", "yellow"), "green"),
    ],
)
def test_rr_35_who_runs_the_lawbots(joining: tuple[str, ...], runs: str) -> None:
    state = position(seats=FOUR, dealer="green", bots={1: (1, 0, 0)})
    state = do(state, Showdown("red", "lawbots"))
    state = do(state, *(Join(seat, join=seat in joining) for seat in FOUR[1:]))
    assert state.fight is not None
    lawbots = next(side for side in state.fight.sides if side.who == LAWBOTS)
    assert state.seats[lawbots.runner] == runs


def test_rr_36_the_last_card_lets_the_round_be_finished() -> None:
    state = position(left=1, high_noon=["hot_blood"], at={"red": 0, "blue": 0, "green": 0})
    state = do(state, Pass("red"))
    assert not state.last_round
    state = do(state, TurnUp("blue", "hot_blood"))
    assert state.last_round
    state = do(state, Pass("blue"))
    assert (awaited(state), waits_for(state)) == ("green", Job("act", 2))
    assert GAME.over(do(state, Pass("green")))


def test_rr_38_a_loser_on_the_caboose_goes_to_the_one_car_next_to_it() -> None:
    state = position(at={"red": 0, "blue": 0})
    state = rolls(do(state, Showdown("red", "blue")), TRIPS, PAIR)
    assert where(state) == [0, 1, 1]


def test_rr_39_a_deputy_comes_from_another_car_when_none_is_left() -> None:
    state = position(
        at={"red": 1},
        down=[2],
        bots={3: (4, 0, 0), 4: (3, 0, 0)},
        long_arm=["tin_star", "tin_star"],
        train=("mail", "sleeper", "baggage", "cattle", "tender", "private"),
    )
    state = do(state, Move("red", 2), TurnUp("red", "sleeper"), TurnUp("red", "tin_star"))
    assert may(state, PickLawbot) == [PickLawbot("red", "deputy", 3, 2), PickLawbot("red", "deputy", 4, 2)]
    state = do(state, PickLawbot("red", "deputy", 4, 2))
    assert [state.cars[car].bots[0] for car in (2, 3, 4)] == [1, 4, 2]


def test_rr_41_no_die_is_rerolled_twice() -> None:
    state = position(at={"green": 4}, forces=in_force("second_wind"))
    state = do(state, Showdown("red", "blue"), *roll("9 10 Q K A", PAIR), Reroll("red", ("9",)), *roll("9"))
    assert not may(state, Reroll)
    assert awaited(state) == "blue"
    assert may(state, Send, "blue")


def test_rr_42_who_decides_first() -> None:
    everyone = {seat: 1 for seat in FOUR}
    armed = {seat: ["repeater"] for seat in ("red", "green")} | {
        "blue": ["twin_barrels"],
        "yellow": ["twin_barrels"],
    }
    state = position(seats=FOUR, dealer="green", at=everyone, gear=armed, tokens={1: ("1",)})
    showdown = do(state, Showdown("red", "yellow"))
    assert order(showdown, "join") == ["blue", "green"]
    search = do(state, Search("red"))
    assert order(search, "join") == ["blue", "green", "yellow"]
    joined = do(search, *(Join(seat, join=True) for seat in FOUR[1:]))
    assert order(joined, "arm") == ["green", "yellow", "red", "blue"]
    assert order(joined, "reroll") == ["red", "blue", "green", "yellow"]


def order(state: State, what: str) -> list[str]:
    return [state.seats[job.seat] for job in state.agenda if job.do == what]


def test_rr_44_who_ties_for_the_most_wins_together() -> None:
    state = position(dollars={"red": 4, "blue": 4, "green": 1}, agenda=[Job("round_end")], last_round=True)
    assert GAME.over(state)
    assert [(standing.seat, standing.place) for standing in GAME.scores(state)] == [
        ("red", 1),
        ("blue", 1),
        ("green", 3),
    ]
    assert GAME.prompt(state, "").words == "The train pulls into the station. Red and Blue win together."


def test_rr_45_passing_ends_the_turn() -> None:
    state = do(position(), Move("red", 2), Pass("red"))
    assert state.turn == 1


def test_rr_47_a_joiner_who_wins_moves_both() -> None:
    state = do(position(), Showdown("red", "blue"), Join("green", join=True))
    state = rolls(state, PAIR, PAIR, TRIPS)
    assert {send.loser for send in may(state, Send, "green")} == {"red", "blue"}
    state = do(state, Send("green", "blue", 0), Send("green", "red", 2))
    assert where(state) == [2, 0, 1]


def test_rr_48_lawbots_who_win_lose_none_and_their_player_moves_the_losers() -> None:
    state = position(bots={1: (1, 0, 0)}, dollars={"red": 3})
    state = do(state, Showdown("red", "lawbots"), Join("blue", join=True), Join("green", join=False))
    state = rolls(state, PAIR, PAIR, TRIPS)
    assert awaited(state) == "green"
    state = do(state, Send("green", "red", 0), Send("green", "blue", 2))
    assert (where(state), money(state), state.cars[1].bots) == ([0, 2, 1], [3, 0, 0], (1, 0, 0))


def test_rr_50_a_deck_emptied_by_a_discard_makes_this_the_last_round() -> None:
    state = position(
        left=3,
        high_noon=["downhill"],
        agenda=[Job("turn", 0), Job("turn", 1), Job("turn", 2), Job("round_end")],
    )
    state = do(state, TurnUp("red", "downhill"))
    assert (state.high_noon, state.last_round) == ((), True)
    state = do(state, Pass("red"))
    assert (awaited(state), waits_for(state)) == ("blue", Job("act", 1))
    assert GAME.over(do(state, Pass("blue"), Pass("green")))


def test_rr_51_a_searcher_who_loses_and_stays_does_not_search() -> None:
    state = position(at={"red": 2, "blue": 2}, tokens={2: ("2",)}, gear={"red": ["magnet_boots"]})
    state = do(state, Search("red"), Join("blue", join=True))
    state = do(rolls(state, PAIR, TRIPS), Send("blue", "red", 1), *roll("K"))
    assert (where(state), state.cars[2].tokens) == ([2, 2, 1], ("2",))
    assert waits_for(state) == Job("act", 0)
