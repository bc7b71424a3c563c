"""Throws that a camera saw: which one is whose, and what is asked about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import dist
from typing import Any

from companion.findings import Doubt, Line
from companion.games.game import Action, AwaitedDice, Game, Rolled
from companion.games.layout import Dice, Die, Face, Reading

_SAME_PLACE = 0.35  # of a die's side: it lies where it lay


@dataclass
class Throws:
    """Follows the dice of one table.

    `throw` is the last throw that was looked at; None after the camera was away, when dice that
    lie there may be old ones. `unsure` is the throw that people were asked about because it could
    not be read surely: should it be after all, nobody needs to answer any more. `lying` are the dice that
    were read surely last: of more dice than are awaited those count that have come since. So some may be
    thrown again while the others lie, and a player may throw beside the dice of the one before.
    """

    game: Game[Any, Any]
    throw: int | None = None
    unsure: int | None = None
    loose: Dice | None = None
    lying: tuple[Die, ...] = ()

    def look_away(self) -> None:
        """The camera was away: what lies there now is nobody's throw until somebody says so."""
        self.throw = self.unsure = self.loose = None
        self.lying = ()

    def consider(self, state: Any, reading: Reading) -> tuple[Line, Doubt | None]:
        """A throw is a Reading whose `throw` rose, or one that can be read surely at last."""
        dice, first = reading.dice, self.throw is None
        if dice is None or (reading.throw == self.throw and not (dice.sure and reading.throw == self.unsure)):
            return (), None
        self.throw, self.unsure = reading.throw, None
        before, self.lying = self.lying, dice.dice if dice.sure else ()
        if not dice.dice:
            return (), None
        if first and sorted(map(str, dice.values)) == sorted(map(str, self.game.layout(state).dice)):
            return (), None
        self.loose = None
        return self._roll(state, dice, _come(dice, before), old=first)

    def reconsider(self, state: Any) -> Doubt | None:
        """A throw that nobody waited for when it fell, asked about once somebody does."""
        chance = self.game.awaiting(state).chance
        if self.loose is None or not isinstance(chance, AwaitedDice) or len(self.loose.dice) < chance.count:
            return None
        dice, self.loose = self.loose, None
        return self._which(
            chance, dice, f"{_values(dice.values)} lies there already. Is it {whose(chance)} throw?"
        )

    def _roll(self, state: Any, dice: Dice, come: Dice, old: bool) -> tuple[Line, Doubt | None]:
        """`come` are those of the `dice` that did not lie there before."""
        chance = self.game.awaiting(state).chance
        if isinstance(chance, AwaitedDice):
            if len(dice.dice) > len(come.dice) == chance.count:
                dice = come
            roll = Rolled(dice.values)
            if old:
                words = f"{_values(dice.values)} lies in the tray. Is it {whose(chance)} throw?"
                return (), self._which(chance, dice, words)
            if dice.sure and len(dice.dice) == chance.count and self.game.refusal(state, roll) is None:
                return (roll,), None
            self.unsure = None if dice.sure else self.throw
            return (), self._which(chance, dice, f"What did {chance.seat.capitalize()} throw?")
        implied = self.game.implied(state)
        if implied is not None:
            after = self.game.play(state, implied)
            if isinstance(self.game.awaiting(after).chance, AwaitedDice):
                line, doubt = self._roll(after, dice, come, old)
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
                answers.append((f"{told} Then {whose(chance)} throw: {_values(dice.values)}.", (*line, roll)))
        if not answers:
            return None
        words = f"{_values(dice.values)} was thrown, and nobody was to throw. What was it?"
        return Doubt(words, (("Nothing, leave it", ()), *answers[:3]), roll=True)

    def _going_on(self, state: Any) -> Iterator[Action]:
        for seat in self.game.awaiting(state).seats:
            yield from (choice.action for choice in self.game.prompt(state, seat).choices if choice.main)


def _come(dice: Dice, before: tuple[Die, ...]) -> Dice:
    """The dice that do not lie as one of those before."""
    return Dice(
        tuple(die for die in dice.dice if not any(_lies_as(die, other) for other in before)), dice.sure
    )


def _lies_as(die: Die, other: Die) -> bool:
    side = dist(other.corners[0], other.corners[1])
    away = dist(_middle(die), _middle(other))
    return die.value == other.value and away <= _SAME_PLACE * side


def _middle(die: Die) -> tuple[float, float]:
    return sum(x for x, _ in die.corners) / 4, sum(y for _, y in die.corners) / 4


def whose(chance: AwaitedDice) -> str:
    """Whose throw it is: "Red's"."""
    return f"{chance.seat.capitalize()}'s"


def _values(values: tuple[Face, ...]) -> str:
    return " + ".join(map(str, values))
