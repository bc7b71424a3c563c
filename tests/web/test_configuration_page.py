"""The set-up on a phone: the host's to change, with every fault beside its field."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from companion.config import Config, Run, load
from companion.config.text import printed
from tests.hardware.virtual import until
from tests.web.conftest import Phone
from tests.web.house import House
from tests.web.machines import Machine
from tests.web.test_looks import PHONES, fits
from tests.web.test_serving import get, post
from web_ui.address import moved


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "stationmaster.toml"
    file.write_text(printed(Config(run=Run(table="none", state=str(tmp_path)))))
    return file


@pytest.fixture
def machine(file: Path) -> Machine:
    return Machine(file)


@pytest.fixture
def house(tmp_path: Path, machine: Machine) -> Iterator[House]:
    """Anna is the host, Ben sits there too."""
    with House(tmp_path, upkeep=machine) as house:
        house.seat(red="Anna", blue="Ben")
        yield house


def save(house: House, person: str, **typed: str) -> tuple[int, str]:
    """Send the form as it is shown, with these fields typed over: `run_port` for run.port."""
    was = re.search(r'name="was" value="(\w*)"', get(house, "/configuration", person).body.decode())
    assert was is not None
    body = {"was": was[1]} | {name.replace("_", "."): value for name, value in typed.items()}
    form = "application/x-www-form-urlencoded"
    reply = post(house, "/configuration", urlencode(body).encode(), person, Content_Type=form)
    return reply.status, reply.headers.get("Location") or reply.body.decode()


def send(page: Page, button: str) -> None:
    """Tap a button of the form, and see the page that comes of it."""
    page.evaluate("() => (window.old = true)")
    page.get_by_role("button", name=button, exact=True).tap()
    page.wait_for_function("() => !window.old && document.readyState === 'complete'")


def test_the_host_changes_the_set_up_on_a_phone_and_puts_right_what_is_wrong(
    house: House, file: Path, phone: Phone, shots: Path
) -> None:
    before = file.read_text()
    page = phone(small=True)
    house.visit(page, "/people", "anna")
    page.get_by_role("link", name="Set-up").first.tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Set-up")
    found = fits(page, shots / "set-up", PHONES[:1], whole=True)
    page.get_by_label("Confirm").fill("abc")
    page.get_by_role("group", name="Place 2").get_by_label("Lamp").fill("44")
    page.get_by_label("How the table is seen").select_option("camera")
    page.get_by_label("Camera", exact=True).select_option("auto")
    send(page, "Save")
    expect(page.get_by_role("heading", level=1)).to_have_text("Not saved")
    confirm = page.get_by_label("Confirm")
    expect(confirm).to_have_value("abc")
    expect(confirm).to_have_accessible_description(re.compile("Write a whole number"))
    expect(page.get_by_label("How the table is seen")).to_have_value("camera")
    lamp = page.get_by_role("group", name="Place 2").get_by_label("Lamp")
    expect(lamp).to_have_accessible_description(re.compile("the header has no such pin"))
    found += fits(page, shots / "set-up-wrong", PHONES, whole=True)
    assert file.read_text() == before
    page.get_by_role("link", name="Lamp of place 2").tap()
    expect(lamp).to_be_in_viewport()
    lamp.fill("12")
    confirm.fill("17")
    send(page, "Save")
    expect(page.get_by_role("heading", level=1)).to_have_text("Saved")
    expect(page.locator("#restart")).to_contain_text("It was started by hand")
    found += fits(page, shots / "set-up-saved", PHONES[:1], whole=True)
    assert not found, "\n".join(found)
    config = load(file)
    assert config.pins is not None
    assert (config.pins.confirm, config.pins.seats[2].lamp) == (17, 12)
    assert (config.run.table, config.run.camera) == ("camera", "auto")
    kept = [line for line in file.read_text().splitlines() if line.startswith("#")]
    assert kept == [line for line in before.splitlines() if line.startswith("#")]


def test_the_form_needs_no_script(house: House, file: Path) -> None:
    status, where = save(house, "anna", run_port="8085")
    assert (status, where) == (303, "/configuration?saved=1")
    assert load(file).run.port == 8085
    page = get(house, where, "anna").body.decode()
    assert "<h1>Saved</h1>" in page
    assert f"{moved(f'127.0.0.1:{house.port}', 8085)} then" in page.replace("</a>", "")


def test_nobody_but_the_host_changes_anything(house: House, file: Path) -> None:
    before = file.read_bytes()
    page = get(house, "/configuration", "ben").body.decode()
    assert "Only the host can change this" in page
    assert "<fieldset disabled>" in page
    assert ">Save</button>" not in page
    for person in ("ben", "somebody"):
        status, page = save(house, person, run_port="8085")
        assert status == 403
        assert 'value="8085"' in page
        assert "Only the host changes the set-up" in page
        assert post(house, "/configuration/restart", b"", person).status == 403
    assert post(house, "/configuration", b"run.port=1", "").status == 400
    form = {"Content_Type": "application/x-www-form-urlencoded", "Sec_Fetch_Site": "cross-site"}
    assert post(house, "/configuration", b"run.port=1", "anna", **form).status == 403
    assert file.read_bytes() == before


def test_a_field_of_garbage_is_shown_again_and_harms_nothing(house: House, file: Path) -> None:
    before = file.read_bytes()
    for text in ('"><script>alert(1)</script>', "1\n[run]", "\x00\x7f", "9" * 60, "١٢", "-0"):
        status, page = save(house, "anna", pins_confirm=text)
        assert status == 409
        assert "<script>alert" not in page
        assert "Not saved" in page
    assert file.read_bytes() == before
    assert save(house, "anna", pins_nothing="5")[0] == 303
    assert file.read_bytes() == before


def test_the_file_of_a_table_without_one_is_said_to_be_missing(tmp_path: Path) -> None:
    with House(tmp_path / "other", upkeep=Machine(Path("/dev/null"), "--table", "none")) as house:
        house.seat(red="Anna")
        page = get(house, "/configuration", "anna").body.decode()
        assert "started without a configuration file" in page
        assert ">Save</button>" not in page
        assert save(house, "anna", run_port="8085")[0] == 409


def test_it_is_started_again_by_two_taps_of_the_host(
    tmp_path: Path, file: Path, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RESTARTED_AFTER", "75")
    machine = Machine(file)
    with House(tmp_path, upkeep=machine) as house:
        house.seat(red="Anna")
        assert save(house, "anna", run_game="hellrail")[0] == 303
        page = phone(small=True)
        house.visit(page, "/configuration", "anna")
        page.locator("#restart summary").tap()
        send(page, "Yes: start it again")
        expect(page.get_by_role("heading", level=1)).to_have_text("It starts again")
        until(lambda: machine.stop.told == [75])


def test_what_has_become_wrong_since_it_was_saved_is_not_started(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RESTARTED_AFTER", "75")
    machine = Machine(file)
    with House(tmp_path, upkeep=machine) as house:
        house.seat(red="Anna")
        assert save(house, "anna", run_game="hellrail")[0] == 303
        text = file.read_text()
        file.write_text(text.replace('\ngame = "hellrail"\n', '\ngame = "hellrail"\npack = "nothing"\n'))
        page = get(house, "/configuration", "anna").body.decode()
        assert "HellRail has no pack &#39;nothing&#39;" in page
        assert "start it again" not in page
        reply = post(house, "/configuration/restart", b"", "anna")
        assert reply.status == 409
        assert b"has no pack" in reply.body
        assert machine.stop.told == []


def test_a_game_on_the_table_goes_on_whatever_game_is_set(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RESTARTED_AFTER", "75")
    machine = Machine(file)
    with House(tmp_path, upkeep=machine) as house:
        house.seat(red="Anna", blue="Ben", green="Clara")
        house.start()
        assert save(house, "anna", run_game="hellrail")[0] == 303
        page = get(house, "/configuration?saved=1", "anna").body.decode()
        assert "It counts once Stationmaster has started again." in page
        assert "Pawns of Perdition is on the table and goes on." in page
        assert "start it again" not in page
        assert post(house, "/configuration/restart", b"", "anna").status == 303
        assert machine.stop.wait() == 75


@pytest.mark.parametrize(
    ("host", "port", "address"),
    [
        ("table.local", 8081, "http://table.local:8081/"),
        ("192.168.1.5:8080", 80, "http://192.168.1.5/"),
        ("[fe80::1]", 8081, "http://[fe80::1]:8081/"),
        ("[fe80::1]:80", 8081, "http://[fe80::1]:8081/"),
    ],
)
def test_where_the_pages_are_on_another_port(host: str, port: int, address: str) -> None:
    assert moved(host, port) == address
