"""What seeing costs, one core, medians: each part beside the limit it is held against, in one run."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import cv2
import numpy as np

from companion import games, packs
from companion.emulated.box import box_of
from companion.emulated.camera import RATE, EmulatedCamera
from companion.emulated.clock import VirtualClock
from companion.emulated.world import World
from companion.games.hellrail.table import layout, table_map
from companion.games.layout import Layout, Piece
from tests.vision.hellrail_table import TRACKS, Lie, full_state
from tests.vision.laid_table import LaidTable, View
from vision.dice import read_dice
from vision.markers import find_markers
from vision.settling import MotionGate, RollTracker
from vision.sheet import SheetReader
from vision.source import Frame, Image
from vision.table import TableReader
from vision.tray import Tray

SIZES = ((1280, 720), (1920, 1080))
STRIDE = 8


def milliseconds(work: Callable[[int], object], times: int = 40) -> float:
    """Median time of one call; the first ones warm up."""
    for turn in range(3):
        work(turn)
    took = []
    for turn in range(times):
        start = time.perf_counter()
        work(turn)
        took.append(time.perf_counter() - start)
    return median(took) * 1000


def table(size: tuple[int, int], dice: tuple[int, ...] = (5, 2)) -> tuple[World, EmulatedCamera]:
    game = games.load("pawns_of_perdition")
    state = game.setup(game.seats, packs.load(game, "house"), {})
    spaces = dict(zip(game.seats, (3, 17, 31, 44, 58), strict=True))
    pawns = tuple(sorted(Piece("pawn", name, f"space:{space}") for name, space in spaces.items()))
    world = World(3, VirtualClock())
    world.set_out(game.table_map(state), Layout(pawns, dice), box_of(game, state))
    camera = EmulatedCamera(world, size=size)
    camera.open()
    return world, camera


def frames(camera: EmulatedCamera, count: int) -> list[Frame]:
    return [frame for _ in range(count) if (frame := camera.read(1.0)) is not None]


def settled(map_of: World, still: list[Frame]) -> float:
    """Everything that one rest costs, from its first still frame to its Reading."""
    took = []
    for _ in range(15):
        reader = TableReader(map_of.map)
        spent, reading = 0.0, None
        for frame in still:
            start = time.perf_counter()
            reading = reader.see(frame)
            spent += time.perf_counter() - start
            if reading is not None:
                break
        if reading is None:
            raise RuntimeError("A table at rest was not read.")
        took.append(spent)
    return median(took) * 1000


def line(words: str, took: float, limit: float = 0.0, target: float = 0.0, beside: str = "") -> None:
    ratio = f"{took / limit:6.2f} x {beside} (target: at most {target:g})" if limit else ""
    print(f"  {words:<44}{took:8.3f} ms  {ratio}")


def measure(size: tuple[int, int]) -> None:
    print(f"\n{size[0]} x {size[1]}")
    world, camera = table(size)
    still = frames(camera, 24)
    grey: list[Image] = [
        np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), np.uint8) for frame in still
    ]
    few: list[Image] = [np.ascontiguousarray(picture[::STRIDE, ::STRIDE]) for picture in grey]

    def floor(turn: int) -> int:
        sample = np.ascontiguousarray(grey[turn % 24][::STRIDE, ::STRIDE])
        return int(np.count_nonzero(cv2.absdiff(few[(turn + 1) % 24], sample) > 12))

    gate = MotionGate()
    bound = milliseconds(floor, 400)
    gated = milliseconds(lambda turn: gate.still(turn * 0.1, grey[turn % 24]), 400)
    line("gate's limit: stride, difference, count", bound)
    line("gate, grey frame", gated, bound, 3, "the limit")
    coloured = milliseconds(lambda turn: gate.still(turn * 0.1, still[turn % 24].image), 400)
    line("gate, colour frame", coloured)

    usual = milliseconds(lambda turn: find_markers(still[turn % 24].image))
    quick = milliseconds(lambda turn: find_markers(still[turn % 24].image, quick=True))
    line("markers, OpenCV's own parameters", usual)
    line("markers, one window", quick)

    if world.map is None:
        raise RuntimeError("The table is bare.")
    outline = camera.viewpoint.project(world.map.tray.outline)
    left, top = (int(edge) for edge in np.floor(outline.min(axis=0)))
    right, below = (int(edge) for edge in np.ceil(outline.max(axis=0)))
    trays = [np.ascontiguousarray(frame.image[top:below, left:right]) for frame in still]
    dice = milliseconds(lambda turn: read_dice(trays[turn % 24]), 20)
    line("dice in the tray, read once", dice)

    def throw(turn: int) -> None:
        tray = Tray(RollTracker())
        while not tray.look(still[turn % 24].image, (left, top, right, below)):
            turn += 1
        tray.settle(0.0)

    line("dice in the tray, settled by two looks", milliseconds(throw, 12), usual, 3, "one marker pass")

    whole = settled(world, still)
    line("a rest with a new throw: markers, dice twice", whole)
    bare, there = table(size, dice=())
    pieces = settled(bare, frames(there, 24))
    line("a rest with an empty tray", pieces)
    first = TableReader(world.map)
    for frame in still:
        first.see(frame)
    late = still[-1]
    idle = milliseconds(
        lambda turn: first.see(Frame(late.time + 0.1 * (turn + 1), still[turn % 24].image)), 200
    )
    line("a frame at rest", idle)
    print(
        f"  at rest with {RATE:.0f} frames a second: {idle * RATE / 10:.2f} % of this core (target: under 3)"
    )
    drawn = milliseconds(lambda turn: camera.read(1.0))
    line("drawing a frame at rest", drawn)


def cards(size: tuple[int, int]) -> None:
    """A full table of HellRail: Circles, much rail and engines, more than sixty markers."""
    of = full_state(3)
    drawn = LaidTable(table_map(of), TRACKS, View(size, tilt=8.0))
    still = [Frame(0.1 * turn, image) for turn, image in enumerate(drawn.film(Lie(3).laid(of), frames=8))]
    count = len(find_markers(still[0].image))
    print(f"\n{size[0]} x {size[1]}, a table of cards, {count} markers in view")
    quick = milliseconds(lambda turn: find_markers(still[turn % 8].image, quick=True), 16)
    line("markers, one window, all 250 ids", quick)
    ids = tuple(
        sorted({token.id for token in drawn.map.tokens} | {corner.id for corner in drawn.map.corners})
    )
    few = milliseconds(lambda turn: find_markers(still[turn % 8].image, quick=True, of=ids), 16)
    line(f"markers, one window, the table's {len(ids)} ids", few)
    reader = SheetReader(drawn.map, layout(of).pieces)

    def look(turn: int) -> None:
        sheet = reader.look(Frame(still[turn % 8].time, still[turn % 8].image))
        if sheet is None:
            raise RuntimeError("The sheet was not found.")
        reader.remember(sheet)

    line("pieces, places, holes", milliseconds(look, 16), quick, 1.5, "one window, all ids")


def main() -> None:
    cv2.setNumThreads(1)
    print("Seeing, one core, medians")
    for size in SIZES:
        measure(size)
    for size in (*SIZES, (2304, 1296)):
        cards(size)


if __name__ == "__main__":
    main()
