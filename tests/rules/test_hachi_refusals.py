"""Refusals and malformed actions: each fault with its cure, each section one of the rulebook's."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.games.game import Action, Rolled, Shuffled
from companion.games.hachi_train import GAME
from companion.games.hachi_train.actions import (
    NOWHERE,
    EnterCard,
    ForgetHand,
    KeepHand,
    Lead,
    Pass,
    Play,
    PutIn,
)
from companion.games.hachi_train.cards import SPECIAL_CARS, train_cars
from companion.games.hachi_train.state import SEATS
from companion.games.layout import UNKNOWN
from tests.rules.hachi_games import game_at_random, house
from tests.rules.hachi_positions import do, play, position, refused

SECTIONS = {
    "Components",
    "Setup",
    "Important Rules",
    "Ending Condition of the Game",
    "The Flow of the Match",
    "Exchange Card(s) of Hand and on the Field",
    "Which Card(s) Are More Powerful?",
    "Pass the Turn (and Draw a Card from the Deck, if Any)",
    "Clearing the Field",
    "End of the Match",
    "Preparing the Next Match",
}
"""The rulebook's headings."""


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Action(), "has no such action"),
        (Play("mauve", 5, ("5",)), "Nobody plays 'mauve'; the seats are red, blue and green."),
        (Play("red", 9, ("8",)), "Ranks are 1 to 8, not 9."),
        (Play("red", 5, ()), "A play has at least one card"),
        (Play("red", 5, ("9",)), "There is no car '9'"),
        (Play("red", 5, ("5", "3/4")), "A 3/4 is played as 3 or 4"),
        (Play("red", 5, ("5/6", "5")), "Name the cards in order: 5 and 5/6."),
        (Play("red", 7, ("7",), (0, 1)), "Name one place for each card"),
        (Play("red", 7, ("7", "7"), (1, 0)), "Name one place for each card"),
        (Play("red", 7, ("7", "7"), (0, 0)), "Name one place for each card"),
        (Play("red", 7, ("7",), (-1,)), "has cards 1 to 3, and no card 0"),
        (Play("red", 3, ("3",)), "A 3 does not beat a 6 on the field"),
        (Play("blue", 8, ("8",)), "It is Red's turn; wait for yours."),
        (Pass("blue"), "It is Red's turn; wait for yours."),
        (Lead("red", "blue"), "Who leads is settled once, before the first turn"),
        (Rolled((3,)), "No dice are due now; it is Red's turn."),
        (Shuffled(("1",)), "Nothing is to be shuffled now; it is Red's turn."),
        (KeepHand("red"), "Red keeps the hand here already"),
        (KeepHand("green"), "Green has gone out, and waits for the next match."),
        (ForgetHand("blue"), "Blue does not keep the hand here"),
        (EnterCard("blue", "1"), "Blue does not keep the hand here"),
        (EnterCard("red", "9"), "There is no car '9'"),
        (PutIn("red", 0), "All of Red's cards are in their places"),
        (PutIn("red", NOWHERE), "All of Red's cards are in their places"),
    ],
    ids=str,
)
def test_what_is_wrong_is_said(action: Any, words: str) -> None:
    state = position(hands={"red": ["7", "7", "1"]}, field=["6"], by="blue", gone=["green"], kept=["red"])
    assert words in refused(state, action).sentence


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Shuffled(("1",)), "24 train cars are to be shuffled, not 1; count again."),
        (Shuffled(("1",) * 24), "The shuffled train cars are not the ones that lay there"),
        (Rolled(("red",)), "No dice are due now; the train cars are shuffled first."),
        (Lead("red", "blue"), "now the train cars are shuffled first"),
        (Pass("red"), "The hands are not dealt yet"),
        (KeepHand("red"), "The hands are not dealt yet"),
    ],
    ids=str,
)
def test_before_the_cards_are_dealt(action: Any, words: str) -> None:
    assert words in refused(GAME.setup(SEATS[:3], house(), {}), action).sentence


def test_nothing_beats_all_cars_of_the_highest_rank() -> None:
    every = ["8"] * 5 + ["7/8"] * 2
    state = position(field=every, rank=8, players=5, hands={"red": ["1", "1"]})
    assert refused(state, play("red", *(["6"] * 5 + ["5/6"] * 2))).sentence == (
        "Seven 6s do not beat seven 8s on the field; nothing does, so pass."
    )
    lower = position(field=["1"] * 5 + ["1/2"] * 2, rank=1, players=5, hands={"red": ["1", "1"]})
    ruling = refused(lower, play("red", *(["1"] * 5 + ["1/2"] * 2)))
    assert ruling.sentence.endswith("play seven 2s or higher, or pass.")


def test_before_the_first_turn() -> None:
    state = do(GAME.setup(SEATS[:3], house(), {}), Shuffled(train_cars(3)), Shuffled(SPECIAL_CARS))
    assert refused(state, Pass("red")).sentence == (
        "Nobody's turn has begun: lots are drawn first for who leads."
    )
    assert "A die shows red, blue or green" in refused(state, Rolled(("white",))).sentence
    assert do(state, KeepHand("blue")).kept == (False, True, False)


def test_after_the_end() -> None:
    state = position(hands={"red": ["8"]}, gone=["green"], match=2, assets=(200, 100, 200))
    state = do(state, play("red", "8"))
    assert refused(state, Pass("red")).sentence == "The game is over, and Blue lost. Start a new one."
    assert GAME.legal(state, "red") == ()


def test_what_was_taken_goes_into_a_place_that_there_is() -> None:
    state = position(hands={"red": ["7", "1"]}, field=["6"], kept=["red"])
    state = do(state, play("red", "7"))
    assert refused(state, PutIn("red", 2)).sentence == (
        "A card goes in before card 1 to 1, or after them; say where it went."
    )
    assert GAME.refusal(state, PutIn("red", NOWHERE)) is None, "it may be left open"
    assert GAME.play(state, PutIn("red", NOWHERE)).hands[0] == (UNKNOWN, UNKNOWN)


def test_setting_up_says_what_is_wrong_with_the_seats() -> None:
    with pytest.raises(ValueError, match="for 3 to 5 players, not 2"):
        GAME.setup(SEATS[:2], house(), {})
    for seats in (("red", "red", "blue"), ("red", "blue", "mauve")):
        with pytest.raises(ValueError, match="each at most once"):
            GAME.setup(seats, house(), {})


def test_each_ruling_names_a_section_and_offers_what_is_legal() -> None:
    chance, strangers, sections = Random("sections"), list[Any](), set[str]()
    for number in range(40):
        for state, action in game_at_random(Random(f"refusals {number}"), whole=0.1):
            if action is None:
                break
            sections.add(GAME.section(state, action))
            strangers = [*strangers[-20:], action]
            stranger = chance.choice(strangers)
            ruling = GAME.refusal(state, stranger)
            if ruling is not None:
                sections.add(ruling.section)
                legal = GAME.legal(state, getattr(stranger, "seat", ""))
                assert set(ruling.instead) <= set(legal)
    assert sections <= SECTIONS
    assert len(sections) >= 6
