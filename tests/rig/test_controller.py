"""A Pico on a USB cable, with our firmware: presses, lamps, number display, and a cable that is pulled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest

from companion.acts import Played
from companion.games.hellrail.actions import EndTurn
from companion.signals import count
from tests.rig.player import Player
from tests.rig.table import Table, until

pytestmark = [pytest.mark.rig, pytest.mark.timeout(1800)]

SEATS = ("red", "blue", "green")
BUTTONS = (2, 3, 4)
"""Of the usual wiring, which is in docs/controller.md."""

CONFIG = """
[run]
game = "hellrail"
table = "none"
state = "/var/lib/stationmaster"
port = 80

[controller]
line = "auto"
"""

PULLS = 5


@pytest.fixture
def player(table: Table, tmp_path: Path) -> Player:
    """A game of HellRail with three at the table, and a Pico at its USB socket."""
    table.pico("plug")
    table.configure(CONFIG)
    table.start()
    player = Player(table, tmp_path, "hellrail")
    player.begin(*SEATS)
    return player


def shows(player: Player) -> Callable[[], bool]:
    """Whether the Pico shows whose turn it is, and how much of the game is left."""
    left = count(player.game, player.state)
    assert left is not None

    def holds() -> bool:
        shown = player.table.pico_shows()
        return (shown.get("lamps"), shown.get("digits")) == ([player.state.turn + 1], f"{left.left:4}")

    return holds


def press(player: Player) -> None:
    """Whose turn it is ends it at the own button; the Pico shows the next one's."""
    before, turn = player.phone.on, player.state.turn
    player.table.pico_press(BUTTONS[turn])
    until(lambda: player.phone.page() != "" and player.phone.on > before)
    player.state = player.game.play(player.state, EndTurn(SEATS[turn]))
    until(shows(player))


def test_a_press_moves_the_game_on_and_lamps_and_digits_follow(player: Player) -> None:
    until(shows(player))
    for _ in SEATS:
        press(player)
    played = player.table.acts(player.folder)[-len(SEATS) :]
    assert [act.how for act in played if isinstance(act, Played)] == ["button"] * len(SEATS)
    assert player.believed() == player.state


def test_the_cable_is_pulled_and_put_in_again_and_again(
    player: Player, record_property: Callable[[str, object], None]
) -> None:
    table, took = player.table, []
    until(shows(player))
    for _ in range(PULLS):
        table.pico("unplug")
        player.phone.until("It is tried again by itself")
        page = player.phone.page()
        assert "was unplugged" in page or "No controller is plugged in" in page
        # The phones do its part meanwhile.
        player.do(EndTurn(SEATS[player.state.turn]))
        began = monotonic()
        table.pico("plug")
        until(shows(player))
        took.append(monotonic() - began)
        player.phone.until_gone("It is tried again by itself")
        press(player)
    assert player.believed() == player.state
    record_property(
        "told",
        f"a Pico that is plugged in shows the game again after {max(took):.1f} s at most, {PULLS} times",
    )


def test_one_that_is_not_there_at_the_start_is_found_when_it_comes(table: Table, tmp_path: Path) -> None:
    table.configure(CONFIG)
    table.start()
    player = Player(table, tmp_path, "hellrail")
    player.begin(*SEATS)
    player.phone.until("No controller is plugged in")
    table.pico("plug")
    until(shows(player))
    player.phone.until_gone("No controller is plugged in")
