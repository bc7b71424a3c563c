"""Being told to stop, at any moment and within a time."""

from __future__ import annotations

import logging
import os
import select
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

_log = logging.getLogger(__name__)

LONGEST = 1.5
"""Seconds after the signal at which the process ends, whatever hangs."""

_LAST_WORDS = 0.2
"""Seconds of these, or of any other end, that the log may take: what writes it may be what hangs."""


class Stopping:
    """SIGINT and SIGTERM, as something to wait for. `status` is that with which the process ends then."""

    def __init__(self, told: int, unused: threading.Event) -> None:
        self._told = told
        self._unused = unused
        self.status = 0
        self._let_go: list[Callable[[], object]] = []

    def at_once(self, let_go: Callable[[], object]) -> None:
        """Have this called when the process is told to stop, before anything else is taken apart.

        Others may be closed before it and take their time, and what it has begun goes on meanwhile.
        """
        self._let_go.append(let_go)

    def tell(self, status: int) -> None:
        """Tell this process to stop, and to end with that status: from any thread."""
        self.status = status
        os.kill(os.getpid(), signal.SIGTERM)

    def wait(self) -> None:
        """Wait until this process is told to stop."""
        select.select([self._told], [], [])

    @property
    def was_told(self) -> bool:
        """Whether this process has been told to stop."""
        return bool(select.select([self._told], [], [], 0)[0])

    def guard(self) -> None:
        """Wait as well, then end the process should it not have ended by itself in time.

        Whatever was confirmed is on the disk by then, so nothing is lost.
        """
        self.wait()
        _aside(self._begin, "letting go")
        if not self._unused.wait(LONGEST - _LAST_WORDS):
            _end(self.status, _tell_what_hangs)

    def _begin(self) -> None:
        for let_go in self._let_go if not self._unused.is_set() else ():
            try:
                let_go()
            except Exception:
                _log.exception("Something could not be let go.")


@contextmanager
def stopping() -> Iterator[Stopping]:
    """Hear SIGINT and SIGTERM from here on; after one the process ends in time. Only in the main thread.

    The signal is written into a pipe by the interpreter's own handler in C, so that it is heard while
    the main thread is busy in a library, and no lock is touched that the signal may have come into.
    """
    told, telling = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    unused = threading.Event()
    found = Stopping(told, unused)
    before = {number: signal.signal(number, _heard) for number in (signal.SIGINT, signal.SIGTERM)}
    waking = signal.set_wakeup_fd(telling, warn_on_full_buffer=False)
    threading.Thread(target=found.guard, name="guard of the stop", daemon=True).start()
    try:
        yield found
    finally:
        signal.set_wakeup_fd(waking)
        for number, handler in before.items():
            signal.signal(number, handler)
        if not found.was_told:
            unused.set()
            os.write(telling, b"\0")


def _heard(number: int, frame: object) -> None:
    """The pipe has it already; without a handler the process would end at once."""


def leave(status: int) -> NoReturn:
    """End this process now, with nothing taken apart any more.

    An interpreter that ends waits for threads, and libraries that it has loaded for theirs; by then no
    guard of ours can run.
    """
    _end(status, logging.shutdown)


def _end(status: int, last: Callable[[], object]) -> NoReturn:
    """End this process when the last thing is done, or does not come back. Nothing here waits without end."""
    try:
        if (thread := _aside(last, "last words")) is not None:
            thread.join(_LAST_WORDS)
    finally:
        os._exit(status)


def _aside(what: Callable[[], object], name: str) -> threading.Thread | None:
    """Do it in a thread of its own; None, and nothing is done, where the system gives no more threads."""
    thread = threading.Thread(target=what, name=name, daemon=True)
    try:
        thread.start()
    except RuntimeError:
        return None
    return thread


def _tell_what_hangs() -> None:
    hanging = [thread.name for thread in threading.enumerate() if not thread.daemon]
    _log.warning("Not everything stopped within %s seconds (%s).", LONGEST, ", ".join(hanging))
    logging.shutdown()
