"""HellRail's print kit: cards, engines to fold up, chips, tickets, counters, the sheet."""

from __future__ import annotations

from companion.games.hellrail.drawings.cards import card_back, circle_card, engine_cap, rail_card, table_sheet
from companion.games.hellrail.drawings.pieces import (
    barrier,
    boatman_ticket,
    coin,
    engine_card,
    engine_faces,
    heresy_chip,
)
from companion.games.hellrail.names import circle_name, listed
from companion.games.hellrail.pack import Pack, edition, missing
from companion.games.hellrail.state import CHIPS, SEATS, TICKETS
from companion.games.hellrail.table import bare_map
from companion.games.kit import BACKS, CUT, FOLDED, TILES, Batch, Item, corner_markers, folded

_COINS, _BARRIERS = 6, 4


def kit(pack: Pack) -> tuple[Batch, ...]:
    """All that a table needs besides a die, scissors and glue; cards that are not entered yet are left out.

    ValueError when no card is entered.
    """
    cards = edition(pack)
    gaps = {(gap.kind, gap.name) for gap in missing(pack)}
    table = bare_map(cards)
    height = next(token.height for token in table.tokens if token.kind == "engine")
    rails = tuple(
        Item(rail_card(cards, rail.name)) for rail in cards.rails if ("rail", rail.name) not in gaps
    )
    circles = tuple(
        Item(circle_card(cards, circle.name))
        for circle in cards.circles
        if ("circle", circle.name) not in gaps
    )
    if not rails and not circles:
        raise ValueError("No card of it is entered yet.")
    around = (
        *(Item(engine_card(seat)) for seat in SEATS),
        Item(heresy_chip(), CHIPS, around=True),
        Item(boatman_ticket(), TICKETS),
        Item(coin(), _COINS, around=True),
        Item(barrier(), _BARRIERS),
    )
    engines = tuple(
        Item(folded(engine_cap(cards, seat), engine_faces(seat, height)), around=True) for seat in SEATS
    )
    batches = (
        Batch("Rail Cards", BACKS, rails, back=card_back()),
        Batch("Circle Cards", CUT, circles),
        Batch("Engine Cards, chips, tickets, coins and barriers", CUT, around),
        Batch("Engines", FOLDED, engines),
        Batch("The sheet", TILES, (Item(table_sheet(cards)),), whole=True),
        corner_markers(table),
    )
    return tuple(batch for batch in batches if batch.items)


def to_enter(pack: Pack) -> str:
    """The cards that are not entered yet, as part of a sentence: "Rail Cards r07 and r12, the Gate"."""
    gaps = missing(pack)
    rails = tuple(gap.name for gap in gaps if gap.kind == "rail")
    circles = [circle_name(gap.name) for gap in gaps if gap.kind == "circle"]
    cards = [f"Rail Card{'s' if len(rails) > 1 else ''} {listed(rails)}"] if rails else []
    return ", ".join((*cards, *circles))
