"""A camera on the kernel's V4L2: what it shows is read and played, and its cable is pulled."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest

from companion import games
from companion.acts import Played
from companion.games.game import Rolled
from companion.games.pawns_of_perdition.actions import EndTurn, Move
from tests.rig.pictures import Scenes
from tests.rig.player import Player
from tests.rig.table import Table, until

pytestmark = [pytest.mark.rig, pytest.mark.timeout(3600)]

Tell = Callable[[str, object], None]

SEATS = ("red", "blue", "green")

CONFIG = """
[run]
table = "camera"
camera = "auto"
state = "/var/lib/stationmaster"
port = 80
"""

READ = 600.0
"""Seconds that reading may take on a busy machine."""


@pytest.fixture
def scenes(table: Table) -> Scenes:
    """A camera over a bare table, and the service, which looks at it."""
    scenes = Scenes(table.machine, games.load("pawns_of_perdition"))
    scenes.plug()
    table.configure(CONFIG)
    table.start()
    return scenes


def reads(player: Player, action: Rolled) -> float:
    """The camera has this played next; how long it takes."""
    before = len(player.course().moves)
    took = until(lambda: len(player.course().moves) > before, READ)
    *_, last = player.table.acts(player.folder)
    assert isinstance(last, Played)
    assert last.how == "camera"
    heard(player, action)
    return took


def heard(player: Player, action: Rolled) -> None:
    """The companion has just played this."""
    played = player.course().moves[-1]
    assert isinstance(played, Rolled)
    # Dice have no order; they are read as they lie in the picture.
    assert sorted(played.values) == sorted(action.values)
    player.state = player.game.play(player.state, played)


def test_dice_and_pieces_are_read_and_the_game_goes_on_without_the_camera(
    table: Table, scenes: Scenes, tmp_path: Path, record_property: Tell
) -> None:
    player = Player(table, tmp_path)
    player.begin(*SEATS)
    scenes.set_out(player.course())
    roll = player.roll_to("safe")
    scenes.throw(roll.values)
    took = [reads(player, roll)]
    player.do(Move("red"))
    scenes.bring(player.course())
    player.do(EndTurn("red"))

    # It is there and sends nothing.
    scenes.stall()
    silent = player.phone.until("It is tried again by itself")
    blind = player.roll_to("safe", 1)
    player.do(blind)
    player.do(Move("blue"))
    # Its cable is pulled.
    scenes.unplug()
    player.phone.until("No camera is connected.")
    player.phone.until("Plug one in")
    player.do(EndTurn("blue"))

    # What was thrown meanwhile is asked about when the camera is back: it may be an older throw.
    scenes.bring(player.course())
    roll = player.roll_to("safe", 2, unlike=blind)
    scenes.throw(roll.values)
    scenes.plug()
    again = player.phone.until_gone("No camera", seconds=300)
    player.phone.until("lies in the tray. Is it Green", "/play/green", READ)
    player.phone.answer("/play/green", *(f"{a} + {b}" for a, b in permutations(roll.values)))
    heard(player, roll)
    player.do(Move("green"))
    scenes.bring(player.course())
    player.do(EndTurn("green"))
    # From then on throws are read again.
    roll = player.roll_to("safe", unlike=roll)
    scenes.throw(roll.values)
    took.append(reads(player, roll))
    assert player.believed() == player.state
    record_property(
        "told",
        f"from the picture of a throw to its being played: {max(took):.0f} s at most; "
        f"a camera that stalls is told after {silent:.0f} s; "
        f"one that is plugged in again serves after {again:.0f} s",
    )


def test_it_stops_within_two_seconds_while_a_camera_looks(
    table: Table, scenes: Scenes, tmp_path: Path, record_property: Tell
) -> None:
    player = Player(table, tmp_path)
    player.begin(*SEATS)
    scenes.set_out(player.course())
    roll = player.roll_to("safe")
    scenes.throw(roll.values)
    reads(player, roll)
    took = []
    for moment in (0.0, 1.0, 7.0):
        table.machine.run(f"sleep {moment}")
        took.append(table.stop())
        assert table.shown("ActiveState", "Result") == {"ActiveState": "inactive", "Result": "success"}
        assert took[-1] < 2.0
        table.start()
    record_property("told", f"the service stops in {max(took):.1f} s at most while a camera looks")
