"""The page that shows what the camera sees: live, in plain words, and whatever the camera does."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from companion.games.layout import TableMap
from companion.messages import Join
from tests.hardware.virtual import until
from tests.vision.test_advice import dimmed
from tests.vision.test_advice import table as dice_table
from tests.web.conftest import Phone
from tests.web.house import House
from tests.web.machines import Machine
from tests.web.players import let_pass, settle, shows, stop_clock
from tests.web.test_looks import PHONES, faults, fits, three_seated, to_first_roll
from tests.web.test_serving import get
from vision.source import Frame, Image, SourceFault

FELT = dice_table()
THROWN = dice_table(3, 5)
CUT_OFF = np.ascontiguousarray(dice_table(3, 5, 2)[:, 155:])


class Showing:
    """A camera that shows whatever picture is laid before it; without one it gives none, and hangs."""

    name = "showing"

    def __init__(self, image: Image | None = FELT) -> None:
        self.image = image
        self.fault: SourceFault | None = None
        self._over = threading.Event()

    def open(self) -> None:
        if self.fault is not None:
            raise self.fault

    def read(self, timeout: float) -> Frame | None:
        self._over.wait(0.05)
        if self.fault is not None:
            raise self.fault
        return None if self.image is None else Frame(time.monotonic(), self.image)

    def close(self) -> None:
        """There is nothing to let go of."""

    def give_up(self) -> None:
        self._over.set()


@pytest.fixture
def camera() -> Showing:
    return Showing()


@pytest.fixture
def house(tmp_path: Path, camera: Showing) -> Iterator[House]:
    """A table that this camera looks at, with a machine behind it."""
    file = tmp_path / "stationmaster.toml"
    file.write_text(f'[run]\ntable = "none"\nstate = "{tmp_path}"\n')
    with House(tmp_path, source=camera, upkeep=Machine(file)) as house:
        yield house


def fit(page: Page, shots: Path, name: str) -> None:
    """Fit for people who see or move less well, on each phone."""
    found = fits(page, shots / f"camera-{name}", PHONES, whole=True)
    assert not found, "\n".join(found)


def looking(house: House, phone: Phone) -> Page:
    """Anna's phone with what the camera sees, while three sit at the table."""
    three_seated(house)
    page = phone(small=True)
    house.visit(page, "/camera", "anna")
    return page


def test_what_is_thrown_comes_to_be_seen_with_its_values(
    house: House, camera: Showing, phone: Phone, shots: Path
) -> None:
    three_seated(house)
    page = phone(small=True)
    house.visit(page, "/people", "anna")
    page.get_by_text("Menu", exact=True).tap()
    settle(page)
    page.get_by_role("link", name="Camera: what it sees").tap()
    told = page.get_by_role("region", name="What it makes of it")
    expect(told).to_contain_text("No dice are seen.")
    camera.image = THROWN
    expect(told).to_contain_text("2 dice are seen: 3, 5. That is sure.")
    expect(page.get_by_role("heading", level=1)).to_have_text("It is sure")
    marks = page.locator("#seen text.die")
    expect(marks).to_have_count(2)
    assert sorted(marks.all_text_contents()) == ["3", "5"]
    # The outlines lie on the picture: as large as it, and it has come.
    picture, drawn = page.locator("#seen img"), page.locator("#seen svg")
    assert picture.bounding_box() == drawn.bounding_box()
    wide = page.evaluate("() => document.querySelector('#seen img').naturalWidth")
    assert wide == 720
    fit(page, shots, "sure")


def test_what_it_would_ask_is_told_with_the_letter_of_the_die(
    house: House, camera: Showing, phone: Phone, shots: Path
) -> None:
    camera.image = CUT_OFF
    page = looking(house, phone)
    why = page.get_by_role("region", name="Why it would ask")
    expect(why.get_by_role("listitem").first).to_contain_text(re.compile(r"at [A-C]\b"))
    expect(page.get_by_role("heading", level=1)).to_have_text("It would ask")
    letter = re.search(r"at ([A-C])", why.inner_text())
    assert letter is not None
    expect(page.locator("#seen text.doubt").filter(has_text=f"{letter[1]}:")).to_have_count(1)
    fit(page, shots, "asks")


def test_advice_comes_and_goes_with_what_is_wrong(
    house: House, camera: Showing, phone: Phone, shots: Path
) -> None:
    camera.image = dimmed(THROWN, 0.25)
    page = looking(house, phone)
    better = page.get_by_role("region", name="How to make it better")
    expect(better).to_contain_text("The picture is too dark. Put on more light over the table.")
    fit(page, shots, "dark")
    camera.image = np.asarray(cv2.GaussianBlur(FELT, (0, 0), 3), np.uint8)
    camera.image[200:420, 600:900] = 255
    expect(better).to_contain_text("glare")
    expect(better).to_contain_text("Turn the lamp away")
    expect(better).not_to_contain_text("too dark")
    camera.image = THROWN
    expect(better).to_have_count(0)


def test_a_camera_that_hangs_is_told_and_its_last_picture_is_gone(
    house: House, camera: Showing, phone: Phone, shots: Path
) -> None:
    page = looking(house, phone)
    expect(page.locator("#seen")).to_have_count(1)
    camera.image = None
    alert = page.locator("main").get_by_role("alert")
    expect(alert).to_contain_text("The camera has given no picture for 3 seconds.")
    expect(page.get_by_role("heading", level=1)).to_have_text("No picture")
    expect(page.locator("#seen")).to_have_count(0)
    fit(page, shots, "fault")
    camera.image = THROWN
    expect(page.locator("#seen text.die")).to_have_count(2)
    expect(alert).to_have_count(0)


def test_a_camera_that_is_mended_is_tried_again_from_the_page(
    house: House, camera: Showing, phone: Phone
) -> None:
    page = looking(house, phone)
    camera.fault = SourceFault("This user may not use the camera.", "Type: sudo usermod.", permanent=True)
    alert = page.locator("main").get_by_role("alert")
    expect(alert).to_contain_text("This user may not use the camera. Type: sudo usermod.")
    camera.fault = None
    settle(page)
    alert.get_by_role("button", name="Try again now").tap()
    expect(page.locator("#seen img")).to_have_count(1)
    expect(alert).to_have_count(0)


def test_a_camera_in_the_dark_is_told_with_its_black_picture(
    house: House, camera: Showing, phone: Phone
) -> None:
    camera.image = np.zeros_like(FELT)
    page = looking(house, phone)
    expect(page.locator("main").get_by_role("alert")).to_contain_text("nothing but darkness")
    expect(page.get_by_role("region", name="How to make it better")).to_contain_text("too dark")


def corners_of(sheet: TableMap) -> Image:
    """A cloth on which only the markers in the corners of that sheet lie."""
    image = FELT.copy()
    scale = 0.9 * min(image.shape[0] / sheet.height, image.shape[1] / sheet.width)
    kind = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
    for corner in sheet.corners:
        side = round(corner.side * scale)
        left, top = (round(20 + middle * scale - side / 2) for middle in corner.at)
        rim = side // 6
        image[top - rim : top + side + rim, left - rim : left + side + rim] = 255
        drawn = cv2.aruco.generateImageMarker(kind, corner.id, side)
        image[top : top + side, left : left + side] = drawn[..., None]
    return image


def test_a_sheet_that_was_there_and_is_not_found_is_not_called_sure(
    house: House, camera: Showing, phone: Phone, shots: Path
) -> None:
    to_first_roll(house)
    camera.image = corners_of(house.game.table_map(house.table.state))
    page = phone(small=True)
    house.visit(page, "/camera", "anna")
    told = page.get_by_role("region", name="What it makes of it")
    expect(told).to_contain_text("The sheet is found")
    camera.image = FELT
    expect(told).to_contain_text("The sheet is not found now.")
    expect(page.get_by_role("heading", level=1)).to_have_text("It waits")
    fit(page, shots, "waits")


def test_who_has_said_no_name_sees_nothing_of_the_room(house: House, camera: Showing, phone: Phone) -> None:
    three_seated(house)
    assert house.camera is not None
    house.camera.look()
    until(lambda: house.camera is not None and house.camera.seen() is not None)
    seen = house.camera.seen()
    assert seen is not None
    page = get(house, "/camera").body.decode()
    assert "Say your name" in page
    assert seen.picture not in page
    assert get(house, f"/camera/picture/{seen.picture}").status == 404
    assert get(house, "/camera/look").status == 200
    reply = get(house, f"/camera/picture/{seen.picture}", "anna")
    assert (reply.status, reply.headers["Content-Type"]) == (200, "image/jpeg")
    assert reply.headers["Cache-Control"] == "no-store"
    small = phone(small=True)
    house.visit(small, "/camera")
    expect(small.get_by_role("heading", level=1)).to_have_text("Who are you?")
    assert not faults(small)


def test_strangers_and_pages_out_of_sight_take_no_picture(house: House, phone: Phone) -> None:
    three_seated(house)
    assert house.camera is not None
    get(house, "/camera")
    get(house, "/camera/look")
    assert not house.camera._wanted
    page = phone(small=True)
    stop_clock(page)
    house.visit(page, "/people", "anna")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    let_pass(page, 6000)
    assert not [url for url in asked if "/camera" in url]
    assert not house.camera._wanted
    with page.expect_request("**/camera/look"):
        page.goto(house.url("/camera"))
        let_pass(page, 2000)


def test_no_picture_is_on_the_disk(house: House, camera: Showing, phone: Phone, tmp_path: Path) -> None:
    three_seated(house)
    camera.image = THROWN
    before = {file for file in tmp_path.rglob("*") if file.is_file()}
    page = phone(small=True)
    house.visit(page, "/camera", "anna")
    expect(page.locator("#seen text.die")).to_have_count(2)
    after = {file for file in tmp_path.rglob("*") if file.is_file()}
    assert {file.suffix for file in after - before} <= {".sqlite-wal", ".sqlite-shm", ".db-wal", ".db-shm"}
    assert not any(b"\xff\xd8\xff" in file.read_bytes() for file in after)


def test_a_throw_that_was_read_wrongly_is_corrected_on_the_page(
    house: House, phone: Phone, shots: Path
) -> None:
    to_first_roll(house)
    house.roll(4, 5)
    page = phone(small=True)
    house.visit(page, "/camera", "anna")
    last = page.get_by_role("region", name="The last throw")
    last.get_by_text("It was read wrongly").tap()
    settle(page)
    # What is tapped stays tapped while looks come and go.
    for die, face in enumerate((6, 5)):
        last.get_by_role("group", name=f"Die {die + 1}").get_by_label(str(face)).check(force=True)
    first = page.locator("#seen img").get_attribute("src")
    expect(page.locator("#seen img")).not_to_have_attribute("src", str(first))
    fit(page, shots, "correct")
    settle(page)
    last.get_by_role("button", name="This is what lay there").tap()
    shows(page, house)
    until(lambda: house.view().log[-1].words != "" and "6" in last.inner_text())


def test_a_table_without_a_camera_says_so_with_the_cure(tmp_path: Path, phone: Phone, shots: Path) -> None:
    with House(tmp_path) as house:
        house.ask("anna", Join("Anna"))
        page = phone(small=True)
        house.visit(page, "/camera", "anna")
        expect(page.get_by_role("heading", level=1)).to_have_text("No camera in use")
        expect(page.locator("main")).to_contain_text("--camera auto")
        fit(page, shots, "none")
        assert get(house, "/camera/picture/none-1", "anna").status == 404


def test_an_emulated_table_is_looked_at_as_a_real_one(tmp_path: Path, phone: Phone, shots: Path) -> None:
    with House(tmp_path, seed=3, eyes=True) as house:
        to_first_roll(house)
        page = phone(small=True)
        house.visit(page, "/camera", "anna")
        told = page.get_by_role("region", name="What it makes of it")
        expect(told).to_contain_text("The sheet is found: 4 of its 4 corners are seen.")
        expect(told).to_contain_text("3 pieces are seen on the sheet.")
        expect(page.locator("#seen .piece").first).to_be_attached()
        fit(page, shots, "emulated")


def test_a_look_that_is_never_answered_is_given_up_and_asked_for_again(house: House, phone: Phone) -> None:
    three_seated(house)
    page = phone(small=True)
    asked: list[Route] = []
    stop_clock(page)
    # As on a phone that slept: the line looks open, and nobody is at its other end.
    page.route("**/camera/look", lambda route: route.continue_() if asked else asked.append(route))
    house.visit(page, "/camera", "anna")
    let_pass(page, 2000)
    with page.expect_response("**/camera/look"):
        let_pass(page, 12000)
    assert asked
