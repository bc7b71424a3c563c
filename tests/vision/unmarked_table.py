"""A table on which cards lie without markers, a camera over it and a reader behind that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from msgspec.structs import replace

from companion.emulated.box import box_of
from companion.emulated.camera import EmulatedCamera
from companion.emulated.clock import VirtualClock
from companion.emulated.poses import Key
from companion.emulated.world import World
from companion.games.hellrail.state import ACTIONS, Rail, State
from companion.games.layout import Piece, Point, Reading
from tests.emulated.enrolment import CARDS, GAME, STATE
from vision.card_faces import CardFaces
from vision.table import TableReader

CELLS = tuple(
    (column, row)
    for row in range(8)
    for column in range(11)
    if (column, row) not in {circle.cell for circle in STATE.circles}
)
"""Cells of the sheet in which no Circle lies."""


def with_rails(rails: Iterable[Rail] = (), top: str = "") -> State:
    """The Circles and that rail."""
    return replace(
        STATE,
        rails=tuple(sorted(rails)),
        phase=ACTIONS,
        dealt=(),
        top=top,
        discard=(top,) if top else (),
    )


class UnmarkedTable:
    """Time passes here alone; `reading` is the last one."""

    def __init__(
        self,
        of: Any,
        faces: CardFaces | None,
        unmarked: frozenset[Key] = CARDS,
        *,
        seed: int = 1,
        told: bool = False,
        game: Any = GAME,
    ) -> None:
        self.state, self.game, self.told = of, game, told
        self.clock = VirtualClock()
        self.world = World(seed, self.clock, unmarked=unmarked)
        self.world.set_out(self.game.table_map(of), self.game.layout(of), box_of(self.game, of))
        self.camera = EmulatedCamera(self.world, 8.0)
        self.camera.open()
        self.reader = TableReader(self.game.table_map(of), self.pieces(), faces=faces)
        self.reading = Reading(0.0)

    def frames(self, seconds: float) -> Iterator[Reading | None]:
        """Let so much time pass; what each frame told."""
        until = self.clock.now() + seconds
        while self.clock.now() < until:
            frame = self.camera.read(1.0)
            assert frame is not None
            reading = self.reader.see(frame)
            self.reading = reading or self.reading
            yield reading

    def wait(self, seconds: float) -> None:
        for _ in self.frames(seconds):
            pass

    def rest(self) -> Reading:
        """Let everything come to rest and be read."""
        self.wait(self.world.rests - self.clock.now() + 1.5)
        return self.reading

    def pieces(self) -> tuple[Piece, ...]:
        """What the reader is told to lie there."""
        return tuple(self.game.layout(self.state).pieces) if self.told else ()

    def become(self, of: Any) -> None:
        """Carry all to where that state has it; the reader knows the map, and no more than it is told."""
        self.state = of
        self.world.bring(self.game.table_map(of), self.game.layout(of))
        self.reader.lay_out(self.game.table_map(of), self.pieces())

    @property
    def reads(self) -> int:
        """How often a face was looked for."""
        sheet = self.reader._sheet
        assert sheet is not None
        assert sheet._faces is not None
        return sheet._faces.reads

    def middle(self, place: str) -> Point:
        outline = next(
            known.outline for known in self.game.table_map(self.state).places if known.name == place
        )
        x, y = np.mean(outline, axis=0)
        return (float(x), float(y))


def sure(reading: Reading) -> dict[Key, tuple[str, int]]:
    """The place and turn of each card that is told without asking."""
    return {
        (sight.piece.kind, sight.piece.name): (sight.piece.place, sight.piece.turn)
        for sight in reading.pieces
        if sight.confidence >= 0.9 and sight.piece.kind != "engine" and sight.piece.place not in reading.holes
    }


def truth(of: State) -> dict[Key, tuple[str, int]]:
    """The same as it is; a discarded card lies as it fell."""
    return {
        (piece.kind, piece.name): (piece.place, piece.turn)
        for piece in GAME.layout(of).pieces
        if piece.kind != "engine"
    }
