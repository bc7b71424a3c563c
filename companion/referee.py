"""From what the camera saw to what was done.

The referee knows no game. It looks for the legal action whose result looks like the Reading: one
is played, several are asked about, none is explained. A throw is a Reading whose `throw` rose.
What it is not sure of becomes a `Doubt` with its answers; nothing here is played on a guess.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from companion.games.game import Action, AwaitedDice, Game, Rolled
from companion.games.layout import Dice, Face, Layout, Place, Reading

CERTAIN = 0.9
"""A piece seen with less confidence than this is waited for, not believed."""

Line = tuple[Action, ...]
Key = tuple[str, str]


@dataclass(frozen=True)
class Doubt:
    """A question for people: words, and what each answer would play (an empty line plays nothing).

    `dice` above 0: that many upper faces may be entered instead. `roll` marks a question about a throw.
    """

    words: str
    answers: tuple[tuple[str, Line], ...]
    dice: int = 0
    roll: bool = False


@dataclass(frozen=True)
class Finding:
    """What a Reading means: a line to play, a doubt to ask about, a fault to explain, a to-do list."""

    line: Line = ()
    doubt: Doubt | None = None
    fault: str = ""
    todo: tuple[str, ...] = ()


@dataclass
class Referee:
    """Follows one table. `seen` is where each piece last lay when it agreed with the rules.

    `throw` is the last throw that was looked at; None after the camera was away, when dice that
    lie there may be old ones. `unsure` is the throw that people were asked about because it could
    not be read surely: should it be after all, nobody needs to answer any more. `doubtful` are the
    pieces that the last question was about, `left` those of which people said that nothing was done.
    """

    game: Game[Any, Any]
    seen: dict[Key, str] = field(default_factory=dict)
    throw: int | None = None
    unsure: int | None = None
    loose: Dice | None = None
    doubtful: dict[Key, str] = field(default_factory=dict)
    left: dict[Key, str] = field(default_factory=dict)

    def answered(self, line: Line) -> None:
        """People have said what the last question was about; if nothing was done, it is not asked again."""
        self.unsure = None
        if not line:
            self.left = self.doubtful

    def moved_on(self) -> None:
        """The state is another one: what was asked about may mean something else now."""
        self.unsure = None
        self.left = {}

    def look_away(self) -> None:
        """The camera was away: what lies there now is nobody's act until somebody says so."""
        self.throw = self.unsure = self.loose = None
        self.seen.clear()

    def consider(self, state: Any, reading: Reading) -> Finding:
        """What this settled Reading means in this state."""
        line, doubt = self._throw(state, reading)
        if doubt is None:
            state = self._after(state, line)
            moved, doubt, fault = self._pieces(state, reading)
            line += moved
            state = self._after(state, moved)
        else:
            fault = ""
        return Finding(line, doubt, fault, self.todo(state, reading))

    def reconsider(self, state: Any) -> Doubt | None:
        """A throw that nobody waited for when it fell, asked about once somebody does."""
        chance = self.game.awaiting(state).chance
        if self.loose is None or not isinstance(chance, AwaitedDice) or len(self.loose.dice) < chance.count:
            return None
        dice, self.loose = self.loose, None
        return self._which(
            chance, dice, f"{_values(dice.values)} lies there already. Is it {_whose(chance)} throw?"
        )

    def todo(self, state: Any, reading: Reading) -> tuple[str, ...]:
        """What to put where, so that the table is as the rules have it."""
        labels = {place.name: place for place in self.game.table_map(state).places}
        expected = _places(self.game.layout(state))
        return tuple(
            f"Put {name.capitalize()} on {_spot(labels, expected[kind, name])}."
            for (kind, name), place in sorted(_sighted(reading).items())
            if (kind, name) in expected and expected[kind, name] != place
        )

    def _after(self, state: Any, line: Line) -> Any:
        for action in line:
            state = self.game.play(state, action)
        return state

    # -- dice ---------------------------------------------------------------------------------

    def _throw(self, state: Any, reading: Reading) -> tuple[Line, Doubt | None]:
        dice, first = reading.dice, self.throw is None
        if dice is None or (reading.throw == self.throw and not (dice.sure and reading.throw == self.unsure)):
            return (), None
        self.throw, self.unsure = reading.throw, None
        if not dice.dice:
            return (), None
        if first and sorted(map(str, dice.values)) == sorted(map(str, self.game.layout(state).dice)):
            return (), None
        self.loose = None
        return self._roll(state, dice, old=first)

    def _roll(self, state: Any, dice: Dice, old: bool) -> tuple[Line, Doubt | None]:
        chance = self.game.awaiting(state).chance
        if isinstance(chance, AwaitedDice):
            roll = Rolled(dice.values)
            if old:
                words = f"{_values(dice.values)} lies in the tray. Is it {_whose(chance)} throw?"
                return (), self._which(chance, dice, words)
            if dice.sure and len(dice.dice) == chance.count and self.game.refusal(state, roll) is None:
                return (roll,), None
            self.unsure = None if dice.sure else self.throw
            return (), self._which(chance, dice, f"What did {chance.seat.capitalize()} throw?")
        implied = self.game.implied(state)
        if implied is not None:
            after = self.game.play(state, implied)
            if isinstance(self.game.awaiting(after).chance, AwaitedDice):
                line, doubt = self._roll(after, dice, old)
                if doubt is None:
                    return (implied, *line), None
                answers = tuple((words, (implied, *acts) if acts else ()) for words, acts in doubt.answers)
                return (), Doubt(doubt.words, answers, 0, roll=True)
        self.loose = dice
        return (), self._early(state, dice)

    def _which(self, chance: AwaitedDice, dice: Dice, words: str) -> Doubt:
        """Ask which upper faces count: as read, or one of the choices among too many dice."""
        rolls: dict[tuple[str, ...], tuple[Face, ...]] = {}
        for roll in combinations(dice.values, min(chance.count, len(dice.dice))):
            rolls.setdefault(tuple(sorted(map(str, roll))), roll)
        answers: list[tuple[str, Line]] = [
            (_values(roll), (Rolled(roll),)) for roll in rolls.values() if len(roll) == chance.count
        ]
        if len(dice.dice) > chance.count:
            words = f"{words} {len(dice.dice)} dice lie there, {chance.count} count."
        elif len(dice.dice) < chance.count:
            words = f"{words} Only {len(dice.dice)} of {chance.count} dice can be seen."
        return Doubt(words, (*answers[:6], ("That was no throw", ())), chance.count, roll=True)

    def _early(self, state: Any, dice: Dice) -> Doubt | None:
        """A throw while something else is awaited: perhaps somebody went on without saying so."""
        answers: list[tuple[str, Line]] = []
        for first in self._going_on(state):
            line: Line = (first,)
            after = self.game.play(state, first)
            implied = self.game.implied(after)
            if implied is not None and not isinstance(self.game.awaiting(after).chance, AwaitedDice):
                after, line = self.game.play(after, implied), (first, implied)
            chance = self.game.awaiting(after).chance
            roll = Rolled(dice.values)
            if isinstance(chance, AwaitedDice) and self.game.refusal(after, roll) is None:
                told = " ".join(self.game.story(state, first))
                answers.append(
                    (f"{told} Then {_whose(chance)} throw: {_values(dice.values)}.", (*line, roll))
                )
        if not answers:
            return None
        words = f"{_values(dice.values)} was thrown, and nobody was to throw. What was it?"
        return Doubt(words, (("Nothing, leave it", ()), *answers[:3]), roll=True)

    def _going_on(self, state: Any) -> Iterator[Action]:
        for seat in self.game.awaiting(state).seats:
            yield from (choice.action for choice in self.game.prompt(state, seat).choices if choice.main)

    # -- pieces -------------------------------------------------------------------------------

    def _pieces(self, state: Any, reading: Reading) -> tuple[Line, Doubt | None, str]:
        sighted = _sighted(reading)
        expected = _places(self.game.layout(state))
        sighted = {key: place for key, place in sighted.items() if key in expected}
        if not self.seen:
            self.seen = dict(sighted)
        for key, place in sighted.items():
            if expected[key] == place:
                self.seen[key] = place
        news = {
            key: place for key, place in sighted.items() if place not in (expected[key], self.seen.get(key))
        }
        self.doubtful = {}
        if news != self.left:
            self.left = {}
        if not news or self.left:
            return (), None, ""
        chance = self.game.awaiting(state).chance
        lines = list(self._explanations(state, sighted, news))
        implied = self.game.implied(state)
        if not lines and implied is not None:
            after = self.game.play(state, implied)
            chance = self.game.awaiting(after).chance
            lines = [(implied, *line) for line in self._explanations(after, sighted, news)]
        thrown = chance if isinstance(chance, AwaitedDice) else None
        if len(lines) == 1 and thrown is None:
            self.seen |= news
            return lines[0], None, ""
        if lines:
            self.doubtful = news
            answers = tuple((self._told(state, line), line) for line in lines[:6])
            answers += (("Nothing, it will be put back", ()),)
            if thrown is None:
                return (), Doubt("What was done here?", answers), ""
            # It may have been moved by a throw that was not read; entered by hand, it goes before the move.
            words = f"What was done here? {_whose(thrown)} throw has not been read."
            now = thrown.count if isinstance(self.game.awaiting(state).chance, AwaitedDice) else 0
            return (), Doubt(words, answers, now), ""
        return (), None, self._fault(state, expected, news)

    def _explanations(self, state: Any, sighted: dict[Key, str], news: dict[Key, str]) -> Iterator[Line]:
        """Legal actions whose result looks like what was seen; pieces that lag behind may go on lagging."""
        awaiting = self.game.awaiting(state).seats
        seats = (*awaiting, *(seat for seat in self.game.seats if seat not in awaiting))
        before = _places(self.game.layout(state))
        for action in (action for seat in seats for action in self.game.legal(state, seat)):
            after = _places(self.game.layout(self.game.play(state, action)))
            if any(after[key] != place for key, place in news.items()):
                continue
            others = (key for key in sighted if key not in news and after[key] != before[key])
            if all(after[key] == sighted[key] for key in others):
                yield (action,)

    def _told(self, state: Any, line: Line) -> str:
        told: list[str] = []
        for action in line:
            told.extend(self.game.story(state, action))
            state = self.game.play(state, action)
        return " ".join(told)

    def _fault(self, state: Any, expected: dict[Key, str], news: dict[Key, str]) -> str:
        """Which rule the move breaks, as far as one can say, and where the piece may stand."""
        labels = {place.name: place for place in self.game.table_map(state).places}
        told: list[str] = []
        for (kind, name), place in sorted(news.items()):
            may = {
                after: words
                for action, words in self._main_results(state)
                if (after := _places(action).get((kind, name), "")) != expected[kind, name]
            }
            where = " or ".join(f"on {_spot(labels, spot)} ({words})" for spot, words in may.items())
            stands = (
                f"{name.capitalize()} stands on {_spot(labels, place)}"
                if place
                else f"{name.capitalize()} is off the board"
            )
            back = _spot(labels, expected[kind, name])
            if where:
                told.append(f"{stands}. It may now go {where}; or put it back on {back}.")
            else:
                told.append(f"{stands}, but nothing moves it there now. Put it back on {back}.")
        return " ".join(told)

    def _main_results(self, state: Any) -> Iterator[tuple[Layout, str]]:
        for seat in self.game.awaiting(state).seats:
            for choice in self.game.prompt(state, seat).choices:
                if choice.main:
                    yield self.game.layout(self.game.play(state, choice.action)), choice.words


def _places(layout: Layout) -> dict[Key, str]:
    return {(piece.kind, piece.name): piece.place for piece in layout.pieces}


def _sighted(reading: Reading) -> dict[Key, str]:
    """Pieces seen well enough to be believed; one that may be hidden by a hand is not news."""
    return {
        (sight.piece.kind, sight.piece.name): sight.piece.place
        for sight in reading.pieces
        if sight.confidence >= CERTAIN and sight.piece.place not in reading.holes
    }


def _spot(labels: dict[str, Place], place: str) -> str:
    kind, _, number = place.partition(":")
    if place not in labels:
        return place or "no place"
    look = labels[place].look
    if look in ("start", "escape"):
        return look.capitalize()
    return f"{kind} {number} ({look.capitalize()})" if look else f"{kind} {number}"


def _values(values: tuple[Face, ...]) -> str:
    return " + ".join(map(str, values))


def _whose(chance: AwaitedDice) -> str:
    return f"{chance.seat.capitalize()}'s"
