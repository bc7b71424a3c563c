"""A tap is sent, or the phone shows at once that it was not; and it never does what was not meant.

The page's clock stands still in most of these, so that a change has always only just come.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.games.game import Rolled
from companion.messages import Agree, Answer, Request, Takeback
from firmware_bridge.device import Fault
from tests.web.conftest import Phone
from tests.web.house import House
from tests.web.players import let_pass, settle, shows, stop_clock, tap

LATER = 400  # ms; longer than a finger's way


def still(page: Page, house: House, path: str, person: str = "") -> None:
    """Open this page, let it settle, and let its clock stand still, and all that moves on it."""
    open_still(page, house, path, person)
    let_pass(page, LATER)


def open_still(page: Page, house: House, path: str, person: str = "") -> None:
    stop_clock(page)
    house.visit(page, path, person)
    page.context.new_cdp_session(page).send("Animation.setPlaybackRate", {"playbackRate": 0})


def posts(page: Page) -> list[str]:
    """What the page sends from now on."""
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    return sent


def held_back(page: Page, button: Locator, sent: list[str]) -> None:
    """The button has not been sent, and shows that it felt the tap."""
    assert button.evaluate("(button) => button.getAnimations().length") == 1
    page.wait_for_timeout(200)
    assert sent == []


def middle(button: Locator) -> tuple[float, float]:
    box = button.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_button_that_has_not_changed_is_sent_whatever_else_changes(house: House, phone: Phone) -> None:
    house.seat(red="Anna", blue="Ben")
    page = phone(small=True)
    still(page, house, "/", "ben")
    leave, sit = (page.get_by_role("button", name=name) for name in ("Leave: blue", "Sit here: yellow"))
    expect(sit).to_be_visible()
    house.seat(yellow="Dai")
    shows(page, house)
    expect(sit).to_have_count(0)
    with page.expect_response("**/ask"):
        leave.tap()
    expect(page.get_by_role("button", name="Sit here: blue")).to_be_visible()
    assert "Ben" not in {seat.name for seat in house.view().seats}


def test_a_button_that_has_only_just_changed_says_so_and_takes_the_next_tap(
    house: House, phone: Phone
) -> None:
    house.seat(red="Anna", blue="Ben", green="Clara")
    page = phone(small=True)
    still(page, house, "/", "anna")
    sent = posts(page)
    house.seat(yellow="Dai")
    shows(page, house)
    start = page.get_by_role("button", name="Start with 4")
    start.tap()
    held_back(page, start, sent)
    expect(page.locator("#reply")).to_contain_text("Tap again")
    let_pass(page, LATER)
    with page.expect_response("**/ask"):
        start.tap()
    page.wait_for_url("**/play/red")


def test_a_button_that_has_slid_under_the_finger_is_not_meant(house: House, phone: Phone) -> None:
    house.seat(red="Anna", blue="Ben", green="Clara")
    page = phone()
    still(page, house, "/", "anna")
    sent = posts(page)
    x, y = middle(page.get_by_role("button", name="Free it: green"))
    house.table.submit(Fault("camera", "The camera is unplugged.", "Plug it in.")).result(10)
    expect(page.locator(".notice")).to_be_visible()
    under = page.locator("button").nth(
        page.evaluate(
            "([x, y]) => [...document.querySelectorAll('button')].indexOf("
            "document.elementFromPoint(x, y).closest('button'))",
            [x, y],
        )
    )
    expect(under).to_have_attribute("aria-label", "Leave: red")  # it was there before, but not here
    page.touchscreen.tap(x, y)
    held_back(page, under, sent)
    assert house.view().seats[0].name == "Anna"


def test_agree_is_for_the_proposal_that_was_read(
    house: House, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.seat(red="Anna", blue="Ben", green="Clara")
    house.start("red", "blue", "green")
    house.shuffled()
    for values in ((6, 5), (3, 4), (1, 2), (4, 5)):
        house.roll(*values)
    rolls = [n for n, move in enumerate(house.table.moves()) if isinstance(move, Rolled)]
    house.ask("ben", Takeback(rolls[-2]))
    page = phone(small=True)
    still(page, house, "/play/red", "anna")
    sent = posts(page)
    agree = page.get_by_role("button", name="Agree")
    place = middle(agree)
    with monkeypatch.context() as phones:
        phones.setattr(house.server.feed, "publish", lambda: None)
        house.ask("ben", Agree(False))
    house.ask("ben", Takeback(rolls[-3]))  # all comes to the phones at once
    shows(page, house)
    assert middle(agree) == place
    agree.tap()
    held_back(page, agree, sent)


def test_a_double_tap_on_what_stays_the_same_is_one_request(house: House, phone: Phone) -> None:
    house.seat(red="Anna", blue="Ben", green="Clara")
    page = phone(small=True)
    still(page, house, "/")
    page.get_by_label("Your name").fill("Ben")
    button = page.get_by_role("button", name="Join the table")
    with page.expect_response("**/ask"):
        button.tap()
    expect(page.locator("#reply")).to_contain_text("sits here already")
    sent = posts(page)
    button.tap()
    held_back(page, button, sent)
    expect(page.locator("#reply")).to_contain_text("sits here already")
    let_pass(page, LATER)
    with page.expect_response("**/ask"):
        button.tap()


def test_a_new_page_is_not_what_the_finger_was_on_its_way_to(house: House, phone: Phone) -> None:
    house.seat(red="Anna", blue="Ben", green="Clara")
    page = phone(small=True)
    open_still(page, house, "/", "anna")
    sent = posts(page)
    start = page.get_by_role("button", name="Start with 3")
    start.tap()
    held_back(page, start, sent)


def test_a_page_that_leads_away_waits_for_what_it_sends(
    house: House, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.seat(red="Anna", blue="Ben", green="Clara")
    page, other = phone(), phone()
    house.visit(page, "/", "anna")
    house.visit(other, "/", "ben")
    settle(page)
    submit, answer = house.table.submit, threading.Event()

    def slowly_answered(entry: Any) -> Future[Answer]:
        future = submit(entry)
        if isinstance(entry, Request):
            future.result(10)
            assert answer.wait(10)
        return future

    monkeypatch.setattr(house.table, "submit", slowly_answered)
    start = page.get_by_role("button", name="Start with 3")
    with page.expect_response("**/ask") as answered:
        start.tap()
        other.wait_for_url("**/play/blue")  # the news is out before the answer
        page.wait_for_timeout(500)
        assert page.url == house.url("/")
        expect(start).to_have_attribute("aria-busy", "true")
        answer.set()
    assert answered.value.status == 200
    page.wait_for_url("**/play/red")
    tap(page, page.locator("footer > .few button.main"))
