"""Records: a game as a file of JSON lines, a header and one action a line.

The header names game, pack, options and seats; a `position` in it (a State in JSON) begins from
there instead of a set-up. docs/records.md has every field.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import Struct

from companion import games, packs
from companion.course import Course, Illegal
from companion.games.game import Action
from companion.session import Session


class Header(Struct, frozen=True, omit_defaults=True):
    """The first line of a record."""

    stationmaster: int
    game: str
    seats: tuple[str, ...]
    pack: str = "house"
    options: dict[str, str] = {}
    names: dict[str, str] = {}
    position: Any = None


class BadRecord(ValueError):
    """A record that cannot be read or breaks a rule; the text names line, fault and cure."""


@dataclass(frozen=True)
class Verdict:
    """What the rules say of one action of a record: its line number, and the ruling if it is refused."""

    line: int
    action: Action
    story: tuple[str, ...]
    illegal: Illegal | None = None


def begin(line: str | bytes) -> Course:
    """The course that a record's header opens."""
    try:
        header = msgspec.json.decode(line, type=Header)
    except (msgspec.DecodeError, RecursionError) as fault:
        raise BadRecord(
            f"Line 1 is no record header: {fault}. It should look like "
            '{"stationmaster": 1, "game": "pawns_of_perdition", "seats": ["red", "blue", "green"]}.'
        ) from fault
    if header.stationmaster != 1:
        raise BadRecord(
            f"Line 1: format {header.stationmaster} is not known; this Stationmaster reads format 1."
        )
    try:
        game = games.load(header.game)
        if header.position is not None:
            start = msgspec.convert(header.position, type=game.state_type)
            if faults := game.faults(start):
                raise BadRecord(f"Line 1: the position is impossible: {'; '.join(faults)}.")
        else:
            start = game.setup(header.seats, packs.load(game, header.pack), header.options)
    except BadRecord:
        raise
    except ValueError as fault:
        raise BadRecord(f"Line 1: {fault}") from fault
    return Course(game, start)


def replay(lines: Iterable[str | bytes]) -> Iterator[Verdict]:
    """Rule on each action in order; stops after the first illegal one. BadRecord when unreadable."""
    numbered = ((n, line) for n, line in enumerate(lines, 1) if line.strip())
    first = next(numbered, None)
    if first is None:
        raise BadRecord("The record is empty. Its first line is a header, then comes one action a line.")
    course = begin(first[1])
    for n, line in numbered:
        try:
            action: Action = msgspec.json.decode(line, type=course.game.action_type)
        except msgspec.DecodeError as fault:
            raise BadRecord(f"Line {n} is no action of {course.game.title}: {fault}.") from fault
        before = course.state
        try:
            course.play(action)
        except Illegal as illegal:
            yield Verdict(n, action, (), illegal)
            return
        yield Verdict(n, action, course.game.story(before, action))


def write(header: Header, moves: Iterable[Action]) -> Iterator[str]:
    """The lines of a record."""
    yield msgspec.json.encode(header).decode()
    for action in moves:
        yield msgspec.json.encode(action).decode()


def of_session(session: Session) -> tuple[Header, list[Action]]:
    """The game that a session is playing, in the form in which the table believes it.

    What one player alone may know, as a hand that is kept on the own phone, is blank in it.
    """
    started, course = session.started, session.course
    if started is None or course is None:
        raise BadRecord("No game is running or finished at this table.")
    names = {seat: session.name(session.holder(seat)) for seat in started.seats if session.holder(seat)}
    game = course.game
    start = game.hide(course.states[0])
    header = Header(1, started.game, started.seats, started.pack, started.options, names, start)
    return header, [game.hide_action(move) for move in course.moves]
