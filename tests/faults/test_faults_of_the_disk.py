"""A disk that has each of the faults while a game is played: what was confirmed is kept, the rest is said."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion import slow_disk
from companion.games.hellrail.actions import EndTurn
from companion.journal import Journal, JournalError, read
from companion.messages import Do, Request
from tests.faults.cases_of_the_house import DISK
from tests.faults.room import SEATS, Room, room
from tests.faults.vocabulary import Case, Fault, to_try
from tests.table.desk import raw

NOBODY = 65534


class Behind:
    """The connection to the journal's file, whose commits wait for something."""

    def __init__(self, db: sqlite3.Connection, commits: Callable[[], object]) -> None:
        self._db, self._commits = db, commits

    def __enter__(self) -> sqlite3.Connection:
        return self._db.__enter__()

    def __exit__(self, *error: Any) -> bool:
        self._commits()
        return self._db.__exit__(*error)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Room]:
    with room(tmp_path) as found:
        yield found


def case_of(fault: Fault) -> Case:
    case = DISK[fault]
    assert isinstance(case, Case)
    return case


def refused(place: Room) -> None:
    """What is said on a phone is not done, and is not on the disk."""
    before, seat = read(place.desk.folder), SEATS[place.awaited - 1]
    answer = place.desk.do(seat, EndTurn(seat))
    assert (answer.status, SEATS[place.awaited - 1]) == ("refused", seat)
    assert "nothing was changed" in answer.words
    assert read(place.desk.folder) == before


@contextmanager
def room_for(count: int) -> Iterator[None]:
    """No file takes more than so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (count, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_of_what_is_taken_in_part_nothing_counts(place: Room) -> None:
    log = place.desk.folder / "journal.sqlite-wal"
    with room_for(log.stat().st_size + 100):
        refused(place)
        place.tells("disk", case_of("drop"))
    place.plays_on()
    place.tells_nothing("disk")


def test_a_disk_that_can_only_be_read_is_said(place: Room) -> None:
    place.desk.journal._db.execute("PRAGMA query_only = 1")
    refused(place)
    place.tells("disk", case_of("unplug"))
    place.desk.journal._db.execute("PRAGMA query_only = 0")
    place.plays_on()
    place.tells_nothing("disk")


def test_a_full_disk_is_said(place: Room) -> None:
    db = place.desk.journal._db
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    db.execute(f"PRAGMA max_page_count = {pages}")
    seat = SEATS[place.awaited - 1]
    for _ in range(100):  # what fits into the pages that are there is taken
        if place.desk.do(seat, EndTurn(seat)).status == "refused":
            break
        seat = SEATS[place.awaited - 1]
    refused(place)
    place.tells("disk", case_of("storm"))
    db.execute(f"PRAGMA max_page_count = {pages + 1000}")
    place.plays_on()
    place.tells_nothing("disk")


ON_A_SMALL_DISK = """
import sys
from pathlib import Path
from tests.faults.cases_of_the_house import DISK
from tests.faults.room import room
from tests.faults.test_faults_of_the_disk import refused
folder = Path(sys.argv[1])
with room(folder) as place:
    filling = folder / "filling"
    with open(filling, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1000))
        except OSError:
            pass
    refused(place)
    place.tells("disk", DISK["storm"])
    filling.unlink()
    place.plays_on()
    place.tells_nothing("disk")
print("well")
"""


def in_a_namespace(*command: str) -> list[str]:
    return ["unshare", "--user", "--map-root-user", "--mount", *command]


def test_a_file_system_that_is_really_full_is_said(tmp_path: Path) -> None:
    if subprocess.run(in_a_namespace("mount", "-t", "tmpfs", "tmpfs", str(tmp_path)), check=False).returncode:
        pytest.skip("This user may mount nothing, in a namespace of its own neither.")
    script = 'mount -t tmpfs -o size=400k tmpfs "$1" && exec "$2" -c "$3" "$1"'
    command = in_a_namespace("sh", "-c", script, "sh", str(tmp_path), sys.executable, ON_A_SMALL_DISK)
    path = os.pathsep.join([str(Path(__file__).parents[2]), *filter(None, sys.path)])
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    assert done.stdout == "well\n", done.stderr


def test_another_program_that_writes_there_is_named(place: Room) -> None:
    code = (
        "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('BEGIN IMMEDIATE'); "
        "print(flush=True); sys.stdin.read()"
    )
    path = str(place.desk.folder / "journal.sqlite")
    with subprocess.Popen(
        [sys.executable, "-S", "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        place.desk.journal._db.execute("PRAGMA busy_timeout = 50")
        refused(place)
        notice = place.tells("disk", case_of("busy"))
        assert f"(process {other.pid})" in notice.words
        other.communicate()
    place.plays_on()
    place.tells_nothing("disk")


def test_a_slow_write_is_answered_when_it_is_there(place: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    db = place.desk.journal._db
    monkeypatch.setattr(place.desk.journal, "_db", Behind(db, lambda: time.sleep(0.7)))
    place.plays_on()
    place.tells_nothing("disk")
    monkeypatch.undo()
    place.plays_on()


def test_while_a_write_does_not_come_back_the_pages_say_so(
    place: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slow_disk, "PATIENCE", 0.2)
    monkeypatch.setattr(slow_disk, "_LOOK", 0.05)
    over, db, before = threading.Event(), place.desk.journal._db, len(read(place.desk.folder))
    monkeypatch.setattr(place.desk.journal, "_db", Behind(db, lambda: over.wait(20)))
    seat, number = SEATS[place.awaited - 1], place.desk.table.number
    asked = Request("once", number, Do(raw(EndTurn(seat))), seat)
    first = place.desk.table.submit(asked)
    again = place.desk.table.submit(asked)  # somebody who does not wait
    place.tells("disk", case_of("block"))
    assert not first.done()
    assert SEATS[place.awaited - 1] == seat
    over.set()
    assert (first.result(20).status, again.result(20)) == ("done", first.result(20))
    assert len(read(place.desk.folder)) == before + 1
    place.well("disk")
    monkeypatch.undo()
    place.plays_on()


def test_a_damaged_journal_is_set_aside_and_said(tmp_path: Path) -> None:
    with room(tmp_path) as place:
        place.plays_on()
    (tmp_path / "state" / "journal.sqlite-wal").unlink(missing_ok=True)
    path = tmp_path / "state" / "journal.sqlite"
    path.write_bytes(b"no journal" * 500)
    with room(tmp_path) as place:  # people sit down, and begin anew
        notice = place.tells("journal", case_of("garble"))
        aside = next((tmp_path / "state").glob("journal.damaged-*.sqlite"))
        assert aside.name in notice.words
        assert aside.read_bytes() == b"no journal" * 500
        place.plays_on()


@contextmanager
def as_nobody() -> Iterator[None]:
    """Without root's right to write everywhere."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_folder_of_somebody_else_is_said_before_anything_begins(tmp_path: Path) -> None:
    """What is raised then is printed, and ends the start: tests/table/test_command.py."""
    folder = tmp_path / "theirs"
    folder.mkdir(mode=0o500)
    with as_nobody(), pytest.raises(JournalError) as fault:
        Journal(folder / "state")
    assert case_of("no permission").is_said_in(str(fault.value))


def test_each_fault_of_a_disk_is_brought_about() -> None:
    source = Path(__file__).read_text()
    for fault in to_try(DISK):
        assert f'case_of("{fault}")' in source or fault == "slow"
