"""Positions that no game can come to are told apart, each fault with its path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games.game import Rolled
from companion.games.pawns_of_perdition import GAME
from companion.games.pawns_of_perdition.state import PHASES, Played, Roll, State
from tests.rules.positions import begin, put
from tests.rules.strategies import positions

BAD: list[tuple[Mapping[str, Any], str]] = [
    ({"seats": ("red", "blue", "pink")}, "$.seats"),
    ({"seats": ("red", "blue", "blue")}, "$.seats"),
    ({"pawns": (0, 0)}, "not 2 - at `$.pawns`"),
    ({"hands": ((),) * 4}, "not 4 - at `$.hands`"),
    ({"skips": ()}, "$.skips"),
    ({"throws": ()}, "$.throws"),
    ({"board": ("start", "escape")}, "$.board"),
    ({"board": ("start", *("swamp",) * 62, "escape")}, "'swamp', known are"),
    ({"copies": (2,)}, "$.copies"),
    ({"copies": ()}, "$.copies"),
    ({"copies": (0,) * 15}, "$.copies"),
    ({"turn": 3}, "0 to 2, not 3 - at `$.turn`"),
    ({"speaker": -2}, "$.speaker"),
    ({"speaker": 0, "phase": "beacon"}, "Players are asked in turn only"),
    ({"phase": "tea"}, "'tea', known are setup"),
    ({"victim": "white"}, "$.victim"),
    ({"winner": "white"}, "$.winner"),
    ({"played": Played("hells_grasp", "red", "white")}, "$.played"),
    ({"played": Played("second_chance", "red", "blue")}, "$.played"),
    ({"played": Played("hells_grasp", "red", "blue")}, "nothing to answer with"),
    ({"deck": ("hells_grasp",)}, "1 cards, not 30"),
    ({"deck": ("hells_grasp",) * 30}, "30 cards 'hells_grasp', not 2"),
    ({"deck": ("ace",) * 30}, "no card 'ace'"),
    ({"owed": 1}, "$.owed"),
    ({"pawns": (63, 0, 0)}, "not on 63 - at `$.pawns[0]`"),
    ({"pawns": (-1, 0, 0)}, "not on -1"),
    ({"winner": "red"}, "$.winner"),
    ({"phase": "over"}, "$.winner"),
    ({"phase": "over", "winner": "red"}, "winner's pawn stands on 63"),
    ({"skips": (0, -1, 0)}, "$.skips[1]"),
    ({"dice": (7,)}, "1 to 6"),
    ({"roll": Roll(wings=-1)}, "counted from 0"),
    ({"phase": "after_roll"}, "$.roll.kept"),
    ({"phase": "keep"}, "$.roll.base"),
    ({"phase": "landing", "victim": "red"}, "$.phase"),
    ({"phase": "first_player"}, "$.throws"),
    ({"phase": "setup"}, "$.discard"),
]


@pytest.mark.parametrize(("fields", "fault"), BAD)
def test_a_fault_is_named(fields: Mapping[str, Any], fault: str) -> None:
    found = GAME.faults(replace(put(begin(), hands={}), **fields))
    assert any(fault in line for line in found), found
    assert all(line.endswith(".") for line in found)


def test_a_hand_out_of_order_and_an_acceptance_that_waits_are_faults() -> None:
    state = put(begin(), hands={"blue": ["hells_grasp", "second_chance"]})
    assert GAME.faults(state) == ()
    backwards = replace(state, hands=((), ("second_chance", "hells_grasp"), ()))
    assert GAME.faults(backwards) == ("A hand is kept in the order of the alphabet - at `$.hands[1]`.",)
    accepted = replace(state, played=Played("hells_grasp", "red", "blue", accepted=True))
    assert any("$.played.accepted" in line for line in GAME.faults(accepted))


@given(
    state=positions(),
    phase=st.sampled_from(PHASES),
    roll=st.builds(
        Roll,
        doubles=st.integers(-1, 3),
        beacons=st.integers(-1, 2),
        base=st.lists(st.integers(0, 7), max_size=4).map(tuple),
        kept=st.lists(st.integers(0, 7), max_size=3).map(tuple),
    ),
    fields=st.fixed_dictionaries(
        {},
        optional={
            "victim": st.sampled_from(("red", "blue", "")),
            "owed": st.integers(-1, 3),
            "turn": st.integers(-1, 5),
            "speaker": st.integers(-2, 5),
            "deck": st.just(()),
            "played": st.builds(Played, st.just("hells_grasp"), st.just("red"), st.just("blue")),
        },
    ),
)
def test_a_position_without_faults_can_be_played_on(
    state: State, phase: str, roll: Roll, fields: dict[str, Any]
) -> None:
    state = replace(state, phase=phase, roll=roll, **fields)
    if GAME.faults(state):
        return
    GAME.awaiting(state)
    for seat in (*state.seats, ""):
        GAME.prompt(state, seat)
        for action in GAME.legal(state, seat):
            assert GAME.refusal(state, action) is None
            GAME.story(state, action)
            GAME.play(state, action)
    for count in (1, 2, 3):
        throw = Rolled((1,) * count)
        if GAME.refusal(state, throw) is None:
            GAME.play(state, throw)
