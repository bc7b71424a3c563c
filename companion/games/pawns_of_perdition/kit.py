"""Pawns of Perdition's print kit: board, pawns to fold up, prayer cards, counters for skipped turns."""

from __future__ import annotations

from companion.games.drawing import Circle, Drawing, rectangle
from companion.games.kit import BACKS, CUT, FOLDED, TILES, Batch, Faces, Item, folded
from companion.games.layout import Token
from companion.games.pawns_of_perdition.drawing import (
    PAWNS,
    board_sheet,
    card_back,
    pawn_cap,
    prayer_card,
    skip_counter,
)
from companion.games.pawns_of_perdition.pack import Pack
from companion.games.pawns_of_perdition.rules import setup
from companion.games.pawns_of_perdition.state import SEATS
from companion.games.pawns_of_perdition.table import table_map

_SKIPS = 10


def kit(pack: Pack) -> tuple[Batch, ...]:
    """All that a table needs besides dice, scissors and glue; sins in the order of the default options."""
    table = table_map(setup(SEATS, pack, {}))
    pawns = tuple(Item(folded(pawn_cap(token), _faces(token)), around=True) for token in table.tokens)
    cards = tuple(Item(prayer_card(card), card.copies) for card in pack.cards)
    return (
        Batch("Prayer cards", BACKS, cards, back=card_back()),
        Batch("Pawns", FOLDED, pawns),
        Batch("Counters for turns to miss", CUT, (Item(skip_counter(), _SKIPS, around=True),)),
        Batch("The board", TILES, (Item(board_sheet(table)),), whole=True),
    )


def _faces(token: Token) -> Faces:
    """Four sides alike: a pawn looks the same to everybody."""
    side = pawn_cap(token).width
    middle, colour = side / 2, PAWNS[token.name]
    face = Drawing(
        side,
        token.height,
        (
            rectangle(0, 0, side, token.height, colour),
            *(Circle((middle + x, token.height / 2), 1.6, "#ffffff", "#2a2430", 0.4) for x in (-3.2, 3.2)),
            *(Circle((middle + x, token.height / 2 + 0.4), 0.7, "#2a2430") for x in (-3.0, 3.4)),
        ),
    )
    return Faces(face, face, face, face)
