"""The service under systemd: a loop that hangs, a configuration that is no good, and the way it stops."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.games.pawns_of_perdition.actions import Move
from rig.disk import ForgetfulDisk
from rig.machine import Machine
from tests.rig.conftest import Installed
from tests.rig.player import Player
from tests.rig.table import GAMES, Table, until

pytestmark = [pytest.mark.rig, pytest.mark.timeout(1800)]

Tell = Callable[[str, object], None]

CONFIG = """
[run]
table = "none"
state = "/var/lib/stationmaster"
port = 80
"""

STOP = 2.0
"""Seconds within which the service stops."""

STOPPED = {"ActiveState": "inactive", "Result": "success"}


@pytest.fixture
def player(table: Table, tmp_path: Path) -> Player:
    table.configure(CONFIG)
    table.start()
    player = Player(table, tmp_path)
    player.begin("red", "blue", "green")
    return player


def test_a_process_that_hangs_is_ended_and_the_game_goes_on_where_it_was(
    player: Player, record_property: Tell
) -> None:
    table = player.table
    player.do(player.roll_to("safe"))
    waits = table.shown("WatchdogUSec")["WatchdogUSec"]
    table.machine.run("kill -STOP $(systemctl show stationmaster --property MainPID --value)")
    again = {"NRestarts": "1", "ActiveState": "active"}
    took = until(lambda: table.shown(*again) == again, 600)
    assert "Watchdog timeout" in table.log()
    assert player.believed() == player.state
    player.do(Move("red"))
    assert player.believed() == player.state
    record_property(
        "told",
        f"from a process that hangs to the served page: {took:.0f} s, of which systemd waits {waits}",
    )


def test_a_configuration_that_is_no_good_ends_with_78_and_is_not_tried_again(table: Table) -> None:
    table.configure(CONFIG + "prot = 3\n")
    status, _ = table.machine.try_to("systemctl start stationmaster")
    assert status != 0
    wanted = {"ActiveState": "failed", "Result": "exit-code", "ExecMainStatus": "78", "NRestarts": "0"}
    assert table.shown(*wanted) == wanted
    # More than the two seconds after which anything else is started again.
    table.machine.run("sleep 5")
    assert table.shown(*wanted) == wanted
    line = CONFIG.count("\n") + 1
    assert (
        f"/etc/stationmaster.toml, line {line}: There is no key prot in [run]. Do you mean port?"
        in table.log()
    )


def test_it_stops_within_two_seconds(player: Player, record_property: Tell) -> None:
    took = player.table.stop()
    assert player.table.shown("ActiveState", "Result") == STOPPED
    assert took < STOP
    player.table.start()
    assert player.believed() == player.state
    record_property("told", f"the service stops in {took:.1f} s")


def test_a_disk_that_hangs_does_not_hold_up_the_stop(
    built: Path, installed: Installed, disk: Path, tmp_path: Path, record_property: Tell
) -> None:
    with ForgetfulDisk(disk) as served, Machine(built, installed.image) as machine:
        table = Table(machine)
        machine.plug_disk(served.socket)
        machine.run(f"mount /dev/vdb {GAMES}")
        table.configure(CONFIG)
        table.start()
        player = Player(table, tmp_path)
        player.begin("red", "blue", "green")
        served.hang()
        took = table.stop()
        served.go_on()
        assert table.shown("ActiveState", "Result") == STOPPED
        assert took < STOP
        table.start()
        assert player.believed() == player.state
        record_property("told", f"the service stops in {took:.1f} s while its disk takes nothing")
