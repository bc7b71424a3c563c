"""The Pack: one edition's board and cards, read from TOML and checked."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct, ValidationError
from msgspec.toml import decode

from companion.games.pawns_of_perdition.options import SINS
from companion.games.pawns_of_perdition.state import CARDS, LAYER_LENGTH, LAYERS

COUNTS = {"safe": 19, "blessing": 10, "torment": 14, "draw": 12, "sin": 7, "escape": 1}
"""How many spaces of each kind the rulebook's Reference lists; Start is besides."""

DECK_SIZE = 30


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of prayer card: the rulebook's title, the edition's own words, how many there are."""

    kind: str
    title: str
    words: str
    copies: int = 2


class Layer(Struct, frozen=True, forbid_unknown_fields=True):
    """Nine spaces in the order in which the path takes them."""

    spaces: tuple[str, ...]


class Pack(Struct, frozen=True, forbid_unknown_fields=True):
    """An edition. `layers` go from Start to Escape; a Sin is "sin", or has the name printed there."""

    name: str
    title: str
    layers: tuple[Layer, ...]
    cards: tuple[Card, ...]


def load_pack(text: str) -> Pack:
    """The pack that the TOML text describes; ValueError naming each fault and the path to it."""
    try:
        pack = decode(text, type=Pack)
    except ValidationError as fault:
        raise ValueError(f"The pack cannot be read: {fault}") from fault
    except ValueError as fault:
        raise ValueError(f"The pack is not TOML: {fault}") from fault
    faults = [*_board_faults(pack), *_card_faults(pack)]
    if faults:
        raise ValueError(f"The pack '{pack.name}' does not fit the rulebook: " + " ".join(faults))
    return pack


def _board_faults(pack: Pack) -> list[str]:
    faults = []
    if len(pack.layers) != LAYERS:
        faults.append(f"There are {LAYERS} layers, not {len(pack.layers)} - at `$.layers`.")
    named = []
    counts: Counter[str] = Counter()
    for at, layer in enumerate(pack.layers):
        path = f"`$.layers[{at}].spaces`"
        if len(layer.spaces) != LAYER_LENGTH:
            faults.append(f"A layer has {LAYER_LENGTH} spaces, not {len(layer.spaces)} - at {path}.")
        kinds = ["sin" if space in SINS else space for space in layer.spaces]
        named += [space for space in layer.spaces if space in SINS]
        faults += [
            f"There is no space '{kind}', known are {', '.join(COUNTS)} and the sins' names "
            f"- at `$.layers[{at}].spaces[{place}]`."
            for place, kind in enumerate(kinds)
            if kind not in COUNTS
        ]
        if kinds.count("sin") != 1:
            faults.append(f"A layer has one sin, not {kinds.count('sin')} - at {path}.")
        counts.update(kinds)
    faults += [
        f"There are {count} spaces '{kind}' in all, not {counts[kind]} - at `$.layers`."
        for kind, count in COUNTS.items()
        if counts[kind] != count
    ]
    if pack.layers and pack.layers[-1].spaces[-1:] != ("escape",):
        faults.append("The last space of the last layer is 'escape' - at `$.layers`.")
    if named and len(set(named)) != LAYERS:
        faults.append("Name all seven sins once each, or write 'sin' for all of them - at `$.layers`.")
    return faults


def _card_faults(pack: Pack) -> list[str]:
    kinds = [card.kind for card in pack.cards]
    faults = [
        f"There is no card '{kind}', known are {', '.join(CARDS)} - at `$.cards[{at}].kind`."
        for at, kind in enumerate(kinds)
        if kind not in CARDS
    ]
    faults += [
        f"The card '{kind}' comes twice, give `copies` instead - at `$.cards[{at}].kind`."
        for at, kind in enumerate(kinds)
        if kind in kinds[:at]
    ]
    faults += [f"The card '{kind}' is missing - at `$.cards`." for kind in CARDS if kind not in kinds]
    faults += [
        f"A card has at least one copy, not {card.copies} - at `$.cards[{at}].copies`."
        for at, card in enumerate(pack.cards)
        if card.copies < 1
    ]
    total = sum(card.copies for card in pack.cards)
    if total != DECK_SIZE:
        faults.append(f"There are {DECK_SIZE} cards in all, not {total} - at `$.cards`.")
    return faults
