"""Keeps a device running: opens it again after a fault, each time after a longer wait; tells if it hangs."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from msgspec import Struct

from firmware_bridge.device import BridgeError, Device, Fault, MayHang

_log = logging.getLogger(__name__)

HANGS = 5.0
"""Seconds after which a call that has not come back is told of."""

OPENS = 40.0
"""The same for opening a device: a camera may take its time, and gives itself up before."""

_LOOK = 0.5


class Backoff:
    """How long to wait before the next try: twice as long each time, anew after a calm spell.

    All times are seconds. It reads no clock: it is told for how long the device ran.
    """

    def __init__(self, first: float = 1.0, longest: float = 30.0, calm: float = 60.0) -> None:
        self._first = first
        self._longest = longest
        self._calm = calm
        self._next = first

    def failed(self, ran_for: float) -> float:
        """The device failed after running so long; how long to wait now."""
        if ran_for >= self._calm:
            self._next = self._first
        wait = self._next
        self._next = min(self._longest, wait * 2)
        return wait


class Standing(Struct, frozen=True):
    """How a device stands: whether it runs, and what is wrong if it does not.

    Neither is so while it is opened for the first time. `since` is when it began to run, or to fail, in
    the supervisor's monotonic seconds. `restarts` counts how often it was opened again after a fault.
    """

    runs: bool
    fault: Fault | None
    since: float
    restarts: int = 0


class Supervisor:
    """Runs one device in a thread of its own, whatever happens to it.

    `report(name, fault)` is called in that thread: with None when the device runs, with its Fault
    when it does not. A second thread looks whether the first one hangs in the device, where nothing
    but the end of this process may help, and calls `report` with that. After a permanent fault the
    device rests until `retry`. `clock` and `wait` can be replaced by a test: `wait(seconds)` returns
    early when the supervisor is woken, and with None it waits for just that.
    """

    def __init__(
        self,
        device: Device,
        report: Callable[[str, Fault | None], None],
        backoff: Backoff | None = None,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float | None], None] | None = None,
    ) -> None:
        self._device = device
        self._report = report
        self._backoff = backoff or Backoff()
        self._clock = clock
        self._woken = threading.Event()
        self._wait = wait or self._wait_until_woken
        self._stopping = threading.Event()
        self._telling = threading.Lock()
        self._standing = Standing(False, None, clock())
        self._restarts = -1  # the first attempt is none
        self._opening: float | None = None
        self._hangs = False
        self._thread = threading.Thread(target=self.run, name=f"{device.name} supervisor", daemon=True)
        self._minder = threading.Thread(target=self._mind, name=f"{device.name} minder", daemon=True)

    @property
    def standing(self) -> Standing:
        """How the device stands now (any thread)."""
        return self._standing

    @property
    def name(self) -> str:
        """The device's name."""
        return self._device.name

    def start(self) -> None:
        """Start the threads."""
        self._thread.start()
        self._minder.start()

    def let_go(self) -> None:
        """Begin to stop: have the device close, and open it no more (any thread)."""
        self._stopping.set()
        self._woken.set()
        self._device.close()

    def stop(self, timeout: float = 2.0) -> bool:
        """Close the device and end the thread; False when it still hangs after `timeout` seconds."""
        self.let_go()
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def retry(self) -> None:
        """Try the device again now: somebody has mended it."""
        self._woken.set()

    def run(self) -> None:
        """What the thread does: one attempt after the other until stopped."""
        while True:
            # A wake-up from before this attempt is spent; the one of `stop` comes after its flag.
            self._woken.clear()
            if self._stopping.is_set():
                return
            started = self._clock()
            self._restarts += 1
            fault = self._attempt()
            if self._stopping.is_set():
                return
            self._tell(fault)
            self._wait(None if fault.permanent else self._backoff.failed(self._clock() - started))

    def _attempt(self) -> Fault:
        name = self._device.name
        try:
            self._opening = self._clock()
            try:
                self._device.open()
            finally:
                self._opening = None
            if not self._stopping.is_set():
                self._tell(None)
                self._device.run()
            fault = Fault(name, f"What serves the {name} ended by itself.", "It is started again by itself.")
        except BridgeError as error:
            fault = Fault(name, error.words, error.cure, error.permanent)
        except Exception as error:
            _log.exception("The %s failed in a way that nobody expected.", name)
            fault = Fault(
                name,
                f"What serves the {name} failed ({type(error).__name__}: {error}).",
                "It is started again by itself; the log has the details.",
            )
        try:
            self._device.close()
        except Exception:
            _log.exception("The %s could not be closed.", name)
        return fault

    def _mind(self) -> None:
        while not self._stopping.wait(_LOOK):
            self._see_whether_it_hangs()

    def _see_whether_it_hangs(self) -> None:
        """Tell of a device that hangs, once, and when it is over; the end of an `open` tells itself."""
        with self._telling:  # what the first thread tells comes before, or after and then is newer
            opening = self._opening
            if opening is not None:
                seconds, longest = self._clock() - opening, OPENS
            else:
                seconds = self._device.held_up if isinstance(self._device, MayHang) else 0.0
                longest = HANGS
            hung = seconds > longest
            if hung and not self._hangs:
                self._hangs = True
                self._say(_hanging(self._device.name, longest))
            elif self._hangs and not hung and opening is None:
                self._hangs = False
                self._say(None)

    def _tell(self, fault: Fault | None) -> None:
        with self._telling:
            self._hangs = False
            self._say(fault)

    def _say(self, fault: Fault | None) -> None:
        was = self._standing
        goes_on = was.fault is not None and fault is not None
        since = was.since if goes_on else self._clock()
        self._standing = Standing(fault is None, fault, since, self._restarts)
        try:
            self._report(self._device.name, fault)
        except Exception:  # whoever hears of a fault must not stop the device from being tried again
            _log.exception("What became of the %s could not be told.", self._device.name)

    def _wait_until_woken(self, seconds: float | None) -> None:
        self._woken.wait(seconds)


def _hanging(name: str, seconds: float) -> Fault:
    return Fault(
        name,
        f"What serves the {name} has hung for {seconds:.0f} seconds.",
        "If it lasts, start Stationmaster again: sudo systemctl restart stationmaster. If that does not "
        "help, start this machine again. The phones do its part meanwhile.",
    )
