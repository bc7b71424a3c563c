"""The cards of Rail Raiders Infinite as drawings: the three decks, Raiders, and their backs."""

from __future__ import annotations

from functools import lru_cache

from companion.games.drawing import Circle, Drawing, Shape, line, marked, on_circle, paragraph, rectangle
from companion.games.layout import Point, Token
from companion.games.rail_raiders_infinite.drawings.cars import RIM
from companion.games.rail_raiders_infinite.drawings.signs import (
    BRASS,
    INK,
    NIGHT,
    PAPER,
    PINE,
    RUST,
    SAND,
    badge,
    outlaw,
    sack,
    shooting_star,
    star,
    sun,
)
from companion.games.rail_raiders_infinite.state import HIGH_NOON, LONG_ARM, LOOT, Card
from companion.games.rail_raiders_infinite.table import CARD

_GROUNDS = {HIGH_NOON: ("#f7dfa6", RUST), LONG_ARM: ("#dfe5ee", NIGHT), LOOT: ("#e4ecd6", PINE)}
_LASTS = {"turn": "Until the turn ends", "round": "Until the round ends", "kept": "Stays in force"}
_USES = {"turn": "Use up in your turn", "opponent": "Use up in another's turn", "action": "Use up: an action"}


@lru_cache(maxsize=256)
def deck_card(card: Card, deck: str, token: Token | None = None) -> Drawing:
    """A card of a deck, 63 x 88 mm: its title and what it does, and its marker if it has one."""
    wide, high = CARD
    ground, dark = _GROUNDS[deck]
    shapes: list[Shape] = [
        rectangle(0, 0, wide, high, ground),
        rectangle(1.6, 1.6, wide - 3.2, high - 3.2, "", dark, 0.9, radius=2.4),
    ]
    if token is not None:
        shapes += marked(token.id, (wide / 2 + token.at[0], high / 2 + token.at[1]), token.side, RIM)
    else:
        shapes += [Circle((15.0, 15.5), 11.5, PAPER, dark, 0.8), *_sign(deck, (15.0, 15.5), 8.5)]
    title = card.title or card.name.replace("_", " ").title()
    shapes += [
        *paragraph(title, "title", 8.6, dark, (28.6, 5.0, wide - 32.6, 22.0)),
        line(((4.5, 30.0), (wide - 4.5, 30.0)), dark, 0.6),
        *(paragraph(card.words, "text", 5.6, INK, (5.5, 32.0, wide - 11, 37.0)) if card.words else ()),
        rectangle(1.6, 73.0, wide - 3.2, 13.4, dark, radius=2.4),
        Circle((10.0, 79.7), 5.2, PAPER),
        *_sign(deck, (10.0, 79.7), 4.2),
        *paragraph(_foot(card, deck), "title", 5.6, PAPER, (17.0, 74.0, wide - 21.0, 11.4)),
    ]
    return Drawing(wide, high, tuple(shapes))


@lru_cache(maxsize=16)
def raider_card(card: Card) -> Drawing:
    """A Raider's card, 63 x 88 mm, on which its model stands while it is Off the Train."""
    wide, high = CARD
    return Drawing(
        wide,
        high,
        (
            rectangle(0, 0, wide, high, SAND),
            rectangle(1.6, 1.6, wide - 3.2, high - 3.2, "", RUST, 0.9, radius=2.4),
            *paragraph(card.title or card.name, "title", 10.0, RUST, (5, 4.0, wide - 10, 11.0)),
            rectangle(5, 16.5, wide - 10, 33.0, NIGHT, radius=2.0),
            *shooting_star((48.0, 26.0), 12.0, BRASS),
            *(
                star(at, 0.8, 5, PAPER, PAPER, 0.1)
                for at in ((11.0, 21.0), (15.5, 38.0), (53.0, 41.0), (43.0, 20.0))
            ),
            *outlaw((wide / 2, 34.5), 29.0, RUST),
            *(paragraph(card.words, "text", 5.4, INK, (5.5, 51.0, wide - 11, 33.0)) if card.words else ()),
        ),
    )


@lru_cache(maxsize=4)
def back(deck: str = "") -> Drawing:
    """The back of a deck's cards, 63 x 88 mm; of any deck when none is named."""
    wide, high = CARD
    middle = (wide / 2, high / 2)
    dark = _GROUNDS[deck][1] if deck else NIGHT
    shapes: list[Shape] = [
        rectangle(0, 0, wide, high, dark),
        rectangle(3.0, 3.0, wide - 6, high - 6, "", BRASS, 0.8, radius=2.4),
    ]
    shapes += [
        line((on_circle(middle, 21.0, turn), on_circle(middle, 25.0, turn)), BRASS, 1.0)
        for turn in range(0, 360, 15)
    ]
    shapes += [Circle(middle, 20.0, PAPER, BRASS, 1.4), *_sign(deck, middle, 14.0)]
    return Drawing(wide, high, tuple(shapes))


def _sign(deck: str, middle: Point, radius: float) -> tuple[Shape, ...]:
    if deck == HIGH_NOON:
        return sun(middle, radius)
    if deck == LOOT:
        return sack(middle, 1.7 * radius)
    return badge("deputy", middle, radius, NIGHT)


def _foot(card: Card, deck: str) -> str:
    """What sort of card it is, in a few words."""
    if card.grit:
        return "Grit: beside the car"
    if deck == LOOT:
        kind = "Score it" if card.kind == "score" else card.kind.title()
        return f"{kind}. {_USES[card.use]}." if card.use else kind
    return _LASTS.get(card.lasts, "At once")
