"""What is wrong with values that were read, by their types: every fault, each with its place and cure.

msgspec's own conversion stops at the first fault. Here each value is converted by itself, so what
a type allows is asked of msgspec alone.
"""

from __future__ import annotations

import difflib
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar, Union

import msgspec
from msgspec import Meta, Struct

from companion.games.toml_text import value

Where = tuple[str, ...]
"""The names that lead to a key: sections, then the key."""

TEXT = "a text in quotes"

T = TypeVar("T")


class Wrong(Struct, frozen=True):
    """What is wrong with the value there, and what has to be there instead. `missing`: nothing is there."""

    where: Where
    words: str
    cure: str
    missing: bool = False


def wrongs(values: object, kind: type[Struct]) -> list[Wrong]:
    """All that is wrong with these values for that type; nothing when `converted` takes them."""
    elsewhere: dict[str, Where] = {}
    for place, key in _keys(kind):
        elsewhere.setdefault(key, place)
    return list(_section(values, kind, (), elsewhere))


def converted(values: object, kind: type[T]) -> T:
    """The values as that type, once nothing is wrong with them. Numbers that are keys are texts in TOML."""
    return msgspec.convert(values, kind, strict=False)


def without(values: Mapping[str, Any], places: Sequence[Where]) -> dict[str, Any]:
    """The values but for what stands at those places."""
    return {
        name: without(given, [place[1:] for place in places if place[:1] == (name,)])
        if isinstance(given, dict)
        else given
        for name, given in values.items()
        if (name,) not in places
    }


def bare(annotation: Any) -> tuple[Any, Meta]:
    """The type without what is said about it and without None, which no file can hold, and what is said."""
    said: Meta | None = None
    while True:
        if typing.get_origin(annotation) is Annotated:
            annotation, *more = typing.get_args(annotation)
            said = said or next((meta for meta in more if isinstance(meta, Meta)), None)
        elif typing.get_origin(annotation) in (Union, types.UnionType):
            others = [one for one in typing.get_args(annotation) if one is not types.NoneType]
            if len(others) != 1:
                break
            (annotation,) = others
        else:
            break
    return annotation, said or Meta()


def wanted(annotation: Any) -> str:
    """What a value of that type is, in words."""
    kind, said = bare(annotation)
    if said.extra and "wanted" in said.extra:
        return str(said.extra["wanted"])
    if typing.get_origin(kind) is Literal:
        return _any_of([value(one) for one in typing.get_args(kind)])
    if kind is bool:
        return "true or false"
    if kind in (int, float):
        number = "a whole number" if kind is int else "a number"
        low = said.ge if said.gt is None else f"more than {said.gt}"
        if low is not None and said.le is not None:
            return f"{number} from {low} to {said.le}"
        return number if low is None else f"{number} from {low}"
    if typing.get_origin(kind) in (list, tuple):
        inner = typing.get_args(kind)[0]
        return f"a list in [brackets], each of it {wanted(inner)}"
    return TEXT


def is_section(annotation: Any) -> bool:
    """Whether what is of that type is a section of its own."""
    kind, _ = bare(annotation)
    return typing.get_origin(kind) in (dict, Mapping) or (isinstance(kind, type) and issubclass(kind, Struct))


def name_of(where: Where) -> str:
    """How people find that key in a file."""
    return where[-1] if len(where) == 1 else f"{where[-1]} in [{'.'.join(where[:-1])}]"


def _section(
    values: object, kind: type[Struct], where: Where, elsewhere: dict[str, Where]
) -> Iterator[Wrong]:
    if not isinstance(values, dict):
        yield Wrong(
            where, f"{name_of(where)} is {_shown(values)}.", f"Write it as a section: [{'.'.join(where)}]."
        )
        return
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    found = [
        Wrong(
            where,
            f"[{'.'.join(where)}] says no {name}.",
            f"Add a line {name} = …: {wanted(field.type)}.",
            missing=True,
        )
        for name, field in fields.items()
        if field.required and name not in values
    ]
    for name, given in values.items():
        if name in fields:
            found += _value(given, fields[name].type, (*where, name), elsewhere)
        else:
            found.append(_unknown(name, where, list(fields), elsewhere))
    if not found:
        found += _whole(values, kind, where)
    yield from found


def _value(given: object, annotation: Any, where: Where, elsewhere: dict[str, Where]) -> Iterator[Wrong]:
    kind, _ = bare(annotation)
    if isinstance(kind, type) and issubclass(kind, Struct):
        yield from _section(given, kind, where, elsewhere)
    elif typing.get_origin(kind) in (dict, Mapping):
        key, entry = typing.get_args(kind)
        yield from _entries(given, key, entry, where, elsewhere)
    else:
        try:
            msgspec.convert(given, annotation, strict=True)
        except msgspec.ValidationError:
            close = _close(given, typing.get_args(kind)) if typing.get_origin(kind) is Literal else ""
            cure = f"Write {wanted(annotation)}.{close}"
            yield Wrong(where, f"{name_of(where)} is {_shown(given)}.", cure)


def _entries(
    given: object, key: Any, entry: Any, where: Where, elsewhere: dict[str, Where]
) -> Iterator[Wrong]:
    """Sections of one kind that the owner numbers or names."""
    if not isinstance(given, dict):
        yield Wrong(where, f"{name_of(where)} is {_shown(given)}.", f"Write sections: [{'.'.join(where)}.…].")
        return
    for name, found in given.items():
        try:
            msgspec.convert(name, key, strict=False)
        except msgspec.ValidationError:
            cure = f"What follows {'.'.join(where)} has to be {wanted(key)}."
            yield Wrong((*where, name), f"There is no [{'.'.join((*where, name))}].", cure)
        else:
            yield from _value(found, entry, (*where, name), elsewhere)


def _whole(values: dict[str, Any], kind: type[Struct], where: Where) -> Iterator[Wrong]:
    """What the type itself has against values that are right one by one."""
    try:
        converted(values, kind)
    except msgspec.ValidationError as fault:
        words = str(fault).split(" - at `")[0]
        yield Wrong(where, f"[{'.'.join(where)}]: {words}", "")


def _unknown(name: str, where: Where, known: list[str], elsewhere: dict[str, Where]) -> Wrong:
    what = f"There is no {'key' if where else 'section'} {name_of((*where, name))}."
    if name in elsewhere and elsewhere[name] != where:
        return Wrong((*where, name), what, f"It belongs in [{'.'.join(elsewhere[name])}].")
    near = difflib.get_close_matches(name, known, 1)
    cure = f"Do you mean {near[0]}?" if near else f"Known ones: {', '.join(known)}."
    return Wrong((*where, name), what, cure)


def _keys(kind: type[Struct], where: Where = ()) -> Iterator[tuple[Where, str]]:
    """Each key that is told with the section that it belongs in."""
    for field in msgspec.structs.fields(kind):
        inner, _ = bare(field.type)
        if isinstance(inner, type) and issubclass(inner, Struct):
            yield from _keys(inner, (*where, field.encode_name))
        elif where and not is_section(field.type):
            yield where, field.encode_name


def _close(given: object, known: tuple[object, ...]) -> str:
    near = difflib.get_close_matches(str(given), [str(one) for one in known], 1)
    return f" Do you mean {value(near[0])}?" if near else ""


def _any_of(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _shown(given: object) -> str:
    try:
        shown = value(given)
    except TypeError:  # a date, say, which JSON does not have
        shown = str(given)
    return shown if len(shown) <= 60 else f"{shown[:57]}…"
