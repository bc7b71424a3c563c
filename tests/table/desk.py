"""A table with people at it, driven by requests as phones drive it."""

from __future__ import annotations

import itertools
import secrets
from pathlib import Path
from typing import Any

import msgspec

from companion import games
from companion.games.game import Action, AwaitedDice, AwaitedShuffle, Rolled, Shuffled
from companion.games.layout import UNKNOWN, Dice, Die, Piece, Reading, Sight
from companion.journal import Journal
from companion.messages import (
    Agree,
    Answer,
    Asks,
    Correct,
    Decide,
    Do,
    Join,
    Request,
    Sit,
    Start,
    Takeback,
    View,
)
from companion.own_cards import open_pack
from companion.table import Entry, Presence, Table

PEOPLE = {"red": "Ann", "blue": "Bob", "green": "Cleo", "yellow": "Dan", "black": "Eve"}
SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


class Clock:
    """Monotonic seconds that pass when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Desk:
    """One table over a state folder. People are named by their seat: person "red" holds Red."""

    def __init__(
        self, folder: Path, table: str = "none", game: str = "pawns_of_perdition", pack: str = "house"
    ) -> None:
        self.game = games.load(game)
        self.clock = Clock()
        self.folder = folder
        self.journal = Journal(folder)
        self.pack = pack
        given, cards = open_pack(self.game, pack, folder)
        self.table = Table(self.game, given, self.journal, table=table, cards=cards, clock=self.clock)
        self.table.start()
        self._ids = (f"{secrets.token_hex(4)}-{n}" for n in itertools.count())
        self._throw = 0
        self.reading = Reading(0.0)

    def put(self, entry: Entry) -> Answer:
        return self.table.submit(entry).result(10)

    def ask(self, person: str, ask: Asks, on: int | None = None, id: str = "") -> Answer:
        number = self.table.number if on is None else on
        return self.put(Request(id or next(self._ids), number, ask, person))

    def sit(self, *seats: str) -> None:
        for seat in seats:
            assert self.ask(seat, Join(PEOPLE[seat])).status == "done"
            assert self.ask(seat, Sit(seat)).status == "done"
            self.put(Presence(seat, True))

    def start(self, *seats: str, options: dict[str, str] | None = None) -> None:
        """Sit down, start, shuffle and throw for the start so that the first seat begins."""
        self.sit(*seats)
        answer = self.ask(seats[0], Start(seats, options or {}))
        assert answer.status == "done", answer
        self.shuffle(seats[0])
        chance = self.game.awaiting(self.state).chance
        assert isinstance(chance, AwaitedDice)
        for seat in seats:
            self.done(seat, Rolled(((6, 6) if seat == seats[0] else (1, 2))[: chance.count]))

    def shuffle(self, person: str) -> None:
        chance = self.game.awaiting(self.state).chance
        assert isinstance(chance, AwaitedShuffle)
        self.done(person, Shuffled((UNKNOWN,) * len(chance.cards)))

    def do(self, person: str, action: Action, on: int | None = None, id: str = "") -> Answer:
        return self.ask(person, Do(raw(action)), on, id)

    def done(self, person: str, action: Action) -> None:
        answer = self.do(person, action)
        assert answer.status == "done", answer

    def roll_to(self, look: str, space: int = 0, but: int = -1) -> tuple[int, int]:
        """Two dice that bring a pawn from this space to one that looks so, other than space `but`."""
        board = self.state.board
        return next(
            (a, b)
            for a in range(1, 7)
            for b in range(a, 7)
            if board[space + a + b] == look and space + a + b != but
        )

    def takeback(self, person: str, move: int) -> Answer:
        return self.ask(person, Takeback(move))

    def correct(self, person: str, move: int, action: Action) -> Answer:
        return self.ask(person, Correct(move, raw(action)))

    def agree(self, person: str, yes: bool = True) -> Answer:
        return self.ask(person, Agree(yes))

    def decide(self, person: str, choice: str, action: Action | None = None) -> Answer:
        question = self.view(person).question
        assert question is not None
        return self.ask(person, Decide(question.id, choice, raw(action) if action else msgspec.Raw(b"null")))

    def throw(self, *values: int, sure: bool = True, **pawns: Any) -> Answer:
        """The camera sees a new throw, and pawns where they stand (or as given)."""
        self._throw += 1
        dice = tuple(Die(value, SQUARE, 0.99 if sure else 0.6) for value in values)
        return self.see(dice=Dice(dice, sure), throw=self._throw, picture=b"\xff\xd8 jpeg", **pawns)

    def see(
        self,
        dice: Dice | None = None,
        throw: int | None = None,
        picture: bytes = b"",
        holes: tuple[str, ...] = (),
        **pawns: Any,
    ) -> Answer:
        """The camera sees pawns on these spaces, the others where they were seen last."""
        seen = {s.piece.name: s for s in self.reading.pieces}
        if not seen and self.state is not None:
            for piece in self.game.layout(self.state).pieces:
                seen[piece.name] = Sight(piece, (0.0, 0.0), 0.99)
        for name, space in pawns.items():
            place = f"space:{space}" if space >= 0 else ""
            seen[name] = Sight(Piece("pawn", name, place), (0.0, 0.0), 0.99)
        return self._read(tuple(seen.values()), dice, throw, picture, holes)

    def lie(self, *pieces: Piece, holes: tuple[str, ...] = (), dice: Dice | None = None) -> Answer:
        """The camera sees just these pieces."""
        sights = tuple(Sight(piece, (0.0, 0.0), 0.99) for piece in pieces)
        return self._read(sights, dice, None, b"", holes)

    def _read(
        self,
        sights: tuple[Sight, ...],
        dice: Dice | None,
        throw: int | None,
        picture: bytes,
        holes: tuple[str, ...],
    ) -> Answer:
        self.clock.now += 1
        self.reading = Reading(
            self.clock.now,
            sights,
            holes,
            dice if dice is not None else self.reading.dice,
            self._throw if throw is None else throw,
            picture,
        )
        return self.put(self.reading)

    @property
    def state(self) -> Any:
        return self.table.state

    def view(self, person: str) -> View:
        return self.table.view(person, person)

    def log(self) -> list[str]:
        return [line.words for line in self.table.story()]

    def close(self) -> None:
        self.table.close()

    def again(self) -> Desk:
        """The same state folder after a restart."""
        self.close()
        return Desk(self.folder, game=self.game.name, pack=self.pack)


def raw(action: Action) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(action))
