"""The hands of those who play at an emulated table by phone alone.

They throw when told, and bring each piece a moment later to where the companion says it belongs, as
people at a real table do. Whether the companion understood is seen by its camera alone.
"""

from __future__ import annotations

import threading
from random import Random

from companion.chance import outcome
from companion.emulated.box import box_of
from companion.emulated.camera import EmulatedCamera
from companion.emulated.truth import Truth
from companion.emulated.world import World
from companion.games.game import AwaitedDice, Rolled, are_lots
from companion.table import Table

MOMENT = 0.7
"""Seconds that people take before they put a piece where it belongs."""

_REACHING = 0.15  # how often somebody reaches over the table after a change
_REST = 0.6  # seconds that such an arm stays


class Controls:
    """Plays the physical side of one table. `camera` looks down on it; `world` is what lies there."""

    def __init__(self, table: Table, seed: int) -> None:
        self.world = World(seed)
        self.camera = EmulatedCamera(self.world)
        self._table = table
        self._truth = Truth(table.game, seed)
        self._seed = seed
        self._chance = Random(f"{seed}:people")
        self._number = 0
        self._lock = threading.Lock()
        self._changed = threading.Event()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="emulated hands", daemon=True)
        self._set_out()
        self._deaf = table.listen(lambda _: self._changed.set())
        self._thread.start()

    def throw(self, seat: str) -> None:
        """The seat throws the dice that the table waits for; ValueError when it waits for none of it."""
        awaited = self._awaited()
        if awaited is None or awaited.seat != seat:
            raise ValueError(f"The table does not wait for a throw by {seat.capitalize()}. Look again.")
        moves = len(self._table.moves())
        self._set_out()
        with self._lock:
            salt = f"{self._seed}:{self._number}:{moves}:{self.world.thrown}"
            roll = outcome(awaited, Random(salt))
            assert isinstance(roll, Rolled)
            self.world.throw(roll.values)

    def hand(self, seat: str) -> tuple[str, ...]:
        """The cards that the seat holds, by name; none when no game runs."""
        with self._lock:
            line = self._table.line()
            state = self._truth.follow(*line) if line else None
            if state is None or seat not in state.seats:
                return ()
            return tuple(state.hands[state.seats.index(seat)])

    def close(self) -> None:
        """Put the hands down."""
        self._deaf()
        self._closing.set()
        self._changed.set()
        self._thread.join()

    def _awaited(self) -> AwaitedDice | None:
        """The throw that is awaited, or that may come next because only going on is left to say."""
        game, state = self._table.game, self._table.state
        if state is None:
            return None
        chance = game.awaiting(state).chance
        implied = game.implied(state)
        if chance is None and implied is not None:
            chance = game.awaiting(game.play(state, implied)).chance
        if not isinstance(chance, AwaitedDice) or are_lots(chance.faces, game.seats):
            return None
        return chance

    def _run(self) -> None:
        while not self._closing.is_set():
            self._changed.wait()
            self._changed.clear()
            if self._closing.wait(MOMENT):
                return
            self._set_out()
            self._bring()

    def _set_out(self) -> None:
        """A game that was not there before: its sheet and pieces are laid out as it stands."""
        with self._lock:
            line, state = self._table.line(), self._table.state
            if line is not None and state is not None and line[0] != self._number:
                self._number = line[0]
                self._truth.follow(*line)
                self.world.set_out(
                    self._table.game.table_map(state), self._truth.layout(), box_of(self._table.game, state)
                )

    def _bring(self) -> None:
        with self._lock:
            line = self._table.line()
            if line is None or self.world.map is None or line[0] != self._number:
                return
            state, layout = self._truth.follow(*line), self._truth.layout()
        moved = not self.world.fits(layout)
        if moved:
            self.world.bring(self._table.game.table_map(state), layout)
        if moved and self._chance.random() < _REACHING:
            sheet = self.world.map
            at = (self._chance.uniform(0, sheet.width), self._chance.uniform(0, sheet.height))
            self.world.reach(at, _REST)
