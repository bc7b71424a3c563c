"""What the camera has shown lately, and what of it is still to be settled with people."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from companion.acts import Acts, Corrected, Played
from companion.course import Course
from companion.findings import PATIENCE, Doubt, Line
from companion.games.game import Game, Rolled
from companion.games.layout import Cut, Face, Reading
from companion.messages import Question, QuestionChoice
from companion.referee import Referee
from companion.unread import Unread

BACK = "back"
"""The key of the answer that takes moves back."""

_PICTURES = 12


@dataclass(frozen=True)
class Asked:
    """A question that is open: what people see, and what each answer plays.

    The answer `BACK` takes the game back to before the move `back` instead.
    """

    question: Question
    lines: dict[str, Line]
    roll: bool
    back: int = -1


class PutRight(NamedTuple):
    """A throw of which people said what it shows: its picture's name, the faces in it, and what they show."""

    throw: str
    cuts: tuple[Cut, ...]
    values: tuple[Face, ...]


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
        self._cuts: dict[str, tuple[Cut, ...]] = {}
        self._clock = clock
        self._game = game
        self._referee = Referee(game)
        self._unread = Unread(game)
        self._reading: Reading | None = None
        self._astray: tuple[str, float] | None = None
        self._told = ""
        self._halfway = False
        # Browsers keep pictures, and phones that slept questions: no name may come again after a restart.
        self._boot = secrets.token_hex(4)
        self._count = 0
        self._spoken_for: int | None = None

    def see(self, reading: Reading) -> None:
        """A settled Reading has come; `find` says what it means."""
        self._reading = reading
        if reading.picture:
            self._count += 1
            self.pictures[f"{self._boot}-{self._count}"] = reading.picture
            self._cuts[f"{self._boot}-{self._count}"] = reading.cuts
            while len(self.pictures) > _PICTURES:
                gone, _ = self.pictures.popitem(last=False)
                del self._cuts[gone]
                self.rolls = {move: name for move, name in self.rolls.items() if name != gone}

    def look_away(self) -> None:
        """The camera was away, or what it saw could not be written down: take nothing for granted."""
        self._referee.look_away()

    def close_eyes(self) -> None:
        """The camera is away: nothing that it showed before says how the table stands now."""
        self.look_away()
        self._reading = None
        self.todo, self._astray, self._told, self._halfway = (), None, "", False
        self._unread = Unread(self._game)

    def begin(self) -> None:
        """A new game: what lies there now was put there for it, and dice that lie there are old."""
        self.rolls.clear()
        self._speak_for()
        self._referee.begin()
        self._halfway = False

    def idle(self) -> None:
        """No game waits for anything: what is thrown now is nobody's throw."""
        self.asked, self.todo, self._astray, self._told = None, (), None, ""
        self._halfway = False
        self._unread = Unread(self._game)
        if self._reading is not None:
            self._referee.skip(self._reading.throw)

    def find(self, course: Course) -> Line:
        """What the last Reading means now: a line to play, or nothing, with question and to-do list set."""
        if self._reading is None:
            return ()
        found = self._referee.consider(course.states, self._reading, self._clock())
        self._halfway = found.wait
        if found.doubt is not None:
            self._ask(found.doubt)
        elif self.asked is not None and not self.asked.roll:
            self.asked = None  # the piece that was asked about lies where it may
        if found.line:
            return found.line
        self.todo = found.todo + self._unread.consider(course.state, self._reading, self._clock())
        if not found.fault:
            self._astray, self._told = None, ""
        elif found.fault != self._told and (self._astray is None or self._astray[0] != found.fault):
            self._astray, self._told = (found.fault, self._clock()), ""
        if self.asked is None and (doubt := self._referee.reconsider(course.state)) is not None:
            self._ask(doubt)
        return ()

    def answered(self, line: Line) -> None:
        """People have said what the open question was about."""
        self.asked = None
        self._referee.answered(line)
        self._speak_for()

    def settle(self, course: Course, played: int) -> None:
        """The state has moved on: no question is open; a roll among the last `played` moves has a picture."""
        self.asked = None
        self._referee.moved_on()
        moves = len(course.moves)
        self.rolls = {move: name for move, name in self.rolls.items() if move < moves}
        rolled = [move for move in range(moves - played, moves) if isinstance(course.moves[move], Rolled)]
        reading = self._reading
        if rolled and self.pictures and reading is not None and reading.throw != self._spoken_for:
            self.rolls[rolled[-1]] = next(reversed(self.pictures))
            self._speak_for()

    def put_right(self, course: Course, acts: Sequence[Acts]) -> Iterator[PutRight]:
        """The throws among these acts, which the course has taken in, of which people said what they show."""
        first = len(course.moves) - sum(isinstance(act, Played) for act in acts)
        for number, act in enumerate(act for act in acts if isinstance(act, Played | Corrected)):
            if isinstance(act, Played) and act.how != "phone":
                continue
            move = act.move if isinstance(act, Corrected) else first + number
            roll, name = course.moves[move], self.rolls.get(move)
            if name is not None and isinstance(roll, Rolled) and (cuts := self._cuts[name]):
                yield PutRight(name, cuts, roll.values)

    def _speak_for(self) -> None:
        """The throw that lies there is settled: its picture is not that of a later roll."""
        if self._reading is not None:
            self._spoken_for = self._reading.throw

    @property
    def waiting(self) -> bool:
        """Whether a piece rests in mid-act, where no rule puts it or unread, and people are not told yet."""
        return self._astray is not None or self._halfway or self._unread.waiting

    def fault(self) -> str:
        """What to tell people about a piece that rests where no rule puts it, once it was meant."""
        if self._astray is not None and self._clock() - self._astray[1] >= PATIENCE:
            self._told, self._astray = self._astray[0], None
        return self._told

    def _ask(self, doubt: Doubt) -> None:
        lines = {str(key): line for key, (_, line) in enumerate(doubt.answers)}
        open_now = self.asked
        same = open_now is not None and (open_now.lines, open_now.question.words) == (lines, doubt.words)
        if open_now is not None and not doubt.roll and (open_now.roll or same):
            return  # what was thrown comes first; and the same question about a piece is not asked anew
        self._count += 1
        choices = tuple(QuestionChoice(str(key), words) for key, (words, _) in enumerate(doubt.answers))
        if doubt.back >= 0:
            choices = (QuestionChoice(BACK, "Yes, take it back"), *choices)
        picture = next(reversed(self.pictures), "") if doubt.roll else ""
        self.asked = Asked(
            Question(f"{self._boot}-{self._count}", doubt.words, choices, picture, doubt.dice),
            lines,
            doubt.roll,
            doubt.back,
        )
