"""How Rail Raiders' pages look on phones and on the wall: nothing cut off, too small or unreadable."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.games.game import Rolled
from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.actions import Arm, Join, Search, Showdown, TurnUp
from companion.games.rail_raiders_infinite.state import OFF, Job
from companion.messages import Agree, Takeback
from tests.rules.rail_games import house
from tests.rules.rail_positions import FOUR, awaited, dice_due, do, in_force, position, waits_for
from tests.web.conftest import Phone
from tests.web.house import House
from tests.web.players import let_pass, settle, shoot, shows, stop_clock
from tests.web.raiders_players import PEOPLE
from tests.web.test_hellrail_looks import looked_at
from tests.web.test_looks import PHONES, WALL, WALLS

TURNS = (*(Job("turn", number) for number in range(4)), Job("round_end"))


def full(**fields: Any) -> Any:
    """A game of four with all kinds of things on the train, all Raiders on one car."""
    usual: dict[str, Any] = {
        "seats": FOUR,
        "raiders": {"red": "ada", "blue": "finn", "green": "ptolemy", "yellow": "hilde"},
        "dollars": {"red": 2, "blue": 4, "green": 1},
        "bots": {1: (2, 1, 1), 3: (1, 0, 0)},
        "tokens": {1: ("2", "1"), 2: ("1",), 4: ("3",)},
        "gear": {"red": ["repeater", "padded_coat"], "blue": ["twin_barrels"], "yellow": ["lucky_coin"]},
        "grit": {3: ["drilled"]},
        "down": (4, 5, 6),
        "forces": in_force("hot_blood"),
        "left": 13,
    }
    return position(**(usual | fields))


def joining() -> Any:
    return do(full(), Showdown("red", "lawbots"))


def armed() -> Any:
    """All four against the Lawbots, who are run by the Dealer then."""
    joined = do(joining(), *(Join(seat, join=True) for seat in FOUR[1:]))
    return do(joined, Arm("red", ("repeater",)), Arm("blue", ("twin_barrels",)))


def thrown() -> Any:
    """The dice lie there, and a side may reroll."""
    state = armed()
    while (job := waits_for(state)) and job.do != "reroll":
        if job.do == "throw":
            lie = ("9", "10", "J", "9", "10", "Q", "A", "A")[: dice_due(state)]
            state = do(state, Rolled(lie))
        else:
            state = do(state, GAME.legal(state, awaited(state))[-1])
    return state


def keeping() -> Any:
    alone = {"blue": 3, "green": 3, "yellow": 4}
    return do(full(bots={}, at=alone), Search("red"), TurnUp("red", "2"))


def over() -> Any:
    return full(agenda=[Job("round_end")], left=0, last_round=True)


SCENES: dict[str, tuple[Callable[[], Any], str]] = {
    "start": (lambda: GAME.setup(FOUR, house(), {}), ""),
    "board": (lambda: full(at={"red": OFF}, agenda=TURNS), "do/other-cars"),
    "noon": (lambda: full(agenda=TURNS), ""),
    "turn": (full, ""),
    "move": (full, "do/move"),
    "car": (full, "at/car:1"),
    "join": (joining, ""),
    "throw": (armed, ""),
    "reroll": (thrown, ""),
    "keep": (keeping, ""),
    "over": (over, ""),
}


@pytest.mark.parametrize("name", SCENES)
def test_each_page_is_fit_for_a_small_phone(name: str, tmp_path: Path, phone: Phone, shots: Path) -> None:
    of, path = SCENES[name]
    state = GAME.hide(of())
    seat = awaited(state) or "red"
    with House(tmp_path, game=GAME, position=state) as house:
        page = phone(small=True)
        address = f"/play/{seat}/{path}".rstrip("/")
        house.visit(page, address, PEOPLE[seat])
        settle(page)
        assert page.url == house.url(address)
        found = looked_at(page, PHONES, shots / f"raiders-{name}")
        page.set_viewport_size({"width": 360, "height": 640})
        parts = [page.locator(".turn .prompt")] if name != "car" else []
        if name != "over":
            acts = page.locator("footer button, footer a.button, .sought button")
            parts.append(acts.filter(visible=True).first)
        for part in parts:
            expect(part).to_be_in_viewport(ratio=1)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", ["turn", "reroll"])
def test_the_wall_tells_from_afar(name: str, tmp_path: Path, phone: Phone, shots: Path) -> None:
    state = GAME.hide(SCENES[name][0]())
    with House(tmp_path, game=GAME, position=state) as house:
        page = phone(**WALL)
        house.visit(page, "/table")
        settle(page)
        found = looked_at(page, WALLS, shots / f"raiders-wall-{name}")
        page.set_viewport_size({"width": 1920, "height": 1080})
        parts = [".stop >> nth=0", ".stop >> nth=-1", ".turn h1", ".countdown b", ".in-force", ".corner .qr"]
        for part in (*parts, ".standings li >> nth=-1", *[".rival >> nth=-1"] * (name == "reroll")):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
        assert page.locator(".countdown").inner_text().startswith("13 High Noon cards left.")
    assert not found, "\n".join(found)


# -- the last round --------------------------------------------------------------------------------


def test_the_last_round_is_told_loudly_once_and_quietly_from_then_on(
    tmp_path: Path, phone: Phone, shots: Path
) -> None:
    state = GAME.hide(full(agenda=TURNS, left=1))
    with House(tmp_path, game=GAME, position=state) as house:
        page, wall = phone(small=True), phone(**WALL)
        stop_clock(wall)
        house.visit(page, "/play/green", PEOPLE["green"])
        house.visit(wall, "/table")
        for each in (page, wall):
            expect(each.locator(".last-call")).to_have_count(0)
            expect(each.locator(".countdown")).to_contain_text("This looks like the last round")
        house.do("anna", TurnUp("red", "hot_blood"))
        for each, name in ((page, "phone"), (wall, "wall")):
            shows(each, house)
            expect(each.locator(".last-call")).to_be_visible()
            shoot(each, shots / f"raiders-last-call-{name}.png")
        page.wait_for_timeout(800)
        page.get_by_role("button", name="Got it").tap()
        expect(page.locator(".last-call")).to_be_hidden()
        let_pass(wall, 21_000)
        expect(wall.locator(".last-call")).to_be_hidden()
        for each in (page, wall):
            expect(each.locator(".countdown.at-last")).to_contain_text(re.compile("^0 .*LAST ROUND"))
        # What comes after it is told quietly, also to a page that is opened anew.
        house.visit(page, "/play/green", PEOPLE["green"])
        expect(page.locator(".last-call")).to_be_hidden()
        expect(page.locator(".countdown.at-last")).to_be_visible()
        take_back(house)
        shows(page, house)
        expect(page.locator(".last-call")).to_have_count(0)


def take_back(house: House) -> None:
    """The card was another one: all agree to go back."""
    house.ask("anna", Takeback(0))
    for person in ("ben", "clara", "dai"):
        house.ask(person, Agree(yes=True))
    assert not house.table.state.last_round
