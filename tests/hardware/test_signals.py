"""What lamps, display and buzzer are told: whose lamp shines, and what is heard once."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest
from msgspec.structs import replace

from companion import games
from companion.games.game import Rolled
from companion.games.hellrail.actions import EndTurn
from companion.games.layout import Dice
from companion.games.pawns_of_perdition.actions import EndTurn as EndPawnsTurn
from companion.games.pawns_of_perdition.actions import Move
from companion.games.rail_raiders_infinite import GAME as RAIDERS
from companion.messages import Dismiss, Finish, Start
from companion.signals import count, follow, news, put, signals
from companion.views import Snapshot, view
from firmware_bridge.device import Fault
from firmware_bridge.display import Count
from firmware_bridge.press import Press
from firmware_bridge.signals import DARK, Signals, Tune
from tests.rules.rail_positions import position
from tests.table.desk import Desk
from tests.table.random_play import random_play


class Ears:
    """Somebody who sees the lamps and hears the buzzer."""

    name = "ears"
    emulates = ""

    def __init__(self) -> None:
        self.shown = DARK
        self.heard: SimpleQueue[Tune] = SimpleQueue()

    def open(self) -> None: ...

    def run(self) -> None: ...

    def close(self) -> None: ...

    def show(self, signals: Signals) -> None:
        self.shown = signals

    def play(self, tune: Tune) -> None:
        self.heard.put(tune)

    @property
    def lamps(self) -> dict[int, str]:
        """The places whose lamps shine, and how."""
        return dict(self.shown.lamps)

    def news(self) -> list[Tune]:
        """What was heard since the last time."""
        return [self.heard.get() for _ in range(self.heard.qsize())]


@pytest.fixture
def ears() -> Ears:
    return Ears()


@pytest.fixture
def desk(tmp_path: Path, ears: Ears) -> Iterator[Desk]:
    desk = Desk(tmp_path / "state")
    follow(desk.table, [ears])
    desk.start("red", "blue", "green")
    desk.see(dice=Dice((), True), throw=0)
    ears.news()
    yield desk
    desk.close()


def test_nobodys_lamp_is_on_without_a_game(tmp_path: Path, ears: Ears) -> None:
    desk = Desk(tmp_path)
    follow(desk.table, [ears])
    desk.sit("red", "blue", "green")
    assert ears.shown == DARK
    assert desk.ask("red", Start(("red", "blue", "green"), {})).status == "done"
    # Anybody may shuffle.
    assert ears.lamps == {1: "on", 2: "on", 3: "on"}
    assert desk.ask("red", Finish()).status == "done"
    assert ears.shown == DARK
    desk.close()


def test_the_lamp_of_whom_the_table_waits_for_is_on(desk: Desk, ears: Ears) -> None:
    assert ears.lamps == {1: "on"}
    desk.done("red", Rolled(desk.roll_to("safe")))
    desk.done("red", Move("red"))
    assert ears.news() == []
    desk.done("red", EndPawnsTurn("red"))
    assert ears.lamps == {2: "on"}
    assert ears.news() == ["turn"]


def test_it_blinks_where_a_question_is_to_be_answered(desk: Desk, ears: Ears) -> None:
    desk.throw(1, 2, sure=False)
    assert (ears.lamps, ears.news()) == ({1: "blink"}, ["ask"])
    desk.throw(1, 2, sure=False)
    ears.news()
    assert desk.put(Press("seat", "short", 1.0, 1)).status == "done"
    assert ears.lamps == {1: "on"}
    # To take the dice back, one of the others has to say yes.
    assert desk.put(Press("seat", "long", 2.0, 1)).status == "done"
    assert ears.lamps == {1: "on", 2: "blink", 3: "blink"}
    assert ears.news() == ["ask"]
    assert desk.put(Press("seat", "short", 3.0, 3)).status == "done"
    assert ears.lamps == {1: "on"}


def test_a_fault_is_heard_once_and_a_press_that_may_not_be_each_time(desk: Desk, ears: Ears) -> None:
    fault = Fault("camera", "The camera is unplugged.", "Plug it in.")
    desk.put(fault)
    desk.put(fault)
    assert ears.news() == ["fault"]
    desk.put(Fault("camera", "", ""))
    assert ears.news() == []
    for _ in range(2):
        put(desk.table, [ears], Press("seat", "short", 1.0, 2)).result(10)
        assert ears.heard.get(timeout=10) == "no"
    assert put(desk.table, [ears], Press("seat", "short", 1.0, 9)).result(10).status == "refused"
    assert ears.heard.get(timeout=10) == "no"
    desk.done("red", Rolled(desk.roll_to("safe")))
    assert put(desk.table, [ears], Press("seat", "short", 1.0, 1)).result(10).status == "done"
    assert ears.news() == []


def test_a_fault_that_somebody_took_away_is_neither_shown_nor_heard_with_each_try(
    desk: Desk, ears: Ears
) -> None:
    fault = Fault("camera", "The camera is unplugged.", "Plug it in.")
    desk.put(fault)
    assert desk.ask("red", Dismiss("camera")).status == "done"
    ears.news()
    desk.put(fault)
    assert desk.view("red").notices == ()
    assert ears.news() == []
    assert [known.words for known in desk.table.faults] == [fault.words]
    # Another one is news, and so is the same one after all was well.
    desk.put(Fault("camera", "The camera gives broken pictures.", "See to its cable."))
    assert [notice.id for notice in desk.view("red").notices] == ["camera"]
    assert ears.news() == ["fault"]
    desk.put(Fault("camera", "", ""))
    desk.put(fault)
    assert [notice.words for notice in desk.view("red").notices] == [fault.words]
    assert ears.news() == ["fault"]


def test_after_a_restart_the_lamps_are_as_before_and_nothing_is_heard(desk: Desk, ears: Ears) -> None:
    desk.done("red", Rolled((1, 2)))
    desk.takeback("red", len(desk.table.moves()) - 1)
    assert desk.view("blue").proposal is not None
    lamps = ears.lamps
    later, ears = desk.again(), Ears()
    follow(later.table, [ears])
    assert (ears.lamps, ears.news()) == (lamps, [])
    # Nor by what changes nothing.
    later.put(Fault("camera", "", ""))
    assert (ears.lamps, ears.news()) == (lamps, [])
    later.close()


def test_who_stops_following_is_told_no_more(tmp_path: Path, ears: Ears) -> None:
    desk = Desk(tmp_path)
    follow(desk.table, [ears])()
    desk.start("red", "blue", "green")
    assert (ears.shown, ears.news()) == (DARK, [])
    desk.close()


@pytest.mark.parametrize("game_name", games.NAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_lamps_are_on_of_exactly_those_whose_phones_say_it_is_for_them(game_name: str, seed: int) -> None:
    shown = set()
    for _, _, snap in random_play(game_name, seed, steps=200):
        lamps = signals(snap).lamps
        assert [place for place, _ in lamps] == sorted({place for place, _ in lamps})
        phones = [view(snap, seat, seat).prompt for seat in snap.playing]
        awaited = {place for place, prompt in enumerate(phones, 1) if prompt is not None and prompt.yours}
        assert {place for place, _ in lamps} == awaited
        assert awaited or snap.game.over(snap.state)
        shown.add(lamps)
    assert len(shown) > 1


@pytest.mark.parametrize("game_name", games.NAMES)
def test_lamps_and_display_tell_nothing_that_only_one_seat_may_know(game_name: str) -> None:
    for _, _, snap in random_play(game_name, seed=5, steps=100):
        for seat in snap.playing:
            seen = dataclasses.replace(snap, state=snap.game.view(snap.state, seat))
            assert signals(seen) == signals(snap)


def test_the_count_follows_the_game_and_is_dark_without_one(tmp_path: Path, ears: Ears) -> None:
    desk = Desk(tmp_path, game="hellrail")
    follow(desk.table, [ears])
    desk.start("red", "blue")
    assert ears.shown.count == Count(38)
    for seat in ("red", "blue") * 2:
        desk.done(seat, EndTurn(seat))
    left = ears.shown.count
    assert left is not None
    assert left == count(desk.game, desk.state)
    assert left.left < 38
    assert desk.ask("red", Finish()).status == "done"
    assert ears.shown == DARK
    desk.close()


def test_what_is_counted_down() -> None:
    state = position(left=10)
    assert count(RAIDERS, state) == Count(10)
    assert count(RAIDERS, replace(state, last_round=True)) == Count(10, last=True)
    assert count(RAIDERS, replace(state, agenda=())) is None
    assert count(RAIDERS, None) is None
    assert count(games.load("pawns_of_perdition"), object()) is None


def test_the_countdown_tells_no_seat_more_than_all_may_know() -> None:
    state = position(left=10)
    for seat in ("", *state.seats):
        assert count(RAIDERS, RAIDERS.view(state, seat)) == count(RAIDERS, state)


def test_the_last_round_and_the_end_are_heard_once() -> None:
    def at(state: object) -> Snapshot:
        return Snapshot(RAIDERS, playing=position().seats, state=state)

    state = position(left=10)
    last, over = replace(state, last_round=True), replace(state, agenda=())
    assert news(at(state), at(last)) == "last_round"
    assert news(at(last), at(last)) is None
    assert news(at(last), at(over)) == "over"
    assert news(at(over), at(over)) is None
    # Going back is no end, and a game that is put away was not won.
    assert news(at(over), at(last)) == "turn"
    assert news(at(over), at(None)) is None
    assert news(at(None), at(state)) == "turn"
