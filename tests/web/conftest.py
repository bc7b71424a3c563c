"""A real table behind real pages, and phones that are real browsers."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

from tests.web.house import House

BROWSER = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""Without its windows chromium shows the same pages, and opens one at a third of the cost."""

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SMALL = {"width": 360, "height": 640}
PATIENCE = 15_000  # ms for what comes by itself, also on a machine with much else to do

expect.set_options(timeout=PATIENCE)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A table with nobody at it yet, its dice entered on the phones."""
    with House(tmp_path) as house:
        yield house


@pytest.fixture
def emulated(tmp_path: Path) -> Iterator[House]:
    """An emulated table that nobody looks at: its dice are entered on the phones."""
    with House(tmp_path, seed=3) as house:
        yield house


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=BROWSER, args=ARGUMENTS)
    yield browser
    browser.close()


Phone = Callable[..., Page]


@pytest.fixture
def phone(playwright: Playwright, browser: Browser) -> Iterator[Phone]:
    """Makes phones: `phone()` is a Pixel 7, `phone(small=True)` one of 360 x 640; each a browser of its own.

    No page may fail with a script error, break its own policy, or ask any other machine for anything.
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def make(*, small: bool = False, **more: Any) -> Page:
        look = dict(playwright.devices["Pixel 7"])
        if small:
            look |= {"viewport": SMALL, "screen": SMALL}
        context = browser.new_context(**(look | more))
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on("console", hear)
        page.on("request", lambda request: see(request.url))
        return page

    def hear(said: ConsoleMessage) -> None:
        if said.type == "error" and "Content Security Policy" in said.text:
            faults.append(said.text)

    def see(url: str) -> None:
        if not url.startswith(("http://127.0.0.1:", "data:", "about:")):
            faults.append(f"asked for {url}")

    yield make
    for context in contexts:
        context.close()
    assert not faults


@pytest.fixture(scope="session")
def shots() -> Path:
    """Where pictures of pages go, to be looked at: the folder that SCREENSHOTS names.

    Without that none are taken: no test compares them, and they take as much time as the page itself.
    """
    folder = Path(os.environ.get("SCREENSHOTS", "."))
    folder.mkdir(exist_ok=True)
    return folder
