"""Somebody who plays by phone for all seats, and knows of the game what the rules and the journal say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from companion import games
from companion.course import Course
from companion.games.game import Action, AwaitedDice, AwaitedShuffle, Rolled, Shuffled
from companion.games.layout import UNKNOWN
from tests.rig.table import Table


class Player:
    """Plays one game at a table of the rig. `state` is the game as the companion has to have it."""

    def __init__(self, table: Table, folder: Path, game: str = "pawns_of_perdition") -> None:
        self.game = games.load(game)
        self.table = table
        self.folder = folder
        self.phone = table.phone()
        self.state: Any = None

    def begin(self, *seats: str) -> None:
        """Take the seats, start the game, shuffle, and throw for the start so that the first seat begins."""
        self.phone.begin(*seats)
        self.state = self.believed()
        chance = self.game.awaiting(self.state).chance
        assert isinstance(chance, AwaitedShuffle)
        self.do(Shuffled((UNKNOWN,) * len(chance.cards)))
        for seat in seats:
            chance = self.game.awaiting(self.state).chance
            assert isinstance(chance, AwaitedDice)
            self.do(Rolled(((6, 6) if seat == seats[0] else (1, 2))[: chance.count]))

    def do(self, action: Action) -> int:
        """Do it by phone; the state number after it."""
        number = self.phone.done({"ask": "do", "action": msgspec.to_builtins(action)})
        self.state = self.game.play(self.state, action)
        return number

    def course(self) -> Course:
        """The line of play in the companion's journal."""
        course = self.table.session(self.game, self.folder).course
        assert course is not None
        return course

    def believed(self) -> Any:
        """The state that the companion's journal comes to."""
        return self.game.hide(self.course().state)

    def roll_to(self, look: str, seat: int = 0, unlike: Rolled | None = None) -> Rolled:
        """A throw that brings the pawn of this seat to a space of that look."""
        board, at = self.state.board, self.state.pawns[seat]
        throws = ((a, b) for a in range(1, 7) for b in range(a, 7) if (a, b) != (unlike and unlike.values))
        return Rolled(next(throw for throw in throws if board[at + sum(throw)] == look))
