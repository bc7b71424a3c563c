"""The Pack: what an edition calls its cars and assets, read from TOML and checked.

Which cards there are, and how many, is in the rulebook and so in `cards`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct, ValidationError
from msgspec.toml import decode

from companion.games.hachi_train.cards import KINDS


class Car(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of car by its name ("5", "3/4"): its title, and a few words about it."""

    name: str
    title: str
    words: str = ""


class Assets(Struct, frozen=True, forbid_unknown_fields=True):
    """The asset card: its title, and what its two sides show, the front first."""

    title: str
    front: str
    back: str


class Pack(Struct, frozen=True, forbid_unknown_fields=True):
    """An edition: one car for each kind of card, in any order, and the asset card."""

    name: str
    title: str
    assets: Assets
    cars: tuple[Car, ...]


def load_pack(text: str) -> Pack:
    """The pack that the TOML text describes; ValueError naming each fault and the path to it."""
    try:
        pack = decode(text, type=Pack)
    except ValidationError as fault:
        raise ValueError(f"The pack cannot be read: {fault}") from fault
    except ValueError as fault:
        raise ValueError(f"The pack is not TOML: {fault}") from fault
    if found := list(_faults(pack)):
        raise ValueError(f"The pack '{pack.name}' does not fit the rulebook: " + " ".join(found))
    return pack


@lru_cache(maxsize=16)
def car(pack: Pack, name: str) -> Car:
    """The car of that name; KeyError when there is none."""
    found = {each.name: each for each in pack.cars}
    return found[name]


def _faults(pack: Pack) -> Iterator[str]:
    names = [each.name for each in pack.cars]
    for at, name in enumerate(names):
        if name not in KINDS:
            yield f"There is no car '{name}', known are {', '.join(KINDS)} - at `$.cars[{at}].name`."
        elif name in names[:at]:
            yield f"The car '{name}' comes twice - at `$.cars[{at}].name`."
        if not pack.cars[at].title.strip():
            yield f"A car has a title - at `$.cars[{at}].title`."
    yield from (f"The car '{kind}' is missing - at `$.cars`." for kind in KINDS if kind not in names)
    for side in ("title", "front", "back"):
        if not getattr(pack.assets, side).strip():
            yield f"The asset card has words for each of its sides - at `$.assets.{side}`."
