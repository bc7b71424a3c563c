"""Cards of 63 x 88 mm: cars, asset cards by their two sides, and the back of every car.

A card's rank is in its upper left corner, where a fanned hand shows it, and turned around in the lower
right. Below the rank is its marker, in the part that shows where cards overlap in a row.
"""

from __future__ import annotations

from functools import lru_cache

from companion.games.drawing import Circle, Drawing, Placed, Shape, Text, marked, paragraph, rectangle
from companion.games.hachi_train.cards import is_special, ranks_of, special_of
from companion.games.hachi_train.drawings.signs import (
    BRASS,
    COPPER,
    INDEX,
    INK,
    NIGHT,
    PAPER,
    coin,
    colour,
    frame,
    index,
    light,
    number,
    track,
    wagon,
)
from companion.games.hachi_train.pack import Assets, Car
from companion.games.hachi_train.state import BACK, FRONT
from companion.games.hachi_train.table import CARD
from companion.games.layout import Point, Token

RIM = 2.5
"""White around a card's marker (mm)."""

_CORNER = 3.0 + INDEX / 2  # a card's index from its edges
_RIGHT = 29.5  # where the part begins that overlapping cards hide
_METALS = {FRONT: BRASS, BACK: COPPER}


@lru_cache(maxsize=128)
def car_card(token: Token, car: Car | None = None) -> Drawing:
    """A train car or a special car, in the words of an edition if they are given."""
    wide, high = CARD
    ranks = ranks_of(token.alike)
    corner = index(ranks)
    shapes: list[Shape] = [
        rectangle(0, 0, wide, high, PAPER),
        *frame(wide, high, tuple(map(colour, ranks))),
        Placed(corner, (_CORNER, _CORNER)),
        Placed(corner, (wide - _CORNER, high - _CORNER), 180),
        *_marker(token),
        *_wagons(ranks),
        *_pairing(token.alike),
    ]
    if car is not None:
        shapes += paragraph(car.title, "title", 9.0, INK, (_RIGHT, 4.4, wide - _RIGHT - 4.0, 13.0))
        if car.words:
            shapes += paragraph(car.words, "text", 4.4, INK, (4.6, 55.0, wide - INDEX - 9.6, 20.0))
    return Drawing(wide, high, tuple(shapes))


def _marker(token: Token) -> tuple[Shape, ...]:
    at: Point = (CARD[0] / 2 + token.at[0], CARD[1] / 2 + token.at[1])
    return marked(token.id, at, token.side, RIM)


def _wagons(ranks: tuple[int, ...]) -> list[Shape]:
    if len(ranks) == 1:
        return wagon((44.6, 36.0), 26.0, 20.0, ranks[0])
    one, other = ranks
    return [*wagon((44.6, 27.0), 24.0, 14.5, one), *wagon((44.6, 45.0), 24.0, 14.5, other)]


def _pairing(card: str) -> tuple[Text, ...]:
    """What it may be played with besides its own kind, along the lower edge."""
    ranks = ranks_of(card)
    words = f"a {ranks[0]} or a {ranks[-1]}" if is_special(card) else f"goes with {special_of(ranks[0])}"
    return (Text(words, (5.0, CARD[1] - 5.4), 4.8, INK, anchor="start"),)


@lru_cache(maxsize=16)
def asset_card(token: Token, assets: Assets | None = None) -> Drawing:
    """A side of an asset card: a coin for each hundred million, gold in front and copper on the back."""
    wide, high = CARD
    worth = int(token.alike)
    metal = _METALS[worth]
    ground = light(metal, 0.72)
    shapes: list[Shape] = [
        rectangle(0, 0, wide, high, ground),
        *frame(wide, high, (metal,)),
        *_marker(token),
        number(str(worth), (_CORNER + 0.5, _CORNER), 10.5),
    ]
    coins = worth // BACK
    for at in range(coins):
        shapes += coin((45.0, 36.0 + 20.0 * (at - (coins - 1) / 2)), 10.5, metal)
    if assets is not None:
        words = assets.front if worth == FRONT else assets.back
        shapes += paragraph(assets.title, "title", 9.0, INK, (_RIGHT, 4.4, wide - _RIGHT - 4.0, 11.0))
        shapes += paragraph(words, "title", 10.0, INK, (5.0, 62.0, wide - 10.0, 20.0))
    return Drawing(wide, high, tuple(shapes))


@lru_cache(maxsize=1)
def card_back() -> Drawing:
    """The back of every car, the same when it is turned around: rails at night, and an eight."""
    wide, high = CARD
    middle = (wide / 2, high / 2)
    shapes: list[Shape] = [
        rectangle(0, 0, wide, high, NIGHT),
        *track(9.0, 5.0, 16.0, high - 10.0, light(NIGHT, 0.45), 6.0),
        *track(wide - 25.0, 5.0, 16.0, high - 10.0, light(NIGHT, 0.45), 6.0),
        rectangle(2.6, 2.6, wide - 5.2, high - 5.2, "", BRASS, 0.8, radius=2.4),
        Circle(middle, 18.0, NIGHT, BRASS, 1.4),
    ]
    shapes += [Circle((middle[0], middle[1] + off), 6.4, "", BRASS, 3.0) for off in (-6.4, 6.4)]
    return Drawing(wide, high, tuple(shapes))
