"""Cards that an owner enters and counts: a pack to begin with, one card at a time, also while a game runs.

A game may begin with cards that nobody has counted, and with cards that are not entered. They lie in
their piles as UNKNOWN ones. What is turned up is named, so a card has to be entered before it can be
turned up: what was played before rests on none that the game did not know.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.games.rail_raiders_infinite.machine import waiting
from companion.games.rail_raiders_infinite.packs.pack import (
    COUNTED,
    PARTS,
    Pack,
    edition,
    pack_faults,
    whole,
)
from companion.games.rail_raiders_infinite.packs.pack_faults import (
    MIDDLE_CARS,
    RAIDERS,
    SIZE,
    car_faults,
    card_faults,
    faults,
)
from companion.games.rail_raiders_infinite.state import DECKS, CarCard, Card, Edition, State, all_copies


class Counts(Struct, frozen=True, forbid_unknown_fields=True):
    """How many copies of each card are in the owner's box: of the deck `name`, or of the "raiders".

    0 is a card that is not in it; a card is left out while nobody has counted it.
    """

    name: str
    copies: dict[str, int]


class EnterRaider(Struct, frozen=True, tag_field="kind", tag="raiders", forbid_unknown_fields=True):
    """A Raider card as it is printed."""

    card: Card


class EnterHighNoon(Struct, frozen=True, tag_field="kind", tag="high_noon", forbid_unknown_fields=True):
    """A High Noon card as it is printed."""

    card: Card


class EnterLongArm(Struct, frozen=True, tag_field="kind", tag="long_arm", forbid_unknown_fields=True):
    """A Long Arm card as it is printed."""

    card: Card


class EnterLoot(Struct, frozen=True, tag_field="kind", tag="loot", forbid_unknown_fields=True):
    """A Loot card as it is printed."""

    card: Card


class EnterCar(Struct, frozen=True, tag_field="kind", tag="cars", forbid_unknown_fields=True):
    """A train car as it is printed."""

    card: CarCard


class EnterCounts(Struct, frozen=True, tag_field="kind", tag="counts", forbid_unknown_fields=True):
    """The counted copies of a whole deck."""

    card: Counts


Entry = EnterRaider | EnterHighNoon | EnterLongArm | EnterLoot | EnterCar | EnterCounts

ENTRIES: dict[str, Any] = {
    "raiders": EnterRaider,
    "high_noon": EnterHighNoon,
    "long_arm": EnterLongArm,
    "loot": EnterLoot,
    "cars": EnterCar,
}
"""How a card of each list of a pack is entered."""


def begin(pattern: Pack) -> Pack:
    """An owner's pack with the known cards of the pattern, none of them counted, and the train's ends."""
    ends = (
        CarCard("caboose", "Caboose", end="caboose"),
        CarCard("locomotive", "Locomotive", end="locomotive"),
    )
    return replace(pattern, name="owner", title="Rail Raiders Infinite, my own cards", cars=ends)


def present(pack: Pack, kind: str, name: str) -> Entry:
    """The card as the pack has it, a blank one where it has none of that name; the counts of a deck.

    ValueError when there is no such kind, or no card can be named so.
    """
    if kind == "counts" and name in COUNTED:
        return EnterCounts(_counts(pack, name))
    if kind not in ENTRIES or not re.fullmatch("[a-z0-9_-]+", name):
        raise ValueError(f"The pack '{pack.name}' has no card '{kind} {name}'.")
    blank = CarCard(name) if kind == "cars" else Card(name, kind="score" if kind == "loot" else "")
    found = next((card for card in getattr(pack, kind) if card.name == name), blank)
    return ENTRIES[kind](found)  # type: ignore[no-any-return]


def _counts(pack: Pack, part: str) -> Counts:
    absent = pack.absent.get(part, ())
    counted = {card.name: card.copies for card in getattr(pack, part) if card.copies}
    return Counts(part, counted | dict.fromkeys(absent, 0))


def put(pack: Pack, entry: Entry) -> Pack:
    """The pack with this card entered, or with these counts; ValueError naming each fault."""
    if found := entry_faults(entry):
        raise ValueError(" ".join(found))
    if isinstance(entry, EnterCounts):
        changed = _counted(pack, entry.card)
    else:
        kind, card = kind_of(entry), entry.card
        changed = replace(pack, **{kind: _with_card(getattr(pack, kind), card)})
        absent = {
            part: tuple(n for n in names if (part, n) != (kind, card.name))
            for part, names in pack.absent.items()
        }
        changed = replace(changed, absent={part: names for part, names in absent.items() if names})
    if wrong := pack_faults(changed):
        raise ValueError(" ".join(map(_sentence, wrong)))
    return changed


def _with_card(cards: tuple[Any, ...], card: Any) -> tuple[Any, ...]:
    """The cards with this one in the place of the one of its name, or at the end."""
    if any(old.name == card.name for old in cards):
        return tuple(card if old.name == card.name else old for old in cards)
    return (*cards, card)


def _counted(pack: Pack, counts: Counts) -> Pack:
    part, given = counts.name, counts.copies
    known = {card.name for card in getattr(pack, part)}
    if strange := sorted(set(given) - known):
        raise ValueError(f"The pack '{pack.name}' has no card '{strange[0]}' to be counted.")
    cards = tuple(
        replace(card, copies=given.get(card.name, 0) * (part in DECKS)) for card in getattr(pack, part)
    )
    absent = tuple(card.name for card in cards if given.get(card.name) == 0)
    others = {other: names for other, names in pack.absent.items() if other != part}
    return replace(pack, absent=others | ({part: absent} if absent else {}), **{part: cards})


def entry_faults(entry: Entry) -> list[str]:
    """What is wrong with the card and what is left out, each in a sentence for people."""
    if isinstance(entry, EnterCounts):
        wrong = sorted(name for name, copies in entry.card.copies.items() if not 0 <= copies <= SIZE)
        return [f"Copies are 0 to {SIZE}, not {entry.card.copies[name]} of {name}." for name in wrong]
    kind, card = kind_of(entry), entry.card
    found = car_faults(card, "$") if isinstance(card, CarCard) else card_faults(card, kind, "$")
    said = [_sentence(fault) for fault in found]
    return said if card.title else ["Still to be entered: the title.", *said]


def _sentence(fault: str) -> str:
    return fault.rpartition(" - at `")[0].removesuffix(".") + "."


def kind_of(entry: Entry) -> str:
    """The list of the pack that the entry belongs to; "counts" for counts."""
    return str(entry.__struct_config__.tag)


# -- while a game runs --------------------------------------------------------------------------------


def known(state: State, entry: Entry) -> bool:
    """Whether the running game has this already, or has no room for it: what it knows stays as it is.

    A game in which every card of that kind is counted and entered has room for no other.
    """
    cards = state.edition
    if isinstance(entry, EnterCounts):
        part = entry.card.name
        names = {card.name for card in getattr(cards, part)}
        counts = _in_box(entry.card)
        return (
            part not in DECKS
            or not counts
            or not set(counts) <= names
            or counts.items() <= _copies(cards, part).items()
        )
    kind, name = kind_of(entry), entry.card.name
    return name in {card.name for card in getattr(cards, kind)} or not _has_room(cards, kind)


def _in_box(counts: Counts) -> dict[str, int]:
    return {name: copies for name, copies in counts.copies.items() if copies}


def _copies(cards: Edition, part: str) -> dict[str, int]:
    return {card.name: card.copies for card in getattr(cards, part)}


def _has_room(cards: Edition, kind: str) -> bool:
    """Whether a card of that kind may turn up that the edition does not know."""
    if kind == "raiders":
        return len(cards.raiders) != RAIDERS
    if kind == "cars":
        return sum(not car.end for car in cards.cars) < MIDDLE_CARS
    return len(all_copies(cards, kind)) < SIZE


def enter(state: State, entry: Entry) -> State:
    """The state with this entered; ValueError when it cannot be: known already, or faulty.

    Piles that still lie as they were set up have the card in them, all others have it among what is
    UNKNOWN in them.
    """
    if known(state, entry):
        raise ValueError(f"{entry.card.name} is known already, and stays as it is in this game.")
    old = state.edition
    if isinstance(entry, EnterCounts):
        part, counts = entry.card.name, _in_box(entry.card)
        cards = tuple(replace(card, copies=counts.get(card.name, card.copies)) for card in getattr(old, part))
    else:
        part, cards = kind_of(entry), (*getattr(old, kind_of(entry)), entry.card)
    new = replace(old, **{part: cards})
    if found := faults(new):
        raise ValueError(" ".join(map(_sentence, found)))
    return replace(state, edition=new, **_piles(state, new, part))


def _piles(state: State, new: Edition, part: str) -> dict[str, tuple[str, ...]]:
    """The pile of that part as it is set up from the new edition, if it still lies as it was set up."""
    if part == "raiders":
        names = tuple(card.name for card in state.edition.raiders)
        return {"raiders": tuple(card.name for card in new.raiders)} if state.raiders == names else {}
    pile = "box" if part == "cars" else part
    return {pile: whole(new, part)} if getattr(state, pile) == whole(state.edition, part) else {}


def unlisted(state: State) -> str:
    """Of which kind the card is that is named now and may be one that nobody has entered; "" for none."""
    job = waiting(state)
    if job is None or job.do not in ("turn_up", "pick_raider", "look"):
        return ""
    kind = {"pick_raider": "raiders", "look": "loot"}.get(job.do, job.card)
    return kind if kind in PARTS and _has_room(state.edition, kind) else ""


def to_enter(pack: Pack) -> str:
    """What is not entered or counted yet, as part of a sentence; "" when all is."""
    cards = edition(pack)
    gaps = []
    if (more := RAIDERS - len(cards.raiders)) > 0:
        gaps.append(f"{more} Raiders")
    for deck in DECKS:
        if more := SIZE - len(all_copies(cards, deck)):
            gaps.append(f"{more} {deck.replace('_', ' ').title()} cards")
    middle = Counter(car.end for car in cards.cars)[""]
    if more := MIDDLE_CARS - middle:
        gaps.append(f"{more} train cars")
    return ", ".join(gaps)
