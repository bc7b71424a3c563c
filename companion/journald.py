"""Words for systemd's journal: each line with its level, as sd-daemon(3) has it.

Where stderr goes to the journal, systemd says so by JOURNAL_STREAM: the device and inode of that stream.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from types import TracebackType
from typing import Literal, TextIO

_log = logging.getLogger(__name__)

_LEVELS = {"err": 3, "warning": 4, "info": 6, "debug": 7}


def in_journal(stream: TextIO | None = None) -> bool:
    """Whether what is written there, or else to stderr, is read by the journal."""
    told = os.environ.get("JOURNAL_STREAM", "")
    if not told:
        return False
    try:
        found = os.fstat((stream or sys.stderr).fileno())
    except (OSError, ValueError):  # closed, or no file at all
        return False
    return told == f"{found.st_dev}:{found.st_ino}"


def priority(level: Literal["err", "warning", "info", "debug"], stream: TextIO | None = None) -> str:
    """What a line begins with to have that level in the journal; "" where no journal reads it."""
    return f"<{_LEVELS[level]}>" if in_journal(stream) else ""


class _Lines(logging.Formatter):
    """Each line with its level, so that a traceback is not taken apart into lines of another one."""

    def format(self, record: logging.LogRecord) -> str:
        level: Literal["err", "warning", "info", "debug"] = (
            "err"
            if record.levelno >= logging.ERROR
            else "warning"
            if record.levelno >= logging.WARNING
            else "info"
            if record.levelno >= logging.INFO
            else "debug"
        )
        mark = priority(level)
        return "\n".join(f"{mark}{line}" for line in super().format(record).splitlines())


class _Stderr(logging.Handler):
    """Writes to what stderr is by then."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            print(self.format(record), file=sys.stderr, flush=True)
        except Exception:
            self.handleError(record)


def begin_log() -> None:
    """Have the log of all parts of this program written to stderr; the journal gets more of it.

    There, what nobody caught is an error as well: as bare lines it would count as chatter.
    """
    handler = _Stderr()
    handler.setFormatter(_Lines("%(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO if in_journal() else logging.WARNING, handlers=[handler])
    # The web server tells at this level what it does from moment to moment.
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    if in_journal():
        sys.excepthook = _uncaught
        threading.excepthook = _uncaught_in_a_thread


def _uncaught(kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
    _log.critical("Nobody caught this:", exc_info=(kind, fault, trace))


def _uncaught_in_a_thread(args: threading.ExceptHookArgs) -> None:
    name = args.thread.name if args.thread else "a thread"
    _log.critical("Nobody caught this in %s:", name, exc_info=args.exc_value)
