"""A number display at a whole table: from a move to its digits, and its faults on the phones."""

from __future__ import annotations

from pathlib import Path
from queue import SimpleQueue

import pytest
from msgspec.structs import replace

from companion import games
from companion.command import USAGE, main
from companion.countdown import count, follow
from companion.games.hellrail.actions import EndTurn
from companion.games.rail_raiders_infinite import GAME as RAIDERS
from companion.messages import Finish, Retry
from firmware_bridge.device import Fault
from firmware_bridge.display import Count
from firmware_bridge.emulated_display import DARK, EmulatedDisplay
from firmware_bridge.supervisor import Supervisor
from tests.hardware.virtual import running, until
from tests.rules.rail_positions import position
from tests.table.desk import Desk
from web_ui.app import Config, create_app
from web_ui.pages import Pages
from web_ui.person import People

HELLRAIL = games.load("hellrail")


def test_the_display_follows_the_game_and_is_dark_without_one(tmp_path: Path) -> None:
    desk, device = Desk(tmp_path, game="hellrail"), EmulatedDisplay()
    stop = follow(desk.table, device)
    with running(device):
        desk.start("red", "blue")
        until(lambda: device.digits() == "  38")
        for seat in ("red", "blue") * 2:
            desk.done(seat, EndTurn(seat))
        left = count(HELLRAIL, desk.state)
        assert left is not None
        until(lambda: device.digits() == f"{left.left:4}")
        assert desk.ask("red", Finish()).status == "done"
        until(lambda: device.digits() == DARK)
    stop()
    desk.close()


def test_what_is_counted_down() -> None:
    state = position(left=10)
    assert count(RAIDERS, state) == Count(10)
    assert count(RAIDERS, replace(state, last_round=True)) == Count(10, last=True)
    assert count(RAIDERS, replace(state, agenda=())) is None
    assert count(RAIDERS, None) is None
    assert count(games.load("pawns_of_perdition"), object()) is None


def test_the_countdown_tells_no_seat_more_than_all_may_know() -> None:
    state = position(left=10)
    for seat in ("", *state.seats):
        assert count(RAIDERS, RAIDERS.view(state, seat)) == count(RAIDERS, state)


def test_a_display_that_is_away_is_told_on_the_phones_and_tried_again_from_there(tmp_path: Path) -> None:
    desk, device = Desk(tmp_path), EmulatedDisplay()
    device.unplug()
    told: SimpleQueue[Fault | None] = SimpleQueue()

    def report(name: str, fault: Fault | None) -> None:
        desk.put(fault or Fault(name, "", ""))
        told.put(fault)

    supervisor = Supervisor(device, report)
    desk.table.mend(device.name, supervisor.retry)
    supervisor.start()
    assert told.get(timeout=20) is not None
    (notice,) = desk.view("red").notices
    assert (notice.words, notice.retry) == ("The emulated number display is unplugged.", True)
    device.plug()
    assert desk.ask("red", Retry("display")).status == "done"
    assert told.get(timeout=20) is None
    assert desk.view("red").notices == ()
    assert supervisor.stop(timeout=20)
    desk.close()


def test_a_page_shows_the_digits_of_an_emulated_display_alone(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for digits, status in ((lambda: "LASt"), 200), (None, 404):
        config = Config(People(b"secret" * 8), Pages(desk.table, None, 8080), 8080, digits)
        answer = create_app(desk.table, None, config).test_client().get("/digits")
        assert answer.status_code == status
        assert ('<output class="digits">LASt</output>' in answer.text) == (digits is not None)
    desk.close()


@pytest.mark.parametrize("given", ["", "ttyUSB0"])
def test_a_display_that_nobody_knows_is_refused_before_anything_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: str
) -> None:
    assert main(["run", "--state", str(tmp_path / "state"), "--controller", given]) == USAGE
    assert "/dev/serial/by-id" in capsys.readouterr().err
    assert not (tmp_path / "state").exists()
