"""The supervisor: growing waits in virtual time, and a real thread that is stopped and woken."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue

import pytest

from firmware_bridge.device import BridgeError, Fault
from firmware_bridge.supervisor import HANGS, OPENS, Backoff, Supervisor
from tests.hardware.virtual import until

UNPLUGGED = BridgeError("The camera is gone.", "Plug it in.", permanent=False)
FORBIDDEN = BridgeError("This user may not use it.", "Add the user to the group.", permanent=True)


def test_waits_double_up_to_a_limit() -> None:
    backoff = Backoff(first=1, longest=30, calm=60)
    assert [backoff.failed(ran_for=2) for _ in range(7)] == [1, 2, 4, 8, 16, 30, 30]


def test_waits_begin_anew_after_a_calm_spell() -> None:
    backoff = Backoff(first=1, longest=30, calm=60)
    assert [backoff.failed(ran_for) for ran_for in (0, 0, 0, 60, 0)] == [1, 2, 4, 1, 2]


class Scripted:
    """A device whose every attempt ends as the script says: it runs so long, then this happens."""

    name = "camera"
    emulates = ""

    def __init__(self, script: list[tuple[str, float, Exception | None]]) -> None:
        self.script = script
        self.now = 0.0
        self.closed = 0

    def clock(self) -> float:
        return self.now

    def open(self) -> None:
        if self.script[0][0] == "open":
            self._play()

    def run(self) -> None:
        self._play()

    def close(self) -> None:
        self.closed += 1

    def _play(self) -> None:
        _, seconds, error = self.script.pop(0)
        self.now += seconds
        if error:
            raise error


def supervise(
    script: list[tuple[str, float, Exception | None]],
) -> tuple[list[float | None], list[Fault | None]]:
    """The waits and the reports of a supervisor that is stopped when the script is at its end."""
    device = Scripted(list(script))
    waits: list[float | None] = []
    reports: list[Fault | None] = []

    def wait(seconds: float | None) -> None:
        waits.append(seconds)
        if not device.script:
            supervisor._stopping.set()

    supervisor = Supervisor(device, lambda name, fault: reports.append(fault), clock=device.clock, wait=wait)
    supervisor.run()
    assert device.closed == len(waits)
    return waits, reports


def test_what_fails_is_tried_again_after_longer_and_longer() -> None:
    waits, reports = supervise([("open", 0, UNPLUGGED), ("open", 0, UNPLUGGED), ("run", 5, UNPLUGGED)])
    assert waits == [1, 2, 4]
    gone = Fault("camera", "The camera is gone.", "Plug it in.")
    assert reports == [gone, gone, None, gone]


def test_a_device_that_ran_well_is_tried_again_at_once() -> None:
    waits, _ = supervise([*[("open", 0, UNPLUGGED)] * 4, ("run", 3600, UNPLUGGED)])
    assert waits == [1, 2, 4, 8, 1]


def test_a_permanent_fault_waits_for_a_person() -> None:
    waits, reports = supervise([("open", 0, FORBIDDEN), ("run", 1, UNPLUGGED)])
    assert waits == [None, 1]
    assert reports[0] == Fault(
        "camera", "This user may not use it.", "Add the user to the group.", permanent=True
    )


def test_an_exception_that_nobody_expected_is_a_fault_too(caplog: pytest.LogCaptureFixture) -> None:
    waits, reports = supervise([("run", 1, ZeroDivisionError("division by zero"))])
    assert waits == [1]
    assert reports[-1] is not None
    assert "ZeroDivisionError" in reports[-1].words
    assert "division by zero" in caplog.text


def test_a_run_that_just_ends_is_a_fault_too() -> None:
    waits, reports = supervise([("run", 1, None)])
    assert waits == [1]
    assert reports[-1] is not None
    assert "ended by itself" in reports[-1].words


def test_how_it_stands_is_told_with_since_when_and_how_often_it_was_started_again() -> None:
    seen: list[tuple[bool, float, int]] = []
    device = Scripted(
        [("run", 5, UNPLUGGED), ("open", 1, UNPLUGGED), ("open", 1, UNPLUGGED), ("run", 9, FORBIDDEN)]
    )

    def report(name: str, fault: Fault | None) -> None:
        standing = supervisor.standing
        assert standing.fault == fault
        seen.append((standing.runs, standing.since, standing.restarts))

    def wait(seconds: float | None) -> None:
        device.now += seconds or 0
        if not device.script:
            supervisor._stopping.set()

    supervisor = Supervisor(device, report, Backoff(first=10), device.clock, wait)
    assert (supervisor.standing.runs, supervisor.standing.fault) == (False, None)
    supervisor.run()
    assert seen == [
        (True, 0, 0),
        (False, 5, 0),
        (False, 5, 1),
        (False, 5, 2),
        (True, 5 + 10 + 1 + 20 + 1 + 30, 3),
        (False, 76, 3),
    ]


class Blocking:
    """A device that runs until it is closed, and can be told to refuse."""

    name = "camera"
    emulates = ""

    def __init__(self) -> None:
        self.refuses: Exception | None = None
        self.failing: Exception | None = None
        self.closing = threading.Event()

    def open(self) -> None:
        if self.refuses:
            raise self.refuses
        self.closing.clear()

    def run(self) -> None:
        self.closing.wait()
        if self.failing:
            raise self.failing

    def close(self) -> None:
        self.closing.set()


def started(device: Blocking, report: Callable[[str, Fault | None], None]) -> Supervisor:
    supervisor = Supervisor(device, report)
    supervisor.start()
    return supervisor


def test_stop_ends_the_device_and_the_thread() -> None:
    reports: SimpleQueue[Fault | None] = SimpleQueue()
    supervisor = started(Blocking(), lambda name, fault: reports.put(fault))
    assert reports.get(timeout=20) is None
    assert supervisor.stop(timeout=20)
    assert reports.empty()


def test_stop_ends_a_long_wait() -> None:
    device = Blocking()
    device.refuses = FORBIDDEN
    reports: SimpleQueue[Fault | None] = SimpleQueue()
    supervisor = started(device, lambda name, fault: reports.put(fault))
    assert reports.get(timeout=20)
    assert supervisor.stop(timeout=20)


def test_retry_wakes_what_waits_for_a_person() -> None:
    device = Blocking()
    device.refuses = FORBIDDEN
    reports: SimpleQueue[Fault | None] = SimpleQueue()
    supervisor = started(device, lambda name, fault: reports.put(fault))
    assert reports.get(timeout=20)
    device.refuses = None
    supervisor.retry()
    assert reports.get(timeout=20) is None
    assert supervisor.stop(timeout=20)


def test_a_listener_that_fails_does_not_end_the_device(caplog: pytest.LogCaptureFixture) -> None:
    device = Blocking()
    heard = threading.Event()

    def report(name: str, fault: Fault | None) -> None:
        heard.set()
        raise ZeroDivisionError("the table fell over")

    supervisor = started(device, report)
    assert heard.wait(timeout=20)
    assert supervisor._thread.is_alive()
    assert supervisor.stop(timeout=20)
    assert "the table fell over" in caplog.text


class Hanging(Blocking):
    """A device whose calls may not come back for so many seconds."""

    held_up = 0.0

    def __init__(self) -> None:
        super().__init__()
        self.opens = threading.Event()
        self.opens.set()

    def open(self) -> None:
        self.opens.wait(20)
        super().open()


def test_a_device_that_hangs_is_told_of_once_and_when_it_is_over() -> None:
    device = Hanging()
    reports: SimpleQueue[Fault | None] = SimpleQueue()
    supervisor = started(device, lambda name, fault: reports.put(fault))
    assert reports.get(timeout=20) is None
    device.held_up = HANGS - 0.1
    supervisor._see_whether_it_hangs()
    assert reports.empty()
    device.held_up = HANGS + 0.1
    for _ in range(3):
        supervisor._see_whether_it_hangs()
    fault = reports.get(timeout=20)
    assert fault is not None
    assert (fault.device, fault.words) == ("camera", "What serves the camera has hung for 5 seconds.")
    assert "start Stationmaster again" in fault.cure
    assert reports.empty()
    device.held_up = 0.0
    assert reports.get(timeout=20) is None
    assert supervisor.stop(timeout=20)
    assert reports.empty()


def test_what_became_of_a_device_that_hung_is_told_last() -> None:
    device = Hanging()
    device.failing = FORBIDDEN
    reports: SimpleQueue[Fault | None] = SimpleQueue()
    supervisor = started(device, lambda name, fault: reports.put(fault))
    assert reports.get(timeout=20) is None
    device.held_up = HANGS + 1
    assert reports.get(timeout=20) is not None
    with supervisor._telling:
        device.held_up = 0.0
        device.closing.set()  # it comes back, and has failed
    # That it hangs no more may be told, but only before that.
    fault = reports.get(timeout=20) or reports.get(timeout=20)
    assert fault is not None
    assert fault.permanent
    supervisor._see_whether_it_hangs()
    assert supervisor.stop(timeout=20)
    assert reports.empty()


def test_a_device_that_hangs_in_opening_is_told_of() -> None:
    device = Hanging()
    device.opens.clear()
    reports: SimpleQueue[Fault | None] = SimpleQueue()
    now = [100.0]
    supervisor = Supervisor(device, lambda name, fault: reports.put(fault), clock=lambda: now[0])
    supervisor.start()
    until(lambda: supervisor._opening is not None)
    now[0] += OPENS + 1
    fault = reports.get(timeout=20)
    assert fault is not None
    assert "has hung for 40 seconds" in fault.words
    device.opens.set()
    assert reports.get(timeout=20) is None
    assert supervisor.stop(timeout=20)
    assert reports.empty()
