"""Positions that no game can come to, each fault named with its path."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.hachi_train import GAME
from companion.games.hachi_train.state import SEATS, State
from companion.games.layout import UNKNOWN
from tests.rules.hachi_games import house
from tests.rules.hachi_positions import position


def whole() -> State:
    """A match of three that goes on, with no fault."""
    return position(field=["4"], hands={"red": ["6", "3/4", "1"]}, deck=2, seen={"red": ["6"]})


def test_what_play_comes_to_has_no_fault() -> None:
    assert GAME.faults(whole()) == ()
    assert GAME.faults(GAME.setup(SEATS, house(), {})) == ()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seats": ("red", "blue")}, "`$.seats`"),
        ({"seats": ("red", "blue", "mauve")}, "`$.seats`"),
        ({"kept": (True,)}, "One for each of the 3 seats, not 1 - at `$.kept`."),
        ({"phase": "dancing"}, "There is no phase 'dancing'"),
        ({"turn": 3}, "`$.turn`"),
        ({"owner": 5}, "`$.owner`"),
        ({"passed": (0, 0)}, "Seats' numbers, each once - at `$.passed`."),
        ({"gone": (7,)}, "`$.gone`"),
        ({"field": ("9",)}, "There is no car '9' - at `$.field`."),
        ({"field": ("5", "3")}, "Cards that lie open are sorted"),
        ({"hands": (("x", "3/4", "1"), (), ())}, "There is no car 'x'"),
        ({"assets": (150, 200, 200)}, "Assets are 200, 100 or 0 million"),
        ({"assets": (100, 200, 200)}, "Each match takes $100 million: 0 were lost, not 1"),
        ({"match": 5}, "`$.match` or `$.assets`"),
        ({"match": 3, "assets": (0, 200, 200)}, "The game is over when assets are gone"),
        ({"rank": 0}, "Cards on the field have a rank and an owner"),
        ({"owner": -1}, "Cards on the field have a rank and an owner"),
        ({"rank": 5}, "All cards on the field can be of its rank"),
        ({"phase": "first"}, "Cards are played while turns are taken"),
        ({"gone": (1, 2)}, "A match goes on while two players are in it"),
        ({"gone": (0,)}, "Who has gone out has no turn"),
        ({"passed": (0,)}, "Those have passed who are in the match and did not play since"),
        (
            {"field": (), "rank": 0, "owner": -1, "passed": (1,)},
            "Nobody passes while no card",
        ),
        ({"deck": (UNKNOWN,) * 3}, "There are 9 special cars"),
        ({"deck": ("5", UNKNOWN)}, "Special cars are in the draw deck, and no others"),
        ({"out": ()}, "train cars in hands, field and discards"),
        ({"seen": (("8",) * 4, (), ())}, "A hand has as many special and train cars as were counted"),
        ({"seen": ((), ("4", "4"), ("4", "4"))}, "cars 4, not 3"),
        ({"specials": (4, 0, 0)}, "A hand has no more special cars than cards"),
        ({"specials": (0, 1, 0)}, "as were counted - at `$.hands[0]`"),
        ({"loose": (1, 0, 0)}, "Of a kept hand some cards may be loose, of no other any"),
        ({"loose": (4, 0, 0), "kept": (True, False, False)}, "`$.loose[0]`"),
        ({"hands": ((), *whole().hands[1:])}, "Who has no cards has gone out"),
    ],
    ids=lambda value: "" if isinstance(value, str) else str(value),
)
def test_a_fault_is_named_with_its_path(changes: dict[str, Any], words: str) -> None:
    found = GAME.faults(replace(whole(), **changes))
    assert any(words in fault for fault in found), found


def test_eight_cards_are_dealt_to_each() -> None:
    state = GAME.setup(SEATS[:3], house(), {})
    dealt = replace(state, phase="specials", hands=((UNKNOWN,) * 9, (UNKNOWN,) * 7, (UNKNOWN,) * 8))
    assert sum("8 cards are dealt to each player" in fault for fault in GAME.faults(dealt)) == 2
