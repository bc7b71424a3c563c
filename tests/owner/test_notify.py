"""What systemd is told: that the table is served, and that its loop turns. And how the whole ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.notify import Watchdog, notify, patience
from companion.table import Beat
from tests.table.desk import Desk

ROOT = Path(__file__).parents[2]
START = "import sys; from companion.command import main; sys.exit(main())"
HANGS_AT_THE_END = "import atexit, time; atexit.register(time.sleep, 60); "
"""As a library may that waits for its threads when the interpreter ends."""


class Systemd:
    """The socket that systemd listens on."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("\0" + address[1:] if address.startswith("@") else address)

    def told(self, patience: float = 30) -> str:
        """The next words; "" when none came in time."""
        self._socket.settimeout(patience)
        try:
            return self._socket.recv(4096).decode()
        except TimeoutError:
            return ""

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(params=["a file", "an abstract name"])
def systemd(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Systemd]:
    address = str(tmp_path / "notify") if request.param == "a file" else f"@stationmaster-{os.getpid()}"
    monkeypatch.setenv("NOTIFY_SOCKET", address)
    systemd = Systemd(address)
    yield systemd
    systemd.close()


def test_systemd_is_told(systemd: Systemd) -> None:
    assert notify("READY=1", "STATUS=Open")
    assert systemd.told() == "READY=1\nSTATUS=Open"


def test_nobody_is_told_where_nobody_asks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert not notify("READY=1")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    assert not notify("READY=1")


@pytest.mark.parametrize(
    ("told", "process", "seconds"),
    [
        ("20000000", None, 20.0),
        ("20000000", "this", 20.0),
        ("20000000", "1", None),
        ("0", None, None),
        ("", None, None),
        ("x", None, None),
    ],
)
def test_how_long_systemd_waits(
    monkeypatch: pytest.MonkeyPatch, told: str, process: str | None, seconds: float | None
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", told)
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    if process is not None:
        monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()) if process == "this" else process)
    assert patience() == seconds


def test_a_table_that_is_stuck_starves_the_watchdog(systemd: Systemd, tmp_path: Path) -> None:
    desk = Desk(tmp_path / "state")
    release, stuck = threading.Event(), threading.Event()
    watchdog = Watchdog(lambda: desk.table.submit(Beat()), 0.01)
    watchdog.start()
    try:
        assert systemd.told() == "WATCHDOG=1"

        def stick(revision: int) -> None:
            stuck.set()
            release.wait(60)

        stop = desk.table.listen(stick)
        sat = threading.Thread(target=desk.sit, args=("red",))
        sat.start()
        assert stuck.wait(30)
        # What it has told by now it told before, but for one word that may have been under way.
        while systemd.told(0.5):
            pass
        assert systemd.told(1) == ""
        stop()
        release.set()
        sat.join(30)
        assert systemd.told() == "WATCHDOG=1"
    finally:
        release.set()
        watchdog.stop()
        desk.close()


def test_a_beat_publishes_nothing(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    before: list[int] = []
    desk.table.listen(before.append)
    assert desk.put(Beat()).status == "done"
    assert before == []
    desk.close()


def started(folder: Path, **environment: str) -> subprocess.Popen[str]:
    words = ["run", "--config", "/dev/null", "--table", "none", "--host", "127.0.0.1", "--port", "0"]
    return subprocess.Popen(
        [sys.executable, "-c", HANGS_AT_THE_END + START, *words, "--state", str(folder / "state")],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_daemon_is_ready_when_it_serves_beats_and_stops_in_time(systemd: Systemd, tmp_path: Path) -> None:
    daemon = started(tmp_path, NOTIFY_SOCKET=systemd.address, WATCHDOG_USEC="400000")
    try:
        told = [systemd.told(120)]
        while told[-1] == "WATCHDOG=1":
            told.append(systemd.told())
        ready, status = told[-1].splitlines()
        assert ready == "READY=1"
        port = status.rsplit(":", 1)[1].strip("/")
        assert systemd.told() == "WATCHDOG=1"
        assert systemd.told() == "WATCHDOG=1"
        phone = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        assert "Stationmaster" in phone.open(f"http://127.0.0.1:{port}/", timeout=10).read().decode()
        streams = [phone.open(f"http://127.0.0.1:{port}/events?page=people", timeout=10) for _ in range(3)]
        before = time.monotonic()
        daemon.send_signal(signal.SIGTERM)
        out, err = daemon.communicate(timeout=30)
        assert daemon.returncode == 0, err
        assert time.monotonic() - before < 2
        # A machine with too much else to do may have come to the guard, and to nothing worse.
        assert err == "" or "Not everything stopped" in err.splitlines()[0], err
        assert "Stopping. The game is kept" in out
        last = ""
        while (word := systemd.told(0.2)) != "":
            last = word
        assert last == "STOPPING=1"
        for stream in streams:
            stream.close()
    finally:
        daemon.kill()
        daemon.communicate()


HANGS = """
import sys, threading, time
from companion.journald import begin_log
from companion.stopping import stopping
begin_log()
with stopping() as stop:
    print("on", flush=True)
    {before}
    stop.wait()
    {after}
print("off", flush=True)
"""


def stopped(number: signal.Signals, before: str, after: str) -> tuple[str, str]:
    """What a process says that does this before it is told to stop, and that afterwards. It ends in time."""
    code = HANGS.format(before=before or "pass", after=after or "pass")
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "on\n"
    told = time.monotonic()
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0
    assert time.monotonic() - told < 2.5
    return out, err


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("", "time.sleep(60)", "Not everything stopped"),
        (
            "",
            "threading.Thread(target=time.sleep, args=(60,), name='camera').start(); time.sleep(60)",
            "camera",
        ),
        ("time.sleep(60)", "", "Not everything stopped"),
        ("", "", ""),
    ],
)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_hangs_does_not_hold_up_the_end(
    before: str, after: str, said: str, number: signal.Signals
) -> None:
    out, err = stopped(number, before, after)
    assert said in err
    assert (out == "off\n") == (said == "")


@pytest.mark.parametrize("fault", ["", "; 1 / 0"])
def test_what_is_let_go_at_once_does_not_wait_for_the_rest(fault: str) -> None:
    before = (
        f"def let_go(): print('let go', flush=True){fault}",
        "stop.at_once(let_go)",
        "stop.at_once(let_go)",
    )
    out, err = stopped(signal.SIGTERM, "\n    ".join(before), "time.sleep(60)")
    assert out == "let go\n" * 2
    assert ("could not be let go" in err) == (fault != "")


def test_nothing_is_let_go_by_a_process_that_ends_by_itself() -> None:
    code = HANGS.format(before="stop.at_once(lambda: print('let go', flush=True))", after="pass")
    done = subprocess.run(
        [sys.executable, "-c", code.replace("stop.wait()", "")], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "on\noff\n")
