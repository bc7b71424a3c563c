"""A camera that fails is a message with a way on; odd things on the table are understood or asked about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from companion.eyes import NAME, PATIENCE, Eyes, Looking
from companion.games.game import Action, AwaitedDice, Rolled
from companion.games.pawns_of_perdition.actions import EndTurn, Move
from companion.messages import Do, Notice
from firmware_bridge.device import BridgeError, Fault
from tests.emulated.house import House

SEATS = ("red", "blue", "green")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path, 4, SEATS)
    yield house
    house.close()


@pytest.fixture
def turn(house: House) -> House:
    """A game in which red is to throw for its first move."""
    people = house.people
    people.begin()
    while not house.table.moves():
        people.step()
    for seat in SEATS:
        say(house, seat, Rolled((6, 5) if seat == "red" else (1, 2)))
    chance = house.game.awaiting(house.table.state).chance
    assert isinstance(chance, AwaitedDice)
    assert chance.seat == "red"
    return house


def say(house: House, person: str, action: Action) -> None:
    house.people.ask(person, Do(msgspec.Raw(msgspec.json.encode(action))))


def notice(house: House, id: str = NAME) -> Notice | None:
    return next((notice for notice in house.view().notices if notice.id == id), None)


def throw(house: House, *values: int) -> None:
    house.world.throw(values)
    house.people.wait(house.world.rests - house.clock.now() + 2.0)


def answered(house: House, *values: int) -> None:
    """The roll is believed: as read, or as entered where the companion was not sure and asked."""
    question = house.view("red").question
    if question is not None:
        house.people._answer(question, (Rolled(values),))
    assert sorted(house.table.state.dice) == sorted(values)


def other_space(house: House, *, not_in: tuple[int, ...]) -> str:
    return next(f"space:{space}" for space in range(20, 60) if space not in not_in)


# -- the camera -------------------------------------------------------------------------------


def test_a_camera_that_hangs_is_a_fault_and_is_tried_again(turn: House) -> None:
    turn.camera.blocked.set()
    with pytest.raises(BridgeError, match="no picture") as fault:
        turn.people.wait(PATIENCE + 2.0)
    assert not fault.value.permanent
    assert "phone" in fault.value.cure
    turn.camera.blocked.clear()
    turn.looking.open()
    throw(turn, 2, 1)
    answered(turn, 2, 1)


def test_a_pulled_cable_is_a_fault_and_the_game_goes_on_by_phone(turn: House) -> None:
    turn.camera.unplugged.set()
    with pytest.raises(BridgeError, match="unplugged") as fault:
        turn.people.wait(1.0)
    with pytest.raises(BridgeError, match="unplugged"):
        turn.looking.open()
    turn.table.submit(Fault(NAME, fault.value.words, fault.value.cure)).result(10)
    told = notice(turn)
    assert told is not None
    assert told.cure == "Plug it in again."
    say(turn, "red", Rolled((1, 2)))
    say(turn, "red", Move("red"))
    assert turn.table.moves()[-1] == Move("red")


def test_eyes_report_and_recover_by_themselves(turn: House) -> None:
    """The real thread with the supervisor around it: the fault comes, and goes when it is mended."""
    changed: list[int] = []
    stop = turn.table.listen(changed.append)
    turn.camera.unplugged.set()
    eyes = Eyes(turn.table, turn.camera)
    eyes.start()
    try:
        seen = _until(turn, lambda: notice(turn) is not None)
        assert seen
        turn.camera.unplugged.clear()
        eyes.retry()
        assert _until(turn, lambda: notice(turn) is None)
    finally:
        eyes.close()
        stop()
    assert changed


def _until(house: House, holds: object, tries: int = 1000) -> bool:
    import threading

    assert callable(holds)
    pause = threading.Event()
    for _ in range(tries):
        if holds():
            return True
        pause.wait(0.02)
    return False


def test_darkness_is_said_and_light_is_understood(turn: House) -> None:
    turn.camera.lamp = 0.02
    turn.people.wait(3.0)
    dark = notice(turn)
    assert dark is not None
    assert "dark" in dark.words
    assert "phone" in dark.cure
    say(turn, "red", Rolled((1, 2)))
    turn.camera.lamp = 1.0
    turn.people.wait(4.0)
    assert notice(turn) is None
    assert turn.table.state.dice == (1, 2)
    moves = len(turn.table.moves())
    turn.world.carry("red", "space:3")
    turn.people.wait(4.0)
    assert turn.table.moves()[moves:] == (Move("red"),)


def test_a_short_flicker_is_no_fault(turn: House) -> None:
    turn.camera.lamp = 0.02
    turn.people.wait(0.5)
    turn.camera.lamp = 1.0
    turn.people.wait(2.0)
    assert notice(turn) is None
    throw(turn, 4, 2)
    answered(turn, 4, 2)


def test_a_shaken_camera_says_nothing_wrong(turn: House) -> None:
    moves = turn.table.moves()
    turn.camera.shake = 6.0
    turn.people.wait(5.0)
    turn.camera.shake = 0.0
    turn.people.wait(2.0)
    assert turn.table.moves() == moves
    assert turn.view().question is None
    throw(turn, 3, 5)
    answered(turn, 3, 5)


# -- dice -------------------------------------------------------------------------------------


def test_an_arm_over_the_dice_is_no_throw(turn: House) -> None:
    throw(turn, 2, 1)
    answered(turn, 2, 1)
    moves = turn.table.moves()
    sheet = turn.world.map
    assert sheet is not None
    x, y = np.mean(sheet.tray.outline, axis=0)
    for _ in range(3):
        turn.world.reach((float(x), float(y)), 1.5)
        turn.people.wait(4.0)
        assert turn.table.moves() == moves
        assert turn.view().question is None


def test_the_same_faces_thrown_again_are_a_new_throw(turn: House) -> None:
    """Red moves to a safe space and says no more; blue throws what red threw."""
    board = turn.table.state.board
    values = next((a, b) for a in range(1, 7) for b in range(1, 7) if board[a + b] == "safe")
    throw(turn, *values)
    answered(turn, *values)
    turn.world.carry("red", f"space:{sum(values)}")
    turn.people.wait(4.0)
    before = turn.table.moves()
    assert before[-1] == Move("red")
    throw(turn, *values)
    question = turn.view("blue").question
    if question is not None:
        turn.people._answer(question, (EndTurn("red"), Rolled(values)))
    new = turn.table.moves()[len(before) :]
    assert new[0] == EndTurn("red")
    assert isinstance(new[1], Rolled)
    assert sorted(map(int, new[1].values)) == sorted(values)


def test_a_lamp_that_drifts_is_no_throw_and_no_move(turn: House) -> None:
    throw(turn, 2, 1)
    answered(turn, 2, 1)
    moves = turn.table.moves()
    for lamp in np.linspace(1.0, 0.6, 40):
        turn.camera.lamp = float(lamp)
        turn.people.wait(0.5)
    assert turn.table.moves() == moves
    assert turn.view().question is None
    turn.world.carry("red", "space:3")
    turn.people.wait(4.0)
    assert turn.table.moves()[len(moves) :] == (Move("red"),)


# -- pawns ------------------------------------------------------------------------------------


def test_a_pawn_on_a_wrong_space_is_told_where_it_belongs_and_put_back(turn: House) -> None:
    throw(turn, 2, 1)
    answered(turn, 2, 1)
    moves = turn.table.moves()
    turn.world.carry("red", "space:31")
    turn.people.wait(4.0)
    assert turn.table.moves() == moves
    view = turn.view("red")
    assert view.todo == ("Put Red on Start.",)
    turn.people.wait(4.0)
    turn.table.submit(Fault("test", "", "")).result(10)
    told = " ".join(notice.words for notice in turn.view("red").notices)
    assert "31" in told
    assert "Start" in told
    turn.world.carry("red", "space:0")
    turn.people.wait(4.0)
    assert turn.view("red").todo == ()
    assert turn.table.moves() == moves
    turn.world.carry("red", "space:3")
    turn.people.wait(4.0)
    assert turn.table.moves()[len(moves) :] == (Move("red"),)


def test_a_pawn_on_a_border_is_waited_for(turn: House) -> None:
    throw(turn, 2, 1)
    answered(turn, 2, 1)
    moves = turn.table.moves()
    sheet = turn.world.map
    assert sheet is not None
    three = np.array(next(place.outline for place in sheet.places if place.name == "space:3"))
    edge = (float(three[:, 0].max()) - 1.0, float(three[:, 1].mean()))
    turn.world.put("red", edge)
    turn.people.wait(4.0)
    assert turn.table.moves() == moves
    turn.world.carry("red", "space:3")
    turn.people.wait(4.0)
    assert turn.table.moves()[len(moves) :] == (Move("red"),)


def test_a_new_game_and_a_new_reader_start_from_what_lies_there(turn: House) -> None:
    """Eyes that open again count no throw that they have seen before."""
    throw(turn, 2, 1)
    answered(turn, 2, 1)
    moves = turn.table.moves()
    turn.looking.open()
    turn.people.wait(3.0)
    assert turn.table.moves() == moves
    looking = Looking(turn.table, turn.camera, clock=turn.clock.now)
    looking.open()
    turn.table.submit(Fault(NAME, "", "")).result(10)
    for _ in range(20):
        future = looking.look()
        if future is not None:
            future.result(10)
    assert turn.table.moves() == moves
    assert turn.view().question is None
