"""Requests: who may ask what, stale and repeated ones, and words for what is refused."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.games.game import AwaitedShuffle, Rolled, Shuffled
from companion.games.layout import UNKNOWN
from companion.games.pawns_of_perdition.actions import EndTurn, Move, PlayCard
from companion.messages import Do, Finish, Host, Join, Leave, Sit, Start
from companion.table import Presence
from tests.table.desk import Desk


def test_a_game_begins_with_those_who_sit(playing: Desk) -> None:
    view = playing.view("red")
    assert view.phase == "playing"
    assert [seat.seat for seat in view.seats] == ["red", "blue", "green"]
    assert view.prompt is not None
    assert view.prompt.yours
    assert playing.view("blue").prompt is not None
    assert not playing.view("blue").prompt.yours  # type: ignore[union-attr]


def test_a_roll_and_a_move_by_phone(playing: Desk) -> None:
    playing.done("red", Rolled((1, 2)))
    playing.done("red", Move("red"))
    assert playing.state.pawns[0] == 3


def test_a_stale_request_changes_nothing_and_says_so(playing: Desk) -> None:
    before = playing.table.number
    playing.done("red", Rolled((1, 2)))
    answer = playing.do("red", Rolled((6, 6)), on=before)
    assert answer.status == "stale"
    assert answer.number == playing.table.number
    assert playing.state.dice == (1, 2)


def test_a_repeated_request_gets_its_first_answer(playing: Desk) -> None:
    on = playing.table.number
    first = playing.do("red", Rolled((1, 2)), on=on, id="twice")
    moves = len(playing.table.moves())
    again = playing.do("red", Rolled((1, 2)), on=on, id="twice")
    assert first == again
    assert first.status == "done"
    assert len(playing.table.moves()) == moves


def test_a_repeated_request_gets_its_first_answer_after_a_restart(playing: Desk) -> None:
    on = playing.table.number
    first = playing.do("red", Rolled((1, 2)), on=on, id="twice")
    later = playing.again()
    assert later.do("red", Rolled((1, 2)), on=on, id="twice") == first
    assert later.state.dice == (1, 2)
    later.close()


def test_a_refused_request_repeated_is_refused_again(playing: Desk) -> None:
    first = playing.do("blue", Rolled((1, 2)), id="no")
    assert first.status == "refused"
    assert playing.do("blue", Rolled((1, 2)), id="no") == first


@pytest.mark.parametrize(
    ("person", "action", "said"),
    [
        ("blue", Rolled((1, 2)), "Ann"),
        ("blue", EndTurn("red"), "Ann"),
        ("red", Rolled((1,)), ""),
        ("red", Rolled((1, 7)), ""),
        ("red", Move("red"), ""),
        ("blue", PlayCard("blue", "angels_shortcut"), ""),
        ("stranger", Rolled((1, 2)), "name"),
    ],
)
def test_what_may_not_be_done_is_refused_in_words(
    playing: Desk, person: str, action: Rolled, said: str
) -> None:
    before, log = playing.table.number, playing.log()
    answer = playing.do(person, action)
    assert answer.status == "refused"
    assert said in answer.words
    assert len(answer.words) > 20
    assert (playing.table.number, playing.log()) == (before, log)


@pytest.mark.parametrize(
    "body",
    [
        b"null",
        b"[]",
        b'{"do":"fly"}',
        b'{"do":"move"}',
        b'{"do":"move","seat":1}',
        b'{"do":"rolled","values":"66"}',
    ],
)
def test_an_action_that_is_none_is_refused_with_its_fault(playing: Desk, body: bytes) -> None:
    answer = playing.ask("red", Do(msgspec.Raw(body)))
    assert answer.status == "refused"
    assert "no such action" in answer.words


def test_the_host_acts_for_a_flat_battery_and_the_log_says_so(playing: Desk) -> None:
    playing.done("red", Rolled(playing.roll_to("safe")))
    playing.done("red", Move("red"))
    playing.done("red", EndTurn("red"))
    playing.done("red", Rolled((2, 2)))
    playing.done("red", Move("blue"))
    assert playing.state.pawns[1] == 4
    assert any("Ann did that for Blue" in line for line in playing.log())


def test_seats(desk: Desk) -> None:
    desk.sit("red", "blue")
    assert desk.ask("blue", Sit("red")).status == "refused"
    assert "Ann" in desk.ask("blue", Sit("red")).words
    assert desk.ask("blue", Leave("red")).status == "refused"
    assert desk.ask("red", Leave("blue")).status == "done"
    assert desk.ask("red", Sit("blue")).status == "done"
    assert desk.table.view("red", "blue").mine == ("red", "blue")
    assert desk.ask("red", Sit("purple")).status == "refused"
    assert desk.ask("red", Start(("red", "blue"), {})).status == "refused"
    assert "3 to 5" in desk.ask("red", Start(("red", "blue"), {})).words


def test_names(desk: Desk) -> None:
    assert desk.ask("a", Join("  ")).status == "refused"
    assert desk.ask("a", Join("x" * 25)).status == "refused"
    assert desk.ask("a", Join("Ann\x00")).status == "refused"
    assert desk.ask("a", Join(" Ann  of Arc ")).status == "done"
    assert desk.table.view("a").name == "Ann of Arc"
    assert desk.ask("a", Sit("red")).status == "done"
    assert desk.ask("b", Join("ann OF arc")).status == "refused"


def test_only_the_host_starts_and_options_are_checked(desk: Desk) -> None:
    desk.sit("red", "blue", "green")
    seats = ("red", "blue", "green")
    assert "Ann" in desk.ask("blue", Start(seats, {})).words
    assert desk.ask("red", Start(seats, {"nonsense": "x"})).status == "refused"
    assert desk.ask("red", Start(("red", "blue", "black"), {})).status == "refused"
    assert desk.ask("red", Start(("green", "blue", "red"), {"windows": "clockwise"})).status == "done"
    assert desk.state.seats == ("green", "blue", "red")
    assert desk.ask("red", Start(seats, {})).status == "refused"


def test_the_host_is_a_person_and_can_be_replaced_when_away(playing: Desk) -> None:
    assert playing.ask("blue", Host()).status == "refused"
    playing.put(Presence("red", False))
    assert playing.ask("blue", Host()).status == "done"
    assert playing.view("blue").host
    assert playing.ask("blue", Host("red")).status == "done"
    assert playing.view("red").host


def test_a_finished_game_leaves_the_people_in_their_seats(playing: Desk) -> None:
    assert playing.ask("blue", Finish()).status == "refused"
    assert playing.ask("red", Finish()).status == "done"
    view = playing.view("blue")
    assert view.phase == "seats"
    assert view.mine == ("blue",)
    assert playing.ask("red", Start(("red", "green", "blue"), {})).status == "done"
    later = playing.again()
    assert later.view("blue").phase == "playing"
    assert later.table.number == later.journal.number
    later.close()


def test_any_seated_person_confirms_a_shuffle(desk: Desk) -> None:
    desk.sit("red", "blue", "green")
    desk.ask("red", Start(("red", "blue", "green"), {}))
    choices = desk.view("blue").prompt.choices  # type: ignore[union-attr]
    assert choices[0].main
    assert choices[0].action == Shuffled((UNKNOWN,) * 30)
    desk.done("blue", choices[0].action)
    assert [len(hand) for hand in desk.state.hands] == [3, 3, 3]
    assert len(desk.state.deck) == 21


def test_a_bystander_sees_the_table_and_no_choices(playing: Desk) -> None:
    view = playing.table.view("nobody", "red")
    assert view.seat == ""
    assert view.mine == ()
    assert view.moves == ()
    assert view.prompt is not None
    assert view.prompt.choices == ()


def test_names_that_read_the_same_do_not_sit_together(desk: Desk) -> None:
    for person, name in (("a", "André"), ("b", "ANDRE\u0301"), ("c", "Andr\u200dé")):
        assert desk.ask(person, Join(name)).status == "done"
    assert desk.ask("a", Sit("red")).status == "done"
    assert desk.ask("a", Sit("yellow")).status == "done"
    for person in ("b", "c"):
        answer = desk.ask(person, Sit("blue"))
        assert answer.status == "refused"
        assert "Change your name" in answer.words
    assert desk.ask("b", Join("Andrea")).status == "done"
    assert desk.ask("b", Sit("blue")).status == "done"


@pytest.mark.parametrize("name", ["\U0001f468\u200d\U0001f469\u200d\U0001f467", "علی\u200cرضا", "🎲", "7"])
def test_names_of_all_the_world_are_taken(desk: Desk, name: str) -> None:
    assert desk.ask("a", Join(name)).status == "done"
    assert desk.table.view("a").name == name


@pytest.mark.parametrize(
    "name", ["\u200d", "\u3164", "\u2800", "\u0301", "Ann\u202ebob", "Ann\u3164", "A\u200b"]
)
def test_names_with_what_nobody_can_see_are_not(desk: Desk, name: str) -> None:
    assert desk.ask("a", Join(name)).status == "refused"


def test_a_phone_cannot_tell_the_table_what_is_secret(desk: Desk) -> None:
    desk.sit("red", "blue", "green")
    desk.ask("red", Start(("red", "blue", "green"), {}))
    chance = desk.game.awaiting(desk.state).chance
    assert isinstance(chance, AwaitedShuffle)
    cards = chance.cards
    desk.done("blue", Shuffled(cards))
    assert all(card == UNKNOWN for hand in desk.state.hands for card in hand)
    assert all(card == UNKNOWN for card in desk.state.deck)
    assert desk.table.moves()[-1] == Shuffled((UNKNOWN,) * len(cards))


def test_a_listener_that_fails_stops_neither_the_game_nor_the_others(
    playing: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: int) -> None:
        raise RuntimeError("no ear")

    heard: list[int] = []
    playing.table.listen(fail)
    playing.table.listen(heard.append)
    playing.done("red", Rolled((1, 2)))
    playing.done("red", Move("red"))
    assert len(heard) == 2
    assert "no ear" in caplog.text


@pytest.mark.parametrize(("layers", "said"), [("up", "Layer 1 holds Start"), ("down", "Layer 7 holds Start")])
def test_a_ruling_is_named_once_as_this_table_plays_it(desk: Desk, layers: str, said: str) -> None:
    desk.start("red", "blue", "green", options={"layers": layers})
    assert desk.state.board[8] in ("greed", "envy")
    desk.done("red", Rolled((2, 6)))
    desk.done("red", Move("red"))
    named = [line for line in desk.log() if "[PP-A03]" in line]
    assert len(named) == 1
    assert said in named[0]


def test_each_value_of_an_option_has_its_reading(desk: Desk) -> None:
    for option in desk.game.options:
        readings = {option.reading(value) for value in option.values}
        assert len(readings) == len(option.values)


def test_the_news_is_what_was_done_and_not_how_the_rulebook_is_read(tmp_path: Path) -> None:
    desk = Desk(tmp_path, game="hellrail")
    desk.start("red", "blue")
    log = desk.view("red").log
    readings = [line for line in log if line.words.startswith("The rulebook leaves this open.")]
    assert readings
    assert log[-1] not in readings
    # What takes an act back stands beside the act.
    assert all(line.move == -1 for line in readings)
    desk.close()
