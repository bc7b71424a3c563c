"""A confirmed action beside one forced write of the same size, in turn, on this machine's disk.

Prints microseconds and ratios: medians and 99 in 100. The target is at most 1.5 times one fdatasync;
and a game of 10,000 actions back in under a second.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from pathlib import Path

import msgspec

from companion import games, packs
from companion.acts import Joined, Played, Started
from companion.chance import outcome
from companion.course import Course
from companion.games.game import Action
from companion.journal import Journal
from companion.session import Session

WRITES = 2000


def main() -> None:
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        _writes(Path(folder))
        _way_back(Path(folder) / "long")


def _writes(folder: Path) -> None:
    journal = Journal(folder / "state")
    act = Joined("0123456789abcdef", "x" * 60)
    size = len(msgspec.json.encode(act))
    floor: list[float] = []
    ours: list[float] = []
    with open(folder / "floor", "wb", buffering=0) as file:
        for n in range(WRITES):
            start = time.perf_counter()
            file.write(b"x" * size)
            os.fdatasync(file.fileno())
            middle = time.perf_counter()
            journal.write([act], f"request {n}")
            ours.append(time.perf_counter() - middle)
            floor.append(middle - start)
    journal.close()
    floor.sort()
    ours.sort()
    for name, part in (("p50", 0.5), ("p99", 0.99)):
        one, other = floor[int(part * WRITES)] * 1e6, ours[int(part * WRITES)] * 1e6
        print(f"{name}: one fdatasync {one:.0f} us, act and answer {other:.0f} us, ratio {other / one:.2f}")


def _way_back(folder: Path) -> None:
    """Games are short, so the long one is many rolls and takebacks of one game."""
    game = games.load("pawns_of_perdition")
    pack = packs.load(game, "house")
    chance = random.Random(1)
    journal = Journal(folder)
    acts = 0
    while acts < 10_000:
        seats = ("red", "blue", "green")
        start = game.setup(seats, pack, {})
        course = Course(game, start)
        journal.write([Started(game.name, "house", seats, {}, msgspec.Raw(msgspec.json.encode(start)))])
        acts += 1
        batch: list[Played] = []
        while not game.over(course.state):
            awaited = game.awaiting(course.state)
            legal: list[Action] = [a for seat in seats for a in game.legal(course.state, seat)]
            action: Action = outcome(awaited.chance, chance) if awaited.chance else chance.choice(legal)
            course.play(action)
            batch.append(Played(msgspec.Raw(msgspec.json.encode(action)), "phone", "ann"))
        journal.write(batch)
        acts += len(batch)
    journal.close()
    begin = time.perf_counter()
    journal = Journal(folder)
    session = Session.replay(journal.acts())
    took = time.perf_counter() - begin
    journal.close()
    each = took / session.number * 1e6
    print(f"{session.number} acts back, every state rebuilt: {took:.2f} s, {each:.0f} us an act")


if __name__ == "__main__":
    main()
