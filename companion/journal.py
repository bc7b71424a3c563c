"""The journal: what was confirmed, on the disk before it is confirmed.

SQLite with a write-ahead log and `synchronous=FULL`: a commit returns only when the bytes are on
the disk, and a power cut at any moment leaves the last commit. One process owns a state folder.
"""

from __future__ import annotations

import fcntl
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from companion import disk
from companion.acts import Acts
from companion.messages import Answer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from io import BufferedRandom

# The last act of a request carries the request's id: what it was answered follows from the row.
_TABLES = """
CREATE TABLE IF NOT EXISTS acts (
    number INTEGER PRIMARY KEY, act TEXT NOT NULL, wall REAL NOT NULL, request TEXT
);
"""

_VERSION = 1

_acts = msgspec.json.Decoder(Acts)


class JournalError(OSError):
    """The state folder cannot be used; the text says why and what to do."""


class NotYet(JournalError):
    """The state folder cannot be used as things stand: room may be made, another process may end."""


class NotWritten(JournalError):
    """The disk did not take an act: the text says why, `cure` what to do."""

    def __init__(self, words: str, cure: str) -> None:
        super().__init__(words)
        self.cure = cure


class Journal:
    """Acts in order, and which request they answered.

    Raises JournalError when the folder cannot be written, NotYet when another process owns it. A damaged
    journal is set aside under a new name and `damage` says so; then a new one begins.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.damage = ""
        self._lock = _own(folder)
        try:
            self._open()
        except BaseException:
            self._lock.close()
            raise

    def _open(self) -> None:
        path = self.folder / "journal.sqlite"
        try:
            self._db = _connect(path)
        except sqlite3.DatabaseError as fault:
            if isinstance(fault, sqlite3.OperationalError):
                raise NotYet(
                    f"The journal {path} cannot be opened: {fault}. Make room on the disk and see that this "
                    "user may write there, or name another folder with --state."
                ) from fault
            aside = _set_aside(path)
            self.damage = (
                f"The journal was damaged ({fault}) and has been kept as {aside.name}. A new one was begun: "
                "set the table up again from the pieces that lie on it."
            )
            self._db = _connect(path)
        try:
            self._begin()
        except sqlite3.Error as fault:
            self._db.close()
            raise NotYet(
                f"The journal {path} cannot be used: {fault}. Make room on the disk and see that this user "
                "may write there, or name another folder with --state."
            ) from fault

    def _begin(self) -> None:
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version > _VERSION:
            self._db.close()
            raise JournalError(
                f"The journal in {self.folder} was written by a newer Stationmaster (format {version}). "
                "Update this one, or name another folder with --state."
            )
        self._db.execute(f"PRAGMA user_version = {_VERSION}")
        self.number: int = self._db.execute("SELECT COALESCE(MAX(number), 0) FROM acts").fetchone()[0]
        # In memory, since an index would be a second page to force to the disk with each act.
        self._requests: dict[str, int] = dict(
            self._db.execute("SELECT request, number FROM acts WHERE request IS NOT NULL")
        )

    def acts(self) -> list[Acts]:
        """All acts, oldest first; act number n is at index n - 1. JournalError when one cannot be read."""
        return _read(self._db, self.folder)

    def answer(self, request: str) -> Answer | None:
        """The answer that this request got, if it has been here before and changed something."""
        number = self._requests.get(request)
        return None if number is None else Answer("done", number)

    def write(self, acts: Sequence[Acts], request: str = "") -> None:
        """Add the acts, all or none; on the disk when this returns. `request` is what they answer.

        Raises NotWritten, with nothing written, when the disk refuses.
        """
        if not acts:
            return
        wall = time.time()
        number = self.number + len(acts)
        rows = [
            (n, msgspec.json.encode(act).decode(), wall, request if request and n == number else None)
            for n, act in enumerate(acts, self.number + 1)
        ]
        try:
            with self._db:
                self._db.executemany("INSERT INTO acts VALUES (?, ?, ?, ?)", rows)
        except sqlite3.Error as fault:
            why, cure = disk.refusal(fault, self.folder / "journal.sqlite")
            raise NotWritten(f"{why}, so nothing was changed.", cure) from fault
        self.number = number
        if request:
            self._requests[request] = number

    def close(self) -> None:
        """Give the folder up. Nothing is written for it, so that no slow disk holds up the end.

        The last connection that closes folds the log into the file, and waits for the disk. One that may
        only read does not, and as long as it is open ours is not the last.
        """
        path = self.folder / "journal.sqlite"
        try:
            with closing(sqlite3.connect(_to_read(path), uri=True)) as reader:
                reader.execute("SELECT number FROM acts LIMIT 1").fetchall()
                self._db.close()
        finally:
            self._db.close()
            self._lock.close()


def read(folder: Path) -> list[Acts]:
    """All acts of the journal in this folder, while another process may be writing there."""
    path = folder / "journal.sqlite"
    if not path.exists():
        raise JournalError(f"There is no journal in {folder}. Name the folder of a table with --state.")
    try:
        db = sqlite3.connect(_to_read(path), uri=True)
        try:
            return _read(db, folder)
        finally:
            db.close()
    except sqlite3.Error as fault:
        raise JournalError(f"The journal in {folder} cannot be read: {fault}.") from fault


def _to_read(path: Path) -> str:
    return f"{path.resolve().as_uri()}?mode=ro"


def _read(db: sqlite3.Connection, folder: Path) -> list[Acts]:
    acts: list[Acts] = []
    for number, text in db.execute("SELECT number, act FROM acts ORDER BY number"):
        try:
            acts.append(_acts.decode(text))
        except msgspec.DecodeError as fault:
            raise JournalError(
                f"Act {number} of the journal in {folder} cannot be read ({fault}). "
                "Update Stationmaster, or name another folder with --state."
            ) from fault
    return acts


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level="DEFERRED", check_same_thread=False, timeout=5)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise sqlite3.DatabaseError(found)
        db.executescript(_TABLES)
    except BaseException:
        db.close()
        raise
    return db


def _own(folder: Path) -> BufferedRandom:
    """Make the folder and lock it for this process; the kernel frees the lock when the process dies."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = open(folder / "lock", "a+b")  # noqa: SIM115 - held for the process's life
    except OSError as fault:
        kind = NotYet if disk.passes(fault) else JournalError
        raise kind(
            f"The state folder {folder} cannot be written ({fault.strerror}). "
            "Name another with --state, or give this user the right to write there."
        ) from fault
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as fault:
        lock.close()
        raise NotYet(
            f"Another Stationmaster is running on the state folder {folder}. "
            "Stop it, or name another folder with --state."
        ) from fault
    disk.sync(folder)
    return lock


def _set_aside(path: Path) -> Path:
    count = 1
    while (aside := path.with_name(f"journal.damaged-{count}.sqlite")).exists():
        count += 1
    for ending in ("", "-wal", "-shm"):
        part = path.with_name(path.name + ending)
        if part.exists():
            part.rename(aside.with_name(aside.name + ending))
    disk.sync(path.parent)
    return aside
