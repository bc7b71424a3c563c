"""Measures the dice reader on a folder of photographs with their truth; prints tables in Markdown.

    python tools/measure_dice.py PHOTOS [--kind pip,empty] [--wrong]

PHOTOS holds truth.csv with the columns photo (SOURCE/NAME), kind, view and values (1-3-6).
"""

from __future__ import annotations

import argparse
import collections
import csv
import pathlib
import statistics
import sys
import time
from collections.abc import Callable, Iterable

import cv2
import msgspec
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from vision.dice import read_dice
from vision.see import load

BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)


class Result(msgspec.Struct, frozen=True):
    """One photograph: what lies there, what was read, and whether the reader was sure."""

    photo: str
    view: str
    truth: tuple[str, ...]
    read: tuple[str, ...]
    confidences: tuple[float, ...]
    sure: bool
    seconds: float

    @property
    def exact(self) -> bool:
        """Whether all upper faces were read, and nothing else."""
        return sorted(self.truth) == sorted(self.read)


def measure(folder: pathlib.Path, kinds: set[str]) -> list[Result]:
    """Read every photograph of these kinds."""
    results = []
    with open(folder / "truth.csv", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["kind"] in kinds]
    for row in rows:
        image = load(folder / row["photo"])
        began = time.perf_counter()
        read = read_dice(image)
        seconds = time.perf_counter() - began
        truth = tuple(value for value in row["values"].split("-") if value)
        values = tuple(str(value) for value in read.values)
        confidences = tuple(die.confidence for die in read.dice)
        results.append(Result(row["photo"], row["view"], truth, values, confidences, read.sure, seconds))
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
        left = collections.Counter(result.truth)
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
    options = parser.parse_args()
    cv2.setNumThreads(1)
    results = measure(options.photos, set(options.kind.split(",")))
    if options.wrong:
        for result in results:
            if not result.exact:
                truth, read = "-".join(sorted(result.truth)), "-".join(sorted(result.read))
                print(f"{result.photo}: {truth or 'none'} read as {read or 'none'}{', sure' * result.sure}")
    table("source", results, lambda result: result.photo.split("/")[0])
    table("view", results, lambda result: result.view)
    table("dice", results, lambda result: str(min(len(result.truth), 7)) + "+" * (len(result.truth) >= 7))
    reliability(results)
    milliseconds = [result.seconds * 1000 for result in results]
    print(f"\nmedian {statistics.median(milliseconds):.0f} ms, ninth tenth ", end="")
    print(f"{statistics.quantiles(milliseconds, n=10)[-1]:.0f} ms")


if __name__ == "__main__":
    main()
