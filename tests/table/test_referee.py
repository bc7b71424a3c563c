"""From Readings to actions: what is played, what is asked, what is explained."""

from __future__ import annotations

import pytest

from companion.findings import PATIENCE
from companion.games.game import AwaitedDice, Rolled
from companion.games.layout import Dice, Die
from companion.games.pawns_of_perdition.actions import EndTurn, Move, PlayCard
from companion.messages import Decide, Finish, Retry, Start
from firmware_bridge.device import Fault
from tests.table.desk import SQUARE, Desk


@pytest.fixture
def seen(playing: Desk) -> Desk:
    """The camera sees the pawns on Start and no dice; red is to throw."""
    playing.see(dice=Dice((), True), throw=0)
    return playing


def test_a_sure_roll_is_played_once_with_its_picture(seen: Desk) -> None:
    roll = seen.roll_to("safe")
    seen.throw(*roll)
    assert seen.state.dice == roll
    view = seen.view("red")
    assert view.picture
    assert seen.table.picture(view.picture) == b"\xff\xd8 jpeg"
    assert [line.how for line in view.log if line.picture] == ["camera"]
    moves = len(seen.table.moves())
    for _ in range(5):
        seen.see()
    assert len(seen.table.moves()) == moves


def test_a_pawn_that_moved_as_it_may_is_a_move(seen: Desk) -> None:
    roll = seen.roll_to("safe")
    seen.throw(*roll)
    seen.see(red=sum(roll))
    assert seen.table.moves()[-1] == Move("red")
    assert seen.view("red").todo == ()


def test_roll_and_move_in_one_reading(seen: Desk) -> None:
    roll = seen.roll_to("safe")
    seen.throw(*roll, red=sum(roll))
    assert seen.table.moves()[-2:] == (Rolled(roll), Move("red"))


def test_the_next_throw_ends_the_turn(seen: Desk) -> None:
    roll = seen.roll_to("safe")
    seen.throw(*roll, red=sum(roll))
    seen.throw(2, 1)
    assert seen.table.moves()[-2:] == (EndTurn("red"), Rolled((2, 1)))
    assert seen.state.turn == 1


def test_the_same_faces_thrown_again_count_again(seen: Desk) -> None:
    roll = seen.roll_to("safe")
    seen.throw(*roll, red=sum(roll))
    seen.throw(*roll)
    assert seen.state.turn == 1
    assert seen.table.moves()[-1] == Rolled(roll)


def test_an_unsure_roll_asks_with_its_picture_and_plays_nothing(seen: Desk) -> None:
    moves = len(seen.table.moves())
    seen.throw(3, 4, sure=False)
    assert len(seen.table.moves()) == moves
    question = seen.view("blue").question
    assert question is not None
    assert question.picture
    assert question.dice == 2
    assert [choice.words for choice in question.choices] == ["3 + 4", "That was no throw"]
    assert seen.decide("blue", "0").status == "done"
    assert seen.state.dice == (3, 4)
    assert seen.view("blue").question is None


def test_another_roll_can_be_entered_instead(seen: Desk) -> None:
    seen.throw(3, 4, sure=False)
    assert seen.decide("red", "enter", Rolled((3, 9))).status == "refused"
    assert seen.view("red").question is not None
    assert seen.decide("red", "enter", Rolled((3, 5))).status == "done"
    assert seen.state.dice == (3, 5)


def test_no_throw_plays_nothing_and_is_not_asked_again(seen: Desk) -> None:
    seen.throw(3, 4, sure=False)
    seen.decide("red", "1")
    seen.see()
    assert seen.view("red").question is None
    seen.throw(1, 1)
    assert seen.state.dice == (1, 1)


def test_a_roll_that_can_be_read_after_all_needs_no_answer(seen: Desk) -> None:
    """A hand that lay half over a die is taken away."""
    seen.throw(3, 4, sure=False)
    assert seen.view("red").question is not None
    sure = Dice((Die(3, SQUARE, 0.99), Die(5, SQUARE, 0.99)), True)
    seen.see(dice=sure)
    assert seen.state.dice == (3, 5)
    assert seen.view("red").question is None
    moves = len(seen.table.moves())
    seen.see(dice=sure)
    assert len(seen.table.moves()) == moves


def test_what_people_answered_is_not_read_over(seen: Desk) -> None:
    seen.throw(3, 4, sure=False)
    seen.decide("red", "1")
    moves = len(seen.table.moves())
    seen.see(dice=Dice((Die(3, SQUARE, 0.99), Die(5, SQUARE, 0.99)), True))
    assert len(seen.table.moves()) == moves


def test_an_answer_to_an_old_question_is_stale(seen: Desk) -> None:
    seen.throw(3, 4, sure=False)
    old = seen.view("red").question
    assert old is not None
    seen.throw(5, 4, sure=False)
    assert seen.ask("red", Decide(old.id, "0")).status == "stale"
    assert seen.view("red").question is not None


def test_three_dice_where_two_count_are_asked_about(seen: Desk) -> None:
    seen.throw(3, 4, 3)
    question = seen.view("red").question
    assert question is not None
    assert "3 dice" in question.words
    assert {choice.words for choice in question.choices} == {"3 + 4", "3 + 3", "That was no throw"}


def test_one_die_of_two_is_asked_about(seen: Desk) -> None:
    seen.throw(3)
    question = seen.view("red").question
    assert question is not None
    assert "Only 1 of 2" in question.words
    assert seen.decide("red", "enter", Rolled((3, 3))).status == "done"


def test_a_throw_out_of_turn_is_asked_about_not_played(seen: Desk) -> None:
    roll = seen.roll_to("safe")
    seen.throw(*roll)
    moves = len(seen.table.moves())
    seen.throw(6, 5)
    assert len(seen.table.moves()) == moves
    question = seen.view("red").question
    assert question is not None
    assert question.choices[0].words == "Nothing, leave it"
    assert seen.decide("red", "1").status == "done"
    assert seen.table.moves()[-3:] == (Move("red"), EndTurn("red"), Rolled((6, 5)))


def test_a_throw_out_of_turn_is_asked_about_once_it_fits(seen: Desk) -> None:
    roll = seen.roll_to("safe")
    seen.throw(*roll)
    seen.throw(6, 5)
    seen.done("red", Move("red"))
    seen.done("red", EndTurn("red"))
    question = seen.view("blue").question
    assert question is not None
    assert "Blue's" in question.words
    assert seen.state.dice == roll
    seen.decide("blue", "0")
    assert seen.state.dice == (6, 5)


def test_a_wrong_move_is_explained_after_a_while_and_understood_when_put_back(seen: Desk) -> None:
    roll = seen.roll_to("safe")
    right = sum(roll)
    wrong = next(space for space in range(right + 1, 30) if seen.state.board[space] == "safe")
    seen.throw(*roll)
    seen.see(red=wrong)
    assert seen.state.pawns[0] == 0
    assert not seen.view("red").notices
    seen.clock.now += PATIENCE + 0.1
    seen.see()
    words = seen.view("red").notices[0].words
    assert f"space {wrong}" in words
    assert f"space {right}" in words
    seen.see(red=right)
    assert seen.state.pawns[0] == right
    assert not seen.view("red").notices


def test_a_pawn_off_the_board_is_waited_for_then_explained(seen: Desk) -> None:
    seen.see(blue=-1)
    seen.clock.now += PATIENCE + 0.1
    seen.see()
    assert "off the board" in seen.view("red").notices[0].words
    seen.see(blue=0)
    assert not seen.view("red").notices


def test_a_pawn_under_a_hand_is_not_missed(seen: Desk) -> None:
    roll = seen.roll_to("safe")
    seen.throw(*roll)
    seen.see(red=sum(roll), holes=(f"space:{sum(roll)}",))
    assert seen.state.pawns[0] == 0
    seen.see()
    assert seen.state.pawns[0] == sum(roll)


def test_what_a_phone_says_first_is_a_to_do_not_a_fault(seen: Desk) -> None:
    roll = seen.roll_to("safe")
    seen.throw(*roll)
    seen.done("red", Move("red"))
    assert seen.view("red").todo == (f"Put Red on space {sum(roll)} (Safe).",)
    seen.clock.now += 60
    seen.see()
    assert not seen.view("red").notices
    seen.see(red=sum(roll))
    assert seen.view("red").todo == ()


def test_two_actions_that_look_alike_are_asked_about(seen: Desk) -> None:
    """Nine steps from Start's row land where Angel's Shortcut would: the camera cannot tell which."""
    seen.throw(6, 4)
    seen.see(red=10)
    question = seen.view("red").question
    assert question is not None
    assert len(question.choices) == 3
    assert seen.state.pawns[0] == 0
    assert seen.decide("red", "0").status == "done"
    assert seen.state.pawns[0] == 10


def test_a_card_played_by_the_table_alone_is_understood(seen: Desk) -> None:
    draw = seen.roll_to("draw")
    seen.throw(*draw)
    seen.see(red=sum(draw))
    assert seen.table.moves()[-1] == Move("red")
    seen.see(red=10)
    assert seen.table.moves()[-1] == PlayCard("red", "angels_shortcut")


def test_a_pawn_that_moves_before_its_throw_was_read_is_asked_about(seen: Desk) -> None:
    moves = len(seen.table.moves())
    seen.see(red=10)
    question = seen.view("red").question
    assert question is not None
    assert question.dice == 2
    assert len(question.choices) == 2
    assert len(seen.table.moves()) == moves
    assert seen.decide("red", "enter", Rolled((6, 4))).status == "done"
    assert seen.view("red").question is not None  # the shortcut leads there too
    assert seen.decide("red", "0").status == "done"
    assert seen.table.moves()[-2:] == (Rolled((6, 4)), Move("red"))


def test_a_pawn_that_moves_while_its_throw_is_asked_about_waits_for_the_answer(seen: Desk) -> None:
    roll = seen.roll_to("safe", but=10)
    moves = len(seen.table.moves())
    seen.throw(*roll, sure=False)
    asked = seen.view("red").question
    seen.see(red=10)
    assert seen.view("red").question == asked
    seen.see(red=sum(roll))
    assert len(seen.table.moves()) == moves
    assert seen.decide("red", "0").status == "done"
    assert seen.table.moves()[-2:] == (Rolled(roll), Move("red"))


def test_what_will_be_put_back_is_not_asked_about_again(seen: Desk) -> None:
    seen.throw(6, 4)
    seen.see(red=10)
    asked = seen.view("red").question
    seen.see(blue=0)
    assert seen.view("red").question == asked
    assert seen.decide("red", "2").status == "done"
    assert seen.view("red").question is None
    assert seen.view("red").todo == ("Put Red on Start.",)
    seen.see(blue=0)
    assert seen.view("red").question is None
    seen.see(red=0)
    seen.see(red=10)
    assert seen.view("red").question is not None


def test_a_pawn_that_is_put_back_settles_its_question(seen: Desk) -> None:
    seen.throw(6, 4)
    seen.see(red=10)
    assert seen.view("red").question is not None
    seen.see(red=0)
    assert seen.view("red").question is None


def test_old_dice_are_no_throw_after_a_restart(seen: Desk) -> None:
    roll = seen.roll_to("safe")
    seen.throw(*roll, red=sum(roll))
    seen.done("red", EndTurn("red"))
    later = seen.again()
    later.throw(*roll)
    assert later.view("red").question is None
    assert len(later.table.moves()) == len(seen.table.moves())
    later.throw(2, 2)
    assert later.state.dice == (2, 2)
    later.close()


def test_other_dice_after_a_restart_are_asked_about(seen: Desk) -> None:
    roll = seen.roll_to("safe")
    seen.throw(*roll, red=sum(roll))
    seen.done("red", EndTurn("red"))
    later = seen.again()
    later.throw(6, 6)
    question = later.view("blue").question
    assert question is not None
    assert later.state.dice == roll
    later.close()


def test_after_the_camera_was_away_lying_dice_are_no_throw(seen: Desk) -> None:
    roll = seen.roll_to("safe")
    seen.throw(*roll, red=sum(roll))
    seen.done("red", EndTurn("red"))
    seen.put(Fault("camera", "The camera does not answer.", "Enter rolls by hand."))
    assert seen.view("red").notices[0].cure == "Enter rolls by hand."
    seen.put(Fault("camera", "", ""))
    assert not seen.view("red").notices
    seen.see(throw=99)
    assert seen.state.dice == roll
    assert seen.view("blue").question is None


def test_people_can_have_a_device_tried_again(seen: Desk) -> None:
    tried: list[str] = []
    seen.put(Fault("buttons", "The pins are taken.", "Stop the other program."))
    assert not seen.view("red").notices[0].retry
    assert seen.ask("blue", Retry("camera")).status == "refused"
    seen.table.mend("camera", lambda: tried.append("camera"))
    seen.put(Fault("camera", "The camera may not be used.", "Allow it.", permanent=True))
    assert {notice.id: notice.retry for notice in seen.view("red").notices} == {
        "buttons": False,
        "camera": True,
    }
    assert seen.ask("blue", Retry("camera")).status == "done"
    assert tried == ["camera"]


def test_dice_that_lay_there_before_the_game_are_no_throw(desk: Desk) -> None:
    desk.sit("red", "blue", "green")
    dice = Dice((Die(3, SQUARE, 0.99), Die(4, SQUARE, 0.99)), True)
    desk.see(dice=dice, throw=1)
    desk.start("red", "blue", "green")
    moves = len(desk.table.moves())
    desk.see(dice=dice, throw=1)
    assert len(desk.table.moves()) == moves


def test_first_throws_are_read_too(desk: Desk) -> None:
    desk.sit("red", "blue", "green")
    desk.ask("red", Start(("red", "blue", "green"), {}))
    desk.shuffle("red")
    desk.see(dice=Dice((), True), throw=0)
    for values in ((3, 4), (5, 4), (2, 2)):
        desk.throw(*values)
    assert desk.state.seats[desk.state.turn] == "blue"


def test_nothing_is_asked_once_the_game_is_over(seen: Desk) -> None:
    while not seen.game.over(seen.state):
        seat = seen.state.seats[seen.state.turn]
        awaiting = seen.game.awaiting(seen.state)
        if isinstance(awaiting.chance, AwaitedDice):
            seen.done("red", Rolled((6,) * awaiting.chance.count))
        else:
            seen.done("red", seen.game.prompt(seen.state, awaiting.seats[0] or seat).choices[0].action)
    moves = len(seen.table.moves())
    seen.throw(1, 1)
    assert len(seen.table.moves()) == moves
    assert seen.view("red").question is None
    assert seen.view("red").phase == "over"


def test_an_answer_to_a_question_plays_a_roll_and_nothing_else(seen: Desk) -> None:
    seen.throw(3, 4, sure=False)
    moves = len(seen.table.moves())
    answer = seen.decide("blue", "enter", PlayCard("green", "hells_grasp", "red"))
    assert answer.status == "refused"
    assert "upper faces" in answer.words
    assert len(seen.table.moves()) == moves


def test_pictures_and_questions_of_an_earlier_start_do_not_come_again(seen: Desk) -> None:
    seen.throw(3, 4, sure=False)
    first = seen.view("blue").question
    later = seen.again()
    later.see(dice=Dice((), True), throw=0)
    later.throw(5, 6, sure=False)
    second = later.view("blue").question
    assert first is not None
    assert second is not None
    assert first.id != second.id
    assert first.picture != second.picture
    assert later.ask("blue", Decide(first.id, "0")).status == "stale"
    later.close()


def test_a_roll_entered_by_hand_has_no_picture_of_another_throw(seen: Desk) -> None:
    seen.throw(3, 4, sure=False)
    assert seen.decide("red", "1").status == "done"
    roll = seen.roll_to("safe")
    seen.done("red", Rolled(roll))
    assert not seen.view("red").picture


def test_a_new_game_has_no_picture_of_the_last_one(seen: Desk) -> None:
    seen.throw(*seen.roll_to("safe"))
    assert seen.view("red").picture
    seen.ask("red", Finish())
    seen.ask("red", Start(("red", "blue", "green"), {}))
    seen.shuffle("red")
    seen.done("red", Rolled((1, 2)))
    assert not seen.view("red").picture


def test_a_roll_that_was_moved_by_at_once_has_its_picture(seen: Desk) -> None:
    roll = seen.roll_to("safe")
    seen.throw(*roll, red=sum(roll))
    assert seen.table.moves()[-1] == Move("red")
    assert seen.view("red").picture


def test_what_a_camera_saw_before_it_failed_says_nothing_of_now(seen: Desk) -> None:
    roll = seen.roll_to("safe")
    seen.throw(*roll, red=sum(roll))
    seen.put(Fault("camera", "The camera does not answer.", "Enter rolls by hand."))
    seen.done("red", EndTurn("red"))
    assert seen.view("blue").question is None
    seen.done("blue", Rolled((6, 6)))
    seen.done("blue", Move("blue"))
    view = seen.view("blue")
    assert view.question is None
    assert view.todo == ()


def test_the_next_player_who_moves_before_the_throw_was_read_is_asked_too(seen: Desk) -> None:
    roll = seen.roll_to("safe")
    seen.throw(*roll, red=sum(roll))
    moves = len(seen.table.moves())
    seen.see(blue=10)
    question = seen.view("blue").question
    assert question is not None
    assert question.dice == 0
    assert len(seen.table.moves()) == moves
