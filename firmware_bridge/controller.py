"""A controller: buttons, lamps, digits and a buzzer on a microcontroller at the end of a serial line."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from firmware_bridge.controller_line import FAULTS, copying, diagnosis, lines, open_line
from firmware_bridge.controller_talk import Counted, Pace, Talk
from firmware_bridge.controller_wiring import ControllerPins, wires
from firmware_bridge.device import BridgeError, Fault
from firmware_bridge.firmware.frames import RELEASE, VERSION
from firmware_bridge.press import Press
from firmware_bridge.signals import DARK, Signalling, Signals, Tune

_log = logging.getLogger(__name__)

_AT_ONCE = 4096


class Controller:
    """The device "controller": presses in, what the table signals out.

    `sink` gets each Press, and `report` a Fault of a single part (what stops all of it is raised by
    `open` and `run`), with empty words when it is over; both are called in the thread of `run`. `parts`
    are the names of the parts that can be tried again by `retry`.
    """

    name = "controller"
    emulates = ""

    def __init__(
        self,
        pins: ControllerPins,
        sink: Callable[[Press], None],
        report: Callable[[Fault], None],
        pace: Pace | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.parts = tuple(dict.fromkeys(f"controller.{wire.name}" for wire in wires(pins)))
        self._pins = pins
        self._sink = sink
        self._report = report
        self._pace = pace or Pace()
        self._clock = clock
        self._session = secrets.token_hex(4)
        self._counted = Counted()
        self._told: dict[str, Fault] = {}
        self._signals = DARK
        self._tunes = 0
        self._tune: tuple[int, Tune, float] | None = None
        self._holding = threading.Lock()
        self._port: Any = None
        self._path = ""
        self._talk: Talk | None = None
        self._serving = False  # by the thread of `open` or `run`, which then lets go of the line itself
        self._closed = True

    def show(self, signals: Signals) -> None:
        """Show this from now on: from any thread, never blocking, the latest wins."""
        with self._holding:
            if signals != self._signals:
                self._signals = signals
                self._stir()

    def play(self, tune: Tune) -> None:
        """Play this once, if the controller is there: from any thread, never blocking."""
        with self._holding:
            if self._talk is not None:
                self._tunes += 1
                self._tune = (self._tunes, tune, self._clock())
                self._stir()

    def retry(self) -> None:
        """Try again what was switched off or could not be had: from any thread, never blocking."""
        with self._holding:
            if self._talk is not None:
                self._talk.wire_again()
                self._stir()

    def open(self) -> None:
        """Find the line and wait for the board's hello; BridgeError with the cause and the cure."""
        with self._holding:
            self._closed = False
        fault: BridgeError | None = None
        for path in self._lines():
            try:
                self._greet(path)
                return
            except BridgeError as error:
                fault = fault or error
        assert fault is not None
        raise fault

    def run(self) -> None:
        """Serve the board until closed; BridgeError when it is gone."""
        with self._holding:
            if self._closed or self._talk is None:
                return
            self._serving = True
            talk = self._talk
        try:
            self._serve(talk)
        except FAULTS as fault:
            if not self._closed:
                raise diagnosis(self._path, fault) from fault
        finally:
            self._tell({})
            self._let_go()

    def close(self) -> None:
        """Let the line go and end `open` and `run`."""
        with self._holding:
            self._closed = True
            if self._serving:
                self._stir()
                return
        self._let_go()

    def _lines(self) -> list[str]:
        return lines(self._pins.line)

    def _open_line(self, path: str) -> Any:
        return open_line(path)

    def _greet(self, path: str) -> None:
        """Take this line if our firmware answers there."""
        try:
            port = self._open_line(path)
        except FAULTS as fault:
            raise diagnosis(path, fault) from fault
        with self._holding:
            self._port, self._path, self._serving = port, path, True
        talk = Talk(self._pins, self._session, self._counted, self._clock(), self._pace)
        try:
            self._wait_for_hello(talk)
        except FAULTS as fault:
            self._let_go()
            raise diagnosis(path, fault) from fault
        except BridgeError:
            self._let_go()
            raise
        with self._holding:
            self._serving = False
            self._talk = talk
            if not self._closed:
                return
        self._let_go()

    def _wait_for_hello(self, talk: Talk) -> None:
        end = self._clock() + self._pace.greeting
        while talk.hello is None:
            self._exchange(talk)
            with self._holding:
                if self._closed:
                    raise BridgeError("The controller was let go.", "Start it again.", permanent=False)
            if self._clock() > end:
                raise self._unheard(talk)

    def _serve(self, talk: Talk) -> None:
        while True:
            with self._holding:
                if self._closed:
                    return
            self._exchange(talk)
            self._tell(self._parts(talk))
            if self._clock() - talk.alive > self._pace.patience:
                raise self._unheard(talk)

    def _exchange(self, talk: Talk) -> None:
        """Say what is due and take in what came; waits for that, but not for long."""
        with self._holding:
            signals, tune = self._signals, self._tune
        said = talk.due(self._clock(), signals, tune)
        if said:
            self._send(said)
        data = self._port.read(min(max(1, self._port.in_waiting), _AT_ONCE))
        for press in talk.feed(self._clock(), data):
            try:
                self._sink(press)
            except Exception:  # whoever hears the presses must not silence the other buttons
                _log.exception("A press of %s came to nothing.", press.button)

    def _send(self, said: bytes) -> None:
        from serial import SerialTimeoutException

        try:
            self._port.write(said)
        except SerialTimeoutException:
            # What did not get through is said again with the next beat, or the board is given up.
            _log.info("The line %s takes nothing.", self._path)

    def _stir(self) -> None:
        if self._port is not None:
            self._port.cancel_read()

    def _let_go(self) -> None:
        with self._holding:
            port, self._port, self._talk, self._tune = self._port, None, None, None
            self._serving = False
        if port is not None:
            # What a stalled board has not taken is thrown away: the kernel would wait for it for long.
            with suppress(*FAULTS):
                port.reset_output_buffer()
            port.close()

    def _unheard(self, talk: Talk) -> BridgeError:
        if talk.noise:
            return BridgeError(
                f"What comes from {self._path} is not from our firmware, or makes no sense.",
                f"Copy the firmware to the board, with Stationmaster stopped: {copying(self._path)}. "
                "If that is done, try another cable. It is tried again by itself.",
                permanent=False,
            )
        return BridgeError(
            f"The controller on {self._path} does not answer.",
            "Plug it out and in again. If that does not help, copy the firmware to it, with Stationmaster "
            f"stopped: {copying(self._path)}. It is tried again by itself; the phones do its part meanwhile.",
            permanent=False,
        )

    def _parts(self, talk: Talk) -> dict[str, Fault]:
        """What is wrong with single parts of the board now, by their names."""
        return {fault.device: fault for fault in _part_faults(self._pins, self._path, talk)}

    def _tell(self, faults: dict[str, Fault]) -> None:
        """Report what has become wrong since the last time, and what is right again."""
        over = [Fault(name, "", "") for name in self._told if name not in faults]
        new = [fault for name, fault in faults.items() if self._told.get(name) != fault]
        self._told = faults
        for fault in over + new:
            self._report(fault)


def _part_faults(pins: ControllerPins, path: str, talk: Talk) -> Iterator[Fault]:
    hello, status = talk.hello, talk.status
    if hello is not None and (hello.v, hello.release) != (VERSION, RELEASE):
        yield Fault(
            "controller.firmware",
            f"The controller's firmware is version {hello.release}; to this Stationmaster belongs {RELEASE}. "
            "What both know works.",
            f"Copy the firmware again, with Stationmaster stopped: {copying(path)}",
            permanent=True,
        )
    if status is None:
        return
    used = {wire.name: wire for wire in wires(pins)}
    for name in status.bad:
        if wire := used.get(name):
            yield _missing(name, wire.gpio, wire.words)
    for name in status.off:
        if wire := used.get(name):
            yield Fault(
                f"controller.{name}",
                f"{_begun(wire.words)} (GPIO {wire.gpio} of the controller) changed hundreds of times a "
                "second and was switched off.",
                "Check its wire and contact, then have it tried again. The phones can do what it did.",
                permanent=True,
            )


def _missing(name: str, gpio: int, words: str) -> Fault:
    if name == "digits":
        return Fault(
            "controller.digits",
            "The number display on the controller does not answer.",
            "Check its four wires. It is tried again by itself; the phones show the number meanwhile.",
        )
    return Fault(
        f"controller.{name}",
        f"The controller cannot use its GPIO {gpio} for {words}.",
        "Give it another pin in the section [controller] of the configuration.",
        permanent=True,
    )


def _begun(words: str) -> str:
    return words[:1].upper() + words[1:]


class NoController:
    """The device "controller" of a table that has none."""

    name = "controller"
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

    def show(self, signals: Signals) -> None:
        """Nobody sees it."""

    def play(self, tune: Tune) -> None:
        """Nobody hears it."""


def controller(
    pins: ControllerPins, sink: Callable[[Press], None], report: Callable[[Fault], None]
) -> Signalling:
    """The controller on the line that `pins` names: none, emulated, auto, or a path; else ValueError.

    Nothing is chosen in another's place: a line that cannot be had is a fault, never an emulation.
    """
    if pins.line == "none":
        return NoController()
    if pins.line == "emulated":
        from firmware_bridge.emulated_controller import EmulatedController

        return EmulatedController(pins, sink, report)
    if pins.line == "auto" or pins.line.startswith("/"):
        return Controller(pins, sink, report)
    raise ValueError(
        f"There is no controller called '{pins.line}'. "
        "Known ones: none, emulated, auto, or a serial line such as /dev/serial/by-id/…"
    )
