"""In which place a piece lies, how it is turned there, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.games.layout import Piece, Point, Sight, TableMap, Token
from vision.ground import Ground, Lying, depth
from vision.pieces import Found, Key, turned

Floats = NDArray[Any]

_SURE_INSIDE = 5.0  # mm from a place's border at which a piece is surely in it
_SMALL = 0.5  # of the way to the border of a place too small for that
_SURE_CELL = 2 / 3  # of the way from a cell's border to its middle: cards beside it leave no more room
_JOINT = 3.0  # mm that cells of a stretched grid may lie apart
_APART = 4.0  # mm by which the next place must be farther off
_NEARER = 0.25  # of half the way to the next place: so much nearer a piece that stands here surely is
_FAR = 1e3  # mm: there is no next place
_ASKEW = 0.2  # mm of distance that a degree of wrong turn is worth
_STRAIGHT, _CROOKED = 0.25, 0.75  # of half the way to the next turn: surely this one, and no longer
_LIES = 0.9  # as sure as this a card carries what is printed on it along
_UNSURE = 0.5
_OVERLAP = 0.6  # of a card's side: cards nearer to each other than this lie on each other


class Places:
    """Tells of pieces that were found on one map's ground where they belong."""

    def __init__(self, map: TableMap, ground: Ground) -> None:
        self._ground = ground
        self._places = map.places
        self._allowed = {
            kind: np.array([not place.holds or kind in place.holds for place in map.places], bool)
            for kind in {token.kind for token in map.tokens}
        }
        self._marks: dict[Key, list[Token]] = {}
        for token in map.tokens:
            self._marks.setdefault((token.kind, token.name), []).append(token)

    def sights(self, found: Sequence[Found]) -> dict[Key, Sight]:
        """Each piece in its place. Cards first: what stands on them is where they have it."""
        cards = {piece.key: self._sight(piece) for piece in found if piece.flat}
        for pair in self.on_each_other(found):
            for under, upper in (pair, pair[::-1]):
                if not self._covers(under, upper):
                    # Only one that surely lies uppermost is sure.
                    sight = cards[upper.key]
                    cards[upper.key] = Sight(sight.piece, sight.at, min(sight.confidence, _UNSURE))
        lying = {}
        for piece in (piece for piece in found if piece.flat):
            sight = cards[piece.key]
            number = self._ground.number.get(sight.piece.place)
            if number is not None and self._ground.cells[number] and sight.confidence >= _LIES:
                off, _ = self._off(number, piece.turn)
                lying[sight.piece.place] = Lying(piece.key, piece.at, off)
        self._ground.carry(cards, lying)
        others = {piece.key: self._sight(piece) for piece in found if not piece.flat}
        return cards | others

    # -- cards on each other ------------------------------------------------------------------

    def on_each_other(self, found: Sequence[Found]) -> list[tuple[Found, Found]]:
        """The pairs of cards of which one must lie on the other."""
        cards = sorted((piece for piece in found if piece.flat), key=lambda piece: piece.at)
        widest = max((self._ground.side(piece.kind) for piece in cards), default=0.0) * _OVERLAP
        pairs = []
        for number, piece in enumerate(cards):
            for other in cards[number + 1 :]:
                if other.at[0] - piece.at[0] > widest:
                    break
                if np.hypot(*np.subtract(piece.at, other.at)) < self._ground.side(piece.kind) * _OVERLAP:
                    pairs.append((piece, other))
        return pairs

    def marks_unseen(self, piece: Found) -> list[Point]:
        """Where the markers of a piece lie that were not seen (mm)."""
        marks = [token.at for token in self._marks[piece.key] if token.id not in piece.ids]
        return [
            (float(x), float(y)) for x, y in turned(np.array(marks).reshape(-1, 2), piece.turn) + piece.at
        ]

    def _covers(self, under: Found, upper: Found) -> bool:
        """Whether all of `upper` is seen, and of the other not what lies under it."""
        if upper.whole or under.whole:
            return upper.whole and not under.whole
        outline = self._ground.card(upper)
        if outline is None or self.marks_unseen(upper):
            return False
        return any(depth(outline, mark) >= 0 for mark in self.marks_unseen(under))

    # -- one piece ----------------------------------------------------------------------------

    def _sight(self, piece: Found) -> Sight:
        ground = self._ground
        away = np.linalg.norm(ground.middles - piece.at, axis=1)
        near = np.flatnonzero(away <= ground.reach + _SURE_INSIDE).tolist()
        depths = {number: depth(ground.outline(number), piece.at) for number in near}
        allowed = self._allowed[piece.kind]
        rated = sorted(
            (float(np.hypot(away[number], _ASKEW * abs(self._off(number, piece.turn)[0]))), number)
            for number, inside in depths.items()
            if allowed[number] and inside >= (-_JOINT if ground.moves(number) else 0.0)
        )
        most = 1.0 if piece.sure else _UNSURE
        if not rated:
            if any(inside >= 0 for inside in depths.values()):
                # Where nothing of its kind can be, there may be a card that is not known of yet.
                most = _UNSURE
            border = max(depths.values(), default=-_SURE_INSIDE)
            nowhere = Piece(piece.kind, piece.name, "")
            return Sight(nowhere, piece.at, min(most, _sure(abs(border) - piece.loose, _SURE_INSIDE)))
        cost, number = rated[0]
        turn, straight = self._turn(number, piece.turn)
        turn %= self._marks[piece.key][0].repeats
        sure = min(most, straight, _sure(depths[number] - piece.loose, self._sure_depth(number)))
        if self._places[number].turns:
            half = self._half_way(piece, number)
            sure = min(sure, _sure(half - cost, _NEARER * half))
        if len(rated) > 1:
            sure = min(sure, _sure(rated[1][0] - cost, _APART))
        return Sight(Piece(piece.kind, piece.name, self._places[number].name, turn), piece.at, sure)

    def _half_way(self, piece: Found, number: int) -> float:
        """Half of the way (mm) to the next place in which the piece may stand turned as it is."""
        ground = self._ground
        far = np.linalg.norm(ground.middles - ground.middles[number], axis=1)
        near = np.flatnonzero(self._allowed[piece.kind] & (far < 4 * ground.reach[number])).tolist()
        ways = (
            float(np.hypot(far[other], _ASKEW * abs(self._off(other, piece.turn)[0])))
            for other in near
            if other != number and self._places[other].turns
        )
        return min(ways, default=_FAR) / 2

    def _sure_depth(self, number: int) -> float:
        """How far inside a place's border (mm) a piece must lie to be surely in it."""
        x, y = self._ground.middles[number]
        most = depth(self._ground.outline(number), (float(x), float(y)))
        return _SURE_CELL * most if self._ground.cells[number] else min(_SURE_INSIDE, _SMALL * most)

    def _off(self, number: int, turn: float) -> tuple[float, int]:
        """By how many degrees a piece is turned beside the nearest turn that it may have there, and that."""
        turns = self._places[number].turns
        straight = turn - self._ground.twist[number]
        beside = (((straight - allowed + 180) % 360 - 180, allowed) for allowed in turns)
        off, nearest = min(beside, key=lambda one: abs(one[0]), default=(0.0, 0))
        return float(off), nearest

    def _turn(self, number: int, turn: float) -> tuple[int, float]:
        """The turn that a piece has there, and how sure that is."""
        off, nearest = self._off(number, turn)
        gaps = [
            abs((one - other + 180) % 360 - 180) for one, other in combinations(self._places[number].turns, 2)
        ]
        crooked = abs(off) / (min(gaps, default=360) / 2)
        return nearest, 1.0 - 0.5 * float(np.clip((crooked - _STRAIGHT) / (_CROOKED - _STRAIGHT), 0, 1))


def _sure(inside: float, enough: float) -> float:
    """Confidence of what is so far on the right side of a border, and is sure at `enough`."""
    return 0.5 + 0.5 * float(np.clip(inside / max(enough, 1e-6), 0, 1))
