"""`stationmaster doctor`: looks at each part of a table by itself and says what works and what to do.

Each check is a function that returns findings, in a thread with a bound of its own, so that one that
hangs holds nothing up.
"""

from __future__ import annotations

import logging
import textwrap
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

import msgspec
from msgspec import Struct

from companion.config import ConfigFault
from companion.daemon import Settings
from companion.doctor import devices, machine
from companion.doctor.findings import Finding, ill, well

_log = logging.getLogger(__name__)

_HERE = "this one"


class Check(Struct, frozen=True):
    """A part of the table, how to look at it, and for how many seconds at most."""

    part: str
    look: Callable[[], Sequence[Finding]]
    seconds: float


def checks(settings: Settings) -> tuple[Check, ...]:
    """All checks for a table with these settings, in the order in which they are told."""
    running = devices.running()
    return (
        Check("camera", partial(devices.camera, settings, running), 35),
        Check("pins", partial(devices.pins, settings, running), 15),
        Check("controller", partial(devices.controller, settings, running), 20),
        Check("disk", partial(machine.disk, settings.state), 15),
        Check("network", partial(machine.network, settings.host, settings.port), 30),
        Check("power", machine.power, 10),
        Check("Python", partial(machine.python, machine.modules(settings)), 60),
    )


def checks_beside(settings: Settings, port: int, own: Collection[str]) -> tuple[Check, ...]:
    """The checks that a running table makes of itself: all but those of its `own` devices, which say it
    themselves, and of what it has loaded already. `port` is the one that its pages are served on.
    """
    found = []
    if "camera" not in own:
        found.append(Check("camera", partial(devices.camera, settings, _HERE), 35))
    if not {"buttons", "lamps"} & set(own):
        found.append(Check("pins", partial(devices.pins, settings, _HERE), 15))
    if "controller" not in own:
        found.append(Check("controller", partial(devices.controller, settings, _HERE), 20))
    return (
        *found,
        Check("disk", partial(machine.disk, settings.state), 15),
        Check("network", partial(machine.network, settings.host, port), 30),
        Check("power", machine.power, 10),
        Check("Python", partial(machine.python, ()), 60),
    )


def examined(checks: Sequence[Check], clock: Callable[[], float] = time.monotonic) -> Iterator[Finding]:
    """What all checks find, in their order. They run at once; one that takes too long is given up."""
    yield from Examiner(clock).examined(checks)


class Examiner:
    """Makes checks again and again. One that has hung since an earlier time is not begun once more."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._runs: dict[str, _Run] = {}

    def examined(self, checks: Sequence[Check]) -> Iterator[Finding]:
        """What all checks find, in their order; not for several threads at once."""
        begun = self._clock()
        for check in checks:
            if check.part not in self._runs or not self._runs[check.part].hangs:
                self._runs[check.part] = _Run(check)
        for check in checks:
            yield from self._runs[check.part].findings(max(0.0, begun + check.seconds - self._clock()))


def configured(source: str, faults: Sequence[ConfigFault]) -> list[Finding]:
    """What is said of the configuration: its faults, or that it is in order."""
    if not faults:
        return [well("configuration", f"{source} is in order." if source else "There is none: defaults.")]
    return [
        ill(
            "configuration",
            f"{source}{f', line {fault.line}' if fault.line else ''}: {fault.words}",
            fault.cure,
        )
        for fault in faults
    ]


def told(finding: Finding) -> str:
    """A finding in lines for a terminal: what to do stands below what is wrong."""
    head = f"{'ok' if finding.ok else 'FAULT':<6} {finding.part:<13} "
    below = " " * len(head)
    rows = _wrapped(finding.words, head, below)
    if finding.cure:
        rows += _wrapped(finding.cure, f"{below}-> ", f"{below}   ")
    return "\n".join(rows)


def _wrapped(words: str, first: str, then: str) -> list[str]:
    # Paths and commands are to be copied, so none is broken at its hyphens.
    return textwrap.wrap(
        words,
        110,
        initial_indent=first,
        subsequent_indent=then,
        break_on_hyphens=False,
        break_long_words=False,
    )


def as_json(findings: Sequence[Finding]) -> str:
    """The same for programs."""
    return msgspec.json.format(msgspec.json.encode(findings)).decode()


class _Run:
    """A check in a thread of its own, which nobody waits for longer than it may take."""

    def __init__(self, check: Check) -> None:
        self._check = check
        self._found: Sequence[Finding] = ()
        self._thread = threading.Thread(target=self._run, name=f"{check.part} check", daemon=True)
        self._thread.start()

    @property
    def hangs(self) -> bool:
        return self._thread.is_alive()

    def findings(self, seconds: float) -> Sequence[Finding]:
        self._thread.join(seconds)
        if not self._thread.is_alive():
            return self._found
        words = f"This did not come to an end in {self._check.seconds:.0f} seconds and was given up."
        cure = "Something hangs there. Pull its plug for a moment, or start this machine again."
        return [ill(self._check.part, words, cure)]

    def _run(self) -> None:
        try:
            self._found = self._check.look()
        except ImportError as fault:
            self._found = [ill(self._check.part, f"A package is missing ({fault}).", machine.AGAIN)]
        except Exception as fault:  # one check that fails must not take the others with it
            _log.info("The check of the %s failed.", self._check.part, exc_info=True)
            words = f"It could not be looked at ({type(fault).__name__}: {fault})."
            cure = "That is a fault of this program. Please report it with these words."
            self._found = [ill(self._check.part, words, cure)]
