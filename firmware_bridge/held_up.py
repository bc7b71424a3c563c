"""How long a call into a library has gone on, told by the thread that made it and asked by another."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType


class HeldUp:
    """A lock around calls that may hang. `seconds` is how long it has been held now, 0 when it is free."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._lock = threading.Lock()
        self._clock = clock
        self._since: float | None = None

    @property
    def seconds(self) -> float:
        """For how long the call under way has gone on: from any thread, without waiting for it."""
        since = self._since
        return 0.0 if since is None else self._clock() - since

    def acquire(self, blocking: bool = True) -> bool:
        """Take it, as a lock; whether it was had."""
        had = self._lock.acquire(blocking)
        if had:
            self._since = self._clock()
        return had

    def release(self) -> None:
        """Give it back."""
        self._since = None
        self._lock.release()

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
