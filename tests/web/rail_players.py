"""People who play HellRail by tapping: they hold real cards, and name them on their phones."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import msgspec
from playwright.sync_api import Locator, Page

from companion import packs
from companion.chance import outcome
from companion.games.game import AwaitedDice, AwaitedShuffle, Choice, Rolled
from tests.rules.hellrail_games import under_way
from tests.web.house import HELLRAIL, House
from tests.web.players import send, shows, tap, until

SEATS = ("red", "blue", "green")
PEOPLE = {"red": "anna", "blue": "ben", "green": "clara"}
GAMES = 500
"""Among so many games there is a position of each kind, whatever the pack."""


def follow(page: Page, link: Locator) -> None:
    """Tap a link, and see the page that it leads to."""
    before = page.url
    link.scroll_into_view_if_needed()
    link.tap()
    until(page, "before => location.href !== before && document.readyState !== 'loading'", before)
    until(page, "() => source?.readyState === EventSource.OPEN")


def follow_in_picture(page: Page, place: str) -> None:
    """Tap a lit place in the picture with a finger, after looking at all of it if it lies outside."""
    link = page.locator(f".lit a[href$='/at/{place}']")
    frame = page.locator("#net").bounding_box()
    assert frame is not None
    for _ in range(2):
        box = link.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if page.evaluate("([x, y]) => !!document.elementFromPoint(x, y)?.closest('.lit a')", [x, y]):
            break
        page.get_by_role("button", name="All of the table").tap()
    before = page.url
    page.touchscreen.tap(x, y)
    until(page, "before => location.href !== before && document.readyState !== 'loading'", before)
    assert page.url.endswith(f"/at/{place}")


def button_of(page: Page, choice: Choice) -> Locator | None:
    """The button that does just this, if the page has it where a finger gets at it."""
    wanted = json.loads(msgspec.json.encode(choice.action))
    buttons = page.locator("footer button[name=ask]")
    for number, ask in enumerate(buttons.evaluate_all("all => all.map(button => button.value)")):
        if json.loads(ask).get("action") == wanted:
            return buttons.nth(number)
    return None


def press(page: Page, choice: Choice) -> None:
    """Tap the button of a choice; where there is a warning, read it and tap once more."""
    button = button_of(page, choice)
    assert button is not None, f"no button for {choice.words} on {page.url}"
    if choice.warning:
        details = button.locator("xpath=ancestor::details[1]")
        details.locator("summary").tap()
        assert choice.warning in details.inner_text()
    send(page, button)


def do(page: Page, house: House, seat: str, person: str, action: Any) -> None:
    """Play an action by taps alone, beginning on the seat's own page."""
    if not page.url.endswith(f"/play/{seat}"):  # there is more to do where they were
        follow(page, page.locator("header a[data-back]"))
    view = house.view(person, seat)
    assert view.prompt is not None
    card = str(getattr(action, "card", ""))
    prompt = view.prompt
    if card in prompt.cards:
        follow(page, page.locator("footer a[href$='/cards']"))
        follow(page, page.locator(f".tiles a[href$='/card/{card}']").first)
        prompt = HELLRAIL.prompt(view.state, seat, card)
    choice = next(choice for choice in prompt.choices if choice.action == action)
    if button_of(page, choice) is None and choice.group:
        groups = page.locator(".kinds a, footer .many a, footer .few a")
        named = groups.filter(has_text=choice.group).first
        if named.count() and named.get_attribute("aria-current") is None:
            follow(page, named)
    if button_of(page, choice) is None:
        follow_in_picture(page, choice.place)
    press(page, choice)
    page.wait_for_url(f"**/play/{seat}**", wait_until="domcontentloaded")


class Whim:
    """Does what comes to mind, each kind of action as likely as another; goes into Circles often,
    and does not derail on purpose.
    """

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def choose(self, state: Any, seat: str) -> Any:
        """One of the seat's legal actions, from its own hand."""
        by_kind: dict[str, list[Any]] = {}
        for action in HELLRAIL.legal(HELLRAIL.view(state, seat), seat):
            if getattr(action, "to", "") is not None:
                by_kind.setdefault(type(action).__name__, []).append(action)
        found = by_kind[self.chance.choice(sorted(by_kind))]
        entering = [action for action in found if getattr(action, "to", None) and action.to.in_circle]
        return self.chance.choice(entering if entering and self.chance.random() < 0.5 else found)


def reached(true: Callable[[Any], bool], seed: int = 0, late: bool = False, **options: str) -> Any:
    """A position of which that is true, every card known, in games that are played on a whim.

    `late` begins them with much rail lying, and with chips and tickets dealt out: what comes up once
    in a hundred games from their beginning comes up in many of these.
    """
    for number in range(seed, seed + GAMES):
        chance = random.Random(number)
        whim = Whim(chance)
        state = HELLRAIL.setup(SEATS, packs.load(HELLRAIL, "house"), options)
        if late:
            state = under_way(state, chance)
        while not true(state):
            if HELLRAIL.over(state):
                break
            awaiting = HELLRAIL.awaiting(state)
            if awaiting.chance is None:
                state = HELLRAIL.play(state, whim.choose(state, awaiting.seats[0]))
            else:
                state = HELLRAIL.play(state, outcome(awaiting.chance, chance))
        if true(state):
            return state
    raise AssertionError("no game comes to that")


class Party:
    """Phones round a table that sees nothing: the cards are in the players' hands.

    What they do is thought out beforehand; their phones have to let them do just that.
    """

    def __init__(self, house: House, phones: dict[str, Page], wall: Page) -> None:
        self.house, self.phones, self.wall = house, phones, wall
        self.people = {seat.seat: seat.person for seat in house.view().seats}

    def play(self, state: Any, action: Any) -> None:
        """The action is done by taps on the phone of whoever does it, and all pages show what the table
        believes then: what is true, as far as it is not hidden.
        """
        self._tap(state, action)
        assert self.house.table.state == HELLRAIL.hide(HELLRAIL.play(state, action))
        for page in (*self.phones.values(), self.wall):
            shows(page, self.house)
            until(page, "() => !root().dataset.go")  # it leads nowhere, or has come there

    def _tap(self, state: Any, action: Any) -> None:
        awaited = HELLRAIL.awaiting(state).chance
        number = self.house.table.number
        if isinstance(awaited, AwaitedDice):
            assert isinstance(action, Rolled)
            self._enter(self.phones[awaited.seat], action)
        elif isinstance(awaited, AwaitedShuffle):
            # Anybody may have shuffled.
            page = list(self.phones.values())[number % len(self.phones)]
            tap(page, page.get_by_role("button", name="Done: shuffled"))
        else:
            do(self.phones[action.seat], self.house, action.seat, self.people[action.seat], action)

    def _enter(self, page: Page, roll: Rolled) -> None:
        pad = page.locator("footer > .pad")
        for row, face in enumerate(roll.values):
            pad.locator("fieldset").nth(row).locator(f"label:has(input[value='{face}'])").tap()
        tap(page, pad.locator("button"))
