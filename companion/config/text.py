"""A configuration as text: the whole file with every key explained, and the reference in the docs.

Both are made from the types, so that no key can be missing in them.
"""

from __future__ import annotations

import inspect
import textwrap
import typing
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo

from companion.config import Config
from companion.config.check import TEXT, Where, bare, is_section, wanted
from companion.config.example import EXAMPLE
from companion.games.toml_text import value

_HEAD = """\
What Stationmaster uses at this table. A key that is left out, or has a # before it, has its default.
That is what stands after the #; where the default is nothing, an example stands there.
Look over a change with: stationmaster config --check FILE"""
_WIDTH = 100


def printed(config: Config) -> str:
    """A complete file: every key with what it is for, those that have their defaults behind a #."""
    rows = [*_remark(_HEAD), ""]
    for field in msgspec.structs.fields(Config):
        rows += _section(getattr(config, field.name), getattr(EXAMPLE, field.name), field, ())
    return "\n".join(rows).rstrip() + "\n"


def reference() -> str:
    """All sections and keys as tables in Markdown."""
    rows: list[str] = []
    for field in msgspec.structs.fields(Config):
        rows += _tables(field, ())
    return "\n".join(rows).rstrip() + "\n"


def _section(found: Any, example: Any, field: FieldInfo, where: Where) -> Iterator[str]:
    """A section that is not in use is whole behind a #, its heading as well."""
    kind, numbered = _kind(field)
    place = (*where, field.encode_name)
    yield from _remark(_about(field, kind))
    if not numbered:
        yield from _keys(found, example, kind, place)
        return
    first = next(iter(example.items()))
    for number, entry in (found or {first[0]: None}).items():
        yield from _keys(entry, first[1], kind, (*place, str(number)))


def _keys(found: Any, example: Any, kind: type[Struct], where: Where) -> Iterator[str]:
    yield f"{'# ' if found is None else ''}[{'.'.join(where)}]"
    fields = msgspec.structs.fields(kind)
    for field in fields:
        if not is_section(field.type):
            yield ""
            yield from _remark(_explained(field))
            usual = default(field)
            given = usual if found is None else getattr(found, field.name)
            if given == usual:
                shown = getattr(example, field.name) if usual is None else usual
                yield f"# {field.encode_name} = {value(shown)}"
            else:
                yield f"{field.encode_name} = {value(given)}"
    yield ""
    for field in fields:
        if is_section(field.type):
            inside = None if found is None else getattr(found, field.name)
            yield from _section(inside, getattr(example, field.name), field, where)


def _tables(field: FieldInfo, where: Where) -> Iterator[str]:
    kind, numbered = _kind(field)
    place = (*where, field.encode_name, *(("N",) if numbered else ()))
    yield from (f"### `[{'.'.join(place)}]`", "", _about(field, kind), "")
    yield from ("| key | what | default |", "| --- | --- | --- |")
    fields = msgspec.structs.fields(kind)
    for one in fields:
        if not is_section(one.type):
            usual = default(one)
            shown = "" if usual is None else f"`{value(usual)}`"
            yield f"| `{one.encode_name}` | {_explained(one)} | {shown} |"
    yield ""
    for one in fields:
        if is_section(one.type):
            yield from _tables(one, place)


def _kind(field: FieldInfo) -> tuple[type[Struct], bool]:
    """What a section is made of, and whether it is many, each with a number."""
    kind, _ = bare(field.type)
    if isinstance(kind, type):
        return kind, False
    return bare(typing.get_args(kind)[1])[0], True


def _about(field: FieldInfo, kind: type[Struct]) -> str:
    """What a section is, as its place says it, or else its type."""
    return bare(field.type)[1].description or " ".join((inspect.getdoc(kind) or "").split())


def _explained(field: FieldInfo) -> str:
    """What a key is for, and what can be its value where that is not said already."""
    _, said = bare(field.type)
    words = (said.description or "").rstrip(".") + "."
    wants = wanted(field.type)
    told = said.extra is not None or wants == TEXT
    return words if told else f"{words} {wants[:1].upper()}{wants[1:]}."


def default(field: FieldInfo) -> Any:
    """What the key is where no file says it, None where that is nothing or hangs on other keys."""
    if field.default_factory is not NODEFAULT:
        return typing.cast(Any, field.default_factory)()
    return None if field.default is NODEFAULT else field.default


def _remark(words: str) -> list[str]:
    return textwrap.wrap(" ".join(words.split()), _WIDTH, initial_indent="# ", subsequent_indent="# ")
