"""What emulated lamps, number display and buzzer show, for the pages of a table that has no real ones."""

from __future__ import annotations

from collections.abc import Mapping

from companion.table import Table
from companion.upkeep import Lamp, Signs
from firmware_bridge.press import PLACES
from firmware_bridge.signals import DARK, Signals, Tune

TUNES: Mapping[Tune, str] = {
    "turn": "The table waits for another player now.",
    "ask": "Somebody is to answer a question.",
    "no": "That press may not be.",
    "fault": "A device is at fault.",
    "last_round": "The end has come near.",
    "over": "The game is over.",
}
"""What each tune tells."""


class Shown:
    """Shows what the table signals to whoever looks at a page."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._signals = DARK
        self._tune: Tune | None = None

    def show(self, signals: Signals) -> None:
        """Show this from now on."""
        self._signals = signals

    def play(self, tune: Tune) -> None:
        """Tell of this tune until there is another."""
        self._tune = tune

    def signs(self) -> Signs:
        """What is shown now (any thread)."""
        signals, tune = self._signals, self._tune
        shines = dict(signals.lamps)
        lamps = tuple(
            Lamp(seat, shines.get(place, ""))
            for place, seat in enumerate(self._table.published.playing[:PLACES], 1)
        )
        count = signals.count
        return Signs(
            lamps,
            "" if count is None else f"{count.left:4}",
            count is not None and count.last,
            "" if tune is None else TUNES[tune],
        )
