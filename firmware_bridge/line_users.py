"""Which programs hold lines of a GPIO chip, as far as the kernel lets this user know."""

from __future__ import annotations

from pathlib import Path

from companion.open_files import PROC, holders

# What a program has open for a line that it was given: gpio-line, gpio-linehandle or gpio-event.
_KIND = "anon_inode:gpio-"


def told_users(gpio: int, label: str = "", proc: Path = PROC) -> str:
    """Who has that line, in a sentence or two, "" when nothing is known of it.

    `label` is what its user told the kernel: a driver's name, or what a pin library says for all its
    programs. Those programs are found by what they hold open, where this user may look at them.
    """
    said = f"The kernel knows its user as '{label}'." if label else ""
    names = holders(lambda held, info: held.startswith(_KIND) and _may_be(gpio, info), proc)
    if names:
        said += f" Programs that hold it, or other pins: {', '.join(names)}."
    return said.strip()


def _may_be(gpio: int, info: Path) -> bool:
    """Newer kernels say which lines an open file is; of older ones it may be any."""
    try:
        told = [line.split() for line in info.read_text().splitlines()]
    except OSError:
        return False
    lines = [words[1] for words in told if len(words) == 2 and words[0] == "gpio-line:"]
    return not lines or str(gpio) in lines
