"""People who play Rail Raiders Infinite by tapping: dice on six keys, rerolls on the dice themselves."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from playwright.sync_api import Locator, Page

from companion.games.game import AwaitedDice, AwaitedShuffle, Choice, Rolled
from companion.games.rail_raiders_infinite import GAME
from tests.web.house import House
from tests.web.players import settle, shows, tap, until
from tests.web.rail_players import follow

PEOPLE = {"red": "anna", "blue": "ben", "green": "clara", "yellow": "dai"}
"""Who sits where in a game that is under way."""


def enter(pad: Locator, faces: tuple[Any, ...]) -> None:
    """A tap on the key of each face."""
    for face in faces:
        pad.locator(f"[data-face='{json.dumps(face)}']").tap()


def lying(form: Locator) -> list[str]:
    """The dice that were tapped so far, as they are shown."""
    return [str(label) for label in form.locator(".slots .die").evaluate_all(LABELS)]


LABELS = "dice => dice.map(die => die.getAttribute('aria-label'))"


def choose_dice(picker: Locator, faces: tuple[str, ...]) -> None:
    """Tap dice until just these are chosen: first those away that are not meant."""
    wanted = list(faces)
    dice = picker.locator("[data-pick]")
    for at in range(dice.count()):
        die = dice.nth(at)
        face = json.loads(str(die.get_attribute("data-pick")))
        chosen = die.get_attribute("aria-pressed") == "true"
        if face in wanted:
            wanted.remove(face)
        elif chosen:
            die.tap()
    wanted = list(faces)
    for at in range(dice.count()):
        die = dice.nth(at)
        face = json.loads(str(die.get_attribute("data-pick")))
        if face not in wanted:
            continue
        wanted.remove(face)
        if die.get_attribute("aria-pressed") != "true":
            die.tap()
    assert not wanted


def button_of(page: Page, choice: Choice) -> Locator | None:
    """The button that does just this, if the page has it."""
    wanted = json.loads(msgspec.json.encode(choice.action))
    buttons = page.locator("button[name=ask]")
    for number, ask in enumerate(buttons.evaluate_all("all => all.map(button => button.value)")):
        if json.loads(ask).get("action") == wanted:
            return buttons.nth(number)
    return None


def act(page: Page, house: House, seat: str, person: str, action: Any) -> None:
    """Do that by taps alone, beginning on the seat's own page."""
    prompt = house.view(person, seat).prompt
    assert prompt is not None
    choice = next(choice for choice in prompt.choices if choice.action == action)
    if choice.dice is not None:
        picker = page.locator("#picker")
        choose_dice(picker, tuple(map(str, choice.dice)))
        button: Locator | None = picker.locator("button.main")
        assert button is not None
        assert choice.words in button.inner_text()
        assert choice.detail in button.inner_text()
    elif (button := button_of(page, choice)) is None:
        follow(page, page.locator("footer a.button", has_text=choice.group).first)
        button = button_of(page, choice)
    assert button is not None, f"no button for {choice.words} on {page.url}"
    if choice.warning:
        settle(page)
        button.locator("xpath=ancestor::details[1]").locator("summary").tap()
    tap(page, button)
    page.wait_for_url(f"**/play/{seat}", wait_until="domcontentloaded")


class Gang:
    """Phones round a table that sees nothing. What they do is thought out beforehand; their phones have
    to let them do just that, and all pages show what the table believes then.
    """

    def __init__(
        self, house: House, phones: dict[str, Page], wall: Page, people: dict[str, str] | None = None
    ) -> None:
        self.house, self.phones, self.wall = house, phones, wall
        self.people = people or PEOPLE

    def play(self, *actions: Any) -> None:
        """These actions one after the other, each by taps of whoever does it."""
        for action in actions:
            before = self.house.table.state
            self._tap(before, action)
            assert self.house.table.state == GAME.play(before, GAME.hide_action(action))
            self.look_up()

    def roll(self, *throws: str) -> None:
        """These throws, each a text of faces."""
        self.play(*(Rolled(tuple(throw.split())) for throw in throws))

    def look_up(self) -> None:
        """Everybody sees how things stand now."""
        for page in (*self.phones.values(), self.wall):
            shows(page, self.house)
            until(page, "() => !root().dataset.go")

    def _tap(self, state: Any, action: Any) -> None:
        awaited = GAME.awaiting(state).chance
        if isinstance(awaited, AwaitedDice):
            page = self.phones[awaited.seat]
            pad = page.locator("footer > .pad")
            enter(pad, action.values)
            tap(page, pad.locator("button[name=ask]"))
        elif isinstance(awaited, AwaitedShuffle):
            page = list(self.phones.values())[self.house.table.number % len(self.phones)]
            tap(page, page.get_by_role("button", name="Done: shuffled"))
        else:
            act(self.phones[action.seat], self.house, action.seat, self.people[action.seat], action)
