"""The end of the process, which comes in time also where the log itself hangs."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

BEGIN = """
import logging, sys, threading
from companion.stopping import leave, stopping

hung = threading.Event()

class Handler(logging.Handler):
    def emit(self, record):
        hung.set()
        threading.Event().wait()

    def flush(self):
        if FLUSHING:
            threading.Event().wait()

FLUSHING = False
handler = Handler()
logging.basicConfig(handlers=[handler])
"""

SOMEBODY_HOLDS_THE_LOG = """
with stopping() as stop:
    threading.Thread(target=logging.warning, args=("It hangs.",), daemon=True).start()
    hung.wait()
    print("on", flush=True)
    threading.Event().wait()
"""

THE_GUARD_ITSELF_HAS_TO_SAY_IT = """
with stopping() as stop:
    print("on", flush=True)
    threading.Event().wait()
"""

ALL_STOPPED_BUT_THE_LOG_IS_NOT_WRITTEN_OUT = """
FLUSHING = True
with stopping() as stop:
    print("on", flush=True)
    stop.wait()
    stop.status = 3
leave(stop.status)
"""

NO_THREAD_IS_TO_BE_HAD = """
def none(self):
    raise RuntimeError("can't start new thread")

with stopping() as stop:
    threading.Thread.start = none
    print("on", flush=True)
    threading.Event().wait()
"""


@pytest.mark.parametrize(
    ("program", "status"),
    [
        pytest.param(SOMEBODY_HOLDS_THE_LOG, 0, id="somebody holds the log"),
        pytest.param(THE_GUARD_ITSELF_HAS_TO_SAY_IT, 0, id="the guard itself has to say it"),
        pytest.param(ALL_STOPPED_BUT_THE_LOG_IS_NOT_WRITTEN_OUT, 3, id="all stopped"),
        pytest.param(NO_THREAD_IS_TO_BE_HAD, 0, id="no thread is to be had"),
    ],
)
def test_a_log_that_hangs_does_not_keep_the_process_from_its_end(program: str, status: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", BEGIN + program], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "on\n"
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == status
        finally:
            process.kill()


def test_what_hangs_is_told_before_the_process_is_ended() -> None:
    program = """
import logging, threading
from companion.stopping import stopping

logging.basicConfig()
threading.Thread(target=threading.Event().wait, name="the one that hangs").start()
with stopping():
    print("on", flush=True)
    threading.Event().wait()
"""
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            assert process.stdout.readline() == "on\n"
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
            assert "the one that hangs" in process.stderr.read()
        finally:
            process.kill()
