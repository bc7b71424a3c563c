"""What a person's request means: the acts that it becomes, or why it may not be.

Reads the session, changes nothing. The table writes the acts down and applies them.
"""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Callable, Collection
from typing import Any, ClassVar

import msgspec

from companion.acts import (
    Acts,
    Agreed,
    Corrected,
    Declined,
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
from companion.course import Course, Illegal, seat_of
from companion.games.game import Action, AwaitedDice, AwaitedShuffle, Game, Rolled, Shuffled, are_lots
from companion.games.layout import UNKNOWN, Face
from companion.messages import (
    Agree,
    Ask,
    Correct,
    Do,
    DoAll,
    Draw,
    Finish,
    Host,
    Join,
    Leave,
    Sit,
    Start,
    Takeback,
)
from companion.session import Session

NAME_LENGTH = 24

_JOINERS = "\u200c\u200d"
"""Signs without a look of their own that Persian names and some emoji are put together with."""

_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Counted among the letters and symbols, but nobody can see them."""


class Refused(ValueError):
    """A request that may not be done; the text names the fault and the cure."""


class Clerk:
    """Answers requests for one table that plays `game` from `pack`."""

    def __init__(
        self,
        game: Game[Any, Any],
        pack: Any,
        pack_name: str,
        lot: Callable[[tuple[Face, ...]], Face] = secrets.choice,
    ) -> None:
        """`lot` draws one of the faces, each as likely as any other."""
        self.game = game
        self.pack = pack
        self.pack_name = pack_name
        self.lot = lot

    def acts(self, session: Session, person: str, ask: Ask, live: Collection[str]) -> list[Acts]:
        """The acts that this request becomes; Refused when it may not be. `live`: whose phone is here."""
        if isinstance(ask, Join):
            return self._join(session, person, ask)
        if person not in session.people:
            raise Refused("The table does not know you yet. Say your name first.")
        return self._of[type(ask)](self, session, person, ask, live)

    # -- people and seats ---------------------------------------------------------------------

    def _join(self, session: Session, person: str, ask: Join) -> list[Acts]:
        name = unicodedata.normalize("NFC", " ".join(ask.name.split()))
        seen = name.translate(dict.fromkeys(map(ord, _JOINERS + _BLANKS)))
        if not any(unicodedata.category(sign)[0] in "LNPS" for sign in seen):
            raise Refused("A name needs at least one letter.")
        if not seen.isprintable() or any(sign in _BLANKS for sign in name):
            raise Refused("That name holds a sign that nobody can see. Type it anew, without pasting.")
        if len(name) > NAME_LENGTH:
            raise Refused(f"That name is too long for the table page. Use at most {NAME_LENGTH} letters.")
        if self._namesake_sits(session, person, name):
            raise Refused(f"Somebody called {name} sits here already. Add a letter to tell you apart.")
        return [] if session.people.get(person) == name else [Joined(person, name)]

    def _namesake_sits(self, session: Session, person: str, name: str) -> bool:
        """Whether somebody else at the table has a name that reads the same."""
        others = set(session.seats.values()) - {person}
        return any(_read(session.name(other)) == _read(name) for other in others)

    def _sit(self, session: Session, person: str, ask: Sit, live: Collection[str]) -> list[Acts]:
        if ask.seat not in self.game.seats:
            raise Refused(f"There is no seat '{ask.seat}'. Seats: {', '.join(self.game.seats)}.")
        if session.started and ask.seat not in session.started.seats:
            raise Refused(
                f"{ask.seat.capitalize()} is not in this game. Wait for the next one, or share a seat."
            )
        holder = session.holder(ask.seat)
        if holder == person:
            return []
        if holder:
            raise Refused(
                f"{session.name(holder)} has {ask.seat.capitalize()}. "
                f"{session.name(session.host)}, the host, can free it."
            )
        name = session.name(person)
        if self._namesake_sits(session, person, name):
            raise Refused(f"Somebody called {name} sits here already. Change your name, then sit down.")
        return [Sat(person, ask.seat)]

    def _leave(self, session: Session, person: str, ask: Leave, live: Collection[str]) -> list[Acts]:
        holder = session.holder(ask.seat)
        if not holder:
            raise Refused(f"Nobody holds {ask.seat.capitalize()}.")
        if person not in (holder, session.host):
            raise Refused(f"Only {session.name(holder)} or the host can free {ask.seat.capitalize()}.")
        return [*self._wiped(session, ask.seat), Left(ask.seat, person)]

    def _wiped(self, session: Session, seat: str) -> list[Acts]:
        """What is kept of a seat's hand goes with whoever kept it: the next one may be somebody else."""
        if session.course is None or self.game.keeping is None:
            return []
        forgets = self.game.keeping.forget(session.course.state, seat)
        return [] if forgets is None else self.line(session, (forgets,), "phone", session.holder(seat))

    def _host(self, session: Session, person: str, ask: Host, live: Collection[str]) -> list[Acts]:
        to = ask.to or person
        if to not in session.people:
            raise Refused("The table does not know that person.")
        if to == session.host:
            return []
        if person != session.host and session.host in live:
            raise Refused(f"{session.name(session.host)} is the host and is here. Ask for it at the table.")
        return [Hosted(to)]

    def _only_host(self, session: Session, person: str, what: str) -> None:
        if person != session.host:
            raise Refused(f"{session.name(session.host)}, the host, can {what}.")

    def _start(self, session: Session, person: str, ask: Start, live: Collection[str]) -> list[Acts]:
        self._only_host(session, person, "begin the game")
        if session.started:
            raise Refused("A game is running. Put it away first.")
        if sorted(ask.seats) != sorted(session.seats):
            raise Refused("The seats have changed meanwhile. Look at who sits where and start again.")
        fewest, most = self.game.players
        if not fewest <= len(ask.seats) <= most:
            raise Refused(
                f"{self.game.title} is for {fewest} to {most} players; {len(ask.seats)} are seated."
            )
        try:
            position = self.game.setup(ask.seats, self.pack, ask.options)
        except ValueError as fault:
            raise Refused(str(fault)) from fault
        raw = msgspec.Raw(msgspec.json.encode(position))
        return [Started(self.game.name, self.pack_name, ask.seats, ask.options, raw, person)]

    def _finish(self, session: Session, person: str, ask: Finish, live: Collection[str]) -> list[Acts]:
        self._only_host(session, person, "put the game away")
        self._course(session)
        return [Finished(person)]

    # -- the game -----------------------------------------------------------------------------

    def _course(self, session: Session) -> Course:
        if session.course is None:
            raise Refused("No game is running. The host can start one.")
        return session.course

    def _do(self, session: Session, person: str, ask: Do, live: Collection[str]) -> list[Acts]:
        return self._all(session, person, (ask.action,))

    def _do_all(self, session: Session, person: str, ask: DoAll, live: Collection[str]) -> list[Acts]:
        return self._all(session, person, ask.actions)

    def _all(self, session: Session, person: str, asked: tuple[msgspec.Raw, ...]) -> list[Acts]:
        self._course(session)
        actions = tuple(self.action(session, raw, person) for raw in asked)
        for action in actions:
            self.may(session, person, action)
        return self.line(session, actions, "phone", person)

    def _draw(self, session: Session, person: str, ask: Draw, live: Collection[str]) -> list[Acts]:
        chance = self.game.awaiting(self._course(session).state).chance
        if not isinstance(chance, AwaitedDice) or not are_lots(chance.faces, self.game.seats):
            raise Refused("No lots are to be drawn now.")
        lot = Rolled(tuple(self.lot(chance.faces) for _ in range(chance.count)))
        self.may(session, person, lot)
        return self.line(session, (lot,), "phone", person)

    def may(self, session: Session, person: str, action: Action) -> None:
        """Refused when this person may not do this action: not their seat, and not the host.

        What tells of a hand is for its own player alone.
        """
        course = self._course(session)
        seat = seat_of(action)
        if self.game.keeping is not None and self.game.keeping.private(action):
            if session.started and seat not in session.started.seats:
                raise Refused(f"Nobody plays '{seat}' in this game.")
            if not person or session.holder(seat) != person:
                raise Refused(f"Only whoever sits at {seat.capitalize()} can tell of that hand.")
            return
        if not seat:
            chance = self.game.awaiting(course.state).chance
            if isinstance(chance, AwaitedShuffle):
                seat = ""
            elif isinstance(chance, AwaitedDice):
                seat = chance.seat
        allowed = {session.holder(seat), session.host} if seat else {*session.seats.values(), session.host}
        if person not in allowed:
            whom = session.name(session.holder(seat)) if session.holder(seat) else "whoever sits there"
            raise Refused(
                f"That is for {seat.capitalize() or 'the players'} to do: {whom}, or the host in their place."
            )

    def shuffled(self, chance: AwaitedShuffle) -> Shuffled:
        """A shuffle that people have done: nobody was shown the order."""
        return Shuffled((UNKNOWN,) * len(chance.cards))

    def line(self, session: Session, actions: tuple[Action, ...], how: str, person: str = "") -> list[Acts]:
        """The acts of playing these actions one after the other; Refused when one is not legal then."""
        course = self._course(session)
        state, acts = course.state, list[Acts]()
        for action in actions:
            state = self._after(course, state, action)
            acts.append(Played(msgspec.Raw(msgspec.json.encode(action)), how, person))
        return acts

    def _after(self, course: Course, state: Any, action: Action) -> Any:
        try:
            return course.after(state, action)
        except Illegal as fault:
            raise Refused(f"{fault.ruling.sentence} [{fault.ruling.rule}: {fault.ruling.section}]") from fault

    def action(self, session: Session, raw: msgspec.Raw, person: str = "") -> Action:
        """The action that this JSON says; Refused, with the path to the fault, when it says none.

        A phone that names what the table did not show tells nothing: hands and decks stay unknown. Only who
        keeps the own hand may say what is in it, and is heard.
        """
        try:
            action: Action = session.decode(raw)
        except msgspec.DecodeError as fault:
            raise Refused(f"This game knows no such action: {fault}.") from fault
        keeping, seat = self.game.keeping, seat_of(action)
        own = bool(person and seat) and session.holder(seat) == person
        heard: Action = keeping.said(action) if keeping is not None and own else self.game.hide_action(action)
        return heard

    # -- going back ---------------------------------------------------------------------------

    def _takeback(self, session: Session, person: str, ask: Takeback, live: Collection[str]) -> list[Acts]:
        course = self._course(session)
        if not 0 <= ask.move < len(course.moves):
            raise Refused("There is no such move to take back.")
        free = all(course.free(move) for move in range(ask.move, len(course.moves)))
        owners = self._touched(session, ask.move)
        return self._change(session, person, TookBack(ask.move, person), owners, free)

    def _touched(self, session: Session, move: int) -> set[str]:
        """Whose moves go back with that one. What others said of their own hands stays."""
        course = self._course(session)
        later = range(move + 1, len(course.moves))
        lost = [move, *(each for each in later if not course.private(each))]
        return {session.holder(course.thrower(each)) for each in lost}

    def _correct(self, session: Session, person: str, ask: Correct, live: Collection[str]) -> list[Acts]:
        course = self._course(session)
        if not 0 <= ask.move < len(course.moves):
            raise Refused("There is no such move to correct.")
        action = self.action(session, ask.action)
        roll = isinstance(action, Rolled) and isinstance(course.moves[ask.move], Rolled)
        last = ask.move == len(course.moves) - 1
        if not roll and not (last and action == course.by_the_next()):
            raise Refused(
                "A correction puts a roll in the place of a roll, or says that the last move was the "
                "next player's, nothing else. Take it back instead."
            )
        state = course.states[ask.move]
        for each in course.instead_of(ask.move, action):
            state = self._after(course, state, each)
        owners = self._touched(session, ask.move)
        shown = msgspec.Raw(msgspec.json.encode(action))
        return self._change(session, person, Corrected(ask.move, shown, person), owners, free=True)

    def _change(
        self, session: Session, person: str, change: TookBack | Corrected, owners: set[str], free: bool
    ) -> list[Acts]:
        """One's own slip goes back with one tap; what touches others waits for their yes.

        A correction says what really lies there, so it is free across its own throw; a takeback
        over dice, draws or reveals needs at least one other person's yes.
        """
        if person not in session.seats.values() and person != session.host:
            raise Refused("Only those who sit at the table can change what was played.")
        others = set(session.seats.values()) - {person}
        needs = (owners - {person, ""}) & others
        if needs:
            return [Proposed(change, tuple(sorted(needs)))]
        if not free and others:
            return [Proposed(change, tuple(sorted(others)), anyone=True)]
        return [change]

    def _agree(self, session: Session, person: str, ask: Agree, live: Collection[str]) -> list[Acts]:
        proposal = session.proposal
        if proposal is None:
            raise Refused("Nothing waits for agreement any more.")
        waiting = set(proposal.needs) - session.agreed
        if not ask.yes:
            if person not in {*proposal.needs, proposal.change.by, session.host}:
                raise Refused("That is for those to say whom it touches.")
            return [Declined(person)]
        said = {person} & waiting
        if person == session.host:
            said |= {who for who in waiting if who not in live}
        if not said:
            raise Refused(f"It waits for {', '.join(session.name(who) for who in sorted(waiting))}.")
        agreed: list[Acts] = [Agreed(tuple(sorted(said)), person)]
        if proposal.anyone or waiting <= said:
            agreed.append(proposal.change)
        return agreed

    _of: ClassVar[dict[type[Ask], Callable[..., list[Acts]]]] = {
        Sit: _sit,
        Leave: _leave,
        Host: _host,
        Start: _start,
        Finish: _finish,
        Do: _do,
        DoAll: _do_all,
        Draw: _draw,
        Takeback: _takeback,
        Correct: _correct,
        Agree: _agree,
    }


def _read(name: str) -> str:
    """A name as people tell it from others: case, width and joiners make no difference."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return plain.translate(dict.fromkeys(map(ord, _JOINERS)))
