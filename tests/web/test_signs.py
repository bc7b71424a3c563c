"""What emulated lamps, number display and buzzer do, on the table's page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion import games
from companion.config import Config, Run
from companion.daemon import settings
from companion.signals import follow, put
from companion.table import Table
from companion.upkeep import Signs
from companion.upkeep.housekeeping import Housekeeping, is_emulated
from companion.upkeep.shown import TUNES
from firmware_bridge.controller_wiring import ControllerPins
from firmware_bridge.pins import Pins
from firmware_bridge.press import Press
from tests.hardware.virtual import until
from tests.web.conftest import Phone
from tests.web.house import House, picture
from tests.web.machines import Machine
from tests.web.players import shoot
from tests.web.test_looks import WALLS, faults, to_first_roll
from tests.web.test_serving import get


class Following(Machine):
    """A machine whose emulated lamps follow the table, as the daemon has it."""

    def __call__(self, table: Table, port: int) -> Housekeeping:
        keeping = super().__call__(table, port)
        assert keeping.shown is not None
        follow(table, [keeping.shown])
        return keeping

    @property
    def signs(self) -> Signs:
        signs = self.keeping.signs()
        assert signs is not None
        return signs


@pytest.fixture
def machine(tmp_path: Path) -> Following:
    file = tmp_path / "stationmaster.toml"
    file.write_text(f'[run]\ntable = "emulated"\nstate = "{tmp_path}"\n')
    return Following(file)


@pytest.fixture
def pawns(tmp_path: Path, machine: Following) -> Iterator[House]:
    with House(tmp_path / "pawns", seed=3, upkeep=machine) as house:
        yield house


def lamps(machine: Following) -> dict[str, str]:
    return {lamp.seat: lamp.shine for lamp in machine.signs.lamps}


def test_the_lamps_follow_whom_the_table_waits_for_and_a_question_blinks(
    pawns: House, machine: Following
) -> None:
    assert machine.signs == Signs((), "", False, "")
    to_first_roll(pawns)
    assert lamps(machine) == {"red": "on", "blue": "", "green": ""}
    assert machine.signs.tune == TUNES["turn"]
    pawns.see(4, 5, sure=False, picture=picture(4, 5))
    assert lamps(machine)["red"] == "blink"
    assert machine.signs.tune == TUNES["ask"]
    refused = put(pawns.table, [machine.keeping.shown], Press("seat", "short", 0.0, 3))  # type: ignore[list-item]
    assert refused.result(10).status == "refused"
    until(lambda: machine.signs.tune == TUNES["no"])


def test_the_number_display_counts_down(tmp_path: Path, machine: Following) -> None:
    with House(tmp_path / "train", game=games.load("hachi_train"), seed=3, upkeep=machine) as house:
        house.seat(red="Anna", blue="Ben", green="Clara")
        house.start()
        while not machine.signs.digits:
            house.go_on()
        assert machine.signs.digits == "   4"
        assert 'aria-label="The number display: 4"' in get(house, "/table").body.decode()


def test_the_table_page_shows_them_live_and_looks_well(
    pawns: House, machine: Following, phone: Phone, shots: Path
) -> None:
    to_first_roll(pawns)
    page = phone(device_scale_factor=1, is_mobile=False, viewport={"width": 1024, "height": 768})
    pawns.visit(page, "/table")
    tune = page.get_by_label("Emulated number display and buzzer")
    expect(page.get_by_label("Red's lamp, emulated: on")).to_be_in_viewport()
    expect(page.get_by_label("Blue's lamp, emulated: dark")).to_be_in_viewport()
    expect(tune).to_contain_text(TUNES["turn"])
    expect(tune).to_be_in_viewport(ratio=1)
    pawns.see(4, 5, sure=False, picture=picture(4, 5))
    expect(page.get_by_label("Red's lamp, emulated: blinking")).to_be_in_viewport()
    expect(tune).to_contain_text(TUNES["ask"])
    found = []
    for number, (width, height, light) in enumerate([*WALLS, (390, 844, "light")]):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=light)
        shoot(page, shots / f"signs-{number}.png", whole=True)
        found += [f"{width} x {height}, {light}: {fault}" for fault in faults(page)]
    assert not found, "\n".join(found)


CUT = """() => [...document.querySelectorAll('.side > *, .todo li, .standings li, .corner p')]
    .filter(part => part.getBoundingClientRect().height > 0)
    .filter(part => {
        const box = part.getBoundingClientRect();
        const room = part.closest('.todo') || part.closest('.side');
        const held = (part === room ? part.parentElement : room).getBoundingClientRect();
        return box.bottom > held.bottom + 1 || box.right > held.right + 1 || box.bottom > innerHeight;
    })
    .map(part => `${part.className || part.tagName}: ${part.textContent.trim()}`)"""
"""What of the table page's column is not seen whole."""


@pytest.mark.parametrize("count", [3, 5])
def test_a_question_and_work_to_be_done_at_once_are_seen_whole(
    pawns: House, phone: Phone, shots: Path, count: int
) -> None:
    people = {"red": "Anna", "blue": "Ben", "green": "Clara", "yellow": "Dai", "white": "Eve"}
    sitting = dict(list(people.items())[:count])
    pawns.seat(**sitting)
    pawns.start(*sitting)
    pawns.shuffled()
    for seat in sitting:
        pawns.roll(*((6, 5) if seat == "red" else (1, 2)))
    places = {seat: f"space:{7 + at}" for at, seat in enumerate(sitting)}
    pawns.see(4, 5, sure=False, picture=picture(4, 5), **places)  # type: ignore[arg-type]
    view = pawns.view()
    assert view.question is not None
    assert len(view.todo) == count
    page = phone(device_scale_factor=1, is_mobile=False, viewport={"width": 1024, "height": 768})
    pawns.visit(page, "/table")
    found = []
    for number, (width, height) in enumerate(((1024, 768), (1280, 720), (1920, 1080))):
        page.set_viewport_size({"width": width, "height": height})
        shoot(page, shots / f"signs-both-{count}-{number}.png")
        found += [f"{width} x {height}: {part}" for part in page.evaluate(CUT)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("run", "line", "pins", "emulated"),
    [
        ({"table": "emulated"}, "none", None, True),
        ({"table": "none"}, "none", None, False),
        ({"table": "camera"}, "none", None, False),
        ({"table": "none", "pins": "mock"}, "none", Pins(confirm=4), True),
        ({"table": "emulated"}, "none", Pins(confirm=4), False),
        ({"table": "emulated"}, "auto", None, False),
        ({"table": "camera"}, "emulated", None, True),
    ],
)
def test_they_are_shown_where_they_are_emulated_and_nowhere_else(
    run: dict[str, str], line: str, pins: Pins | None, emulated: bool
) -> None:
    config = Config(run=Run(**run), pins=pins, controller=ControllerPins(line=line))  # type: ignore[arg-type]
    assert is_emulated(settings(config)) == emulated


def test_a_real_table_shows_none(tmp_path: Path) -> None:
    file = tmp_path / "stationmaster.toml"
    file.write_text('[run]\ntable = "none"\n')
    with House(tmp_path / "state", upkeep=Machine(file)) as house:
        to_first_roll(house)
        assert "s lamp" not in get(house, "/table").body.decode()
