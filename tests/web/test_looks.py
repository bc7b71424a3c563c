"""How each page looks: no sideways scrolling, nothing too small to tap, readable; with pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from companion.messages import Takeback
from firmware_bridge.device import Fault
from tests.web.conftest import Phone
from tests.web.house import House, picture
from tests.web.players import settle, shoot

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")

Light = Literal["light", "dark"]
PHONES: list[tuple[int, int, Light]] = [(360, 640, "light"), (360, 640, "dark"), (412, 839, "light")]
WALLS: list[tuple[int, int, Light]] = [(1920, 1080, "light"), (1024, 768, "light"), (800, 1280, "dark")]
WALL = {"device_scale_factor": 1, "is_mobile": False}

SMALL_TARGETS = """() => [...document.querySelectorAll("a, button, summary, input, label:has(input)")]
  .filter((e) => e.checkVisibility() && !e.matches("[type=hidden], label input, p a"))
  .map((e) => [e.getBoundingClientRect(), e.outerHTML.slice(0, 120)])
  .filter(([box]) => box.width && (box.width < 44 || box.height < 44))
  .map(([box, html]) => `${box.width.toFixed()} x ${box.height.toFixed()}: ${html}`)"""


def faults(page: Page) -> list[str]:
    """What is wrong with a page for people who see or move less well, and for narrow screens."""
    found = []
    wide, screen = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    if wide > screen:
        found.append(f"scrolls sideways: {wide} > {screen}")
    found += [f"too small to tap: {target}" for target in page.evaluate(SMALL_TARGETS)]
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE)
    result: Any = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    for violation in result["violations"]:
        nodes = "; ".join(node["html"][:120] for node in violation["nodes"][:3])
        found.append(f"{violation['id']}: {violation['help']}: {nodes}")
    return found


def fits(
    page: Page, shot: Path, screens: Sequence[tuple[int, int, Light]], *, whole: bool = False
) -> list[str]:
    """As `faults`, on each of these screens (width, height, light); pictures of them are named by `shot`.

    `whole`: the pictures show all of the page, and not what the screen does.
    """
    found = []
    for number, (width, height, light) in enumerate(screens):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=light)
        shoot(page, f"{shot}-{number}.png", whole=whole)
        found += [f"{width} x {height}, {light}: {fault}" for fault in faults(page)]
    return found


def three_seated(house: House) -> None:
    house.seat(red="Anna", blue="Ben", green="Clara")


def to_shuffle(house: House) -> None:
    three_seated(house)
    house.start()


def to_first_roll(house: House) -> None:
    three_seated(house)
    house.start("red", "blue", "green")
    house.shuffled()
    for values in ((6, 5), (3, 4), (1, 2)):
        house.roll(*values)


def to_move(house: House) -> None:
    to_first_roll(house)
    house.roll(4, 5)


def to_blues_turn(house: House) -> None:
    to_first_roll(house)
    for _ in range(9):
        prompt = house.view().prompt
        if prompt is not None and prompt.words.startswith("Blue is to throw"):
            return
        house.go_on()
    raise AssertionError("Blue's turn did not come")


def to_proposal(house: House) -> None:
    to_move(house)
    move = next(move for move in house.view("ben", "blue").moves if move.dice)
    house.ask("ben", Takeback(move.move))


def to_question(house: House) -> None:
    to_first_roll(house)
    house.see(4, 5, sure=False, picture=picture(4, 5))


def to_camera_roll(house: House) -> None:
    to_first_roll(house)
    house.see(red="space:0", blue="space:0", green="space:0")
    house.see(4, 3, throw=2, picture=picture(4, 3), red="space:0", blue="space:0", green="space:2")


def to_fault(house: House) -> None:
    to_move(house)
    fault = Fault(
        "camera", "The camera does not answer.", "Check its cable. Until then, enter rolls by hand."
    )
    house.table.submit(fault).result(10)


def to_the_end(house: House) -> None:
    to_first_roll(house)
    for _ in range(400):
        if house.view().phase == "over":
            return
        house.go_on()
    raise AssertionError("the game did not end")


Open = Callable[[Page], None]


def sheet(name: str) -> Open:
    def opened(page: Page) -> None:
        page.locator(f"#sheet-{name} > summary").tap()
        settle(page)

    return opened


def fix(page: Page) -> None:
    sheet("log")(page)
    page.locator(".fix > summary").first.tap()


def ways(page: Page) -> None:
    sheet("cards")(page)
    page.locator("details.card > summary").first.tap()


def refused(page: Page) -> None:
    sheet("menu")(page)
    page.get_by_role("link", name="People and seats").tap()
    page.locator("#rename > summary").tap()
    page.get_by_label("Your name").fill("Clara")
    settle(page)
    page.get_by_role("button", name="Change it").tap()
    expect(page.locator("#reply")).to_contain_text("sits here already")


SCENES: dict[str, tuple[Callable[[House], None] | None, str, str, Open | None]] = {
    "hello": (None, "/", "new", None),
    "lobby": (three_seated, "/", "dai", None),
    "lobby-seated": (three_seated, "/", "ben", None),
    "lobby-host": (three_seated, "/", "anna", None),
    "lobby-options": (three_seated, "/", "anna", lambda page: page.locator("#options > summary").tap()),
    "shuffle": (to_shuffle, "/play/red", "anna", None),
    "roll": (to_first_roll, "/play/red", "anna", None),
    "roll-others": (to_first_roll, "/play/blue", "ben", None),
    "for-others": (to_blues_turn, "/play/red", "anna", sheet("others")),
    "move": (to_move, "/play/red", "anna", None),
    "cards": (to_first_roll, "/play/red", "anna", sheet("cards")),
    "cards-ways": (to_move, "/play/red", "anna", ways),
    "log": (to_move, "/play/red", "anna", sheet("log")),
    "log-fix": (to_move, "/play/red", "anna", fix),
    "menu": (to_move, "/play/red", "anna", sheet("menu")),
    "proposal": (to_proposal, "/play/red", "anna", None),
    "proposal-waits": (to_proposal, "/play/blue", "ben", None),
    "question": (to_question, "/play/red", "anna", None),
    "camera-roll": (to_camera_roll, "/play/red", "anna", None),
    "question-large": (
        to_question,
        "/play/red",
        "anna",
        lambda page: page.locator(".ask .photo > summary").tap(),
    ),
    "fault": (to_fault, "/play/red", "anna", None),
    "refused": (to_move, "/play/blue", "ben", refused),
    "over": (to_the_end, "/play/red", "anna", None),
    "people-playing": (to_move, "/people", "anna", None),
    "join": (None, "/join", "", None),
    "help": (None, "/help", "", None),
    "whole-log": (to_move, "/log", "", None),
    "missing": (None, "/nowhere", "", None),
    "wall-lobby": (three_seated, "/table", "", None),
    "wall": (to_camera_roll, "/table", "", None),
    "wall-over": (to_the_end, "/table", "", None),
}


@pytest.mark.parametrize("name", SCENES)
def test_each_page_is_fit_for_a_small_phone(name: str, house: House, phone: Phone, shots: Path) -> None:
    prepare, path, person, act = SCENES[name]
    if prepare is not None:
        prepare(house)
    if person == "dai":
        house.join("Dai")
    page = phone(small=True, **(WALL if name.startswith("wall") else {}))
    house.visit(page, path, person)
    if act is not None:
        settle(page)
        act(page)
    found = fits(page, shots / name, WALLS if name.startswith("wall") else PHONES)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", ["roll", "move", "cards"])
def test_the_pages_of_an_emulated_table(name: str, emulated: House, phone: Phone, shots: Path) -> None:
    prepare, path, person, act = SCENES[name]
    assert prepare is not None
    prepare(emulated)
    page = phone(small=True)
    emulated.visit(page, path, person)
    expect(page.locator(".banner")).to_contain_text("Emulated: the whole table")
    for part in (page.locator(".turn .prompt"), page.locator("footer button").first):
        expect(part).to_be_in_viewport(ratio=1)
    if act is not None:
        settle(page)
        act(page)
        held = emulated.controls.hand("red") if emulated.controls else ()
        shown = page.locator("#sheet-cards .card")
        for number in range(shown.count()):
            card = shown.nth(number)
            kind = (card.get_attribute("id") or "").removeprefix("card-").removesuffix("-ways")
            assert ("not-held" in (card.get_attribute("class") or "")) == (kind not in held)
    found = fits(page, shots / f"emulated-{name}", PHONES)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", ["shuffle", "roll", "move", "proposal", "question", "fault", "camera-roll"])
def test_the_main_act_needs_no_scrolling(name: str, house: House, phone: Phone) -> None:
    prepare, path, person, _ = SCENES[name]
    assert prepare is not None
    prepare(house)
    page = phone(small=True)
    house.visit(page, path, person)
    for part in (
        page.locator(".turn h1"),
        page.locator(".turn .prompt"),
        page.locator("footer button").first,
    ):
        expect(part).to_be_in_viewport(ratio=1)
    assert page.evaluate("() => scrollY") == 0
