"""The set-up on the host's phone, with the service shut in: it writes its file and is started again."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.rig.player import Player
from tests.rig.table import CONFIG, GAMES, Table, until

pytestmark = [pytest.mark.rig, pytest.mark.timeout(1800)]

Tell = Callable[[str, object], None]

MINE = f"""
# Over the sofa.
[run]
table = "none"  # for now
state = "{GAMES}"
port = 80
"""


def test_the_host_changes_the_set_up_and_has_it_started_again(
    table: Table, tmp_path: Path, record_property: Tell
) -> None:
    table.configure(MINE)
    table.start()
    player = Player(table, tmp_path)
    player.begin("red", "blue", "green")
    before = player.state
    page = player.phone.page("/configuration")
    was = re.search(r'name="was" value="(\w+)"', page)
    assert was is not None
    assert "Only the host" not in page
    changed = {"was": was[1], "run.pins": "mock", "pins.confirm": "17"}
    assert player.phone.form("/configuration", changed) == 303
    assert table.machine.run(f"readlink -f {CONFIG}").strip() == f"{GAMES}/stationmaster.toml"
    text = table.machine.get(CONFIG).decode()
    assert text.startswith(MINE)
    assert 'pins = "mock"' in text
    assert "[pins]\nconfirm = 17\n" in text
    assert table.machine.run(f"stat --format %a {GAMES}/stationmaster.toml").strip() == "644"
    assert player.phone.form("/configuration/restart", {}) == 303
    again = {"NRestarts": "1", "ActiveState": "active", "SubState": "running"}
    took = until(lambda: table.shown(*again) == again, 600)
    assert "Failed with result" not in table.log()
    assert player.believed() == before
    assert "the buttons, lamps and buzzer" in player.phone.page("/table")
    player.do(player.roll_to("safe"))
    record_property("told", f"from the host's tap until the service runs with the new set-up: {took:.0f} s")


def test_the_page_of_what_works_finds_no_fault_that_comes_of_being_shut_in(
    table: Table, record_property: Tell
) -> None:
    table.configure(MINE)
    table.start()
    phone = table.phone()
    phone.page("/health")
    took = phone.until("Looked at", "/health")
    page = re.sub("<[^>]*>", " ", phone.page("/health"))
    # The bare Debian has no avahi; nothing else is amiss.
    assert "avahi, which would tell them, does not run" in page
    assert re.search(r"\b1 fault\b", page), page
    record_property("told", f"the look at the machine from a page: {took:.1f} s")
