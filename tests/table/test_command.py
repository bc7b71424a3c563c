"""The command line: what cannot be begun is said in one line, with the cure."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion import disk, games, packs
from companion.command import BAD_CONFIG, FAULT, USAGE, main
from companion.journal import Journal, JournalError
from companion.messages import Sit, Start
from companion.table import Table
from tests.table.desk import Desk


@pytest.mark.parametrize(
    ("given", "word"),
    [
        (("--port", "65536"), "--port"),
        (("--port", "-1"), "--port"),
        (("--seed", "-1"), "--seed"),
        (("--camera", ""), "--camera"),
    ],
)
def test_numbers_that_cannot_be_are_refused_before_anything_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: tuple[str, str], word: str
) -> None:
    folder = tmp_path / "state"
    assert main(["run", "--config", "/dev/null", "--state", str(folder), *given]) == USAGE
    assert word in capsys.readouterr().err
    assert not folder.exists()


@pytest.mark.parametrize("name", ["emulated.json", "cookie-secret"])
def test_a_state_folder_that_gives_nothing_is_said_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (tmp_path / name).mkdir()
    assert (
        main(["run", "--config", "/dev/null", "--state", str(tmp_path), "--port", "0", "--host", "127.0.0.1"])
        == BAD_CONFIG
    )
    told = capsys.readouterr().err
    assert name in told
    assert "--state" in told


def test_a_damaged_seed_is_said_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "emulated.json").write_text('{"seed": -1}')
    assert (
        main(["run", "--config", "/dev/null", "--state", str(tmp_path), "--port", "0", "--host", "127.0.0.1"])
        == BAD_CONFIG
    )
    assert "damaged" in capsys.readouterr().err


def begins(folder: Path) -> int:
    return main(
        ["run", "--config", "/dev/null", "--state", str(folder), "--port", "0", "--host", "127.0.0.1"]
    )


def test_a_folder_that_another_process_has_not_let_go_of_yet_is_tried_again_by_the_service(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(Journal(tmp_path)):
        assert begins(tmp_path) == FAULT
    assert "Another Stationmaster is running" in capsys.readouterr().err


def test_a_journal_that_cannot_be_written_now_is_tried_again_by_the_service(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(Journal(tmp_path)):
        pass
    with closing(sqlite3.connect(tmp_path / "journal.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert begins(tmp_path) == FAULT
    assert "database is locked" in capsys.readouterr().err


@pytest.mark.parametrize(("number", "status"), [(errno.ENOSPC, FAULT), (errno.EACCES, BAD_CONFIG)])
@pytest.mark.parametrize("what", ["mkdir", "write"])
def test_a_full_disk_is_tried_again_by_the_service_and_a_folder_that_is_somebody_elses_is_not(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    what: str,
    number: int,
    status: int,
) -> None:
    def refuses(*args: object, **more: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path if what == "mkdir" else disk, what, refuses)
    assert begins(tmp_path) == status
    assert os.strerror(number) in capsys.readouterr().err


def test_a_game_of_another_kind_is_not_taken_for_ones_own(tmp_path: Path) -> None:
    desk = Desk(tmp_path, game="hellrail")
    desk.start("red", "blue")
    desk.close()
    pawns = games.load("pawns_of_perdition")
    told = r"A game of HellRail lies in that state folder\..* --game hellrail,"
    with closing(Journal(tmp_path)) as journal, pytest.raises(JournalError, match=told):
        Table(pawns, packs.load(pawns, "house"), journal)
    again = Desk(tmp_path, game="hellrail")
    assert again.view("red").phase == "playing"
    again.close()


def test_who_sits_where_another_game_has_no_seat_stands_up_for_it(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.sit("red", "blue", "green")
    assert desk.ask("green", Sit("white")).status == "done"
    desk.close()
    other = Desk(tmp_path, game="hellrail")
    assert other.ask("red", Start(("red", "blue", "green"), {})).status == "done"
    other.close()


def test_the_reader_of_photographs_tells_its_own_options(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["see", "--help"])
    assert end.value.code == 0
    assert "markers" in capsys.readouterr().out


def test_options_of_the_reader_reach_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["see", "dice", "--count", "2", str(tmp_path / "none.jpg")]) == 1
    assert '"error"' in capsys.readouterr().out
