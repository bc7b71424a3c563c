"""Measures the reader of poker dice; prints tables in Markdown.

    python -m tools.measure_poker drawn [--tables 6]
    python -m tools.measure_poker photographs PHOTOS --source NAME

`drawn` throws dice with the print kit's faces before many cameras. `photographs` takes the dice of a source
with letters or digits that has a box for each: every photograph is read by the faces of the others. PHOTOS
holds truth.csv with the columns photo (SOURCE/NAME) and boxes (FACE:left,top,width,height;...).
"""

from __future__ import annotations

import argparse
import collections
import csv
import pathlib
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.random import Generator

from companion import games
from companion.emulated.raster import raster
from companion.kit_dice import kit_dice
from vision.dice_faces import Floats, Image, rectify
from vision.poker_dice import read_poker_dice
from vision.poker_faces import PATCH, WIDE, PokerFaces
from vision.render_dice import DieLook, Light, draw_die
from vision.see import load

GAME = games.load("rail_raiders_infinite")
FACES = tuple(GAME.faces)
COUNT = 5
ENROLLED = 80  # pixels along a face that is enrolled

# Pixels along a die, lean in degrees, blur in pixels, light (1: good).
CAMERAS = (
    *((size, lean, 0.8, 1.0) for size in (24, 32, 44) for lean in (0, 20, 35)),
    *((32, 10, blur, 1.0) for blur in (0.4, 1.4, 2.0)),
    *((32, 10, 0.8, light) for light in (0.6, 0.35, 0.2)),
)


def table(
    rng: Generator, camera: tuple[int, int, float, float], stickers: Sequence[Image], count: int = COUNT
) -> tuple[Image, list[str]]:
    """A throw of so many dice in a tray as one camera (see CAMERAS) sees it, and the upper faces."""
    size, lean, blur, light = camera
    high, wide = round(size * 9), round(size * 13)
    canvas = np.full((high, wide, 3), rng.uniform(40, 190, 3), np.float32)
    canvas += rng.normal(0, 4, (high, wide, 1))
    picture = np.clip(canvas, 0, 255).astype(np.uint8)
    look = DieLook(body=(235, 240, 240), roundness=float(rng.uniform(0.05, 0.16)), gloss=0.25)
    lamp = Light(azimuth=rng.uniform(0, 360), height=rng.uniform(45, 75))
    towards = rng.uniform(60, 120)
    spots: list[Floats] = []
    while len(spots) < count:
        at = rng.uniform((size * 1.4, size * 1.4), (wide - size * 1.4, high - size * 2)).astype(np.float32)
        if all(np.hypot(*(at - other)) > size * 1.5 for other in spots):
            spots.append(at)
    faces = [int(face) for face in rng.integers(6, size=count)]
    for at, face in sorted(zip(spots, faces, strict=True), key=lambda die: die[0][1]):
        seed = int(rng.integers(1000))
        turn = rng.uniform(0, 360)
        draw_die(
            picture, at.tolist(), size, turn, face + 1, look,
            light=lamp, tilt=lean, towards=towards, seed=seed, stickers=stickers,
        )  # fmt: skip
    taken = cv2.GaussianBlur(picture, (0, 0), blur) * (light * rng.uniform(0.93, 1.07, 3))
    return np.clip(taken + rng.normal(0, 2, taken.shape), 0, 255).astype(np.uint8), [
        FACES[face] for face in faces
    ]


def drawn(tables: int) -> None:
    """Print what is read of drawn throws, a line for each camera."""
    stickers = [raster(face, 8.0) for face in GAME.faces.values()]
    faces = kit_dice(GAME)
    assert faces is not None
    print("| die in pixels | lean | blur | light | throws | exact | asked | silent |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for number, camera in enumerate(CAMERAS):
        found: collections.Counter[str] = collections.Counter()
        for at in range(tables):
            image, truth = table(np.random.default_rng([number, at]), camera, stickers)
            read = read_poker_dice(image, faces)
            right = sorted(map(str, read.values)) == sorted(truth)
            found["exact"] += right
            found["asked"] += not read.sure
            found["silent"] += read.sure and not right
        shown = " | ".join(map(str, camera))
        print(f"| {shown} | {tables} | {found['exact']} | {found['asked']} | {found['silent']} |", flush=True)


def boxes(row: dict[str, str]) -> Iterator[tuple[str, Floats]]:
    """The faces of a photograph and their corners (4x2)."""
    for part in filter(None, row["boxes"].split(";")):
        face, _, box = part.partition(":")
        left, top, width, height = map(float, box.split(","))
        right, below = left + width, top + height
        yield face, np.array([(left, top), (right, top), (right, below), (left, below)], np.float32)


def photographs(folder: pathlib.Path, source: str) -> None:
    """Print how the faces of one source are named by one picture of each from its other photographs."""
    with (folder / "truth.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["photo"].startswith(f"{source}/")]
    pictures = {row["photo"]: load(folder / row["photo"]) for row in rows}
    found: collections.Counter[str] = collections.Counter()
    for row in rows:
        known: dict[str, Image] = {}
        for other in rows:
            for face, corners in boxes(other) if other is not row else ():
                if face not in known:
                    known[face] = rectify(pictures[other["photo"]], corners, 1.0, ENROLLED)
        faces = PokerFaces(known.items())
        for face, corners in boxes(row):
            named = faces.name(rectify(pictures[row["photo"]], corners, WIDE, PATCH))
            sure = named.confidence >= 0.8
            right = named.name == face
            found["faces"] += 1
            found["right"] += right
            found["asked"] += not sure
            found["silent"] += sure and not right
    print("| source | faces | right | asked | silent |")
    print("| --- | --- | --- | --- | --- |")
    print(f"| {source} | {found['faces']} | {found['right']} | {found['asked']} | {found['silent']} |")


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    kinds.add_parser("drawn").add_argument("--tables", type=int, default=6)
    real = kinds.add_parser("photographs")
    real.add_argument("folder", type=pathlib.Path)
    real.add_argument("--source", required=True)
    options = parser.parse_args()
    if options.kind == "drawn":
        drawn(options.tables)
    else:
        photographs(options.folder, options.source)


if __name__ == "__main__":
    main()
