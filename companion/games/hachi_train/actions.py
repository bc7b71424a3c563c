"""The Actions of Hachi Train, one class each.

Some of what they say is their player's alone: the places in a hand, and what an owner enters of it.
`hide_action` in `rules` takes that away.
"""

from __future__ import annotations

from companion.games.game import Action, Rolled, Shuffled

NOWHERE = -1
"""Stands for a place in a hand that is not told."""


class Lead(Action, frozen=True, tag="lead"):
    """Anybody says who leads the first match, where the players settle it (HT-A13)."""

    seat: str
    first: str


class Play(Action, frozen=True, tag="play"):
    """Cards are played as one rank: `cards` sorted, each a train car of it or a special car that may be.

    `places` are where in the hand they were, from 0 at its holder's left; none where that is not told.
    """

    seat: str
    rank: int
    cards: tuple[str, ...]
    places: tuple[int, ...] = ()


class Pass(Action, frozen=True, tag="pass"):
    """The turn is passed, and a special car is drawn if there is one."""

    seat: str


class KeepHand(Action, frozen=True, tag="keep_hand"):
    """From now on the player keeps the own hand here: what it holds, and in which order."""

    seat: str


class ForgetHand(Action, frozen=True, tag="forget_hand"):
    """The player keeps the hand here no more, and what was kept of it is forgotten."""

    seat: str


class EnterCard(Action, frozen=True, tag="enter_card"):
    """What the first card from the left is of those that are not known in the player's own hand."""

    seat: str
    card: str


class PutIn(Action, frozen=True, tag="put_in"):
    """Where the next card that was taken or drawn went: so many cards of the hand are to its left."""

    seat: str
    place: int


HachiAction = Rolled | Shuffled | Lead | Play | Pass | KeepHand | ForgetHand | EnterCard | PutIn
