"""Hands that players keep on their phones: who may tell of them, what goes back, and what wipes them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.acts import Acts, Joined, Sat, Started
from companion.games.game import Rolled
from companion.games.hachi_train.actions import EnterCard, ForgetHand, KeepHand, Pass, Play, PutIn
from companion.games.layout import UNKNOWN
from companion.journal import Journal
from companion.messages import DoAll, Draw, Leave, Sit, Start
from companion.table import Presence
from firmware_bridge.press import Press
from tests.rules.hachi_positions import position
from tests.table.desk import Desk, raw

SEATS = ("red", "blue", "green")
HAND = ("5", "5", "2", "8", "1", "3", "3", "7")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Red leads the first match of three, whose cards are dealt."""
    desk = Desk(tmp_path, game="hachi_train")
    begin(desk)
    yield desk
    desk.close()


def begin(desk: Desk) -> None:
    desk.sit(*SEATS)
    assert desk.ask("red", Start(SEATS, {})).status == "done"
    desk.shuffle("red")
    desk.shuffle("blue")
    desk.done("red", Rolled(("red",)))


def keep(desk: Desk, seat: str = "red", cards: tuple[str, ...] = HAND) -> None:
    """The hand is entered from the left in one go."""
    desk.done(seat, KeepHand(seat))
    answer = desk.ask(seat, DoAll(tuple(raw(EnterCard(seat, card)) for card in cards)))
    assert answer.status == "done", answer


def held(desk: Desk, seat: str = "red") -> tuple[str, ...]:
    return tuple(desk.state.hands[SEATS.index(seat)])


def everything(desk: Desk, person: str) -> str:
    """All that a person's page is made from, and the table's own."""
    views = [desk.view(person), desk.table.view(person), desk.table.stand_in(person, "blue")]
    return msgspec.json.encode([views, desk.log()]).decode()


def test_an_owner_enters_all_cards_at_once(desk: Desk) -> None:
    keep(desk)
    assert held(desk) == HAND
    own = desk.view("red").prompt
    assert own is not None
    assert own.own is not None
    assert own.own.cards == HAND
    lines = [line for line in desk.log() if line == "Red enters a card of the own hand."]
    assert len(lines) == 1, "what is no news is told once"


def test_of_many_cards_none_is_entered_if_one_cannot_be(desk: Desk) -> None:
    desk.done("red", KeepHand("red"))
    answer = desk.ask("red", DoAll(tuple(raw(EnterCard("red", card)) for card in ("5", "3/4"))))
    assert answer.status == "refused"
    assert held(desk) == (UNKNOWN,) * 8


def test_nobody_else_gets_a_byte_of_it(tmp_path: Path) -> None:
    """The same game twice, with other cards entered: only the owner's page is another one."""
    told = []
    for number, cards in enumerate((HAND, HAND[::-1])):
        desk = Desk(tmp_path / str(number), game="hachi_train")
        begin(desk)
        keep(desk, "blue", cards)
        desk.done("red", Play("red", 4, ("4",)))
        at = cards.index("8")
        desk.done("blue", Play("blue", 8, ("8",), (at,)))
        desk.done("blue", PutIn("blue", at))
        told.append({person: everything(desk, person) for person in ("red", "green", "", "blue")})
        desk.close()
    for person in ("red", "green", ""):
        assert told[0][person] == told[1][person], person
    assert told[0]["blue"] != told[1]["blue"]


def test_the_host_cannot_tell_of_a_hand_for_others(desk: Desk) -> None:
    """Red is the host. What Blue holds is Blue's to say, also while that phone is away."""
    keep(desk, "blue")
    for action in (KeepHand("green"), EnterCard("blue", "5"), PutIn("blue", 0), ForgetHand("blue")):
        answer = desk.do("red", action)
        assert answer.status == "refused"
        assert answer.words == f"Only whoever sits at {action.seat.capitalize()} can tell of that hand."
    assert held(desk, "blue") == HAND
    offered = [choice.action for choice in desk.view("red").others]
    assert not any(isinstance(action, KeepHand | EnterCard | PutIn | ForgetHand) for action in offered)


def test_places_that_the_host_names_for_others_are_not_heard(desk: Desk) -> None:
    """A refusal would tell what lies in those places."""
    keep(desk, "blue")
    desk.done("red", Play("red", 4, ("4",)))
    answer = desk.do("red", Play("blue", 5, ("5",), (2,)))
    assert answer.status == "done", "as if no place had been named"
    assert desk.table.moves()[-1] == Play("blue", 5, ("5",))


def test_an_owner_is_told_what_is_wrong_with_places(desk: Desk) -> None:
    keep(desk)
    answer = desk.do("red", Play("red", 5, ("5",), (2,)))
    assert answer.status == "refused"
    assert "In those places are 2, not 5" in answer.words
    desk.done("red", Play("red", 5, ("5", "5"), (0, 1)))
    assert held(desk) == HAND[2:]


def test_what_an_owner_is_told_is_not_told_to_who_repeats_the_request(desk: Desk) -> None:
    keep(desk)
    wrong = Play("red", 5, ("5",), (2,))
    assert "In those places are 2" in desk.do("red", wrong, id="an id of Red's").words
    assert "In those places" not in desk.do("blue", wrong, id="an id of Red's").words
    assert "In those places are 2" in desk.do("red", wrong, id="an id of Red's").words


def test_nobody_tells_of_the_hand_of_a_seat_that_does_not_play(desk: Desk) -> None:
    for seat in ("", "yellow", "Red"):
        assert desk.do("red", EnterCard(seat, "5")).words == f"Nobody plays '{seat}' in this game."


def test_who_leaves_a_seat_takes_the_hand_along(desk: Desk) -> None:
    keep(desk, "blue")
    assert desk.ask("red", Leave("blue")).status == "done"
    assert held(desk, "blue") == (UNKNOWN,) * 8
    assert desk.ask("red", Sit("blue")).status == "done"
    view = desk.table.view("red", "blue")
    assert set(view.state.hands[1]) == {UNKNOWN}
    # Nor does it come back by a way round.
    last = len(desk.table.moves())
    for move in range(last):
        if isinstance(desk.table.moves()[move], EnterCard):
            desk.takeback("red", move + 2)
            desk.agree("green")
            break
    assert set(held(desk, "blue")) == {UNKNOWN}


def late(folder: Path, **more: Any) -> Desk:
    """Red's last card ends a match in which Blue keeps a hand."""
    start = position(
        hands={"red": ["8"], "blue": (UNKNOWN,) * 3}, gone=["green"], kept=["blue"], field=["4"], **more
    )
    acts: list[Acts] = []
    for seat in SEATS:
        acts += [Joined(seat, seat.title()), Sat(seat, seat)]
    journal = Journal(folder)
    journal.write(
        [*acts, Started("hachi_train", "house", SEATS, {}, msgspec.Raw(msgspec.json.encode(start)), "red")],
        "",
    )
    journal.close()
    desk = Desk(folder, game="hachi_train")
    for seat in SEATS:
        desk.put(Presence(seat, True))
    return desk


def ended(desk: Desk) -> int:
    """The match ends; the number of the move that ended it."""
    desk.done("blue", EnterCard("blue", "5"))
    desk.done("red", Play("red", 8, ("8",)))
    return len(desk.table.moves()) - 1


@pytest.mark.parametrize("match", [1, 4])
def test_a_hand_that_comes_back_with_its_match_is_not_for_who_has_sat_down_since(
    tmp_path: Path, match: int
) -> None:
    """Also of the last match, after which nothing may be done any more."""
    desk = late(tmp_path, match=match, assets=(200, 200, 200) if match == 1 else (100, 100, 100))
    last = ended(desk)
    assert desk.ask("blue", Leave("blue")).status == "done"
    assert desk.ask("red", Sit("blue")).status == "done"
    desk.takeback("red", last)
    desk.agree("green")
    assert held(desk, "red") == ("8",), "the match goes on"
    assert set(held(desk, "blue")) == {UNKNOWN}
    assert not desk.state.kept[1]
    desk.done("red", KeepHand("blue"))
    desk.done("red", EnterCard("blue", "7"))
    again = desk.again()
    assert held(again, "blue") == ("7", UNKNOWN, UNKNOWN), "a restart is a replay of just that"
    again.close()


def test_what_is_entered_of_a_new_hand_is_not_put_into_an_old_one(tmp_path: Path) -> None:
    desk = late(tmp_path)
    last = ended(desk)
    desk.shuffle("red")
    desk.shuffle("red")
    for card in HAND[:5]:
        desk.done("blue", EnterCard("blue", card))
    desk.takeback("red", last)
    desk.agree("blue")
    assert held(desk, "blue") == ("5", UNKNOWN, UNKNOWN)
    desk.close()


def test_who_sits_down_keeps_what_was_entered_since_in_a_takeback(desk: Desk) -> None:
    desk.done("red", Play("red", 4, ("4",)))
    keep(desk, "blue")
    desk.ask("blue", Leave("blue"))
    desk.ask("blue", Sit("blue"))
    keep(desk, "blue", HAND[::-1])
    move = next(move for move in desk.view("red").moves if not move.own)
    assert desk.takeback("red", move.move).status == "done"
    assert held(desk, "blue") == HAND[::-1]


def test_what_others_said_of_their_hands_survives_a_takeback(desk: Desk) -> None:
    desk.done("red", Play("red", 4, ("4",)))
    keep(desk, "blue")
    slip = next(move for move in desk.view("red").moves if not move.own)
    assert slip.free
    answer = desk.takeback("red", slip.move)
    assert answer.status == "done"
    assert desk.table.view("red").proposal is None, "nobody has to be asked"
    assert not desk.state.field
    assert held(desk, "blue") == HAND
    assert held(desk.again(), "blue") == HAND, "a restart is a replay of just that"


def test_what_a_player_said_after_the_own_play_goes_with_it(desk: Desk) -> None:
    keep(desk, "blue")
    desk.done("red", Play("red", 4, ("4",)))
    desk.done("blue", Play("blue", 5, ("5",), (0,)))
    desk.done("blue", PutIn("blue", 3))
    move = next(move for move in desk.view("blue").moves if not move.own)
    assert desk.takeback("blue", move.move).status == "done"
    assert held(desk, "blue") == HAND
    assert desk.state.loose == (0, 0, 0)


def test_a_slip_in_the_own_hand_is_undone_by_its_owner_alone(desk: Desk) -> None:
    keep(desk)
    slips = [move for move in desk.view("red").moves if move.own]
    assert len(slips) == 1
    for other in ("blue", "green"):
        assert not any(move.own for move in desk.view(other).moves)
    assert desk.takeback("red", slips[0].move).status == "done"
    assert held(desk) == (UNKNOWN,) * 8
    assert desk.state.kept[0]


def test_the_button_for_undo_leaves_hands_alone(desk: Desk) -> None:
    desk.done("red", Play("red", 4, ("4",)))
    keep(desk, "blue")
    assert desk.put(Press("undo", "short", 1.0)).status == "done"
    assert not desk.state.field
    assert held(desk, "blue") == HAND


def test_a_correction_keeps_no_places_that_somebody_smuggles_in(desk: Desk) -> None:
    desk.done("red", Play("red", 4, ("4",)))
    keep(desk, "blue")
    moves = len(desk.table.moves())
    for action in (EnterCard("green", "5"), Play("green", 5, ("5",), (0,))):
        assert desk.correct("green", moves - 1, action).status == "refused"
    assert held(desk, "blue") == HAND


def test_a_lot_is_corrected_and_hands_stay_as_they_were_entered(desk: Desk) -> None:
    keep(desk, "blue")
    assert desk.correct("red", 2, Rolled(("blue",))).status == "done"
    assert desk.state.turn == 1
    assert held(desk, "blue") == HAND


def test_the_table_draws_lots(tmp_path: Path) -> None:
    desk = Desk(tmp_path, game="hachi_train")
    desk.sit(*SEATS)
    desk.ask("red", Start(SEATS, {}))
    assert desk.ask("red", Draw()).words == "No lots are to be drawn now."
    desk.shuffle("red")
    desk.shuffle("red")
    drawn: list[tuple[Any, ...]] = []

    def last(faces: tuple[Any, ...]) -> Any:
        drawn.append(faces)
        return faces[-1]

    desk.table._clerk.lot = last
    assert desk.ask("green", Draw()).status == "refused", "the first seat draws, or the host"
    assert desk.ask("red", Draw()).status == "done"
    assert desk.table.moves()[-1] == Rolled(("green",))
    assert set(drawn) == {SEATS}
    assert desk.state.turn == 2
    desk.close()


def test_dice_are_thrown_and_not_drawn(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.sit(*SEATS)
    desk.ask("red", Start(SEATS, {}))
    desk.shuffle("red")
    assert desk.ask("red", Draw()).words == "No lots are to be drawn now."
    desk.close()


def test_a_turn_goes_on_after_what_was_said_of_a_hand(desk: Desk) -> None:
    desk.done("red", Play("red", 4, ("4",)))
    keep(desk, "green")
    desk.done("blue", Pass("blue"))
    assert desk.state.turn == 2
