"""The table of HellRail as the camera is told of it: how cards lie, and where engines stand."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.hellrail import GAME
from companion.games.hellrail.actions import Declare, LayRail, TurnRail, UpgradeRail
from companion.games.hellrail.state import Rail, State, Step
from companion.games.hellrail.track import TURNS, Track, repeats
from companion.games.layout import Piece
from tests.rules.hellrail_positions import do, entered, pack, position


@pytest.mark.parametrize(
    ("segments", "shared", "degrees"),
    [
        (("NE3",), (0, 0, 0, 0), 360),
        (("NS4",), (0, 0, 0, 0), 180),
        (("NE3", "SW3"), (0, 0, 0, 0), 180),
        (("NS4", "EW4"), (0, 0, 0, 0), 90),
        (("NS4", "EW5"), (0, 0, 0, 0), 180),
        (("NE3", "NS4", "SW3"), (1, 0, 1, 0), 180),
        (("NE3", "NS4", "SW3"), (1, 0, 0, 0), 360),
        (("NS4", "NW3"), (0, 0, 0, 0), 360),
        ((), (0, 0, 0, 0), 360),
    ],
)
def test_a_card_repeats_where_its_rail_lies_as_before(
    segments: tuple[str, ...], shared: tuple[int, int, int, int], degrees: int
) -> None:
    assert repeats(Track(segments, shared)) == degrees


def test_the_camera_is_told_after_how_many_degrees_a_card_repeats() -> None:
    state = position()
    tokens = {token.name: token.repeats for token in GAME.table_map(state).tokens if token.kind == "rail"}
    assert (tokens["straight1"], tokens["curve1"], tokens["diamond"]) == (180, 360, 90)


@pytest.mark.parametrize("turn", TURNS)
def test_a_straight_lies_the_same_upside_down(turn: int) -> None:
    state = position(hands={"red": ["straight1"]})
    after = GAME.play(state, LayRail("red", "straight1", (3, 4), turn))
    assert lies(after, "straight1") == turn % 180


def test_an_upgrade_and_a_turned_card_lie_the_same_upside_down() -> None:
    state = position(rails={(3, 4): ("straight2", 90)}, hands={"red": ["diamond"]})
    layouts = [GAME.layout(GAME.play(state, UpgradeRail("red", "diamond", (3, 4), turn))) for turn in TURNS]
    assert layouts.count(layouts[0]) == 4


def test_of_turns_that_look_alike_one_alone_may_have_been_laid() -> None:
    state = position(rails={(3, 4): ("straight2", 90)}, hands={"red": ["diamond", "straight1", "curve1"]})
    turns: dict[str, set[int]] = {}
    for card in ("diamond", "straight1", "curve1"):
        for action in GAME.candidates(state, "red", (Piece("rail", card, "cell:2,4"),)):
            if isinstance(action, LayRail | UpgradeRail):
                turns.setdefault(card, set()).add(action.turn)
    assert turns == {"diamond": {0}, "straight1": {0, 90}, "curve1": {0, 90, 180, 270}}


def test_of_turns_that_look_alike_a_card_was_turned_to_one_alone() -> None:
    steps = {"3": (Step("turn_rail"),)}
    state = do(
        entered("3", made=pack(steps), rails={(3, 4): ("curve1", 0), (3, 5): ("straight2", 180)}),
        Declare("red", use=True),
    )
    found = {
        (turn.cell, turn.turn) for turn in GAME.candidates(state, "red", ()) if isinstance(turn, TurnRail)
    }
    assert {turn for cell, turn in found if cell == (3, 4)} == {90, 180, 270}
    assert {turn for cell, turn in found if cell == (3, 5)} == {0, 90}


def lies(state: State, card: str) -> int:
    (turn,) = (piece.turn for piece in GAME.layout(state).pieces if piece.name == card)
    return turn


def test_a_position_that_has_a_straight_upside_down_is_laid_out_as_any() -> None:
    state = position(rails={(3, 4): ("straight2", 90)})
    turned = replace(state, rails=(Rail((3, 4), "straight2", 270),))
    assert GAME.layout(turned) == GAME.layout(state)
