"""A controller on a real line that has each of the faults while a game is played."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from firmware_bridge import controller, supervisor
from firmware_bridge.controller import Controller
from firmware_bridge.controller_line import open_line
from firmware_bridge.controller_talk import Pace
from firmware_bridge.emulated_controller import Misbehaviour, _Cable
from tests.faults.cases_of_devices import CONTROLLER
from tests.faults.room import Room, room
from tests.faults.vocabulary import Case, Fault, to_try
from tests.hardware.boards import PINS
from tests.hardware.virtual import until

QUICK = Pace(beat=0.05, again=0.05, ask=0.1, greeting=1.0, patience=1.0)
PATIENT = Pace(beat=0.1, greeting=20.0, patience=20.0)
LINE = "usb-MicroPython_Board_in_FS_mode-if00"
ON_THE_BOARD: tuple[Misbehaviour, ...] = ("silent", "drop", "garble", "slow", "storm", "block")


class Bench:
    """A room with a controller on a line whose name stays, as udev makes it, whatever it leads to."""

    def __init__(self, room: Room, folder: Path, pace: Pace) -> None:
        self.room = room
        self.fault: Misbehaviour = ""
        self._line = folder / LINE
        self._cable: _Cable | None = None
        self.plug()
        pins = replace(PINS, line=str(self._line))
        room.show_on(Controller(pins, room.press, room.report, pace))

    @property
    def cable(self) -> _Cable:
        assert self._cable is not None
        return self._cable

    def plug(self) -> None:
        self._cable = _Cable(PINS, lambda: self.fault)
        self._line.symlink_to(self._cable.near)

    def unplug(self) -> None:
        if self._cable is not None:
            self._line.unlink()
            self._cable.pull()
            self._cable = None

    def shines(self) -> None:
        """The light of whoever is awaited is the one that shines on the strip."""
        until(lambda: [any(led) for led in self.strip()].count(True) == 1)
        until(lambda: any(self.strip()[self.room.awaited - 1]))

    def strip(self) -> tuple[tuple[int, int, int], ...]:
        strips = list(self.cable.pico.strips.values())
        return strips[0].shining if strips else ()

    def _is_down(self) -> bool:
        """What the firmware believes of the button of whoever is awaited."""
        place = self.room.awaited
        return any(button._down for button in self.cable._board._buttons if button.place == place)

    def press(self) -> None:
        """The button of whoever is awaited is pressed, which counts once."""
        while self.room.awaited == 2:  # that place has no button
            self.room.plays_on()
        number, gpio = self.room.desk.table.number, PINS.seats[self.room.awaited].button
        assert gpio is not None
        pin = self.cable.pico.Pin.known[gpio]
        for pressed in (False, True, False):
            pin.pressed = pressed
            # However busy the machine is: until the board has noticed.
            until(lambda pressed=pressed: self._is_down() is pressed)  # type: ignore[misc]
        until(lambda: self.room.desk.table.number > number)
        assert self.room.desk.table.number == number + 1


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    soon = partial(supervisor.Backoff, first=0.02, longest=0.05)
    monkeypatch.setattr(supervisor, "Backoff", soon)
    with room(tmp_path) as found:
        yield found


def forbid(path: str) -> Any:
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)


@pytest.mark.parametrize("fault", to_try(CONTROLLER))
def test_the_game_goes_on_whatever_the_controller_does(
    place: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Fault
) -> None:
    case = CONTROLLER[fault]
    assert isinstance(case, Case)
    bench = Bench(place, tmp_path, QUICK if case.says else PATIENT)
    bench.shines()
    if fault in ON_THE_BOARD:
        bench.fault = fault
    else:
        bench.unplug()
    if fault == "no permission":
        monkeypatch.setattr(controller, "open_line", forbid)
    if fault in ("busy", "no permission"):
        bench.plug()
    if fault == "busy":
        bench.cable.hold(True)
    if case.says:
        notice = place.tells("controller", case)
        place.plays_on()
        bench.fault = ""
        if fault == "unplug":
            bench.plug()
        if fault == "busy":
            bench.cable.hold(False)
        monkeypatch.setattr(controller, "open_line", open_line)
        if "tap" in case.after:
            place.try_again(notice)
    else:
        place.plays_on()
        bench.press()
        bench.shines()
        place.tells_nothing("controller")
        bench.fault = ""
    place.well("controller")
    bench.shines()
    bench.press()
    bench.shines()
    place.close()
    bench.unplug()
