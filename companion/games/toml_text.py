"""Data as TOML text, so that an owner can read it and put it right by hand."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, to_builtins
from msgspec.json import encode


def lines(fields: Mapping[str, object]) -> list[str]:
    """A line for each field, in their order."""
    return [f"{name} = {value(found)}" for name, found in fields.items()]


def value(found: object) -> str:
    """A value in TOML: as in JSON, but for tables, and for DEL, which only TOML escapes."""
    if isinstance(found, Struct):
        return value(table(found))
    if isinstance(found, dict):
        return "{ " + ", ".join(lines(found)) + " }"
    if isinstance(found, tuple) and found and isinstance(found[0], Struct):
        return "[\n" + "".join(f"    {value(each)},\n" for each in found) + "]"
    return encode(found).decode().replace("\x7f", "\\u007f")


def table(entry: Struct) -> dict[str, object]:
    """The entry's fields in their order, without those that have their defaults: they omit them."""
    return {name: getattr(entry, name) for name in to_builtins(entry)}
