"""A controller: what it does with the bridge's messages, its buttons, and all that hangs on its pins."""

import binascii
import json

from . import frames
from .buttons import Button, Presses
from .outputs import BLANK, LOST, Buzzer, Digits, Lamp, Strip, lit, text

try:
    from typing import Any
except ImportError:  # MicroPython has no types, and does not look at them
    pass

PLACES = 8
_BUTTONS = ("confirm", "undo", "next", "seat")


class Board:
    """From the bytes that came over the line, and the pins, to the bytes to send and what is shown.

    `machine` and `neopixel` are MicroPython's modules, `wait(us)` lets so many microseconds pass.
    `boot` is other each time that the board starts. The wiring comes from the bridge: until then no
    pin is touched. When the bridge has been silent for a while everything is dark and the digits show LOST,
    since nobody stands by what they showed, and no press is kept.
    """

    def __init__(self, machine: Any, neopixel: Any, wait: Any, boot: bytes) -> None:
        self._machine = machine
        self._neopixel = neopixel
        self._wait = wait
        self._boot = binascii.hexlify(boot).decode()
        self._lines = frames.Lines()
        self._presses = Presses()
        self._heard: int | None = None
        self._session: Any = None
        self._played: Any = None
        self._lamps_on: dict[Any, Any] = {}
        self._count: tuple[int, bool] | None = None
        self._unwire()

    def step(self, now: int, data: bytes) -> bytes:
        """Take in what came, look at the buttons, show what is to be shown; what is to be sent."""
        answers = b""
        for body in self._lines.feed(data):
            answer = self._take(body, now)
            if answer is not None:
                answers += self._framed(answer)
        if self._heard is not None and now - self._heard > frames.PATIENCE:
            self._presses.forget()
        self._look(now)
        self._show(now)
        press = self._presses.due(now)
        return answers if press is None else answers + self._framed(press)

    def _framed(self, message: dict[str, Any]) -> bytes:
        message["boot"] = self._boot
        return frames.framed(json.dumps(message, separators=(",", ":")).encode())

    def _take(self, body: bytes, now: int) -> dict[str, Any] | None:
        """Do what a message asks for; the answer. What is of a later edition changes nothing."""
        try:
            message = json.loads(body)
        except ValueError:
            return None
        if not isinstance(message, dict):
            return None
        kind = message.get("t")
        if kind == "hello":
            answer: dict[str, Any] | None = self._hello(message)
        elif kind == "wire":
            answer = self._wire(message, now)
        elif kind == "show":
            answer = self._take_signals(message)
        elif kind == "play":
            answer = self._play(message, now)
        elif kind == "ack":
            if message.get("boot") == self._boot:
                self._presses.acknowledged(message.get("n"))
            answer = None
        else:
            return None
        self._heard = now
        return answer

    def _hello(self, message: dict[str, Any]) -> dict[str, Any]:
        session = message.get("session")
        if session != self._session:
            # Another program than before: what was pressed for that one is not for this one.
            self._session = session
            self._played = None
            self._presses.forget()
        return {"t": "hello", "v": frames.VERSION, "release": frames.RELEASE, "session": str(session)}

    # -- what hangs where ------------------------------------------------------------------------

    def _unwire(self) -> None:
        self._wiring = ""
        self._bad: list[str] = []
        self._buttons: list[Button] = []
        self._lamps: dict[int, Lamp] = {}
        self._strip: Strip | None = None
        self._digits: Digits | None = None
        self._buzzer: Buzzer | None = None

    def _wire(self, message: dict[str, Any], now: int) -> dict[str, Any]:
        """Use the pins as the bridge says. What cannot be had is told in each answer; the rest works.

        A wiring that is in use already is left as it is, whatever is being pressed meanwhile.
        """
        identity = str(message.get("id"))
        if identity == self._wiring:
            return self._status()
        self.rest(now)
        self._unwire()
        for entry in _entries(message, "buttons", 4):
            self._try(entry[0], self._wire_button, (entry[0], entry[1], entry[2], entry[3], now))
        for entry in _entries(message, "lamps", 3):
            self._try(entry[0], self._wire_lamp, (entry[1], entry[2]))
        for name, wire in (
            ("strip", self._wire_strip),
            ("digits", self._wire_digits),
            ("buzzer", self._wire_buzzer),
        ):
            pins = message.get(name)
            if pins is not None:
                self._try(name, wire, (pins,))
        self._wiring = identity
        return self._status()

    def _try(self, name: Any, wire: Any, arguments: tuple[Any, ...]) -> None:
        try:
            wire(*arguments)
        except Exception:  # a pin that is none, a number that is none: each port says it in its own way
            self._bad.append(str(name))

    def _wire_button(self, part: str, name: str, place: int, pin: int, now: int) -> None:
        if name not in _BUTTONS:
            raise ValueError(name)
        machine = self._machine
        held_up = machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP)
        self._buttons.append(Button(part, name, int(place), held_up, now))

    def _wire_lamp(self, place: int, pin: int) -> None:
        self._lamps[int(place)] = Lamp(self._machine.Pin(pin, self._machine.Pin.OUT, value=0))

    def _wire_strip(self, pin: int) -> None:
        leds = self._neopixel.NeoPixel(self._machine.Pin(pin, self._machine.Pin.OUT), PLACES)
        self._strip = Strip(leds, PLACES)

    def _wire_digits(self, pins: list[int]) -> None:
        clk, dio = pins
        self._digits = Digits(self._machine, clk, dio, self._wait)

    def _wire_buzzer(self, pin: int) -> None:
        self._buzzer = Buzzer(self._machine.PWM(self._machine.Pin(pin), freq=440, duty_u16=0))

    # -- what the table says ---------------------------------------------------------------------

    def _take_signals(self, message: dict[str, Any]) -> dict[str, Any]:
        self._lamps_on = {}
        for place, shine in _entries(message, "lamps", 2):
            if isinstance(place, int):
                self._lamps_on[place] = shine
        self._count = None
        for left, last in _entries(message, "count", 2):
            if isinstance(left, int) and 0 <= left <= 9999:
                self._count = (left, bool(last))
        return self._status()

    def _play(self, message: dict[str, Any], now: int) -> dict[str, Any]:
        number = message.get("n")
        if number != self._played:
            self._played = number
            notes = [
                (hertz, milliseconds)
                for hertz, milliseconds in _entries(message, "notes", 2)
                if isinstance(hertz, int)
                and isinstance(milliseconds, int)
                and (hertz == 0 or 20 <= hertz <= 20000)
                and 0 <= milliseconds <= 5000
            ]
            if self._buzzer is not None:
                self._buzzer.play(notes, now)
        return {"t": "played", "n": number}

    def _status(self) -> dict[str, Any]:
        bad = list(self._bad)
        if self._digits is not None and not self._digits.answers:
            bad.append("digits")
        off = [button.part for button in self._buttons if button.off]
        return {"t": "shown", "wiring": self._wiring, "bad": bad, "off": off}

    def rest(self, now: int) -> None:
        """Have nothing shine or sound."""
        for lamp in self._lamps.values():
            lamp.show(False)
        if self._strip is not None:
            self._strip.show([False] * PLACES, now)
        if self._digits is not None:
            self._digits.show(BLANK, now)
        if self._buzzer is not None:
            self._buzzer.play([], now)
            self._buzzer.step(now)

    # -- what is done at every step --------------------------------------------------------------

    def _look(self, now: int) -> None:
        for button in self._buttons:
            if button.off:
                continue
            kind = button.look(now)
            if kind and not self._lost(now):
                self._presses.put(button.name, button.place, kind, now)

    def _lost(self, now: int) -> bool:
        return self._heard is None or now - self._heard > frames.PATIENCE

    def _show(self, now: int) -> None:
        lost = self._lost(now)
        shines = {} if lost else self._lamps_on
        for place, lamp in self._lamps.items():
            lamp.show(lit(shines.get(place), now))
        if self._strip is not None:
            self._strip.show([lit(shines.get(place), now) for place in range(1, PLACES + 1)], now)
        if self._digits is not None:
            if lost:
                four = LOST
            elif self._count is None:
                four = BLANK
            else:
                four = text(self._count[0], self._count[1], now)
            self._digits.show(four, now)
        if self._buzzer is not None:
            self._buzzer.step(now)


def _entries(message: dict[str, Any], key: str, length: int) -> list[Any]:
    """The lists of that length in the list of that name."""
    entries = message.get(key)
    if not isinstance(entries, list):
        return []
    return [entry for entry in entries if isinstance(entry, list) and len(entry) == length]
