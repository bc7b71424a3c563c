"""Who sits where and what is being played: all that the journal's acts add up to.

Only the table loop changes a session, and only by `apply`, after the act is on the disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import msgspec

from companion import games
from companion.acts import (
    Acts,
    Agreed,
    Corrected,
    Declined,
    Entered,
    Finished,
    Hosted,
    Joined,
    Left,
    Played,
    Proposed,
    Sat,
    Started,
    TookBack,
)
from companion.course import Course
from companion.games.game import Action, Game
from companion.journal import JournalError
from companion.messages import LogLine


def under_way(acts: Sequence[Acts]) -> Started | None:
    """How the game began that these acts leave on the table; None when there is none."""
    last = next((act for act in reversed(acts) if isinstance(act, Started | Finished)), None)
    return last if isinstance(last, Started) else None


class Session:
    """The people, their seats, the running game, what waits for agreement, and the log."""

    def __init__(self) -> None:
        self.number = 0
        self.people: dict[str, str] = {}
        self.host = ""
        self.seats: dict[str, str] = {}
        self.started: Started | None = None
        self.course: Course | None = None
        self.began = 0
        self.proposal: Proposed | None = None
        self.agreed: frozenset[str] = frozenset()
        self.log: list[LogLine] = []
        self._named: set[str] = set()
        self._left: dict[str, int] = {}
        """How many moves there were when somebody last left that seat."""

    @classmethod
    def replay(cls, acts: list[Acts]) -> Session:
        """The session that these acts add up to. What a game put away holds is passed over.

        JournalError when an act cannot follow from those before it.
        """
        session = cls()
        last = max((n for n, act in enumerate(acts) if isinstance(act, Finished)), default=-1)
        for n, act in enumerate(acts):
            if n < last and not isinstance(act, Joined | Sat | Left | Hosted):
                session.number += 1
                continue
            try:
                session.apply(act)
            except Exception as fault:  # whatever it is: the act is damaged, or other rules wrote it
                raise JournalError(
                    f"Act {n + 1} of the journal does not follow from those before it ({fault}). "
                    "Go on with the Stationmaster that wrote it, or name another folder with --state."
                ) from fault
        return session

    def at(self, game: Game[Any, Any]) -> Session:
        """The session, taken up by a table for `game`. JournalError when a game of another kind lies there.

        Who holds a seat that `game` does not have stands up: nobody could free it there.
        """
        if self.started is not None and self.started.game != game.name:
            title = games.load(self.started.game).title
            raise JournalError(
                f"A game of {title} lies in that state folder. Go on with it or put it away with "
                f"--game {self.started.game}, or name another folder with --state."
            )
        self.seats = {seat: person for seat, person in self.seats.items() if seat in game.seats}
        return self

    def decode(self, raw: bytes | msgspec.Raw) -> Action:
        """An action of the running game from its JSON; msgspec.DecodeError says where it is wrong."""
        assert self.course is not None
        action: Action = msgspec.json.decode(raw, type=self.course.game.action_type)
        return action

    def name(self, person: str) -> str:
        """What a person is called at this table."""
        return self.people.get(person, "somebody")

    def holder(self, seat: str) -> str:
        """The person who holds a seat, or ""."""
        return self.seats.get(seat, "")

    def apply(self, act: Acts) -> None:
        """Add one confirmed act."""
        self.number += 1
        match act:
            case Joined(person, name):
                self.people[person] = name
                self.host = self.host or person
            case Sat(person, seat):
                self.seats[seat] = person
                self._tell(f"{self.name(person)} takes {seat.capitalize()}.")
            case Left(seat, by):
                gone = self.seats.pop(seat, "")
                self._left[seat] = len(self.course.moves) if self.course is not None else 0
                self._tell(f"{self.name(gone)} leaves {seat.capitalize()}{self._by(by, gone)}.")
            case Hosted(person):
                self.host = person
                self._tell(f"{self.name(person)} is the host now.")
            case Started():
                self._start(act)
            case Finished(by):
                self.started = self.course = self.proposal = None
                self.log.clear()
                self._tell(f"The game was put away by {self.name(by)}.")
            case Played(raw, how, by):
                self.proposal = None
                self._play(self.decode(raw), how, by)
            case TookBack() | Corrected():
                self._change(act)
            case Proposed(change, needs, anyone):
                self.proposal, self.agreed = act, frozenset()
                who = "one of the others" if anyone else ", ".join(map(self.name, needs))
                self._tell(f"{self.name(change.by)} asks to {self.words(change)}. Waiting for {who}.")
            case Agreed(people, by):
                self.agreed |= set(people)
                self._tell(f"{', '.join(map(self.name, people))} agreed{self._by(by, *people)}.")
            case Declined(by):
                self.proposal = None
                self._tell(f"{self.name(by)} said no. Nothing was changed.")
            case Entered(raw, by):
                self._enter(raw, by)

    def words(self, change: TookBack | Corrected) -> str:
        """A takeback or correction as a person would ask for it."""
        assert self.course is not None
        told = next((line.words for line in self.log if line.move == change.move), "the start").rstrip(".")
        if isinstance(change, TookBack):
            return f"go back to before: {told}"
        action = self.decode(change.action)
        values = getattr(action, "values", None)
        shown = " + ".join(map(str, values)) if values else self._as_told(change.move, action)
        return f"put {shown} in the place of: {told}"

    def _as_told(self, move: int, action: Action) -> str:
        """What the log would say of that action in the place of that move, in quotes."""
        assert self.course is not None
        game = self.course.game
        *before, _ = self.course.instead_of(move, action)
        first = game.story(reduce(game.play, before, self.course.states[move]), action)[0]
        return f"'{first.rstrip('.')}'"

    def _by(self, person: str, *others: str) -> str:
        return f", said by {self.name(person)}" if person and person not in others else ""

    def _tell(
        self, words: str, how: str = "", move: int = -1, section: str = "", *, quiet: bool = False
    ) -> None:
        if quiet and self.log and self.log[-1].quiet and self.log[-1].words == words:
            return
        self.log.append(LogLine(self.number, words, how, move, section=section, quiet=quiet))

    def _start(self, act: Started) -> None:
        game = games.load(act.game)
        self.started, self.began = act, self.number
        self.course = Course(game, msgspec.json.decode(act.position, type=game.state_type))
        self.proposal = None
        self.log.clear()
        self._named.clear()
        self._left.clear()
        self._tell(f"{game.title} begins: {', '.join(seat.capitalize() for seat in act.seats)}, clockwise.")

    def _enter(self, raw: msgspec.Raw, by: str) -> None:
        assert self.course is not None
        assert self.course.game.owned is not None
        entry = msgspec.json.decode(raw, type=self.course.game.owned.entry_type)
        self.course = self.course.entered(entry)
        self._tell(f"{self.name(by)} entered a card: {entry.__struct_config__.tag} {entry.card.name}.")

    def _play(self, action: Action, how: str, by: str) -> None:
        assert self.course is not None
        before, move = self.course.state, len(self.course.moves)
        self.course.play(action)
        self._story(before, action, how, by, move)

    def _story(self, before: Any, action: Action, how: str, by: str, move: int) -> None:
        assert self.course is not None
        game = self.course.game
        section = game.section(before, action)
        quiet = self.course.private(move)
        # Before the act: its own last line is the news on every page, and where it can be taken back.
        for rule in game.decided(before, action):
            if rule not in self._named:
                self._named.add(rule)
                option = next(option for option in game.options if option.rule == rule)
                assert self.started is not None
                reading = option.reading(self.started.options.get(option.name, option.values[0]))
                self._tell(f"The rulebook leaves this open. Here: {reading} [{rule}]")
        for words in game.story(before, action):
            self._tell(words, how, move, section, quiet=quiet)
        seat = getattr(action, "seat", "")
        if seat and by and self.holder(seat) not in ("", by):
            self._tell(f"({self.name(by)} did that for {seat.capitalize()}.)", how, move)

    def _change(self, act: TookBack | Corrected) -> None:
        """Undone lines stay in the log, but no longer speak of a move that can be changed."""
        assert self.course is not None
        self.proposal = None
        words = self.words(act)
        lost: list[Action] = []
        if isinstance(act, TookBack):
            self.course.take_back(act.move)
        else:
            lost = self.course.replace(act.move, self.decode(act.action))
        self._wipe_who_left(act.move)
        self.log = [
            msgspec.structs.replace(line, move=-1) if line.move >= act.move else line for line in self.log
        ]
        done = f"went {words.removeprefix('go ')}" if isinstance(act, TookBack) else f"corrected: {words}"
        self._tell(f"{self.name(act.by)} {done}.")
        for move in range(act.move, len(self.course.moves)):
            self._story(self.course.states[move], self.course.moves[move], "corrected", "", move)
        if lost:
            self._tell(f"{len(lost)} later steps no longer fit and were taken back with it.")

    def _wipe_who_left(self, move: int) -> None:
        """A hand that comes back with its match is not shown to whoever has taken the seat since."""
        assert self.course is not None
        for seat in [seat for seat, left in self._left.items() if left > move]:
            self.course.wipe(seat, move)
            self._left[seat] = len(self.course.moves)
