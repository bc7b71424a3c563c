"""What the journal reads: each line with its level, and nothing of that anywhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
START = "import sys; from companion.command import main; sys.exit(main())"

CODE = """
import logging
from companion.journald import begin_log
begin_log()
log = logging.getLogger("table")
log.info("all is well")
log.warning("careful")
try:
    1 / 0
except ZeroDivisionError:
    log.exception("bad")
logging.getLogger("uvicorn.error").info("chatter")
import threading
thread = threading.Thread(target=lambda: {}["lost"], name="eyes")
thread.start()
thread.join()
raise OSError("the end")
"""


def said(folder: Path, *words: str, journal: bool) -> list[str]:
    """What a process says to stderr, where that is the journal's stream or is not."""
    with (folder / "stderr").open("wb") as stream:
        place = os.fstat(stream.fileno())
        environment = {**os.environ, "JOURNAL_STREAM": f"{place.st_dev}:{place.st_ino if journal else 1}"}
        subprocess.run([sys.executable, *words], cwd=ROOT, env=environment, stderr=stream, check=False)
    return (folder / "stderr").read_text().splitlines()


def test_each_line_has_its_level_in_the_journal(tmp_path: Path) -> None:
    lines = said(tmp_path, "-c", CODE, journal=True)
    assert lines[:3] == ["<6>table: all is well", "<4>table: careful", "<3>table: bad"]
    assert "<3>ZeroDivisionError: division by zero" in lines
    assert "<3>companion.journald: Nobody caught this in eyes:" in lines
    assert "<3>KeyError: 'lost'" in lines
    assert lines[-1] == "<3>OSError: the end"
    assert all(line.startswith("<3>") for line in lines[2:])


def test_elsewhere_there_are_words_alone(tmp_path: Path) -> None:
    lines = said(tmp_path, "-c", CODE, journal=False)
    assert lines[:2] == ["table: careful", "table: bad"]
    assert not any("<" in line[:1] for line in lines)


@pytest.mark.parametrize(("journal", "mark"), [(True, "<3>"), (False, "")])
def test_a_bad_configuration_is_an_error_in_the_journal(tmp_path: Path, journal: bool, mark: str) -> None:
    file = tmp_path / "x.toml"
    file.write_text("[run]\nprot = 80\nport = -1\n")
    lines = said(tmp_path, "-c", START, "run", "--config", str(file), journal=journal)
    assert len(lines) == 2
    assert all(line.startswith(f"{mark}stationmaster: {file}, line ") for line in lines)
