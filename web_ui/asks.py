"""From what a phone sends to a Request of the table.

A body is JSON (`{"id": …, "on": …, "ask": {…}}`) or a form. A form's button holds the ask in JSON,
and fields whose names are paths add to it: `name`, `options.windows`, `seats[]`,
`action.values[0]`. What is added to a list is a number if it looks like one, unless it stands in quotes.
So a page needs no script of its own to ask for anything.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from companion.messages import Asks, Request

LARGEST = 65536  # bytes of a body
_LIST = re.compile(r"(.*)\[\d*\]")
_OWN = ("id", "on", "ask", "page")
_DEEPEST = 4  # parts of a path before the last


class BadBody(ValueError):
    """A body that is no request; the text names the fault and the cure."""


class _Body(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    on: int
    ask: Asks


def from_json(body: bytes, person: str) -> Request:
    """The request in a JSON body; BadBody with the path to the fault."""
    try:
        read = msgspec.json.decode(body, type=_Body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise BadBody(
            f"The table cannot read this: {fault}. Load the page again, then try once more."
        ) from fault
    return _request(read, person)


def from_form(fields: Iterable[tuple[str, str]], person: str) -> Request:
    """The request in a form's fields; BadBody with the path to the fault."""
    fields = list(fields)
    own = {name: value for name, value in fields if name in _OWN}
    try:
        ask = msgspec.json.decode(own.get("ask", ""))
        if not isinstance(ask, dict):
            raise BadBody(
                "The table cannot read this: it asks for nothing. Load the page again, then try once more."
            )
        for name, value in fields:
            if name not in _OWN:
                _put(ask, name, value)
        # A browser without scripts makes no id; it cannot repeat a request by itself either.
        whole = {"id": own.get("id") or secrets.token_hex(16), "on": _number(own.get("on", "")), "ask": ask}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise BadBody(
            f"The table cannot read this: {fault}. Load the page again, then try once more."
        ) from fault
    return from_json(msgspec.json.encode(whole), person)


def _request(read: _Body, person: str) -> Request:
    if not 8 <= len(read.id) <= 64 or not read.id.isprintable():
        raise BadBody(
            "The table cannot read this: an id has 8 to 64 letters. Load the page again, then try once more."
        )
    if abs(read.on) >= 2**63:
        raise BadBody(
            "The table cannot read this: there is no such state. Load the page again, then try once more."
        )
    return Request(read.id, read.on, read.ask, person)


def _number(text: str) -> int | str:
    """A number where the text is one; the type check names the fault otherwise."""
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 20 else text


def _put(ask: dict[str, Any], path: str, value: str) -> None:
    """Put a field's value where its path leads: parts by dots; `[]` or `[0]` at the end adds to a list."""
    found = _LIST.fullmatch(path)
    *folders, last = (found[1] if found else path).split(".")
    if len(folders) > _DEEPEST:
        raise BadBody("The table cannot read this: a field lies too deep. Load the page again.")
    at: Any = ask
    for folder in folders:
        at = at.setdefault(folder, {}) if isinstance(at, dict) else None
    if not isinstance(at, dict):
        raise BadBody(f"The table cannot read this: nothing can be put at `{path}`. Load the page again.")
    if not found:
        at[last] = value
        return
    there = at.setdefault(last, [])
    if not isinstance(there, list):
        raise BadBody(f"The table cannot read this: nothing can be added at `{path}`. Load the page again.")
    quoted = len(value) > 1 and value[0] == value[-1] == '"'
    there.append(value[1:-1] if quoted else _number(value))
