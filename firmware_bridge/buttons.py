"""The buttons on a Pi's pins, on mock pins, or not there at all.

Each button connects its pin to ground; the pin is pulled up, so that a low level is a press.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any

from msgspec import Struct

from firmware_bridge import gpio
from firmware_bridge.debounce import PressDetector, StormWatch
from firmware_bridge.device import BridgeError, Fault
from firmware_bridge.held_up import HeldUp
from firmware_bridge.pins import BACKENDS, Pins, Wire, wires
from firmware_bridge.press import Press

_log = logging.getLogger(__name__)

# Edges can get lost in a kernel or a library: an idle line is looked at now and then all the same.
_GLANCE = 0.25
_POLL = 0.004
_LATEST = 60.0


class _Edge(Struct, frozen=True):
    time: float
    name: str
    down: bool


class _Line:
    """One open pin with what watches it.

    polled: it is looked at every few ms, since it does not tell each of its edges.
    off: nothing of it is heeded any more. The pin stays open, since gpiozero may call a pin that
    is being closed once too often, which would end the pin library's only thread.
    """

    def __init__(
        self, wire: Wire, device: Any, clock: Callable[[], float], edges: SimpleQueue[_Edge | None]
    ) -> None:
        self.wire = wire
        self.device = device
        self.polled = False
        self.off = False
        self._clock = clock
        self._edges = edges
        self.heed()

    def heed(self) -> None:
        """Begin to watch the line, or begin anew."""
        down = bool(self.device.is_active)
        self.presses = PressDetector(self.wire.button, down, self._clock(), place=self.wire.place)
        self.storm = StormWatch()
        self.off = False

    def listen(self) -> None:
        """Have the pin tell its edges, or poll it where it cannot."""
        try:
            self.device.pin.edges = "both"
            self.device.pin.when_changed = self._changed
        except Exception as error:
            if "edge detection" not in str(error).lower():
                raise
            _log.warning(
                "GPIO %d (%s) tells no edges (%s): it is polled.", self.wire.gpio, self.wire.words, error
            )
            self.polled = True

    def look(self, time: float) -> Press | None:
        """Look at the line; the press, if any, that is certain with it."""
        down = bool(self.device.is_active)
        if self.polled:
            return self.presses.poll(time, down)
        press = self.presses.sample(time, down)
        if self.presses.lost_an_edge:
            self.polled = True
            _log.warning(
                "GPIO %d (%s) lost an edge: it is polled from now on.", self.wire.gpio, self.wire.words
            )
        return press

    def close(self) -> None:
        """Let the pin go."""
        self.device.close()

    def _changed(self, ticks: float, state: object) -> None:
        # In the pin library's only thread, which an exception would end: nothing here can fail.
        if self.off:
            return
        now = self._clock()
        # The kernel's own time of the edge is better than that of a thread that may have had to
        # wait; but which clock it is, depends on the kernel and the library.
        time = ticks if 0 <= now - ticks < _LATEST else now
        self._edges.put(_Edge(time, self.wire.name, not state))


class Buttons:
    """The buttons on real pins: the device "buttons".

    `sink` gets each Press, and `report` the Fault of a single pin, "buttons.undo" or "buttons.seat3",
    without words once it is well again (what stops all of them is raised by `open` and `run`); both are
    called in the thread of `run` or `open`. A pin that cannot be had stops no other. `factory` gives
    gpiozero's pin factory.
    """

    name = "buttons"
    emulates = ""

    def __init__(
        self,
        pins: Pins,
        sink: Callable[[Press], None],
        report: Callable[[Fault], None],
        factory: Callable[[], Any] = gpio.factory,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.wires = tuple(wire for wire in wires(pins) if wire.use == "button")
        self._sink = sink
        self._clock = clock
        self._pins = gpio.Holding(self.name, self.wires, self._open_line, report, factory, clock)
        self._edges: SimpleQueue[_Edge | None] = SimpleQueue()
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

    def open(self) -> None:
        """Take the pins; BridgeError naming the cause and the cure when none can be had."""
        self._closed = False
        with self._holding:
            self._edges = SimpleQueue()
            self._pins.take()

    def run(self) -> None:
        """Turn edges into presses until closed."""
        while True:
            try:
                edge = self._edges.get(timeout=self._patience())
                while edge is not None:
                    self._feed(edge)
                    edge = self._edges.get_nowait()
            except Empty:
                pass  # all that was reported is heard
            with self._holding:
                if self._closed:
                    self._pins.let_go()
                    return
                self._mend()
                now = self._clock()
                presses = [line.look(now) for line in self._in_order()]
            for press in presses:
                self._tell(press)

    def close(self) -> None:
        """Let the pins go and end `run`."""
        self._closed = True
        self._edges.put(None)
        gpio.unless_in_use(self._holding, self._pins.let_go)

    def retry(self) -> None:
        """Try each pin again that cannot be had or was switched off: somebody has mended it."""
        self._mended = True
        self._edges.put(None)

    def _open_line(self, wire: Wire, factory: Any) -> _Line:
        from gpiozero import InputDevice

        device = InputDevice(wire.gpio, pull_up=True, pin_factory=factory)
        line = _Line(wire, device, self._clock, self._edges)
        line.listen()
        return line

    def _heeded(self) -> list[_Line]:
        return [line for line in tuple(self._pins.held.values()) if not line.off]

    def _in_order(self) -> list[_Line]:
        """Those that are heeded, first the one whose press is certain first."""
        return sorted(self._heeded(), key=lambda line: line.presses.due or 0.0)

    def _mend(self) -> None:
        mended, self._mended = self._mended, False
        if mended:
            for line in self._pins.held.values():
                if line.off:
                    line.heed()
                    self._pins.tell(line.wire, None)
        if mended or (self._pins.due is not None and self._clock() >= self._pins.due):
            self._pins.take()

    def _patience(self) -> float:
        now = self._clock()
        with self._holding:
            lines = self._heeded()
            dues = [line.presses.due for line in lines if not line.polled]
            waits = [due - now for due in dues if due is not None]
            waits.append(_POLL if any(line.polled for line in lines) else _GLANCE)
        return max(0.0, min(waits))

    def _feed(self, edge: _Edge) -> None:
        line = self._pins.held.get(edge.name)
        if line is None or line.off:
            return  # an edge that was still in the queue
        # Nobody may have had time to look for a while: what ended before this edge is told before it.
        for other in self._in_order():
            self._tell(other.presses.reported(edge.time))
        self._tell(line.presses.edge(edge.time, edge.down))
        if line.storm.edge(edge.time):
            line.off = True
            wire = line.wire
            self._pins.tell(
                wire,
                BridgeError(
                    f"GPIO {wire.gpio} of {wire.words} changed hundreds of times a second and was "
                    "switched off.",
                    "Check its wire and contact, then try it again. The phones can do what it did.",
                    permanent=True,
                ),
            )

    def _tell(self, press: Press | None) -> None:
        if press is None:
            return
        try:
            self._sink(press)
        except Exception:  # whoever hears the presses must not silence the other buttons
            _log.exception("A press of %s %s came to nothing.", press.button, press.place or "")


class MockButtons(Buttons):
    """The buttons on gpiozero's mock pins, pressed by name: an emulation that bounces like the real."""

    emulates = "buttons"

    def __init__(
        self,
        pins: Pins,
        sink: Callable[[Press], None],
        report: Callable[[Fault], None],
        factory: Callable[[], Any] | None = None,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._mock = factory or gpio.mock_factory()
        super().__init__(pins, sink, report, self._mock, clock)
        self._pause = pause

    def press(self, button: str, held: float = 0.1, bounces: int = 3) -> None:
        """Press a button ("undo", "seat3") for `held` seconds.

        Its contact bounces so many times, both ways, a millisecond each.
        """
        self._move(button, down=True, bounces=bounces)
        self._pause(held)
        self._move(button, down=False, bounces=bounces)

    def disturb(self, button: str, spikes: int, width: float = 0.001) -> None:
        """Short spikes on a line, as a motor nearby makes them: `width` seconds down, as long up."""
        for _ in range(spikes):
            self._drive(button, down=True)
            self._pause(width)
            self._drive(button, down=False)
            self._pause(width)

    def _move(self, button: str, *, down: bool, bounces: int) -> None:
        self._drive(button, down=down)
        for _ in range(bounces):
            self._pause(0.001)
            self._drive(button, down=not down)
            self._pause(0.001)
            self._drive(button, down=down)

    def _drive(self, button: str, *, down: bool) -> None:
        number = next(wire.gpio for wire in self.wires if wire.name == button)
        pin = self._mock().pin(f"GPIO{number}")
        if down:
            pin.drive_low()
        else:
            pin.drive_high()


def buttons(
    backend: str, pins: Pins, sink: Callable[[Press], None], report: Callable[[Fault], None]
) -> Buttons | None:
    """The buttons of that back-end; None where no pin has one, and with the back-end "none".

    ValueError naming the known ones for a name that there is none of. Nothing is chosen in another's
    place: real pins that cannot be had are a fault, never an emulation.
    """
    if backend not in BACKENDS:
        raise ValueError(f"There are no pins called '{backend}'. Known ones: {', '.join(BACKENDS)}.")
    if backend == "none" or not any(wire.use == "button" for wire in wires(pins)):
        return None
    return Buttons(pins, sink, report) if backend == "gpiozero" else MockButtons(pins, sink, report)
