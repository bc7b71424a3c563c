"""An emulated number display: a module of four digits on a serial line that a pseudo-terminal makes."""

from __future__ import annotations

import errno
import os
import pty
import select
import termios
import threading
import time
import tty
from collections.abc import Callable
from typing import Literal

from firmware_bridge.device import BridgeError
from firmware_bridge.display import Count
from firmware_bridge.display_frames import BEAT, PATIENCE, Lines, framed, read
from firmware_bridge.serial_display import SerialDisplay

Misbehaviour = Literal["", "silent", "garble", "block"]

DARK = "    "
LOST = "----"
LAST = "LASt"
"""As well as seven segments can say it."""

PHASE = 0.5
"""Seconds that LAST and the number are shown in turn."""


class Module:
    """What the microcontroller does: from frames to what its four digits show. It reads no clock.

    It shows LOST when it has had no good frame for `patience` seconds, and DARK before the first.
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._lines = Lines()
        self._count: Count | None = None
        self._heard: float | None = None

    def feed(self, time: float, data: bytes) -> bytes:
        """Take in bytes that came at `time`; what is answered."""
        answers = b""
        for body in self._lines.feed(data):
            try:
                self._count = read(body)
            except ValueError:
                continue  # of a later edition of these frames: what is shown stays
            self._heard = time
            answers += framed(b"K," + body)
        return answers

    def digits(self, time: float) -> str:
        """The four digits as they show at `time`, blank ones as spaces."""
        if self._heard is None:
            return DARK
        if time - self._heard > self._patience:
            return LOST
        if self._count is None:
            return DARK
        if self._count.last and int(time / PHASE) % 2 == 0:
            return LAST
        return f"{self._count.left:4}"


class EmulatedDisplay(SerialDisplay):
    """A number display that is not there. `digits` tells what it would show.

    `misbehave("silent")` has it neither show nor answer, "garble" turns a bit in each answer over,
    "block" has it take nothing off the line; "" ends that. `unplug` pulls its cable until `plug`.
    """

    emulates = "the number display"

    def __init__(
        self,
        beat: float = BEAT,
        patience: float = PATIENCE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__("", beat, patience, clock)
        self._cable = threading.Lock()
        self._module = Module(patience)
        self._fault: Misbehaviour = ""
        self._plugged = True
        self._nudge = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)

    def digits(self) -> str:
        """What the four digits show now."""
        with self._cable:
            return self._module.digits(self._clock()) if self._plugged else DARK

    def misbehave(self, fault: Misbehaviour) -> None:
        """Be faulty in this way from now on."""
        with self._cable:
            self._fault = fault
        os.eventfd_write(self._nudge, 1)

    def unplug(self) -> None:
        """Pull the cable: power and line are gone."""
        with self._cable:
            self._plugged = False
        os.eventfd_write(self._nudge, 1)

    def plug(self) -> None:
        """Put the cable in again: the module starts anew."""
        with self._cable:
            self._plugged = True
            self._module = Module(self._patience)

    def _open_line(self) -> int:
        with self._cable:
            if not self._plugged:
                raise BridgeError(
                    "The emulated number display is unplugged.",
                    "Plug it in. It is tried again by itself.",
                    permanent=False,
                )
        try:
            far, near = pty.openpty()
        except OSError as fault:
            raise BridgeError(
                f"The emulated number display finds no pseudo-terminal for its line ({fault}).",
                "Mount them: mount -t devpts devpts /dev/pts. It is tried again by itself.",
                permanent=False,
            ) from fault
        try:
            tty.setraw(near)
            self.path = os.ttyname(near)
            line = super()._open_line()
        except (OSError, termios.error):
            os.close(far)
            raise
        finally:
            os.close(near)
        threading.Thread(target=self._be_module, args=(far,), name="emulated display", daemon=True).start()
        return line

    def _be_module(self, far: int) -> None:
        """Serve the far end of the line until either end is gone."""
        with open(far, "r+b", buffering=0) as cable:
            while True:
                with self._cable:
                    plugged, fault = self._plugged, self._fault
                if not plugged:
                    return
                poll = select.poll()
                poll.register(cable, 0 if fault == "block" else select.POLLIN)
                poll.register(self._nudge, select.POLLIN)
                found = dict(poll.poll())
                if self._nudge in found:
                    os.eventfd_read(self._nudge)
                elif found[far] & select.POLLHUP or not self._heard(far, fault):
                    return  # the near end was closed

    def _heard(self, far: int, fault: Misbehaviour) -> bool:
        """Take in what came and answer it; False when the near end has gone meanwhile."""
        try:
            data = os.read(far, 256)
            if fault != "silent":
                with self._cable:
                    answer = self._module.feed(self._clock(), data)
                os.write(far, bytes(byte ^ 1 for byte in answer) if fault == "garble" else answer)
        except OSError as gone:
            if gone.errno != errno.EIO:
                raise
            return False
        return True
