"""Notices that a write to the disk takes long, while whoever writes still waits for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from companion.messages import Notice

PATIENCE = 3.0
"""Seconds that a write may take before people are told: a worn memory card takes them now and then."""

NOTICE = Notice(
    "disk",
    "The disk has not taken what was said last for some seconds: the table waits for it.",
    "Wait, and look here before you say it again. If it lasts, look at what the system says of the disk: "
    "sudo dmesg | tail -n 20. A memory card that does so often is worn out.",
    machine=True,
)

_LOOK = 0.5


class SlowDisk:
    """Watches writes, one at a time. `tell` is called in a thread of its own once one takes long.

    The write goes on only when `tell` is done, so that the two never change anything at once.
    """

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._telling = threading.Lock()
        self._since: float | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._mind, name="slow disk", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._stopping.set()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Around one write."""
        self._since = time.monotonic()
        try:
            yield
        finally:
            with self._telling:
                self._since = None

    def _mind(self) -> None:
        while not self._stopping.wait(_LOOK):
            with self._telling:
                if self._since is not None and time.monotonic() - self._since > PATIENCE:
                    self._since = None  # told once
                    self._tell()
