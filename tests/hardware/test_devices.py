"""All devices at a table: from a pin to the game and back to a lamp, and faults that are tried again."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.devices import open_devices
from companion.games.game import Rolled
from companion.messages import Finish, Retry
from firmware_bridge import gpio
from firmware_bridge.controller_wiring import ControllerPins, wired
from firmware_bridge.pins import Pins, SeatPins
from tests.hardware.faulty_pins import FaultyFactory
from tests.hardware.virtual import until
from tests.table.desk import Desk

SEATS = ("red", "blue", "green")
PINS = Pins(buzzer=18, seats={1: SeatPins(5, 6), 2: SeatPins(12, 13), 3: SeatPins(16, 19)})
NO_BOARD = ControllerPins(line="none")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "state")
    desk.start(*SEATS)
    yield desk
    desk.close()


def pins_of(monkeypatch: pytest.MonkeyPatch, factory: MockFactory) -> None:
    """Have the mock pins be those of this factory."""
    monkeypatch.setattr(gpio, "mock_factory", lambda: lambda: factory)


def press(factory: MockFactory, number: int) -> None:
    factory.pin(f"GPIO{number}").drive_low()
    time.sleep(0.06)
    factory.pin(f"GPIO{number}").drive_high()


def test_a_press_on_a_pin_moves_the_game_and_the_lamps_follow(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    pins_of(monkeypatch, factory)
    red, blue = factory.pin("GPIO6"), factory.pin("GPIO13")
    with ExitStack() as rooms:
        assert open_devices(desk.table, rooms, "mock", PINS, NO_BOARD) is None
        until(lambda: bool(red.state) and not blue.state)
        desk.done("red", Rolled(desk.roll_to("safe")))
        for _ in range(2):
            before = desk.table.number
            press(factory, 5)
            until(lambda before=before: desk.table.number == before + 1)  # type: ignore[misc]
        assert desk.state.turn == 1
        until(lambda: bool(blue.state) and not red.state)
    until(lambda: not blue.state)


def test_each_part_is_tried_again_from_a_phone(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = RuntimeError("'GPIO busy'")
    factory = FaultyFactory({5: busy, 13: busy})
    pins_of(monkeypatch, factory)
    with ExitStack() as rooms:
        open_devices(desk.table, rooms, "mock", PINS, NO_BOARD)
        until(lambda: len(desk.view("red").notices) == 2)
        assert {(notice.id, notice.retry) for notice in desk.view("red").notices} == {
            ("buttons.seat1", True),
            ("lamps.seat2", True),
        }
        factory.broken.clear()
        for part in ("buttons.seat1", "lamps.seat2"):
            assert desk.ask("red", Retry(part)).status == "done"
        until(lambda: desk.view("red").notices == ())


def test_an_emulated_controller_shows_how_much_of_the_game_is_left(tmp_path: Path) -> None:
    desk = Desk(tmp_path, game="hellrail")
    with ExitStack() as rooms:
        digits = open_devices(desk.table, rooms, "none", Pins(), wired(ControllerPins(line="emulated")))
        assert digits is not None
        desk.start("red", "blue")
        until(lambda: digits() == "  38")
        assert desk.ask("red", Finish()).status == "done"
        until(lambda: digits().strip() == "")
    desk.close()


def test_mock_pins_are_named_in_the_banner_of_every_page(tmp_path: Path) -> None:
    started = "import sys; from companion.command import main; sys.exit(main(sys.argv[1:]))"
    options = ("--table", "none", "--pins", "mock", "--host", "127.0.0.1", "--port", "0")
    with subprocess.Popen(
        [sys.executable, "-c", started, "run", *options, "--state", str(tmp_path)],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
    ) as daemon:
        assert daemon.stdout is not None
        greeting = next(line for line in daemon.stdout if "http://" in line)
        port = urlsplit(greeting.split()[-1]).port
        with urlopen(f"http://127.0.0.1:{port}/table", timeout=60) as answer:
            page = answer.read().decode()
        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(60) == 0
    assert "the buttons, lamps and buzzer" in page
