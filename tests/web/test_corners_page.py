"""Corners tapped on the phone's picture of the camera: in any order, dragged, kept and forgotten."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.emulated.controls import Controls
from companion.emulated.viewpoint import Floats
from companion.games.game import AwaitedDice, Rolled
from tests.emulated.covered import CoveredCamera
from tests.hardware.virtual import until
from tests.vision.test_tapped_tray import RIM, rimmed
from tests.web.conftest import Phone
from tests.web.house import House
from tests.web.machines import Machine
from tests.web.players import shoot
from tests.web.test_camera_page import FELT, THROWN, Showing
from tests.web.test_looks import PHONES, faults, three_seated, to_first_roll
from tests.web.test_serving import get, post


class CupHouse(House):
    """An emulated table whose camera sees no corner marker as soon as a game is on it."""

    covered: CoveredCamera

    def camera_of(self, controls: Controls) -> CoveredCamera:
        self.covered = CoveredCamera(controls.camera, controls.world)
        return self.covered

    def __enter__(self) -> CupHouse:
        self.open()
        return self

    def corners(self) -> Floats:
        """The corners of the sheet, once it lies there, as parts of the picture's width and height (4x2)."""
        until(lambda: self.covered.world.map is not None)
        return self.covered.corners / self.covered.camera.viewpoint.size


@pytest.fixture
def cups(tmp_path: Path) -> Iterator[CupHouse]:
    with CupHouse(tmp_path, seed=3, eyes=True) as house:
        yield house


@pytest.fixture
def camera() -> Showing:
    return Showing(THROWN)


@pytest.fixture
def felt(tmp_path: Path, camera: Showing) -> Iterator[House]:
    """A real table without a sheet, on which dice lie."""
    file = tmp_path / "stationmaster.toml"
    file.write_text(f'[run]\ntable = "none"\nstate = "{tmp_path}"\n')
    with House(tmp_path, source=camera, upkeep=Machine(file)) as house:
        yield house


def fit(page: Page, shots: Path, name: str) -> None:
    """Fit for people who see or move less well, on each phone."""
    found = []
    for number, (width, height, light) in enumerate(PHONES):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=light)
        shoot(page, shots / f"corners-{name}-{number}.png", whole=True)
        found += [f"{width} x {height}, {light}: {fault}" for fault in faults(page)]
    assert not found, "\n".join(found)
    page.set_viewport_size({"width": PHONES[0][0], "height": PHONES[0][1]})


def tap(page: Page, at: Floats) -> None:
    """Tap on the picture, at that part of its width and height."""
    box = page.locator("#shot").bounding_box()
    assert box is not None
    page.locator("#shot").tap(position={"x": float(at[0] * box["width"]), "y": float(at[1] * box["height"])})


def drag(page: Page, number: int, to: Floats) -> None:
    """Drag the corner that shows this number there."""
    handle = page.locator(".handle:visible").get_by_text(str(number), exact=True)
    handle.scroll_into_view_if_needed()
    grip, box = handle.bounding_box(), page.locator("#shot").bounding_box()
    assert grip is not None
    assert box is not None
    page.mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + to[0] * box["width"], box["y"] + to[1] * box["height"], steps=4)
    expect(page.locator(".loupe")).to_be_visible()
    page.mouse.up()


def words(page: Page, said: str) -> None:
    expect(page.locator("#corners-words")).to_contain_text(said)


def test_a_sheet_whose_corners_are_covered_is_read_once_they_are_tapped(
    cups: CupHouse, phone: Phone, shots: Path
) -> None:
    to_first_roll(cups)
    corners = cups.corners()
    page = phone(small=True)
    cups.visit(page, "/camera", "anna")
    told = page.get_by_role("region", name="What it makes of it")
    page.get_by_role("link", name="Set the corners").click()
    words(page, "Tap the corners in the picture.")
    fit(page, shots, "empty")
    # As a child taps: in no order, and not quite where they are.
    for number in (2, 0, 3):
        tap(page, corners[number])
    words(page, "1 more.")
    page.get_by_role("button", name="Save").tap()
    words(page, "Three corners are tapped. Four are needed")
    tap(page, (corners[0] + corners[2]) / 2)
    words(page, "make no frame")
    page.get_by_role("button", name="Save").tap()
    words(page, "make no frame")
    fit(page, shots, "no-frame")
    page.get_by_role("button", name="Take one back").tap()
    words(page, "1 more.")
    tap(page, corners[1] + np.array([-0.06, 0.08]))
    words(page, "Is the dice tray drawn where it is on your sheet?")
    drag(page, 2, corners[1])
    words(page, "Is the dice tray drawn where it is on your sheet?")
    expect(page.locator(".loupe")).to_be_hidden()
    assert page.locator(".handle").all_text_contents() == ["3", "1", "4", "2"]
    fit(page, shots, "laid")
    page.get_by_role("button", name="Save").tap()
    expect(told).to_contain_text("The sheet lies where its corners were tapped.")
    expect(told).to_contain_text("3 pieces are seen on the sheet.")
    expect(page.get_by_role("heading", level=1)).to_have_text("It is sure")
    fit(page, shots, "kept")
    # A throw of the emulated table is read where the tray is taken to be.
    assert cups.controls is not None
    while not isinstance(chance := getattr(cups.view().awaiting, "chance", None), AwaitedDice):
        cups.go_on()
    moves = len(cups.table.moves())
    cups.controls.throw(chance.seat)
    until(lambda: len(cups.table.moves()) > moves)
    roll = cups.table.moves()[moves]
    assert isinstance(roll, Rolled)
    assert sorted(map(int, roll.values)) == sorted(map(int, cups.controls.world.values))


def test_what_was_set_is_there_after_a_restart_and_told_when_the_camera_has_moved(
    cups: CupHouse, phone: Phone, shots: Path
) -> None:
    to_first_roll(cups)
    corners = cups.corners()
    page = phone(small=True)
    cups.visit(page, "/camera/corners", "anna")
    words(page, "Tap the corners")
    for at in corners:
        tap(page, at)
    words(page, "Is the dice tray drawn")
    page.get_by_role("button", name="Save").tap()
    told = page.get_by_role("region", name="What it makes of it")
    expect(told).to_contain_text("The sheet lies where its corners were tapped.")
    cups.restart()
    page.goto(cups.url("/camera"))
    expect(told).to_contain_text("The sheet lies where its corners were tapped.")
    assert "corners" not in [fault.id for fault in cups.table.faults]
    cups.covered.shift = (34, 16)
    better = page.get_by_role("region", name="How to make it better")
    expect(better).to_contain_text("has moved since the corners were set. Set the corners again")
    until(lambda: "corners" in [fault.id for fault in cups.table.faults])
    expect(page.get_by_role("heading", level=1)).to_have_text("It waits")
    fit(page, shots, "moved")
    cups.covered.shift = (0, 0)
    expect(better).to_have_count(0)
    until(lambda: "corners" not in [fault.id for fault in cups.table.faults])
    page.get_by_role("button", name="Forget the corners set by hand").click()
    expect(page.get_by_role("region", name="Corners")).to_contain_text("Then show by hand where it is.")
    assert not (cups.folder / "corners.json").exists()


def test_only_dice_inside_the_frame_count_where_there_is_no_sheet(
    felt: House, camera: Showing, phone: Phone, shots: Path
) -> None:
    three_seated(felt)
    page = phone(small=True)
    felt.visit(page, "/camera", "anna")
    told = page.get_by_role("region", name="What it makes of it")
    expect(told).to_contain_text("2 dice are seen: 3, 5.")
    camera.image = rimmed(THROWN)
    for _ in range(2):  # the look that is just being taken may be of what lay there before
        shown = page.locator("#seen img").get_attribute("src")
        expect(page.locator("#seen img")).not_to_have_attribute("src", str(shown))
    felt.visit(page, "/camera/corners")
    words(page, "Tap the corners")
    page.get_by_label("The place for dice, without a sheet").check()
    high, wide = THROWN.shape[:2]
    for x, y in RIM:
        tap(page, np.array([x / wide, y / high]))
    words(page, "Only dice inside this frame will count.")
    fit(page, shots, "tray")
    page.get_by_role("button", name="Save").tap()
    expect(told).to_contain_text("Only dice inside the frame that was tapped count.")
    expect(told).to_contain_text("One die is seen: 3. That is sure.")
    fit(page, shots, "tray-kept")


def test_arrow_keys_move_a_corner_and_a_new_picture_keeps_what_is_tapped(felt: House, phone: Phone) -> None:
    three_seated(felt)
    page = phone(small=True)
    felt.visit(page, "/camera/corners", "anna")
    words(page, "Tap the corners")
    for at in ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)):
        tap(page, np.array(at))
    handle = page.locator(".handle").first
    left = handle.evaluate("handle => handle.style.left")
    handle.focus()
    page.keyboard.press("Shift+ArrowRight")
    assert handle.evaluate("handle => parseFloat(handle.style.left)") == pytest.approx(
        float(left.rstrip("%")) + 1000 / 720, abs=0.01
    )
    shown = page.locator("#shot").get_attribute("src")
    page.get_by_role("button", name="New picture").tap()
    expect(page.locator("#shot")).not_to_have_attribute("src", str(shown))
    expect(page.locator(".handle:visible")).to_have_count(4)


def test_plain_cloth_cannot_be_gone_by_and_nothing_is_lost(
    felt: House, camera: Showing, phone: Phone
) -> None:
    camera.image = np.full_like(FELT, 120)
    three_seated(felt)
    page = phone(small=True)
    felt.visit(page, "/camera/corners", "anna")
    words(page, "Tap the corners")
    page.get_by_label("The place for dice, without a sheet").check()
    for at in ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)):
        tap(page, np.array(at))
    words(page, "Only dice inside")
    page.get_by_role("button", name="Save").tap()
    words(page, "Too little is to be seen at these corners")
    expect(page.locator(".handle:visible")).to_have_count(4)


def test_strangers_and_other_sites_set_no_corners(felt: House, phone: Phone) -> None:
    three_seated(felt)
    assert felt.camera is not None
    felt.camera.look()
    until(lambda: felt.camera is not None and felt.camera.seen() is not None)
    seen = felt.camera.seen()
    assert seen is not None
    asked = {
        "picture": seen.picture,
        "bounds": "tray",
        "turns": "0",
        "points": "[[1,1],[600,1],[600,300],[1,300]]",
    }
    body = urlencode(asked).encode()
    kind = {"Content_Type": "application/x-www-form-urlencoded"}
    assert post(felt, "/camera/corners/lay", body, "stranger", **kind).status == 403
    assert post(felt, "/camera/corners", body, "anna", **kind, Sec_Fetch_Site="cross-site").status == 403
    assert json.loads(post(felt, "/camera/corners/lay", body, "anna", **kind).body)["done"]
    for wrong in ({"points": "7"}, {"points": "[[1]]"}, {"bounds": "cup"}, {"turns": "x"}, {"more": "1"}):
        bad = urlencode(asked | wrong).encode()
        reply = post(felt, "/camera/corners/lay", bad, "anna", **kind)
        assert reply.status == 400, wrong
        assert "Load the page again" in json.loads(reply.body)["words"]
    old = urlencode(asked | {"picture": "gone-1"}).encode()
    assert "too old" in json.loads(post(felt, "/camera/corners", old, "anna", **kind).body)["words"]
    assert get(felt, "/camera/corners", "stranger").status == 302
    assert get(felt, "/camera/corners/picture").status == 204
    assert not (felt.folder / "corners.json").exists()
