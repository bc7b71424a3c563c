"""A table with a game in play, devices joined to it as the daemon joins them, and what phones show of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from html import unescape
from pathlib import Path

from jinja2.bccache import Bucket, BytecodeCache

from companion.devices import keep_running
from companion.games.hellrail.actions import EndTurn
from companion.journal import read
from companion.messages import Notice, Retry
from companion.signals import follow, put
from firmware_bridge.device import Device, Fault
from firmware_bridge.press import Press
from firmware_bridge.signals import Signalling
from tests.faults.vocabulary import Case
from tests.hardware.virtual import until
from tests.table.desk import Desk
from web_ui.pages import Pages


class Compiled(BytecodeCache):
    """Templates are compiled once for all rooms, which have the same."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key] = bucket.bytecode_to_string()


COMPILED = Compiled()

SEATS = ("red", "blue", "green")


class Room:
    """A game of HellRail at a table to which devices can be joined.

    `pages` are what phones show; `awaited` is whose turn it is.
    """

    def __init__(self, folder: Path, table: str = "none") -> None:
        self.desk = Desk(folder / "state", table=table, game="hellrail")
        self.desk.start(*SEATS)
        self.pages = Pages(self.desk.table, None, 8080)
        self.pages._templates.bytecode_cache = COMPILED
        self.desk.table.listen(self.pages.changed)
        self._rooms = ExitStack()
        self._shows: list[Signalling] = []

    def press(self, press: Press) -> None:
        """Where a device puts its presses."""
        put(self.desk.table, self._shows, press)

    def report(self, fault: Fault) -> None:
        """Where a device tells of its parts."""
        self.desk.table.submit(fault)

    def join(self, device: Device) -> None:
        """Keep this device running until the room is closed."""
        keep_running(device, self.desk.table, self._rooms)

    def show_on(self, device: Signalling) -> None:
        """Join a device that shows how the table stands."""
        self._shows.append(device)
        self._rooms.callback(follow(self.desk.table, [device]))
        self.join(device)

    def close(self) -> None:
        self._rooms.close()
        self.desk.close()

    @property
    def awaited(self) -> int:
        """The place whose turn it is."""
        (seat,) = self.desk.game.awaiting(self.desk.state).seats
        return SEATS.index(seat) + 1

    # -- what each case comes to ------------------------------------------------------------------

    def plays_on(self) -> None:
        """Somebody says on a phone what they do: it is accepted, and on the disk."""
        before, seat = read(self.desk.folder), SEATS[self.awaited - 1]
        self.desk.done(seat, EndTurn(seat))
        assert len(read(self.desk.folder)) == len(before) + 1
        assert SEATS[self.awaited - 1] != seat

    def notices(self, device: str) -> list[Notice]:
        """What stands on the phones of that device and its parts."""
        return [
            notice
            for notice in self.desk.view("red").notices
            if notice.id == device or notice.id.startswith(f"{device}.")
        ]

    def tells(self, device: str, case: Case) -> Notice:
        """Wait until each page names the fault, and what to do about it."""
        until(lambda: any(case.is_told_by(notice) for notice in self.notices(device)))
        notice = next(notice for notice in self.notices(device) if case.is_told_by(notice))
        for page, person in (("play/red", "red"), ("table", "")):
            until(lambda page=page, person=person: self._names(notice, page, person))  # type: ignore[misc]
        return notice

    def _names(self, notice: Notice, page: str, person: str) -> bool:
        """Whether that page has the words of the notice, as soon as it is drawn anew."""
        shown = unescape(self.pages.live(page, person) or "")
        return notice.words in shown and notice.cure in shown

    def tells_nothing(self, device: str) -> None:
        """No page names that device."""
        assert self.notices(device) == []

    def try_again(self, notice: Notice) -> None:
        """Somebody taps "Try again now" beside that notice."""
        assert notice.retry
        assert self.desk.ask("red", Retry(notice.id)).status == "done"

    def well(self, device: str) -> None:
        """Wait until no page names that device any more."""
        until(lambda: self.notices(device) == [])


@contextmanager
def room(folder: Path, table: str = "none") -> Iterator[Room]:
    found = Room(folder, table)
    try:
        yield found
    finally:
        found.close()
