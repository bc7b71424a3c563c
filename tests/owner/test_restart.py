"""A whole daemon whose set-up is changed by the host's phone, and that ends so as to be started again."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from msgspec import Raw

from companion.acts import Finished, Started
from companion.daemon import going_on
from companion.games.game import Rolled
from companion.journal import Journal
from tests.table.desk import Desk
from tests.web.machines import sourced
from web_ui.person import People, secret

ROOT = Path(__file__).parents[2]
START = "import sys; from companion.command import main; sys.exit(main(sys.argv[1:]))"


class Daemon:
    """A daemon of its own process, and the host's phone at it."""

    def __init__(self, process: subprocess.Popen[str], port: int, state: Path, host: str) -> None:
        self.process, self.port = process, port
        self._cookie = People(secret(state)).cookie(host).split(";")[0]

    def ask(self, method: str, path: str, body: str = "", kind: str = "") -> tuple[int, str]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        kind = kind or "application/x-www-form-urlencoded"
        line.request(method, path, body, {"Cookie": self._cookie, "Content-Type": kind})
        with line.getresponse() as answer:
            found = answer.status, answer.read().decode()
        line.close()
        return found


@contextmanager
def daemon(file: Path, state: Path, host: str = "anna") -> Iterator[Daemon]:
    with subprocess.Popen(
        [sys.executable, "-c", START, "run", "--config", str(file)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            greeting = next(line for line in process.stdout if "http://" in line)
            port = urlsplit(greeting.split()[-1]).port
            assert port is not None
            yield Daemon(process, port, state, host)
        finally:
            process.kill()


def test_what_the_host_saves_is_what_the_next_start_uses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RESTARTED_AFTER", "75")
    file, state = tmp_path / "stationmaster.toml", tmp_path / "state"
    file.write_text(f'# ours\n[run]\ntable = "none"\nhost = "127.0.0.1"\nport = 0\nstate = "{state}"\n')
    with daemon(file, state) as first:
        join = json.dumps({"id": "a" * 16, "on": 0, "ask": {"ask": "join", "name": "Anna"}})
        assert first.ask("POST", "/ask", join, "application/json")[0] == 200
        status, page = first.ask("GET", "/configuration")
        was = re.search(r'name="was" value="(\w+)"', page)
        assert was is not None
        typed = urlencode({"was": was[1], "run.game": "hachi_train", "pins.confirm": "4", "run.pins": "mock"})
        assert first.ask("POST", "/configuration", typed)[0] == 303
        assert first.ask("POST", "/configuration/restart")[0] == 303
        # The answer is taken in before the process ends.
        assert "It starts again" in first.ask("GET", "/health")[1]
        assert first.process.wait(60) == 75
    assert file.read_text().startswith("# ours\n[run]\n")
    with daemon(file, state) as second:
        status, page = second.ask("GET", "/people")
        assert status == 200
        assert "Hachi Train" in page
        assert "Anna" in page
        assert "the buttons, lamps and buzzer" in page
        assert "Buttons" in second.ask("GET", "/health")[1]


def test_a_game_under_way_comes_up_again_whatever_game_the_file_says_by_then(tmp_path: Path) -> None:
    file, state = tmp_path / "stationmaster.toml", tmp_path / "state"
    desk = Desk(state)
    desk.start("red", "blue", "green")
    desk.done("red", Rolled((1, 2)))
    number = desk.table.number
    desk.close()
    file.write_text(
        '[run]\ngame = "hellrail"\npack = "owner"\ntable = "none"\nhost = "127.0.0.1"\nport = 0\n'
        f'state = "{state}"\n'
    )
    with daemon(file, state, "red") as first:
        page = first.ask("GET", "/configuration")[1]
        assert "Pawns of Perdition is on the table and goes on." in page
        # The game is where it was, and goes on.
        move = json.dumps(
            {"id": "b" * 16, "on": number, "ask": {"ask": "do", "action": {"do": "move", "seat": "red"}}}
        )
        assert first.ask("POST", "/ask", move, "application/json")[0] == 200
        done = json.dumps({"id": "c" * 16, "on": number + 1, "ask": {"ask": "finish"}})
        assert first.ask("POST", "/ask", done, "application/json")[0] == 200
        page = first.ask("GET", "/configuration")[1]
        assert "goes on." not in page
        assert "The file says something else than what runs." in page
    with daemon(file, state, "red") as second:
        assert "HellRail" in second.ask("GET", "/people")[1]
        assert "goes on." not in second.ask("GET", "/configuration")[1]


@pytest.mark.parametrize(("pack", "then"), [("house", "house"), ("owner", "owner"), ("our own", "house")])
def test_the_game_under_way_goes_on_with_its_pack(tmp_path: Path, pack: str, then: str) -> None:
    (tmp_path / "stationmaster.toml").write_text('[run]\ntable = "none"\npack = "other"\n')
    running, _ = sourced(tmp_path / "stationmaster.toml")
    with closing(Journal(tmp_path / "state")) as journal:
        assert going_on(running, journal) == running
        journal.write([Started("hellrail", pack, ("red", "blue"), {}, Raw(b"{}"))])
        found = going_on(running, journal)
        assert (found.game, found.pack) == ("hellrail", then)
        journal.write([Finished("red")])
        assert going_on(running, journal) == running
        # What a later Stationmaster has begun is said as such by the session.
        journal.write([Started("whist", pack, ("red", "blue"), {}, Raw(b"{}"))])
        assert going_on(running, journal) == running
