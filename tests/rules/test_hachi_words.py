"""The game in words: prompts, choices, the log, what holds for now."""

from __future__ import annotations

import pytest

from companion.games.game import Choice, Countdown, Rolled, Shuffled
from companion.games.hachi_train import GAME
from companion.games.hachi_train.actions import (
    EnterCard,
    ForgetHand,
    HachiAction,
    KeepHand,
    Lead,
    Pass,
    PutIn,
)
from companion.games.hachi_train.cards import SPECIAL_CARS, train_cars
from companion.games.hachi_train.state import SEATS, State
from companion.games.layout import UNKNOWN
from tests.rules.hachi_games import house
from tests.rules.hachi_positions import do, play, position


def choice(state: State, action: HachiAction) -> Choice:
    """The choice of that action, as its seat reads it."""
    seat = str(getattr(action, "seat", ""))
    return next(each for each in GAME.prompt(state, seat).choices if each.action == action)


def test_the_turn_is_told_to_who_has_it_and_to_the_others() -> None:
    state = position(field=["5", "5/6"], rank=5, hands={"red": ["6", "6", "1"]})
    assert GAME.prompt(state, "red").words == "You are to beat two 5s, or to pass."
    assert GAME.prompt(state, "blue").words == "Red is to beat two 5s, or to pass."
    leads = position(hands={"red": ["6", "6", "1"]})
    assert GAME.prompt(leads, "").words == (
        "Red is to lead: play any cards of one rank that are side by side in the hand."
    )


def test_what_holds_for_now_is_told_to_all() -> None:
    state = position(field=["8"], by="white", passed=["red"], gone=["green"], turn="blue", players=5, deck=3)
    told = GAME.prompt(state, "")
    assert told.in_force == (
        "On the field: an 8, by White.",
        "Passed since, and still in: Red.",
        "Gone out: Green.",
    )
    assert told.status == "Match 1 of 4, 3 special cars left to draw"


def test_the_field_is_named_with_its_special_cars() -> None:
    state = position(field=["5", "5/6"], rank=5, by="green")
    assert GAME.prompt(state, "").in_force[0] == "On the field: 5 and 5/6 as two 5s, by Green."


def test_choices_say_what_is_taken_and_from_where_it_is_played() -> None:
    state = position(field=["4"], hands={"red": ["6", "6", "1"]}, kept=["red"])
    pair = choice(state, play("red", "6", "6", places=(0, 1)))
    assert (pair.words, pair.detail, pair.group) == ("Play two 6s", "card 1 and card 2; take 4", "")
    other = choice(state, play("red", "7"))
    assert (other.words, other.detail, other.group) == ("Play a 7", "take 4", "Not as I entered it")
    passing = choice(state, Pass("red"))
    assert (passing.words, passing.detail, passing.main) == ("Pass", "no card is left to draw", True)
    last = position(field=["4"], hands={"red": ["5/6"]})
    assert choice(last, play("red", "5/6", rank=6, places=(0,))).detail == "card 1; you go out"
    assert choice(last, play("red", "5/6", rank=6)).words == "Play 5/6 as a 6"


def test_what_is_said_of_ones_own_hand() -> None:
    state = position(field=["4"], hands={"red": ["6", UNKNOWN, "1"]}, kept=["red"], deck=1)
    enter = choice(state, EnterCard("red", "8"))
    assert (enter.words, enter.group) == ("Card 2 is an 8", "Enter my hand")
    assert "Of your hand 1 card is not entered here." in GAME.prompt(state, "red").reminders
    assert choice(state, ForgetHand("red")).warning
    assert choice(state, KeepHand("blue")).words == "Keep my hand here"
    state = do(state, Pass("red"))
    words = [choice(state, PutIn("red", place)).words for place in range(4)]
    assert words == [
        "The card drawn went to the far left, before card 1 (6)",
        "The card drawn went between card 1 (6) and card 2",
        "The card drawn went between card 2 and card 3 (1)",
        "The card drawn went to the far right, after card 3 (1)",
    ]
    assert any("Say where the card went" in line for line in GAME.prompt(state, "red").reminders)
    assert not any("Say where" in line for line in GAME.prompt(state, "blue").reminders)


def test_tables_are_reminded_of_what_they_forget() -> None:
    state = position(field=["4"], deck=2, seen={"red": ["3"]})
    reminders = GAME.prompt(state, "red").reminders
    assert "Red holds 3, which everybody saw being taken." in reminders
    assert "Who plays takes 4 into the hand, anywhere; who goes out discards that." in reminders
    assert "Who passes draws a special car, and may play again in a later turn." in reminders
    assert "Who leads may not pass." in GAME.prompt(position(), "red").reminders


def test_the_log_of_a_match() -> None:
    state = position(field=["4"], hands={"red": ["6", "6", "1"]}, deck=1)
    assert GAME.story(state, play("red", "6", "6")) == ("Red plays two 6s and takes 4: 2 cards in the hand.",)
    assert GAME.story(state, Pass("red")) == ("Red passes and draws a special car.",)
    leads = position(hands={"red": ["8", "1"]})
    assert GAME.story(leads, play("red", "8")) == (
        "Red plays an 8 onto the empty field: 1 card in the hand.",
    )
    state = do(leads, play("red", "8"), Pass("blue"))
    assert GAME.story(state, Pass("green")) == (
        "Green passes; no card is left to draw.",
        "All others have passed: an 8 is discarded, and Red leads.",
    )
    out = position(field=["4"], hands={"red": ["6"]}, players=4)
    assert GAME.story(out, play("red", "6")) == ("Red plays a 6 over a 4, which is discarded, and goes out.",)


def test_the_log_of_a_matchs_end_and_the_games() -> None:
    state = position(hands={"red": ["8"]}, gone=["green"])
    assert GAME.story(state, play("red", "8")) == (
        "Red plays an 8 and goes out.",
        "Blue is the last player in match 1, and flips the assets to $100 million.",
    )
    last = position(hands={"red": ["8"]}, gone=["green"], match=2, assets=(200, 100, 200))
    assert GAME.story(last, play("red", "8"))[1:] == (
        "Blue is the last player in match 2, and has lost all assets.",
        "The game is over. Blue loses; Red and Green win.",
    )
    over = do(last, play("red", "8"))
    assert GAME.prompt(over, "").words == "The game is over. Blue loses, all others win."
    two = position(
        hands={"red": ["8"]}, gone=["blue", "green"], players=4, match=4, assets=(200, 100, 100, 100)
    )
    assert GAME.story(two, play("red", "8"))[-1] == "The game is over. Yellow loses; Red, Blue and Green win."


def test_the_log_of_dealing_and_of_the_first_match() -> None:
    state = GAME.setup(SEATS[:3], house(), {"first_player": "told"})
    assert GAME.prompt(state, "").words.startswith("Put two of each rank 1 to 8 aside for the whole game.")
    assert GAME.story(state, Shuffled(train_cars(3))) == (
        "2 cards of each rank 1 to 8 stay out of the game.",
        "Match 1 of 4: 8 train cars are dealt to each player, and stay in order.",
    )
    state = do(state, Shuffled(train_cars(3)))
    assert GAME.story(state, Shuffled(SPECIAL_CARS)) == (
        "The special cars are shuffled: they are the draw deck.",
    )
    state = do(state, Shuffled(SPECIAL_CARS))
    assert [each.words for each in GAME.prompt(state, "blue").choices] == [
        "Red leads",
        "I lead",
        "Green leads",
        "Keep my hand here",
    ]
    assert GAME.story(state, Lead("blue", "green")) == ("Green leads the first match.",)
    drawn = GAME.setup(SEATS[:3], house(), {})
    drawn = do(drawn, Shuffled(train_cars(3)), Shuffled(SPECIAL_CARS))
    assert GAME.story(drawn, Rolled(("red",))) == ("Red leads the first match.",)


def test_of_ones_own_hand_the_log_says_no_card() -> None:
    state = position(field=["4"], hands={"red": [UNKNOWN] * 3}, kept=["red"], players=5)
    assert GAME.story(state, EnterCard("red", "7")) == ("Red enters a card of the own hand.",)
    assert GAME.story(state, ForgetHand("red")) == ("Red keeps the own hand here no more.",)
    state = do(state, EnterCard("red", "7"), play("red", "8"))
    assert GAME.story(state, PutIn("red", 1)) == ("Red says where a card went in the own hand.",)


@pytest.mark.parametrize(
    ("match", "assets", "left"),
    [
        (1, (200, 200, 200), Countdown(4, "matches", False)),
        (2, (200, 100, 200), Countdown(3, "matches", True)),
        (4, (100, 100, 100), Countdown(1, "match", True)),
    ],
)
def test_matches_are_counted_down(match: int, assets: tuple[int, ...], left: Countdown) -> None:
    assert GAME.countdown is not None
    assert GAME.countdown(position(match=match, assets=assets)) == left


def test_scores_say_assets_and_cards() -> None:
    state = position(hands={"red": ["8", "1"]}, gone=["green"], match=3, assets=(100, 200, 100))
    assert [(each.seat, each.place, each.facts) for each in GAME.scores(state)] == [
        ("blue", 1, ("$200 million", "5 cards")),
        ("red", 2, ("$100 million", "2 cards")),
        ("green", 2, ("$100 million", "went out first")),
    ]


def test_a_pass_goes_without_saying_and_a_play_goes_back_with_one_tap() -> None:
    state = position(field=["4"], hands={"red": ["6", "1"]}, deck=1)
    assert GAME.implied(state) == Pass("red")
    assert GAME.implied(position()) is None
    assert GAME.free(state, play("red", "6"))
    assert not GAME.free(state, Pass("red")), "a card is drawn"
    assert GAME.free(position(field=["4"]), Pass("red"))
    ends = position(hands={"red": ["8"]}, gone=["green"])
    assert not GAME.free(ends, play("red", "8")), "the hands are put away"


def test_a_card_that_went_into_a_hand_of_which_nothing_is_entered_is_not_called_drawn() -> None:
    state = position(field=["4"], hands={"red": [UNKNOWN, UNKNOWN]}, kept=["red"], deck=1)
    state = do(state, play("red", "8"))
    assert (
        choice(state, PutIn("red", 0)).words == "The card taken or drawn went to the far left, before card 1"
    )
