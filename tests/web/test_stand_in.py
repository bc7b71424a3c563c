"""The host acts for players whose phones are away: names their cards, and chooses where they are laid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.games.hellrail.actions import DiscardCard, LayRail, PlaceCircle
from tests.web.conftest import Phone
from tests.web.house import HELLRAIL, House
from tests.web.players import shoot, shows
from tests.web.rail_players import PEOPLE, SEATS, follow, follow_in_picture, press, reached
from tests.web.test_looks import faults
from web_ui.where import Where, read

HOST = SEATS[0]


def waits_for_another(state: Any, kind: type[Any]) -> bool:
    """Whether a seat that is not the host's may do that now."""
    seats = HELLRAIL.awaiting(state).seats
    return bool(seats and seats[0] != HOST and of_kind(state, kind))


def of_kind(state: Any, kind: type[Any]) -> list[Any]:
    seat = HELLRAIL.awaiting(state).seats[0]
    return [action for action in HELLRAIL.legal(state, seat) if isinstance(action, kind)]


def open_for_others(page: Page, house: House) -> None:
    house.visit(page, f"/play/{HOST}", PEOPLE[HOST])
    page.locator("#sheet-others > summary").tap()


def check(page: Page, house: House, state: Any, action: Any) -> None:
    """It is done, the host is back at their own seat, and the log says who did it."""
    page.wait_for_url(f"**/play/{HOST}", wait_until="domcontentloaded")
    shows(page, house)
    assert house.table.state == HELLRAIL.hide(HELLRAIL.play(state, action))
    story = [line.words for line in house.table.story()]
    assert f"({PEOPLE[HOST].capitalize()} did that for {action.seat.capitalize()}.)" in story


def test_a_card_is_laid_for_somebody_whose_phone_is_away(tmp_path: Path, phone: Phone, shots: Path) -> None:
    state = reached(lambda state: state.phase == "actions" and waits_for_another(state, LayRail))
    action = of_kind(state, LayRail)[0]
    with House(tmp_path, game=HELLRAIL, position=HELLRAIL.hide(state)) as house:
        page = phone(small=True)
        open_for_others(page, house)
        assert faults(page) == []
        shoot(page, shots / "stand-in-sheet.png")
        follow(page, page.get_by_role("link", name=f"{action.seat.capitalize()}: Play a card"))
        assert page.get_by_text("The log will say that you did it.").is_visible()
        assert faults(page) == []
        shoot(page, shots / "stand-in-cards.png")
        follow(page, page.locator(f".tiles a[href$='/card/{action.card}']").first)
        prompt = HELLRAIL.prompt(HELLRAIL.hide(state), action.seat, action.card)
        choice = next(choice for choice in prompt.choices if choice.action == action)
        follow_in_picture(page, choice.place)
        press(page, choice)
        check(page, house, state, action)


def test_a_card_is_discarded_for_somebody_whose_phone_is_away(tmp_path: Path, phone: Phone) -> None:
    state = reached(
        lambda state: state.phase == "effect" and waits_for_another(state, DiscardCard), late=True
    )
    action = of_kind(state, DiscardCard)[0]
    with House(tmp_path, game=HELLRAIL, position=HELLRAIL.hide(state)) as house:
        page = phone(small=True)
        open_for_others(page, house)
        follow(page, page.get_by_role("link", name=f"{action.seat.capitalize()}: Play a card"))
        follow(page, page.locator(f".tiles a[href$='/card/{action.card}']").first)
        prompt = HELLRAIL.prompt(HELLRAIL.hide(state), action.seat, action.card)
        press(page, next(choice for choice in prompt.choices if choice.action == action))
        check(page, house, state, action)


def test_a_circle_is_laid_for_somebody_whose_phone_is_away(tmp_path: Path, phone: Phone) -> None:
    state = reached(
        lambda state: len(state.circles) > 3 and waits_for_another(state, PlaceCircle),
        circles="devils_advocate",
    )
    action = of_kind(state, PlaceCircle)[0]
    with House(tmp_path, game=HELLRAIL, position=HELLRAIL.hide(state)) as house:
        page = phone(small=True)
        open_for_others(page, house)
        prompt = HELLRAIL.prompt(HELLRAIL.hide(state), action.seat)
        choice = next(choice for choice in prompt.choices if choice.action == action)
        follow(page, page.get_by_role("link", name=f"{action.seat.capitalize()}: {choice.group}", exact=True))
        follow_in_picture(page, choice.place)
        press(page, choice)
        check(page, house, state, action)


def test_only_the_host_has_such_pages(tmp_path: Path, phone: Phone) -> None:
    state = reached(lambda state: state.phase == "actions" and waits_for_another(state, LayRail))
    seat = HELLRAIL.awaiting(state).seats[0]
    with House(tmp_path, game=HELLRAIL, position=HELLRAIL.hide(state)) as house:
        for other in SEATS[1:]:
            page = phone()
            house.visit(page, f"/for/{seat}/cards", PEOPLE[other])
            assert page.url == house.url(f"/play/{other}")
            assert page.locator("#sheet-others").count() == 0
        stranger = phone()
        house.visit(stranger, f"/for/{seat}/cards")
        assert stranger.url == house.url("/")


def test_a_page_that_has_nothing_to_do_any_more_leads_back(tmp_path: Path, phone: Phone) -> None:
    state = reached(lambda state: state.phase == "actions" and waits_for_another(state, LayRail))
    action = of_kind(state, LayRail)[0]
    with House(tmp_path, game=HELLRAIL, position=HELLRAIL.hide(state)) as house:
        page = phone()
        house.visit(page, f"/for/{action.seat}/card/{action.card}", PEOPLE[HOST])
        assert house.do(PEOPLE[action.seat], action).status == "done"  # so that phone was not away
        page.wait_for_url(f"**/play/{HOST}", wait_until="domcontentloaded")
        house.visit(page, f"/for/{action.seat}/card/{action.card}")
        expect(page).to_have_url(house.url(f"/play/{HOST}"))


@pytest.mark.parametrize("page", ["for/blue", "for/blue/at/cell:1,1", "for/blue/cards/do/lay", "for/"])
def test_there_are_no_other_such_pages(page: str) -> None:
    assert read(page) is None


def test_addresses_are_read_as_they_are_written() -> None:
    own = Where("blue", stand_in=True)
    for at in (
        Where("blue", choosing=True, stand_in=True),
        own.of_card("r01").to("Lay"),
        own.to("Lay").at("x"),
    ):
        assert read(at.page) == at
