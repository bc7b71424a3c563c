"""What the table shows without a screen, and what every device does that shows it."""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct

from firmware_bridge.device import Device
from firmware_bridge.display import Count

Shine = Literal["on", "blink"]

Tune = Literal["turn", "ask", "no", "fault", "last_round", "over"]
"""Who is waited for is another now; somebody is to answer a question; a press that may not be; a device
is at fault; the end has come near; the game is over."""


class Signals(Struct, frozen=True):
    """What the table shows, whole: what is not named here is dark.

    `lamps` are the places (1 to PLACES) whose lamps are on or blink, each once, in their order.
    """

    lamps: tuple[tuple[int, Shine], ...] = ()
    count: Count | None = None


DARK = Signals()


class Showing(Protocol):
    """Whoever shows what the table signals."""

    def show(self, signals: Signals) -> None:
        """Show this from now on: from any thread, never blocking, the latest wins."""

    def play(self, tune: Tune) -> None:
        """Play this once, in the place of what still sounds; never later, if the device is away now.

        From any thread, never blocking.
        """


class Signalling(Device, Showing, Protocol):
    """A device that shows what the table signals, and again whenever it is back."""
