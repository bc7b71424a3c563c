"""What the press of a button means: the acts that it becomes, or why it may not be.

Pure, as the clerk is. The table writes the acts down and applies them.
"""

from __future__ import annotations

from companion.acts import Acts, Agreed, Declined, Proposed, TookBack
from companion.clerk import Clerk, Refused
from companion.findings import Line
from companion.games.game import AwaitedShuffle
from companion.session import Session
from companion.watch import Asked
from firmware_bridge.press import Press


def pressed(
    clerk: Clerk, session: Session, asked: Asked | None, press: Press
) -> tuple[list[Acts], Line | None]:
    """The acts of a press, and the answer that it gives to the open question (None: it gives none).

    Refused when a button cannot say what to do.
    """
    if session.course is None:
        raise Refused("No game is running.")
    proposal = session.proposal
    if press.kind == "long" and proposal is not None and press.button in ("confirm", "undo"):
        waiting = tuple(sorted(set(proposal.needs) - session.agreed))
        agreed: list[Acts] = [Agreed(waiting, ""), proposal.change]
        return agreed if press.button == "confirm" else [Declined("")], None
    if press.button == "undo":
        return [_undo(session)], None
    if press.button == "confirm" and asked is not None:
        line = next(iter(asked.lines.values()))
        return clerk.line(session, line, "button"), line
    return clerk.line(session, _go_on(clerk, session, press.button), "button"), None


def _go_on(clerk: Clerk, session: Session, button: str) -> Line:
    """What a button stands for: the main act that is awaited; `next` prefers what merely goes on."""
    assert session.course is not None
    game = session.course.game
    state = game.hide(session.course.state)
    if button == "next" and (implied := game.implied(state)) is not None:
        return (implied,)
    awaiting = game.awaiting(state)
    if isinstance(awaiting.chance, AwaitedShuffle):
        return (clerk.shuffled(awaiting.chance),)
    mains = {
        choice.action for seat in awaiting.seats for choice in game.prompt(state, seat).choices if choice.main
    }
    if len(mains) != 1:
        raise Refused("A button cannot say which: choose on a phone.")
    return (mains.pop(),)


def _undo(session: Session) -> Acts:
    course = session.course
    if course is None or not course.moves:
        raise Refused("There is nothing to take back.")
    # A button lies before everybody: what somebody has said of the own hand is left alone.
    last = max((move for move in range(len(course.moves)) if not course.private(move)), default=-1)
    if last < 0:
        raise Refused("There is nothing to take back.")
    if course.free(last):
        return TookBack(last, session.holder(course.thrower(last)))
    return Proposed(TookBack(last, ""), tuple(sorted(set(session.seats.values()))), anyone=True)
