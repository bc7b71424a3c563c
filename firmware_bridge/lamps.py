"""The lamps of the places and the buzzer on a Pi's pins, on mock pins, or not there at all.

A lamp is lit by a high level of its pin. The buzzer is one without a sound of its own: it gets tones.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from firmware_bridge import gpio
from firmware_bridge.device import Fault
from firmware_bridge.held_up import HeldUp
from firmware_bridge.pins import BACKENDS, Pins, Use, Wire, wires
from firmware_bridge.signals import DARK, Signals, Tune
from firmware_bridge.tunes import TUNES

BLINK = 0.4
"""For so many seconds a blinking lamp is on, and for as many off."""


def lit(signals: Signals, time: float) -> frozenset[int]:
    """The places whose lamps are on at that time (s, monotonic). All that blink do so together."""
    phase = int(time / BLINK) % 2 == 0
    return frozenset(place for place, shine in signals.lamps if shine == "on" or phase)


def turns_at(signals: Signals, time: float) -> float | None:
    """When the next blinking lamp goes on or off; None while none blinks."""
    blinks = any(shine == "blink" for _, shine in signals.lamps)
    return (int(time / BLINK) + 1) * BLINK if blinks else None


def sounds(tune: Tune, since: float, time: float) -> tuple[int, float] | None:
    """The tone that sounds at that time of a tune, in hertz (0: none), and when it ends.

    None when the tune is over.
    """
    end = since
    for note in TUNES[tune]:
        end += note.milliseconds / 1000
        if time < end:
            return note.hertz, end
    return None


class _Lamp:
    """One lamp's pin; dark at first."""

    def __init__(self, wire: Wire, factory: Any) -> None:
        from gpiozero import OutputDevice

        self.place = wire.place
        self._device = OutputDevice(wire.gpio, pin_factory=factory)
        self._on = False

    def follow(self, on: frozenset[int], hertz: int) -> None:
        """Be on if it is among those that are on."""
        if (self.place in on) != self._on:
            self._on = not self._on
            self._device.value = self._on

    def close(self) -> None:
        self._device.close()


class _Buzzer:
    """The buzzer's pin; silent at first."""

    def __init__(self, wire: Wire, factory: Any) -> None:
        from gpiozero import TonalBuzzer

        self._device = TonalBuzzer(wire.gpio, mid_tone="A5", octaves=2, pin_factory=factory)
        self._hertz = 0

    def follow(self, on: frozenset[int], hertz: int) -> None:
        """Sound that tone, none with 0."""
        if hertz == self._hertz:
            return
        self._hertz = hertz
        if hertz:
            self._device.play(float(hertz))
        else:
            self._device.stop()

    def close(self) -> None:
        self._device.close()


def _open_line(wire: Wire, factory: Any) -> _Lamp | _Buzzer:
    return _Buzzer(wire, factory) if wire.use == "buzzer" else _Lamp(wire, factory)


class Lamps:
    """The lamps and the buzzer on real pins: the device "lamps".

    `report` gets the Fault of a single pin, "lamps.seat3" or "lamps.buzzer", without words once it is well
    again, in the thread of `run` or `open`. A pin that cannot be had stops no other. `factory` gives
    gpiozero's pin factory.
    """

    name = "lamps"
    emulates = ""

    def __init__(
        self,
        pins: Pins,
        report: Callable[[Fault], None],
        factory: Callable[[], Any] = gpio.factory,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.wires = tuple(wire for wire in wires(pins) if wire.use != "button")
        self._clock = clock
        self._pins = gpio.Holding(self.name, self.wires, _open_line, report, factory, clock)
        self._signals = DARK
        self._asked: deque[Tune] = deque(maxlen=1)
        self._playing: tuple[Tune, float] | None = None
        self._woken = threading.Event()
        self._holding = HeldUp()
        self._closed = True
        self._mended = False

    @property
    def held_up(self) -> float:
        """For how many seconds the pin library has not come back."""
        return self._holding.seconds

    @property
    def parts(self) -> tuple[str, ...]:
        """What may be at fault by itself, as its faults name it."""
        return tuple(f"{self.name}.{wire.name}" for wire in self.wires)

    def show(self, signals: Signals) -> None:
        """Light the lamps so from now on."""
        self._signals = signals
        self._woken.set()

    def play(self, tune: Tune) -> None:
        """Play this once, now or never."""
        if not self._closed:
            self._asked.append(tune)
            self._woken.set()

    def open(self) -> None:
        """Take the pins, all dark and silent; BridgeError when none can be had."""
        self._closed = False
        with self._holding:
            self._playing = None
            self._asked.clear()
            self._pins.take()

    def run(self) -> None:
        """Have lamps and buzzer do what is shown and played, until closed."""
        while True:
            self._woken.clear()
            with self._holding:
                if self._closed:
                    self._pins.let_go()
                    return
                now = self._clock()
                if self._mended or (self._pins.due is not None and now >= self._pins.due):
                    self._mended = False
                    self._pins.take()
                dues = [self._follow(now), self._pins.due]
            waits = [due - now for due in dues if due is not None]
            self._woken.wait(max(0.0, min(waits)) if waits else None)

    def close(self) -> None:
        """Let the pins go, all dark and silent, and end `run`."""
        self._closed = True
        self._woken.set()
        gpio.unless_in_use(self._holding, self._pins.let_go)

    def retry(self) -> None:
        """Try each pin again that cannot be had: somebody has mended it."""
        self._mended = True
        self._woken.set()

    def _follow(self, now: float) -> float | None:
        """Bring the pins to what is shown and played now; when the next of them changes by itself."""
        if self._asked:
            self._playing = self._asked.popleft(), now
        note = sounds(*self._playing, now) if self._playing is not None else None
        if note is None:
            self._playing = None
        hertz, end = note or (0, None)
        signals = self._signals
        on = lit(signals, now)
        for line in self._pins.held.values():
            line.follow(on, hertz)
        return min((due for due in (end, turns_at(signals, now)) if due is not None), default=None)


class MockLamps(Lamps):
    """The lamps and the buzzer on gpiozero's mock pins: an emulation, which tells what they do."""

    emulates = "lamps and buzzer"

    def __init__(
        self,
        pins: Pins,
        report: Callable[[Fault], None],
        factory: Callable[[], Any] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._mock = factory or gpio.mock_factory()
        super().__init__(pins, report, self._mock, clock)

    def lit(self) -> tuple[int, ...]:
        """The places whose lamps are on at this moment, by the level of their pins."""
        return tuple(wire.place for wire, pin in self._levels("lamp") if pin.state)

    def hertz(self) -> float:
        """The tone that sounds at this moment, by the pulses of its pin; 0 for silence."""
        return sum(float(pin.frequency) for _, pin in self._levels("buzzer") if pin.frequency and pin.state)

    def _levels(self, use: Use) -> Iterator[tuple[Wire, Any]]:
        for wire in self.wires:
            if wire.use == use and wire.name in self._pins.held:
                yield wire, self._mock().pin(f"GPIO{wire.gpio}")


def lamps(backend: str, pins: Pins, report: Callable[[Fault], None]) -> Lamps | None:
    """The lamps and the buzzer of that back-end; None where no pin has any, and with the back-end "none".

    ValueError naming the known ones for a name that there is none of. Nothing is chosen in another's
    place: real pins that cannot be had are a fault, never an emulation.
    """
    if backend not in BACKENDS:
        raise ValueError(f"There are no pins called '{backend}'. Known ones: {', '.join(BACKENDS)}.")
    if backend == "none" or all(wire.use == "button" for wire in wires(pins)):
        return None
    return Lamps(pins, report) if backend == "gpiozero" else MockLamps(pins, report)
