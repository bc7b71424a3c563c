"""Poker dice in the tray: thrown beside dice that lie there, thrown again in part, or too early."""

from __future__ import annotations

from functools import cache
from random import Random

from companion.chance import outcome
from companion.games.game import AwaitedDice, Rolled
from companion.games.layout import Dice, Die, Face, Reading
from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.state import State
from companion.throws import Throws
from tests.rules.rail_games import house


@cache
def awaiting() -> tuple[State, State]:
    """A position in which nobody is to throw, and one in which several dice are awaited."""
    chance = Random(4)
    state = GAME.setup(GAME.seats[:3], house(), {})
    idle: State | None = None
    for _ in range(500):
        now = GAME.awaiting(state)
        if isinstance(now.chance, AwaitedDice) and now.chance.count > 2 and idle is not None:
            return idle, state
        if now.chance is not None:
            state = GAME.play(state, outcome(now.chance, chance))
        else:
            idle = state
            state = GAME.play(state, chance.choice(GAME.legal(state, now.seats[0])))
    raise AssertionError("nobody threw several dice")


def count(state: State) -> int:
    chance = GAME.awaiting(state).chance
    assert isinstance(chance, AwaitedDice)
    return chance.count


def lying(*faces: Face, x: float = 0.0, sure: bool = True) -> Dice:
    """Dice in a row, from `x` on."""

    def die(face: Face, left: float) -> Die:
        corners = ((left, 0.0), (left + 20, 0.0), (left + 20, 20.0), (left, 20.0))
        return Die(face, corners, 0.99, "poker")

    return Dice(tuple(die(face, x + 30 * at) for at, face in enumerate(faces)), sure)


def together(*dice: Dice) -> Dice:
    return Dice(tuple(die for each in dice for die in each.dice), all(each.sure for each in dice))


def looked() -> Throws:
    """The camera has seen the tray, and it was empty."""
    throws = Throws(GAME)
    throws.consider(awaiting()[1], Reading(0.0, dice=Dice((), True), throw=0))
    return throws


def test_faces_that_are_read_surely_are_the_throw() -> None:
    _, state = awaiting()
    faces = ("9", "10", "J", "Q", "K", "A", "A", "A")[: count(state)]
    line, doubt = looked().consider(state, Reading(1.0, dice=lying(*faces), throw=1))
    assert (line, doubt) == ((Rolled(faces),), None)


def test_faces_that_are_not_sure_are_asked_about() -> None:
    _, state = awaiting()
    faces = ("9", "10", "J", "Q", "K", "A", "A", "A")[: count(state)]
    line, doubt = looked().consider(state, Reading(1.0, dice=lying(*faces, sure=False), throw=1))
    assert line == ()
    assert doubt is not None
    assert doubt.dice == count(state)
    assert doubt.answers[0][1] == (Rolled(faces),)


def test_dice_of_the_player_before_that_still_lie_there_do_not_count() -> None:
    _, state = awaiting()
    throws, faces = looked(), ("K",) * count(state)
    before = lying("9", "9", "J", x=500)
    throws.consider(state, Reading(1.0, dice=before, throw=1))
    line, doubt = throws.consider(state, Reading(2.0, dice=together(before, lying(*faces)), throw=2))
    assert (line, doubt) == ((Rolled(faces),), None)


def test_more_dice_than_have_come_are_asked_about() -> None:
    _, state = awaiting()
    faces = ("K",) * (count(state) + 1)
    line, doubt = looked().consider(state, Reading(1.0, dice=lying(*faces), throw=1))
    assert line == ()
    assert doubt is not None


def test_dice_beside_ones_that_were_not_read_surely_are_asked_about() -> None:
    _, state = awaiting()
    throws, faces = looked(), ("K",) * count(state)
    before = lying("9", "9", "J", x=500, sure=False)
    throws.consider(state, Reading(1.0, dice=before, throw=1))
    surely = lying("9", "9", "J", x=500)
    line, doubt = throws.consider(state, Reading(2.0, dice=together(surely, lying(*faces)), throw=2))
    assert line == ()
    assert doubt is not None


def test_a_throw_that_nobody_awaited_is_asked_about_once_one_is_awaited() -> None:
    idle, state = awaiting()
    throws, faces = looked(), ("K",) * count(state)
    line, _ = throws.consider(idle, Reading(1.0, dice=lying(*faces), throw=1))
    assert line == ()
    doubt = throws.reconsider(state)
    assert doubt is not None
    assert (Rolled(faces),) in [acts for _, acts in doubt.answers]
