"""The page of what works: found from each fault, live, and fit for a small phone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from firmware_bridge.device import BridgeError, Fault
from firmware_bridge.press import Press
from firmware_bridge.supervisor import Backoff, Supervisor
from tests.hardware.virtual import until
from tests.web.conftest import Phone
from tests.web.house import House
from tests.web.machines import Machine
from tests.web.players import settle
from tests.web.test_looks import PHONES, fits, to_move
from tests.web.test_serving import get, post


class Buttons:
    """Buttons whose pin another program holds until it lets go."""

    name, emulates = "buttons", ""

    def __init__(self) -> None:
        self.busy = True
        self._ends = threading.Event()

    def open(self) -> None:
        self._ends.clear()
        if self.busy:
            raise BridgeError(
                "GPIO 5 of the button of place 1 is in use by another program (GPIO busy).",
                "End that program; gpioinfo shows which lines are taken.",
                permanent=False,
            )

    def run(self) -> None:
        self._ends.wait()

    def close(self) -> None:
        self._ends.set()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    file = tmp_path / "stationmaster.toml"
    file.write_text(f'[run]\ntable = "none"\nstate = "{tmp_path}"\n')
    return Machine(file)


@pytest.fixture
def house(tmp_path: Path, machine: Machine) -> Iterator[House]:
    with House(tmp_path, upkeep=machine) as house:
        yield house


@pytest.fixture
def buttons(house: House, machine: Machine) -> Iterator[Buttons]:
    """Buttons at fault, which are tried again each half minute, or when somebody says so."""
    device = Buttons()

    def report(name: str, fault: Fault | None) -> None:
        house.table.submit(fault or Fault(name, "", ""))

    supervisor = Supervisor(device, report, Backoff(30))
    machine.keeping.watch(supervisor, False)
    house.table.mend("buttons", supervisor.retry)
    supervisor.start()
    yield device
    assert supervisor.stop(20)


def test_a_fault_leads_to_the_page_which_tells_it_and_how_it_goes_on(
    house: House, machine: Machine, buttons: Buttons, phone: Phone, shots: Path
) -> None:
    to_move(house)
    page = phone(small=True)
    house.visit(page, "/play/red", "anna")
    page.get_by_role("link", name="What works").click()
    fault = page.get_by_label("Faults").get_by_role("listitem").filter(has_text="Buttons")
    expect(fault).to_contain_text("GPIO 5 of the button of place 1 is in use by another program")
    expect(fault).to_contain_text("End that program")
    expect(fault).to_contain_text("At fault since")
    # The look that the first visit begins comes to its end without another tap.
    well = page.get_by_role("region", name="What works")
    expect(well.get_by_role("listitem").filter(has_text="Disk").first).to_contain_text("MB are free")
    expect(well).to_contain_text("stationmaster.toml is in order.")
    found = fits(page, shots / "health", PHONES, whole=True)
    assert not found, "\n".join(found)
    before = machine.keeping.health().devices[0].restarts
    fault.get_by_role("button", name="Try again now").tap()
    until(lambda: machine.keeping.health().devices[0].restarts == before + 1)
    expect(fault).to_contain_text(f"started again {before + 1} time")
    buttons.busy = False
    settle(page)
    fault.get_by_role("button", name="Try again now").tap()
    running = well.get_by_role("listitem").filter(has_text="Buttons")
    expect(running).to_contain_text("Runs since")
    expect(running).to_contain_text(f"started again {before + 2} times")
    expect(fault).to_have_count(0)


def test_the_page_works_without_a_script_and_a_look_is_anybodys_to_ask_for(
    house: House, machine: Machine
) -> None:
    assert "Looking now" in get(house, "/health").body.decode()
    until(lambda: machine.keeping.health().looked is not None)
    page = get(house, "/health").body.decode()
    assert "Looked at" in page
    assert f"pages answer on port {house.port}" in page
    looked = machine.keeping.health().looked
    assert looked is not None
    reply = post(house, "/health", b"", "", Sec_Fetch_Site="cross-site")
    assert reply.status == 403
    reply = post(house, "/health", b"")
    assert (reply.status, reply.headers["Location"]) == (303, "/health")
    until(lambda: (machine.keeping.health().looked or 0) > looked)


def test_only_what_is_wrong_with_the_machine_leads_to_the_page(house: House) -> None:
    house.seat(red="Anna", blue="Ben")
    lead = '<a class="button small" href="/health">'
    house.table.submit(Press("confirm", "short", 0.0)).result(10)
    page = get(house, "/people", "ben").body.decode()
    assert "No game is running" in page
    assert lead not in page
    house.table.submit(Fault("camera", "It is dark.", "Put on a light.")).result(10)
    assert lead in get(house, "/people", "ben").body.decode()
    assert lead not in get(house, "/health", "ben").body.decode()


def test_a_table_without_a_machine_has_no_such_pages(tmp_path: Path) -> None:
    with House(tmp_path / "other") as house:
        house.seat(red="Anna")
        house.table.submit(Fault("camera", "It is dark.", "Put on a light.")).result(10)
        page = get(house, "/people", "anna").body.decode()
        assert "It is dark." in page
        assert "/health" not in page
        assert "/configuration" not in page
        assert get(house, "/health", "anna").status == 404
        assert get(house, "/configuration", "anna").status == 404
        assert get(house, "/events?page=health", "anna").status == 404


def test_pages_tell_that_it_is_about_to_start_again(house: House, machine: Machine) -> None:
    machine.keeping._restarting = True
    assert "It starts again" in get(house, "/health").body.decode()
