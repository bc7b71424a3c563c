"""The configuration as a form: the keys that owners change, and what was typed read back into it.

What a key is for, what it can be, and what is wrong with it is asked of the types, as everywhere.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

import msgspec

from companion import games
from companion.config import Config, ConfigFault
from companion.config.amend import at
from companion.config.check import Where, bare
from companion.config.text import default
from companion.upkeep import Field
from firmware_bridge.press import PLACES

RUN = ("game", "pack", "table", "camera", "learn", "pins")
"""The keys of [run] that a page has, besides the port. The others are of use to who sits at the machine."""

PORT = ("run", "port")

BUTTONS = ("confirm", "undo", "next", "buzzer")
AT_A_PLACE = ("button", "lamp")
LINE = ("controller", "line")
PLAIN = ("none", "auto", "emulated")

_LABELS = {
    "game": "Game",
    "pack": "Cards",
    "table": "How the table is seen",
    "camera": "Camera",
    "learn": "Keep pictures of misread dice",
    "pins": "The Pi's own pins",
    "port": "Port",
    "confirm": "Confirm",
    "undo": "Undo",
    "next": "Next",
    "buzzer": "Buzzer",
    "line": "Controller",
}


class Found(msgspec.Struct, frozen=True):
    """What is plugged in now, by the names that the configuration has for it."""

    cameras: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


def keys() -> Iterator[Where]:
    """All keys that the form has, in its order."""
    yield from (("run", key) for key in RUN)
    yield from (("pins", key) for key in BUTTONS)
    for place in range(1, PLACES + 1):
        yield from (("pins", "seats", str(place), key) for key in AT_A_PLACE)
    yield from (LINE, PORT)


def fields(values: Mapping[str, Any], options: Mapping[str, str], found: Found) -> dict[str, Field]:
    """The form of a file with these values. `options` are what the command line says in their place."""
    return {field.name: field for where in keys() for field in [_field(where, values, options, found)]}


def changes(fields: Mapping[str, Field], typed: Mapping[str, str]) -> dict[Where, Any]:
    """What is to be written: each key whose field has been changed, None for one that is emptied.

    What is no number where one has to be stays a text, for the check to say so.
    """
    found: dict[Where, Any] = {}
    for name, field in fields.items():
        text = typed.get(name, field.value).strip()
        if text != field.value.strip():
            found[tuple(name.split("."))] = _read(text, number=field.number)
    return found


def told(
    fields: Mapping[str, Field], typed: Mapping[str, str], faults: Iterable[ConfigFault]
) -> tuple[dict[str, Field], tuple[str, ...]]:
    """The fields with what was typed and what is wrong with it; those faults that belong to none of them."""
    wrong: dict[str, list[str]] = {}
    others = []
    for fault in faults:
        words = f"{fault.words} {fault.cure}".rstrip()
        name = ".".join(fault.where)
        if name in fields:
            wrong.setdefault(name, []).append(words)
        else:
            others.append(f"Line {fault.line}: {words}" if fault.line else words)
    return {
        name: msgspec.structs.replace(
            field, value=typed.get(name, field.value), fault=" ".join(wrong.get(name, ()))
        )
        for name, field in fields.items()
    }, tuple(others)


def _field(where: Where, values: Mapping[str, Any], options: Mapping[str, str], found: Found) -> Field:
    key, name = where[-1], ".".join(where)
    info = _info(where)
    kind, said = bare(info.type)
    usual = default(info)
    given = at(values, where)
    value = _text(usual if given is None else given)
    place = where[2] if where[:2] == ("pins", "seats") else ""
    return Field(
        name,
        f"{key.capitalize()} of place {place}" if place else _LABELS[key],
        "" if where == ("run", "game") else said.description or "",
        value,
        choices=_choices(where, kind, value, found, usual),
        number=kind is int,
        option=options.get(name, ""),
    )


def _info(where: Where) -> msgspec.structs.FieldInfo:
    """What the type says of that key."""
    kind: Any = Config
    for name in where:
        if typing.get_origin(kind) is dict:
            kind = bare(typing.get_args(kind)[1])[0]
            continue
        info = next(field for field in msgspec.structs.fields(kind) if field.encode_name == name)
        kind, _ = bare(info.type)
    return info


def _choices(where: Where, kind: Any, value: str, found: Found, usual: Any) -> tuple[tuple[str, str], ...]:
    titles: Mapping[str, str] = {}
    first: list[tuple[str, str]] = []
    if where == ("run", "game"):
        known = list(games.NAMES)
        titles = {name: games.load(name).title for name in known}
    elif typing.get_origin(kind) is Literal:
        known = [str(one) for one in typing.get_args(kind)]
        first = [("", "not set")] if usual is None else []
    elif where == ("run", "camera"):
        known, first = ["auto", "picamera2", *found.cameras], [("", "not set")]
    elif where == LINE:
        known = [*PLAIN, *found.lines]
    else:
        return ()
    if value and value not in known:
        known.append(value)
    return tuple(first + [(one, titles.get(one, one)) for one in known])


def _text(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else str(value)


def _read(text: str, *, number: bool) -> Any:
    if not text:
        return None
    plain = text.removeprefix("-")
    return int(text) if number and plain.isascii() and plain.isdecimal() and len(plain) < 10 else text
