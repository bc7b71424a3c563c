"""A board with the firmware in virtual time, and what hangs on its pins."""

from __future__ import annotations

from firmware_bridge import controller_messages as messages
from firmware_bridge.controller_messages import Heard
from firmware_bridge.controller_wiring import ControllerPins, ControllerSeatPins, DigitsPins
from firmware_bridge.emulated_pico import Pico
from firmware_bridge.firmware.board import Board
from firmware_bridge.firmware.frames import Lines

PINS = ControllerPins(
    confirm=10,
    undo=11,
    buzzer=15,
    strip=16,
    digits=DigitsPins(clk=18, dio=19),
    seats={
        1: ControllerSeatPins(button=2, lamp=6),
        2: ControllerSeatPins(lamp=7),
        3: ControllerSeatPins(button=4),
    },
)


class Bench:
    """The firmware of one board, stepped by hand. `now` is in milliseconds."""

    def __init__(self, pins: ControllerPins = PINS, boot: bytes = b"boot") -> None:
        self.pins = pins
        self.now = 1000
        self.pico = Pico()
        self.board = Board(self.pico, self.pico, lambda microseconds: None, boot)
        self.chip = self.pico.tm1637(18, 19)
        self._lines = Lines()

    def step(self, data: bytes = b"", milliseconds: int = 2) -> list[Heard]:
        """One step after so much time; what the board said."""
        self.now += milliseconds
        said = [messages.heard(body) for body in self._lines.feed(self.board.step(self.now, data))]
        assert None not in said
        return [one for one in said if one is not None]

    def wired(self) -> Bench:
        """Greeted, and its pins in use."""
        self.step(messages.hello("host"))
        self.step(messages.wire(self.pins)[1])
        return self

    def go_on(self, milliseconds: int, data: bytes = b"") -> list[Heard]:
        """Step for that long, `data` first."""
        said = self.step(data)
        for _ in range(milliseconds // 2):
            said += self.step()
        return said

    def level(self, gpio: int) -> int:
        return self.pico.Pin.known[gpio].value()

    def hold(self, gpio: int, held: bool = True) -> None:
        self.pico.Pin.known[gpio].pressed = held

    def strip(self) -> tuple[int, ...]:
        return tuple(at for at, led in enumerate(self.pico.strips[16].shining, 1) if any(led))
