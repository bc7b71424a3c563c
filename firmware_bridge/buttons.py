"""The buttons confirm, undo and next on a Pi's pins, on mock pins, or not there at all.

Each button connects its pin to ground; the pin is pulled up, so that a low level is a press.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from typing import Any

from msgspec import Struct

from firmware_bridge.debounce import PressDetector, StormWatch
from firmware_bridge.device import BridgeError, Device, Fault
from firmware_bridge.press import Button, Press

PINS: Mapping[Button, int] = {"confirm": 17, "undo": 27, "next": 22}

_log = logging.getLogger(__name__)

# Edges can get lost in a kernel or a library: an idle line is looked at now and then all the same.
_GLANCE = 0.25
_POLL = 0.004
_LATEST = 60.0


class _Edge(Struct, frozen=True):
    time: float
    button: Button
    down: bool


class _Line:
    """One open pin with what watches it.

    polled: it is looked at every few ms, since it does not tell each of its edges.
    off: nothing of it is heeded any more. The pin stays open, since gpiozero may call a pin that
    is being closed once too often, which would end the pin library's only thread.
    """

    def __init__(
        self,
        button: Button,
        pin: int,
        device: Any,
        clock: Callable[[], float],
        edges: SimpleQueue[_Edge | None],
    ) -> None:
        self.button = button
        self.pin = pin
        self.device = device
        self.polled = False
        self.off = False
        self.presses = PressDetector(button, bool(device.is_active), clock())
        self.storm = StormWatch()
        self._clock = clock
        self._edges = edges

    def listen(self) -> None:
        """Have the pin tell its edges, or poll it where it cannot."""
        try:
            self.device.pin.edges = "both"
            self.device.pin.when_changed = self._changed
        except Exception as error:
            if "edge detection" not in str(error).lower():
                raise
            _log.warning("GPIO %d (%s) tells no edges (%s): it is polled.", self.pin, self.button, error)
            self.polled = True

    def look(self, time: float) -> Press | None:
        """Look at the line; the press, if any, that is certain with it."""
        down = bool(self.device.is_active)
        if self.polled:
            return self.presses.poll(time, down)
        press = self.presses.sample(time, down)
        if self.presses.lost_an_edge:
            self.polled = True
            _log.warning("GPIO %d (%s) lost an edge: it is polled from now on.", self.pin, self.button)
        return press

    def _changed(self, ticks: float, state: object) -> None:
        # In the pin library's only thread, which an exception would end: nothing here can fail.
        if self.off:
            return
        now = self._clock()
        # The kernel's own time of the edge is better than that of a thread that may have had to
        # wait; but which clock it is, depends on the kernel and the library.
        time = ticks if 0 <= now - ticks < _LATEST else now
        self._edges.put(_Edge(time, self.button, not state))


class Buttons:
    """The buttons on real pins: the device "buttons".

    `sink` gets each Press, and `report` a Fault of a single pin (what stops all of them is raised
    by `open` and `run`); both are called in the thread of `run`. `pins` are GPIO numbers.
    """

    name = "buttons"
    emulates = ""

    def __init__(
        self,
        sink: Callable[[Press], None],
        report: Callable[[Fault], None],
        pins: Mapping[Button, int] = PINS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sink = sink
        self._report = report
        self._pins = pins
        self._clock = clock
        self._lines: dict[Button, _Line] = {}
        self._edges: SimpleQueue[_Edge | None] = SimpleQueue()
        self._holding = threading.Lock()
        self._closed = True

    def open(self) -> None:
        """Take the pins; BridgeError naming the pin, the cause and the cure when one cannot be had."""
        with self._holding:
            self._edges = SimpleQueue()
            for button, pin in self._pins.items():
                if fault := self._take(button, pin):
                    self._let_go()
                    raise fault
            self._closed = False

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
                    return
                now = self._clock()
                presses = [line.look(now) for line in self._lines.values() if not line.off]
            for press in presses:
                self._tell(press)

    def close(self) -> None:
        """Let the pins go and end `run`."""
        with self._holding:
            self._let_go()
            self._closed = True
        self._edges.put(None)

    def _factory(self) -> Any:
        """gpiozero's pin factory; BridgeError when the environment makes it an emulation."""
        from gpiozero import Device as GpioDevice
        from gpiozero.pins.mock import MockFactory

        if GpioDevice.pin_factory is None and not os.environ.get("GPIOZERO_PIN_FACTORY"):
            # The one that works on every Pi. Left to itself, gpiozero would go on to others that do
            # not, and never say why this one failed.
            from gpiozero.pins.lgpio import LGPIOFactory

            GpioDevice.pin_factory = LGPIOFactory()
        GpioDevice.ensure_pin_factory()
        if isinstance(GpioDevice.pin_factory, MockFactory):
            raise BridgeError(
                "The environment says GPIOZERO_PIN_FACTORY=mock, so these pins would not be real.",
                "Take that out, or choose the buttons called mock.",
                permanent=True,
            )
        return GpioDevice.pin_factory

    def _take(self, button: Button, pin: int) -> BridgeError | None:
        # The fault is returned, not raised from its cause: that would keep the half-made device
        # alive, and with it gpiozero's claim on the pin, so that no later try could succeed.
        try:
            self._lines[button] = self._open_line(button, pin)
        except Exception as error:  # pin libraries raise nearly everything here
            _log.info("GPIO %d (%s) cannot be had.", pin, button, exc_info=True)
            return _diagnosis(button, pin, error)
        return None

    def _open_line(self, button: Button, pin: int) -> _Line:
        from gpiozero import InputDevice

        device = InputDevice(pin, pull_up=True, pin_factory=self._factory())
        line = _Line(button, pin, device, self._clock, self._edges)
        line.listen()
        return line

    def _let_go(self) -> None:
        for line in self._lines.values():
            line.device.close()
        self._lines.clear()

    def _patience(self) -> float:
        now = self._clock()
        with self._holding:
            lines = [line for line in self._lines.values() if not line.off]
            dues = [line.presses.due for line in lines if not line.polled]
            waits = [due - now for due in dues if due is not None]
            waits.append(_POLL if any(line.polled for line in lines) else _GLANCE)
        return max(0.0, min(waits))

    def _feed(self, edge: _Edge) -> None:
        line = self._lines.get(edge.button)
        if line is None or line.off:
            return  # an edge that was still in the queue
        self._tell(line.presses.edge(edge.time, edge.down))
        if line.storm.edge(edge.time):
            line.off = True
            self._report(
                Fault(
                    f"buttons.{edge.button}",
                    f"The button {edge.button} (GPIO {line.pin}) changed hundreds of times a second "
                    "and was switched off.",
                    "Check its wire and contact, then start the buttons again. "
                    "The phones can do what it did.",
                    permanent=True,
                )
            )

    def _tell(self, press: Press | None) -> None:
        if press is None:
            return
        try:
            self._sink(press)
        except Exception:  # whoever hears the presses must not silence the other buttons
            _log.exception("A press of %s came to nothing.", press.button)


class MockButtons(Buttons):
    """The buttons on gpiozero's mock pins, pressed by name: an emulation that bounces like the real."""

    emulates = "buttons"

    def __init__(
        self,
        sink: Callable[[Press], None],
        report: Callable[[Fault], None],
        pins: Mapping[Button, int] = PINS,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(sink, report, pins, clock)
        self._pause = pause
        self._mock_factory: Any = None

    def press(self, button: Button, held: float = 0.1, bounces: int = 3) -> None:
        """Press a button for `held` seconds. Its contact bounces so many times, both ways, a ms each."""
        self._move(button, down=True, bounces=bounces)
        self._pause(held)
        self._move(button, down=False, bounces=bounces)

    def disturb(self, button: Button, spikes: int, width: float = 0.001) -> None:
        """Short spikes on a line, as a motor nearby makes them: `width` seconds down, as long up."""
        for _ in range(spikes):
            self._drive(button, down=True)
            self._pause(width)
            self._drive(button, down=False)
            self._pause(width)

    def _factory(self) -> Any:
        if self._mock_factory is None:
            from gpiozero.pins.mock import MockFactory, MockPWMPin

            self._mock_factory = MockFactory(pin_class=MockPWMPin)
        return self._mock_factory

    def _move(self, button: Button, *, down: bool, bounces: int) -> None:
        self._drive(button, down=down)
        for _ in range(bounces):
            self._pause(0.001)
            self._drive(button, down=not down)
            self._pause(0.001)
            self._drive(button, down=down)

    def _drive(self, button: Button, *, down: bool) -> None:
        pin = self._factory().pin(f"GPIO{self._pins[button]}")
        if down:
            pin.drive_low()
        else:
            pin.drive_high()


class NoButtons:
    """No buttons: the device "buttons" of a table that has none."""

    name = "buttons"
    emulates = ""

    def __init__(self) -> None:
        self._closed = threading.Event()

    def open(self) -> None:
        """Nothing to take hold of."""
        self._closed.clear()

    def run(self) -> None:
        """Wait until closed."""
        self._closed.wait()

    def close(self) -> None:
        """End `run`."""
        self._closed.set()


BACKENDS = ("gpiozero", "mock", "none")


def buttons(backend: str, sink: Callable[[Press], None], report: Callable[[Fault], None]) -> Device:
    """The buttons of that back-end; ValueError naming the known ones when there is none.

    Nothing is chosen in another's place: real pins that cannot be had are a fault, never an emulation.
    """
    match backend:
        case "gpiozero":
            return Buttons(sink, report)
        case "mock":
            return MockButtons(sink, report)
        case "none":
            return NoButtons()
    raise ValueError(f"There are no buttons called '{backend}'. Known ones: {', '.join(BACKENDS)}.")


def _diagnosis(button: Button, pin: int, error: Exception) -> BridgeError:
    if isinstance(error, BridgeError):
        return error
    from gpiozero import BadPinFactory, GPIOPinInUse, PinUnknownPi
    from gpiozero.exc import PinInvalidPin

    where = f"GPIO {pin} of the button {button}"
    said = str(error) or type(error).__name__
    text = said.lower()
    if isinstance(error, PinInvalidPin):
        return BridgeError(
            f"{where} is no pin of this Pi ({said}).", "Give the button another pin.", permanent=True
        )
    if isinstance(error, PermissionError) or "permission" in text or "can not open gpiochip" in text:
        return BridgeError(
            f"This user may not use the pins ({said}).",
            "Type: sudo usermod -aG gpio $USER, then log in again.",
            permanent=True,
        )
    if isinstance(error, GPIOPinInUse) or "busy" in text:
        return BridgeError(
            f"{where} is in use by another program ({said}).",
            "End that program; gpioinfo shows which lines are taken. This is tried again by itself.",
            permanent=False,
        )
    if isinstance(error, FileNotFoundError) and ".lgd-nfy" in text:
        return BridgeError(
            f"The pin library lgpio cannot write in the folder that this was started in ({said}).",
            "Set the environment variable LG_WD to a folder that can be written.",
            permanent=True,
        )
    if isinstance(error, BadPinFactory | PinUnknownPi | ImportError) or "raspberry pi" in text:
        return BridgeError(
            f"This machine has no pins to use ({said}).",
            "On a Raspberry Pi, start ./run again so that it brings lgpio. Elsewhere choose the buttons "
            "called mock or none.",
            permanent=True,
        )
    return BridgeError(
        f"{where} cannot be used ({type(error).__name__}: {said}).",
        "Check the wiring. This is tried again by itself.",
        permanent=False,
    )
