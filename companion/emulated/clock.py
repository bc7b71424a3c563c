"""The time that the emulated table runs on: the machine's own, or one that only waiting moves."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Monotonic seconds."""

    def now(self) -> float:
        """The time now."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class MonotonicClock:
    """The machine's own time."""

    def now(self) -> float:
        """The time now."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait; not at all for less than nothing."""
        time.sleep(max(seconds, 0.0))


class VirtualClock:
    """Stands still but for its sleepers, so that a game takes no longer than working it out. One thread."""

    def __init__(self, start: float = 1000.0) -> None:
        self._now = start

    def now(self) -> float:
        """The time now."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Let so much time pass at once."""
        self._now += max(seconds, 0.0)
