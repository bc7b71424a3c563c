"""The Pack: one edition's Rail Cards, Circles and set-ups, read from TOML, checked, and written again.

An owner enters cards one by one. What is left out of a card is not entered yet: `missing` lists it,
and the game asks for it when that card first turns up.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct, ValidationError
from msgspec.toml import decode

from companion.games.hellrail.pack_faults import faults
from companion.games.hellrail.state import CircleCard, Edition, RailCard, Step
from companion.games.hellrail.track import SIDES, Cell, Track
from companion.games.toml_text import lines, table, value


class RailEntry(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A Rail Card as the pack has it; a field with its default is not entered yet.

    `track` are the segments as two sides and the black ties between them: "NS4" is a straight with
    four. `shared` says how many ties, counted from a side, the segments that touch it have in common.
    """

    name: str
    value: int = 0
    pickup: str = ""
    setout: str = ""
    brimstone: int = 0
    track: tuple[str, ...] = ()
    shared: dict[str, int] = {}


class CircleEntry(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A Circle Card as the pack has it; without `words` its Effect is not entered yet."""

    name: str
    title: str = ""
    sides: str = SIDES
    words: str = ""
    steps: tuple[Step, ...] = ()


class Pack(Struct, frozen=True, forbid_unknown_fields=True):
    """An edition. `setups` are the cells of the ten Circles, by the set-up's name and the Circle's."""

    name: str
    title: str
    setups: dict[str, dict[str, Cell]]
    rails: tuple[RailEntry, ...]
    circles: tuple[CircleEntry, ...]


class Gap(Struct, frozen=True):
    """What is not entered yet of one card: `kind` is "rail" or "circle", `fields` are those left out."""

    kind: str
    name: str
    fields: tuple[str, ...]


def load_pack(text: str) -> Pack:
    """The pack that the TOML text describes; ValueError naming each fault and the path to it."""
    try:
        pack = decode(text, type=Pack)
    except ValidationError as fault:
        raise ValueError(f"The pack cannot be read: {fault}") from fault
    except ValueError as fault:
        raise ValueError(f"The pack is not TOML: {fault}") from fault
    return _checked(pack)


def edition(pack: Pack) -> Edition:
    """The pack's cards as a State holds them. What is not entered is 0, "" or no rail there too."""
    return _one(Edition(pack.name, tuple(map(card_of, pack.rails)), tuple(map(circle_of, pack.circles))))


@lru_cache(maxsize=16)
def _one(cards: Edition) -> Edition:
    """One and the same object for editions that are alike: what is remembered of it is found at once then."""
    return cards


def card_of(entry: RailEntry) -> RailCard:
    """A Rail Card as a State holds it."""
    return RailCard(entry.name, entry.value, entry.pickup, entry.setout, entry.brimstone, _track(entry))


def circle_of(entry: CircleEntry) -> CircleCard:
    """A Circle Card as a State holds it."""
    return CircleCard(entry.name, entry.title, entry.sides, entry.words, entry.steps)


def entries(cards: Edition) -> Pack:
    """The cards of an edition as a pack has them, with no set-ups."""
    return Pack(
        cards.name,
        cards.name,
        {},
        tuple(
            RailEntry(
                card.name,
                card.value,
                card.pickup,
                card.setout,
                card.brimstone,
                card.track.segments,
                {side: count for side, count in zip(SIDES, card.track.shared, strict=True) if count},
            )
            for card in cards.rails
        ),
        tuple(
            CircleEntry(circle.name, circle.title, circle.sides, circle.words, circle.steps)
            for circle in cards.circles
        ),
    )


def missing(pack: Pack) -> tuple[Gap, ...]:
    """What the owner has not entered yet, in the order of the pack's cards."""
    gaps = [Gap("rail", card.name, left_out(card)) for card in pack.rails]
    gaps += [Gap("circle", circle.name, left_out(circle)) for circle in pack.circles]
    return tuple(gap for gap in gaps if gap.fields)


def left_out(card: RailEntry | CircleEntry) -> tuple[str, ...]:
    """The fields of a card that are not entered yet."""
    needed = (
        ("value", "pickup", "setout", "brimstone", "track") if isinstance(card, RailEntry) else ("words",)
    )
    return tuple(field for field in needed if not getattr(card, field))


def to_toml(pack: Pack) -> str:
    """The pack as TOML text that `load_pack` reads as the same pack."""
    text = [*lines({"name": pack.name, "title": pack.title}), "rails = ["]
    text += [f"    {value(card)}," for card in pack.rails]
    text.append("]")
    for setup, cells in pack.setups.items():
        text += ["", f"[setups.{setup}]", *lines(cells)]
    for circle in pack.circles:
        text += ["", "[[circles]]", *lines(table(circle))]
    return "\n".join(text) + "\n"


def _checked(pack: Pack) -> Pack:
    if found := faults(pack):
        raise ValueError(f"The pack '{pack.name}' does not fit the rulebook: " + " ".join(found))
    return pack


def _track(card: RailEntry) -> Track:
    return Track(
        tuple(sorted(card.track, key=lambda segment: tuple(map(SIDES.index, segment[:2])))),
        (
            card.shared.get("N", 0),
            card.shared.get("E", 0),
            card.shared.get("S", 0),
            card.shared.get("W", 0),
        ),
    )
