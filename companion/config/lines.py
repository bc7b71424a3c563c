"""A configuration file as values, and the line that each of them stands on.

The standard library's reader gives values without their lines. Here it is asked again, for the
beginnings of the file: the first beginning that is whole and holds a key ends where that key's
statement ends. So no second reader of TOML can come to differ from the first, and what is
written in any way that TOML allows is found. Only a file with a fault is read so often.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from typing import Any

from msgspec import Struct

MOST = 20
"""Faults of writing that are told at once."""

_ASIDE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)$")
_NO_TOML = (ValueError, RecursionError)
"""What the reader raises; the second for brackets in brackets without end."""

_HEADER = re.compile(r"\s*\[")


class Misspelt(Struct, frozen=True):
    """A statement that is no TOML: the line that it begins on, from 1, and what is wrong with it.

    `open`: it goes on over further lines and is nowhere closed.
    """

    line: int
    words: str
    text: str
    open: bool


class Written(Struct, frozen=True):
    """What a file says: its values, and what of it could not be read and was left out."""

    values: dict[str, Any]
    misspelt: tuple[Misspelt, ...]
    text: str

    def line(self, path: tuple[str, ...]) -> int:
        """The line, from 1, of the statement that first names that key or section; 0 when none does."""
        before = 0
        for end, values in _beginnings(self.text):
            if _holds(values, path):
                return before + 1
            before = end
        return 0


@lru_cache(maxsize=1)
def _beginnings(text: str) -> list[tuple[int, dict[str, Any]]]:
    """Each beginning of the text that ends with a statement: how many lines it has, and its values."""
    rows = text.split("\n")
    found = ((end, _parsed("\n".join(rows[:end]))) for end in range(1, len(rows) + 1))
    return [(end, values) for end, values in found if values is not None]


def read(text: str) -> Written:
    """What the text says. What is no TOML is left out line by line, so that all of it is told at once."""
    rows = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    found: list[Misspelt] = []
    while True:
        try:
            return Written(tomllib.loads("\n".join(rows)), tuple(found), "\n".join(rows))
        except _NO_TOML as fault:
            words = str(fault)
        where = _ASIDE.search(words)
        last = int(where[1]) - 1 if where and where[1] else _last(rows)
        at = _first_bad(rows, last)
        found.append(Misspelt(at + 1, _ASIDE.sub("", words), rows[at].strip()[:60], last > at))
        # Nobody knows where what is nowhere closed was meant to end.
        end = len(rows) if last > at or len(found) == MOST else _end(rows, at)
        rows[at:end] = [""] * (end - at)


def _last(rows: list[str]) -> int:
    return max(number for number, row in enumerate(rows) if row.strip())


def _first_bad(rows: list[str], last: int) -> int:
    """The row on which the statement begins that cannot be read, `last` being where that is noticed."""
    at = last
    while _parsed("\n".join(rows[:at])) is None:
        at -= 1
    return at


def _end(rows: list[str], at: int) -> int:
    """Where what hangs on that row ends: keys below a section that cannot be read belong to no other."""
    if not _HEADER.match(rows[at]):
        return at + 1
    return next((row for row in range(at + 1, len(rows)) if _HEADER.match(rows[row])), len(rows))


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except _NO_TOML:
        return None


def _holds(values: object, path: tuple[str, ...]) -> bool:
    for name in path:
        if not isinstance(values, dict) or name not in values:
            return False
        values = values[name]
    return True
