"""A camera over an emulated table and a reader behind it, on a clock of their own; no companion."""

from __future__ import annotations

from companion.emulated.box import Box
from companion.emulated.camera import EmulatedCamera
from companion.emulated.clock import VirtualClock
from companion.emulated.world import World
from companion.games.layout import Layout, Marker, Piece, Place, Point, Reading, TableMap, Token
from companion.games.pawns_of_perdition.drawing import board_sheet, pawn_cap
from vision.source import Frame
from vision.table import TableReader

NAMES = ("red", "blue", "green")


def rectangle(left: float, top: float, width: float, height: float) -> tuple[Point, ...]:
    return ((left, top), (left + width, top), (left + width, top + height), (left, top + height))


def small_map() -> TableMap:
    """Twelve places in three rows, a tray to their right."""
    places = tuple(
        Place(f"p:{row * 4 + column}", rectangle(80 + 130 * column, 60 + 140 * row, 126, 136), look, "x")
        for row, look in enumerate(("safe", "sin", "torment"))
        for column in range(4)
    )
    corners = tuple(
        Marker(number, at, 36.0) for number, at in enumerate(((28, 28), (932, 28), (932, 512), (28, 512)))
    )
    tray = Place("tray", rectangle(660, 60, 230, 420), "tray", "Dice")
    tokens = tuple(Token(10 + number, 24.0, "pawn", name) for number, name in enumerate(NAMES))
    return TableMap(960, 540, corners, places, tray, tokens)


def small_box() -> Box:
    """Its sheet, and its three pawns."""
    map = small_map()
    pawns = {token.name: pawn_cap(token) for token in map.tokens}
    return Box(board_sheet(map), lambda kind, name: pawns[name])


class Rig:
    def __init__(self, seed: int, dice: tuple[int, ...] = (), rate: float = 8.0) -> None:
        self.clock = VirtualClock()
        self.world = World(seed, self.clock)
        self.map = small_map()
        pieces = tuple(sorted(Piece("pawn", name, f"p:{number}") for number, name in enumerate(NAMES)))
        self.world.set_out(self.map, Layout(pieces, dice), small_box())
        self.camera = EmulatedCamera(self.world, rate)
        self.camera.open()
        self.reader = TableReader(self.map)

    def frame(self) -> Frame:
        frame = self.camera.read(1.0)
        assert frame is not None
        return frame

    def run(self, seconds: float) -> list[Reading]:
        """Let so much time pass; the Readings that came."""
        until = self.clock.now() + seconds
        readings = []
        while self.clock.now() < until:
            reading = self.reader.see(self.frame())
            if reading is not None:
                readings.append(reading)
        return readings

    def rest(self) -> list[Reading]:
        """Let everything come to rest and be read."""
        return self.run(self.world.rests - self.clock.now() + 1.5)


def places(reading: Reading) -> dict[str, str]:
    return {sight.piece.name: sight.piece.place for sight in reading.pieces}
