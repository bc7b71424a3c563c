"""What the press of a button means: the acts that it becomes, or why it may not be.

Pure, as the clerk is. The table writes the acts down and applies them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.acts import Acts, Agreed, Declined, Proposed, TookBack
from companion.awaited import awaited
from companion.clerk import Clerk, Refused
from companion.course import Course
from companion.findings import Line
from companion.games.game import AwaitedDice, AwaitedShuffle
from companion.messages import Agree, Takeback
from companion.session import Session
from companion.watch import BACK, Asked
from firmware_bridge.press import Press

NOTICE = "press"
"""The notice that says why the last press may not be."""

Said = tuple[list[Acts], Line | None]
"""The acts of a press, and the answer that it gives to the open question; None: it gives none."""


def pressed(clerk: Clerk, session: Session, asked: Asked | None, press: Press) -> Said:
    """What this press says. Refused when a button cannot say what to do."""
    if session.course is None:
        raise Refused("No game is running.")
    if press.button == "seat":
        seat = _seat(session, press.place)
        if press.kind == "long":
            return _own_slip(clerk, session, session.course, seat), None
        return _for_seat(clerk, session, session.course, asked, seat)
    proposal = session.proposal
    if press.kind == "long" and proposal is not None and press.button in ("confirm", "undo"):
        waiting = tuple(sorted(set(proposal.needs) - session.agreed))
        agreed: list[Acts] = [Agreed(waiting, ""), proposal.change]
        return agreed if press.button == "confirm" else [Declined("")], None
    if press.button == "undo":
        return [_taken_back(session, session.course, _last(session.course))], None
    if press.button == "confirm" and asked is not None:
        return _first_answer(clerk, session, session.course, asked)
    return clerk.line(session, _go_on(clerk, session.course, press.button), "button"), None


def _for_seat(clerk: Clerk, session: Session, course: Course, asked: Asked | None, seat: str) -> Said:
    """A yes to what waits for this seat's player, else what `confirm` would be for this seat alone."""
    person, proposal = session.holder(seat), session.proposal
    if proposal is not None and person in set(proposal.needs) - session.agreed:
        # Said for this person alone, also where it is the host's, who could speak for phones that are away.
        return clerk.acts(session, person, Agree(True), live=proposal.needs), None
    waits = awaited(course.game, course.state, _playing(session))
    if seat not in waits:
        whom = " and ".join(map(str.capitalize, waits)) or "nobody"
        raise Refused(f"{seat.capitalize()} pressed, but the table waits for {whom}.")
    if asked is not None:
        return _first_answer(clerk, session, course, asked, person)
    return clerk.line(session, (_main(clerk, course, (seat,)),), "button", person), None


def _own_slip(clerk: Clerk, session: Session, course: Course, seat: str) -> list[Acts]:
    last = _last(course)
    whose, person = course.thrower(last), session.holder(seat)
    if whose != seat:
        by = f"{whose.capitalize()}'s" if whose else "nobody's"
        raise Refused(f"{seat.capitalize()} wants to take back the last act, but that was {by}.")
    return clerk.acts(session, person, Takeback(last), ()) if person else [_taken_back(session, course, last)]


def _seat(session: Session, place: int) -> str:
    """Who sits at that place: a game's seats take the places in their order."""
    playing = _playing(session)
    if not 0 < place <= len(playing):
        raise Refused(f"Nobody sits at place {place}: there are {len(playing)} at the table.")
    return playing[place - 1]


def _playing(session: Session) -> tuple[str, ...]:
    assert session.started is not None
    return session.started.seats


def _first_answer(clerk: Clerk, session: Session, course: Course, asked: Asked, person: str = "") -> Said:
    """The answer that stands first on the phones."""
    first = asked.question.choices[0].key
    if first != BACK:
        line = asked.lines[first]
        return clerk.line(session, line, "button", person), line
    if person:
        return clerk.acts(session, person, Takeback(asked.back), ()), ()
    return [_taken_back(session, course, asked.back)], ()


def _go_on(clerk: Clerk, course: Course, button: str) -> Line:
    """What a button stands for: the main act that is awaited; `next` prefers what merely goes on."""
    state = course.game.hide(course.state)
    if button == "next" and (implied := course.game.implied(state)) is not None:
        return (implied,)
    return (_main(clerk, course, course.game.awaiting(state).seats),)


def _main(clerk: Clerk, course: Course, seats: Iterable[str]) -> Any:
    """The one main act of these seats."""
    game = course.game
    state = game.hide(course.state)
    chance = game.awaiting(state).chance
    if isinstance(chance, AwaitedShuffle):
        return clerk.shuffled(chance)
    mains = {choice.action for seat in seats for choice in game.prompt(state, seat).choices if choice.main}
    if len(mains) == 1:
        return mains.pop()
    if not mains and isinstance(chance, AwaitedDice):
        raise Refused("A button cannot throw: the camera or a phone says what the dice show.")
    raise Refused("A button cannot say which: choose on a phone.")


def _last(course: Course) -> int:
    # A button lies before everybody: what somebody has said of the own hand is left alone.
    last = max((move for move in range(len(course.moves)) if not course.private(move)), default=-1)
    if last < 0:
        raise Refused("There is nothing to take back.")
    return last


def _taken_back(session: Session, course: Course, move: int) -> Acts:
    """Back to before that move, for nobody in particular."""
    lost = [each for each in range(move, len(course.moves)) if not course.private(each)]
    if all(map(course.free, lost)):
        return TookBack(move, session.holder(course.thrower(move)))
    return Proposed(TookBack(move, ""), tuple(sorted(set(session.seats.values()))), anyone=True)
