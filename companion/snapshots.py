"""What the table publishes after each entry: the session and the watch as they are now, for all views."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from companion.acts import Proposed
from companion.games.game import AwaitedDice, Choice, Game, Rolled
from companion.messages import LogLine, MoveView, Notice, Proposal
from companion.session import Session
from companion.views import SHOWN, Snapshot
from companion.watch import Watch

_RECENT = 8
"""How many of the last moves people may change from the log."""


def snapshot(
    game: Game[Any, Any],
    session: Session,
    watch: Watch,
    *,
    revision: int,
    table: str,
    emulated: tuple[str, ...],
    live: Iterable[str],
    notices: Iterable[Notice],
) -> Snapshot:
    """All that any view is made from, as it is now; `live` are the people whose phones are here."""
    course, proposal, pictures = session.course, session.proposal, watch.rolls
    waiting = frozenset(proposal.needs) - session.agreed if proposal else frozenset()
    log = tuple(
        replace(line, picture=pictures[line.move]) if line.move in pictures else line
        for line in session.log[-SHOWN:]
    )
    return Snapshot(
        game=game,
        number=session.number,
        revision=revision,
        table=table,
        emulated=emulated,
        people=dict(session.people),
        host=session.host,
        seats=dict(session.seats),
        playing=session.started.seats if session.started else (),
        live=frozenset(live),
        state=course.state if course else None,
        log=log,
        moves=_recent(session, log),
        todo=watch.todo,
        question=watch.asked.question if watch.asked else None,
        proposal=_proposed(session, proposal, waiting) if proposal else None,
        waiting=waiting,
        notices=tuple(notices),
        picture=pictures.get(max(pictures, default=-1), ""),
        fresh=course.fresh() if course else (),
    )


def _proposed(session: Session, proposal: Proposed, waiting: frozenset[str]) -> Proposal:
    change = proposal.change
    return Proposal(session.words(change), session.name(change.by), tuple(sorted(map(session.name, waiting))))


def _recent(session: Session, log: tuple[LogLine, ...]) -> tuple[MoveView, ...]:
    """The last moves, newest first, as people may want to change them."""
    course = session.course
    if course is None:
        return ()
    told: dict[int, LogLine] = {}
    for line in log:
        if line.move >= 0:
            told.setdefault(line.move, line)
    moves: list[MoveView] = []
    game, free, last = course.game, True, len(course.moves) - 1
    for move in range(last, -1, -1):
        if course.private(move):
            continue
        if len(moves) == _RECENT:
            break
        free = free and course.free(move)
        action = course.moves[move]
        dice = len(action.values) if isinstance(action, Rolled) else 0
        words = told[move].words if move in told else type(action).__name__
        camera = move == last and move in told and told[move].how == "camera"
        instead = _by_the_next(session) if camera else None
        chance = game.awaiting(course.states[move]).chance
        faces = chance.faces if isinstance(chance, AwaitedDice) else ()
        moves.append(MoveView(move, words, course.thrower(move), dice, faces, free, instead))
    return (*moves, *_slips(session))


def _slips(session: Session) -> Iterable[MoveView]:
    """What each player may undo with one tap of what was said of the own hand."""
    assert session.course is not None
    for seat in session.course.game.seats:
        move = session.course.slip(seat)
        if move is not None:
            yield MoveView(move, "what you said last of your hand", seat, free=True, own=True)


def _by_the_next(session: Session) -> Choice | None:
    """The last move as the next player's, for people to tap: the camera does not see whose hand it was."""
    assert session.course is not None
    action = session.course.by_the_next()
    if action is None:
        return None
    owner = session.course.thrower(len(session.course.moves) - 1)
    seat = str(getattr(action, "seat", ""))
    return Choice(action, f"That was {seat.capitalize()}", f"{owner.capitalize()}'s turn was over")
