"""Places in which a card seems to lie that the camera cannot read, once that has lasted for a while."""

from __future__ import annotations

from typing import Any

from companion.games.game import Game
from companion.games.layout import Reading

LONG = 6.0
"""Seconds that a place may be a hole before anybody is told: an arm is away by then."""

FEW = 3
"""So many places at most are told of: what covers more is no card."""


class Unread:
    """Follows the places for cards in which none lies by the rules, and which cannot be seen any more."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = game
        self._seen: set[str] = set()
        self._since: dict[str, float] = {}
        self.waiting = False
        """Whether such a place has not been a hole for long yet."""

    def consider(self, state: Any, reading: Reading, now: float) -> tuple[str, ...]:
        """What to tell people at that time (s, monotonic), but of places that were never in sight."""
        map = self._game.table_map(state)
        cards = {token.kind for token in map.tokens if token.flat}
        taken = {piece.place for piece in self._game.layout(state).pieces}
        names = {place.name: place.words or place.name for place in map.places if cards & set(place.holds)}
        holes = set(reading.holes)
        self._seen |= names.keys() - holes
        self._since = {
            name: self._since.get(name, now) for name in names if name in holes & self._seen - taken
        }
        old = [names[name] for name, began in self._since.items() if now - began >= LONG]
        self.waiting = len(old) < len(self._since)
        if len(self._since) > FEW:
            return ()
        return tuple(
            f"The camera cannot read what lies on {name}: say on a phone what it is, or take it away."
            for name in old
        )
