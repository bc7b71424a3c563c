"""The rulebook's Example of Play, step by step: every act, what the log tells of it, and how it ends.

David is red, Wayne on his left is blue, Deke is green. House cards do what the printed ones do: More
Coal discards one more High Noon card, Loose Change is one double-dollar and a Strongbox three.
"""

from __future__ import annotations

from typing import Any

from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.actions import (
    Join,
    Keep,
    Move,
    Reroll,
    Search,
    Send,
    Showdown,
    TurnUp,
)
from companion.games.rail_raiders_infinite.state import Job
from tests.rules.rail_positions import do, position, roll

GOLDEN: tuple[tuple[Any, ...], ...] = (
    (TurnUp("red", "more_coal"), ["High Noon for Red: More Coal.", "High Noon cards left: 8."]),
    (Move("red", 3), ["Red moves to car 3 (Baggage Car)."]),
    (Showdown("red", "lawbots"), ["Red starts a Showdown with the Lawbots."]),
    (Join("green", join=True), ["Green joins the fight."]),
    (*roll("9 J Q Q Q"), ["Red rolls 9 J Q Q Q: three Queens."]),
    (*roll("9 10 Q K A"), ["Blue for the Lawbots rolls 9 10 Q K A: Ace high."]),
    (*roll("10 10 J J Q"), ["Green rolls 10 10 J J Q: Jacks and tens."]),
    (Reroll("blue", ("9",)), ["Blue rerolls 9 for the Lawbots."]),
    (
        *roll("K"),
        [
            "Blue for the Lawbots rolls again K.",
            "Red wins the fight with three Queens.",
            "Red gets 2 double-dollars and has 2 now.",
            "1 Sheriff is gone from car 3 (Baggage Car).",
        ],
    ),
    (
        Send("red", "green", 2),
        ["Red sends Green to car 2 (Sleeping Car)."],
    ),
    (Search("red"), ["Red searches car 3 (Baggage Car)."]),
    (TurnUp("red", "2"), ["Red turns up a 2."]),
    (
        Keep("red", "strongbox"),
        ["Red keeps Strongbox.", "Red gets 3 double-dollars and has 5 now.", "Blue's turn begins."],
    ),
)


def test_the_example_of_play_is_one_record() -> None:
    state = position(
        at={"red": 2, "blue": 0, "green": 3},
        bots={3: (0, 1, 0)},
        tokens={3: ("2",)},
        high_noon=["more_coal"],
        loot=["loose_change", "strongbox"],
        agenda=[Job("turn", 0), Job("turn", 1), Job("turn", 2), Job("round_end")],
    )
    for action, lines in GOLDEN:
        assert list(GAME.story(state, action)) == lines
        state = do(state, action)
    assert [rider.dollars for rider in state.riders] == [5, 0, 0]
    assert (state.loot_discard, state.loot_buried) == (("strongbox",), ("loose_change",))
    assert (state.turn, state.cars[3].bots, state.high_noon_discard) == (1, (0, 0, 0), ("more_coal",))
