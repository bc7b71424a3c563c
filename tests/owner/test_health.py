"""What works at a table that runs: its devices by their own word, all else by looks that hold nothing up."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

import pytest

from companion.doctor import Check
from companion.doctor.findings import Finding, ill, well
from companion.messages import Dismiss
from companion.table import Table
from companion.upkeep import Standing
from companion.upkeep.health import Health
from firmware_bridge.device import BridgeError, Fault
from firmware_bridge.supervisor import Backoff, Supervisor
from tests.hardware.virtual import until
from tests.table.desk import Desk
from tests.web.machines import Machine

GONE = BridgeError("The camera is gone.", "Plug it in.", permanent=False)


class Device:
    """Opens, or fails, as it is told; runs until it is closed or fails."""

    emulates = ""

    def __init__(self, name: str, fault: BridgeError | None = None) -> None:
        self.name, self.fault = name, fault
        self._ends = threading.Event()

    def open(self) -> None:
        self._ends.clear()
        if self.fault is not None:
            raise self.fault

    def run(self) -> None:
        self._ends.wait()
        if self.fault is not None:
            raise self.fault

    def close(self) -> None:
        self._ends.set()

    def fail(self, fault: BridgeError) -> None:
        self.fault = fault
        self._ends.set()


Watched = Callable[[Device], Supervisor]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "state")
    yield desk
    desk.close()


class Looks:
    """Checks as they are told, and of which devices they were not."""

    def __init__(self, *checks: Check) -> None:
        self.checks, self.own = checks, list[set[str]]()

    def __call__(self, own: Collection[str]) -> Sequence[Check]:
        self.own.append(set(own))
        return self.checks


@pytest.fixture
def health(desk: Desk) -> Health:
    return Health(
        desk.table, Looks(Check("disk", lambda: [well("disk", "There is room.")], 5)), wall=lambda: 1e9
    )


@pytest.fixture
def watch(desk: Desk, health: Health) -> Iterator[Watched]:
    """Has a device supervised as the daemon does it."""
    running: list[Supervisor] = []

    def begin(device: Device) -> Supervisor:
        supervisor = Supervisor(device, reported(desk.table), Backoff(0.02, 0.02))
        health.watch(supervisor, emulated=False)
        desk.table.mend(device.name, supervisor.retry)
        running.append(supervisor)
        supervisor.start()
        return supervisor

    yield begin
    for supervisor in running:
        assert supervisor.stop(20)


def reported(table: Table) -> Callable[[str, Fault | None], None]:
    return lambda name, fault: (table.submit(fault or Fault(name, "", "")), None)[1]


def device(health: Health) -> Standing:
    (found,) = health.health().devices
    return found


def test_a_device_that_is_opened_or_runs_is_told_so(health: Health, watch: Watched) -> None:
    watch(Device("buttons"))
    until(lambda: device(health).runs)
    found = device(health)
    assert (found.device, found.words, found.restarts) == ("buttons", "", 0)
    assert 1e9 - 60 < found.since <= 1e9


def test_a_fault_is_told_with_its_cure_since_when_and_how_often_it_was_started_again(
    desk: Desk, health: Health, watch: Watched
) -> None:
    camera = Device("camera")
    supervisor = watch(camera)
    until(lambda: device(health).runs)
    camera.fail(GONE)
    until(lambda: device(health).restarts >= 3)
    found = device(health)
    assert (found.words, found.cure, found.runs) == (GONE.words, GONE.cure, False)
    since = supervisor.standing.since
    # Taken off the pages, it is at fault all the same.
    desk.sit("red")
    until(lambda: any(notice.id == "camera" for notice in desk.view("red").notices))
    desk.ask("red", Dismiss("camera"))
    assert device(health).words == GONE.words
    assert supervisor.standing.since == since
    camera.fault = None
    until(lambda: device(health).runs)
    assert device(health).restarts >= 3
    assert supervisor.standing.since > since
    until(lambda: device(health).words == "")


def test_a_camera_that_runs_in_the_dark_and_a_part_that_is_at_fault_are_told(
    desk: Desk, health: Health, watch: Watched
) -> None:
    watch(Device("camera"))
    until(lambda: device(health).runs)
    dark = Fault("camera", "It sees nothing but darkness.", "Put on a light.")
    lens = Fault("camera.lens", "The lens is loose.", "Fasten it.")
    cards = Fault("cards", "The photograph of r01: it is blurred.", "Take another.")
    for fault in (dark, lens, cards):
        desk.put(fault)
    found = device(health)
    assert (found.runs, found.words, found.cure) == (True, dark.words, dark.cure)
    assert [(part.id, part.words) for part in found.parts] == [("camera.lens", lens.words)]
    assert health.health().findings == (ill("cards", cards.words, cards.cure),)
    for fault in (dark, lens, cards):
        desk.put(Fault(fault.device, "", ""))
    assert device(health).words == ""
    assert device(health).parts == ()
    assert health.health().findings == ()


def test_a_look_is_told_when_it_begins_and_ends_and_there_is_never_more_than_one(desk: Desk) -> None:
    begun, goes_on = threading.Event(), threading.Event()
    times = 0

    def slow() -> list[Finding]:
        nonlocal times
        times += 1
        begun.set()
        assert goes_on.wait(20)
        return [well("disk", "There is room.")]

    health = Health(desk.table, Looks(Check("disk", slow, 20)))
    told: list[bool] = []
    health.listen(lambda: told.append(health.health().looking))
    for _ in range(3):
        health.look()
    assert begun.wait(20)
    assert health.health().looking
    assert health.health().looked is None
    goes_on.set()
    until(lambda: told == [True, False])
    assert health.health().findings == (well("disk", "There is room."),)
    assert health.health().looked is not None
    assert times == 1


def test_a_check_that_hangs_is_given_up_and_not_begun_again_while_it_does(desk: Desk) -> None:
    goes_on = threading.Event()
    times = 0

    def hang() -> list[Finding]:
        nonlocal times
        times += 1
        goes_on.wait(20)
        return [well("disk", "There is room.")]

    health = Health(desk.table, Looks(Check("disk", hang, 0.05), Check("power", lambda: [], 5)))

    def look() -> tuple[Finding, ...]:
        health.look()
        until(lambda: not health.health().looking)
        return health.health().findings

    for _ in range(3):
        assert "given up" in look()[0].words
    assert times == 1
    goes_on.set()
    until(lambda: look() == (well("disk", "There is room."),) and times == 2)


# -- the real checks -------------------------------------------------------------------------------


def test_a_running_table_never_opens_a_device_of_its_own(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*given: object) -> None:
        raise AssertionError(given)

    for name in (
        "vision.source.open_source",
        "firmware_bridge.gpio.factory",
        "firmware_bridge.controller.controller",
    ):
        monkeypatch.setattr(name, never)
    file = tmp_path / "stationmaster.toml"
    file.write_text('[run]\ncamera = "auto"\n[pins]\nconfirm = 4\n[controller]\nline = "auto"\n')
    keeping = Machine(file)(desk.table, 8081)
    for name in ("camera", "buttons", "controller"):
        keeping.watch(Supervisor(Device(name), lambda name, fault: None), False)
    keeping.look()
    until(lambda: not keeping.health().looking)
    found = keeping.health()
    assert [device.device for device in found.devices] == ["camera", "buttons", "controller"]
    parts = [finding.part for finding in found.findings]
    assert list(dict.fromkeys(parts)) == ["configuration", "disk", "network", "power", "Python"]
    assert "could not be looked at" not in " ".join(finding.words for finding in found.findings)


def test_what_is_not_in_use_is_told_by_the_look(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "stationmaster.toml"
    file.write_text('[run]\ntable = "none"\n')
    keeping = Machine(file)(desk.table, 8081)
    found = {check.part: check.look() for check in keeping._checks(set()) if check.part in ("camera", "pins")}
    assert found["camera"][0].words.startswith("None is in use: the table is none.")
    assert found["pins"][0].words.startswith("None are in use.")
