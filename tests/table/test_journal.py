"""What was confirmed is on the disk; damage and misuse are said aloud and lose nothing."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from companion import packs
from companion.acts import Acts, Corrected, Joined, Played, Sat, Started
from companion.games.game import Rolled
from companion.journal import Journal, JournalError, read
from companion.messages import Answer
from companion.record import BadRecord, Header, of_session, replay, write
from companion.session import Session
from companion.table import Table
from tests.table.desk import Desk


def fold(path: Path) -> None:
    """Move what stands in the write-ahead log into the file, as happens now and then during play."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def test_acts_come_back_in_order_with_answers(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.write([Joined("p", "Ann"), Sat("p", "red")], "r1")
    journal.close()
    journal = Journal(tmp_path)
    assert journal.acts() == [Joined("p", "Ann"), Sat("p", "red")]
    assert journal.answer("r1") == Answer("done", 2)
    assert journal.answer("r2") is None
    assert journal.number == 2
    journal.close()


def test_acts_are_written_all_or_none(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.write([Joined("p", "Ann")], "r1")
    journal._db.execute(
        "CREATE TRIGGER full BEFORE INSERT ON acts WHEN NEW.number = 3 BEGIN SELECT RAISE(FAIL, 'full'); END"
    )
    with pytest.raises(JournalError, match="nothing was changed"):
        journal.write([Joined("q", "Bob"), Sat("q", "red")], "r2")
    assert journal.number == 1
    assert journal.answer("r2") is None
    assert journal.acts() == [Joined("p", "Ann")]
    journal.close()


def test_one_process_owns_a_folder(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with pytest.raises(JournalError, match="Another Stationmaster"):
        Journal(tmp_path)
    journal.close()
    Journal(tmp_path).close()


def test_closing_writes_nothing_and_what_was_written_is_there(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.write([Joined("p", "Ann"), Sat("p", "red")], "r1")
    files = {path.name: path.read_bytes() for path in tmp_path.glob("journal.sqlite*")}
    assert len(files["journal.sqlite-wal"]) > 0
    journal.close()
    journal.close()
    after = {path.name: path.read_bytes() for path in tmp_path.glob("journal.sqlite*")}
    for name in ("journal.sqlite", "journal.sqlite-wal"):
        assert after[name] == files[name]
    journal = Journal(tmp_path)
    assert journal.acts() == [Joined("p", "Ann"), Sat("p", "red")]
    journal.close()


def test_every_write_is_forced_to_the_disk(tmp_path: Path) -> None:
    """A commit that returns is on the disk: the write-ahead log with a sync at each commit."""
    program = """
import sys
from contextlib import closing
from pathlib import Path
from companion.journal import Journal
db = Journal(Path(sys.argv[1]))._db
print(db.execute("PRAGMA synchronous").fetchone()[0], db.execute("PRAGMA journal_mode").fetchone()[0])
"""
    command = [sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2", "wal"]


@pytest.mark.parametrize("damage", [b"this is no database", b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_damaged_journal_is_set_aside_and_said(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "journal.sqlite").write_bytes(damage)
    journal = Journal(tmp_path)
    assert "journal.damaged-1.sqlite" in journal.damage
    assert (tmp_path / "journal.damaged-1.sqlite").read_bytes() == damage
    assert journal.acts() == []
    journal.write([Joined("p", "Ann")])
    journal.close()
    again = Journal(tmp_path)
    assert again.damage == ""
    assert again.acts() == [Joined("p", "Ann")]
    again.close()


def test_a_page_damaged_in_the_middle_is_noticed(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    for n in range(300):
        journal.write([Joined(f"person {n}", "x" * 100)])
    journal.close()
    path = tmp_path / "journal.sqlite"
    fold(path)
    content = bytearray(path.read_bytes())
    content[8192 : 8192 + 4096] = os.urandom(4096)
    path.write_bytes(content)
    journal = Journal(tmp_path)
    assert "damaged" in journal.damage
    journal.close()


def test_a_newer_journal_is_left_alone(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal._db.execute("PRAGMA user_version = 99")
    journal.close()
    with pytest.raises(JournalError, match="newer"):
        Journal(tmp_path)
    with pytest.raises(JournalError, match="newer"):
        Journal(tmp_path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(JournalError, match="--state"):
        Journal(tmp_path / "file" / "state")


def test_a_full_disk_changes_nothing_and_is_said(playing: Desk) -> None:
    before, number = playing.state, playing.table.number
    playing.table._journal._db.execute("PRAGMA query_only = 1")
    answer = playing.do("red", Rolled((1, 2)))
    assert answer.status == "refused"
    assert "nothing was changed" in answer.words
    assert (playing.state, playing.table.number) == (before, number)
    assert playing.view("red").notices[0].id == "disk"
    playing.table._journal._db.execute("PRAGMA query_only = 0")
    playing.done("red", Rolled((1, 2)))
    assert playing.state.dice == (1, 2)
    assert not playing.view("red").notices


def test_a_roll_that_could_not_be_written_is_not_believed_later_without_asking(playing: Desk) -> None:
    playing.throw()
    playing.table._journal._db.execute("PRAGMA query_only = 1")
    playing.throw(3, 4)
    assert playing.state.dice == (1, 2)
    playing.table._journal._db.execute("PRAGMA query_only = 0")
    playing.see()
    assert playing.state.dice == (1, 2)
    assert playing.view("red").question is not None


def test_a_journal_is_read_while_it_is_written(playing: Desk) -> None:
    acts = read(playing.folder)
    assert len(acts) == playing.table.number
    session = Session.replay(acts)
    assert session.course is not None
    assert session.course.state == playing.state


def test_a_game_is_exported_as_a_record_that_the_referee_accepts(playing: Desk) -> None:
    playing.done("red", Rolled((1, 2)))
    header, moves = of_session(Session.replay(read(playing.folder)))
    lines = list(write(header, moves))
    assert json.loads(lines[0])["stationmaster"] == 1
    assert json.loads(lines[0])["names"]["red"] == "Ann"
    verdicts = list(replay(lines))
    assert len(verdicts) == len(playing.table.moves())
    assert all(verdict.illegal is None for verdict in verdicts)
    bare = Header(1, "pawns_of_perdition", ("red", "blue", "green"))
    assert "position" not in next(write(bare, []))


def test_a_record_may_begin_from_a_position_but_not_from_an_impossible_one(playing: Desk) -> None:
    header, _ = of_session(Session.replay(read(playing.folder)))
    start = msgspec.structs.replace(header, position=playing.state)
    assert [verdict.illegal for verdict in replay(write(start, [Rolled((1, 2))]))] == [None]
    crowded = msgspec.structs.replace(playing.state, pawns=(99, 0, 0))
    with pytest.raises(BadRecord, match="impossible"):
        list(replay(write(msgspec.structs.replace(header, position=crowded), [])))


def test_ten_thousand_acts_of_people_and_games_come_back(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.write([Joined(f"{n % 7}", f"name {n}") for n in range(10_000)])
    session = Session.replay(journal.acts())
    assert session.number == journal.number == 10_000
    assert len(session.people) == 7
    journal.close()


@pytest.mark.parametrize(
    "act",
    [
        Played(msgspec.Raw(b'{"do":"move","seat":"blue"}'), "phone"),
        Played(msgspec.Raw(b'{"do":"fly"}'), "phone"),
        Corrected(99, msgspec.Raw(b'{"do":"rolled","values":[1,1]}'), "red"),
        Started("chess", "house", ("red",), {}, msgspec.Raw(b"{}")),
    ],
    ids=["illegal", "unknown", "no such move", "no such game"],
)
def test_an_act_that_cannot_be_played_again_is_named(playing: Desk, act: Acts) -> None:
    folder, number = playing.folder, playing.table.number + 1
    playing.close()
    journal = Journal(folder)
    journal.write([act])
    with pytest.raises(JournalError, match=f"Act {number} .*--state"):
        Table(playing.game, packs.load(playing.game, "house"), journal)
    journal.close()


def test_a_record_nested_without_end_is_refused_in_words() -> None:
    deep = b'{"stationmaster":1,"game":"pawns_of_perdition","seats":["red"],"position":' + b"[" * 100_000
    with pytest.raises(BadRecord, match="Line 1 is no record header"):
        next(replay([deep]))


def test_a_journal_of_another_shape_is_refused_in_words(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "journal.sqlite")
    db.execute("CREATE TABLE acts (other TEXT)")
    db.close()
    with pytest.raises(JournalError, match=r"cannot be used: no such column.*--state"):
        Journal(tmp_path)
    assert (tmp_path / "journal.sqlite").exists()
