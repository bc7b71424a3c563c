"""A button of one's own: short for what is awaited of that seat, long for its own last slip."""

from __future__ import annotations

from typing import Literal

import pytest

from companion import games
from companion.acts import Played
from companion.clerk import Refused
from companion.findings import PATIENCE
from companion.games.game import AwaitedDice, Rolled
from companion.games.layout import Dice
from companion.games.pawns_of_perdition.actions import EndTurn, Move
from companion.messages import Answer, Leave, Start
from companion.presses import NOTICE, pressed
from companion.table import Pause
from companion.views import view
from firmware_bridge.press import Press
from tests.table.desk import Desk
from tests.table.random_play import random_play


def press(desk: Desk, place: int, kind: Literal["short", "long"] = "short") -> Answer:
    return desk.put(Press("seat", kind, 1.0, place))


def told(desk: Desk) -> list[str]:
    """What every phone says of the last press."""
    return [notice.words for notice in desk.view("").notices if notice.id == NOTICE]


@pytest.fixture
def rolled(playing: Desk) -> Desk:
    """Red has thrown, and all that is left to do is to move."""
    playing.done("red", Rolled(playing.roll_to("safe")))
    return playing


def test_a_short_press_does_what_is_awaited_of_that_seat(rolled: Desk) -> None:
    assert press(rolled, 1).status == "done"
    assert rolled.table.moves()[-1] == Move("red")
    assert press(rolled, 1).status == "done"
    assert rolled.table.moves()[-1] == EndTurn("red")


def test_a_press_of_who_is_not_awaited_changes_nothing_and_is_told_to_all(rolled: Desk) -> None:
    number = rolled.table.number
    answer = press(rolled, 2)
    assert answer.status == "refused"
    assert answer.words == "Blue pressed, but the table waits for Red."
    assert (rolled.table.number, told(rolled)) == (number, [answer.words])
    # What is done next settles it.
    assert press(rolled, 1).status == "done"
    assert told(rolled) == []


def test_a_button_cannot_throw(playing: Desk) -> None:
    answer = press(playing, 1)
    assert answer.status == "refused"
    assert "cannot throw" in answer.words


def test_a_place_where_nobody_sits(rolled: Desk) -> None:
    for place in (0, 4, 8):
        answer = press(rolled, place)
        assert answer.status == "refused"
        assert f"Nobody sits at place {place}" in answer.words


def test_without_a_game_a_button_says_nothing(desk: Desk) -> None:
    desk.sit("red", "blue", "green")
    assert press(desk, 1).words == "No game is running."


def test_places_follow_the_seats_of_the_session(desk: Desk) -> None:
    desk.start("green", "red", "blue")
    desk.done("green", Rolled(desk.roll_to("safe")))
    assert press(desk, 2).status == "refused"
    assert press(desk, 1).status == "done"
    assert desk.table.moves()[-1] == Move("green")


def test_anybody_says_that_the_cards_are_shuffled(desk: Desk) -> None:
    desk.sit("red", "blue", "green")
    assert desk.ask("red", Start(("red", "blue", "green"), {})).status == "done"
    assert press(desk, 3).status == "done"
    assert isinstance(desk.game.awaiting(desk.state).chance, AwaitedDice)


def test_a_seat_that_nobody_holds_has_its_button_all_the_same(rolled: Desk) -> None:
    assert rolled.ask("red", Leave("red")).status == "done"
    assert press(rolled, 1).status == "done"
    assert rolled.table.moves()[-1] == Move("red")
    assert press(rolled, 1, "long").status == "done"
    assert rolled.state.pawns[0] == 0


def test_a_long_press_takes_back_ones_own_last_slip_alone(rolled: Desk) -> None:
    press(rolled, 1)
    number = rolled.table.number
    refused = press(rolled, 2, "long")
    assert refused.words == "Blue wants to take back the last act, but that was Red's."
    assert rolled.table.number == number
    assert press(rolled, 1, "long").status == "done"
    assert rolled.state.pawns[0] == 0
    assert rolled.log()[-1].startswith("Ann went back")


def test_a_long_press_over_ones_own_dice_asks_the_others(rolled: Desk) -> None:
    moves = len(rolled.table.moves())
    assert press(rolled, 1, "long").status == "done"
    assert len(rolled.table.moves()) == moves
    proposal = rolled.view("blue").proposal
    assert proposal is not None
    assert (proposal.by, proposal.waiting_for) == ("Ann", ("Bob", "Cleo"))


def test_a_press_agrees_to_what_waits_for_that_person(rolled: Desk) -> None:
    moves = len(rolled.table.moves())
    press(rolled, 1, "long")
    assert press(rolled, 2).status == "done"
    assert len(rolled.table.moves()) == moves - 1


def test_the_hosts_press_speaks_for_nobody_else(rolled: Desk) -> None:
    """Red is the host, whose phone may speak for those that are away."""
    press(rolled, 1)
    rolled.done("red", EndTurn("red"))
    rolled.done("blue", Rolled(rolled.roll_to("safe")))
    rolled.done("blue", Move("blue"))
    last = len(rolled.table.moves())
    # Green asks to go back over what red and blue did; blue's phone is gone.
    assert rolled.takeback("green", last - 4).status == "done"
    assert press(rolled, 1).status == "done"
    proposal = rolled.view("red").proposal
    assert proposal is not None
    assert proposal.waiting_for == ("Bob",)
    assert press(rolled, 2).status == "done"
    assert len(rolled.table.moves()) == last - 4


def test_who_asked_does_not_agree_by_pressing_again(rolled: Desk) -> None:
    press(rolled, 1, "long")
    assert press(rolled, 1).status == "done"
    # The game goes on instead, and with that the proposal is off.
    assert rolled.table.moves()[-1] == Move("red")
    assert rolled.view("blue").proposal is None


def ask_for_the_roll(desk: Desk) -> None:
    desk.see(dice=Dice((), True), throw=0)
    desk.throw(1, 2, sure=False)
    assert desk.view("red").question is not None


def test_the_seat_in_turn_gives_the_first_answer_that_is_shown(playing: Desk) -> None:
    ask_for_the_roll(playing)
    assert press(playing, 2).status == "refused"
    assert playing.view("red").question is not None
    assert press(playing, 1).status == "done"
    assert playing.table.moves()[-1] == Rolled((1, 2))
    assert playing.view("red").question is None


@pytest.mark.parametrize("given", [Press("seat", "short", 1.0, 1), Press("confirm", "short", 1.0)])
def test_a_yes_to_taking_back_takes_back(rolled: Desk, given: Press) -> None:
    before = rolled.state
    roll = sum(rolled.state.dice)
    rolled.see(dice=Dice((), True), throw=0)
    rolled.see(red=roll)
    assert rolled.table.moves()[-1] == Move("red")
    rolled.see(red=0)
    rolled.clock.now += PATIENCE + 0.1
    rolled.put(Pause())
    question = rolled.view("red").question
    assert question is not None
    assert question.choices[0].key == "back"
    assert rolled.put(given).status == "done"
    assert (rolled.state, rolled.view("red").question) == (before, None)


@pytest.mark.parametrize("game_name", games.NAMES)
def test_a_seats_button_does_what_is_under_the_thumb_on_its_phone(game_name: str) -> None:
    done = refused = 0
    for clerk, session, snap in random_play(game_name, seed=3, steps=150):
        assert session.course is not None
        for place, seat in enumerate(snap.playing, 1):
            prompt = view(snap, seat, seat).prompt
            assert prompt is not None
            mains = {choice.action for choice in prompt.choices if choice.main}
            given = Press("seat", "short", 1.0, place)
            if prompt.yours and len(mains) == 1:
                (act,), said = pressed(clerk, session, None, given)
                assert isinstance(act, Played)
                assert (session.decode(act.action), act.how, act.by) == (mains.pop(), "button", seat)
                assert said is None
                done += 1
            else:
                with pytest.raises(Refused) as caught:
                    pressed(clerk, session, None, given)
                assert ("the table waits for" in str(caught.value)) == (not prompt.yours)
                refused += 1
    assert min(done, refused) > 10
