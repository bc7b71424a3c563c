"""Which programs hold lines of a GPIO chip, as far as the kernel lets this user know."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

# What a program has open for a line that it was given: gpio-line, gpio-linehandle or gpio-event.
_KIND = "anon_inode:gpio-"


def told_users(gpio: int, label: str = "", proc: Path = Path("/proc")) -> str:
    """Who has that line, in a sentence or two, "" when nothing is known of it.

    `label` is what its user told the kernel: a driver's name, or what a pin library says for all its
    programs. Those programs are found by what they hold open, where this user may look at them.
    """
    said = f"The kernel knows its user as '{label}'." if label else ""
    names = sorted(_name(process) for process in _holders(gpio, proc))
    if names:
        said += f" Programs that hold it, or other pins: {', '.join(names)}."
    return said.strip()


def _holders(gpio: int, proc: Path) -> Iterator[Path]:
    for process in proc.glob("[0-9]*"):
        if process.name == str(os.getpid()):
            continue
        try:
            files = [each for each in (process / "fd").iterdir() if _is_line(each)]
        except OSError:
            continue  # it has ended, or is somebody else's
        if any(_may_be(gpio, process / "fdinfo" / each.name) for each in files):
            yield process


def _is_line(file: Path) -> bool:
    try:
        return os.readlink(file).startswith(_KIND)
    except OSError:
        return False  # closed meanwhile


def _may_be(gpio: int, info: Path) -> bool:
    """Newer kernels say which lines an open file is; of older ones it may be any."""
    try:
        told = [line.split() for line in info.read_text().splitlines()]
    except OSError:
        return False
    lines = [words[1] for words in told if len(words) == 2 and words[0] == "gpio-line:"]
    return not lines or str(gpio) in lines


def _name(process: Path) -> str:
    try:
        name = (process / "comm").read_text().strip()
    except OSError:
        name = "a program that has just ended"
    return f"{name} (process {process.name})"
