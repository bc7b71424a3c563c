"""Dice with a symbol at a real table: asked about once, kept with consent, read then, and forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import expect

from companion.games.game import Rolled
from companion.kept_dice import NAME
from companion.messages import Decide
from tests.hardware.virtual import until
from tests.vision.test_own_faces import thrown
from tests.web.conftest import Phone
from tests.web.house import House
from tests.web.players import settle
from tests.web.test_camera_page import Showing, fit
from tests.web.test_looks import to_first_roll
from tests.web.test_serving import get


@pytest.fixture
def camera() -> Showing:
    return Showing(thrown())


@pytest.fixture
def house(tmp_path: Path, camera: Showing) -> Iterator[House]:
    with House(tmp_path, source=camera, learn=True) as house:
        yield house


def say(house: House, *values: int) -> None:
    """The host answers the question about the throw by entering what lies there."""
    until(lambda: house.view("anna", "red").question is not None)
    question = house.view("anna", "red").question
    assert question is not None
    action = msgspec.Raw(msgspec.json.encode(Rolled(values)))
    assert house.ask("anna", Decide(question.id, "enter", action)).status == "done"


def test_a_symbol_that_was_put_right_is_kept_read_and_forgotten(
    house: House, camera: Showing, phone: Phone, shots: Path
) -> None:
    to_first_roll(house)
    camera.image = thrown(6, 3)
    say(house, 6, 3)
    own = house.camera.own if house.camera is not None else None
    assert own is not None
    until(lambda: len(own.kept) == 1)
    assert len(list((house.folder / NAME).iterdir())) == 1
    page = phone(small=True)
    house.visit(page, "/camera", "anna")
    camera.image = thrown(6, 2, turn=200)
    expect(page.get_by_role("region", name="What it makes of it")).to_contain_text("2 dice are seen: 2, 6.")
    page.get_by_role("link", name="faces of dice that you put right").tap()
    settle(page)
    expect(page.get_by_role("img", name="A face that shows 6")).to_be_visible()
    expect(page.locator(".kept")).to_contain_text("was not known")
    fit(page, shots, "own-dice")
    name = own.kept[0].name
    assert get(house, f"/camera/dice/{name}", "anna").status == 200
    assert get(house, f"/camera/dice/{name}", "nobody").status == 404
    page.get_by_role("button", name="Forget this 6").tap()
    expect(page.locator("main")).not_to_contain_text("Forget")
    assert list((house.folder / NAME).iterdir()) == []
    assert get(house, f"/camera/dice/{name}", "anna").status == 404


def test_a_guest_looks_and_deletes_nothing(house: House, camera: Showing, phone: Phone) -> None:
    to_first_roll(house)
    camera.image = thrown(6, 3)
    say(house, 6, 3)
    own = house.camera.own if house.camera is not None else None
    assert own is not None
    until(lambda: len(own.kept) == 1)
    page = phone(small=True)
    house.visit(page, "/camera/dice", "ben")
    expect(page.locator("main")).to_contain_text("The host can delete them.")
    expect(page.get_by_role("button", name="Forget")).to_have_count(0)


def test_without_consent_nothing_is_kept(tmp_path: Path, camera: Showing, phone: Phone, shots: Path) -> None:
    with House(tmp_path, source=camera) as house:
        to_first_roll(house)
        camera.image = thrown(6, 3)
        say(house, 6, 3)
        page = phone(small=True)
        house.visit(page, "/camera/dice", "anna")
        expect(page.get_by_role("heading", level=1)).to_have_text("Your dice")
        expect(page.locator(".prompt")).to_contain_text("No picture of a die is kept at this table.")
        fit(page, shots, "own-dice-off")
        assert not (house.folder / NAME).exists()
