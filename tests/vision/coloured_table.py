"""Pawns without caps on the emulated table's sheet, and the reader that tells them by their colours."""

from __future__ import annotations

from collections.abc import Mapping

from companion import games, packs
from companion.emulated.box import box_of
from companion.emulated.camera import EmulatedCamera
from companion.emulated.clock import VirtualClock
from companion.emulated.figures import Figure
from companion.emulated.world import World
from companion.findings import sighted
from companion.games.layout import Reading
from companion.sheet_print import sheet_print
from vision.coloured_tokens import SheetPrint
from vision.source import Image
from vision.table import TableReader

GAME = games.load("pawns_of_perdition")
RED, BLUE, GREEN, YELLOW, WHITE = "#cc2c30", "#2460be", "#349446", "#eece34", "#f4f4f4"
FOUR = {"red": RED, "blue": BLUE, "green": GREEN, "yellow": YELLOW}


class ColouredTable:
    """Pawns on Start in those colours, by seat; seats without one have pawns with caps."""

    def __init__(
        self,
        seed: int,
        colours: Mapping[str, str],
        seats: tuple[str, ...] = (),
        figure: Figure | None = None,
    ) -> None:
        figure = figure or Figure("pawn", RED)
        self.clock = VirtualClock()
        figures = {
            ("pawn", seat): Figure(figure.shape, colour, figure.wide, figure.high, figure.glossy)
            for seat, colour in colours.items()
        }
        self.world = World(seed, self.clock, figures=figures)
        self.camera = EmulatedCamera(self.world, 5.0)
        self._state = GAME.setup(seats or tuple(colours), packs.load(GAME, "house"), {})
        self.map, layout = GAME.table_map(self._state), GAME.layout(self._state)
        self.drawn = 0
        self.world.set_out(self.map, layout, box_of(GAME, self._state))
        self.reader = TableReader(self.map, layout.pieces, print=self._print)
        assert self.reader.coloured is not None
        self.coloured = self.reader.coloured
        self.reading = Reading(0.0)
        self.camera.open()

    def _print(self) -> SheetPrint:
        self.drawn += 1
        return sheet_print(GAME, self._state)

    @property
    def known(self) -> set[str]:
        """The seats whose pawns are told by their colours."""
        return {name for _, name in self.coloured.colours}

    @property
    def told(self) -> dict[str, str]:
        """The place of each pawn that is surely seen."""
        return {name: place for (_, name), (place, _) in sighted(self.reading, self.map).items()}

    def swap(self, seat: str, colour: str) -> None:
        """Somebody takes that pawn off and stands another one there, from another box."""
        self.world.figures = dict(self.world.figures) | {("pawn", seat): Figure("pawn", colour)}
        self.world.set_out(self.map, GAME.layout(self._state), box_of(GAME, self._state))

    @property
    def picture(self) -> Image:
        """What the camera sees once everything has come to rest (BGR, uint8)."""
        self.clock.sleep(self.world.rests - self.clock.now())
        frame = self.camera.read(1.0)
        assert frame is not None
        return frame.image

    def look(self, seconds: float = 2.5) -> None:
        """Let the reader look until so long after everything has come to rest."""
        end = self.world.rests + seconds
        while self.clock.now() < end:
            frame = self.camera.read(1.0)
            reading = self.reader.see(frame) if frame is not None else None
            self.reading = reading or self.reading
