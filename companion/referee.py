"""From what the camera saw to what was done.

The referee knows no game. A throw is a Reading whose `throw` rose (`throws`); pieces that lie
elsewhere are the legal action whose result looks so (`pieces`). One is played, several are asked
about, none is explained; nothing is played on a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.findings import Doubt, Finding, Line
from companion.games.game import Game
from companion.games.layout import Reading
from companion.misplaced import todo
from companion.pieces import Pieces
from companion.throws import Throws


class Referee:
    """Follows one table: its dice and its pieces."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = game
        self._throws = Throws(game)
        self._pieces = Pieces(game)

    def begin(self) -> None:
        """A new game: what lies there now was put there for it."""
        self._pieces = Pieces(self._game, fresh=True)
        self._throws.loose = None

    def answered(self, line: Line) -> None:
        """People have said what the last question was about; if nothing was done, it is not asked again."""
        self._throws.unsure = None
        if not line:
            self._pieces.leave()

    def moved_on(self) -> None:
        """The state is another one: what was asked about may mean something else now."""
        self._throws.unsure = None
        self._pieces.left = {}

    def look_away(self) -> None:
        """The camera was away: what lies there now is nobody's act until somebody says so."""
        self._throws.look_away()
        self._pieces = Pieces(self._game)

    def skip(self, throw: int) -> None:
        """Nobody waited for that throw, nor will."""
        self._throws.throw = throw

    def consider(self, states: Sequence[Any], reading: Reading, now: float) -> Finding:
        """What this settled Reading means after these states of the game, at that time (s, monotonic)."""
        state = states[-1]
        line, doubt = self._throws.consider(state, reading)
        if doubt is not None:
            return Finding(line, doubt, todo=self._todo(state, reading))
        for action in line:
            state = self._game.play(state, action)
        found = self._pieces.consider(state, () if line else states, reading, now)
        for action in found.line:
            state = self._game.play(state, action)
        left = self._todo(state, reading)
        return Finding(line + found.line, found.doubt, found.fault, left, found.wait)

    def _todo(self, state: Any, reading: Reading) -> tuple[str, ...]:
        return todo(self._game, state, reading, self._pieces.seen)

    def reconsider(self, state: Any) -> Doubt | None:
        """A throw that nobody waited for when it fell, asked about once somebody does."""
        return self._throws.reconsider(state)
