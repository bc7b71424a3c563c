"""The plug is pulled at any moment: what was confirmed is there afterwards."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def _kill(folder: Path, kills: int, seed: int) -> None:
    command = [sys.executable, "-m", "tests.table.kill_player", str(folder), str(kills), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr


def test_two_hundred_kills_at_random_moments_of_a_running_game(tmp_path: Path) -> None:
    _kill(tmp_path / "state", 200, seed=1)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(2, 12))
def test_two_thousand_kills(tmp_path: Path, seed: int) -> None:
    _kill(tmp_path / "state", 200, seed)
