"""./install in a bare Debian: what it leaves there, a second time as well, and after a boot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rig.images import HERE
from rig.machine import Machine
from tests.rig.conftest import Installed
from tests.rig.phone import Phone
from tests.rig.table import CONFIG, GAMES, Table

pytestmark = [pytest.mark.rig, pytest.mark.timeout(3600)]

Tell = Callable[[str, object], None]

OURS = {
    CONFIG,
    "/etc/systemd/system/stationmaster.service",
    "/etc/sysusers.d/stationmaster.conf",
    "/etc/udev/rules.d/70-stationmaster.rules",
    "/usr/local/bin/stationmaster",
}
"""What docs/install.md says that it writes, besides the two folders."""

SYSTEMS = {"/etc/group-", "/etc/gshadow-", "/etc/passwd-", "/etc/shadow-"}
"""What Debian writes when a user is made."""

FOLDERS = ("/opt/stationmaster/", f"{GAMES}/")

STARTED = "/etc/systemd/system/multi-user.target.wants/stationmaster.service"


def test_it_writes_what_it_says_and_a_second_time_the_same(
    installed: Installed, record_property: Tell
) -> None:
    first, again = installed.files
    outside = {name for name in again if not name.startswith((*FOLDERS, f"{HERE}/"))}
    assert outside - SYSTEMS == OURS | {STARTED}
    assert {name for name in first ^ again if not name.startswith(GAMES)} == set()
    for said in installed.said:
        assert "Phones open http://10.0.2.15/" in said
        assert "done: Stationmaster runs, and starts with this machine." in said
    first_took, again_took = installed.seconds
    record_property("told", f"./install in the bare machine: {first_took:.0f} s, again: {again_took:.0f} s")


def test_the_service_counts_as_started_when_its_pages_are_served(table: Table, record_property: Tell) -> None:
    took = table.start()
    assert table.shown("ActiveState", "StatusText") == {
        "ActiveState": "active",
        "StatusText": "Phones open http://10.0.2.15/",
    }
    assert "Pawns of Perdition" in table.phone().page()
    record_property("told", f"the service from its start to its first page: {took:.1f} s")


def test_it_starts_with_the_machine(built: Path, installed: Installed, record_property: Tell) -> None:
    with Machine(built, installed.image, boot=True) as machine:
        machine.run("systemctl is-system-running --wait || { systemctl --failed; false; }")
        assert "Pawns of Perdition" in Phone(machine.port).page()
        took = machine.run("cut --delimiter ' ' --fields 1 /proc/uptime")
        record_property("told", f"a cold boot until the pages are served: {float(took):.0f} s")


def test_removing_leaves_the_games_and_the_configuration(table: Table) -> None:
    table.start()
    table.phone().done({"ask": "join", "name": "Anna"})
    kept = table.machine.run(f"ls -A {GAMES}").split()
    assert "journal.sqlite" in kept
    said = table.machine.run(f"{HERE}/install --remove")
    for part in (CONFIG, GAMES):
        assert f"kept, since it is yours: {part}" in said
    left = " ".join(sorted({*OURS, STARTED, "/opt/stationmaster", GAMES}))
    there = table.machine.run(f"ls -d {left} 2>/dev/null || true").split()
    assert set(there) == {CONFIG, GAMES}
    assert set(kept) >= set(table.machine.run(f"ls -A {GAMES}").split()) >= {"journal.sqlite"}
    status, _ = table.machine.try_to("systemctl is-active stationmaster")
    assert status != 0
    assert "nothing of Stationmaster is installed" in table.machine.run(f"{HERE}/install --remove")


def test_the_unit_is_well_shut_in_and_systemd_finds_nothing_wrong_with_it(
    table: Table, record_property: Tell
) -> None:
    assert table.machine.run("systemd-analyze verify stationmaster.service") == ""
    said = table.machine.run("systemd-analyze security --no-pager --threshold=20 stationmaster.service")
    record_property("told", said.splitlines()[-1].split("→")[-1].strip())
