"""People who play Hachi Train by tapping, one of whom keeps the own hand on the phone."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from msgspec.structs import replace
from playwright.sync_api import Locator, Page

from companion.games.game import AwaitedDice, AwaitedShuffle, Choice, Rolled
from companion.games.hachi_train import GAME
from companion.games.hachi_train.hands import unknown_cards
from companion.games.hachi_train.keeping import KEEPING
from companion.games.hachi_train.state import FIRST, TURN, State
from companion.games.layout import UNKNOWN
from tests.web.house import House
from tests.web.players import NAMES, shows, tap, until
from tests.web.rail_players import follow

PEOPLE = {"red": "anna", "blue": "ben", "green": "clara", "yellow": "dai"}
"""Who sits where in a game that is under way."""


def uncover(page: Page) -> Locator:
    """One's own hand, with its cover taken off."""
    guard = page.locator("#guard")
    if guard.get_attribute("open") is None:
        guard.locator("> summary").tap()
        until(page, "() => document.getElementById('guard').open")
    return guard


def enter(page: Page, cards: tuple[str, ...]) -> None:
    """A tap for each card, from the left, and one for all of them."""
    hand = uncover(page)
    keys = hand.locator("#enter [data-key]")
    if len(cards) == 1 and not hand.locator("#enter [data-free]").count():
        tap(page, hand.locator(f"#enter [data-key='{cards[0]}']"))
        return
    assert keys.count()
    for card in cards:
        hand.locator(f"#enter [data-key='{card}']").tap()
    tap(page, hand.locator("#enter [data-enter]"))


def put_in(page: Page, place: int) -> None:
    """A tap on the card that is to the right of it now, or on the end."""
    tap(page, uncover(page).locator(".held button").nth(place))


def choose_cards(page: Page, places: tuple[int, ...]) -> None:
    """A tap on each of these cards of one's own hand."""
    hand = uncover(page)
    for place in places:
        hand.locator(f"[data-hold='{place}']").tap()


def button_of(page: Page, choice: Choice) -> Locator | None:
    """The button that does just this and can be tapped now, if the page has it."""
    wanted = json.loads(msgspec.json.encode(choice.action))
    buttons = page.locator("button[name=ask]:not([data-enter])")
    for number, ask in enumerate(buttons.evaluate_all("all => all.map(button => button.value)")):
        if json.loads(ask).get("action") == wanted and buttons.nth(number).is_visible():
            return buttons.nth(number)
    return None


def act(page: Page, house: House, seat: str, action: Any) -> None:
    """Do that by taps alone, beginning on the seat's own page."""
    people = {each.seat: each.person for each in house.view().seats}
    prompt = house.view(people[seat], seat).prompt
    assert prompt is not None
    choice = next(choice for choice in prompt.choices if choice.action == action)
    if choice.gap is not None:
        put_in(page, choice.gap)
        return
    if choice.held is not None:
        choose_cards(page, choice.held)
    elif button_of(page, choice) is None:
        follow(page, page.locator("footer a.button", has_text=choice.group).first)
    button = button_of(page, choice)
    assert button is not None, f"no button for {choice.words} on {page.url}"
    tap(page, button)
    page.wait_for_url(f"**/play/{seat}", wait_until="domcontentloaded")


class Round:
    """Phones round a table that sees nothing. What people do is thought out beforehand, in a world in which
    every card is known. The table is told what they would say there, and `keeper` keeps the own hand.
    """

    def __init__(self, house: House, phones: dict[str, Page], wall: Page, keeper: str) -> None:
        self.house, self.phones, self.wall, self.keeper = house, phones, wall, keeper

    def play(self, world: State, action: Any) -> None:
        """What happens in the world, by taps of whoever does it."""
        seat = getattr(action, "seat", "")
        if seat and seat != self.keeper and KEEPING.private(action):
            return
        self._tap(world, seat, action)
        after = GAME.play(world, action)
        if after.phase in (FIRST, TURN):
            self._enter(after)
        self.look_up()
        self.compare(after)

    def look_up(self) -> None:
        """Everybody sees how things stand now."""
        for page in (*self.phones.values(), self.wall):
            shows(page, self.house)
            until(page, "() => !root().dataset.go")

    def compare(self, world: State) -> None:
        """The table believes what all have seen, and of the keeper's hand just what is in it."""
        table: State = self.house.table.state
        seen = GAME.hide(world)
        assert replace(GAME.hide(table), kept=seen.kept, loose=seen.loose) == seen
        at = world.seats.index(self.keeper)
        for seat, cards in enumerate(table.hands):
            known = table.kept[at] and seat == at and table.phase in (FIRST, TURN)
            assert cards == (world.hands[seat] if known else unknown_cards(len(cards)))

    def _tap(self, world: State, seat: str, action: Any) -> None:
        chance = GAME.awaiting(world).chance
        if isinstance(chance, AwaitedShuffle):
            page = list(self.phones.values())[self.house.table.number % len(self.phones)]
            tap(page, page.get_by_role("button", name="Done: shuffled"))
        elif isinstance(action, Rolled):
            assert isinstance(chance, AwaitedDice)
            page = self.phones[chance.seat]
            page.locator("#lots > summary").tap()
            tap(page, page.locator("#lots").get_by_role("button", name=NAMES[str(action.values[0])]))
        else:
            told = action if seat == self.keeper else GAME.hide_action(action)
            act(self.phones[seat], self.house, seat, told)

    def _enter(self, world: State) -> None:
        """The keeper enters what is not known of the own hand: all that was dealt, or the card drawn."""
        table: State = self.house.table.state
        at = table.seats.index(self.keeper)
        if not table.kept[at] or UNKNOWN not in table.hands[at]:
            return
        pairs = zip(table.hands[at], world.hands[at], strict=True)
        enter(self.phones[self.keeper], tuple(card for known, card in pairs if known == UNKNOWN))
