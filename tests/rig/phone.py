"""A phone without a screen: it asks the table and reads its pages."""

from __future__ import annotations

import html
import http.client
import json
import re
import secrets
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode


class Phone:
    """One person's phone, at a port of this machine. `on` is the state number that its page last showed."""

    def __init__(self, port: int, patience: float = 60) -> None:
        self.port = port
        self._patience = patience
        self.cookie = ""
        self.on = -1

    def page(self, path: str = "/people") -> str:
        """The page at that path; AssertionError when it is not given."""
        status, page, headers = self._send("GET", path)
        assert status == 200, (status, page)
        if "Set-Cookie" in headers:
            self.cookie = headers["Set-Cookie"].split(";")[0]
        self._look(page)
        return page

    def ask(self, what: dict[str, Any], name: str = "") -> dict[str, Any]:
        """What the table says to that, asked on the state that was seen last; `name` is the request's id."""
        body = json.dumps({"id": name or secrets.token_hex(16), "on": self.on, "ask": what})
        _, answer, _ = self._send("POST", "/ask", body)
        found: dict[str, Any] = json.loads(answer)
        self.on = found.get("number", self.on)
        return found

    def form(self, path: str, fields: dict[str, str]) -> int:
        """Send a form that is a page of its own; the status of the answer."""
        kind = "application/x-www-form-urlencoded"
        return self._send("POST", path, urlencode(fields), kind)[0]

    def done(self, what: dict[str, Any]) -> int:
        """Ask for what the table has to do; the state number after it."""
        self.page()
        answer = self.ask(what)
        assert answer["status"] == "done", (what, answer)
        return int(answer["number"])

    def begin(self, *seats: str) -> None:
        """Take these seats and start a game."""
        self.done({"ask": "join", "name": "Anna"})
        for seat in seats:
            self.done({"ask": "sit", "seat": seat})
        self.done({"ask": "start", "seats": seats})

    def answer(self, path: str, *words: str) -> None:
        """Answer the question on that page by the button that says this, or one of these."""
        page = self.page(path)
        buttons = re.findall(r'<button name="ask" value="([^"]*)"[^>]*>([^<]*)', page)
        asks = [json.loads(html.unescape(ask)) for ask, says in buttons if says.strip() in words]
        assert len(asks) == 1, (words, buttons)
        answer = self.ask(asks[0])
        assert answer["status"] == "done", (asks, answer)

    def until(self, words: str, path: str = "/people", seconds: float = 120) -> float:
        """Load the page until these words stand there; how many seconds it took."""
        return self._loaded(path, seconds, lambda page: words in page, f"{words!r} never came")

    def until_gone(self, words: str, path: str = "/people", seconds: float = 120) -> float:
        """Load the page until these words stand there no more; how many seconds it took."""
        return self._loaded(path, seconds, lambda page: words not in page, f"{words!r} never went")

    def _loaded(self, path: str, seconds: float, holds: Callable[[str], bool], fault: str) -> float:
        began = time.monotonic()
        while not holds(page := self.page(path)):
            assert time.monotonic() - began < seconds, f"{fault}: {re.sub('<[^>]*>', ' ', page)}"
            time.sleep(0.2)
        return time.monotonic() - began

    def _look(self, page: str) -> None:
        if found := re.search(r'data-number="(\d+)"', page):
            self.on = int(found[1])

    def _send(
        self, method: str, path: str, body: str | None = None, kind: str = "application/json"
    ) -> tuple[int, str, http.client.HTTPMessage]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self._patience)
        try:
            headers = {"Cookie": self.cookie} if self.cookie else {}
            if body is not None:
                headers["Content-Type"] = kind
            line.request(method, path, body, headers)
            answer = line.getresponse()
            return answer.status, answer.read().decode(), answer.headers
        finally:
            line.close()
