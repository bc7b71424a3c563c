"""Measures what kept faces of an owner's dice bring: each source of photographs is an owner. Prints a table.

    python -m tools.measure_own_dice PHOTOS [--kind pip] [--keep 8]

Each source's photographs are halved: of those with an odd number that are asked about or read wrong, the
faces are kept of which it is clear what they show, as if somebody had put them right. The others are read
without and with them. PHOTOS is as for tools.measure_dice.
"""

from __future__ import annotations

import argparse
import collections
import csv
import pathlib
import time

import cv2

from vision.dice import decide, judge
from vision.own_faces import KeptFace, OwnFaces, cut_out, misread, opened
from vision.see import load


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("photos", type=pathlib.Path)
    parser.add_argument("--kind", default="pip")
    parser.add_argument("--keep", type=int, default=60, help="faces of each source at most")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    kinds = set(options.kind.split(","))
    sources: dict[str, list[tuple[pathlib.Path, list[int]]]] = collections.defaultdict(list)
    with open(options.photos / "truth.csv", newline="") as lines:
        for row in csv.DictReader(lines):
            if row["kind"] in kinds:
                values = [int(value) for value in row["values"].split("-") if value]
                sources[row["photo"].split("/")[0]].append((options.photos / row["photo"], values))
    print("| source | kept | read | exact | asked | silent | exact with | asked with | silent with |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    total: collections.Counter[str] = collections.Counter()
    for source, photographs in sorted(sources.items()):
        total += (counted := _owner(photographs, options.keep))
        _tell(source, counted)
    _tell("all", total)
    print(
        f"\nfaces of single dice, compared with those of other values alone: {total['strangers']}, ", end=""
    )
    print(f"{total['strangers read']} of them taken for another value without a question")
    print(f"faces compared: {total['milliseconds'] / max(total['read'], 1):.1f} ms for a photograph")


def _tell(name: str, counted: collections.Counter[str]) -> None:
    columns = ("kept", "read", "exact", "asked", "silent", "exact with", "asked with", "silent with")
    print(f"| {name} | {' | '.join(str(counted[each]) for each in columns)} |", flush=True)


def _owner(photographs: list[tuple[pathlib.Path, list[int]]], most: int) -> collections.Counter[str]:
    kept = []
    for photo, truth in photographs[::2]:
        image = load(photo)
        judged = judge(image)
        read = decide(judged, image.shape[:2])
        if read.sure and sorted(map(int, read.values)) == sorted(truth):
            continue
        cuts = cut_out(image, judged)
        found = misread(cuts, truth)
        kept += [
            KeptFace(value, cuts[at].value, opened(cuts[at].picture))
            for at, value in found.items()
            if value != cuts[at].value
        ]
    kept = kept[-most:]
    counted = collections.Counter({"kept": len(kept)})
    own = OwnFaces(kept)
    without = {value: OwnFaces([face for face in kept if face.value != value]) for value in range(1, 7)}
    for photo, truth in photographs[1::2]:
        image = load(photo)
        judged = judge(image)
        began = time.process_time()
        again = own.heard(image, judged)
        counted["milliseconds"] += round(1000 * (time.process_time() - began))
        counted["read"] += 1
        for words, seen in (("", judged), (" with", again)):
            dice = decide(seen, image.shape[:2])
            exact = sorted(map(int, dice.values)) == sorted(truth)
            counted[f"exact{words}"] += exact
            counted[f"asked{words}"] += not dice.sure
            counted[f"silent{words}"] += dice.sure and not exact
            if words and dice.sure and not exact:
                print(f"  silent: {photo.name} of {photo.parent.name}: {dice.values}, not {truth}")
        if len(truth) == 1 and len(kept) > 1:
            stranger = decide(without[truth[0]].heard(image, judged), image.shape[:2])
            counted["strangers"] += 1
            counted["strangers read"] += stranger.sure and list(stranger.values) != truth
    return counted


if __name__ == "__main__":
    main()
