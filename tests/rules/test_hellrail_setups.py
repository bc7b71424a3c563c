"""The options, and how the Circles are laid out: the ring, Sacrilege, Devil's Advocate, an own layout."""

from __future__ import annotations

import itertools

import pytest

from companion.games.game import Shuffled
from companion.games.hellrail import GAME
from companion.games.hellrail.actions import (
    PlaceCircle,
)
from companion.games.hellrail.options import OPTIONS, Options
from companion.games.hellrail.state import (
    CIRCLES,
    GATE,
    SETUP,
)
from companion.games.hellrail.track import Position
from tests.rules.hellrail_positions import (
    FOUR,
    TRIO,
    begin,
    circle,
    counted,
    do,
    in_turn,
    may,
    pack,
    refused,
)


def test_every_ruling_is_listed_once_and_every_switch_has_its_default() -> None:
    assert [option.rule for option in OPTIONS] == ["HR-F17", *(f"HR-A{number:02}" for number in range(1, 41))]
    assert len({option.name for option in OPTIONS}) == len(OPTIONS)
    switched = {option.name: option for option in OPTIONS if len(option.values) > 1}
    assert set(switched) == set(Options.__struct_fields__)
    for name, option in switched.items():
        assert getattr(Options(), name) == option.values[0]
        assert len(option.readings) == len(option.values)


@pytest.mark.parametrize(
    ("options", "known"),
    [({"weather": "fair"}, "circles, players, who_starts"), ({"adjacent": "near"}, "side, side_or_corner")],
)
def test_an_unknown_option_names_the_known_ones(options: dict[str, str], known: str) -> None:
    with pytest.raises(ValueError, match=known):
        GAME.setup(TRIO, pack(), options)


def test_a_ruling_with_one_value_may_be_named() -> None:
    assert begin(contact="on_the_tie").options == Options()


CIRCLES_IN_ORDER = (GATE, *"123456789")


def diagonal(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return abs(one[0] - other[0]) == 1 == abs(one[1] - other[1])


def test_f17_the_ring_is_closed_and_diagonal() -> None:
    state = GAME.setup(TRIO, pack(), {})
    cells = [circle(state, name).cell for name in (*CIRCLES_IN_ORDER, GATE)]
    assert all(diagonal(*pair) for pair in itertools.pairwise(cells))
    assert (state.phase, state.engines) == (SETUP, (circle(state, GATE),) * 3)


def test_f17_sacrilege_is_one_diagonal_line() -> None:
    state = GAME.setup(TRIO, pack(), {"circles": "sacrilege"})
    cells = [circle(state, name).cell for name in CIRCLES_IN_ORDER]
    assert all(diagonal(*pair) for pair in itertools.pairwise(cells))
    assert not diagonal(cells[0], cells[-1])
    assert (state.phase, state.engines) == (SETUP, (circle(state, GATE),) * 3)


def test_f17_in_devils_advocate_circles_are_dealt_out_and_laid_in_turn() -> None:
    state = GAME.setup(FOUR, pack(), {"circles": "devils_advocate"})
    assert (state.phase, state.engines) == (CIRCLES, ())
    assert GAME.legal(state, "red") == ()
    state = do(state, Shuffled(CIRCLES_IN_ORDER))
    assert counted(state.dealt) == [3, 3, 2, 2]
    assert state.dealt[0] == ("4", "8", GATE)
    cells = [(5, 3), (6, 4), (7, 3), (6, 2), (5, 5), (4, 4), (4, 2), (3, 3), (8, 4)]
    laid = []
    for cell in cells:
        seat = in_turn(state)
        laid.append(seat)
        mine = next(name for name in CIRCLES_IN_ORDER if name in state.dealt[state.turn])
        state = do(state, PlaceCircle(seat, mine, cell))
    assert laid == [*FOUR, *FOUR, "red"]
    last = state.dealt[1][0]
    assert in_turn(state) == "blue"
    state = do(state, PlaceCircle("blue", last, (9, 5)))
    assert (state.phase, state.turn, len(state.circles)) == (SETUP, 0, 10)
    assert set(state.engines) == {circle(state, GATE)}


def test_f17_a_hand_of_circles_is_its_owners_secret() -> None:
    state = do(GAME.setup(FOUR, pack(), {"circles": "devils_advocate"}), Shuffled(CIRCLES_IN_ORDER))
    assert GAME.view(state, "red").dealt == (state.dealt[0], ("?",) * 3, ("?",) * 2, ("?",) * 2)
    assert {lay.circle for lay in may(state, PlaceCircle)} == {"4", "8", GATE}
    assert {lay.circle for lay in may(GAME.hide(state), PlaceCircle)} == set(CIRCLES_IN_ORDER)
    assert "dealt to another player" in refused(state, PlaceCircle("red", "1", (0, 0))).sentence
    hidden = do(GAME.hide(state), PlaceCircle("red", "1", (5, 5)))
    assert counted(hidden.dealt) == [2, 3, 2, 2]
    assert "take turns" in refused(hidden, PlaceCircle("red", "2", (6, 6))).sentence


def test_f17_in_devils_advocate_a_circle_may_lie_beyond_the_sheet() -> None:
    state = do(GAME.setup(TRIO, pack(), {"circles": "devils_advocate"}), Shuffled(CIRCLES_IN_ORDER))
    assert refused(state, PlaceCircle("red", "3", (-1, 0))).rule == "form"
    state = do(state, PlaceCircle("red", "3", (0, 0)), PlaceCircle("blue", "1", (-1, -1)))
    assert "A Circle lies on A1 already" in refused(state, PlaceCircle("green", "2", (0, 0))).sentence
    assert circle(state, "1") == Position((-1, -1))


def test_f17_an_own_layout_is_laid_by_anybody_as_they_like() -> None:
    state = GAME.setup(TRIO, pack(), {"circles": "own"})
    assert GAME.awaiting(state).seats == TRIO
    for number, name in enumerate(CIRCLES_IN_ORDER):
        assert refused(state, PlaceCircle("red", name, (number, 8))).rule == "form"
        state = do(state, PlaceCircle(TRIO[number % 3], name, (number, 7)))
        if state.phase == CIRCLES:
            assert "lies on the table already" in refused(state, PlaceCircle("red", name, (0, 0))).sentence
            assert "already" in refused(state, PlaceCircle("red", "9", (number, 7))).sentence
    assert (state.phase, state.engines) == (SETUP, (Position((0, 7)),) * 3)
    assert GAME.free(GAME.setup(TRIO, pack(), {"circles": "own"}), PlaceCircle("red", GATE, (0, 0)))
