"""Measures the dice reader on a folder of photographs with their truth; prints tables in Markdown.

    python -m tools.measure_dice PHOTOS [--kind pip,empty] [--wrong]

PHOTOS holds truth.csv with the columns photo (SOURCE/NAME), kind, view and values (1-3-6).
"""

from __future__ import annotations

import argparse
import collections
import csv
import pathlib
import statistics
import time
from collections.abc import Callable, Iterable

import cv2
import msgspec
import numpy as np

from tools.dice_photographs import PIPS
from vision.dice import BOUNDS, WEIGHTS, Bounds, Judged, decide, judge
from vision.see import load

SURE = (0.7, 0.8, 0.85, 0.9, 0.95, 0.97, 0.99)
NOTHING = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)


class Seen(msgspec.Struct, frozen=True):
    """One photograph: what lies there, and what was judged of it."""

    photo: str
    kind: str
    view: str
    truth: tuple[str, ...]
    judged: list[Judged]
    size: tuple[int, ...]
    seconds: float

    @property
    def source(self) -> str:
        """Who took it."""
        return self.photo.split("/")[0]


class Result(msgspec.Struct, frozen=True):
    """What was read of a photograph under some bounds."""

    seen: Seen
    read: tuple[str, ...]
    confidences: tuple[float, ...]
    sure: bool

    @property
    def exact(self) -> bool:
        """Whether all upper faces were read, and nothing else; dice without pips never are."""
        return self.seen.kind in PIPS and sorted(self.seen.truth) == sorted(self.read)


def look(folder: pathlib.Path, kinds: set[str], weights: dict[str, pathlib.Path]) -> list[Seen]:
    """Look once at every photograph of these kinds, at those of a source in `weights` with those networks."""
    every = []
    with open(folder / "truth.csv", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["kind"] in kinds]
    for row in rows:
        image = load(folder / row["photo"])
        began = time.process_time()
        judged = judge(image, weights.get(row["photo"].split("/")[0], WEIGHTS))
        seconds = time.process_time() - began
        truth = tuple(value for value in row["values"].split("-") if value)
        every.append(Seen(row["photo"], row["kind"], row["view"], truth, judged, image.shape[:2], seconds))
    return every


def read(seen: Seen, bounds: Bounds) -> Result:
    """What these bounds make of a photograph."""
    dice = decide(seen.judged, seen.size, None, bounds)
    values = tuple(str(value) for value in dice.values)
    return Result(seen, values, tuple(die.confidence for die in dice.dice), dice.sure)


def best_bounds(every: list[Seen]) -> Bounds:
    """The bounds that ask least with at most one silent error in 200 photographs."""
    choices = []
    for sure in SURE:
        for nothing in NOTHING:
            bounds = Bounds(sure, nothing)
            results = [read(seen, bounds) for seen in every]
            silent = sum(result.sure and not result.exact for result in results)
            asked = sum(not result.sure for result in results)
            choices.append((max(0.0, silent - len(every) / 200), asked, sure, nothing))
    _, _, sure, nothing = min(choices)
    return Bounds(sure, nothing)


def leave_one_out(every: list[Seen]) -> list[Result]:
    """Each source read under the bounds that the other sources choose."""
    results = []
    for source in sorted({seen.source for seen in every}):
        bounds = best_bounds([seen for seen in every if seen.source != source])
        results += [read(seen, bounds) for seen in every if seen.source == source]
    return results


def table(title: str, results: Iterable[Result], key: Callable[[Result], str]) -> None:
    """Print a row for each value of `key`, and one for all."""
    groups: dict[str, list[Result]] = collections.defaultdict(list)
    for result in results:
        groups[key(result)].append(result)
        groups["all"].append(result)
    print(f"\n| {title} | photographs | exact % | asked % | silent | read without asking % |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in sorted(groups, key=lambda name: (name == "all", name)):
        group = groups[name]
        share = 100 / len(group)
        exact = sum(result.exact for result in group)
        asked = sum(not result.sure for result in group)
        silent = sum(result.sure and not result.exact for result in group)
        done = sum(result.sure and result.exact for result in group)
        print(
            f"| {name} | {len(group)} | {exact * share:.1f} | {asked * share:.1f} "
            f"| {silent} | {done * share:.1f} |"
        )


def reliability(results: Iterable[Result]) -> None:
    """Print how often readings of each confidence are right.

    Boxes are not known for all photographs: of the dice that share a value, as many count as
    right as lie there, the most confident first.
    """
    right: dict[int, list[bool]] = collections.defaultdict(list)
    for result in results:
        left = collections.Counter(result.seen.truth)
        for confidence, value in sorted(zip(result.confidences, result.read, strict=True), reverse=True):
            bin = min(int(np.searchsorted(BINS, confidence, side="right")), len(BINS) - 1)
            right[bin].append(left[value] > 0)
            left[value] -= 1
    print("\n| confidence | readings | right % |\n| --- | --- | --- |")
    for bin in sorted(right):
        share = 100 * sum(right[bin]) / len(right[bin])
        print(f"| {BINS[bin - 1]:.2f} to {BINS[bin]:.2f} | {len(right[bin])} | {share:.1f} |")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("photos", type=pathlib.Path)
    parser.add_argument("--kind", default="pip,empty")
    parser.add_argument("--wrong", action="store_true", help="name each photograph that is not exact")
    parser.add_argument(
        "--leave-one-out",
        action="store_true",
        help="read each source under the bounds that the others choose",
    )
    parser.add_argument(
        "--folds",
        type=pathlib.Path,
        help="a folder of networks, each in one named by the sources that it never saw: one+another",
    )
    options = parser.parse_args()
    cv2.setNumThreads(1)
    folds = options.folds.iterdir() if options.folds else ()
    weights = {source: fold for fold in folds for source in fold.name.split("+")}
    every = look(options.photos, set(options.kind.split(",")), weights)
    results = leave_one_out(every) if options.leave_one_out else [read(seen, BOUNDS) for seen in every]
    print(f"best bounds for all of these: {best_bounds(every)}; those in use: {BOUNDS}")
    if options.wrong:
        for result in results:
            if not result.exact:
                truth, values = "-".join(sorted(result.seen.truth)), "-".join(sorted(result.read))
                verdict = ", sure" * result.sure
                print(f"{result.seen.photo}: {truth or 'none'} read as {values or 'none'}{verdict}")
    table("source", results, lambda result: result.seen.source)
    table("view", results, lambda result: result.seen.view)
    table(
        "dice",
        results,
        lambda result: "7 and more" if len(result.seen.truth) > 6 else str(len(result.seen.truth)),
    )
    reliability(results)
    milliseconds = [seen.seconds * 1000 for seen in every]
    print(f"\nprocessor time: median {statistics.median(milliseconds):.0f} ms, ninth tenth ", end="")
    print(f"{statistics.quantiles(milliseconds, n=10)[-1]:.0f} ms")


if __name__ == "__main__":
    main()
