"""What the pages may ask of the machine, put together for the table that runs."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from companion.config.form import Found
from companion.daemon import Settings, Source
from companion.doctor import Check, checks_beside
from companion.notify import restart_status
from companion.stopping import Stopping
from companion.table import Table
from companion.upkeep import Form, Signs
from companion.upkeep import Health as Told
from companion.upkeep.configuring import Configuring
from companion.upkeep.health import Health
from companion.upkeep.shown import Shown
from companion.upkeep.trial import trial
from firmware_bridge.supervisor import Supervisor

_log = logging.getLogger(__name__)

GRACE = 1.0
"""Seconds from the wish to start again until the process stops: the phone gets its answer before."""

BY_HAND = "Stationmaster was started by hand: end it with Ctrl-C, then start it once more."


class Housekeeping:
    """The machine of one table. `port` is that of its pages, `stop` the end of this process."""

    def __init__(self, table: Table, settings: Settings, source: Source, port: int, stop: Stopping) -> None:
        self._settings, self._port, self._stop = settings, port, stop
        self._configuring = Configuring(
            source,
            settings,
            lambda others: trial(others, settings),
            plugged_in,
            lambda: table.game.title if table.state is not None else "",
        )
        self._health = Health(table, self._checks)
        self._status = restart_status()
        self._restarting = False
        self.shown = Shown(table) if is_emulated(settings) else None

    def watch(self, supervisor: Supervisor, emulated: bool) -> None:
        """Tell of this device."""
        self._health.watch(supervisor, emulated)

    def listen(self, callback: Callable[[], None]) -> None:
        """Call back when what `health` says has changed by a look; the callback must only hand over."""
        self._health.listen(callback)

    def health(self) -> Told:
        """What works now, and what was found at the last look."""
        return self._health.health(restarting=self._restarting)

    def look(self) -> None:
        """Look at everything that is not a device of this table, unless that is being done."""
        self._health.look()

    def form(self) -> Form:
        """The configuration as the file has it."""
        return self._configuring.form()

    def change(self, typed: Mapping[str, str], was: str) -> Form:
        """Write what was typed into the file; with any fault nothing is written, and the form tells it."""
        form = self._configuring.change(typed, was)
        if form.saved:
            self._health.look()
        return form

    @property
    def restarts(self) -> bool:
        """Whether Stationmaster can start itself again."""
        return self._status is not None

    def restart(self) -> str:
        """Start Stationmaster again a moment later; why that cannot be, "" when it will."""
        if self._status is None:
            return BY_HAND
        if faults := self._configuring.faults():
            return " ".join(f"{fault.words} {fault.cure}".rstrip() for fault in faults)
        self._restarting = True
        _log.warning("Stationmaster starts again, as a page has asked it to.")
        waiting = threading.Timer(GRACE, self._stop.tell, (self._status,))
        waiting.daemon = True
        waiting.start()
        return ""

    def signs(self) -> Signs | None:
        """What emulated lamps, display and buzzer show now; None where there are none."""
        return None if self.shown is None else self.shown.signs()

    def _checks(self, own: Collection[str]) -> Sequence[Check]:
        return (
            Check("configuration", self._configuring.findings, 10),
            *checks_beside(self._settings, self._port, own),
        )


def is_emulated(settings: Settings) -> bool:
    """Whether lamps, number display and buzzer are emulated: they themselves, or all of the table."""
    some = settings.pins == "mock" or settings.controller.line == "emulated"
    real = settings.pins == "gpiozero" or settings.controller.line not in ("none", "emulated")
    return some or (settings.table == "emulated" and not real)


def plugged_in(dev: Path = Path("/dev")) -> Found:
    """The cameras and serial lines by names that stay, none of which is opened."""
    return Found(
        tuple(sorted(map(str, dev.glob("v4l/by-id/*-video-index0")))),
        tuple(sorted(map(str, dev.glob("serial/by-id/*")))),
    )
