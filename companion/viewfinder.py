"""The camera's picture for people who look at it: taken only while somebody does, and never kept.

The eyes hand over a frame when one is wanted, which costs them a copy. It is read in a thread of its own,
which gives way to all others and rests between two looks. Nothing of it is written to any disk.
"""

from __future__ import annotations

import logging
import os
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.corners import Corners
from companion.games.layout import Reading, TableMap
from companion.glances import Glances
from companion.kept_dice import KeptDice
from companion.table import Table
from companion.tapping import Shot, Tapping
from companion.upkeep.camera import Seen
from vision.own_faces import OwnFaces
from vision.poker_faces import PokerFaces
from vision.source import Frame

Image = NDArray[np.uint8]

EVERY = 1.0
"""Seconds from one look to the next at least, however many people look."""

REST = 3.0
"""So many times as long as a look has taken there is none after it."""

FRESH = 10.0
"""Seconds after which a look is no longer shown: it may not be what the camera sees now."""

_KEPT = 3  # pictures: a phone may still ask for the one before
_HELD = 4  # pictures on which corners are tapped
_BACKGROUND = 10  # niceness of the thread that reads

_log = logging.getLogger(__name__)


class Viewfinder:
    """The camera of one table, for pages. `dice` gives the faces of poker dice, None where dice have pips.

    `corners` is where tapped ones are kept, `own` are the kept faces of the owner's dice, None where none
    may be kept. `clock` is monotonic seconds.
    """

    def __init__(
        self,
        table: Table,
        dice: Callable[[], PokerFaces | None],
        corners: Corners,
        clock: Callable[[], float] = time.monotonic,
        own: KeptDice | None = None,
    ) -> None:
        self.own = own
        self._table = table
        self._kept_corners = corners
        self.corners = Tapping(corners, self._shot, self._map_now)
        self._dice = dice
        self._clock = clock
        self._glances = Glances()
        self._before_game: TableMap | None = None
        self._boot = secrets.token_hex(8)
        self._count = 0
        self._wanted = False
        self._due = clock()
        self._frame: Image | None = None
        self._reading: Reading | None = None
        self._seen: tuple[float, Seen] | None = None
        self._pictures: OrderedDict[str, Shot] = OrderedDict()
        self._held: OrderedDict[str, Shot] = OrderedDict()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="viewfinder", daemon=True)

    def start(self) -> None:
        """Begin to read what is handed over."""
        self._thread.start()

    def close(self) -> None:
        """Read nothing more, and forget all pictures."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join()
        self._forget()

    def own_faces(self) -> OwnFaces | None:
        """The kept faces of the owner's dice as they are known now; None where none may be kept."""
        return None if self.own is None else self.own.faces

    # -- for the eyes ---------------------------------------------------------------------------

    def offer(self, frame: Frame) -> None:
        """The camera has given this frame: it is taken when somebody looks. May raise its SourceFault."""
        with self._changed:
            if not self._wanted or self._closed or self._frame is not None or self._clock() < self._due:
                return
        # The whole picture may have to be fetched: nobody who asks for a page waits for that.
        image = frame.image.copy()
        with self._changed:
            self._frame, self._wanted = image, False
            self._changed.notify_all()

    def told(self, reading: Reading) -> None:
        """The table's eyes have told this."""
        self._reading = reading

    def away(self) -> None:
        """The camera gives nothing any more: what it showed before says nothing of now."""
        self._reading = None
        self._forget()

    # -- for pages ------------------------------------------------------------------------------

    def look(self) -> None:
        """Somebody looks: take a picture soon, unless one was taken a moment ago."""
        self._wanted = True

    def seen(self) -> Seen | None:
        """The newest look, None where there is none of these last seconds."""
        seen = self._seen
        return None if seen is None or self._clock() - seen[0] > FRESH else seen[1]

    def picture(self, name: str) -> bytes | None:
        """The picture (JPEG) of one of the last looks by its name; None when it is not kept any more."""
        shot = self._shot(name)
        return None if shot is None else shot.jpeg

    def hold(self, name: str) -> None:
        """Keep the picture of that name for longer: somebody taps corners on it."""
        if (shot := self._shot(name)) is not None:
            with self._changed:
                self._held[name] = shot
                self._held.move_to_end(name)
                while len(self._held) > _HELD:
                    self._held.popitem(last=False)

    def _shot(self, name: str) -> Shot | None:
        return self._held.get(name) or self._pictures.get(name)

    # -- reading --------------------------------------------------------------------------------

    def _run(self) -> None:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _BACKGROUND)
        while (image := self._next()) is not None:
            began = self._clock()
            try:
                self._read(image, began)
            except Exception:  # one picture that cannot be shown must not end all looking
                _log.exception("A picture of the camera came to nothing.")
            with self._changed:
                self._frame = None
                took = self._clock() - began
                self._due = began + max(EVERY, took * (1 + REST))

    def _next(self) -> Image | None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._frame is not None)
            return None if self._closed else self._frame

    def _read(self, image: Image, began: float) -> None:
        self._count += 1
        name = f"{self._boot}-{self._count}"
        state = self._table.state
        reading = None if state is None else self._reading
        seen, shot = self._glances.see(
            name,
            image,
            self._map_of(state),
            reading,
            self._dice(),
            self._kept_corners.tapped,
            self.own_faces(),
        )
        self._pictures[name] = shot
        while len(self._pictures) > _KEPT:
            self._pictures.popitem(last=False)
        self._seen = (began, seen)

    def _map_now(self) -> TableMap:
        return self._map_of(self._table.state)

    def _map_of(self, state: Any) -> TableMap:
        """Where everything lies in the running game, or in one that has just been set up."""
        game = self._table.game
        if state is not None:
            return game.table_map(state)
        if self._before_game is None:
            self._before_game = game.table_map(game.setup(game.seats, self._table.pack, {}))
        return self._before_game

    def _forget(self) -> None:
        self._seen = None
        self._pictures.clear()
        with self._changed:
            self._held.clear()
