"""From the levels of the buttons' pins to presses that the bridge has heard of: it reads no clock.

The idea is that of the bridge's own buttons: a level counts once it has been stable for a while.
"""

try:
    from typing import Any
except ImportError:  # MicroPython has no types, and does not look at them
    pass

STABLE = 20
LONG = 700

UNSEEN = 100
"""No finger lets go and presses again in less; what was between two looks further apart is not known."""

STORM, WITHIN = 400, 3000
"""More changes within this time than any hand makes, whose contacts bounce."""

AGAIN = 150
"""A press that nobody has acknowledged is sent again after this time."""

FORGET = 5000
"""A press that nobody took for so long is none any more: it would surprise the players."""

MOST_WAITING = 16


class Button:
    """One button between a pin that is pulled up and ground, looked at every few milliseconds.

    `part` is what it is called in faults, `name` and `place` are those of its presses. A button that
    is down from the start has to be let go first.
    """

    def __init__(self, part: str, name: str, place: int, pin: Any, now: int) -> None:
        self.part = part
        self.name = name
        self.place = place
        self.off = False
        self._pin = pin
        self._down = self._level = not pin.value()
        self._since = self._looked = now
        self._down_since: int | None = None
        self._changes = 0
        self._counted_from = now

    def look(self, now: int) -> str:
        """Look at the pin; "short" or "long" when that makes a press certain, else ""."""
        level = not self._pin.value()
        if level != self._level or now - self._looked > UNSEEN:
            self._since = now
        if level != self._level:
            self._level = level
            self._count(now)
        self._looked = now
        if now - self._since < STABLE:
            return ""
        if level != self._down:
            return self._turn(level)
        if self._down_since is not None and now - self._down_since >= LONG:
            self._down_since = None
            return "long"
        return ""

    def _turn(self, down: bool) -> str:
        self._down = down
        held, self._down_since = self._down_since, self._since if down else None
        if down or held is None:
            return ""
        return "long" if self._since - held >= LONG else "short"

    def _count(self, now: int) -> None:
        if now - self._counted_from > WITHIN:
            self._changes, self._counted_from = 0, now
        self._changes += 1
        self.off = self.off or self._changes > STORM


class Presses:
    """The presses that are on their way: one after the other, each until it is acknowledged."""

    def __init__(self) -> None:
        self._number = 0
        self._waiting: list[tuple[int, str, int, str, int]] = []
        self._sent: int | None = None

    def put(self, name: str, place: int, kind: str, now: int) -> None:
        """A press is certain. With too many on their way it is dropped: nobody presses so fast."""
        if len(self._waiting) < MOST_WAITING:
            self._number += 1
            self._waiting.append((self._number, name, place, kind, now))

    def acknowledged(self, number: Any) -> None:
        """The bridge has this one."""
        if self._waiting and self._waiting[0][0] == number:
            self._waiting.pop(0)
            self._sent = None

    def forget(self) -> None:
        """Nobody waits for them any more."""
        self._waiting = []
        self._sent = None

    def due(self, now: int) -> dict[str, Any] | None:
        """The message of the press that is to be sent now, if any."""
        while self._waiting and now - self._waiting[0][4] > FORGET:
            self._waiting.pop(0)
            self._sent = None
        if not self._waiting or (self._sent is not None and now - self._sent < AGAIN):
            return None
        self._sent = now
        number, name, place, kind, time = self._waiting[0]
        return {"t": "press", "n": number, "button": name, "place": place, "kind": kind, "age": now - time}
