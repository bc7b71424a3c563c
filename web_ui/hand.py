"""The hand that a player keeps on the own phone, and what may be said of it, for that phone alone."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from companion.games.game import Choice, OwnHand, Prompt
from companion.games.layout import UNKNOWN
from companion.messages import MoveView, View


class Hand(Struct, frozen=True):
    """What a page shows of it, and hides behind its cover.

    `own` is None while it is not kept; `keep` begins with that, `forget` ends it. `keys` say what the first
    unknown card is, `gaps` where the next loose one went, from the left, and `plays` take cards of it. `slip`
    is what may be undone.
    """

    own: OwnHand | None = None
    keep: Choice | None = None
    forget: Choice | None = None
    keys: tuple[Choice, ...] = ()
    gaps: tuple[Choice, ...] = ()
    plays: tuple[Choice, ...] = ()
    slip: MoveView | None = None

    @property
    def unknown(self) -> int:
        """How many of its cards are not entered."""
        return (*self.own.cards, *self.own.loose).count(UNKNOWN) if self.own else 0

    @property
    def bare(self) -> bool:
        """Whether nothing of it is entered, so that what was taken is not known here either."""
        return self.own is not None and self.unknown == len(self.own.cards) + len(self.own.loose)

    @property
    def lit(self) -> frozenset[int]:
        """The places of cards that may be played."""
        return frozenset(at for choice in self.plays for at in choice.held or ())

    @property
    def whole(self) -> bool:
        """Whether all of it is known, so that a play that it lacks is a surprise."""
        return self.own is not None and not self.unknown and not self.own.loose


def parted(game: Any, view: View, prompt: Prompt) -> tuple[Hand, tuple[Choice, ...]]:
    """The own hand with its choices, and the choices that everybody may see over a shoulder."""
    keeping = game.keeping
    own: list[Choice] = []
    others: list[Choice] = []
    for choice in prompt.choices:
        tells = keeping is not None and (keeping.private(choice.action) or choice.held is not None)
        (own if tells else others).append(choice)
    rest = [choice for choice in own if choice.held is None and choice.gap is None and not choice.card]
    hand = Hand(
        own=prompt.own,
        keep=next((choice for choice in rest if prompt.own is None), None),
        forget=next((choice for choice in rest if prompt.own is not None), None),
        keys=tuple(choice for choice in own if choice.card),
        gaps=tuple(sorted((c for c in own if c.gap is not None), key=lambda choice: choice.gap or 0)),
        plays=tuple(choice for choice in own if choice.held is not None),
        slip=next((move for move in view.moves if move.own and move.seat == view.seat), None),
    )
    return hand, tuple(others)
