"""Measures how pieces without markers are told by their colours on the emulated table; prints JSON.

    python -m tools.measure_colours [--tables 40] [--seed 1] [--placings 12] [--worst]

Each table has its own pieces (shape, size, shine, colours that lie beside those said), its own lamp, colour
cast and printer. The pieces stand on Start for the one look, then somebody puts them about: in the middle
of places, at their borders, beside them, touching each other, under an arm that stays. `sure` are pieces
told without asking, `wrong` those of them told in a place where they do not stand; `beside` is how far (mm)
the place is off that is told of a piece's middle. `--worst` prints each wrong one.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from random import Random
from typing import Any

import numpy as np
from msgspec.structs import replace

from companion import games, packs
from companion.emulated.box import box_of
from companion.emulated.camera import EmulatedCamera
from companion.emulated.clock import VirtualClock
from companion.emulated.figures import PROFILES, Figure
from companion.emulated.placing import bounds
from companion.emulated.world import World
from companion.findings import sighted
from companion.games.game import Game
from companion.games.layout import Point, Reading, TableMap
from companion.sheet_print import sheet_print
from vision.coloured_tokens import SheetPrint
from vision.table import TableReader

_READ = 0.015  # seconds: a frame that takes less was not read, for something moved or nothing was new
_MIXED = 0.3  # of the tables: one piece has a colour on the way to another piece's
_RATE = 5.0  # frames a second
_RESTS = 3.0  # seconds that pieces lie before they are asked after


class Table:
    """One emulated table, its pieces and its light, by a seed."""

    def __init__(self, game: Game[Any, Any], seed: int) -> None:
        chance = self.chance = Random(f"{seed}:colours")
        seats = game.seats[: chance.randint(3, 5)]
        state = game.setup(seats, packs.load(game, "house"), {})
        self.map: TableMap = game.table_map(state)
        said = sheet_print(game, state)
        shape, glossy = chance.choice(sorted(PROFILES)), chance.random() < 0.5
        wide = chance.uniform(11, 22)
        high = wide * chance.uniform(0.5, 1.7)
        self.figures = {
            key: Figure(shape, _beside(colour, chance), wide, high, glossy)
            for key, colour in said.said.items()
        }
        self.mixed = chance.random() < _MIXED
        if self.mixed:
            one, other = chance.sample(sorted(said.said), 2)
            share = chance.uniform(0.3, 1.0)
            colour = (1 - share) * said.said[one] + share * said.said[other]
            self.figures[one] = replace(self.figures[one], colour=_beside(colour, chance))
        self.clock = VirtualClock()
        self.world = World(seed, self.clock, figures=self.figures)
        self.camera = EmulatedCamera(self.world, _RATE)
        self.camera.lamp = chance.uniform(0.35, 1.1)
        blue, green, red = (chance.uniform(0.65, 1.0) for _ in range(3))
        self.camera.cast = (blue, green, red)
        self.world.set_out(self.map, game.layout(state), box_of(game, state))
        drawn = SheetPrint(_printed(said.picture, chance), said.said)
        self.reader = TableReader(self.map, game.layout(state).pieces, print=lambda: drawn)
        self.camera.open()
        assert self.reader.coloured is not None
        self.coloured = self.reader.coloured
        self.reading = Reading(0.0)
        self.seconds: list[float] = []

    def look(self, seconds: float) -> None:
        """Let the reader look for so long."""
        end = self.clock.now() + seconds
        while self.clock.now() < end:
            frame = self.camera.read(1.0)
            if frame is None:
                continue
            begun = time.perf_counter()
            reading = self.reader.see(frame)
            self.seconds.append(time.perf_counter() - begun)
            self.reading = reading or self.reading

    def put_about(self) -> str:
        """Somebody puts some pieces elsewhere; how."""
        chance = self.chance
        names = [name for _, name in self.figures]
        way = chance.choice(("middle", "border", "beside", "touching", "arm"))
        for name in chance.sample(names, chance.randint(1, len(names))):
            at = _anywhere(self.map, chance) if way in ("border", "beside") else None
            if way == "beside":
                at = (chance.uniform(30, self.map.width - 330), chance.uniform(30, self.map.height - 30))
            if way == "touching":
                other = self.world.spots[chance.choice([one for one in names if one != name])]
                angle, far = chance.uniform(0, 2 * np.pi), self.figures["pawn", name].wide * 1.03
                at = (other[0] + far * float(np.cos(angle)), other[1] + far * float(np.sin(angle)))
            if at is None:
                self.world.carry(name, chance.choice(self.map.places).name)
            else:
                self.world.put(name, at)
        if way == "arm":
            self.look(self.world.rests - self.clock.now() + 0.2)
            self.world.reach(_anywhere(self.map, chance), 12.0)
        return way


def _anywhere(map: TableMap, chance: Random) -> Point:
    low, high = bounds(chance.choice(map.places))
    return (chance.uniform(low[0], high[0]), chance.uniform(low[1], high[1]))


def _beside(colour: Any, chance: Random) -> str:
    """A colour somewhat beside one (BGR, 0 to 1), as another box's pieces have it."""
    blue, green, red = (min(max(float(part) + chance.gauss(0, 0.05), 0.02), 0.97) for part in colour)
    return "#" + "".join(f"{round(part * 255):02x}" for part in (red, green, blue))


def _printed(picture: Any, chance: Random) -> Any:
    """The print as the reader has it, beside that which lies there: paler or stronger, in other tones."""
    grey = picture.mean(axis=2, keepdims=True)
    strong = grey + (picture - grey) * chance.uniform(0.8, 1.2)
    bent = 255 * (np.clip(strong, 0, 255) / 255) ** np.array([chance.uniform(0.88, 1.12) for _ in range(3)])
    return np.clip(bent, 0, 255).astype(np.uint8)


class Counts:
    """What is counted over all tables."""

    def __init__(self) -> None:
        self.tables: Counter[str] = Counter()
        self.placings: dict[str, Counter[str]] = {}
        self.beside: list[float] = []
        self.seconds: list[float] = []

    def table(self, table: Table, placings: int, worst: bool) -> None:
        """One table: what was learned, and where its pieces were told after each placing."""
        table.look(4.0)
        colours = table.coloured.colours
        told = table.coloured.advice is not None
        kind = "mixed" if table.mixed else "plain"
        self.tables[f"{kind} pieces"] += len(table.figures)
        self.tables[f"{kind} learned"] += len(colours)
        self.tables[f"{kind} not learned and not told of"] += len(colours) < len(table.figures) and not told
        for _ in range(placings):
            way, start = table.put_about(), table.clock.now()
            rests = start if way == "arm" else table.world.rests
            table.look(max(rests - start, 0.0) + _RESTS)
            self._compare(table, way, start, worst)
            if way == "arm":
                table.look(table.world.rests - table.clock.now() + 1.0)
        self.seconds += table.seconds

    def _compare(self, table: Table, way: str, start: float, worst: bool) -> None:
        there = sighted(table.reading, table.map)
        counts = self.placings.setdefault(way, Counter())
        for sight in table.reading.pieces:
            key = (sight.piece.kind, sight.piece.name)
            if key not in there:
                continue
            counts["sure"] += 1
            off = float(np.hypot(*np.subtract(sight.at, table.world.spots[key[1]])))
            if table.reading.time >= start:
                self.beside.append(off)
            if there[key][0] != table.world.places[key[1]]:
                counts["wrong"] += 1
                if worst:
                    print(table.world.seed, way, key, there[key], table.world.places[key[1]], round(off, 1))
        counts["placed"] += len(table.coloured.colours)

    @property
    def summary(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return {
            "tables": dict(sorted(self.tables.items())),
            "placings": {way: dict(sorted(counts.items())) for way, counts in sorted(self.placings.items())},
            "beside_mm": {
                part: round(float(np.percentile(self.beside, part)), 1) for part in (50, 90, 99, 100)
            },
            "look_ms": round(1000 * float(np.median([one for one in self.seconds if one > _READ]))),
        }


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description="Measures pieces told by their colours.")
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--placings", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worst", action="store_true")
    options = parser.parse_args()
    game, counts = games.load("pawns_of_perdition"), Counts()
    for number in range(options.seed, options.seed + options.tables):
        counts.table(Table(game, number), options.placings, options.worst)
    print(json.dumps(counts.summary, indent=1))


if __name__ == "__main__":
    main()
