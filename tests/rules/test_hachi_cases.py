"""The cases of the rulebook, one test each, named by the case's id."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from companion.games.game import AwaitedShuffle, Rolled, Shuffled
from companion.games.hachi_train import GAME
from companion.games.hachi_train.actions import EnterCard, ForgetHand, KeepHand, Pass, Play, PutIn
from companion.games.hachi_train.cards import SPECIAL_CARS, copies, train_cars
from companion.games.hachi_train.state import BACK, FRONT, NONE, OVER, SEATS, TRAINS, State
from companion.games.layout import UNKNOWN
from tests.rules.hachi_games import house
from tests.rules.hachi_positions import do, hand, may, play, position, refused


def dealt(players: int) -> State:
    """A game of so many players with its hands dealt, in the order in which the cars are listed."""
    state = GAME.setup(SEATS[:players], house(), {})
    return do(state, Shuffled(train_cars(players)), Shuffled(SPECIAL_CARS), Rolled(("red",)))


@pytest.mark.parametrize(("players", "cards"), [(5, 40), (4, 32), (3, 24)])
def test_ht_01_train_cars_are_dealt_to_the_last_one(players: int, cards: int) -> None:
    chance = GAME.awaiting(GAME.setup(SEATS[:players], house(), {})).chance
    assert isinstance(chance, AwaitedShuffle)
    assert len(chance.cards) == cards
    state = dealt(players)
    assert [len(each) for each in state.hands] == [8] * players
    assert len(state.deck) == 8


@pytest.mark.parametrize(("players", "each"), [(5, 5), (4, 4), (3, 3)])
def test_ht_02_so_many_of_each_rank(players: int, each: int) -> None:
    cards = Counter(card for held in dealt(players).hands for card in held)
    assert cards == {str(rank): each for rank in range(1, 9)}


def test_ht_04_a_hand_is_never_sorted() -> None:
    cards = ("7", "1", "5", "1", "8", "2", "6", "4")
    others = list((Counter(train_cars(3)) - Counter(cards)).elements())
    deal = tuple(card for at in range(8) for card in (cards[at], others[at], others[at + 8]))
    state = do(GAME.setup(SEATS[:3], house(), {}), Shuffled(deal), Shuffled(SPECIAL_CARS), Rolled(("red",)))
    assert hand(state, "red") == cards, "it is the order dealt"
    kept = do(state, KeepHand("red"))
    assert not [*may(kept, EnterCard), *may(kept, PutIn)], "nothing changes a hand that is known"
    assert refused(kept, PutIn("red", 0)).sentence.startswith("All of Red's cards are in their places")
    assert refused(state, play("red", "1", "1", places=(1, 3))).rule == "HT-A18"


def test_ht_05_more_copies_beat_fewer() -> None:
    state = position(field=["8"], hands={"red": ["1", "1", "4"]})
    assert do(state, play("red", "1", "1")).field == ("1", "1")


def test_ht_07_higher_rank_beats_lower() -> None:
    assert do(position(field=["4"], hands={"red": ["5", "2"]}), play("red", "5")).rank == 5


def test_ht_08_equal_is_not_more_powerful() -> None:
    ruling = refused(position(field=["5"], hands={"red": ["5", "2"]}), play("red", "5"))
    assert ruling.rule == "HT-A02"
    assert ruling.sentence == (
        "A 5 is just as powerful as a 5 on the field; play a 6 or higher or two 1s or more, or pass."
    )


def test_ht_10_three_of_a_low_rank_beat_two_of_the_highest() -> None:
    state = position(field=["8", "8"], hands={"red": ["2", "2", "2", "1"]})
    assert do(state, play("red", "2", "2", "2")).field == ("2", "2", "2")


def test_ht_11_of_4_4_2_4_one_four_or_the_first_two() -> None:
    state = position(hands={"red": ["4", "4", "2", "4"]}, players=4)
    fours = [action.places for action in may(state, Play) if action.rank == 4 and action.places]
    assert fours == [(0,), (1,), (0, 1), (3,)]
    assert refused(state, play("red", "4", "4", "4", places=(0, 1, 3))).rule == "HT-A18"
    assert refused(state, play("red", "4", "4", places=(1, 3))).rule == "HT-A18"
    assert refused(state, play("red", "4", "4", "4")).rule == "HT-A18"


def test_ht_13_a_special_car_lies_between_threes_and_fours() -> None:
    state = position(hands={"red": ["3", "3/4", "4", "4"]})
    found = {(action.rank, action.places) for action in may(state, Play) if action.places}
    threes = {places for rank, places in found if rank == 3}
    fours = {places for rank, places in found if rank == 4}
    assert threes == {(0,), (1,), (0, 1)}
    assert fours == {(1,), (2,), (3,), (1, 2), (1, 3), (2, 3), (1, 2, 3)}


def test_ht_14_a_special_car_beats_as_its_higher_rank_alone() -> None:
    state = position(field=["3"], hands={"red": ["3/4", "1"]})
    assert do(state, play("red", "3/4", rank=4)).rank == 4
    assert refused(state, play("red", "3/4", rank=3)).rule == "HT-A02"


def test_ht_16_two_cards_are_played_and_one_is_taken_anywhere() -> None:
    cards = ["5", "5", "1", "2", "3", "4", "6", "7"]
    state = position(field=["8"], hands={"red": cards}, kept=["red"], players=4)
    state = do(state, play("red", "5", "5", places=(0, 1)))
    assert len(hand(state, "red")) == 8 - 2 + 1 == 7
    assert state.field == ("5", "5")
    for place in range(7):
        there = hand(do(state, PutIn("red", place)), "red")
        assert there == (*cards[2 : 2 + place], "8", *cards[2 + place :])


def test_ht_17_one_over_one_keeps_the_size_of_the_hand() -> None:
    state = position(field=["4"], hands={"red": ["5", "2", "1"]})
    assert len(hand(do(state, play("red", "5")), "red")) == 3


def test_ht_19_nothing_is_taken_from_an_empty_field() -> None:
    state = position(hands={"red": ["2", "2", "1", "3", "4", "5", "6", "7"]})
    state = do(state, play("red", "2", "2", places=(0, 1)))
    assert hand(state, "red") == ("1", "3", "4", "5", "6", "7")
    assert state.field == ("2", "2")


def test_ht_20_who_leads_may_not_pass() -> None:
    ruling = refused(position(hands={"red": ["2", "1"]}), Pass("red"))
    assert ruling.section.startswith("Pass the Turn")
    assert ruling.sentence == ("There are no cards on the field, so whoever leads must play; play any cards.")


def test_ht_22_a_pass_without_a_deck_draws_nothing() -> None:
    state = do(position(field=["8"], hands={"red": ["2", "1"]}), Pass("red"))
    assert hand(state, "red") == ("2", "1")
    assert state.turn == 1


def test_ht_23_who_passed_may_play_later_in_the_match() -> None:
    state = position(field=["5"], hands={"red": ["7", "7", "1"]})
    state = do(state, Pass("red"), play("blue", "6"), Pass("green"))
    assert do(state, play("red", "7")).field == ("7",)


def test_ht_25_the_owner_of_an_unbeaten_field_discards_it_and_leads() -> None:
    state = position(hands={"red": ["8", "1", "2"]}, deck=2)
    out = Counter(state.out)
    state = do(state, play("red", "8"), Pass("blue"), Pass("green"))
    assert (state.field, state.seats[state.turn]) == ((), "red")
    assert Counter(state.out) - out == {"8": 1}
    assert not may(state, Pass)
    refused(state, Pass("red"))


def test_ht_26_when_the_owner_has_gone_out_the_next_player_leads() -> None:
    state = position(hands={"red": ["8"]}, players=4)
    state = do(state, play("red", "8"))
    assert state.gone == (0,)
    state = do(state, Pass("blue"), Pass("green"))
    assert state.field == ("8",), "not everybody has passed"
    state = do(state, Pass("yellow"))
    assert (state.field, state.seats[state.turn]) == ((), "blue")
    refused(state, Pass("blue"))


def lose(match: int, assets: tuple[int, ...], loser: str = "green") -> State:
    """The state after a match that this seat has lost."""
    other = "red" if loser != "red" else "blue"
    gone = [seat for seat in SEATS[: len(assets)] if seat not in (other, loser)]
    state = position(
        hands={other: ["8"]}, gone=gone, turn=other, match=match, assets=assets, players=len(assets)
    )
    return do(state, play(other, "8"))


def test_ht_28_the_first_loss_flips_the_assets_and_the_second_takes_them() -> None:
    state = lose(1, (200, 200, 200))
    assert (state.assets, state.phase) == ((FRONT, FRONT, BACK), TRAINS)
    state = lose(2, (200, 200, 100))
    assert (state.assets, state.phase) == ((FRONT, FRONT, NONE), OVER)
    assert GAME.over(state)


def test_ht_29_the_game_ends_after_the_fourth_match() -> None:
    state = lose(4, (100, 200, 200, 100, 100), "blue")
    assert state.assets == (BACK, BACK, FRONT, BACK, BACK)
    assert GAME.over(state)


def test_ht_31_only_who_has_nothing_left_loses() -> None:
    state = lose(3, (100, 200, 100), "red")
    assert state.assets == (0, 200, 100)
    assert [(standing.seat, standing.place) for standing in GAME.scores(state)] == [
        ("blue", 1),
        ("green", 1),
        ("red", 3),
    ]


def test_ht_32_all_with_as_much_lose_together() -> None:
    state = lose(4, (100, 100, 100, 200), "yellow")
    assert state.assets == (100, 100, 100, 100)
    assert all("loses" in standing.facts for standing in GAME.scores(state))
    assert [standing.place for standing in GAME.scores(state)] == [1, 1, 1, 1]
    words = GAME.prompt(state, "").words
    assert words == "The game is over. All have the same assets, and all lose together."


def test_ht_34_what_was_left_out_stays_out_for_all_matches() -> None:
    state = lose(1, (200, 200, 200, 200))
    chance = GAME.awaiting(state).chance
    assert isinstance(chance, AwaitedShuffle)
    assert len(chance.cards) == 32
    assert Counter(chance.cards) == {str(rank): 4 for rank in range(1, 9)}


def test_ht_35_a_player_who_could_play_may_pass() -> None:
    state = position(field=["1"], hands={"red": ["8", "2"]})
    assert may(state, Play)
    assert do(state, Pass("red")).turn == 1


@pytest.mark.parametrize(("players", "most"), [(5, 7), (4, 6), (3, 5)])
def test_ht_37_the_most_copies_of_one_rank(players: int, most: int) -> None:
    cards = ("6",) * copies(players)["6"] + ("5/6",) * copies(players)["5/6"]
    assert len(cards) == most
    state = position(hands={"red": ["1", *cards]}, players=players)
    longest = max(len(action.cards) for action in may(state, Play))
    assert longest == most
    assert do(state, play("red", *cards)).field == tuple(sorted(cards))


@pytest.mark.parametrize("losers", [*product(range(3), repeat=4)])
def test_ht_38_with_three_players_somebody_has_nothing_after_four_matches(
    losers: tuple[int, ...],
) -> None:
    assets = [FRONT] * 3
    for match, loser in enumerate(losers, 1):
        state = lose(match, tuple(assets), SEATS[loser])
        assets = list(state.assets)
        if GAME.over(state):
            break
    assert GAME.over(state)
    assert assets.count(NONE) == 1
    assert [standing.place for standing in GAME.scores(state)].count(1) == 2


def test_forgetting_a_hand_sorts_nothing_either() -> None:
    state = do(position(hands={"red": ["7", "1"]}, kept=["red"]), ForgetHand("red"))
    assert hand(state, "red") == (UNKNOWN, UNKNOWN)
