"""The Actions of HellRail, one class each."""

from __future__ import annotations

from msgspec import Struct

from companion.games.game import Action, Rolled, Shuffled
from companion.games.hellrail.track import Cell, Position


class Rammed(Struct, frozen=True, order=True, gc=False, forbid_unknown_fields=True):
    """An opponent's engine that was pushed, and where it ends; None when it derailed."""

    seat: str
    to: Position | None = None


class PlaceCircle(Action, frozen=True, tag="place_circle"):
    """A Circle Card is laid on a cell, where the set-up leaves that to the players."""

    seat: str
    circle: str
    cell: Cell


class LayRail(Action, frozen=True, tag="lay_rail"):
    """Lay New Rail: a card from the hand onto a blank cell, turned so many degrees clockwise."""

    seat: str
    card: str
    cell: Cell
    turn: int


class UpgradeRail(Action, frozen=True, tag="upgrade_rail"):
    """Upgrade Rail: a card from the hand over a Rail Card on the table."""

    seat: str
    card: str
    cell: Cell
    turn: int


class Pickup(Action, frozen=True, tag="pickup"):
    """Pickup a Car: a card from the hand becomes the last loaded car of the train."""

    seat: str
    card: str


class Setout(Action, frozen=True, tag="setout"):
    """Setout a Car: a loaded car is delivered, face down under the Engine Card."""

    seat: str
    card: str


class Move(Action, frozen=True, tag="move"):
    """Move: a card is discarded, and the engine goes on to `to`; None when it derails.

    `rammed` are the opponents' engines that are pushed on the way, sorted, with where each ends.
    """

    seat: str
    card: str
    to: Position | None
    rammed: tuple[Rammed, ...] = ()


class Cross(Action, frozen=True, tag="cross"):
    """A Move that goes on across blank squares with a Boatman Ticket, if the die allows it.

    The engine leaves `at` by `side`, straight on, for `to`: the first tie of the opposite card, or
    its Circle. `rammed` as in Move.
    """

    seat: str
    card: str
    at: Position
    side: str
    to: Position
    rammed: tuple[Rammed, ...] = ()


class Land(Action, frozen=True, tag="land"):
    """The engine comes down after crossing; what stood on its tie is pushed on to there."""

    seat: str
    rammed: tuple[Rammed, ...] = ()


class Fan(Action, frozen=True, tag="fan"):
    """Fan the Flames: a card is discarded, as many as its Brimstone Value are drawn, the turn ends."""

    seat: str
    card: str


class EndTurn(Action, frozen=True, tag="end_turn"):
    """Play passes to the player on the left."""

    seat: str


class Declare(Action, frozen=True, tag="declare"):
    """Whether the Circle's Effect is used: said on entering it, before any card action."""

    seat: str
    use: bool


class SpendChip(Action, frozen=True, tag="spend_chip"):
    """A Heresy Chip is discarded: what was declared is turned into its opposite."""

    seat: str


class KeepChip(Action, frozen=True, tag="keep_chip"):
    """What was declared may stand, as far as this seat's Heresy Chip goes."""

    seat: str


class Target(Action, frozen=True, tag="target"):
    """A step of a Circle's Effect: which player it is for; "opponents" where it is for all of them."""

    seat: str
    target: str


class TurnRail(Action, frozen=True, tag="turn_rail"):
    """A step of a Circle's Effect: a Rail Card on the table is turned to so many degrees."""

    seat: str
    cell: Cell
    turn: int


class ScrapRail(Action, frozen=True, tag="scrap_rail"):
    """A step of a Circle's Effect: a Rail Card leaves the table for the discard pile."""

    seat: str
    cell: Cell


class PutCounter(Action, frozen=True, tag="put_counter"):
    """A step of a Circle's Effect: a counter is put on a Rail Card."""

    seat: str
    cell: Cell
    counter: str


class TakeCounter(Action, frozen=True, tag="take_counter"):
    """A step of a Circle's Effect: a counter is taken off a Rail Card."""

    seat: str
    cell: Cell
    counter: str


class MoveEngine(Action, frozen=True, tag="move_engine"):
    """A step of a Circle's Effect: an engine is set somewhere else. That is no entering of a Circle."""

    seat: str
    target: str
    to: Position


class DiscardCard(Action, frozen=True, tag="discard_card"):
    """A step of a Circle's Effect: the seat discards a card from its hand."""

    seat: str
    card: str


class DrawCard(Action, frozen=True, tag="draw_card"):
    """While the table does what a Circle says: that player draws one card."""

    seat: str
    target: str


class Derail(Action, frozen=True, tag="derail"):
    """While the table does what a Circle says: that player derails."""

    seat: str
    target: str


class Gain(Action, frozen=True, tag="gain"):
    """While the table does what a Circle says: that player takes a chip or a ticket."""

    seat: str
    target: str
    what: str


class Done(Action, frozen=True, tag="done"):
    """A step of a Circle's Effect that may be left out is left out, or what the table does is done."""

    seat: str


HellRailAction = (
    Rolled
    | Shuffled
    | PlaceCircle
    | LayRail
    | UpgradeRail
    | Pickup
    | Setout
    | Move
    | Cross
    | Land
    | Fan
    | EndTurn
    | Declare
    | SpendChip
    | KeepChip
    | Target
    | TurnRail
    | ScrapRail
    | PutCounter
    | TakeCounter
    | MoveEngine
    | DiscardCard
    | DrawCard
    | Derail
    | Gain
    | Done
)
