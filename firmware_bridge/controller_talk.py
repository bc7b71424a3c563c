"""What the bridge says to a controller and when, and what it hears: no line and no clock, all times are told.

Whatever is shown is said again with each beat, and each answer says how the board stands, so that a
lost line heals by itself.
"""

from __future__ import annotations

from msgspec import Struct

from firmware_bridge import controller_messages as messages
from firmware_bridge.controller_messages import Hello, Played, Pressed, Shown
from firmware_bridge.controller_wiring import ControllerPins
from firmware_bridge.firmware.frames import PATIENCE, Lines
from firmware_bridge.press import Press
from firmware_bridge.signals import DARK, Signals, Tune

# A board that waits at MicroPython's prompt, since somebody had stopped its firmware, starts it again
# with these: out of the raw prompt, to an empty line, start anew. Firmware that runs takes them for noise.
REVIVE = b"\r\x02\r\x04"


class Pace(Struct, frozen=True):
    """How often things are said, and for how long an answer is waited for: seconds."""

    beat: float = 1.0
    again: float = 0.2
    ask: float = 0.5
    greeting: float = 4.0
    patience: float = PATIENCE / 1000
    tune: float = 1.0


class Counted:
    """Which presses have counted: each board numbers its own, from when it started."""

    def __init__(self) -> None:
        self._boot = ""
        self._last = 0

    def first(self, press: Pressed) -> bool:
        """Whether this press is heard for the first time; it has counted with that."""
        if press.boot != self._boot:
            self._boot, self._last = press.boot, 0
        if press.n <= self._last:
            return False
        self._last = press.n
        return True


class Talk:
    """One conversation with a board, from the first word on.

    `hello` is what the board said of itself, None until then, and `status` how it stands. `alive` is
    when it said the last thing that made sense, and `noise` how many bytes came since then.
    """

    def __init__(self, pins: ControllerPins, session: str, counted: Counted, time: float, pace: Pace) -> None:
        self.hello: Hello | None = None
        self.status: Shown | None = None
        self.alive = time
        self.noise = 0
        self._pins = pins
        self._attempts = 0
        self._wiring, self._wire = messages.wire(pins, session)
        self._session = session
        self._counted = counted
        self._pace = pace
        self._lines = Lines()
        self._acknowledged = b""
        self._asked: float | None = None
        self._wired: float | None = None
        self._shown = DARK
        self._beat: float | None = None
        self._played = 0
        self._tried: tuple[int, float] = (0, 0.0)

    def wire_again(self) -> None:
        """Say once more what hangs where, so that the board tries it all anew."""
        self._attempts += 1
        self._wiring, self._wire = messages.wire(self._pins, f"{self._session} {self._attempts}")
        self._wired = None

    def feed(self, time: float, data: bytes) -> list[Press]:
        """Take in what came; the presses that are new with it."""
        presses = []
        self.noise += len(data)
        for body in self._lines.feed(data):
            match messages.heard(body):
                case Hello() as hello if hello.session == self._session:
                    self.hello = hello
                case Shown() as status:
                    self.status = status
                case Played(number):
                    self._played = max(self._played, number)
                case Pressed() as press if self.hello is not None:
                    self._acknowledged += messages.acknowledge(press)
                    if self._counted.first(press):
                        age = max(0, press.age) / 1000
                        presses.append(Press(press.button, press.kind, time - age, press.place))
                case _:
                    continue
            self.alive = time
            self.noise = 0
        return presses

    def due(self, time: float, signals: Signals, tune: tuple[int, Tune, float] | None) -> bytes:
        """What is to be said now. `tune` is the last one, its number (from 1), and when it was asked for."""
        if self.hello is None:
            if not _due(self._asked, time, self._pace.ask):
                return b""
            said = messages.hello(self._session)
            said = said if self._asked is None else REVIVE + said
            self._asked = time
            return said
        said, self._acknowledged = self._acknowledged, b""
        standing = self.status.wiring if self.status is not None else ""
        if self._wired is None or (standing != self._wiring and _due(self._wired, time, self._pace.beat)):
            said += self._wire
            self._wired = time
        if signals != self._shown or _due(self._beat, time, self._pace.beat):
            said += messages.show(signals)
            self._shown, self._beat = signals, time
        if tune is not None and self._is_to_sound(tune, time):
            said += messages.play(tune[0], tune[1])
            self._tried = (tune[0], time)
        return said

    def _is_to_sound(self, tune: tuple[int, Tune, float], time: float) -> bool:
        number, _, asked = tune
        if number <= self._played or time - asked > self._pace.tune:
            return False
        return self._tried[0] != number or _due(self._tried[1], time, self._pace.again)


def _due(last: float | None, time: float, every: float) -> bool:
    return last is None or time - last >= every
