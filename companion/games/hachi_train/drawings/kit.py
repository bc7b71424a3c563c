"""The print kit of Hachi Train: cars, asset cards, the sheet."""

from __future__ import annotations

from companion.games.hachi_train.drawings.cards import asset_card, car_card, card_back
from companion.games.hachi_train.drawings.sheet import table_sheet
from companion.games.hachi_train.pack import Pack, car
from companion.games.hachi_train.rules import setup
from companion.games.hachi_train.state import BACK, FRONT, SEATS
from companion.games.hachi_train.table import ASSET, CAR, table_map, tokens
from companion.games.kit import BACKS, TILES, TWO_SIDED, Batch, Item, corner_markers, two_sided
from companion.games.layout import Token


def kit(pack: Pack) -> tuple[Batch, ...]:
    """All that a table needs, in the words of the pack."""
    table = table_map(setup(SEATS, pack, {}))
    cars = tuple(Item(car_card(token, car(pack, token.alike))) for token in tokens() if token.kind == CAR)
    assets = tuple(
        Item(two_sided(asset_card(front, pack.assets), asset_card(back, pack.assets)))
        for front, back in zip(_sides(FRONT), _sides(BACK), strict=True)
    )
    return (
        Batch("Train cars and special cars", BACKS, cars, back=card_back()),
        Batch("Assets", TWO_SIDED, assets),
        Batch("The sheet", TILES, (Item(table_sheet(table)),), whole=True),
        corner_markers(table),
    )


def _sides(worth: int) -> list[Token]:
    return [token for token in tokens() if token.kind == ASSET and token.alike == str(worth)]
