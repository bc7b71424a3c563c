"""Buttons and lamps on the real lgpio, whose chip has each of the faults while a game is played."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge import supervisor
from firmware_bridge.buttons import Buttons
from firmware_bridge.lamps import Lamps
from firmware_bridge.pins import Pins, SeatPins
from tests.faults.cases_of_devices import BUTTONS, LAMPS
from tests.faults.room import Room, room
from tests.faults.vocabulary import Case, Fault, to_try
from tests.hardware.lgpio_chip import Chip, chip
from tests.hardware.virtual import until

BUTTON = {1: 4, 2: 5, 3: 6}
LAMP = {1: 9, 2: 10, 3: 11}
PINS = Pins(seats={place: SeatPins(BUTTON[place], LAMP[place]) for place in BUTTON})


class Bench:
    """A room with buttons or lamps on a chip. `calls` of the chip can be put behind others."""

    def __init__(self, room: Room, chip: Chip, monkeypatch: pytest.MonkeyPatch) -> None:
        self.room, self.chip = room, chip
        self._monkeypatch = monkeypatch
        self.buttons = Buttons(PINS, room.press, room.report)
        self.lamps = Lamps(PINS, room.report)

    def instead(self, name: str, call: Any) -> None:
        """What lgpio asks of the chip is done by that."""
        self._monkeypatch.setattr(sys.modules["lgpio"], name, call)

    def told_soon(self) -> None:
        """What hangs is told after less than the usual time."""
        self._monkeypatch.setattr(supervisor, "HANGS", 0.2)

    def finger(self, place: int, level: int) -> None:
        """Press or let go, and wait until that is noticed."""
        self.chip.drive(BUTTON[place], level)
        line = self.buttons._pins.held[f"seat{place}"].presses
        until(lambda: line.down is not bool(level))

    def press(self) -> None:
        """The button of whoever is awaited is pressed, which counts once."""
        number, place = self.room.desk.table.number, self.room.awaited
        self.finger(place, 0)
        self.finger(place, 1)
        until(lambda: self.room.desk.table.number > number)
        assert self.room.desk.table.number == number + 1
        assert self.room.awaited != place

    def shines(self) -> None:
        """The lamp of whoever is awaited is the one that is lit."""
        until(lambda: [place for place in LAMP if self.chip.levels.get(LAMP[place])] == [self.room.awaited])


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    with chip("lgpio") as found, room(tmp_path) as place:
        yield Bench(place, found, monkeypatch)


@contextmanager
def hanging(bench: Bench, name: str, back: Any) -> Iterator[None]:
    """That call does not come back before this is left."""
    over = threading.Event()

    def hang(*arguments: Any) -> Any:
        over.wait(20)
        return back(*arguments)

    bench.instead(name, hang)
    bench.told_soon()
    try:
        yield
    finally:
        bench.instead(name, back)
        over.set()


def fail(*arguments: Any) -> Any:
    raise sys.modules["lgpio"].error("GPIO read failed")


@pytest.mark.parametrize("fault", to_try(BUTTONS))
def test_the_game_goes_on_whatever_the_buttons_do(bench: Bench, fault: Fault) -> None:
    case, room, chip = BUTTONS[fault], bench.room, bench.chip
    assert isinstance(case, Case)
    lines = set(BUTTON.values())
    if fault == "no permission":
        chip.forbidden = True
    if fault == "busy":
        chip.busy = {BUTTON[2]: "spi0 CS0"}
    room.join(bench.buttons)
    match fault:
        case "silent":
            until(lambda: lines <= chip.claimed.keys())
            chip.lost |= lines
            room.plays_on()
            for _ in range(3):
                bench.press()
            chip.lost.clear()
        case "drop":
            until(lambda: lines <= chip.claimed.keys())
            for lost in (0, 1):
                number, place = room.desk.table.number, room.awaited
                for level in (0, 1):
                    (chip.lost.add if level == lost else chip.lost.discard)(BUTTON[place])
                    bench.finger(place, level)
                until(lambda number=number: room.desk.table.number == number + 1)  # type: ignore[misc]
            chip.lost.clear()
            room.plays_on()
        case "garble":
            until(lambda: lines <= chip.claimed.keys())
            number = room.desk.table.number
            for spike in range(40):
                chip.drive(BUTTON[1], spike % 2)
                chip.tell(BUTTON[2], spike // 2 % 2)
            until(lambda: all(not bench.buttons._pins.held[f"seat{place}"].presses.down for place in BUTTON))
            room.plays_on()
            assert room.desk.table.number == number + 1
        case "slow":
            until(lambda: lines <= chip.claimed.keys())
            place = room.awaited
            late: list[tuple[int, int, int]] = []
            chip.withheld = late
            bench.finger(place, 0)
            bench.finger(place, 1)
            until(lambda: room.awaited != place)
            number = room.desk.table.number
            chip.withheld = None
            for line, level, moment in late:
                chip.tell(line, level, moment)
            room.plays_on()
            bench.press()
            assert room.desk.table.number == number + 2
        case "unplug":
            until(lambda: lines <= chip.claimed.keys())
            bench.instead("gpio_read", fail)
            chip.drive(BUTTON[1], 0)
            room.tells("buttons", case)
            room.plays_on()
            chip.drive(BUTTON[1], 1)
            bench.instead("gpio_read", chip.gpio_read)
        case "block":
            until(lambda: lines <= chip.claimed.keys())
            with hanging(bench, "gpio_read", chip.gpio_read):
                room.tells("buttons", case)
                room.plays_on()
        case "storm":
            until(lambda: lines <= chip.claimed.keys())
            for change in range(1500):
                chip.tell(BUTTON[2], change % 2)
            notice = room.tells("buttons", case)
            room.plays_on()
            room.try_again(notice)
        case "busy" | "no permission":
            notice = room.tells("buttons", case)
            room.plays_on()
            chip.busy, chip.forbidden = {}, False
            room.try_again(notice)
    room.well("buttons")
    until(lambda: lines <= chip.claimed.keys())
    for _ in BUTTON:
        bench.press()


@pytest.mark.parametrize("fault", to_try(LAMPS))
def test_the_game_goes_on_whatever_the_lamps_do(bench: Bench, fault: Fault) -> None:
    case, room, chip = LAMPS[fault], bench.room, bench.chip
    assert isinstance(case, Case)
    if fault == "no permission":
        chip.forbidden = True
    if fault == "busy":
        chip.busy = {LAMP[2]: "spi0 CS0"}
    room.show_on(bench.lamps)
    match fault:
        case "slow":

            def slowly(handle: int, line: int, level: int) -> int:
                time.sleep(0.05)
                return chip.gpio_write(handle, line, level)

            bench.shines()
            bench.instead("gpio_write", slowly)
            for _ in range(4):
                room.plays_on()
            bench.shines()
            bench.instead("gpio_write", chip.gpio_write)
        case "storm":
            bench.shines()
            for _ in range(20):
                room.plays_on()
            bench.shines()
        case "unplug":
            bench.shines()
            bench.instead("gpio_write", fail)
            room.plays_on()
            room.tells("lamps", case)
            room.plays_on()
            bench.instead("gpio_write", chip.gpio_write)
        case "block":
            bench.shines()
            with hanging(bench, "gpio_write", chip.gpio_write):
                room.plays_on()
                room.tells("lamps", case)
                room.plays_on()
        case "busy" | "no permission":
            notice = room.tells("lamps", case)
            room.plays_on()
            chip.busy, chip.forbidden = {}, False
            room.try_again(notice)
    room.well("lamps")
    for _ in LAMP:
        bench.shines()
        room.plays_on()
