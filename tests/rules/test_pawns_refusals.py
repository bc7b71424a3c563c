"""Malformed and misplaced actions: each gets a Ruling that names the fault, never an exception."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.games.game import Action, Rolled, Shuffled
from companion.games.layout import UNKNOWN
from companion.games.pawns_of_perdition import GAME
from companion.games.pawns_of_perdition.actions import (
    Accept,
    EndTurn,
    Give,
    Keep,
    Move,
    Pass,
    PlayCard,
    Take,
)
from tests.rules.positions import TRIO, begin, do, house, landed, put, refused


@pytest.mark.parametrize(
    ("action", "named"),
    [
        (Action(), "no such action"),
        (Rolled((1,)), "throws 2 dice"),
        (Rolled((1, 2, 3)), "2 dice"),
        (Rolled((1, 7)), "7"),
        (Rolled((0, 1)), "0"),
        (Rolled(("skull", 1)), "skull"),
        (Rolled((True, 1)), "True"),
        (Shuffled((UNKNOWN,)), "Nothing is to be shuffled"),
        (PlayCard("red", "ace", ""), "ace"),
        (PlayCard("red", UNKNOWN, ""), "titles"),
        (PlayCard("pink", "hells_grasp", "red"), "pink"),
        (PlayCard("white", "hells_grasp", "red"), "white"),
        (Move(""), "Red, Blue and Green"),
        (Move("blue"), "Red's turn"),
        (Move("red"), "Red throws the dice"),
        (EndTurn("red"), "Red throws the dice"),
        (Keep("red", (1, 2)), "Red throws the dice"),
        (Accept("red"), "No card waits"),
        (Pass("red"), "Nobody is asked"),
        (Take("red", "blue", "hells_grasp"), "No card is to be taken"),
        (Give("red", "blue", "hells_grasp"), "Not now"),
    ],
)
def test_the_ruling_names_the_fault(action: Any, named: str) -> None:
    assert re.search(named, refused(begin(), action).sentence)


def test_a_ruling_offers_a_handful_of_what_would_do_instead() -> None:
    state = put(begin(), hands={"red": ["hells_grasp", "hellish_reckoning", "infernal_exchange"]})
    ruling = refused(state, Move("red"))
    assert ruling.instead == GAME.legal(state, "red")[:5]
    assert len(ruling.instead) == 5


def test_a_stray_roll_says_what_is_awaited() -> None:
    state = landed(put(begin(), hands={"red": ["hells_grasp"]}), "lust")
    assert "Red gives a card away" in refused(state, Rolled((1, 2))).sentence
    state = landed(put(begin(), hands={"blue": ["hells_grasp"]}), "greed")
    assert "Red steals a card" in refused(state, Rolled((1, 2))).sentence


def test_a_ruling_says_who_answers() -> None:
    hands = {"red": ["forced_exchange"], "blue": ["hells_grasp"]}
    state = do(put(begin(), hands=hands), PlayCard("red", "forced_exchange", "blue"))
    assert "Blue answers Forced Exchange" in refused(state, Rolled((1, 2))).sentence
    assert "Blue, who answers it" in refused(state, Accept("green")).sentence
    state = do(state, Accept("blue"))
    assert "Red takes a card for Forced Exchange" in refused(state, Rolled((1, 2))).sentence


def test_cards_wait_while_they_are_shuffled() -> None:
    state = GAME.setup(TRIO, house(), {})
    assert "shuffled" in refused(state, Rolled((1, 2))).sentence
    assert "shuffled" in refused(state, Move("red")).sentence


def test_a_hidden_hand_takes_no_names() -> None:
    state = GAME.hide(landed(put(begin(), hands={"blue": ["hells_grasp"]}), "greed"))
    ruling = refused(state, Take("red", "blue", "hells_grasp"))
    assert ruling.rule == "PP-A25"
    assert ruling.instead == (Take("red", "blue", UNKNOWN),)


def test_a_card_that_lies_face_up_twice_is_in_no_hidden_hand() -> None:
    state = put(begin(), hands={"red": ["hells_grasp"]}, deck=["second_chance"])
    hidden = GAME.hide(state)
    assert hidden.discard.count("hellish_reckoning") == 2
    assert hidden.discard.count("hells_grasp") == 1
    do(hidden, PlayCard("red", "hells_grasp", "blue"))
    refused(hidden, PlayCard("red", "hellish_reckoning", "blue"))


def test_what_is_free_to_take_back() -> None:
    state = put(begin(), hands={"red": ["hells_grasp"], "blue": ["second_chance"]})
    for kind, free in (
        ("safe", True),
        ("torment", True),
        ("sloth", True),
        ("draw", False),
        ("gluttony", False),
    ):
        space = state.board.index(kind, 8)
        on_the_way = do(put(state, pawns={"red": space - 3}), Rolled((1, 2)))
        assert GAME.free(on_the_way, Move("red")) is free
    assert GAME.free(do(put(state, pawns={"red": 62}), Rolled((1, 2))), Move("red"))
    assert GAME.free(landed(state, "safe"), EndTurn("red"))
    played = do(state, PlayCard("red", "hells_grasp", "blue"))
    assert not GAME.free(state, PlayCard("red", "hells_grasp", "blue"))
    assert not GAME.free(played, Accept("blue"))
    assert not GAME.free(state, Rolled((1, 2)))
