"""The rules are pure: they play with clock, chance, files, threads, network and log all blocked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.games import NAMES

ROOT = Path(__file__).parents[2]


def under_blockade(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(Path(__file__).with_name("purity.py")), *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


def test_every_game_plays_under_the_blockade() -> None:
    done = under_blockade()
    assert done.stderr == ""
    assert done.stdout == f"{400 * len(NAMES)} actions\n"


@pytest.mark.parametrize(
    "code",
    [
        "import time",
        "from random import choice",
        "import logging.handlers",
        "open('/dev/null')",
        "print('hello')",
        # What another module has already loaded is blocked as well.
        "import sys; sys.modules['time'].monotonic()",
        "import sys; sys.modules['random'].Random(1)",
        "import sys; sys.modules['threading'].Thread()",
        "import sys; sys.modules['socket'].socket()",
        "import sys; sys.modules['os'].urandom(1)",
        "import sys; sys.modules['logging'].getLogger('x').warning('hello')",
    ],
)
def test_the_blockade_holds(code: str) -> None:
    done = under_blockade(code)
    assert done.returncode == 1
    assert "PermissionError" in done.stderr


def test_the_blockade_lets_pure_code_through() -> None:
    assert under_blockade("from functools import cache; import companion.games.layout").returncode == 0
