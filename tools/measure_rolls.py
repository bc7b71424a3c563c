"""Counts throws that the table misses, doubles or invents, over evenings that are made up frame by frame.

    python -m tools.measure_rolls [--throws 1000] [--seed 1] [--wrong DIR]

The frames go through `vision.table.TableReader`, as a camera's do. For each act of the people the number of
the last throw is compared before and after: *missed*, it did not rise though dice were thrown; *doubled*, it
rose by more than one; *invented*, it rose though nobody threw. *Asked* and *silent* (sure and wrong) are of
the dice that lie in the end. Dice that lie there when a camera is switched on count as one throw.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from pathlib import Path

import cv2

from companion.games.layout import Reading
from tools.roll_scenes import STEP, Act, Evening, Image
from vision.source import Frame
from vision.table import TableReader

THROWS = 25
"""Throws of one evening."""

COLUMNS = ("acts", "missed", "doubled", "invented", "asked", "silent")


def main() -> None:
    """Measure what the command line asks for, and print it as a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--throws", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--wrong", type=Path, metavar="DIR", help="name what was counted wrongly, and show it"
    )
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.wrong:
        options.wrong.mkdir(parents=True, exist_ok=True)
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    frames, begun = 0, time.process_time()
    for number in range(-(-options.throws // THROWS)):
        throws = min(THROWS, options.throws - number * THROWS)
        frames += evening(options.seed * 10_000 + number, throws, counts, options.wrong)
        print(f"evening {number + 1}: {_line(_total(counts))}", flush=True)
    print(f"\n| act | {' | '.join(COLUMNS)} |\n| --- {'| --- ' * len(COLUMNS)}|")
    for act in sorted(counts):
        print(f"| {act} | {_line(counts[act])} |")
    print(f"| all | {_line(_total(counts))} |")
    total = sum(count["throws"] for count in counts.values())
    print(f"\n{total} throws, {frames} frames, {time.process_time() - begun:.0f} s of processor time")


def evening(seed: int, throws: int, counts: defaultdict[str, Counter[str]], wrong: Path | None) -> int:
    """Watch one evening of so many throws and add what it came to; the number of its frames."""
    scene, reader = Evening(seed), TableReader(None)
    clock, frames = 100.0, 0
    last: Reading | None = None
    for place, act in enumerate(scene.acts(throws)):
        before = last.throw if last else 0
        images: list[Image] = []
        for shot in act.shots:
            image = scene.draw(shot)
            reading = reader.see(Frame(clock, image))
            if reading is not None:
                last = reading
                images.append(image)
            clock += STEP
            frames += 1
        result = judge(act, before, last)
        counts[act.name].update(result)
        if wrong and any(result[kind] for kind in ("missed", "doubled", "invented", "silent")):
            told = " ".join(kind for kind, count in result.items() if count)
            read = last.dice.values if last and last.dice else ()
            print(f"{seed} {place} {act.name}: {told}; {act.values} read as {read}", flush=True)
            for number, image in enumerate([*images, scene.draw(act.shots[-1])]):
                cv2.imwrite(str(wrong / f"{seed}-{place}-{number}.png"), image)
    return frames


def judge(act: Act, before: int, last: Reading | None) -> Counter[str]:
    """What became of one act: the number of the last throw `before` it, and the `last` Reading after it."""
    rise = (last.throw if last else 0) - before
    dice = last.dice if last else None
    sure = dice is not None and dice.sure
    values = tuple(sorted(int(value) for value in dice.values)) if dice else ()
    return Counter(
        acts=1,
        throws=int(act.throws),
        missed=int(act.throws and rise < 1),
        doubled=int(act.throws and rise > 1),
        invented=0 if act.throws else rise,
        asked=int(bool(act.values) and not sure),
        silent=int(sure and values != act.values),
    )


def _total(counts: defaultdict[str, Counter[str]]) -> Counter[str]:
    return sum(counts.values(), Counter[str]())


def _line(count: Counter[str]) -> str:
    return " | ".join(str(count[column]) for column in COLUMNS)


if __name__ == "__main__":
    main()
