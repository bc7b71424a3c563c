"""What the camera has shown lately, and what of it is still to be settled with people."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.course import Course
from companion.games.game import Game, Rolled
from companion.games.layout import Reading
from companion.messages import Question, QuestionChoice
from companion.referee import Doubt, Line, Referee

PATIENCE = 2.5
"""Seconds that a piece may rest where no rule puts it before people are told: they may be counting."""

_PICTURES = 12


@dataclass(frozen=True)
class Asked:
    """A question that is open: what people see, and what each answer plays."""

    question: Question
    lines: dict[str, Line]
    roll: bool


class Watch:
    """The last Reading, the referee who judges it, the open question, the pictures of the dice.

    `todo` is what to put where. `asked` is the open question, if there is one. `clock` is
    monotonic seconds.
    """

    def __init__(self, game: Game[Any, Any], clock: Callable[[], float]) -> None:
        self.asked: Asked | None = None
        self.todo: tuple[str, ...] = ()
        self.pictures: OrderedDict[str, bytes] = OrderedDict()
        self.rolls: dict[int, str] = {}
        self._clock = clock
        self._referee = Referee(game)
        self._reading: Reading | None = None
        self._astray: tuple[str, float] | None = None
        self._told = ""
        self._count = 0

    def see(self, reading: Reading) -> None:
        """A settled Reading has come; `find` says what it means."""
        self._reading = reading
        if reading.picture:
            self._count += 1
            self.pictures[f"{reading.throw}-{self._count}"] = reading.picture
            while len(self.pictures) > _PICTURES:
                gone, _ = self.pictures.popitem(last=False)
                self.rolls = {move: name for move, name in self.rolls.items() if name != gone}

    def look_away(self) -> None:
        """The camera was away, or what it saw could not be written down: take nothing for granted."""
        self._referee.look_away()

    def begin(self) -> None:
        """A new game: what lies there now was put there for it, and dice that lie there are old."""
        self.rolls.clear()
        self._referee.seen.clear()
        self._referee.loose = None

    def idle(self) -> None:
        """No game waits for anything: what is thrown now is nobody's throw."""
        self.asked, self.todo, self._astray, self._told = None, (), None, ""
        if self._reading is not None:
            self._referee.throw = self._reading.throw

    def find(self, course: Course) -> Line:
        """What the last Reading means now: a line to play, or nothing, with question and to-do list set."""
        if self._reading is None:
            return ()
        found = self._referee.consider(course.state, self._reading)
        if found.doubt is not None:
            self._ask(found.doubt)
        if found.line:
            return found.line
        self.todo = found.todo
        if not found.fault:
            self._astray, self._told = None, ""
        elif found.fault != self._told and (self._astray is None or self._astray[0] != found.fault):
            self._astray, self._told = (found.fault, self._clock()), ""
        if self.asked is None and (doubt := self._referee.reconsider(course.state)) is not None:
            self._ask(doubt)
        return ()

    def answered(self) -> None:
        """The open question is settled, or no longer matters."""
        self.asked = None
        self._referee.unsure = None

    def settle(self, course: Course) -> None:
        """The state has moved on: no question is open, and a roll just played has the newest picture."""
        self.answered()
        moves = len(course.moves)
        self.rolls = {move: name for move, name in self.rolls.items() if move < moves}
        if moves and isinstance(course.moves[-1], Rolled) and moves - 1 not in self.rolls and self.pictures:
            newest = next(reversed(self.pictures))
            if newest not in self.rolls.values():
                self.rolls[moves - 1] = newest

    @property
    def waiting(self) -> bool:
        """Whether a piece rests where no rule puts it, and people have not been told yet."""
        return self._astray is not None

    def fault(self) -> str:
        """What to tell people about a piece that rests where no rule puts it, once it was meant."""
        if self._astray is not None and self._clock() - self._astray[1] >= PATIENCE:
            self._told, self._astray = self._astray[0], None
        return self._told

    def _ask(self, doubt: Doubt) -> None:
        self._count += 1
        lines = {str(key): line for key, (_, line) in enumerate(doubt.answers)}
        choices = tuple(QuestionChoice(str(key), words) for key, (words, _) in enumerate(doubt.answers))
        picture = next(reversed(self.pictures), "") if doubt.roll else ""
        self.asked = Asked(
            Question(f"q{self._count}", doubt.words, choices, picture, doubt.dice), lines, doubt.roll
        )
