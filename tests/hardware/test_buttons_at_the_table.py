"""Buttons at a whole table: from an edge on a pin to what the phones show."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue

import pytest

from companion.games.game import Rolled
from companion.messages import Answer, Retry
from companion.signals import put
from firmware_bridge.buttons import Buttons, MockButtons
from firmware_bridge.device import Fault
from firmware_bridge.pins import USUAL, Pins, SeatPins
from firmware_bridge.press import Press
from firmware_bridge.supervisor import Supervisor
from tests.hardware.faulty_pins import FaultyFactory
from tests.hardware.virtual import VirtualTime, running
from tests.table.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Red has thrown, and all that is left to do is to move."""
    desk = Desk(tmp_path / "state")
    desk.start("red", "blue", "green")
    desk.done("red", Rolled(desk.roll_to("safe")))
    yield desk
    desk.close()


def test_a_bouncing_press_moves_the_game_on_once(desk: Desk) -> None:
    answers: SimpleQueue[Future[Answer]] = SimpleQueue()
    time = VirtualTime()

    def sink(press: Press) -> None:
        answers.put(desk.table.submit(press))

    device = MockButtons(USUAL, sink, lambda fault: None, clock=time, pause=time.pause)
    before = desk.table.number
    with running(device):
        # Four falling edges within twelve milliseconds, and as many when it is let go.
        device.press("confirm", held=0.2, bounces=3)
        time.pause(1.0)
        assert answers.get(timeout=20).result(10).status == "done"
        assert desk.state.pawns[0] > 0
        device.press("undo", held=0.2, bounces=3)
        time.pause(1.0)
        assert answers.get(timeout=20).result(10).status == "done"
        assert desk.state.pawns[0] == 0
    assert answers.empty()
    assert desk.table.number == before + 2


def test_a_button_of_ones_own_counts_when_it_is_ones_turn_and_is_told_to_all_otherwise(desk: Desk) -> None:
    answers: SimpleQueue[Future[Answer]] = SimpleQueue()
    pins, time = Pins(seats={1: SeatPins(5), 2: SeatPins(6)}), VirtualTime()

    def sink(press: Press) -> None:
        answers.put(put(desk.table, [], press))

    device = MockButtons(pins, sink, lambda fault: None, clock=time, pause=time.pause)
    with running(device):
        device.press("seat2", held=0.2)
        time.pause(1.0)
        assert answers.get(timeout=20).result(10).status == "refused"
        assert [notice.words for notice in desk.view("green").notices] == [
            "Blue pressed, but the table waits for Red."
        ]
        device.press("seat1", held=0.2)
        time.pause(1.0)
        assert answers.get(timeout=20).result(10).status == "done"
    assert desk.state.pawns[0] > 0
    assert desk.view("green").notices == ()


def test_a_pin_that_is_taken_is_told_on_the_phones_and_the_game_goes_on(desk: Desk) -> None:
    told: SimpleQueue[Fault | None] = SimpleQueue()

    def report(name: str, fault: Fault | None) -> None:
        desk.put(fault or Fault(name, "", ""))
        told.put(fault)

    factory = FaultyFactory({17: RuntimeError("'GPIO busy'")})
    device = Buttons(USUAL, lambda press: None, lambda fault: report(fault.device, fault), lambda: factory)
    for part in device.parts:
        desk.table.mend(part, device.retry)
    supervisor = Supervisor(device, report)
    supervisor.start()
    assert told.get(timeout=20) is not None
    for person in ("red", "blue", ""):
        (notice,) = desk.view(person).notices
        assert "GPIO 17 of the button confirm is in use by another program" in notice.words
        assert "End that program" in notice.cure
        assert notice.retry
    assert desk.put(Press("confirm", "short", 1.0)).status == "done"
    assert told.get(timeout=20) is None
    factory.broken.clear()
    assert desk.ask("red", Retry("buttons.confirm")).status == "done"
    assert told.get(timeout=20) == Fault("buttons.confirm", "", "")
    assert desk.view("red").notices == ()
    assert supervisor.stop(timeout=20)
