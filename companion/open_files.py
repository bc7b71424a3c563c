"""Which programs hold a file, a device or a line open, as far as the kernel lets this user know."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

PROC = Path("/proc")


def holders(is_it: Callable[[str, Path], bool], proc: Path = PROC) -> tuple[str, ...]:
    """The other programs that hold what `is_it` knows: "motion (process 1234)", in the order of their names.

    It is asked with what each open file is a link to, and with where the kernel says more of that file.
    """
    return tuple(sorted(_name(process) for process in _others(proc) if _has(process, is_it)))


def users(file: str, proc: Path = PROC) -> tuple[str, ...]:
    """The other programs that hold this file or device open."""
    true = os.path.realpath(file)
    return holders(lambda held, _: held == true, proc)


def _others(proc: Path) -> list[Path]:
    return [process for process in proc.glob("[0-9]*") if process.name != str(os.getpid())]


def _has(process: Path, is_it: Callable[[str, Path], bool]) -> bool:
    try:
        files = list((process / "fd").iterdir())
    except OSError:
        return False  # it has ended, or is somebody else's
    return any(is_it(_target(file), process / "fdinfo" / file.name) for file in files)


def _target(file: Path) -> str:
    try:
        return os.readlink(file)
    except OSError:
        return ""  # closed meanwhile


def _name(process: Path) -> str:
    try:
        name = (process / "comm").read_text("utf-8", "replace").strip()
    except OSError:
        name = "a program that has just ended"
    return f"{name} (process {process.name})"
