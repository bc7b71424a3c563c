"""An emulated controller: the very firmware, on a Pico that is not there, at the end of a pseudo-terminal."""

from __future__ import annotations

import errno
import fcntl
import os
import pty
import random
import select
import threading
import time
import tty
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal

from firmware_bridge.controller import Controller
from firmware_bridge.controller_talk import Pace
from firmware_bridge.controller_wiring import ControllerPins, wires
from firmware_bridge.device import BridgeError, Fault
from firmware_bridge.emulated_pico import Pico
from firmware_bridge.firmware.board import Board
from firmware_bridge.press import Button, Press

Misbehaviour = Literal["", "silent", "drop", "garble", "slow", "block", "storm", "busy", "forbidden"]

_STEP, _STORM = 0.004, 0.0005
_LOSS = 0.4
_LATE = 1.0


class _Cable:
    """A Pico with our firmware, a thread that is its processor, and the cable with its faults.

    `near` is the path of the line's near end.
    """

    def __init__(self, pins: ControllerPins, fault: Callable[[], Misbehaviour]) -> None:
        self.pico = Pico()
        self.digits = None if pins.digits is None else self.pico.tm1637(pins.digits.clk, pins.digits.dio)
        self._first = next((wire.gpio for wire in wires(pins) if wire.name.startswith("seat")), None)
        self._fault = fault
        self._board = Board(self.pico, self.pico, lambda microseconds: None, os.urandom(4))
        self._chance = random.Random(0)
        self._shaken = False
        self._on_its_way: deque[tuple[float, bytes]] = deque()
        self._pulled = threading.Event()
        self._far, self._near = pty.openpty()
        tty.setraw(self._near)
        os.set_blocking(self._far, False)
        self.near = os.ttyname(self._near)
        self._thread = threading.Thread(target=self._run, name="emulated controller", daemon=True)
        self._thread.start()

    def pull(self) -> None:
        """Power and line are gone."""
        self._pulled.set()
        self._thread.join()

    def hold(self, held: bool) -> None:
        """Hold the line as another program would, or no longer."""
        fcntl.flock(self._near, fcntl.LOCK_EX | fcntl.LOCK_NB if held else fcntl.LOCK_UN)

    def _run(self) -> None:
        try:
            while not self._pulled.is_set():
                fault = self._fault()
                self._shake(fault)
                self._step(fault)
        finally:
            os.close(self._far)
            os.close(self._near)

    def _shake(self, fault: Misbehaviour) -> None:
        if self._first is None or (fault != "storm" and not self._shaken):
            return
        pin = self.pico.Pin.known[self._first]
        self._shaken = fault == "storm"
        pin.pressed = self._shaken and not pin.pressed  # nobody holds it afterwards

    def _step(self, fault: Misbehaviour) -> None:
        data = b""
        if fault == "block":
            time.sleep(_STEP)
        elif select.select([self._far], [], [], _STORM if fault == "storm" else _STEP)[0]:
            data = os.read(self._far, 256)
        if fault == "drop" and self._chance.random() < _LOSS:
            data = b""
        out = self._board.step(time.monotonic_ns() // 1_000_000, data)
        self._send(out, fault)

    def _send(self, out: bytes, fault: Misbehaviour) -> None:
        if fault == "silent" or (fault == "drop" and self._chance.random() < _LOSS):
            return
        if fault == "garble":
            out = bytes(byte ^ 1 for byte in out)
        now = time.monotonic()
        self._on_its_way.append((now + (_LATE if fault == "slow" else 0), out))
        while self._on_its_way and self._on_its_way[0][0] <= now:
            with suppress(BlockingIOError):  # what is too much is lost, as on any board
                os.write(self._far, self._on_its_way.popleft()[1])


class EmulatedController(Controller):
    """A controller that is not there. `digits`, `lamps` and `heard` tell what it would show and sound.

    `misbehave("silent")` has it not answer, "drop" loses much of what is said either way, "garble"
    turns a bit of each byte of its answers over, "slow" has them come a second late, "block" has
    it take nothing off the line, "storm" shakes the button of the first place, "busy" has another
    program hold the line, "forbidden" has the system refuse it; "" ends that. `unplug` pulls the
    cable until `plug`.
    """

    emulates = "the controller"

    def __init__(
        self,
        pins: ControllerPins,
        sink: Callable[[Press], None],
        report: Callable[[Fault], None],
        pace: Pace | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(pins, sink, report, pace, clock)
        self._plugging = threading.Lock()
        self._cable: _Cable | None = None
        self._plugged = True
        self._fault: Misbehaviour = ""

    def digits(self) -> str:
        """What the four digits show now."""
        with self._plugging:
            cable = self._cable
            return " " * 4 if cable is None or cable.digits is None else cable.digits.text()

    def lamps(self) -> tuple[int, ...]:
        """The places whose lamps are lit now, on single pins or on the strip."""
        with self._plugging:
            if self._cable is None:
                return ()
            pico = self._cable.pico
            found = {
                place
                for place, seat in self._pins.seats.items()
                if seat.lamp is not None and pico.Pin.known[seat.lamp].value()
            }
            for strip in pico.strips.values():
                found |= {place for place, colour in enumerate(strip.shining, 1) if any(colour)}
            return tuple(sorted(found))

    def heard(self) -> tuple[int, ...]:
        """The frequencies of all that the buzzer has sounded since the board started."""
        with self._plugging:
            tones = [] if self._cable is None else list(self._cable.pico.tones.values())
            return tuple(hertz for tone in tones for hertz in tone.heard)

    def press(self, button: Button, place: int = 0, held: float = 0.1) -> None:
        """Press a button for `held` seconds."""
        seat = self._pins.seats.get(place)
        gpios: dict[Button, int | None] = {
            "confirm": self._pins.confirm,
            "undo": self._pins.undo,
            "next": self._pins.next,
            "seat": seat.button if seat is not None else None,
        }
        gpio = gpios[button]
        if gpio is None:
            raise ValueError(f"No button {button} hangs on this controller.")
        with self._plugging:
            if self._cable is None:
                return
            pin = self._cable.pico.Pin.known[gpio]
        pin.pressed = True
        time.sleep(held)
        pin.pressed = False

    def misbehave(self, fault: Misbehaviour) -> None:
        """Be faulty in this way from now on."""
        self._fault = fault

    def unplug(self) -> None:
        """Pull the cable: power and line are gone."""
        with self._plugging:
            self._plugged = False
            self._pull()

    def plug(self) -> None:
        """Put the cable in again: the board starts anew."""
        with self._plugging:
            self._plugged = True

    def close(self) -> None:
        """Let the line go, end `open` and `run`; what was emulated is gone."""
        super().close()
        with self._plugging:
            self._pull()

    def _pull(self) -> None:
        cable, self._cable = self._cable, None
        if cable is not None:
            cable.pull()

    def _lines(self) -> list[str]:
        with self._plugging:
            if not self._plugged:
                raise BridgeError(
                    "The emulated controller is unplugged.",
                    "Plug it in. It is tried again by itself.",
                    permanent=False,
                )
            self._pull()
            try:
                self._cable = _Cable(self._pins, lambda: self._fault)
            except OSError as fault:
                raise BridgeError(
                    f"The emulated controller finds no pseudo-terminal for its line ({fault}).",
                    "Mount them: mount -t devpts devpts /dev/pts. It is tried again by itself.",
                    permanent=False,
                ) from fault
            return [self._cable.near]

    def _open_line(self, path: str) -> Any:
        if self._fault == "forbidden":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        with self._plugging:
            if self._cable is not None:
                self._cable.hold(self._fault == "busy")
        return super()._open_line(path)
