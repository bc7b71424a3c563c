"""A number display on a serial line: a microcontroller with a module of seven-segment digits."""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import select
import termios
import threading
import time
import tty
from collections.abc import Callable

from firmware_bridge.device import BridgeError
from firmware_bridge.display import Count
from firmware_bridge.display_frames import BEAT, PATIENCE, Lines, framed, shown

_log = logging.getLogger(__name__)

_GONE = (errno.EIO, errno.ENXIO, errno.ENODEV)


class SerialDisplay:
    """The display at the other end of the serial line `path`: the device "display".

    What is to be shown goes out when it changes and each `beat` seconds; `patience` seconds without
    the display's word for it are a fault. The line never blocks: what it does not take is sent anew
    with the next beat.
    """

    name = "display"
    emulates = ""

    def __init__(
        self,
        path: str,
        beat: float = BEAT,
        patience: float = PATIENCE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.path = path
        self._beat = beat
        self._patience = patience
        self._clock = clock
        self._count: Count | None = None
        self._holding = threading.Lock()
        self._line = -1
        self._wake = -1
        self._running = False
        self._closed = True

    def show(self, count: Count | None) -> None:
        """Show this from now on, None for nothing: from any thread, never blocking."""
        with self._holding:
            self._count = count
            self._stir()

    def open(self) -> None:
        """Take the line; BridgeError naming it, the cause and the cure when it cannot be had."""
        try:
            line = self._open_line()
        except (OSError, termios.error) as fault:
            raise _diagnosis(self.path, fault) from fault
        with self._holding:
            self._line = line
            self._wake = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
            self._closed = False

    def run(self) -> None:
        """Have the display show the latest count until closed; BridgeError when it is gone."""
        with self._holding:
            if self._closed:
                return
            self._running = True
        try:
            self._serve()
        except OSError as fault:
            raise _diagnosis(self.path, fault) from fault
        finally:
            with self._holding:
                self._running = False
                self._let_go()

    def close(self) -> None:
        """Let the line go and end `run`."""
        with self._holding:
            self._closed = True
            if self._running:
                self._stir()  # `run` lets go: nobody takes a line from under it
            else:
                self._let_go()

    def _open_line(self) -> int:
        line = os.open(self.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            tty.setraw(line, termios.TCSANOW)
            settings = termios.tcgetattr(line)
            settings[2] |= termios.CLOCAL | termios.CREAD
            settings[4] = settings[5] = termios.B9600
            termios.tcsetattr(line, termios.TCSANOW, settings)
            termios.tcflush(line, termios.TCIOFLUSH)
            fcntl.ioctl(line, termios.TIOCEXCL)
        except (OSError, termios.error):
            os.close(line)
            raise
        return line

    def _let_go(self) -> None:
        for descriptor in (self._line, self._wake):
            if descriptor >= 0:
                os.close(descriptor)
        self._line = self._wake = -1

    def _stir(self) -> None:
        if self._wake >= 0:
            os.eventfd_write(self._wake, 1)

    def _serve(self) -> None:
        lines = Lines()
        sent, due = b"", self._clock()
        heard = due
        while True:
            with self._holding:
                if self._closed:
                    return
                wanted = shown(self._count)
            now = self._clock()
            if wanted != sent or now >= due:
                self._send(wanted)
                sent, due = wanted, now + self._beat
            ready, _, _ = select.select([self._line, self._wake], [], [], max(0.0, due - now))
            if self._wake in ready:
                os.eventfd_read(self._wake)
            if self._line in ready:
                answers = lines.feed(self._receive())
                # An answer to what was to be shown before is a sign of life as well.
                if any(answer.startswith(b"K,") for answer in answers):
                    heard = self._clock()
            if self._clock() - heard > self._patience:
                raise BridgeError(
                    f"The number display on {self.path} does not answer.",
                    "Look whether it has power and whether its wires are right. "
                    "It is tried again by itself; the phones show the number meanwhile.",
                    permanent=False,
                )

    def _send(self, body: bytes) -> None:
        frame = framed(body)
        try:
            sent = os.write(self._line, frame)
        except BlockingIOError:
            sent = 0
        if sent < len(frame):
            _log.info("The line %s took %d of %d bytes.", self.path, sent, len(frame))

    def _receive(self) -> bytes:
        try:
            data = os.read(self._line, 256)
        except BlockingIOError:
            return b""
        if not data:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return data


def _diagnosis(path: str, fault: OSError | termios.error) -> BridgeError:
    number = fault.args[0] if fault.args else 0
    if number == errno.ENOENT:
        return BridgeError(
            f"There is no serial line {path}.",
            "Plug the number display in; ls /dev/serial/by-id names the lines that are there. "
            "It is tried again by itself.",
            permanent=False,
        )
    if number in (errno.EACCES, errno.EPERM):
        return BridgeError(
            f"This user may not use the serial line {path}.",
            "Type: sudo usermod -aG dialout $USER, then log in again.",
            permanent=True,
        )
    if number == errno.EBUSY:
        return BridgeError(
            f"The serial line {path} is in use by another program.",
            "End that program; fuser shows which it is. It is tried again by itself.",
            permanent=False,
        )
    if number in (errno.ENOTTY, errno.EISDIR):
        return BridgeError(
            f"{path} is no serial line.",
            "Start again with --display and the path of one, such as /dev/ttyUSB0.",
            permanent=True,
        )
    if number in _GONE:
        return BridgeError(
            f"The number display on {path} was unplugged.",
            "Plug it in again. It is tried again by itself; the phones show the number meanwhile.",
            permanent=False,
        )
    return BridgeError(
        f"The serial line {path} cannot be used ({fault}).",
        "Look at its cable. It is tried again by itself.",
        permanent=False,
    )
