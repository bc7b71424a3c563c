"""Sentences of the rulebook that no case and no ruling holds, section by section."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.game import AwaitedShuffle, Rolled, Shuffled
from companion.games.hachi_train import GAME
from companion.games.hachi_train.actions import Pass, Play, PutIn
from companion.games.hachi_train.cards import SPECIAL_CARS, train_cars
from companion.games.hachi_train.state import FRONT, SEATS, SPECIALS, TRAINS, TURN, State
from tests.rules.hachi_games import house
from tests.rules.hachi_positions import do, hand, may, play, position, refused


def begun(players: int) -> State:
    """A game of so many players whose cards are still to be shuffled."""
    return GAME.setup(SEATS[:players], house(), {})


def test_the_components_are_all_there() -> None:
    assert Counter(train_cars(5)) == {str(rank): 5 for rank in range(1, 9)}
    assert Counter(SPECIAL_CARS) == {"1/2": 2, "3/4": 2, "5/6": 2, "7/8": 2}
    sides = Counter(token.alike for token in GAME.table_map(begun(5)).tokens if token.kind == "asset")
    assert sides == {"200": 5, "100": 5}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_all_special_cars_are_used_whatever_the_number_of_players(players: int) -> None:
    state = do(begun(players), Shuffled(train_cars(players)))
    chance = GAME.awaiting(state).chance
    assert isinstance(chance, AwaitedShuffle)
    assert chance.cards == SPECIAL_CARS
    assert do(state, Shuffled(SPECIAL_CARS)).deck == SPECIAL_CARS


def test_everybody_begins_with_the_front_of_the_asset_card() -> None:
    assert begun(4).assets == (FRONT,) * 4
    assert {piece.name for piece in GAME.layout(begun(4)).pieces} == {"200"}


def test_cards_are_dealt_one_at_a_time_before_anything_else_is_done() -> None:
    state = begun(3)
    assert state.phase == TRAINS
    assert not any(GAME.legal(state, seat) for seat in SEATS)
    cards = train_cars(3)
    state = do(state, Shuffled(cards))
    assert state.phase == SPECIALS
    assert state.hands == (cards[0::3], cards[1::3], cards[2::3])
    assert not any(GAME.legal(state, seat) for seat in SEATS)


def test_turns_go_clockwise_past_who_has_gone_out() -> None:
    state = position(field=["1"], by="white", players=5, gone=["green"])
    order = []
    for _ in range(3):
        order.append(state.seats[state.turn])
        state = do(state, Pass(order[-1]))
    assert order == ["red", "blue", "yellow"]


def test_a_turn_is_a_play_or_a_pass_and_nothing_else() -> None:
    state = position(field=["4"], hands={"red": ["5", "1"]})
    assert {type(action) for action in GAME.legal(state, "red")} - {Play, Pass} == {
        type(action) for action in GAME.legal(state, "blue")
    }, "besides, players may keep their hands"


def test_on_an_empty_field_any_cards_may_be_played() -> None:
    state = position(hands={"red": ["8", "1", "1"]})
    assert {action.places for action in may(state, Play) if action.places} == {(0,), (1,), (2,), (1, 2)}


def test_the_cards_played_are_the_new_field() -> None:
    state = do(position(field=["4"], hands={"red": ["6", "6", "1"]}), play("red", "6", "6"))
    assert (state.field, state.rank, state.owner) == (("6", "6"), 6, 0)


def test_who_does_not_go_out_takes_every_card_of_the_field() -> None:
    state = position(field=["4", "4"], hands={"red": ["6", "6", "1"]})
    state = do(state, play("red", "6", "6"))
    assert len(hand(state, "red")) == 3
    assert state.seen[0] == ("4", "4")


def test_who_has_gone_out_has_no_turn_in_the_match() -> None:
    state = do(position(hands={"red": ["6"]}, players=4), play("red", "6"))
    for _ in range(3):
        assert state.seats[state.turn] != "red"
        state = do(state, Pass(state.seats[state.turn]))
    assert "has gone out" in refused(state, play("red", "1")).sentence
    assert GAME.legal(state, "red") == ()


def test_a_pass_draws_the_top_card_into_any_position() -> None:
    state = position(field=["8"], hands={"red": ["2", "1"]}, deck=["3/4", "7/8"], kept=["red"])
    state = do(state, Pass("red"))
    assert state.deck == ("7/8",)
    found = {hand(do(state, action), "red") for action in may(state, PutIn, "red")}
    assert found == {("3/4", "2", "1"), ("2", "3/4", "1"), ("2", "1", "3/4")}


def test_a_pass_ends_the_turn_and_leaves_the_field() -> None:
    state = do(position(field=["8"], hands={"red": ["2", "1"]}), Pass("red"))
    assert (state.field, state.seats[state.turn], state.passed) == (("8",), "blue", (0,))


def test_after_a_match_all_cards_are_collected_and_dealt_anew() -> None:
    state = position(hands={"red": ["8"]}, gone=["green"], deck=2)
    state = do(state, play("red", "8"))
    assert (state.hands, state.deck, state.out) == (((), (), ()), (), ())
    assert state.field == ("8",), "what was played last lies there until it is collected"
    assert not GAME.faults(state)
    state = do(state, Shuffled(train_cars(3)), Shuffled(SPECIAL_CARS))
    assert state.field == ()
    assert [len(each) for each in state.hands] == [8, 8, 8]
    assert len(state.deck) == 8


def test_the_loser_leads_the_next_match() -> None:
    state = position(hands={"red": ["8"]}, gone=["green"])
    state = do(state, play("red", "8"), Shuffled(train_cars(3)), Shuffled(SPECIAL_CARS))
    assert (state.phase, state.seats[state.turn]) == (TURN, "blue")
    assert "lots are drawn" not in GAME.prompt(state, "blue").words
    assert refused(state, Pass("blue")).section.startswith("Pass the Turn")


def test_the_first_match_is_led_by_whom_the_lot_says() -> None:
    state = do(begun(3), Shuffled(train_cars(3)), Shuffled(SPECIAL_CARS), Rolled(("blue",)))
    assert state.seats[state.turn] == "blue"


def test_the_example_of_the_eight() -> None:
    state = position(hands={"red": ["8", "3", "5"]}, field=["7"], players=4)
    state = do(state, play("red", "8"), Pass("blue"), Pass("green"), Pass("yellow"))
    assert state.field == ()
    assert "8" in state.out
    assert {action.rank for action in may(state, Play)} >= {3, 5}, "cards of one's choice"
