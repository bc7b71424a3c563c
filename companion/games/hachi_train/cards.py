"""The cards of Hachi Train: which there are, how often, and which of two plays is the more powerful.

Rulebook, Components; Setup; Which Card(s) Are More Powerful?
"""

from __future__ import annotations

from collections import Counter
from functools import cache

RANKS = (1, 2, 3, 4, 5, 6, 7, 8)

TRAINS = tuple(str(rank) for rank in RANKS)
"""The train cars, called by their rank."""

SPECIALS = ("1/2", "3/4", "5/6", "7/8")
"""The special cars, called by the two ranks of which each may be played as either."""

KINDS = (*TRAINS, *SPECIALS)

COPIES = 5
"""How many there are of each train car, before some are left out for the number of players."""

SPECIAL_COPIES = 2

HAND = 8
"""How many train cars are dealt to each player."""

LEFT_OUT = {3: 2, 4: 1, 5: 0}
"""How many of each rank stay out of the whole game (HT-A14), by the number of players."""

Power = tuple[int, int]
"""How powerful cards are: how many, then their rank (HT-A01)."""


@cache
def ranks_of(card: str) -> tuple[int, ...]:
    """The ranks as which a card may be played: one for a train car, two for a special one."""
    return tuple(map(int, card.split("/")))


@cache
def train_of(rank: int) -> str:
    """The train car of that rank."""
    return TRAINS[rank - 1]


@cache
def special_of(rank: int) -> str:
    """The special car that may be played as that rank."""
    return SPECIALS[(rank - 1) // 2]


def is_special(card: str) -> bool:
    """Whether it is a special car."""
    return card in SPECIALS


def specials_among(cards: tuple[str, ...]) -> int:
    """How many of these cards are special cars."""
    return sum(card in SPECIALS for card in cards)


@cache
def copies(players: int) -> Counter[str]:
    """How many of each kind are in a game of so many players. Not to be changed."""
    trains = COPIES - LEFT_OUT[players]
    return Counter({kind: SPECIAL_COPIES if kind in SPECIALS else trains for kind in KINDS})


@cache
def train_cars(players: int) -> tuple[str, ...]:
    """All train cars of a game of so many players, in order."""
    return tuple(card for card in TRAINS for _ in range(copies(players)[card]))


SPECIAL_CARS = tuple(card for card in SPECIALS for _ in range(SPECIAL_COPIES))
"""All special cars, in order: every game has them all."""


def beats(play: Power, field: Power) -> bool:
    """Whether a play is more powerful than the field: more copies, or as many of a higher rank.

    What is equal is not more powerful (HT-A02). On an empty field, which is (0, 0), anything may be played.
    """
    return play > field
