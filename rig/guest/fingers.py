"""Presses buttons and times how long a phone's page takes: python -m rig.guest.fingers PAGE COOKIE GPIO…

The button at each of these lines is pressed in turn, and each press must lead to another state of the game.
A short press is one when it is let go: there the time begins, which is printed in milliseconds.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

HELD = 0.1
"""Seconds for which a button is pressed."""


def main(page: str, cookie: str, gpios: list[int]) -> None:
    """Press each, and print how long the page took in milliseconds."""
    line = HTTPConnection("127.0.0.1", 80, timeout=60)
    line.request("GET", f"/events?page={page}", headers={"Cookie": cookie})
    numbers = _numbers(line.getresponse())
    before = next(numbers)
    for gpio in gpios:
        pull = Path(f"/run/pins/sim_gpio{gpio}/pull")
        pull.write_text("pull-down")
        time.sleep(HELD)
        let_go = time.monotonic()
        pull.write_text("pull-up")
        while (shown := next(numbers)) == before:
            pass
        print(round((time.monotonic() - let_go) * 1000))
        before = shown
        time.sleep(HELD)


def _numbers(answer: HTTPResponse) -> Iterator[int]:
    """The state number on the page each time that the table sends it."""
    event = ""
    while raw := answer.readline():
        name, _, value = raw.decode().strip().partition(": ")
        if name == "event":
            event = value
        elif name == "data" and event == "page":
            found = re.search(r'data-number="(\d+)"', json.loads(value))
            assert found is not None
            yield int(found[1])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], [int(gpio) for gpio in sys.argv[3:]])
