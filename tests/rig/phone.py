"""A phone without a screen: it asks the table and reads its pages."""

from __future__ import annotations

import http.client
import json
import re
import secrets
import time
from collections.abc import Iterator
from typing import Any


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

    def stream(self, page: str) -> Iterator[str]:
        """The page again and again as the table sends it, each time it has changed."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self._patience)
        try:
            line.request("GET", f"/events?page={page}", headers={"Cookie": self.cookie})
            answer = line.getresponse()
            assert answer.status == 200, answer.status
            event = ""
            while raw := answer.readline():
                name, _, value = raw.decode().strip().partition(": ")
                if name == "event":
                    event = value
                elif name == "data" and event == "page":
                    html = json.loads(value)
                    self._look(html)
                    yield html
        finally:
            line.close()

    def until(self, words: str, path: str = "/people", seconds: float = 120) -> float:
        """Load the page until these words stand there; how many seconds it took."""
        return self._loaded(path, seconds, lambda page: words in page, f"{words!r} never came")

    def until_gone(self, words: str, path: str = "/people", seconds: float = 120) -> float:
        """Load the page until these words stand there no more; how many seconds it took."""
        return self._loaded(path, seconds, lambda page: words not in page, f"{words!r} never went")

    def _loaded(self, path: str, seconds: float, holds: Any, fault: str) -> float:
        began = time.monotonic()
        while not holds(page := self.page(path)):
            assert time.monotonic() - began < seconds, f"{fault}: {re.sub('<[^>]*>', ' ', page)}"
            time.sleep(0.2)
        return time.monotonic() - began

    def _look(self, page: str) -> None:
        if found := re.search(r'data-number="(\d+)"', page):
            self.on = int(found[1])

    def _send(
        self, method: str, path: str, body: str | None = None
    ) -> tuple[int, str, http.client.HTTPMessage]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self._patience)
        try:
            headers = {"Cookie": self.cookie} if self.cookie else {}
            if body is not None:
                headers["Content-Type"] = "application/json"
            line.request(method, path, body, headers)
            answer = line.getresponse()
            return answer.status, answer.read().decode(), answer.headers
        finally:
            line.close()
