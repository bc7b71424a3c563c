"""Which actions may have brought pieces to where a camera saw them."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.hellrail.actions import (
    Cross,
    HellRailAction,
    LayRail,
    Move,
    PlaceCircle,
    TurnRail,
    UpgradeRail,
)
from companion.games.hellrail.piles import playable
from companion.games.hellrail.rails import rail_at
from companion.games.hellrail.rules import awaiting, legal
from companion.games.hellrail.state import CIRCLES, State, rail_cards
from companion.games.hellrail.table import engine_place, heading, lying
from companion.games.hellrail.track import Cell, Position
from companion.games.layout import Piece


def candidates(state: State, seat: str, pieces: tuple[Piece, ...]) -> Iterator[HellRailAction]:
    """The seat's legal actions that name one of the cards that were seen, or that play no card.

    Where only engines were seen, the Moves that lead one of them to where it stands: the card that
    was discarded for it may lie unseen. Of the turns in which a card's rail lies the same, the least.
    """
    cards = {piece.name for piece in pieces if piece.kind == "rail"}
    places = {piece.place for piece in pieces if piece.kind == "engine"}
    for card in sorted(cards):
        yield from (action for action in legal(state, seat, card) if _least(state, action))
    for action in legal(state, seat):
        if not hasattr(action, "card"):
            if _least(state, action):
                yield action
        elif not cards and isinstance(action, Move | Cross):
            ends = [action.to if isinstance(action, Move) else action.at, *(ram.to for ram in action.rammed)]
            if any(end and engine_place(end, state.circles) in places for end in ends):
                yield action


def _least(state: State, action: HellRailAction) -> bool:
    """Whether the action turns no card farther than it takes for its rail to lie so."""
    match action:
        case LayRail(_, card, _, turn) | UpgradeRail(_, card, _, turn):
            return turn == lying(state, card, turn)
        case TurnRail(_, cell, turn):
            return turn == lying(state, rail_at(state, cell).card, turn)
    return True


def meant(state: State, piece: Piece) -> HellRailAction | None:
    """The lay, upgrade or Move that putting that piece there would be, for the seat in turn."""
    kind, _, where = piece.place.partition(":")
    seats = awaiting(state).seats
    if not seats or not where:
        return None
    seat = seats[0]
    if kind == "cell":
        cell = _cell(where)
        if piece.kind == "circle":
            return PlaceCircle(seat, piece.name, cell) if state.phase == CIRCLES else None
        if any(rail.cell == cell for rail in state.rails):
            return UpgradeRail(seat, piece.name, cell, piece.turn)
        return LayRail(seat, piece.name, cell, piece.turn)
    cards = playable(state, state.seats.index(seat))
    if piece.kind != "engine" or not cards:
        return None
    farthest = max(cards, key=lambda card: rail_cards(state.edition)[card].value)
    return Move(piece.name, farthest, _position(state, kind, where, piece.turn))


def _cell(text: str) -> Cell:
    column, row = text.split(",")
    return (int(column), int(row))


def _position(state: State, kind: str, where: str, turn: int) -> Position:
    """The position that a place and a turn on it say."""
    if kind == "circle":
        return Position(next(circle.cell for circle in state.circles if circle.name == where))
    cell, segment, tie = where.split(":")
    facings = (Position(_cell(cell), segment, int(tie), side) for side in segment)
    return next((there for there in facings if heading(state, there) == turn), Position(_cell(cell)))
