"""The power is cut during play, on a disk that loses what was not flushed: what was confirmed is there."""

from __future__ import annotations

import secrets
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from http.client import HTTPException
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import msgspec
import pytest

from rig.disk import ForgetfulDisk
from rig.machine import Machine
from tests.rig.conftest import Installed
from tests.rig.phone import Phone
from tests.rig.table import GAMES, Table, until
from tests.table.kill_player import GAME, PACK, SEATS, choose

pytestmark = [pytest.mark.rig, pytest.mark.timeout(7200)]

Tell = Callable[[str, object], None]

CONFIG = """
[run]
table = "none"
state = "/var/lib/stationmaster"
port = 80
"""

WRITER = """
import mmap, os, sys
kind = sys.argv[1]
file = os.open(f"/mnt/{kind}", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
if kind == "unflushed":
    os.write(file, b"0" * mmap.PAGESIZE)
    os.fsync(file)
    block = mmap.mmap(-1, mmap.PAGESIZE)
    block.write(b"1" * mmap.PAGESIZE)
    os.write(os.open(f"/mnt/{kind}", os.O_WRONLY | os.O_DIRECT), block)
else:
    for number in range(200):
        os.write(file, b"%d\\n" % number)
        if kind == "synced":
            os.fsync(file)
print("written")
"""
"""Writes lines that are synced, lines that are not, or to a disk that is not told to keep it."""


def test_the_disk_loses_what_was_not_synced_and_nothing_else(
    built: Path, installed: Installed, disk: Path, tmp_path: Path
) -> None:
    kinds = ("synced", "unsynced", "unflushed")
    with ForgetfulDisk(disk) as served, Machine(built, installed.image) as machine:
        machine.plug_disk(served.socket)
        # The system flushes by itself after that many seconds; it has a few where nothing is said.
        machine.run("mount -o commit=300 /dev/vdb /mnt")
        machine.put("/run/writer.py", WRITER.encode())
        for kind in kinds:
            assert machine.run(f"python3 /run/writer.py {kind}") == "written\n"
        machine.cut()
        assert served.cut() > 0
    with ForgetfulDisk(disk) as served, Machine(built, installed.image) as machine:
        machine.plug_disk(served.socket)
        machine.run("mount /dev/vdb /mnt")
        found = {kind: machine.try_to(f"cat /mnt/{kind}")[1] for kind in kinds}
    assert found["synced"].split() == [str(number) for number in range(200)]
    assert len(found["unsynced"].split()) < 200
    assert set(found["unflushed"]) == {"0"}


class Life:
    """Who plays from one boot to the next; `confirmed` are the requests that were, with their numbers."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.phone = Phone(0)
        self.confirmed: dict[str, int] = {}
        self.asked = ""
        self.state: Any = None
        self._next: Any = None

    def ask(self, what: dict[str, Any], state: Any) -> None:
        """Have the table do that, which leads to this state."""
        self.asked, self._next = secrets.token_hex(16), state
        answer = self.phone.ask(what, self.asked)
        assert answer["status"] == "done", (what, answer)
        self.heard(answer["number"])

    def heard(self, number: int) -> None:
        """What was asked last is done."""
        self.confirmed[self.asked] = number
        self.asked, self.state = "", self._next

    def confirmed_more_than(self, number: int) -> bool:
        """Whether more than so many requests were confirmed."""
        return len(self.confirmed) > number

    def play(self, cut: threading.Event) -> None:
        """Play until the power is cut, which shows in that nobody answers any more."""
        while not cut.is_set():
            try:
                if self.state is None:
                    self.ask({"ask": "start", "seats": SEATS}, GAME.hide(GAME.setup(SEATS, PACK, {})))
                elif GAME.over(self.state):
                    self.ask({"ask": "finish"}, None)
                else:
                    action = choose(self.state, self.chance)
                    what = {"ask": "do", "action": msgspec.to_builtins(action)}
                    self.ask(what, GAME.play(self.state, action))
            except (OSError, HTTPException):
                if cut.wait(60):
                    return
                raise  # nobody had cut it


def written(table: Table, folder: Path) -> dict[str, int]:
    """Which requests stand in the journal, and the state number after each."""
    table.acts(folder)
    with closing(sqlite3.connect(folder / "journal.sqlite")) as db:
        return dict(db.execute("SELECT request, number FROM acts WHERE request IS NOT NULL"))


def look(life: Life, table: Table, folder: Path) -> bool:
    """All that was confirmed is there, and at most what was under way besides; whether that was done."""
    found = written(table, folder)
    under_way = life.asked
    if done := under_way in found:
        life.heard(found[under_way])
    assert found == life.confirmed
    course = table.session(GAME, folder).course
    assert (None if course is None else GAME.hide(course.state)) == life.state
    # Who asks again hears the first answer.
    name, number = list(life.confirmed.items())[-1]
    life.phone.page()
    assert life.phone.ask({"ask": "finish"}, name) == {"status": "done", "number": number, "words": ""}
    life.phone.page()
    return done


def test_no_confirmed_action_is_lost(
    built: Path,
    installed: Installed,
    disk: Path,
    tmp_path: Path,
    record_property: Tell,
    pytestconfig: pytest.Config,
) -> None:
    cuts = pytestconfig.getoption("--cuts")
    chance = Random(cuts)
    life, under_way, lost, took = Life(chance), 0, 0, []
    for number in range(cuts + 1):
        began = time.monotonic()
        with ForgetfulDisk(disk) as served, Machine(built, installed.image) as machine:
            table = Table(machine)
            machine.plug_disk(served.socket)
            machine.run(f"mount /dev/vdb {GAMES}")
            table.configure(CONFIG)
            table.start()
            life.phone.port = machine.port
            if number:
                under_way += look(life, table, tmp_path)
            else:
                life.phone.page()
                life.ask({"ask": "join", "name": "Anna"}, None)
                for seat in SEATS:
                    life.ask({"ask": "sit", "seat": seat}, None)
            if number == cuts:
                break
            cut, before = threading.Event(), len(life.confirmed)
            playing = threading.Thread(target=life.play, args=(cut,))
            playing.start()
            until(partial(life.confirmed_more_than, before + 3))
            time.sleep(chance.uniform(0.0, 2.0))
            machine.cut()
            cut.set()
            playing.join()
            # One time all of it, the other time half of it, here and there.
            lost += served.cut(chance if number % 2 else None)
        took.append(time.monotonic() - began)
    record_property(
        "told",
        f"{cuts} power cuts during play, {median(took):.0f} s each: "
        f"of {len(life.confirmed)} confirmed acts none was lost; "
        f"{under_way} were on the disk with their answer cut off; the disk lost {lost} blocks",
    )
