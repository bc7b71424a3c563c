"""The Pack: one edition's Raiders, decks and train cars, read from TOML, checked, and written again.

An owner counts and enters the cards of the own box bit by bit. `missing` says what is left to do. A game
may begin before: a card whose copies nobody has counted may turn up, and so may one that is not entered.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct, ValidationError
from msgspec.toml import decode

from companion.games.layout import UNKNOWN
from companion.games.rail_raiders_infinite.packs.pack_faults import ENDS, MIDDLE_CARS, RAIDERS, SIZE, faults
from companion.games.rail_raiders_infinite.state import DECKS, CarCard, Card, Edition, all_copies
from companion.games.toml_text import lines, table, value

PARTS = ("raiders", *DECKS, "cars")
"""The lists of a pack."""

COUNTED = ("raiders", *DECKS)
"""Those of them of which cards are known that may not be in every box."""


class Pack(Struct, frozen=True, forbid_unknown_fields=True):
    """An edition, as a file has it. `copies` of 0 are not counted yet.

    `absent` names, list by list, the known cards that are not in the owner's box.
    """

    name: str
    title: str
    raiders: tuple[Card, ...]
    high_noon: tuple[Card, ...]
    long_arm: tuple[Card, ...]
    loot: tuple[Card, ...]
    cars: tuple[CarCard, ...]
    absent: dict[str, tuple[str, ...]] = {}


def load_pack(text: str) -> Pack:
    """The pack that the TOML text describes; ValueError naming each fault and the path to it."""
    try:
        pack = decode(text, type=Pack)
    except ValidationError as fault:
        raise ValueError(f"The pack cannot be read: {fault}") from fault
    except ValueError as fault:
        raise ValueError(f"The pack is not TOML: {fault}") from fault
    if found := pack_faults(pack):
        raise ValueError(f"The pack '{pack.name}' does not fit the rulebook: " + " ".join(found))
    return pack


def pack_faults(pack: Pack) -> list[str]:
    """Every fault of the pack, with the path to it."""
    found = list(faults(Edition(pack.name, *(getattr(pack, part) for part in PARTS))))
    for part, names in pack.absent.items():
        known = {card.name: card for card in getattr(pack, part)} if part in COUNTED else {}
        for name in names:
            if name not in known:
                found.append(f"There is no card '{name}' that could be absent - at `$.absent.{part}`.")
            elif known[name].copies:
                found.append(f"'{name}' is absent, so leave its copies out - at `$.absent.{part}`.")
    return found


def edition(pack: Pack) -> Edition:
    """The pack's cards as a State holds them: those that are in the box."""
    in_box = (
        tuple(card for card in getattr(pack, part) if card.name not in pack.absent.get(part, ()))
        for part in PARTS
    )
    return _one(Edition(pack.name, *in_box))


@lru_cache(maxsize=16)
def _one(cards: Edition) -> Edition:
    """One and the same object for editions that are alike: what is remembered of it is found at once then."""
    return cards


def whole(cards: Edition, part: str) -> tuple[str, ...]:
    """All cards of a deck, or all train cars between the ends; UNKNOWN ones while some are not known."""
    if part == "cars":
        known, size = tuple(car.name for car in cards.cars if not car.end), MIDDLE_CARS
    else:
        known, size = all_copies(cards, part), SIZE
    return known if len(known) == size else (UNKNOWN,) * size


def missing(pack: Pack) -> tuple[str, ...]:
    """What is left to be counted or entered until the whole box is known, a sentence each."""
    found: list[str] = []
    known = edition(pack)
    if len(known.raiders) < RAIDERS:
        found.append(f"Enter {RAIDERS - len(known.raiders)} more Raiders.")
    for deck in DECKS:
        cards = getattr(known, deck)
        title = deck.replace("_", " ").title()
        uncounted = [card.title or card.name for card in cards if not card.copies]
        count = sum(card.copies for card in cards)
        if uncounted:
            found.append(f"Count the copies of {len(uncounted)} {title} cards, {uncounted[0]} first.")
        elif count != SIZE:
            found.append(f"The {title} deck has {SIZE} cards, and {count} are entered.")
    return (*found, *needed(pack), *_cars_missing(known))


def needed(pack: Pack) -> tuple[str, ...]:
    """What no game can begin without, a sentence each: the train has both ends from the first moment."""
    known = edition(pack)
    return tuple(f"Enter the {end}." for end in ENDS if not any(car.end == end for car in known.cars))


def _cars_missing(known: Edition) -> tuple[str, ...]:
    middle = sum(not car.end for car in known.cars)
    return (f"Enter {MIDDLE_CARS - middle} more train cars.",) if middle < MIDDLE_CARS else ()


def to_toml(pack: Pack) -> str:
    """The pack as TOML text that `load_pack` reads as the same pack."""
    text = lines({"name": pack.name, "title": pack.title})
    empty = [part for part in PARTS if not getattr(pack, part)]
    text += [f"{part} = []" for part in empty]
    if pack.absent:
        text.append(f"absent = {value(pack.absent)}")
    for part in PARTS:
        for card in getattr(pack, part):
            text += ["", f"[[{part}]]", *lines(table(card))]
    return "\n".join(text) + "\n"
