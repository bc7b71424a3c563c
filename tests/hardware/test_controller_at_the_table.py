"""A controller at a whole table: from a press to what it shows, and its faults on the phones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.command import USAGE, main
from companion.games.game import Rolled
from companion.games.hellrail.actions import EndTurn
from companion.messages import Finish, Notice, Retry
from companion.signals import count, follow, put
from firmware_bridge.controller_talk import Pace
from firmware_bridge.device import Fault
from firmware_bridge.emulated_controller import EmulatedController, Misbehaviour
from firmware_bridge.press import Press
from firmware_bridge.supervisor import Backoff, Supervisor
from tests.hardware.boards import PINS
from tests.hardware.virtual import until
from tests.table.desk import Desk
from web_ui.app import Config, create_app
from web_ui.pages import Pages
from web_ui.person import People

QUICK = Pace(beat=0.05, again=0.05, ask=0.1, greeting=1.0, patience=1.0)


class Room:
    """A table with a controller that is joined to it as the daemon does it."""

    def __init__(self, desk: Desk, pace: Pace) -> None:
        self.desk = desk
        self.device = EmulatedController(PINS, self._press, self._part, pace)
        self._supervisor = Supervisor(self.device, self._report, Backoff(first=0.02, longest=0.05))
        desk.table.mend("controller", self._supervisor.retry)
        for part in self.device.parts:
            desk.table.mend(part, self.device.retry)

    def _press(self, press: Press) -> None:
        put(self.desk.table, [self.device], press)

    def _part(self, fault: Fault) -> None:
        self.desk.put(fault)

    def _report(self, name: str, fault: Fault | None) -> None:
        self.desk.put(fault or Fault(name, "", ""))

    @contextmanager
    def running(self) -> Iterator[None]:
        stop = follow(self.desk.table, [self.device])
        self._supervisor.start()
        try:
            yield
        finally:
            stop()
            assert self._supervisor.stop(timeout=20)

    def notices(self) -> tuple[Notice, ...]:
        return self.desk.view("red").notices

    def says(self, words: str) -> Callable[[], bool]:
        return lambda: any(words in notice.words for notice in self.notices())

    def shows(self, place: int, left: int) -> Callable[[], bool]:
        return lambda: (self.device.lamps(), self.device.digits()) == ((place,), f"{left:4}")


@contextmanager
def room(folder: Path, game: str = "pawns_of_perdition", pace: Pace | None = None) -> Iterator[Room]:
    desk = Desk(folder / "state", game=game)
    desk.start("red", "blue", "green")
    try:
        room = Room(desk, pace or Pace())
        with room.running():
            yield room
    finally:
        desk.close()


def test_a_press_at_a_place_moves_the_game_on_and_one_that_may_not_be_is_heard_to_be_refused(
    tmp_path: Path,
) -> None:
    with room(tmp_path) as found:
        desk, device = found.desk, found.device
        until(lambda: device.lamps() == (1,))
        desk.done("red", Rolled(desk.roll_to("safe")))
        before = desk.state
        device.press("seat", 1, held=0.3)
        until(lambda: desk.state.pawns[0] > before.pawns[0])
        # Green is not awaited: what is pressed there is refused, and heard to be.
        heard = len(device.heard())
        device.press("seat", 3, held=0.3)
        until(lambda: device.heard()[heard:].count(440) == 2)


def test_lamps_and_digits_follow_the_game_and_are_dark_without_one(tmp_path: Path) -> None:
    with room(tmp_path, game="hellrail") as found:
        desk, device = found.desk, found.device
        for place, seat in enumerate(("red", "blue", "green"), 1):
            left = count(desk.table.game, desk.state)
            assert left is not None
            until(found.shows(place, left.left))
            desk.done(seat, EndTurn(seat))
        assert desk.ask("red", Finish()).status == "done"
        until(lambda: (device.lamps(), device.digits()) == ((), "    "))


@pytest.mark.parametrize(
    ("misbehaviour", "says"),
    [
        ("silent", "does not answer"),
        ("block", "does not answer"),
        ("garble", "is not from our firmware, or makes no sense"),
    ],
)
def test_the_phones_say_what_is_wrong_the_game_goes_on_and_it_comes_back_by_itself(
    tmp_path: Path, misbehaviour: Misbehaviour, says: str
) -> None:
    with room(tmp_path, pace=QUICK) as found:
        until(lambda: found.device.lamps() == (1,))
        found.device.misbehave(misbehaviour)
        until(found.says(says))
        (notice,) = found.notices()
        assert (notice.id, notice.retry) == ("controller", True)
        assert "It is tried again by itself" in notice.cure
        found.desk.done("red", Rolled(found.desk.roll_to("safe")))
        found.device.misbehave("")
        until(lambda: found.notices() == ())
        until(lambda: found.device.lamps() == (1,))


@pytest.mark.parametrize(
    ("misbehaviour", "says", "cure"),
    [
        ("busy", "is in use by another program.", "fuser"),
        ("forbidden", "This user may not use the serial line", "sudo usermod -aG dialout $USER"),
    ],
)
def test_a_line_that_is_refused_is_on_the_phones_and_can_be_tried_again_from_there(
    tmp_path: Path, misbehaviour: Misbehaviour, says: str, cure: str
) -> None:
    with room(tmp_path, pace=QUICK) as found:
        until(lambda: found.device.lamps() == (1,))
        found.device.misbehave(misbehaviour)
        found.device.unplug()
        until(found.says("unplugged"))
        found.device.plug()
        until(found.says(says))
        assert any(cure in notice.cure for notice in found.notices())
        found.device.misbehave("")
        assert found.desk.ask("red", Retry("controller")).status == "done"
        until(lambda: found.notices() == ())
        until(lambda: found.device.lamps() == (1,))


def test_a_storm_is_on_the_phones_until_it_is_tried_again(tmp_path: Path) -> None:
    with room(tmp_path) as found:
        found.device.misbehave("storm")
        until(
            found.says("The button of place 1 (GPIO 2 of the controller) changed hundreds of times a second")
        )
        notice = next(notice for notice in found.notices() if notice.id == "controller.seat1")
        assert notice.retry
        found.device.misbehave("")
        assert found.desk.ask("red", Retry("controller.seat1")).status == "done"
        until(lambda: found.notices() == ())


@pytest.mark.parametrize("misbehaviour", ["drop", "slow"])
def test_a_bad_line_is_no_word_worth(tmp_path: Path, misbehaviour: Misbehaviour) -> None:
    with room(tmp_path, pace=replace(QUICK, beat=0.2, patience=20.0, greeting=20.0)) as found:
        until(lambda: found.device.lamps() == (1,))
        found.device.misbehave(misbehaviour)
        found.desk.done("red", Rolled(found.desk.roll_to("safe")))
        before = found.desk.state
        found.device.press("confirm", held=0.5)
        until(lambda: found.desk.state.pawns[0] > before.pawns[0])
        assert not any(notice.id.startswith("controller") for notice in found.notices())


def test_a_page_shows_the_digits_of_an_emulated_controller_alone(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for digits, status in ((lambda: "LASt"), 200), (None, 404):
        config = Config(People(b"secret" * 8), Pages(desk.table, None, 8080), 8080, digits)
        answer = create_app(desk.table, None, config).test_client().get("/digits")
        assert answer.status_code == status
        assert ('<output class="digits">LASt</output>' in answer.text) == (digits is not None)
    desk.close()


@pytest.mark.parametrize("given", ["", "ttyUSB0"])
def test_a_controller_that_nobody_knows_is_refused_before_anything_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: str
) -> None:
    assert main(["run", "--state", str(tmp_path / "state"), "--controller", given]) == USAGE
    assert "/dev/serial/by-id" in capsys.readouterr().err
    assert not (tmp_path / "state").exists()
