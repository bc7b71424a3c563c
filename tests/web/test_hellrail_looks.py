"""How HellRail's pages look on phones and on the wall: nothing cut off, too small or unreadable; pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.games.game import Choice
from tests.web.conftest import Phone
from tests.web.house import HELLRAIL, House
from tests.web.players import settle, shoot
from tests.web.rail_players import PEOPLE, reached
from tests.web.test_looks import PHONES, WALL, WALLS, faults


def busy(state: Any) -> bool:
    """A turn with much rail, an engine that may ram another one, and a train to be seen."""
    if state.phase != "actions" or state.owed or len(state.rails) < 12:
        return False
    blank, seat = HELLRAIL.hide(state), state.seats[state.turn]
    cards = HELLRAIL.prompt(blank, seat).cards
    return bool(any(state.loaded) and cards and ramming(blank, seat))


def ramming(state: Any, seat: str) -> str:
    """A card with which that seat may ram somebody, and go to some place in several ways."""
    for card in HELLRAIL.prompt(state, seat).cards:
        choices = HELLRAIL.prompt(state, seat, card).choices
        rams = any(getattr(choice.action, "rammed", ()) for choice in choices)
        if rams and several(choices, "Move"):
            return card
    return ""


def several(choices: tuple[Choice, ...], group: str) -> str:
    """A place to which that group of choices leads in several ways."""
    found = Counter(choice.place for choice in choices if choice.group == group and choice.place)
    return next((place for place, count in found.items() if count > 1), "")


def in_effect(step: str) -> Callable[[Any], bool]:
    def waits(state: Any) -> bool:
        effect = state.effect
        return bool(
            state.phase == "effect" and not state.owed and effect.chosen and effect.steps[0].do == step
        )

    return waits


def in_phase(phase: str) -> Callable[[Any], bool]:
    return lambda state: bool(state.phase == phase and not state.owed)


POSITIONS: dict[str, Callable[[], Any]] = {
    "busy": lambda: reached(busy, late=True),
    "own": lambda: reached(lambda state: len(state.circles) == 3, circles="own"),
    "devil": lambda: reached(lambda state: len(state.circles) == 4, circles="devils_advocate"),
    "setup": lambda: reached(in_phase("setup")),
    "first": lambda: reached(in_phase("first_player")),
    "declare": lambda: reached(in_phase("declare"), late=True),
    "heresy": lambda: reached(in_phase("heresy"), late=True),
    "turning": lambda: reached(in_effect("turn_rail"), late=True),
    "discarding": lambda: reached(in_effect("discard"), late=True),
    "crossing": lambda: reached(in_phase("crossing"), late=True),
    "humping": lambda: reached(lambda state: bool(state.owed)),
    "over": lambda: reached(HELLRAIL.over),
}


@cache
def position(name: str) -> Any:
    """The position as a table believes it that sees no hand."""
    return HELLRAIL.hide(POSITIONS[name]())


def awaited(state: Any) -> str:
    awaiting = HELLRAIL.awaiting(state)
    return str(awaiting.seats[0] if awaiting.seats else getattr(awaiting.chance, "seat", "red"))


def card(state: Any) -> str:
    return f"card/{ramming(state, awaited(state))}"


def there(group: str) -> Callable[[Any], str]:
    """The page of a place with several ways of that group."""

    def page(state: Any) -> str:
        seat = awaited(state)
        name = ramming(state, seat)
        place = several(HELLRAIL.prompt(state, seat, name).choices, group)
        assert place
        return f"card/{name}/do/{group.lower()}/at/{place}"

    return page


def circle(state: Any) -> str:
    cell = state.circles[5].cell
    return f"at/cell:{cell[0]},{cell[1]}"


SCENES: dict[str, tuple[str, Callable[[Any], str]]] = {
    "turn": ("busy", lambda state: ""),
    "cards": ("busy", lambda state: "cards"),
    "move": ("busy", card),
    "move-there": ("busy", there("Move")),
    "lay": ("busy", lambda state: f"{card(state)}/do/lay"),
    "lay-there": ("busy", there("Lay")),
    "upgrade": ("busy", lambda state: f"{card(state)}/do/upgrade"),
    "circle": ("busy", circle),
    "own": ("own", lambda state: ""),
    "own-where": ("own", lambda state: "do/lay-circle-9"),
    "devil": ("devil", lambda state: ""),
    "setup": ("setup", lambda state: ""),
    "first": ("first", lambda state: ""),
    "declare": ("declare", lambda state: ""),
    "heresy": ("heresy", lambda state: ""),
    "turning": ("turning", lambda state: ""),
    "turning-where": ("turning", lambda state: "do/turn-a-card"),
    "discarding": ("discarding", lambda state: ""),
    "discarding-what": ("discarding", lambda state: "cards"),
    "crossing": ("crossing", lambda state: ""),
    "humping": ("humping", lambda state: ""),
    "over": ("over", lambda state: ""),
}


@pytest.mark.parametrize("name", SCENES)
def test_each_page_is_fit_for_a_small_phone(name: str, tmp_path: Path, phone: Phone, shots: Path) -> None:
    of, path = SCENES[name]
    state = position(of)
    seat = awaited(state)
    with House(tmp_path, game=HELLRAIL, position=state) as house:
        page = phone(small=True)
        address = f"/play/{seat}/{path(state)}".rstrip("/")
        house.visit(page, address, PEOPLE[seat])
        settle(page)
        assert page.url == house.url(address)
        found = looked_at(page, PHONES, shots / f"hellrail-{name}")
    assert not found, "\n".join(found)


def looked_at(page: Page, sizes: list[Any], shot: Path) -> list[str]:
    found = []
    for number, (width, height, light) in enumerate(sizes):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=light)
        page.wait_for_timeout(100)
        shoot(page, f"{shot}-{number}.png")
        found += [f"{width} x {height}, {light}: {fault}" for fault in faults(page)]
    return found


@pytest.mark.parametrize("of", ["busy", "over"])
def test_the_wall_tells_from_afar(of: str, tmp_path: Path, phone: Phone, shots: Path) -> None:
    with House(tmp_path, game=HELLRAIL, position=position(of)) as house:
        page = phone(**WALL)
        house.visit(page, "/table")
        settle(page)
        found = looked_at(page, WALLS, shots / f"hellrail-wall-{of}")
        page.set_viewport_size({"width": 1920, "height": 1080})
        for part in (".map", ".turn h1", ".standings li:last-child"):
            expect(page.locator(part).last).to_be_in_viewport(ratio=1)
        if of == "busy":
            assert "Draw Pile" in page.locator(".turn .status").inner_text()
    assert not found, "\n".join(found)


@pytest.mark.parametrize("of", [name for name in POSITIONS if name != "over"])
def test_the_next_act_needs_no_scrolling(of: str, tmp_path: Path, phone: Phone) -> None:
    state = position(of)
    seat = awaited(state)
    with House(tmp_path, game=HELLRAIL, position=state) as house:
        page = phone(small=True)
        house.visit(page, f"/play/{seat}", PEOPLE[seat])
        settle(page)
        acts = page.locator("footer button, footer a.button").first
        for part in (page.locator(".turn h1"), page.locator(".turn .prompt"), acts):
            expect(part).to_be_in_viewport(ratio=1)
