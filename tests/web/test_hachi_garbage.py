"""What no page of ours would send about a hand: it is refused in clear words, and nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.games.hachi_train import GAME
from tests.web.hachi_players import PEOPLE
from tests.web.house import House
from tests.web.test_hachi_secrets import ONE, OWNER, start
from tests.web.test_serving import ask, post

PLAY = {"do": "play", "seat": "blue", "rank": 5, "cards": ["5"]}

WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    (PLAY | {"places": [5]}, "has cards 1 to 5, and no card 6"),
    (PLAY | {"places": [-1]}, "has cards 1 to 5"),
    (PLAY | {"places": [10**18]}, "has cards 1 to 5"),
    (PLAY | {"places": [10**40]}, "has cards 1 to 5"),
    (PLAY | {"places": [2]}, "In those places are 2, not 5"),
    (PLAY | {"places": [0, 1]}, "one place for each card"),
    (PLAY | {"cards": ["5", "5"], "places": [0, 0]}, "one place for each card"),
    (PLAY | {"cards": ["5", "5"], "places": [1, 0]}, "one place for each card"),
    (PLAY | {"places": ["0"]}, "no such action"),
    (PLAY | {"places": [0.5]}, "no such action"),
    (PLAY | {"rank": 10**18}, "Ranks are 1 to 8"),
    (PLAY | {"rank": -5}, "Ranks are 1 to 8"),
    (PLAY | {"rank": 6}, "A 5 is played as 5"),
    (PLAY | {"cards": []}, "at least one card"),
    (PLAY | {"cards": ["5"] * 9}, "Blue holds 5 cards, and cannot play 9"),
    (PLAY | {"cards": ["5"] * 2000}, "Blue holds 5 cards"),
    (PLAY | {"cards": ["?"]}, "no car '?'"),
    (PLAY | {"cards": ["5", "3"]}, "A 3 is played as 3"),
    (PLAY | {"seat": ""}, "Nobody plays ''"),
    ({"do": "enter_card", "seat": "blue", "card": "9"}, "no car '9'"),
    ({"do": "enter_card", "seat": "blue", "card": "5"}, "All of Blue's cards are entered"),
    ({"do": "enter_card", "seat": "white", "card": "5"}, "Nobody plays 'white'"),
    ({"do": "put_in", "seat": "blue", "place": 10**18}, "nothing was taken since"),
    ({"do": "put_in", "seat": "blue", "place": -2}, "nothing was taken since"),
    ({"do": "keep_hand", "seat": "blue"}, "keeps the hand here already"),
    ({"do": "lead", "seat": "blue", "first": "blue"}, "settled once"),
    ({"do": "rolled", "values": ["blue"]}, "No dice are due"),
    ({"do": "shuffled", "cards": ["5"] * 32}, "Nothing is to be shuffled"),
    ({"do": "pass", "seat": "blue", "places": [1]}, "no such action"),
    ({"do": "play"}, "no such action"),
)
"""What is wrong with each when its owner says it."""

BODIES = (
    b"",
    b"{",
    b"[" * 30000,
    b"null",
    b"\xff\xfe",
    b'{"id": "12345678", "on": 1}',
    b'{"id": "12345678", "on": 1e400, "ask": {"ask": "do", "action": {}}}',
    b'{"id": "12345678", "on": 99999999999999999999, "ask": {"ask": "do", "action": {}}}',
)


def test_what_is_wrong_is_said_to_the_owner_and_nothing_of_it_to_others(tmp_path: Path) -> None:
    with House(tmp_path, game=GAME, position=start(hands={"blue": ONE})) as house:
        before, number = house.table.state, house.table.number
        for action, words in WRONG:
            status, answer = ask(house, OWNER, {"ask": "do", "action": action})
            assert (status, words in answer["words"]) == (409, True), (action, answer)
            status, answer = ask(house, OWNER, {"ask": "do_all", "actions": [PLAY, action]})
            assert status == 409, action
            status, answer = ask(house, PEOPLE["green"], {"ask": "do", "action": action})
            assert status == 409, action
            assert "In those places" not in answer["words"], "of that hand Green is told nothing"
        assert house.table.state == before
        assert house.table.number == number
        status, answer = ask(house, OWNER, {"ask": "do", "action": PLAY | {"places": [0]}}, on=number - 1)
        assert (status, answer["status"]) == (409, "stale")
        assert ask(house, OWNER, {"ask": "do", "action": PLAY | {"places": [0]}})[0] == 200


@pytest.mark.parametrize("number", range(len(BODIES)))
def test_a_body_that_is_no_request_is_refused(number: int, tmp_path: Path) -> None:
    with House(tmp_path, game=GAME, position=start(hands={"blue": ONE})) as house:
        before = house.table.state
        reply = post(house, "/ask", BODIES[number], OWNER, Content_Type="application/json")
        assert reply.status == 400
        assert "The table cannot read this" in json.loads(reply.body)["words"]
        assert house.table.state == before
