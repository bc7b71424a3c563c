"""Changes in the text of a configuration: some keys get other values, and all else stays as it was written.

tomlkit changes what is there, and keeps comments, order and blanks. What is new it puts at its section's end.
In a printed file that is behind the explanations of the sections that follow, so a key that stands there
behind a # gets its line below that one. And where a section's places stand elsewhere tomlkit loses comments
when a key is taken out, so a line of its own is simply left out. Whatever way is taken, what the text says
then is compared with what it has to say.
"""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable

from companion.config.check import Where
from companion.games.toml_text import value as shown

_HEADING = re.compile(r"\s*(# ?)?\[([A-Za-z0-9_.-]+)\]\s*(#.*)?")


def amended(text: str, changes: Mapping[Where, Any]) -> str:
    """The text with these values; None for a key that is to be left out.

    ValueError when the text is no TOML, or has something else where a section would have to be.
    """
    for where, value in changes.items():
        before = tomllib.loads(text)
        wanted = _with(before, where, value)
        if wanted != before:
            ways = (way for way in _ways(text, where, value) if _keeps(text, way, wanted))
            if (way := next(ways, None)) is None:
                raise ValueError(f"{'.'.join(where)} cannot be written into this text.")
            text = way
    return text


def at(values: Mapping[str, Any], where: Where) -> Any:
    """What stands there; None where nothing does."""
    found: Any = values
    for name in where:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def _with(values: dict[str, Any], where: Where, value: Any) -> dict[str, Any]:
    """A copy of the values with that one; ValueError where a section would have to be and is none."""
    if value is None and at(values, where) is None:
        return values
    whole = copy.deepcopy(values)
    inside = whole
    for name in where[:-1]:
        inside = inside.setdefault(name, {})
        if not isinstance(inside, dict):
            raise ValueError(f"{name} is no section.")
    if value is None:
        del inside[where[-1]]
    else:
        inside[where[-1]] = value
    return whole


def _filled(values: dict[str, Any]) -> dict[str, Any]:
    """The values without sections that have nothing in them: where a key stood alone they may go with it."""
    inside = {name: _filled(found) if isinstance(found, dict) else found for name, found in values.items()}
    return {name: found for name, found in inside.items() if found != {}}


def _keeps(text: str, way: str, wanted: dict[str, Any]) -> bool:
    """Whether the text, changed in this way, says what it has to say and has all its comments."""
    remarks = [
        [row.strip() for row in each.splitlines() if row.lstrip().startswith("#")] for each in (text, way)
    ]
    return remarks[0] == remarks[1] and _filled(tomllib.loads(way)) == _filled(wanted)


def _ways(text: str, where: Where, value: Any) -> Iterator[str]:
    values = tomllib.loads(text)
    if value is None:
        yield from _without_its_line(text, where)
    elif at(values, where) is None:
        there = at(values, where[:-1]) is not None
        yield from _below_its_mark(text, where, f"{where[-1]} = {shown(value)}", there)
    try:
        yield _by_tomlkit(text, where, value)
    except TOMLKitError as fault:
        raise ValueError(str(fault)) from fault


def _by_tomlkit(text: str, where: Where, value: Any) -> str:
    whole = tomlkit.parse(text)
    inside: Any = whole
    for name in where[:-1]:
        if name not in inside:
            inside[name] = tomlkit.inline_table() if isinstance(inside, InlineTable) else tomlkit.table()
        inside = inside[name]
    if value is None:
        del inside[where[-1]]
    else:
        inside[where[-1]] = value
    return tomlkit.dumps(whole)


def _below_its_mark(text: str, where: Where, line: str, there: bool) -> Iterator[str]:
    """The text with the line below the one that has the key behind a #, if there is such a one.

    Where the section is not `there`, its heading is behind a # too, and gets its line as well.
    """
    rows = text.splitlines(keepends=True)
    for heading, at in _lines_of(rows, where, marked=(not there, True)):
        ending = "\r\n" if rows[at].endswith("\r\n") else "\n"
        above = rows[: heading + 1] + ([] if there else [f"[{'.'.join(where[:-1])}]{ending}"])
        mark = rows[at].rstrip("\r\n") + ending
        yield "".join((*above, *rows[heading + 1 : at], mark, line + ending, *rows[at + 1 :]))


def _without_its_line(text: str, where: Where) -> Iterator[str]:
    rows = text.splitlines(keepends=True)
    for _, at in _lines_of(rows, where, marked=(False, False)):
        yield "".join((*rows[:at], *rows[at + 1 :]))


def _lines_of(rows: list[str], where: Where, marked: tuple[bool, bool]) -> Iterator[tuple[int, int]]:
    """Where a section's heading and the key stand, each behind a # or not."""
    inside = -1
    key = re.compile(rf"\s*{'# ?' if marked[1] else ''}{re.escape(where[-1])}\s*=")
    for at, row in enumerate(rows):
        if found := _HEADING.fullmatch(row.rstrip("\r\n")):
            is_it = found[2] == ".".join(where[:-1]) and bool(found[1]) == marked[0]
            inside = at if is_it else -1
        elif inside >= 0 and key.match(row):
            yield inside, at
