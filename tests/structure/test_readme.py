"""Every command that the README shows works as it stands there."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import urllib.request
from pathlib import Path

import cv2
import pytest

from companion.emulated.camera import EmulatedCamera
from companion.emulated.world import World

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCED = [
    line.split(" #")[0].strip()
    for block in re.findall(r"```\n(.*?)```", README, re.S)
    for line in block.splitlines()
    if line.strip()
]
INLINE = re.findall(r"`(\./run [^`]*)`", README)
# ./test is what runs this; sudo ./install changes the machine, and tests/structure/test_environment.py
# has its set-up.
ELSEWHERE = {"./test", "sudo ./install"}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with one photograph of a table in it, and a home of its own."""
    photos = tmp_path / "FOLDER"
    photos.mkdir()
    camera = EmulatedCamera(World(1))
    camera.open()
    frame = camera.read(1.0)
    assert frame is not None
    cv2.imwrite(str(photos / "PHOTO.jpg"), frame.image)
    cv2.imwrite(str(tmp_path / "PHOTO.jpg"), frame.image)
    return tmp_path


def _environment(place: Path) -> dict[str, str]:
    return os.environ | {"HOME": str(place), "XDG_STATE_HOME": str(place / "state")}


def test_the_readme_shows_commands() -> None:
    assert "./run" in FENCED
    assert set(FENCED) >= ELSEWHERE
    assert len(INLINE) >= 3


@pytest.mark.parametrize("command", ["./run", *INLINE])
def test_it_starts_and_prints_an_address_that_answers(command: str, place: Path) -> None:
    # What is at the table of the machine that this runs on is none of the README's.
    words = [str(ROOT / "run"), *command.split()[1:], "--port", "0", "--config", "/dev/null"]
    started = subprocess.Popen(
        words, cwd=place, env=_environment(place), stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        assert started.stdout is not None
        said = ""
        while "Ctrl-C stops" not in said:
            line = started.stdout.readline()
            assert line, said
            said += line
        found = re.search(r"open http://[^:]+:(\d+)/", said)
        assert found, said
        with urllib.request.urlopen(f"http://127.0.0.1:{found[1]}/", timeout=20) as answer:
            assert "Stationmaster" in answer.read().decode()
        os.killpg(started.pid, signal.SIGINT)
        assert started.wait(30) == 0
    finally:
        if started.poll() is None:
            os.killpg(started.pid, signal.SIGKILL)
        started.stdout.close()  # type: ignore[union-attr]
        started.wait()


def test_the_other_commands(place: Path) -> None:
    """In the README's order, so that the record that one writes is what the next one reads."""
    from tests.table.desk import Desk

    desk = Desk(place / "state" / "stationmaster")
    desk.start("red", "blue", "green")
    desk.close()
    commands = [c for c in FENCED if c not in ELSEWHERE and c != "./run"]
    assert len(commands) == 5
    for command in commands:
        line = command.replace(".venv/", f"{ROOT}/.venv/")
        done = subprocess.run(
            line, shell=True, cwd=place, env=_environment(place), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        if " see " in command:
            assert json.loads(done.stdout)["photo"] == "PHOTO.jpg"
        if " print " in command:
            assert (place / "hellrail-a4.pdf").read_bytes().startswith(b"%PDF")
        if " simulate " in command:
            assert json.loads(done.stdout)["games"] == 100
