"""What works at the table that runs: its devices as they say themselves, all else as the doctor finds it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Sequence

from companion import upkeep
from companion.doctor import Check, Examiner
from companion.doctor.findings import Finding, ill
from companion.messages import Notice
from companion.table import Table
from firmware_bridge.supervisor import Standing as Supervised
from firmware_bridge.supervisor import Supervisor

Checks = Callable[[Collection[str]], Sequence[Check]]
"""The checks to make besides those of these devices."""


class Health:
    """Knows what works. The devices are never touched: they are asked what they have said already.

    `clock` is that of the supervisors, in monotonic seconds, `wall` the time of day.
    """

    def __init__(
        self,
        table: Table,
        checks: Checks,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._table = table
        self._checks = checks
        self._clock, self._wall = clock, wall
        self._watched: list[tuple[Supervisor, bool]] = []
        self._examiner = Examiner(clock)
        self._looking = threading.Lock()
        self._found: tuple[Finding, ...] = ()
        self._looked: float | None = None
        self._heard: list[Callable[[], None]] = []

    def watch(self, supervisor: Supervisor, emulated: bool) -> None:
        """Tell of this device too, before anybody asks."""
        self._watched.append((supervisor, emulated))

    def listen(self, callback: Callable[[], None]) -> None:
        """Call back when a look has begun or ended; the callback must only hand over."""
        self._heard.append(callback)

    def health(self, *, restarting: bool = False) -> upkeep.Health:
        """What works now, and what was found at the last look (any thread)."""
        faults = {fault.id: fault for fault in self._table.faults}
        devices = tuple(self._told(supervisor, emulated, faults) for supervisor, emulated in self._watched)
        names = self._names()
        others = tuple(
            ill(fault.id, fault.words, fault.cure)
            for fault in faults.values()
            if fault.id.partition(".")[0] not in names
        )
        looked = None if self._looked is None else self._at(self._looked)
        return upkeep.Health(devices, (*others, *self._found), looked, self._looking.locked(), restarting)

    def look(self) -> None:
        """Look at everything else, unless that is being done (any thread)."""
        if self._looking.acquire(blocking=False):
            threading.Thread(target=self._look, name="look", daemon=True).start()

    def _look(self) -> None:
        try:
            self._tell()
            self._found = tuple(self._examiner.examined(self._checks(self._names())))
            self._looked = self._clock()
        finally:
            self._looking.release()
        self._tell()

    def _tell(self) -> None:
        for callback in self._heard:
            callback()

    def _names(self) -> set[str]:
        return {supervisor.name for supervisor, _ in self._watched}

    def _told(self, supervisor: Supervisor, emulated: bool, faults: dict[str, Notice]) -> upkeep.Standing:
        standing: Supervised = supervisor.standing
        name, fault = supervisor.name, standing.fault
        # A device may run and yet be of no use, as a camera in the dark.
        said = faults.get(name)
        words, cure = (said.words, said.cure) if said is not None else ("", "")
        if fault is not None:
            words, cure = fault.words, fault.cure
        return upkeep.Standing(
            name,
            standing.runs,
            self._at(standing.since),
            max(0, standing.restarts),
            emulated,
            words,
            cure,
            tuple(fault for id, fault in faults.items() if id.startswith(f"{name}.")),
        )

    def _at(self, moment: float) -> float:
        """A moment of the supervisors' clock as the time of day, by how long ago it was."""
        return self._wall() - (self._clock() - moment)
