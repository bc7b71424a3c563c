"""Devices in virtual time, run in a thread of their own, and what is waited for there."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from firmware_bridge.device import Device

WAIT = 20 * float(os.environ.get("SLOWER", "1"))
"""Seconds in which things come about, if they do. Where all takes SLOWER times as long, that says so."""


class VirtualTime:
    """A clock that goes on only when somebody pauses on it."""

    def __init__(self) -> None:
        self.now = 1e9  # far from what any real clock says

    def __call__(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.now += seconds


@contextmanager
def running(device: Device) -> Iterator[None]:
    """The device open and served by a thread until the end."""
    device.open()
    thread = threading.Thread(target=device.run)
    thread.start()
    try:
        yield
    finally:
        device.close()
        thread.join(timeout=WAIT)
        assert not thread.is_alive()


def until(holds: Callable[[], bool]) -> None:
    """Wait until it holds; a failure when it does not come to that."""
    end = time.monotonic() + WAIT
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.005)
