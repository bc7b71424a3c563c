"""Cards that an owner enters: an edition to begin with, one card at a time, also while a game runs.

A card that is not entered yet may lie in a hand and be discarded like any other, but nothing is done
with what is printed on it. So a game that learns of it later has come to no other position.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from companion.games.hellrail.pack import CircleEntry, Pack, RailEntry, edition, entries, left_out, missing
from companion.games.hellrail.pack_faults import CIRCLES, RAIL_CARDS, circle_faults, rail_faults
from companion.games.hellrail.state import Circle, Edition, State
from companion.games.hellrail.track import Cell, Position


class EnterRail(Struct, frozen=True, tag_field="kind", tag="rail", forbid_unknown_fields=True):
    """A Rail Card as it is printed."""

    card: RailEntry


class EnterCircle(Struct, frozen=True, tag_field="kind", tag="circle", forbid_unknown_fields=True):
    """A Circle Card as it is printed."""

    card: CircleEntry


Entry = EnterRail | EnterCircle


def begin(pattern: Pack) -> Pack:
    """An owner's edition with nothing entered; the Circles lie as in the pattern's set-ups."""
    return Pack(
        "owner",
        "HellRail, my own cards",
        pattern.setups,
        tuple(RailEntry(f"r{number:02}") for number in range(1, RAIL_CARDS + 1)),
        tuple(CircleEntry(name) for name in CIRCLES),
    )


def present(pack: Pack, kind: str, name: str) -> Entry:
    """The card as the pack has it now; ValueError when it has no such card."""
    for rail in pack.rails if kind == "rail" else ():
        if rail.name == name:
            return EnterRail(rail)
    for circle in pack.circles if kind == "circle" else ():
        if circle.name == name:
            return EnterCircle(circle)
    raise ValueError(f"The pack '{pack.name}' has no card '{kind} {name}'.")


def put(pack: Pack, entry: Entry) -> Pack:
    """The pack with this card entered; ValueError naming each fault, also when something is left out."""
    card = present(pack, kind_of(entry), entry.card.name).card
    if found := entry_faults(entry):
        raise ValueError(" ".join(found))
    return replace(
        pack,
        rails=tuple(
            entry.card if old is card and isinstance(entry, EnterRail) else old for old in pack.rails
        ),
        circles=tuple(
            entry.card if old is card and isinstance(entry, EnterCircle) else old for old in pack.circles
        ),
    )


def entry_faults(entry: Entry) -> list[str]:
    """What is wrong with the card and what is left out, each in a sentence for people."""
    found = rail_faults(entry.card, "$") if isinstance(entry, EnterRail) else circle_faults(entry.card, "$")
    said = [fault.rpartition(" - at `")[0].removesuffix(".") + "." for fault in found]
    left = left_out(entry.card)
    return [f"Still to be entered: {', '.join(FIELDS[field] for field in left)}.", *said] if left else said


def known(state: State, entry: Entry) -> bool:
    """Whether the running game has that card entered already; ValueError when it has no such card."""
    return not left_out(present(entries(state.edition), kind_of(entry), entry.card.name).card)


def enter(state: State, entry: Entry) -> State:
    """The state with this card entered; ValueError when it cannot be: unknown, known already, faulty."""
    if known(state, entry):
        raise ValueError(f"The card {entry.card.name} is entered already, and stays as it is in this game.")
    return replace(state, edition=edition(put(entries(state.edition), entry)))


def kind_of(entry: Entry) -> str:
    """What sort of card it is: "rail" or "circle"."""
    return "rail" if isinstance(entry, EnterRail) else "circle"


FIELDS = {
    "value": "Car Value",
    "pickup": "Pickup Circle",
    "setout": "Setout Circle",
    "brimstone": "Brimstone Value",
    "track": "rail",
    "words": "Effect",
}
"""What people call the fields of an entry."""


@lru_cache(maxsize=64)
def lacking(cards: Edition) -> dict[str, tuple[str, ...]]:
    """The Rail Cards that are not entered yet, by name, with the fields that they lack."""
    return {gap.name: gap.fields for gap in missing(entries(cards)) if gap.kind == "rail"}


@lru_cache(maxsize=64)
def unknown_cells(cards: Edition, circles: tuple[Circle, ...]) -> frozenset[Cell]:
    """The cells of Circles that are not entered yet: nobody knows their sides and Effects."""
    names = {gap.name for gap in missing(entries(cards)) if gap.kind == "circle"}
    return frozenset(circle.cell for circle in circles if circle.name in names)


def unlisted(state: State) -> str:
    """No card can be named but by the names of all, entered or not."""
    return ""


def rests_on(state: State, places: Iterable[Position | None]) -> str:
    """The first Circle that is not entered yet among these places; "" when there is none."""
    unknown = unknown_cells(state.edition, state.circles)
    if not unknown:
        return ""
    cells = (place.cell for place in places if place is not None and place.in_circle)
    found = next((cell for cell in cells if cell in unknown), None)
    return next((circle.name for circle in state.circles if circle.cell == found), "")
