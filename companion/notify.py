"""Telling systemd that the table is served, and that its loop still turns: sd_notify(3).

systemd says by NOTIFY_SOCKET where to tell it, and by WATCHDOG_USEC how long it waits for a word.
Where it says nothing, nothing is told.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

_log = logging.getLogger(__name__)


def notify(*words: str) -> bool:
    """Tell systemd these words, such as "READY=1"; False when nobody asked or it cannot be told."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    if address.startswith("@"):
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
            # A full socket must not hold up who tells: the next word comes soon.
            out.settimeout(1)
            out.sendto("\n".join(words).encode(), address)
    except OSError as fault:
        _log.warning("systemd could not be told %s: %s", words, fault)
        return False
    return True


def patience() -> float | None:
    """For how many seconds systemd waits for a word of this process; None when it does not."""
    if os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    told = os.environ.get("WATCHDOG_USEC", "")
    return int(told) / 1e6 if told.isdecimal() and int(told) else None


def restart_status() -> int | None:
    """The exit status after which this process is started again, as its unit says; None where none does."""
    told = os.environ.get("RESTARTED_AFTER", "")
    return int(told) if told.isdecimal() and 0 < int(told) < 256 else None


class Watchdog:
    """Tells systemd that all is well, as long as the beats that it sends through a loop come back.

    `beat` puts a beat on the loop's queue; its future is done by the loop itself. One that does not
    come back is waited for, and nothing is told meanwhile: that is what systemd waits for.
    """

    def __init__(self, beat: Callable[[], Future[Any]], every: float) -> None:
        self._beat = beat
        self._every = every
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)

    def start(self) -> None:
        """Begin to beat."""
        self._thread.start()

    def stop(self) -> None:
        """Beat no more. A beat that is still under way is not waited for."""
        self._stopping.set()

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._beat().result()
            notify("WATCHDOG=1")
            self._stopping.wait(self._every)
