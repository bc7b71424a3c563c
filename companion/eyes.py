"""The thread that looks: frames from a source, read as a table, put on the table's queue.

A camera that hangs, goes dark or loses its cable becomes a Fault with a way on; the supervisor
tries it again, and the game goes on by phone meanwhile.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from companion.corners import NAME as CORNERS
from companion.games.layout import Piece, TableMap
from companion.kit_dice import kit_dice
from companion.messages import Answer
from companion.sheet_print import sheet_print
from companion.table import Table
from companion.viewfinder import Viewfinder
from firmware_bridge.device import BridgeError, Fault
from firmware_bridge.held_up import HeldUp
from firmware_bridge.supervisor import Supervisor
from vision import advice
from vision.advice import Advice
from vision.card_faces import CardFaces
from vision.coloured_tokens import SheetPrint
from vision.own_faces import OwnFaces
from vision.poker_faces import PokerFaces
from vision.settling import RollTracker
from vision.source import Frame, Source, SourceFault
from vision.table import TableReader
from vision.tapped import Standing, Tapped

NAME = "camera"

PIECES = "pieces"
"""What faults are called that tell of pieces without markers."""

PATIENCE = 3.0
"""Seconds without a frame after which the camera counts as hanging."""

DARK = 14.0
"""A picture whose mean (of 255) is below this shows nothing."""

_WAIT = 0.5  # seconds that one read may take
_COVERED = 3.0  # seconds for which tapped corners must be hidden before people are told
_DUSK = 1.0  # seconds for which it must be dark, or light again, before people are told


Faces = Callable[[], CardFaces | None]
"""The cards that are known by their faces now, if any: the same object until others are."""

DiceFaces = Callable[[], PokerFaces | None]
"""The faces of poker dice that are known now, None where dice have pips: the same object until others are."""


Own = Callable[[], OwnFaces | None]
"""The faces of an owner's dice that were kept so far, None where none may be kept."""

TappedNow = Callable[[], Tapped | None]
"""The corners that people have tapped by now, if any: the same object until they are set again."""


class Looking:
    """A source being read for one table, as a device that a supervisor runs.

    `faces` tells of the cards that lie there without a marker, `dice` of poker dice: those of the game's
    print kit where nothing is said. `viewfinder` shows to people what comes, if there is one. `corners` are
    those that people have tapped, `own` the kept faces of dice with pips.
    """

    name = NAME
    emulates = ""

    def __init__(
        self,
        table: Table,
        source: Source,
        *,
        clock: Callable[[], float] = time.monotonic,
        faces: Faces = lambda: None,
        dice: DiceFaces | None = None,
        viewfinder: Viewfinder | None = None,
        corners: TappedNow = lambda: None,
        own: Own = lambda: None,
    ) -> None:
        self._viewfinder = viewfinder
        self._own = own
        self._corners = corners
        self._tapped = corners()
        self._hidden_since: float | None = None
        self._astray: Standing | None = None
        self._faces = faces
        self._known = faces()
        kit = kit_dice(table.game) if dice is None else None
        self._dice = dice or (lambda: kit)
        self._known_dice = self._dice()
        self._table = table
        self._source = source
        self._clock = clock
        self._stop = threading.Event()
        self._reading = HeldUp()
        self._rolls = RollTracker()
        self._state: Any = None
        self._reader = self._fresh()
        self._last_frame = 0.0
        self._dark_since: float | None = None
        self._told_dark = False
        self._advice: Advice | None = None

    @property
    def held_up(self) -> float:
        """For how many seconds the source has not come back."""
        return self._reading.seconds

    def open(self) -> None:
        """Open the source; BridgeError when it gives no pictures."""
        self._stop.clear()
        try:
            self._source.open()
        except SourceFault as fault:
            raise _bridged(fault) from fault
        self._last_frame = self._clock()
        self._dark_since, self._told_dark = None, False
        self._reader = self._fresh()

    def run(self) -> None:
        """Look until closed; BridgeError when the source fails."""
        try:
            while not self._stop.is_set():
                self.look()
        finally:
            self._source.close()
            if self._viewfinder is not None:
                self._viewfinder.away()

    def close(self) -> None:
        """End `run`, which lets go of the source, or an `open` that takes long."""
        self._stop.set()
        self._source.give_up()

    def look(self) -> Future[Answer] | None:
        """Read one frame; what it settled is put on the table's queue, and the answer comes back."""
        try:
            return self._look()
        except SourceFault as fault:
            raise _bridged(fault) from fault

    def _look(self) -> Future[Answer] | None:
        with self._reading:  # a folder or a file may lie on a disk or in a network that hangs
            frame = self._source.read(_WAIT)
        if frame is None:
            if self._clock() - self._last_frame > PATIENCE:
                raise BridgeError(
                    f"The camera has given no picture for {PATIENCE:.0f} seconds.",
                    "See to its cable; meanwhile enter dice on a phone. It is tried again by itself.",
                    permanent=False,
                )
            return None
        self._last_frame = self._clock()
        if self._viewfinder is not None:
            self._viewfinder.offer(frame)
        if self._too_dark(frame):
            return None
        known = self._faces()
        if known is not self._known:
            self._known = known
            self._reader.learn(known)
        dice = self._dice()
        if dice is not self._known_dice:
            self._known_dice = dice
            self._reader.learn_dice(dice)
        self._reader.remember(self._own())
        tapped = self._corners()
        if tapped is not self._tapped:
            self._tapped = tapped
            self._reader.take(tapped)
        state = self._table.state
        if state is not self._state:
            self._state = state
            self._reader.lay_out(*self._layout())
        reading = self._reader.see(frame)
        coloured = self._reader.coloured
        self._advise(None if coloured is None else coloured.advice)
        self._tell_of_corners(frame.time)
        if reading is None:
            return None
        if self._viewfinder is not None:
            self._viewfinder.told(reading)
        return self._table.submit(reading)

    def _advise(self, advice: Advice | None) -> None:
        """Tell people why pieces cannot be told by their colours, once for each reason."""
        if advice != self._advice:
            self._advice = advice
            told = Fault(PIECES, advice.words, advice.cure) if advice else Fault(PIECES, "", "")
            self._table.submit(told)

    def _fresh(self) -> TableReader:
        """A reader that has seen nothing of the table yet; throws are counted on."""
        return TableReader(
            *self._layout(),
            rolls=self._rolls,
            faces=self._known,
            dice=self._known_dice,
            tapped=self._tapped,
            print=self._print,
        )

    def _print(self) -> SheetPrint:
        """The sheet of the game on the table, and the colours of its pieces."""
        return sheet_print(self._table.game, self._state)

    def _layout(self) -> tuple[TableMap | None, tuple[Piece, ...]]:
        """Where the places of the table are now, and how the rules have it."""
        if self._state is None:
            return None, ()
        game = self._table.game
        return game.table_map(self._state), game.layout(self._state).pieces

    def _tell_of_corners(self, now: float) -> None:
        """Tell people when corners that they tapped are needed and hold no more, and when they do again."""
        standing = self._reader.standing
        if standing != "hidden":
            self._hidden_since = None
        elif self._hidden_since is None:
            self._hidden_since = now
        if self._hidden_since is not None and now - self._hidden_since < _COVERED:
            return  # an arm may rest there
        astray = None if standing == "fits" else standing
        if astray == self._astray:
            return
        self._astray = astray
        found = advice.of_taps(astray)
        words, cure = (found[0].words, found[0].cure) if found else ("", "")
        self._table.submit(Fault(CORNERS, words, cure))

    def _too_dark(self, frame: Frame) -> bool:
        dark = bool(frame.small[::2, ::2].mean() < DARK)
        if dark == self._told_dark:
            self._dark_since = None
            return dark
        if self._dark_since is None:
            self._dark_since = frame.time
        if frame.time - self._dark_since >= _DUSK:
            self._told_dark, self._dark_since = dark, None
            words = "The camera sees nothing but darkness." if dark else ""
            cure = "Put on a light, or take off the camera's cap; meanwhile enter dice on a phone."
            self._table.submit(Fault(NAME, words, cure if dark else ""))
            self._reader = self._fresh()
        # Neither in the dusk nor in the dawn is anything read: what is seen then is not sure.
        return True


class Eyes:
    """Looks in a thread of its own, and tells the table when it cannot."""

    def __init__(
        self,
        table: Table,
        source: Source,
        faces: Faces = lambda: None,
        dice: DiceFaces | None = None,
        viewfinder: Viewfinder | None = None,
        corners: TappedNow = lambda: None,
        own: Own = lambda: None,
    ) -> None:
        self._table = table
        looking = Looking(
            table, source, faces=faces, dice=dice, viewfinder=viewfinder, corners=corners, own=own
        )
        self.supervisor = Supervisor(looking, self._report)

    def start(self) -> None:
        """Begin to look."""
        self.supervisor.start()

    def retry(self) -> None:
        """Try again now: somebody has mended what was wrong for good."""
        self.supervisor.retry()

    def close(self) -> None:
        """Stop looking."""
        self.supervisor.stop()

    def _report(self, name: str, fault: Fault | None) -> None:
        self._table.submit(fault or Fault(name, "", ""))


def _bridged(fault: SourceFault) -> BridgeError:
    return BridgeError(fault.words, fault.cure, permanent=fault.permanent)
