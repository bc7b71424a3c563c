"""What happens to phones at a real table: they sleep, lose their network, are reloaded, tapped twice."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.conftest import Phone
from tests.web.house import House
from tests.web.players import join, let_pass, live, settle, shows, stop_clock, tap, until


def seated(house: House) -> None:
    house.seat(red="Anna", blue="Ben", green="Clara")


def playing(house: House) -> None:
    seated(house)
    house.start("red", "blue", "green")
    house.shuffled()
    for values in ((6, 5), (3, 4), (1, 2)):
        house.roll(*values)


def dice(page: Page, *faces: int) -> None:
    settle(page)
    pad = page.locator("footer > .pad")
    for row, face in enumerate(faces):
        pad.locator("fieldset").nth(row).locator(f"label:has(input[value='{face}'])").tap()


# -- seats ------------------------------------------------------------------------------------------


def test_a_seat_survives_reload_closed_browser_and_restart(house: House, phone: Phone) -> None:
    page = phone()
    join(page, house, "Anna", "red")
    house.seat(blue="Ben", green="Clara")
    page.reload(wait_until="domcontentloaded")
    live(page, house)
    expect(page.get_by_role("button", name="Leave: red")).to_be_visible()
    tap(page, page.get_by_role("button", name="Start with 3"))
    page.wait_for_url("**/play/red")
    kept = page.context.storage_state()
    page.context.close()

    house.restart()
    again = phone(storage_state=kept)
    again.goto(house.url("/"), wait_until="domcontentloaded")
    expect(again).to_have_url(house.url("/play/red"))
    expect(again.locator(".who")).to_contain_text("Anna")


def test_two_phones_want_the_same_seat(house: House, phone: Phone) -> None:
    anna, ben = phone(), phone()
    join(anna, house, "Anna", "red")
    house.visit(ben, "/")
    ben.get_by_label("Your name").fill("Ben")
    tap(ben, ben.get_by_role("button", name="Join the table"))
    # Ben's tap is on its way when Anna takes blue as well.
    settle(ben)
    ben.context.set_offline(True)
    ben.get_by_role("button", name="Sit here: blue").tap()
    expect(ben.locator("#reply")).to_contain_text("Trying again")
    tap(anna, anna.get_by_role("button", name="Sit here: blue"))
    ben.context.set_offline(False)
    expect(ben.locator("#reply")).to_contain_text("Anna has Blue")
    assert house.view().seats[1].name == "Anna"


def test_one_person_holds_two_seats_on_tabs(house: House, phone: Phone) -> None:
    house.seat(red="Anna", blue="Anna", green="Clara")
    house.start("red", "blue", "green")
    page = phone(small=True)
    house.visit(page, "/", "anna")
    page.get_by_role("link", name="Blue").tap()
    expect(page).to_have_url(house.url("/play/blue"))
    expect(page.locator(".tabs [aria-current]")).to_contain_text("Blue")


def test_who_comes_late_takes_a_seat_that_was_left(house: House, phone: Phone) -> None:
    playing(house)
    late = phone()
    house.visit(late, "/table")
    expect(late.locator(".corner svg")).to_be_visible()
    house.visit(late, "/")
    late.get_by_label("Your name").fill("Dai")
    tap(late, late.get_by_role("button", name="Join the table"))
    assert late.get_by_role("button", name="Sit here").count() == 0
    host = phone()
    house.visit(host, "/people", "anna")
    tap(host, host.get_by_role("button", name="Free it: green"))
    tap(late, late.get_by_role("button", name="Sit here: green"))
    late.wait_for_url("**/play/green")
    expect(late.locator(".who")).to_contain_text("Dai")


def test_a_lost_host_is_replaced(house: House, phone: Phone) -> None:
    seated(house)
    anna, ben = phone(), phone()
    house.visit(anna, "/people", "anna")
    house.visit(ben, "/people", "ben")
    expect(ben.locator(".seats li").first).not_to_contain_text("away")
    assert ben.get_by_role("button", name="I will host").count() == 0
    anna.context.close()
    button = ben.get_by_role("button", name="I will host")
    expect(button).to_be_visible()
    tap(ben, button)
    expect(ben.get_by_role("button", name="Start with 3")).to_be_enabled()
    assert house.host == "ben"


def test_the_host_chooses_the_order_round_the_table_and_the_options(house: House, phone: Phone) -> None:
    seated(house)
    page = phone(small=True)
    house.visit(page, "/", "anna")
    settle(page)
    page.get_by_role("button", name="Move Clara up").tap()
    page.locator("#options > summary").tap()
    page.get_by_role("radio", name="Pride swaps with the pawn that leads.").check()
    house.join("Dai")  # an update arrives meanwhile
    shows(page, house)
    tap(page, page.get_by_role("button", name="Start with 3"))
    page.wait_for_url("**/play/red")
    state = house.view().state
    assert state.seats == ("red", "green", "blue")
    assert state.options.pride == "leader"


def test_another_game_begins_with_the_same_people(house: House, phone: Phone) -> None:
    playing(house)
    page, other = phone(), phone()
    house.visit(page, "/people", "anna")
    house.visit(other, "/play/blue", "ben")
    page.locator("#finish > summary").tap()
    tap(page, page.get_by_role("button", name="Put the game away"))
    expect(page.get_by_role("button", name="Start with 3")).to_be_enabled()
    other.wait_for_url(house.url("/"))
    expect(other.get_by_role("button", name="Leave: blue")).to_be_visible()


# -- networks ---------------------------------------------------------------------------------------


def test_a_phone_without_network_is_told_and_comes_back_to_the_present(house: House, phone: Phone) -> None:
    playing(house)
    page = phone()
    stop_clock(page)
    house.visit(page, "/play/blue", "ben")
    page.context.set_offline(True)
    house.roll(4, 5)
    let_pass(page, 12_000)
    expect(page.locator("#dead")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("#dead")).to_be_hidden()
    shows(page, house)
    expect(page.locator(".roll .die")).to_have_count(2)


WAKES = {
    "looked at again": "document.dispatchEvent(new Event('visibilitychange'))",
    "thawed": "document.dispatchEvent(new Event('resume'))",
    "taken from the browser's store": "dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))",
    "in a network again": "dispatchEvent(new Event('online'))",
}


@pytest.mark.parametrize("wake", [*WAKES, "on after a long sleep"])
def test_a_phone_that_wakes_trusts_no_line_that_looks_open(house: House, phone: Phone, wake: str) -> None:
    playing(house)
    page = phone()
    stop_clock(page)
    house.visit(page, "/play/blue", "ben")
    house.fall_silent()
    house.roll(4, 5)
    page.wait_for_timeout(100)
    let_pass(page, 500)
    assert int(page.evaluate("root().dataset.number")) < house.table.number
    if wake in WAKES:
        page.evaluate(WAKES[wake])
    else:
        page.clock.fast_forward(8_000)
    shows(page, house)


def test_a_line_that_says_nothing_for_ten_seconds_is_given_up(house: House, phone: Phone) -> None:
    playing(house)
    page = phone()
    stop_clock(page)
    house.visit(page, "/play/blue", "ben")
    house.fall_silent()
    house.roll(4, 5)
    let_pass(page, 9_000)
    assert int(page.evaluate("root().dataset.number")) < house.table.number
    let_pass(page, 3_000)
    shows(page, house)
    expect(page.locator("#dead")).to_be_hidden()


def test_the_table_restarts_and_phones_find_it(house: House, phone: Phone) -> None:
    playing(house)
    page = phone()
    house.visit(page, "/play/red", "anna")
    house.restart()
    house.roll(6, 4)
    shows(page, house)
    tap(page, page.locator("footer > .few button.main"))
    assert house.table.state.pawns[0] == 10


def test_a_lost_answer_is_asked_for_again_and_done_once(house: House, phone: Phone) -> None:
    playing(house)
    page = phone()
    house.visit(page, "/play/red", "anna")
    dice(page, 4, 5)
    ids: list[str] = []

    def lose_the_first_answer(route: Route) -> None:
        ids.append((route.request.post_data or "").split("id=")[1].split("&")[0])
        if len(ids) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/ask", lose_the_first_answer)
    before = house.table.number
    settle(page)
    page.locator("footer > .pad button").tap()
    shows_roll = page.locator(".turn .prompt", has_text="move 9")
    expect(shows_roll).to_be_visible()
    until(page, "() => sending.size === 0")
    assert len(ids) == 2
    assert len(set(ids)) == 1
    assert house.table.number == before + 1


# -- taps -------------------------------------------------------------------------------------------


def test_a_double_tap_is_one_act(house: House, phone: Phone) -> None:
    playing(house)
    house.roll(2, 2)  # to space 4, a safe one: what comes next is the end of the turn
    page = phone()
    house.visit(page, "/play/red", "anna")
    settle(page)
    before = house.table.number
    box = page.locator("footer > .few button.main").bounding_box()
    assert box is not None
    # By the page's own time: a finger does not slow down on a busy machine.
    page.evaluate(
        "async ([x, y]) => { for (let tap = 0; tap < 4; tap++) {"
        " document.elementFromPoint(x, y).click(); await new Promise((go) => setTimeout(go, 50)); } }",
        [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2],
    )
    until(page, "() => sending.size === 0")
    shows(page, house)
    assert house.table.number == before + 1


def test_a_tap_on_what_is_no_longer_so_shows_what_is(house: House, phone: Phone) -> None:
    playing(house)
    page = phone()
    house.visit(page, "/play/red", "anna")
    dice(page, 4, 5)
    answers: list[Any] = []

    def overtaken(route: Route) -> None:
        if not answers:
            house.roll(6, 6)  # the host's other phone was faster
            response = route.fetch()
            answers.append(response.json())
            route.fulfill(response=response)
        else:
            route.continue_()

    page.route("**/ask", overtaken)
    settle(page)
    page.locator("footer > .pad button").tap()
    expect(page.locator("#reply")).to_contain_text("moved on")
    expect(page.locator(".turn .prompt")).to_contain_text("move 12")
    assert answers[0]["status"] == "stale"


def test_a_refusal_is_shown_and_what_was_typed_stays(house: House, phone: Phone) -> None:
    seated(house)
    page = phone(small=True)
    house.visit(page, "/")
    page.get_by_label("Your name").fill("Ben")
    tap(page, page.get_by_role("button", name="Join the table"))
    expect(page.locator("#reply")).to_contain_text("sits here already")
    expect(page.get_by_label("Your name")).to_have_value("Ben")
    house.join("Dai")
    shows(page, house)
    expect(page.get_by_label("Your name")).to_have_value("Ben")


def test_what_is_open_chosen_and_focused_survives_updates(house: House, phone: Phone) -> None:
    playing(house)
    page = phone(small=True)
    house.visit(page, "/play/red", "anna")
    page.locator("#sheet-cards > summary").tap()
    house.do("ben", {"do": "play_card", "seat": "blue", "card": "hellish_reckoning", "target": "green"})
    shows(page, house)  # no card may be played before Green has answered
    expect(page.locator("#sheet-cards .panel")).to_contain_text("No card may be played just now")
    house.do("clara", {"do": "accept", "seat": "green"})
    shows(page, house)
    page.locator("details.card > summary").first.tap()
    page.locator("#sheet-cards .panel").evaluate("(panel) => panel.scrollTo(0, 300)")
    page.locator("footer > .pad input").nth(4).evaluate("(face) => face.click()")
    house.join("Dai")
    shows(page, house)
    assert page.locator("#sheet-cards").get_attribute("open") is not None
    assert page.locator("details.card[open]").count() == 1
    assert page.locator("#sheet-cards .panel").evaluate("(panel) => panel.scrollTop") == 300
    assert page.locator("footer > .pad input:checked").count() == 1


def test_the_way_back_closes_a_sheet_and_stays_on_the_page(house: House, phone: Phone) -> None:
    playing(house)
    page = phone(small=True)
    house.visit(page, "/people", "anna")
    house.visit(page, "/play/red", "anna")
    settle(page)
    sheet = page.locator("#sheet-cards")
    sheet.locator("> summary").tap()
    expect(sheet.locator(".panel")).to_be_visible()
    until(page, "() => history.state?.sheet === true")
    page.evaluate("() => history.back()")
    expect(sheet.locator(".panel")).to_be_hidden()
    expect(page).to_have_url(house.url("/play/red"))
    sheet.locator("> summary").tap()
    until(page, "() => history.state?.sheet === true")
    sheet.locator("> summary").tap()  # closed by hand, the way back is the one before
    until(page, "() => history.state === null")
    page.evaluate("() => history.back()")
    page.wait_for_url("**/people", wait_until="domcontentloaded")


def test_a_roll_is_corrected_from_the_log(house: House, phone: Phone) -> None:
    playing(house)
    house.roll(4, 5)
    page = phone(small=True)
    house.visit(page, "/play/red", "anna")
    settle(page)
    page.locator("#sheet-log > summary").tap()
    page.locator(".fix > summary").first.tap()
    pad = page.locator(".fix[open] .pad")
    for row, face in enumerate((4, 6)):
        pad.locator("fieldset").nth(row).locator(f"label:has(input[value='{face}'])").tap()
    tap(page, pad.locator("button"))
    expect(page.locator(".turn .prompt")).to_contain_text("move 10")
    assert house.table.state.roll.base == (4, 6)
    assert page.locator("#sheet-log").get_attribute("open") is None


def test_what_touches_others_asks_them(house: House, phone: Phone) -> None:
    playing(house)
    house.roll(4, 5)
    ben, anna = phone(small=True), phone(small=True)
    house.visit(ben, "/play/blue", "ben")
    house.visit(anna, "/play/red", "anna")
    settle(ben)
    ben.locator("#sheet-log > summary").tap()
    tap(ben, ben.get_by_role("button", name="Ask to take back").first)
    expect(ben.locator("footer .ask")).to_contain_text("Waiting for Anna")
    expect(ben.locator("footer .ask").get_by_role("button", name="Withdraw")).to_be_visible()
    expect(anna.locator("footer .ask")).to_contain_text("Ben asks to go back")
    tap(anna, anna.get_by_role("button", name="Agree"))
    expect(anna.locator(".turn .prompt")).to_contain_text("throw two dice")


def test_a_page_sends_nothing_before_all_dice_are_chosen(house: House, phone: Phone) -> None:
    playing(house)
    page = phone()
    house.visit(page, "/play/red", "anna")
    dice(page, 4)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.method))
    settle(page)
    page.locator("footer > .pad button").tap()
    page.wait_for_timeout(200)
    assert "POST" not in asked


def test_json_of_an_answer_carries_the_fresh_page(house: House, phone: Phone) -> None:
    playing(house)
    page = phone()
    house.visit(page, "/play/red", "anna")
    dice(page, 4, 5)
    settle(page)
    with page.expect_response("**/ask") as answered:
        page.locator("footer > .pad button").tap()
    body = json.loads(answered.value.text())
    assert body["status"] == "done"
    assert f'data-number="{house.table.number}"' in body["html"]
