"""People who play by tapping, and see nothing but what their phone shows."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import Error, Locator, Page, expect

from companion.games.game import Rolled

if TYPE_CHECKING:
    from tests.web.house import House

NAMES = {"red": "Anna", "blue": "Ben", "green": "Clara", "yellow": "Dai", "white": "Eve"}


def until(page: Page, true: str, argument: object = None, seconds: float = 15) -> None:
    """Wait until the page finds this true. (Playwright's own way of waiting needs eval, which we forbid.)"""
    for _ in range(int(seconds * 50)):
        try:
            if page.evaluate(true, argument):
                return
        except Error as fault:
            # The page is just going to another address, or has come there and its scripts have not run yet.
            if not any(words in fault.message for words in ("context was destroyed", "is not defined")):
                raise
        page.wait_for_timeout(20)
    raise AssertionError(f"never became true on {page.url}: {true} {argument}")


def shows(page: Page, house: House) -> None:
    """The page shows the table's present state."""
    until(page, "number => Number(root().dataset.number) === number", house.table.number)


def live(page: Page, house: House) -> None:
    """A line to the table is open, the table knows whose it is, and the page shows that too.

    Until then what lies under the finger may change: while no phone of the host is here, others may host.
    """
    until(page, "() => source?.readyState === EventSource.OPEN")
    revision = house.all_here()
    until(page, "revision => Number(root().dataset.revision) >= revision", revision)


def stop_clock(page: Page) -> None:
    """Before a page is opened: its clock goes on by `let_pass` alone.

    A clock that is stopped later is put forward first, and a page takes that for a long sleep.
    """
    page.clock.install(time="2024-01-01")
    page.clock.pause_at("2024-01-02")


def let_pass(page: Page, ms: int) -> None:
    """The stopped clock goes on by so many milliseconds. (Playwright's own way returns before it has.)"""
    then = page.evaluate("() => Date.now()") + ms
    page.clock.run_for(ms)
    until(page, "then => Date.now() === then", then)


def settle(page: Page) -> None:
    """Wait until a tap is no longer taken for the second half of a double tap."""
    until(page, "() => sending.size === 0 && performance.now() - Math.max(changed, asked.at) > SLIP")


def shoot(page: Page, file: Path | str, *, whole: bool = False) -> None:
    """A picture of what the page shows once its letters are there, if pictures are asked for."""
    page.evaluate("async () => { await document.fonts.ready; }")
    if "SCREENSHOTS" in os.environ:
        page.screenshot(path=file, full_page=whole)


def send(page: Page, button: Locator) -> None:
    """One tap, which the table answers; what the page makes of it comes after."""
    settle(page)
    with page.expect_response(lambda response: response.request.method == "POST"):
        button.tap()


def tap(page: Page, button: Locator) -> None:
    """One tap, and the table's answer to it."""
    send(page, button)
    settle(page)


def join(page: Page, house: House, name: str, seat: str) -> None:
    """Scan the code, say a name, take a seat."""
    house.visit(page, "/")
    page.get_by_label("Your name").fill(name)
    tap(page, page.get_by_role("button", name="Join the table"))
    tap(page, page.get_by_role("button", name=f"Sit here: {seat}"))
    expect(page.locator(".seats li", has_text=name)).to_be_visible()


class Table:
    """Phones round one table, by seat; whoever is awaited taps."""

    def __init__(self, house: House, phones: dict[str, Page], seed: int) -> None:
        self.house, self.phones, self.chance = house, phones, random.Random(seed)
        self.asked = self.thrown = 0

    def start(self) -> None:
        """All join, the first one starts."""
        for seat, page in self.phones.items():
            join(page, self.house, NAMES[seat], seat)
        first = next(iter(self.phones.values()))
        start = first.get_by_role("button", name=f"Start with {len(self.phones)}")
        expect(start).to_be_enabled()
        tap(first, start)
        for seat, page in self.phones.items():
            page.wait_for_url(f"**/play/{seat}", wait_until="domcontentloaded")

    def catch_up(self) -> None:
        """Every phone shows the table's present state."""
        for page in self.phones.values():
            until(page, "number => Number(root().dataset.number) >= number", self.house.table.number)

    def awaited(self) -> Page:
        """A phone that says that it is its turn."""
        self.catch_up()
        for page in self.phones.values():
            if page.locator(".turn.yours").count():
                return page
        raise AssertionError("nobody's phone says that it is their turn")

    def over(self) -> bool:
        return self.house.view().phase == "over"

    def play(self, steps: int) -> None:
        """Play to the end of the game, which comes within so many steps."""
        for _ in range(steps):
            if self.over():
                break
            self.step()
        self.catch_up()
        assert self.over()

    def step(self) -> None:
        """The awaited person does what the phone puts under the thumb; now and then somebody plays a card."""
        page = self.awaited()
        cards = page.locator("#sheet-cards .card:not(.not-held)")
        if page.locator("footer > .ask").count():
            self.answer(page)
        elif cards.count() and self.chance.random() < 0.3:
            self.play_card(page)
        elif page.locator("footer > form.emulated").count():
            self.throw(page)
        elif page.locator("footer > .pad").count():
            self.enter_dice(page)
        else:
            choices = page.locator("footer > .few button, footer > .many button")
            main = page.locator("footer > .few button.main, footer > .many button.main")
            button = main.first if main.count() else choices.nth(self.chance.randrange(choices.count()))
            tap(page, button)

    def throw(self, page: Page) -> None:
        """Throw the emulated dice, and once more if the table neither reads them nor asks."""
        number = self.house.table.number
        for _ in range(3):
            tap(page, page.locator("footer > form.emulated button"))
            self.thrown += 1
            for _ in range(250):
                view = self.house.view()
                if view.question is not None:
                    return
                if view.number > number:
                    self.check_roll()
                    return
                page.wait_for_timeout(40)
        raise AssertionError(f"nothing comes of what is thrown: {self.house.view()}")

    def check_roll(self) -> None:
        """What the camera read is what lies there."""
        assert self.house.controls is not None
        roll = self.house.table.moves()[-1]
        assert isinstance(roll, Rolled)
        assert sorted(map(int, roll.values)) == sorted(self.house.controls.world.values)

    def answer(self, page: Page) -> None:
        """Look at the dice and say what they are."""
        assert self.house.controls is not None
        question = self.house.view().question
        # Asked about a pawn that a hand is still on the way to: that goes by itself.
        if question is None or not question.dice:
            until(page, "() => !document.querySelector('footer > .ask')", seconds=60)
            return
        self.asked += 1
        values = self.house.controls.world.values
        ask = page.locator("footer > .ask")
        for lying in (values, values[::-1]):
            right = ask.get_by_role("button", name=" + ".join(map(str, lying)), exact=True)
            if right.count():
                tap(page, right)
                return
        ask.locator(".fix > summary").tap()
        for row, face in enumerate(values):
            ask.locator("fieldset").nth(row).locator(f"label:has(input[value='{face}'])").tap()
        tap(page, ask.locator(".pad button"))

    def enter_dice(self, page: Page) -> None:
        """High dice, so that the game is short; all the same what a tray could show."""
        settle(page)
        pad = page.locator("footer > .pad")
        for row in range(pad.locator("fieldset").count()):
            face = self.chance.choice((3, 4, 5, 6))
            pad.locator("fieldset").nth(row).locator(f"label:has(input[value='{face}'])").tap()
        tap(page, pad.locator("button"))

    def play_card(self, page: Page) -> None:
        settle(page)
        page.locator("#sheet-cards > summary").tap()
        cards = page.locator("#sheet-cards .card:not(.not-held)")
        card = cards.nth(self.chance.randrange(cards.count()))
        if card.locator("> summary").count():
            card.locator("> summary").tap()
        ways = card.locator("form button")
        way = ways.nth(self.chance.randrange(ways.count()))
        words = way.inner_text()
        tap(page, way)
        reply = page.locator("#reply")
        assert not reply.is_visible(), f"offered and refused: {words}: {reply.inner_text()}"
