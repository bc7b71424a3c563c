"""HellRail on phones: the picture under the finger, cards and places with pages of their own, no secrets."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from companion import packs
from companion.games.hellrail.actions import EndTurn, Fan, Move, PlaceCircle
from tests.web.conftest import Phone
from tests.web.house import HELLRAIL, House
from tests.web.players import join, live, settle, shows, tap, until
from tests.web.rail_players import PEOPLE, SEATS, follow, follow_in_picture, press, reached
from tests.web.test_hellrail_looks import awaited, position, ramming, several
from web_ui import where

PACK = packs.load(HELLRAIL, "house")


def at_table(tmp_path: Path, of: str) -> House:
    return House(tmp_path, game=HELLRAIL, position=position(of))


def looked_at(page: Page) -> list[float]:
    """The part of the table that the picture shows."""
    box = page.locator("#net > svg").get_attribute("viewBox")
    assert box is not None
    return [float(value) for value in box.split()]


def fingers(page: Page, *ways: list[tuple[float, float]]) -> None:
    """Fingers go along these ways, all at once."""
    line = page.context.new_cdp_session(page)

    def send(kind: str, at: int | None) -> None:
        points = (
            [] if at is None else [{"x": way[at][0], "y": way[at][1], "id": n} for n, way in enumerate(ways)]
        )
        line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", 0)
    for at in range(1, len(ways[0])):
        send("touchMove", at)
    send("touchEnd", None)


def middle(page: Page) -> tuple[float, float]:
    frame = page.locator("#net").bounding_box()
    assert frame is not None
    return frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2


def along(start: tuple[float, float], right: float, down: float) -> list[tuple[float, float]]:
    return [(start[0] + right * step / 8, start[1] + down * step / 8) for step in range(9)]


def test_who_ties_wins_together(tmp_path: Path, phone: Phone) -> None:
    over = replace(position("over"), delivered=((),) * 3, loaded=((),) * 3)
    with House(tmp_path, game=HELLRAIL, position=over) as house:
        page = phone()
        for path in ("/play/red", "/table"):
            house.visit(page, path, "anna")
            assert page.locator(".turn h1").inner_text() == "Anna, Ben and Clara win"


# -- the picture -----------------------------------------------------------------------------------


def test_a_finger_pushes_the_picture_and_it_stays_there(tmp_path: Path, phone: Phone) -> None:
    with at_table(tmp_path, "busy") as house:
        seat = awaited(house.table.state)
        card = ramming(house.table.state, seat)
        page = phone(small=True)
        house.visit(page, f"/play/{seat}/card/{card}/do/lay", PEOPLE[seat])
        before, address = looked_at(page), page.url
        fingers(page, along(middle(page), -60, -45))
        pushed = looked_at(page)
        scale = before[2] / page.locator("#net").evaluate("net => net.clientWidth")
        assert pushed[0] == pytest.approx(before[0] + 60 * scale, abs=8 * scale)
        assert pushed[1] == pytest.approx(before[1] + 45 * scale, abs=8 * scale)
        assert page.url == address, "a push is no tap"
        house.join("Dai")  # the page is made anew, and put in the place of the old one
        until(page, "revision => Number(root().dataset.revision) >= revision", house.all_here())
        assert looked_at(page) == pushed
        page.reload(wait_until="domcontentloaded")
        live(page, house)
        assert looked_at(page) == pytest.approx(pushed, abs=0.1)
        page.get_by_role("button", name="All of the table").tap()
        box = [float(value) for value in (page.locator("#net").get_attribute("data-box") or "").split()]
        whole = looked_at(page)
        assert whole[0] <= box[0] + 0.1
        assert whole[2] >= box[2] - 0.1


def test_two_fingers_make_the_picture_larger_where_they_are(tmp_path: Path, phone: Phone) -> None:
    with at_table(tmp_path, "busy") as house:
        seat = awaited(house.table.state)
        page = phone(small=True)
        house.visit(page, f"/play/{seat}", PEOPLE[seat])
        page.locator("#net").evaluate("net => net.scrollIntoView({block: 'center'})")
        before = looked_at(page)
        x, y = middle(page)
        fingers(page, along((x - 30, y), -45, 0), along((x + 30, y), 45, 0))
        after = looked_at(page)
        assert after[2] == pytest.approx(before[2] * 60 / 150, rel=0.1)
        for axis in (0, 1):
            there = before[axis] + before[axis + 2] / 2
            assert after[axis] + after[axis + 2] / 2 == pytest.approx(there, abs=0.05 * before[2])


def test_without_its_script_the_picture_scrolls_and_all_can_be_done(tmp_path: Path, browser: Browser) -> None:
    with at_table(tmp_path, "busy") as house:
        seat = awaited(house.table.state)
        card = ramming(house.table.state, seat)
        place = several(HELLRAIL.prompt(house.table.state, seat, card).choices, "Lay")
        context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 640})
        page = context.new_page()
        house.let_in(page, PEOPLE[seat])
        page.goto(house.url(f"/play/{seat}"))
        page.locator("footer a[href$='/cards']").click()
        page.locator(f".tiles a[href$='/card/{card}']").first.click()
        wide = page.locator("#net").bounding_box()
        drawn = page.locator("#net > svg").bounding_box()
        assert wide is not None
        assert drawn is not None
        assert drawn["width"] > wide["width"], "it is larger than its window, and scrolls"
        page.locator(".kinds a", has_text="Lay").click()
        page.locator(f".lit a[href$='/at/{place}']").click()
        page.locator(".there button", has_text="turned 90").click()
        assert page.url == house.url(f"/play/{seat}")
        cell = [int(part) for part in place.removeprefix("cell:").split(",")]
        assert any(rail.card == card and list(rail.cell) == cell for rail in house.table.state.rails)
        context.close()


def test_where_its_script_does_not_come_the_picture_scrolls(tmp_path: Path, phone: Phone) -> None:
    with at_table(tmp_path, "busy") as house:
        seat = awaited(house.table.state)
        card = ramming(house.table.state, seat)
        page = phone(small=True)
        page.route("**/net.js*", lambda route: route.abort())
        house.visit(page, f"/play/{seat}/card/{card}", PEOPLE[seat])
        assert page.evaluate("() => document.getElementById('net').scrollWidth") > 500
        address = page.url
        page.locator("#net").evaluate("net => net.scrollTo(100, 40)")
        house.join("Dai")
        until(page, "revision => Number(root().dataset.revision) >= revision", house.all_here())
        assert page.evaluate("() => document.getElementById('net').scrollLeft") == 100
        assert page.url == address


def test_a_circle_tells_its_effect_when_it_is_tapped(tmp_path: Path, phone: Phone) -> None:
    with at_table(tmp_path, "busy") as house:
        state = house.table.state
        seat = next(seat for seat in SEATS if seat != awaited(state))
        page = phone(small=True)
        house.visit(page, f"/play/{seat}", PEOPLE[seat])
        circle = state.circles[4]
        words = next(card.words for card in state.edition.circles if card.name == circle.name)
        page.get_by_role("button", name="All of the table").tap()
        link = page.locator(f".tell a[href$='/at/cell:{circle.cell[0]},{circle.cell[1]}']").bounding_box()
        assert link is not None
        page.touchscreen.tap(link["x"] + link["width"] / 2, link["y"] + link["height"] / 2)
        expect(page.locator(".there")).to_contain_text(words)
        page.get_by_role("link", name="Close").tap()
        expect(page.locator(".there")).to_have_count(0)
        assert page.url == house.url(f"/play/{seat}")


# -- cards and places ------------------------------------------------------------------------------


def test_the_way_back_and_reloading_keep_where_one_is(tmp_path: Path, phone: Phone) -> None:
    with at_table(tmp_path, "busy") as house:
        seat = awaited(house.table.state)
        card = ramming(house.table.state, seat)
        place = several(HELLRAIL.prompt(house.table.state, seat, card).choices, "Move")
        page = phone(small=True)
        house.visit(page, f"/play/{seat}", PEOPLE[seat])
        follow(page, page.locator("footer a[href$='/cards']"))
        follow(page, page.locator(f".tiles a[href$='/card/{card}']").first)
        expect(page.locator(".of-card")).to_contain_text("Value ")
        follow_in_picture(page, place)
        addresses = [page.url]
        page.reload(wait_until="domcontentloaded")
        expect(page.locator(".there button").first).to_be_visible()
        for _ in range(3):
            page.go_back(wait_until="domcontentloaded")
            addresses.append(page.url)
        assert [address.removeprefix(house.url()) for address in addresses] == [
            f"play/{seat}/card/{card}/at/{place}",
            f"play/{seat}/card/{card}",
            f"play/{seat}/cards",
            f"play/{seat}",
        ]


def test_a_card_is_found_by_its_name_and_by_its_value(tmp_path: Path, phone: Phone) -> None:
    with at_table(tmp_path, "busy") as house:
        state = house.table.state
        seat = awaited(state)
        cards = HELLRAIL.prompt(state, seat).cards
        page = phone(small=True)
        house.visit(page, f"/play/{seat}/cards", PEOPLE[seat])
        assert page.locator(".tiles li").count() == len(cards)
        page.get_by_label("Name or number").fill(cards[-1])
        expect(page.locator(".tiles li:visible")).to_have_count(1)
        page.get_by_label("Name or number").fill("")
        expect(page.locator(".tiles li:visible")).to_have_count(len(cards))
        value = next(card.value for card in state.edition.rails if card.name == cards[0])
        page.get_by_role("navigation", name="Value").get_by_role("link", name=str(value)).tap()
        expect(page.locator(f"#first-{value} h2")).to_be_in_viewport()


def derailing(state: Any) -> Any:
    """A Move off the end of the rail, as a choice; None when there is none."""
    seat = awaited(state)
    choices = (
        choice
        for card in HELLRAIL.prompt(state, seat).cards
        for choice in HELLRAIL.prompt(state, seat, card).choices
        if isinstance(choice.action, Move) and choice.action.to is None
    )
    return next(choices, None)


def test_what_derails_is_asked_once_more(tmp_path: Path, phone: Phone) -> None:
    may_derail = HELLRAIL.hide(reached(lambda state: derailing(HELLRAIL.hide(state)) is not None, late=True))
    with House(tmp_path, game=HELLRAIL, position=may_derail) as house:
        seat = awaited(house.table.state)
        choice = derailing(house.table.state)
        page = phone(small=True)
        house.visit(page, f"/play/{seat}/card/{choice.action.card}", PEOPLE[seat])
        settle(page)
        number = house.table.number
        warned = page.locator("details.warned", has_text=choice.warning).first
        warned.locator("summary").tap()
        expect(warned.get_by_text(choice.warning)).to_be_visible()
        assert house.table.number == number
        warned.locator("summary").tap()
        press(page, choice)
        page.wait_for_url(f"**/play/{seat}", wait_until="domcontentloaded")
        assert house.table.moves() == (choice.action,)


def test_a_page_whose_card_was_played_leads_back(tmp_path: Path, phone: Phone) -> None:
    with at_table(tmp_path, "busy") as house:
        seat = awaited(house.table.state)
        cards = HELLRAIL.prompt(house.table.state, seat).cards
        page = phone()
        house.visit(page, f"/play/{seat}/card/{cards[0]}", PEOPLE[seat])
        assert house.do(PEOPLE[seat], Fan(seat, cards[0])).status == "done"
        page.wait_for_url(f"**/play/{seat}", wait_until="domcontentloaded")
        page.goto(house.url(f"/play/{seat}/card/{cards[0]}"), wait_until="domcontentloaded")
        assert page.url == house.url(f"/play/{seat}")


def test_what_changed_last_is_shown_up_and_the_log_names_the_rule(tmp_path: Path, phone: Phone) -> None:
    with at_table(tmp_path, "busy") as house:
        state = house.table.state
        seat = awaited(state)
        card = HELLRAIL.prompt(state, seat).cards[0]
        lay = next(c for c in HELLRAIL.prompt(state, seat, card).choices if c.group == "Lay")
        other = next(other for other in SEATS if other != seat)
        page = phone(small=True)
        house.visit(page, f"/play/{other}", PEOPLE[other])
        house.do(PEOPLE[seat], lay.action)
        house.do(PEOPLE[seat], EndTurn(seat))
        shows(page, house)
        place = next(
            place for place in HELLRAIL.table_map(house.table.state).places if place.name == lay.place
        )
        corner = f"{place.outline[0][0]:g},{place.outline[0][1]:g} "
        expect(page.locator(f".fresh polygon[points^='{corner}']")).to_have_count(1)
        page.locator("#sheet-log > summary").tap()
        line = page.locator(".lines > li", has_text=f"lays {card} on {place.words}")
        line.locator(".rule summary").tap()
        expect(line.locator(".rule p")).to_have_text("Rulebook: Card Actions - Lay New Rail")


def test_circles_are_laid_where_they_are_tapped_from_the_first_page_on(tmp_path: Path, phone: Phone) -> None:
    with House(tmp_path, game=HELLRAIL) as house:
        pages = {seat: phone(small=True) for seat in ("red", "blue")}
        for seat, page in pages.items():
            join(page, house, PEOPLE[seat].capitalize(), seat)
        host = pages["red"]
        expect(host.get_by_role("heading", level=1)).to_have_text("HellRail")
        host.locator("#options > summary").tap()
        host.get_by_label(re.compile("as the players like")).check()
        tap(host, host.get_by_role("button", name="Start with 2"))
        host.wait_for_url("**/play/red", wait_until="domcontentloaded")
        live(host, house)
        follow(host, host.get_by_role("link", name="Lay Circle 4"))
        follow_in_picture(host, "cell:2,5")
        tap(host, host.locator(".there button"))
        assert house.table.moves() == (PlaceCircle("red", "4", (2, 5)),)
        host.wait_for_url("**/play/red", wait_until="domcontentloaded")
        expect(host.get_by_role("link", name="Lay Circle 4")).to_have_count(0)


def test_a_hand_that_is_emulated_leads_to_its_cards(tmp_path: Path, phone: Phone) -> None:
    with House(tmp_path, game=HELLRAIL, seed=4) as house:
        house.seat(red="Anna", blue="Ben")
        house.start()
        house.shuffled()
        house.roll(6)
        house.roll(2)
        assert house.controls is not None
        hand = house.controls.hand("red")
        page = phone(small=True)
        house.visit(page, "/play/red", "anna")
        expect(page.locator(".banner")).to_contain_text("Emulated: the whole table")
        expect(page.locator(".emulated .tile")).to_have_count(len(hand))
        follow(page, page.locator(f".emulated a[href$='/card/{hand[1]}']"))
        expect(page.locator(".bar-top .who")).to_contain_text(hand[1])
        house.visit(page, "/play/blue", "ben")
        assert not any(card in page.locator("main").inner_text() for card in hand)


# -- small parts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "page",
    [
        "play/red",
        "play/red/cards",
        "play/red/card/r17",
        "play/red/card/r17/do/lay",
        "play/red/card/r17/do/lay/at/cell:-1,3",
        "play/red/at/circle:G",
        "play/red/do/turn-a-card/at/cell:2,2",
    ],
)
def test_a_page_is_read_from_its_name(page: str) -> None:
    found = where.read(page)
    assert found is not None
    assert found.page == page
    assert found.address == f"/{page}"


@pytest.mark.parametrize(
    "page",
    [
        "",
        "play",
        "play/",
        "play/red/",
        "play/red/cards/card/r1",
        "play/red/card/",
        "play/red/at/<a>",
        "play/red/x",
    ],
)
def test_what_is_no_page_is_not_read(page: str) -> None:
    assert where.read(page) is None


def test_the_sketches_are_packed_and_have_a_name_of_their_own(tmp_path: Path, phone: Phone) -> None:
    with at_table(tmp_path, "busy") as house:
        page = phone()
        house.visit(page, "/table")
        address = page.locator("use").first.get_attribute("href")
        assert address is not None
        answer = page.request.get(house.url(address.split("#")[0]))
        assert answer.status == 200
        assert "immutable" in answer.headers["cache-control"]
        assert 'id="rail-r01"' in answer.text()
        assert page.request.get(house.url("/sketches/other.svg")).status == 404
        packed = house.server.pages.sketches(address.split("/")[2].split(".")[0])
        assert packed is not None
        assert len(packed) < 20_000
        assert gzip.decompress(packed).decode() == answer.text()


def test_a_card_to_be_discarded_is_asked_for_as_such(tmp_path: Path, phone: Phone) -> None:
    with at_table(tmp_path, "discarding") as house:
        seat = awaited(house.table.state)
        asked = "from the hand."
        page = phone(small=True)
        house.visit(page, f"/play/{seat}/cards", PEOPLE[seat])
        expect(page.get_by_role("heading", name=asked)).to_be_visible()
        follow(page, page.locator(".tiles a").first)
        expect(page.locator("main .hint")).to_contain_text(asked)


def test_one_die_is_called_a_die(tmp_path: Path, phone: Phone) -> None:
    with House(tmp_path, game=HELLRAIL, seed=3) as house:
        house.seat(red="Anna", blue="Ben")
        house.start()
        house.shuffled()
        page = phone(small=True)
        house.visit(page, "/play/red", "anna")
        expect(page.get_by_role("button", name="Throw the die on the emulated table")).to_be_visible()
        page.locator("#sheet-pad > summary").tap()
        expect(page.get_by_role("heading", name="1 die: who goes first")).to_be_visible()
