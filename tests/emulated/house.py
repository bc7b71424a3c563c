"""A whole companion at an emulated table: world, camera, eyes, table and people, on one virtual clock."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from companion import games, packs
from companion.emulated.camera import EmulatedCamera
from companion.emulated.clock import VirtualClock
from companion.emulated.figures import Figure
from companion.emulated.people import People
from companion.emulated.poses import Key
from companion.emulated.world import World
from companion.eyes import Looking
from companion.journal import Journal
from companion.messages import View
from companion.table import Table
from vision.card_faces import CardFaces
from vision.source import Source
from vision.tapped import Tapped

ASIDE = 25.0
"""Degrees that a camera beside the table leans more than one over it: the sides of dice show as large as
their upper faces."""


class House:
    def __init__(
        self,
        folder: Path,
        seed: int,
        seats: tuple[str, ...],
        rate: float = 5.0,
        game: str = "pawns_of_perdition",
        unmarked: frozenset[Key] = frozenset(),
        faces: CardFaces | None = None,
        figures: Mapping[Key, Figure] | None = None,
        aside: float = 0.0,
    ) -> None:
        self.clock = VirtualClock()
        self.world = World(seed, self.clock, unmarked=unmarked, figures=figures or {})
        self.camera = EmulatedCamera(self.world, rate, aside=aside)
        self.game = games.load(game)
        self.table = Table(
            self.game,
            packs.load(self.game, "house"),
            Journal(folder),
            table="emulated",
            clock=self.clock.now,
        )
        self.table.start()
        self.looking = Looking(
            self.table,
            self.looked_at_by(),
            clock=self.clock.now,
            faces=lambda: faces,
            corners=self.corners,
        )
        self.looking.open()
        self.people = People(self.table, self.world, self.looking.look, seats)

    def looked_at_by(self) -> Source:
        """What looks at the table."""
        return self.camera

    def corners(self) -> Tapped | None:
        """The corners that were tapped by now."""
        return None

    def view(self, seat: str = "") -> View:
        return self.table.view(seat, seat)

    def close(self) -> None:
        self.table.close()
