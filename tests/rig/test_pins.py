"""Buttons and lamps on a real chip of pins, by gpiozero and lgpio."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest

from companion.acts import Played
from rig.images import HERE
from tests.rig.player import Player
from tests.rig.table import PYTHON, Table, until

pytestmark = [pytest.mark.rig, pytest.mark.timeout(1800)]

SEATS = ("red", "blue", "green")
BUTTONS, LAMPS = (5, 6, 13), (24, 12, 16)
UNDO = 27

CONFIG = """
[run]
game = "hellrail"
table = "none"
state = "/var/lib/stationmaster"
port = 80

[pins]
undo = 27

[pins.seats]
1 = { button = 5, lamp = 24 }
2 = { button = 6, lamp = 12 }
3 = { button = 13, lamp = 16 }
"""

ROUNDS = 4


@pytest.fixture
def player(table: Table, tmp_path: Path) -> Player:
    """A game of HellRail with three at the table, each with a button and a lamp."""
    table.solder()
    table.configure(CONFIG)
    table.start()
    player = Player(table, tmp_path, "hellrail")
    player.begin(*SEATS)
    return player


def test_a_press_is_on_the_phone_and_the_next_lamp_is_lit(
    player: Player, record_property: Callable[[str, object], None]
) -> None:
    table = player.table
    until(lambda: table.lit(*LAMPS) == LAMPS[:1])
    before = player.phone.on
    presses = BUTTONS * ROUNDS
    words = " ".join(map(str, presses))
    said = table.machine.run(
        f"cd {HERE} && {PYTHON} -B -m rig.guest.fingers people '{player.phone.cookie}' {words}"
    )
    took = [int(line) for line in said.split()]
    assert len(took) == len(presses)
    player.phone.page()
    assert player.phone.on == before + len(presses)
    played = table.acts(player.folder)[-len(presses) :]
    assert all(isinstance(act, Played) and act.how == "button" for act in played)
    record_property(
        "told",
        f"from a button that is let go to the phone's page: {median(took):.0f} ms, {max(took)} ms at most",
    )
    table.press(BUTTONS[0])
    until(lambda: table.lit(*LAMPS) == LAMPS[1:2])
    table.press(UNDO)
    until(lambda: table.lit(*LAMPS) == LAMPS[:1])
    player.phone.page()
    assert player.phone.on == before + len(presses) + 2


def test_who_presses_out_of_turn_is_told_on_the_phone_and_nothing_moves(player: Player) -> None:
    table, before = player.table, player.phone.on
    table.press(BUTTONS[2])
    player.phone.until("Green pressed, but the table waits for Red.")
    assert player.phone.on == before
    assert table.lit(*LAMPS) == LAMPS[:1]
    assert player.believed() == player.state


def test_the_lamps_go_out_when_the_service_stops(player: Player) -> None:
    table = player.table
    until(lambda: table.lit(*LAMPS) == LAMPS[:1])
    table.stop()
    assert table.lit(*LAMPS) == ()
