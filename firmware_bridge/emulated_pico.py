"""An emulated Pico: its pins, what hangs on them, and the modules by which MicroPython gets at both."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.firmware.outputs import SEGMENTS

_SIGNS = {segments: sign for sign, segments in SEGMENTS.items() if sign != "S"}


class Pin:
    """One pin: what the firmware drives it to, or else what hangs on it; pulled up if nothing does."""

    IN, OUT, PULL_UP = 0, 1, 2

    def __init__(self, number: int) -> None:
        self.number = number
        self.pressed = False
        self.held_down = False  # by a chip
        self.watchers: list[Callable[[], None]] = []
        self._driven: int | None = None

    def init(self, mode: int, pull: int | None = None, *, value: int | None = None) -> None:
        """As MicroPython's."""
        self._driven = None if mode == Pin.IN else value or 0
        self._tell()

    def value(self, level: int | None = None) -> int:
        """As MicroPython's: without a level it says the present one."""
        if level is not None:
            self._driven = level
            self._tell()
        if self.held_down:
            return 0
        return int(not self.pressed) if self._driven is None else self._driven

    def _tell(self) -> None:
        for watcher in self.watchers:
            watcher()


class Pwm:
    """A tone on a pin. `heard` are the frequencies of all that sounded, in their order."""

    def __init__(self, freq: int, duty_u16: int) -> None:
        self.heard: list[int] = []
        self._freq = freq
        self._duty = duty_u16

    @property
    def tone(self) -> int:
        """The frequency that sounds now, 0 for none."""
        return self._freq if self._duty else 0

    def freq(self, hertz: int) -> None:
        """As MicroPython's."""
        self._freq = hertz

    def duty_u16(self, duty: int) -> None:
        """As MicroPython's."""
        self._duty = duty
        if duty:
            self.heard.append(self._freq)


class NeoPixel:
    """A strip of LEDs: what was written last shines."""

    def __init__(self, pin: Pin, count: int) -> None:
        self._next = [(0, 0, 0)] * count
        self.shining = tuple(self._next)

    def __setitem__(self, at: int, colour: tuple[int, int, int]) -> None:
        self._next[at] = colour

    def write(self) -> None:
        """As MicroPython's."""
        self.shining = tuple(self._next)


class Tm1637:
    """The chip behind four digits: it listens to its two wires and acknowledges each byte."""

    def __init__(self, clk: Pin, dio: Pin) -> None:
        self._clk = clk
        self._dio = dio
        self._levels = (1, 1)
        self._bits: list[int] | None = None  # since the start, None while there is none
        self._bytes: list[int] = []
        self._segments = [0] * 4
        self._on = False
        for pin in (clk, dio):
            pin.watchers.append(self._changed)

    def text(self) -> str:
        """What the digits show."""
        if not self._on:
            return " " * 4
        text = "".join(_SIGNS.get(segments, "?") for segments in self._segments)
        # A 5 has the segments of an S, and is read as one within a word.
        return text.replace("5", "S") if "L" in text else text

    def _changed(self) -> None:
        before, now = self._levels, (self._clk.value(), self._dio.value())
        if before == now:
            return
        self._levels = now
        (clk_before, dio_before), (clk, dio) = before, now
        if clk and clk_before and dio != dio_before:
            if dio:
                self._stopped()
            else:
                self._bits, self._bytes = [], []
        elif self._bits is None:
            return
        elif clk and not clk_before:
            self._bits.append(dio)
        elif clk_before and not clk:
            self._clocked_down(self._bits)

    def _clocked_down(self, bits: list[int]) -> None:
        if len(bits) == 8:
            self._bytes.append(sum(bit << at for at, bit in enumerate(bits)))
            self._dio.held_down = True
            self._levels = (self._levels[0], 0)
        elif len(bits) == 9:  # the last was our own word for the byte
            self._bits = []
            self._dio.held_down = False
            self._levels = (self._levels[0], self._dio.value())

    def _stopped(self) -> None:
        self._bits = None
        command = self._bytes[0] if self._bytes else 0
        if command & 0xC0 == 0xC0:
            at = command & 0x0F
            for offset, segments in enumerate(self._bytes[1:]):
                self._segments[(at + offset) % 4] = segments
        elif command & 0xC0 == 0x80:
            self._on = bool(command & 0x08)


class _Pins:
    """MicroPython's `machine.Pin`: each number is one pin, however often it is asked for."""

    IN, OUT, PULL_UP = Pin.IN, Pin.OUT, Pin.PULL_UP

    def __init__(self) -> None:
        self.known = {number: Pin(number) for number in range(30)}

    def __call__(
        self, number: int, mode: int = Pin.IN, pull: int | None = None, *, value: int | None = None
    ) -> Pin:
        if number not in self.known:
            raise ValueError("invalid pin")
        pin = self.known[number]
        pin.init(mode, pull, value=value)
        return pin


class Pico:
    """A Pico without its processor: it stands for MicroPython's modules `machine` and `neopixel`."""

    def __init__(self) -> None:
        self.Pin = _Pins()
        self.tones: dict[int, Pwm] = {}
        self.strips: dict[int, NeoPixel] = {}

    def PWM(self, pin: Pin, *, freq: int, duty_u16: int) -> Pwm:
        """As MicroPython's."""
        return self.tones.setdefault(pin.number, Pwm(freq, duty_u16))

    def NeoPixel(self, pin: Pin, count: int) -> NeoPixel:
        """As MicroPython's."""
        return self.strips.setdefault(pin.number, NeoPixel(pin, count))

    def tm1637(self, clk: int, dio: int) -> Tm1637:
        """Hang a number display on these pins."""
        return Tm1637(self.Pin.known[clk], self.Pin.known[dio])
