"""Buttons at a whole table: from an edge on a pin to what the phones show."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue

import pytest

from companion.games.game import Rolled
from companion.messages import Answer
from firmware_bridge.buttons import Buttons, MockButtons
from firmware_bridge.device import Fault
from firmware_bridge.press import Press
from firmware_bridge.supervisor import Supervisor
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

    device = MockButtons(sink, lambda fault: None, clock=time, pause=time.pause)
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


class BusyButtons(Buttons):
    """Real buttons on a Pi where another program holds a pin."""

    def _factory(self) -> object:
        raise RuntimeError("'GPIO busy'")


def test_a_pin_that_is_taken_is_told_on_the_phones_and_the_game_goes_on(desk: Desk) -> None:
    told: SimpleQueue[Fault | None] = SimpleQueue()

    def report(name: str, fault: Fault | None) -> None:
        desk.put(fault or Fault(name, "", ""))
        told.put(fault)

    supervisor = Supervisor(BusyButtons(lambda press: None, lambda fault: None), report)
    supervisor.start()
    fault = told.get(timeout=20)
    assert fault is not None
    for person in ("red", "blue", ""):
        (notice,) = desk.view(person).notices
        assert "GPIO 17 of the button confirm is in use by another program" in notice.words
        assert "End that program" in notice.cure
    assert desk.put(Press("confirm", "short", 1.0)).status == "done"
    assert supervisor.stop(timeout=20)
