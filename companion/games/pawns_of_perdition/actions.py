"""The Actions of Pawns of Perdition, one class each."""

from __future__ import annotations

from companion.games.game import Action, Rolled, Shuffled


class Keep(Action, frozen=True, tag="keep"):
    """Cleansing Flame: the two dice of three that count, the lower first."""

    seat: str
    values: tuple[int, int]


class Move(Action, frozen=True, tag="move"):
    """The movement roll is carried out: the pawn goes forward and the space takes effect."""

    seat: str


class PlayCard(Action, frozen=True, tag="play_card"):
    """A prayer card is played; `target` is the seat it is played against, empty when it has none.

    Soul Conviction, the answer, needs no target: it cancels the card that awaits the answer.
    """

    seat: str
    card: str
    target: str = ""


class Accept(Action, frozen=True, tag="accept"):
    """The target of a card lets it happen."""

    seat: str


class Take(Action, frozen=True, tag="take"):
    """A card goes from `target` to `seat`: at random by Greed, chosen by Forced Exchange.

    `card` is UNKNOWN where the hand is not known, empty when Greed picks an empty hand.
    """

    seat: str
    target: str
    card: str


class Give(Action, frozen=True, tag="give"):
    """Lust: `seat` gives a card of its own choice to `target`; UNKNOWN where the hand is not known."""

    seat: str
    target: str
    card: str


class EndTurn(Action, frozen=True, tag="end_turn"):
    """The turn passes to the next player."""

    seat: str


class Pass(Action, frozen=True, tag="pass"):
    """Asked in turn for a card, the seat plays none."""

    seat: str


PawnsAction = Rolled | Shuffled | Keep | Move | PlayCard | Accept | Take | Give | EndTurn | Pass
