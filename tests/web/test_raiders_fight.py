"""A fight with four sides on four phones: two weapons, all rerolls, and what comes of it, by taps alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.actions import Arm, Decide, Join, Reroll, Send, Showdown
from tests.rules.rail_positions import FOUR, in_force, position
from tests.web.conftest import Phone
from tests.web.house import House
from tests.web.players import settle, shoot, shows, tap
from tests.web.raiders_players import PEOPLE, Gang, enter, lying
from tests.web.test_whole_game_hellrail import SCREEN


@pytest.fixture
def gang(tmp_path: Path, phone: Phone) -> Iterator[Gang]:
    """Red, Blue and Green on a car with Lawbots, which Yellow runs; Red and Blue hold weapons."""
    state = position(
        seats=FOUR,
        at={"yellow": 3},
        dollars={"red": 1, "blue": 4, "green": 2},
        bots={1: (1, 1, 1)},
        gear={"red": ["repeater"], "blue": ["twin_barrels"], "green": ["padded_coat"]},
        forces=in_force("second_wind"),
    )
    with House(tmp_path, game=GAME, position=state) as house:
        phones: dict[str, Page] = {}
        for seat in FOUR:
            phones[seat] = phone(small=seat == "red")
            house.visit(phones[seat], f"/play/{seat}", PEOPLE[seat])
        wall = phone(**SCREEN)
        house.visit(wall, "/table")
        yield Gang(house, phones, wall)


def pictures(gang: Gang, shots: Path, moment: str) -> None:
    for name, page in (("small", gang.phones["red"]), ("phone", gang.phones["blue"]), ("wall", gang.wall)):
        page.evaluate("() => scrollTo(0, 0)")
        shoot(page, shots / f"raiders-{moment}-{name}.png")


def sides(page: Page) -> list[str]:
    return [" ".join(words.split()) for words in page.locator(".rival").all_inner_texts()]


def test_a_fight_with_four_sides_is_fought_on_four_phones(gang: Gang, shots: Path) -> None:
    red, blue, green, yellow = (gang.phones[seat] for seat in FOUR)
    gang.play(Showdown("red", "lawbots"))
    expect(blue.locator(".prompt")).to_have_text("Do you join the Showdown, Red against the Lawbots?")
    expect(red.locator(".prompt")).to_have_text("Blue decides whether to join Red's Showdown.")
    gang.play(Join("blue", join=True), Join("green", join=True))
    expect(red.get_by_role("button", name="Use Brass Repeater")).to_have_class("main")
    gang.play(Arm("red", ("repeater",)), Arm("blue", ("twin_barrels",)))

    # Six dice, one of them corrected: it is sent only when all lie there.
    pad = red.locator("footer > .pad")
    enter(pad, ("K", "9", "9", "10", "A"))
    expect(pad.locator("button[name=ask]")).to_be_disabled()
    assert lying(pad) == ["9", "9", "10", "K", "A"]
    pad.get_by_role("button", name="Take away A").tap()
    enter(pad, ("J", "9"))
    assert lying(pad) == ["9", "9", "9", "10", "J", "K"]
    pictures(gang, shots, "throwing")
    tap(red, pad.locator("button[name=ask]"))
    gang.look_up()
    assert sides(green)[0].startswith("R Anna")
    assert "Three nines" in sides(green)[0]
    gang.roll("A A J 10 9", "Q Q J 10 9", "K K K 10 9 J")
    for page in (red, blue, green, yellow, gang.wall):
        assert ["%" in side for side in sides(page)] == [True] * 4
        assert "Lawbots Dai rolls" in sides(page)[3]
        assert "may reroll 1" in sides(page)[0]

    # Red decides first. The best choice is made already; another tap, another chance.
    picker = red.locator("#picker")
    chosen = picker.locator("[aria-pressed=true]")
    expect(chosen).to_have_count(1)
    best = picker.locator("button.main").inner_text()
    pictures(gang, shots, "rerolling")
    picker.locator("[data-pick='\"9\"']").first.tap()
    expect(chosen).to_have_count(1)
    expect(picker.locator("button.main")).to_contain_text("Reroll 9")
    assert picker.locator("button.main").inner_text() != best
    gang.play(Reroll("red", ("10",)))
    gang.play(Reroll("blue", ("9",)), Reroll("green", ("9",)), Reroll("yellow", ("9",)))
    assert "again" in str(blue.locator(".rival-dice span").nth(3).get_attribute("class"))
    gang.roll("9", "A", "Q", "Q")
    expect(gang.wall.locator(".rival.won")).to_contain_text("Four nines")
    pictures(gang, shots, "won")
    gang.play(Send("red", "blue", 0))
    expect(blue.locator(".prompt")).to_contain_text("Red decides")
    gang.play(Decide("red", yes=True), Send("red", "green", 2))
    assert [rider.dollars for rider in gang.house.table.state.riders] == [3, 3, 2, 0]
    assert [rider.at for rider in gang.house.table.state.riders] == [1, 0, 2, 3]
    pictures(gang, shots, "after")


def test_a_fight_is_taken_back_step_by_step(gang: Gang, shots: Path) -> None:
    red, blue = gang.phones["red"], gang.phones["blue"]
    gang.play(Showdown("red", "lawbots"), Join("blue", join=True), Join("green", join=False))
    before = gang.house.table.state
    gang.play(Arm("red", ()))
    take_back(red, "Take back")
    shows(red, gang.house)
    assert gang.house.table.state == before
    expect(red.get_by_role("button", name="Use Brass Repeater")).to_be_visible()
    gang.play(Arm("red", ("repeater",)), Arm("blue", ()))

    # A throw was entered wrongly: it is corrected, and no other step is lost.
    gang.roll("9 9 9 10 J K")
    red.locator("#sheet-log > summary").tap()
    red.locator(".fix > summary").first.tap()
    fix = red.locator(".fix .pad").first
    enter(fix, ("9", "9", "9", "9", "J", "K"))
    shoot(red, shots / "raiders-correcting.png")
    tap(red, fix.locator("button[name=ask]"))
    gang.look_up()
    assert gang.house.table.state.fight.sides[0].faces == ("9", "9", "9", "9", "J", "K")

    # Across dice somebody else has to agree.
    take_back(red, "Ask to take back")
    gang.look_up()
    expect(blue.locator(".ask").first).to_contain_text("Anna asks to go back")
    shoot(blue, shots / "raiders-agreeing.png")
    tap(blue, blue.get_by_role("button", name="Agree"))
    gang.look_up()
    assert not gang.house.table.state.fight.sides[0].faces


def take_back(page: Page, words: str) -> None:
    """The newest step, from the log."""
    settle(page)
    page.locator("#sheet-log > summary").tap()
    tap(page, page.locator("#sheet-log").get_by_role("button", name=words).first)
    if page.locator("#sheet-log[open]").count():
        page.locator("#sheet-log > summary").tap()
