"""The print kit of Rail Raiders Infinite: cards, cars, models, counters, dice, and the sheet."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.kit import (
    BACKS,
    CUT,
    FOLDED,
    TILES,
    TWO_SIDED,
    Batch,
    Item,
    corner_markers,
    folded,
    two_sided,
)
from companion.games.rail_raiders_infinite.drawings.cards import back, deck_card, raider_card
from companion.games.rail_raiders_infinite.drawings.cars import car_face, roof
from companion.games.rail_raiders_infinite.drawings.counters import dealer, dollar, loot_back, loot_token
from companion.games.rail_raiders_infinite.drawings.dice_faces import SIDES, dice_faces
from companion.games.rail_raiders_infinite.drawings.models import sides, top
from companion.games.rail_raiders_infinite.drawings.sheet import table_sheet
from companion.games.rail_raiders_infinite.packs.pack import Pack, edition
from companion.games.rail_raiders_infinite.state import DECKS, TOKENS, TURNED_UP, Edition
from companion.games.rail_raiders_infinite.table import bare_map, tokens_by_piece

_DOLLARS = {"1": 28, "5": 7, "10": 7}
_DICE = 20
"""How many dice there are. Rulebook, Components."""

_STICKERS = (
    "Print those of one size on label paper, for blank dice of 14, 16 or 18 mm. Stick one of each on a "
    "die: 9 opposite A, 10 opposite K, J opposite Q."
)


def kit(pack: Pack) -> tuple[Batch, ...]:
    """All that a table needs besides blank dice, scissors and glue; what is not counted yet is left out.

    ValueError when no card is entered.
    """
    cards = edition(pack)
    table = bare_map(cards)
    tokens = tokens_by_piece(cards)
    models = tuple(
        Item(folded(top(token), sides(token)), around=True)
        for token in table.tokens
        if token.kind in ("raider", "lawbot")
    )
    decks = tuple(
        Batch(deck.replace("_", " ").title(), BACKS, tuple(_copies(cards, deck)), back=back(deck))
        for deck in DECKS
    )
    cars = tuple(Item(two_sided(car_face(card, tokens["car", card.name]), roof())) for card in cards.cars)
    raiders = tuple(Item(raider_card(card)) for card in cards.raiders)
    if not cars and not raiders and not any(batch.items for batch in decks):
        raise ValueError("No card of it is entered yet.")
    counters = (
        *(Item(two_sided(loot_token(worth), loot_back()), copies) for worth, copies in TOKENS.items()),
        *(Item(dollar(worth), copies, around=True) for worth, copies in _DOLLARS.items()),
        Item(dealer(), around=True),
    )
    batches = (
        *decks,
        Batch("Raiders", CUT, raiders),
        Batch("Train cars", TWO_SIDED, cars),
        Batch("Raiders and Lawbots to fold up", FOLDED, models),
        Batch("Loot tokens, double-dollars, the Dealer token", f"{TWO_SIDED} {CUT}", counters),
        Batch("Stickers for dice", _STICKERS, tuple(_stickers())),
        Batch("The sheet", TILES, (Item(table_sheet(cards)),), whole=True),
        corner_markers(table),
    )
    return tuple(batch for batch in batches if batch.items)


def _copies(cards: Edition, deck: str) -> Iterable[Item]:
    """The cards of a deck; where the camera is to read them each copy has its own marker."""
    tokens = tokens_by_piece(cards)
    for card in getattr(cards, deck):
        if deck not in TURNED_UP:
            if card.copies:
                yield Item(deck_card(card, deck), card.copies)
            continue
        for copy in range(1, card.copies + 1):
            name = card.name if card.copies == 1 else f"{card.name} {copy}"
            yield Item(deck_card(card, deck, tokens[deck, name][0]))


def _stickers() -> Iterable[Item]:
    return (Item(face, _DICE) for side in SIDES for face in dice_faces(side).values())
