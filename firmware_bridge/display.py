"""A number display: what it shows, and its back-ends by name."""

from __future__ import annotations

import threading
from typing import Protocol

from msgspec import Struct

from firmware_bridge.device import Device

MOST = 9999
"""The largest number that four digits show."""


class Count(Struct, frozen=True):
    """What a number display shows: how much is left, 0 to MOST, and whether the end has come near."""

    left: int
    last: bool = False


class Display(Device, Protocol):
    """The device "display". It shows the latest count alone, and again whenever it is back."""

    def show(self, count: Count | None) -> None:
        """Show this from now on, None for nothing: from any thread, never blocking."""


class NoDisplay:
    """The display of a table that has none."""

    name = "display"
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

    def show(self, count: Count | None) -> None:
        """Nobody sees it."""


def display(backend: str) -> Display:
    """The display of that back-end: none, emulated, or the path of a serial line; else ValueError.

    Nothing is chosen in another's place: a line that cannot be had is a fault, never an emulation.
    """
    if backend == "none":
        return NoDisplay()
    if backend == "emulated":
        from firmware_bridge.emulated_display import EmulatedDisplay

        return EmulatedDisplay()
    if backend.startswith("/"):
        from firmware_bridge.serial_display import SerialDisplay

        return SerialDisplay(backend)
    raise ValueError(
        f"There is no display called '{backend}'. "
        "Known ones: none, emulated, or a serial line such as /dev/ttyUSB0."
    )
