"""What phones and the emulated table draw of a running game, and what a card is, in words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.games.drawing import Drawing, Placed, Shape, rectangle
from companion.games.game import About, Mark, Stop
from companion.games.hachi_train.cards import KINDS, is_special, ranks_of, special_of
from companion.games.hachi_train.drawings.cards import asset_card, car_card, card_back
from companion.games.hachi_train.drawings.sheet import table_sheet, under_mark
from companion.games.hachi_train.drawings.signs import BRASS, COPPER, coin, colour, frame, index, light
from companion.games.hachi_train.pack import Assets, Pack, car
from companion.games.hachi_train.state import BACK, FRONT, State
from companion.games.hachi_train.table import (
    ASSET,
    BACK_SIDE,
    CAR,
    DECK,
    UNDER,
    deck_place,
    table_map,
    tokens,
)
from companion.games.layout import UNKNOWN, Piece


def drawing(state: State, kind: str, name: str) -> Drawing:
    """A piece of the layout from above, unturned, of those that are alike one by its own name.

    KeyError when there is none of that kind and name.
    """
    if kind == BACK_SIDE:
        return card_back()
    if kind == UNDER and name in map(str, range(1, DECK + 1)):
        return under_mark(int(name))
    for token in tokens():
        if token.kind == kind and name in (token.name, token.alike):
            return car_card(token) if kind == CAR else asset_card(token)
    raise KeyError(f"{kind} {name}")


def sheet(state: State) -> Drawing:
    """What is printed on the table."""
    return table_sheet(table_map(state))


def sketches(state: State) -> Mapping[str, Drawing]:
    """Cars, assets, and the draw deck's cards and marks, as a small screen shows them."""
    return _sketches()


@cache
def _sketches() -> Mapping[str, Drawing]:
    return {
        **{f"{CAR}:{kind}": _car(kind) for kind in KINDS},
        f"{ASSET}:{FRONT}": _coins(2, BRASS),
        f"{ASSET}:{BACK}": _coins(1, COPPER),
        f"{BACK_SIDE}:{UNKNOWN}": card_back(),
        **{f"{UNDER}:{at}": under_mark(at) for at in range(1, DECK + 1)},
    }


def _car(kind: str) -> Drawing:
    """A car as a phone shows it, 34 x 46 mm: nothing but its rank or ranks."""
    wide, high = 34.0, 46.0
    ranks = ranks_of(kind)
    corner = index(ranks)
    return Drawing(
        wide,
        high,
        (
            rectangle(0, 0, wide, high, light(colour(ranks[0]))),
            rectangle(0, high / 2, wide, high / 2, light(colour(ranks[-1]))),
            *frame(wide, high, tuple(map(colour, ranks))),
            Placed(corner, (wide / 2, high / 2)),
        ),
    )


def _coins(count: int, metal: str) -> Drawing:
    """An asset card as a phone shows it, 34 x 46 mm."""
    wide, high = 34.0, 46.0
    shapes: list[Shape] = [rectangle(0, 0, wide, high, light(metal, 0.72)), *frame(wide, high, (metal,))]
    for at in range(count):
        shapes += coin((wide / 2, high / 2 + 18.5 * (at - (count - 1) / 2)), 9.0, metal)
    return Drawing(wide, high, tuple(shapes))


def counters(state: State) -> tuple[Piece, ...]:
    """None: all that lies there has a marker."""
    return ()


def marks(state: State) -> tuple[Mark, ...]:
    """How many cards are in the draw deck."""
    return (Mark(deck_place(1), str(len(state.deck))),) if state.deck else ()


def stops(state: State) -> tuple[Stop, ...]:
    """None: the places do not lie in one row."""
    return ()


def about(state: State, pack: Pack, kind: str, name: str) -> About:
    """A kind of car ("card": in a hand), or a side of the asset card; KeyError where there is none."""
    if kind == ASSET and name in (str(FRONT), str(BACK)):
        return About(pack.assets.title, _side(pack.assets, name), (("Worth", f"${name} million"),))
    if kind not in (CAR, "card"):
        raise KeyError(f"{kind} {name}")
    found, ranks = car(pack, name), ranks_of(name)
    facts = [("Rank", " or ".join(map(str, ranks)))]
    if not is_special(name):
        facts.append(("Goes with", f"special car {special_of(ranks[0])}"))
    return About(found.title, found.words, tuple(facts), name, f"{CAR}:{name}")


def _side(assets: Assets, side: str) -> str:
    return assets.front if side == str(FRONT) else assets.back
