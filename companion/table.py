"""The table loop: one queue, one writer, the only holder of game state.

Everything enters by `submit`, in order, and is answered from there: find what it means, ask the
rules, write the journal and force it to the disk, then publish. Views are read from the last
published snapshot by any thread.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import msgspec

from companion import slow_disk
from companion.acts import Acts, Played
from companion.clerk import Clerk, Refused
from companion.findings import Line
from companion.games.game import Action, Game, Rolled
from companion.games.layout import Reading
from companion.journal import Journal, NotWritten
from companion.messages import (
    Agree,
    Answer,
    Correct,
    Decide,
    Dismiss,
    Do,
    DoAll,
    Draw,
    Enter,
    Finish,
    LogLine,
    Notice,
    Request,
    Retry,
    Start,
    Takeback,
    View,
)
from companion.own_cards import OwnCards, barred
from companion.presses import NOTICE, pressed
from companion.session import Session
from companion.snapshots import snapshot
from companion.views import Snapshot, stand_in, view
from companion.watch import BACK, PutRight, Watch
from firmware_bridge.device import Fault
from firmware_bridge.press import Press

_ON_A_STATE = (Start, Finish, Do, DoAll, Draw, Takeback, Correct, Agree)
_REMEMBERED = 512

_log = logging.getLogger(__name__)


class Presence(msgspec.Struct, frozen=True):
    """A person's phone came (here) or went."""

    person: str
    here: bool


class Pause(msgspec.Struct, frozen=True):
    """Some time has passed in which nothing was said: what was half done may be an act by now."""


class Beat(msgspec.Struct, frozen=True):
    """Asks whether the loop still turns: it is answered in its turn, and nothing is published for it."""


Entry = Request | Press | Reading | Presence | Fault | Pause | Beat


class Table:
    """One table, one game at a time. `table` says how it is seen: "emulated", "camera" or "none".

    `emulated` names what is not real, for the banner of every page. `cards` is how an owner enters the
    pack's cards, None where they all are. `clock` is monotonic seconds.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        pack: Any,
        journal: Journal,
        *,
        table: str = "none",
        emulated: tuple[str, ...] = (),
        cards: OwnCards | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.game = game
        self.pack = pack
        self.cards = cards
        self._clerk = Clerk(game, pack, pack.name)
        self._journal = journal
        self._kind = table
        self._emulated = emulated
        self._queue: queue.SimpleQueue[tuple[Entry, Future[Answer]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)
        self._listeners: list[Callable[[int], None]] = []
        self._answers: OrderedDict[tuple[str, str], Answer] = OrderedDict()
        self._live: Counter[str] = Counter()
        self._notices: dict[str, Notice] = {}
        self._faults: dict[str, Notice] = {}
        self._retries: dict[str, Callable[[], None]] = {}
        self._watch = Watch(game, clock)
        self._learn: Callable[[PutRight], None] = lambda throw: None
        self._slow_disk = slow_disk.SlowDisk(self._disk_is_slow)
        self._revision = 0
        self._session = Session.replay(journal.acts()).at(game)
        if journal.damage:
            self._notices["journal"] = Notice(
                "journal", journal.damage, "Start the game again from the table."
            )
        self._snapshot = self._snap()
        self._line = self._lined()

    # -- for everybody ------------------------------------------------------------------------

    def start(self) -> None:
        """Start the loop's thread."""
        self._thread.start()
        self._slow_disk.start()

    def close(self) -> None:
        """Finish what is in the queue and stop. Entries that come later are not answered."""
        self._queue.put(None)
        if self._thread.is_alive():
            self._thread.join()
        self._slow_disk.stop()
        self._journal.close()

    def submit(self, entry: Entry) -> Future[Answer]:
        """Put an entry on the queue; the future gets its answer once that is on the disk."""
        future: Future[Answer] = Future()
        self._queue.put((entry, future))
        return future

    def view(self, person: str, seat: str = "") -> View:
        """What this person's page for this seat shows now (any thread)."""
        return view(self._snapshot, person, seat)

    def barred(self, person: str) -> str:
        """Why that person may enter none of the owner's cards now; "" for who may (any thread)."""
        snap = self._snapshot
        return barred(person, snap.people, {*snap.seats.values(), snap.host}, snap.state is not None)

    def stand_in(self, person: str, seat: str) -> View:
        """What the host's page for somebody else's seat shows now (any thread)."""
        return stand_in(self._snapshot, person, seat)

    @property
    def number(self) -> int:
        """The state number of the last published snapshot."""
        return self._snapshot.number

    @property
    def state(self) -> Any:
        """The believed state of the running game, or None (any thread)."""
        return self._snapshot.state

    @property
    def published(self) -> Snapshot:
        """The last published snapshot (any thread)."""
        return self._snapshot

    def moves(self) -> tuple[Action, ...]:
        """The line of actions that led to the believed state (any thread)."""
        line = self._line
        return () if line is None else line[2]

    def line(self) -> tuple[int, Any, tuple[Action, ...]] | None:
        """The running game, or None (any thread): the state number at which it began, the position
        that it began from, and the actions since.
        """
        return self._line

    def mend(self, device: str, retry: Callable[[], None]) -> None:
        """How people have this device tried again from a phone; `retry` must only hand over."""
        self._retries[device] = retry

    def teach(self, learn: Callable[[PutRight], None]) -> None:
        """Who hears of throws of which people say what they show; `learn` must only hand over."""
        self._learn = learn

    @property
    def faults(self) -> tuple[Notice, ...]:
        """What devices and their parts have said is wrong with them and is so still (any thread).

        People may take a notice away; the fault stays here.
        """
        return tuple(self._faults.copy().values())

    def story(self) -> tuple[LogLine, ...]:
        """The whole log of the running game (any thread)."""
        return tuple(self._session.log)

    def picture(self, name: str) -> bytes | None:
        """A JPEG by the name that a view gave, while it is kept."""
        return self._watch.pictures.get(name)

    def listen(self, callback: Callable[[int], None]) -> Callable[[], None]:
        """Call back after each publish, with a rising number, never twice at once; returns the way to stop.

        The callback must only hand over, for instance by `loop.call_soon_threadsafe`.
        """
        self._listeners = [*self._listeners, callback]

        def stop() -> None:
            self._listeners = [known for known in self._listeners if known is not callback]

        return stop

    # -- the loop -----------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            try:
                got = self._queue.get(timeout=0.5 if self._watch.waiting else None)
            except queue.Empty:
                got = (Pause(), Future())
            if got is None:
                return
            entry, future = got
            if isinstance(entry, Beat):
                future.set_result(Answer("done", self._session.number))
                continue
            try:
                answer = self._take(entry)
            except Exception as fault:  # the loop owns the game: one bad entry must not end it
                _log.exception("%s came to nothing.", type(entry).__name__)
                self._notices["loop"] = Notice(
                    "loop",
                    # Its words stay in the machine's log: they may tell of what only one player knows.
                    f"Something went wrong inside ({type(fault).__name__}).",
                    "The game goes on; try again.",
                )
                answer = Answer(
                    "refused", self._session.number, "Something went wrong inside. Nothing was changed."
                )
            self._publish()
            future.set_result(answer)

    def _take(self, entry: Entry) -> Answer:
        match entry:
            case Request():
                return self._request(entry)
            case Reading():
                self._watch.see(entry)
                self._look()
            case Pause():
                self._look()
            case Press():
                return self._press(entry)
            case Presence(person, here):
                self._live[person] += 1 if here else -1
                self._live = +self._live
            case Fault():
                self._fault(entry)
        return Answer("done", self._session.number)

    def _write(self, acts: list[Acts], request: str = "") -> Answer:
        """On the disk first, then true, then looked at with the camera's eyes."""
        answer = Answer("done", self._session.number + len(acts))
        if acts:
            with self._slow_disk.watched():
                self._journal.write(acts, request)
        if acts:
            self._notices.pop("disk", None)
            self._notices.pop(NOTICE, None)
        for act in acts:
            self._session.apply(act)
        if acts and self._session.course is not None:
            if not self._session.course.moves:
                self._watch.begin()
            self._watch.settle(self._session.course, sum(isinstance(act, Played) for act in acts))
            for throw in self._watch.put_right(self._session.course, acts):
                self._learn(throw)
        return answer

    # -- requests -----------------------------------------------------------------------------

    def _request(self, request: Request) -> Answer:
        # By person: a refusal may tell of what only who asked may know.
        key = (request.person, request.id)
        first = self._answers.get(key) or self._journal.answer(request.id)
        if first is not None:
            return first
        try:
            answer = self._answer(request)
        except Refused as fault:
            answer = Answer("refused", self._session.number, str(fault))
        except NotWritten as fault:
            self._refused(fault)
            return Answer("refused", self._session.number, str(fault))
        self._answers[key] = answer
        if len(self._answers) > _REMEMBERED:
            self._answers.popitem(last=False)
        return answer

    def _answer(self, request: Request) -> Answer:
        ask, session = request.ask, self._session
        if isinstance(ask, _ON_A_STATE) and request.on != session.number:
            return Answer("stale", session.number, "The table has moved on. Here is how it stands now.")
        if isinstance(ask, Decide):
            return self._decide(request, ask)
        if isinstance(ask, Enter):
            return self._enter(request, ask)
        if isinstance(ask, Retry):
            return self._retry(ask.device)
        if isinstance(ask, Dismiss):
            self._notices.pop(ask.notice, None)
            return Answer("done", session.number)
        answer = self._write(self._clerk.acts(session, request.person, ask, self._live), request.id)
        self._look()
        return Answer("done", answer.number)

    def _enter(self, request: Request, ask: Enter) -> Answer:
        """A card of the owner's, into the pack first: a game that knows a card has it from there."""
        cards = self.cards
        if cards is None:
            raise Refused("Every card of this pack is entered. Start with --pack owner to enter your own.")
        if cards.outdated(ask):
            words = "Somebody has entered this card meanwhile. Look at theirs before you save yours."
            return Answer("stale", self._session.number, words)
        acts = cards.acts(self._session, request.person, ask)
        cards.keep(ask)
        self.pack = self._clerk.pack = cards.pack
        answer = self._write(acts, request.id)
        self._look()
        return answer

    def _decide(self, request: Request, ask: Decide) -> Answer:
        """An answer to the companion's question: one of its lines, or upper faces entered by hand."""
        session, asked = self._session, self._watch.asked
        if asked is None or asked.question.id != ask.question:
            return Answer(
                "stale", session.number, "That question is settled. Here is how the table stands now."
            )
        if request.person not in {*session.seats.values(), session.host}:
            raise Refused("That is for those who sit at the table to say.")
        if ask.choice == BACK and asked.back >= 0:
            taken = self._clerk.acts(session, request.person, Takeback(asked.back), self._live)
            answer = self._write(taken, request.id)
            self._watch.answered(())
            self._look()
            return answer
        if ask.choice == "enter":
            action = self._clerk.action(session, ask.action)
            if not isinstance(action, Rolled):
                raise Refused("Only the upper faces of dice can be entered here. Choose one of the answers.")
            line: Line = (action,)
        elif ask.choice in asked.lines:
            line = asked.lines[ask.choice]
        else:
            raise Refused("That is none of the answers. Choose one of those shown.")
        acts = self._clerk.line(session, line, "phone", request.person)
        answer = self._write(acts, request.id)
        self._watch.answered(line)
        self._look()
        return answer

    # -- the camera ---------------------------------------------------------------------------

    def _look(self) -> None:
        """Play what the last Reading means, until it means nothing new."""
        course = self._session.course
        if course is None or self.game.over(course.state):
            self._watch.idle()
            return
        while line := self._watch.find(course):
            try:
                self._write(self._clerk.line(self._session, line, "camera"))
            except NotWritten as fault:
                self._watch.look_away()
                self._refused(fault)
                return
            if self.game.over(course.state):
                return

    def _refused(self, fault: NotWritten) -> None:
        self._notices["disk"] = Notice("disk", str(fault), fault.cure, machine=True)

    def _disk_is_slow(self) -> None:
        """Publish it in the place of the loop, which waits for the disk meanwhile."""
        self._revision += 1
        others = (known for known in self._snapshot.notices if known.id != slow_disk.NOTICE.id)
        self._snapshot = replace(self._snapshot, revision=self._revision, notices=(*others, slow_disk.NOTICE))
        self._tell_listeners()

    # -- buttons and faults -------------------------------------------------------------------

    def _press(self, press: Press) -> Answer:
        try:
            acts, said = pressed(self._clerk, self._session, self._watch.asked, press)
            answer = self._write(acts)
            if said is not None:
                self._watch.answered(said)
            self._look()
        except Refused as fault:
            self._notices[NOTICE] = Notice(NOTICE, str(fault))
            return Answer("refused", self._session.number, str(fault))
        except NotWritten as fault:
            self._refused(fault)
            return Answer("refused", self._session.number, str(fault))
        return answer

    def _retry(self, device: str) -> Answer:
        if device not in self._retries:
            raise Refused("There is no such device to try again.")
        self._retries[device]()
        return Answer("done", self._session.number)

    def _fault(self, fault: Fault) -> None:
        if fault.words:
            retry = fault.device in self._retries
            notice = Notice(fault.device, fault.words, fault.cure, retry, machine=True)
            # It is told with each try; whoever has taken it away has read it.
            if notice != self._faults.get(fault.device):
                self._notices[fault.device] = self._faults[fault.device] = notice
        else:
            self._notices.pop(fault.device, None)
            self._faults.pop(fault.device, None)
        # A camera that knows no more where the table lies is as good as none.
        blind = fault.device in ("camera", "corners")
        if blind and fault.words:
            self._watch.close_eyes()
        elif blind:
            self._watch.look_away()

    # -- publishing ---------------------------------------------------------------------------

    def _publish(self) -> None:
        self._revision += 1
        if words := self._watch.fault():
            self._notices["table"] = Notice("table", words)
        else:
            self._notices.pop("table", None)
        self._snapshot = self._snap()
        self._line = self._lined()
        self._tell_listeners()

    def _tell_listeners(self) -> None:
        for callback in self._listeners:
            try:
                callback(self._revision)
            except Exception:  # who fails to listen must stop neither the game nor the other listeners
                _log.exception("A listener failed.")

    def _snap(self) -> Snapshot:
        return snapshot(
            self.game,
            self._session,
            self._watch,
            revision=self._revision,
            table=self._kind,
            emulated=self._emulated,
            live=self._live,
            notices=self._notices.values(),
        )

    def _lined(self) -> tuple[int, Any, tuple[Action, ...]] | None:
        course = self._session.course
        return None if course is None else (self._session.began, course.states[0], tuple(course.moves))
