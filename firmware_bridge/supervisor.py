"""Keeps a device running: opens it again after a fault, each time after a longer wait."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from firmware_bridge.device import BridgeError, Device, Fault

_log = logging.getLogger(__name__)


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


class Supervisor:
    """Runs one device in a thread of its own, whatever happens to it.

    `report(name, fault)` is called in that thread: with None when the device runs, with its Fault
    when it does not. After a permanent fault the device rests until `retry`. `clock` and `wait`
    can be replaced by a test: `wait(seconds)` returns early when the supervisor is woken, and
    with None it waits for just that.
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
        self._thread = threading.Thread(target=self.run, name=f"{device.name} supervisor", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self, timeout: float = 2.0) -> bool:
        """Close the device and end the thread; False when it still hangs after `timeout` seconds."""
        self._stopping.set()
        self._woken.set()
        self._device.close()
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
            fault = self._attempt()
            if self._stopping.is_set():
                return
            self._tell(fault)
            self._wait(None if fault.permanent else self._backoff.failed(self._clock() - started))

    def _attempt(self) -> Fault:
        name = self._device.name
        try:
            self._device.open()
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

    def _tell(self, fault: Fault | None) -> None:
        try:
            self._report(self._device.name, fault)
        except Exception:  # whoever hears of a fault must not stop the device from being tried again
            _log.exception("What became of the %s could not be told.", self._device.name)

    def _wait_until_woken(self, seconds: float | None) -> None:
        self._woken.wait(seconds)
