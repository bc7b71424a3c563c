"""What hangs on a controller's pins and shows something: lamps, a strip of LEDs, four digits, a buzzer."""

try:
    from typing import Any
except ImportError:  # MicroPython has no types, and does not look at them
    pass

PHASE = 500
"""Milliseconds that a blinking lamp is lit or dark, and that LAST and the number are shown in turn."""

REFRESH = 1000
"""Strips and digits are written at least so often, since a disturbance may have changed them."""

BLANK, LOST, LAST = "    ", "----", "LASt"  # the last as well as seven segments can say it

COLOUR = (60, 40, 12)
"""Red, green and blue of a lit place on a strip: warm, and not so bright that it blinds."""

SEGMENTS = {" ": 0x00, "-": 0x40, "L": 0x38, "A": 0x77, "S": 0x6D, "t": 0x78}
for _digit, _lit in enumerate(b"\x3f\x06\x5b\x4f\x66\x6d\x7d\x07\x7f\x6f"):
    SEGMENTS[str(_digit)] = _lit


def lit(shine: Any, now: int) -> bool:
    """Whether a lamp of which this is said ("on", "blink", else dark) is lit now."""
    return bool(shine == "on" or (shine == "blink" and now // PHASE % 2 == 0))


def text(left: int, last: bool, now: int) -> str:
    """What four digits show of a count."""
    return LAST if last and now // PHASE % 2 == 0 else f"{left:4}"


class Lamp:
    """A lamp between a pin and ground."""

    def __init__(self, pin: Any) -> None:
        self._pin = pin

    def show(self, on: bool) -> None:
        """Light it, or not."""
        self._pin.value(1 if on else 0)


class Strip:
    """A strip of LEDs of which the first `count` are lamps."""

    def __init__(self, leds: Any, count: int) -> None:
        self._leds = leds
        self._count = count
        self._shown: list[bool] | None = None
        self._written = 0

    def show(self, on: list[bool], now: int) -> None:
        """Light those LEDs, from the first on."""
        if on == self._shown and now - self._written < REFRESH:
            return
        for number in range(self._count):
            self._leds[number] = COLOUR if on[number] else (0, 0, 0)
        self._leds.write()
        self._shown, self._written = on, now


class Digits:
    """Four digits of seven segments behind a TM1637, on two wires.

    `machine` is MicroPython's module, `wait(us)` lets so many microseconds pass. `answers` is whether
    the chip took what was sent last.
    """

    def __init__(self, machine: Any, clk: int, dio: int, wait: Any) -> None:
        self.answers = True
        self._in, self._out, self._up = machine.Pin.IN, machine.Pin.OUT, machine.Pin.PULL_UP
        self._clk = machine.Pin(clk, self._out, value=1)
        self._dio = machine.Pin(dio, self._out, value=1)
        self._wait = wait
        self._shown = ""
        self._written = 0

    def show(self, four: str, now: int) -> None:
        """Show these four characters."""
        if four == self._shown and now - self._written < REFRESH:
            return
        self._shown, self._written = four, now
        # All three are sent whether the chip takes them or not: a half-sent one would confuse it.
        took = [
            self._send([0x40]),  # data, address by address
            self._send([0xC0] + [SEGMENTS.get(sign, 0) for sign in four]),
            self._send([0x8A]),  # on, and a little brighter than the least
        ]
        self.answers = all(took)

    def _send(self, data: list[int]) -> bool:
        self._set(self._dio, 0)
        took = True
        for byte in data:
            for bit in range(8):
                self._set(self._clk, 0)
                self._set(self._dio, byte >> bit & 1)
                self._set(self._clk, 1)
            self._set(self._clk, 0)
            self._dio.init(self._in, self._up)
            self._set(self._clk, 1)
            took = not self._dio.value() and took
            self._set(self._clk, 0)
            self._dio.init(self._out, value=0)
        self._set(self._clk, 1)
        self._set(self._dio, 1)
        return took

    def _set(self, pin: Any, level: int) -> None:
        pin.value(level)
        self._wait(5)


class Buzzer:
    """A passive piezo: `pwm` makes its tone."""

    def __init__(self, pwm: Any) -> None:
        self._pwm = pwm
        self._notes: list[tuple[int, int]] = []
        self._until: int | None = None

    def play(self, notes: list[tuple[int, int]], now: int) -> None:
        """Play these, each so many hertz (0 for silence) for so many milliseconds, in the place of others."""
        self._notes = notes
        self._until = now

    def step(self, now: int) -> None:
        """Go on to the next note when it is time."""
        if self._until is None or now < self._until:
            return
        if not self._notes:
            self._until = None
            self._pwm.duty_u16(0)
            return
        hertz, milliseconds = self._notes[0]
        self._notes = self._notes[1:]
        self._until = now + milliseconds
        if hertz:
            self._pwm.freq(hertz)
        self._pwm.duty_u16(32768 if hertz else 0)
