"""A whole game of HellRail, played by taps on three phones, at a table that sees nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from companion.games.hellrail.pack import to_toml
from tests.web.conftest import Phone
from tests.web.house import HELLRAIL, House
from tests.web.players import NAMES, join, shoot, tap
from tests.web.rail_course import course, happenings, short_pack
from tests.web.rail_players import SEATS, Party

LONGEST = 60
"""Actions that there is time for."""

FIRST, GAMES = 140, 200
"""The seed from which on a game is looked for that has it all, and how many are looked at."""

CIRCLES = "devils_advocate"

ALL = {
    *("PlaceCircle", "Shuffled", "Throw in first_player"),
    *("LayRail", "UpgradeRail", "Move", "Pickup", "Setout", "Fan", "EndTurn"),
    *("Declare", "Heresy", "Cross", "Throw in crossing", "Derailed", "Humping", "Over"),
}
"""What happens in it: all kinds of card actions, a ticket used, a chip thought about, a derailing."""

MOMENTS: dict[str, Callable[[Any], bool]] = {
    "circles": lambda state: len(state.circles) == 6,
    "first": lambda state: state.phase == "first_player",
    "crossing": lambda state: state.phase == "crossing",
    "heresy": lambda state: state.phase == "heresy",
    "humping": lambda state: bool(state.owed),
}
"""When pictures are taken, the first time that it is so."""

SCREEN = {"viewport": {"width": 1920, "height": 1080}, "device_scale_factor": 1, "is_mobile": False}


def whole_game() -> list[tuple[Any, Any]]:
    """Each state of a game, and what is done in it."""
    for seed in range(FIRST, FIRST + GAMES):
        found = course(SEATS, seed, LONGEST, circles=CIRCLES)
        if {word for state, action in found for word in happenings(state, action)} >= ALL:
            return found
    raise AssertionError("no game has it all: begin to look elsewhere")


def sit_down(house: House, phones: dict[str, Page]) -> None:
    """All join, and the first one starts, with the Circles laid by the players."""
    for seat, page in phones.items():
        join(page, house, NAMES[seat], seat)
    host = phones[SEATS[0]]
    host.get_by_text("Rules the book leaves open").tap()
    host.locator(f"label:has(input[name='options.circles'][value='{CIRCLES}'])").tap()
    start = host.get_by_role("button", name=f"Start with {len(phones)}")
    expect(start).to_be_enabled()
    tap(host, start)
    for seat, page in phones.items():
        page.wait_for_url(f"**/play/{seat}", wait_until="domcontentloaded")


def test_a_whole_game_is_played_by_taps(tmp_path: Path, phone: Phone, shots: Path) -> None:
    game = whole_game()
    file = tmp_path / "short.toml"
    file.write_text(to_toml(short_pack()))
    with House(tmp_path, game=HELLRAIL, pack=str(file)) as house:
        phones = {seat: phone(small=seat == "red") for seat in SEATS}
        wall = phone(**SCREEN)
        house.visit(wall, "/table")
        sit_down(house, phones)
        assert house.table.state == game[0][0]
        party = Party(house, phones, wall)
        moments = dict(MOMENTS)
        for state, action in game:
            for moment in [moment for moment, true in moments.items() if true(state)]:
                del moments[moment]
                pictures(shots, moment, phones, wall)
            party.play(state, action)
        pictures(shots, "over", phones, wall)
        assert not moments
        standings = HELLRAIL.scores(HELLRAIL.play(*game[-1]))
        for page in (*phones.values(), wall):
            assert page.locator(".turn h1").inner_text() == f"{NAMES[standings[0].seat]} wins"
            rows = page.locator(".standings li:has(.name)").all_inner_texts()
            for row, standing in zip(rows, standings, strict=True):
                assert NAMES[standing.seat] in row
                assert " · ".join(standing.facts) in row
        for page in phones.values():
            page.evaluate("() => scrollTo(0, 0)")
            expect(page.locator(".standings li").first).to_be_in_viewport(ratio=1)
        expect(phones[SEATS[0]].get_by_role("link", name="Play again")).to_be_visible()


def pictures(shots: Path, moment: str, phones: dict[str, Page], wall: Page) -> None:
    """Of the small phone, of a larger one, and of the big screen."""
    for name, page in (("small", phones["red"]), ("phone", phones["blue"]), ("wall", wall)):
        shoot(page, shots / f"whole-{moment}-{name}.png")
