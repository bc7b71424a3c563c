"""A number display at a whole table: from a move to its digits, and its faults on the phones."""

from __future__ import annotations

from pathlib import Path
from queue import SimpleQueue

import pytest

from companion import games
from companion.command import USAGE, main
from companion.messages import Retry
from firmware_bridge.device import Fault
from firmware_bridge.emulated_display import EmulatedDisplay
from firmware_bridge.supervisor import Supervisor
from tests.table.desk import Desk
from web_ui.app import Config, create_app
from web_ui.pages import Pages
from web_ui.person import People

HELLRAIL = games.load("hellrail")


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
