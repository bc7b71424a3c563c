"""Takebacks and corrections: one tap for one's own slip, agreement across dice and other people."""

from __future__ import annotations

import pytest

from companion.games.game import Rolled
from companion.games.pawns_of_perdition.actions import EndTurn, Keep, Move, PlayCard
from companion.messages import Do, Takeback
from companion.table import Presence
from firmware_bridge.press import Press
from tests.table.desk import Desk, raw


@pytest.fixture
def moved(playing: Desk) -> Desk:
    """Red has thrown 3 and moved to a safe space; red may still end the turn."""
    playing.done("red", Rolled(playing.roll_to("safe")))
    playing.done("red", Move("red"))
    return playing


def test_ones_own_slip_goes_back_with_one_tap(moved: Desk) -> None:
    last = len(moved.table.moves()) - 1
    assert moved.view("red").moves[0].free
    before = moved.table.number
    assert moved.takeback("red", last).status == "done"
    assert moved.state.pawns[0] == 0
    assert moved.table.number == before + 1
    assert any(line.startswith("Ann went back to before: Red moves") for line in moved.log())


def test_across_dice_somebody_else_must_agree(moved: Desk) -> None:
    roll = len(moved.table.moves()) - 2
    assert moved.takeback("red", roll).status == "done"
    assert len(moved.state.dice) == 2
    proposal = moved.view("blue").proposal
    assert proposal is not None
    assert proposal.yours
    assert not moved.view("red").proposal.yours  # type: ignore[union-attr]
    assert moved.agree("red").status == "refused"
    assert moved.agree("blue").status == "done"
    assert moved.state.pawns[0] == 0
    assert len(moved.table.moves()) == roll


def test_a_declined_takeback_changes_nothing(moved: Desk) -> None:
    state, roll = moved.state, len(moved.table.moves()) - 2
    moved.takeback("red", roll)
    assert moved.agree("green", yes=False).status == "done"
    assert moved.state == state
    assert moved.view("blue").proposal is None
    assert moved.agree("blue").status == "refused"


def test_over_other_peoples_acts_those_people_agree(moved: Desk) -> None:
    move = len(moved.table.moves()) - 1
    moved.done("red", EndTurn("red"))
    moved.done("blue", Rolled((1, 1)))
    moved.takeback("red", move)
    assert moved.view("blue").proposal.waiting_for == ("Bob",)  # type: ignore[union-attr]
    assert moved.agree("green").status == "refused"
    assert moved.agree("blue").status == "done"
    assert moved.state.pawns[0] == 0


def test_the_host_speaks_for_phones_that_are_away(moved: Desk) -> None:
    move = len(moved.table.moves()) - 1
    moved.done("red", EndTurn("red"))
    moved.done("blue", Rolled((1, 1)))
    moved.takeback("red", move)
    moved.put(Presence("blue", False))
    assert moved.view("red").proposal.yours  # type: ignore[union-attr]
    assert moved.agree("red").status == "done"
    assert moved.state.pawns[0] == 0


def test_a_proposal_lapses_when_play_goes_on(moved: Desk) -> None:
    moved.takeback("red", len(moved.table.moves()) - 2)
    moved.done("red", EndTurn("red"))
    assert moved.view("blue").proposal is None


def test_a_misread_roll_is_corrected_by_its_thrower_and_the_move_follows(moved: Desk) -> None:
    roll = len(moved.table.moves()) - 2
    other = moved.roll_to("safe", but=moved.state.pawns[0])
    assert moved.correct("red", roll, Rolled(other)).status == "done"
    assert moved.state.pawns[0] == sum(other)
    assert any("corrected" in line for line in moved.log())


def test_a_correction_of_anothers_roll_waits_for_them(moved: Desk) -> None:
    roll = len(moved.table.moves()) - 2
    moved.correct("blue", roll, Rolled((1, 1)))
    assert moved.view("red").proposal is not None
    moved.agree("red")
    assert sum(moved.state.dice) == 2


def test_a_correction_drops_what_no_longer_fits(moved: Desk) -> None:
    roll = len(moved.table.moves()) - 2
    torment = moved.roll_to("torment")
    moved.done("red", EndTurn("red"))
    moved.correct("red", roll, Rolled(torment))
    assert moved.state.pawns[0] == sum(torment)
    assert any("no longer fit" in line for line in moved.log())


@pytest.mark.parametrize("values", [(1,), (7, 1), (0, 0), (1, 2, 3)])
def test_a_correction_must_be_a_legal_roll(moved: Desk, values: tuple[int, ...]) -> None:
    state = moved.state
    answer = moved.correct("red", len(moved.table.moves()) - 2, Rolled(values))
    assert answer.status == "refused"
    assert moved.state == state


def test_a_correction_replaces_like_with_like(moved: Desk) -> None:
    assert moved.correct("red", len(moved.table.moves()) - 2, EndTurn("red")).status == "refused"
    assert moved.correct("red", 99, Rolled((1, 1))).status == "refused"
    assert moved.takeback("red", -1).status == "refused"


def test_takebacks_are_replayed_after_a_restart(moved: Desk) -> None:
    moved.takeback("red", len(moved.table.moves()) - 1)
    state, log, number = moved.state, moved.log(), moved.table.number
    later = moved.again()
    assert later.state == state
    assert later.log() == log
    assert later.table.number == number
    later.close()


def test_a_waiting_proposal_survives_a_restart(moved: Desk) -> None:
    roll = len(moved.table.moves()) - 2
    moved.takeback("red", roll)
    later = moved.again()
    assert later.view("blue").proposal is not None
    assert later.agree("blue").status == "done"
    assert len(later.table.moves()) == roll
    later.close()


def test_a_double_tap_on_take_back_goes_back_once(moved: Desk) -> None:
    moved.done("red", EndTurn("red"))
    on = moved.table.number
    last = len(moved.table.moves()) - 1
    assert moved.ask("red", Takeback(last), on=on, id="tap").status == "done"
    assert moved.ask("red", Takeback(last), on=on, id="tap").status == "done"
    assert moved.ask("red", Takeback(last - 1), on=on, id="tap2").status == "stale"
    assert len(moved.table.moves()) == last


def test_buttons_confirm_next_and_undo(playing: Desk) -> None:
    playing.done("red", Rolled(playing.roll_to("safe")))
    assert playing.put(Press("confirm", "short", 1.0)).status == "done"
    assert playing.state.pawns[0] > 0
    assert playing.put(Press("undo", "short", 2.0)).status == "done"
    assert playing.state.pawns[0] == 0
    assert playing.put(Press("confirm", "short", 3.0)).status == "done"
    assert playing.put(Press("next", "short", 4.0)).status == "done"
    assert playing.state.turn == 1
    refused = playing.put(Press("confirm", "short", 5.0))
    assert refused.status == "refused"
    assert "phone" in refused.words


def test_an_undo_press_over_dice_asks_and_a_long_press_agrees(playing: Desk) -> None:
    playing.done("red", Rolled((1, 2)))
    moves = len(playing.table.moves())
    playing.put(Press("undo", "short", 1.0))
    assert playing.view("red").proposal is not None
    assert len(playing.table.moves()) == moves
    playing.put(Press("undo", "long", 2.0))
    assert playing.view("red").proposal is None
    playing.put(Press("undo", "short", 3.0))
    playing.put(Press("confirm", "long", 4.0))
    assert len(playing.table.moves()) == moves - 1


def test_a_stale_do_after_a_takeback_is_not_played(moved: Desk) -> None:
    on = moved.table.number
    moved.takeback("red", len(moved.table.moves()) - 1)
    assert moved.ask("red", Do(raw(EndTurn("red"))), on=on).status == "stale"


def test_a_correction_puts_no_card_into_anothers_hand(playing: Desk) -> None:
    playing.done("red", PlayCard("red", "hellish_reckoning", "blue"))
    played = len(playing.table.moves()) - 1
    answer = playing.correct("red", played, PlayCard("blue", "hells_grasp", "green"))
    assert answer.status == "refused"
    assert playing.table.moves()[-1] == PlayCard("red", "hellish_reckoning", "blue")


def test_only_rolls_are_offered_to_be_corrected(playing: Desk) -> None:
    playing.done("red", PlayCard("red", "cleansing_flame"))
    playing.done("red", Rolled((1, 2, 3)))
    playing.done("red", Keep("red", (2, 3)))
    assert [move.dice for move in playing.view("red").moves[:3]] == [0, 3, 0]
