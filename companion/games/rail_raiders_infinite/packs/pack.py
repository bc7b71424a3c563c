"""The Pack: one edition's Raiders, decks and train cars, read from TOML and checked.

An owner counts and enters the cards of the own box bit by bit. What is not known yet is left out:
`missing` says what that is, and a game needs all of it.
"""

from __future__ import annotations

from msgspec import Struct, ValidationError
from msgspec.toml import decode

from companion.games.rail_raiders_infinite.packs.pack_faults import ENDS, MIDDLE_CARS, RAIDERS, SIZE, faults
from companion.games.rail_raiders_infinite.state import DECKS, CarCard, Card, Edition


class Pack(Struct, frozen=True, forbid_unknown_fields=True):
    """An edition, as a file has it. `copies` of 0 are not counted yet."""

    name: str
    title: str
    raiders: tuple[Card, ...]
    high_noon: tuple[Card, ...]
    long_arm: tuple[Card, ...]
    loot: tuple[Card, ...]
    cars: tuple[CarCard, ...]


def load_pack(text: str) -> Pack:
    """The pack that the TOML text describes; ValueError naming each fault and the path to it."""
    try:
        pack = decode(text, type=Pack)
    except ValidationError as fault:
        raise ValueError(f"The pack cannot be read: {fault}") from fault
    except ValueError as fault:
        raise ValueError(f"The pack is not TOML: {fault}") from fault
    if found := faults(edition(pack)):
        raise ValueError(f"The pack '{pack.name}' does not fit the rulebook: " + " ".join(found))
    return pack


def edition(pack: Pack) -> Edition:
    """The pack's cards as a State holds them."""
    return Edition(pack.name, pack.raiders, pack.high_noon, pack.long_arm, pack.loot, pack.cars)


def missing(pack: Pack) -> tuple[str, ...]:
    """What has to be counted or entered before the pack can be played, a sentence each."""
    found = []
    if len(pack.raiders) < RAIDERS:
        found.append(f"Enter {RAIDERS - len(pack.raiders)} more Raiders.")
    for deck in DECKS:
        cards = getattr(pack, deck)
        title = deck.replace("_", " ").title()
        uncounted = [card.title or card.name for card in cards if not card.copies]
        count = sum(card.copies for card in cards)
        if uncounted:
            found.append(f"Count the copies of {len(uncounted)} {title} cards, {uncounted[0]} first.")
        elif count != SIZE:
            found.append(f"The {title} deck has {SIZE} cards, and {count} are entered.")
    for end in ENDS:
        if not any(car.end == end for car in pack.cars):
            found.append(f"Enter the {end}.")
    middle = sum(not car.end for car in pack.cars)
    if middle < MIDDLE_CARS:
        found.append(f"Enter {MIDDLE_CARS - middle} more train cars.")
    return tuple(found)
