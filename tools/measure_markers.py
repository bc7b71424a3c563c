"""Measures how well printed markers are found; prints a table in Markdown.

    python -m tools.measure_markers drawn [--markers 1000] [--seed 1]
    python -m tools.measure_markers photographs PHOTO...

`drawn` lays markers with their white rims on drawn tables, before cameras that lean, blur and add noise; a
size is the side of the black square in pixels before the camera leans. *Wrong* are ids of none that lies
there. `photographs` counts what is found in photographs without such markers, where all of it is wrong.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.markers import EVERY, Corners, find_all, find_markers
from vision.render_cards import TABLES, draw_table
from vision.see import load

Image = NDArray[np.uint8]
Reader = Callable[[Image], list[tuple[int, Corners]]]

SIZES = (20, 24, 28, 32, 40)
PICTURE = (1280, 720)
COLUMNS, ROWS = 6, 4
LEAN = 30.0
"""Degrees from straight above that a camera leans at most."""

_CELLS = 7  # of a marker, its black border with them
_RIM = 2  # cells of white around it
_FINE = 2  # pixels of the table drawn for one of the camera's

READERS: dict[str, Reader] = {
    "one window": partial(find_markers, quick=True),
    "three windows": find_markers,
    "and enlarged": find_all,
}


def table(rng: Generator, size: float) -> tuple[Image, list[int]]:
    """A table with markers of that size as one camera sees it, and their ids."""
    fine = (PICTURE[0] * _FINE, PICTURE[1] * _FINE)
    sheet = draw_table(TABLES[int(rng.integers(len(TABLES)))], int(rng.integers(1 << 30)), fine)
    ids = [int(id) for id in rng.choice(len(EVERY), COLUMNS * ROWS, replace=False)]
    white, black = float(rng.uniform(200, 255)), float(rng.uniform(10, 60))
    for place, id in enumerate(ids):
        spread = (0.8 * fine[0] / COLUMNS, 0.8 * fine[1] / ROWS)
        middle = (
            0.1 * fine[0] + (place % COLUMNS + 0.5 + rng.uniform(-0.1, 0.1)) * spread[0],
            0.1 * fine[1] + (place // COLUMNS + 0.5 + rng.uniform(-0.1, 0.1)) * spread[1],
        )
        _lay(sheet, id, middle, float(rng.uniform(0, 360)), size * _FINE, (black, white))
    return _photograph(rng, sheet), ids


def _lay(
    sheet: Image, id: int, middle: tuple[float, float], turn: float, side: float, inks: tuple[float, float]
) -> None:
    cells = _CELLS + 2 * _RIM
    printed = np.full((cells, cells), 255, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
    printed[_RIM:-_RIM, _RIM:-_RIM] = cv2.aruco.generateImageMarker(dictionary, id, _CELLS)
    black, white = inks
    printed = np.clip(black + (white - black) * (printed / 255.0), 0, 255).astype(np.uint8)
    drawn = cv2.resize(printed, None, fx=16, fy=16, interpolation=cv2.INTER_NEAREST)
    # Pixels are drawn smaller than they are printed, so that each is a mean.
    zoom = side / _CELLS / 16
    drawn = cv2.GaussianBlur(drawn, (0, 0), max(0.4 / zoom, 0.1))
    c, s = zoom * np.cos(np.radians(turn)), zoom * np.sin(np.radians(turn))
    half = (drawn.shape[0] - 1) / 2
    fit = np.array([[c, -s, middle[0] - (c - s) * half], [s, c, middle[1] - (s + c) * half]], np.float64)
    reach = int(side * cells / _CELLS) + 2
    left, top = int(middle[0]) - reach, int(middle[1]) - reach
    fit[:, 2] -= (left, top)
    shape = (2 * reach, 2 * reach)
    cover = cv2.warpAffine(np.ones(drawn.shape, np.float32), fit, shape)[..., None]
    paint = cv2.warpAffine(drawn.astype(np.float32), fit, shape)[..., None]
    patch = sheet[top : top + shape[1], left : left + shape[0]]
    patch[:] = (patch * (1 - cover) + paint * cover).astype(np.uint8)


def _photograph(rng: Generator, sheet: Image) -> Image:
    """The sheet seen by a camera that leans, out of focus a little, in a light that slopes."""
    height, width = sheet.shape[:2]
    lean = np.radians(rng.uniform(0, LEAN))
    # Far rows are smaller; the middle keeps its size across.
    middle = np.array([width / 2, height / 2])
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], float)
    from_middle = corners - middle
    away = 1 + from_middle[:, 1] * np.sin(lean) / (1.2 * width)
    seen = from_middle * [1, np.cos(lean)] * away[:, None] / _FINE + (PICTURE[0] / 2, PICTURE[1] / 2)
    fit = cv2.getPerspectiveTransform(corners.astype(np.float32), seen.astype(np.float32))
    blurred = cv2.GaussianBlur(sheet, (0, 0), _FINE * 0.5)
    sharp = cv2.warpPerspective(blurred, fit, PICTURE, borderMode=cv2.BORDER_REFLECT)
    taken = cv2.GaussianBlur(np.asarray(sharp, np.float32), (0, 0), float(rng.uniform(0.1, 1.2)))
    slope = np.linspace(1, float(rng.uniform(0.6, 1)), PICTURE[0], dtype=np.float32)[None, :, None]
    lit = np.asarray(taken) * slope * float(rng.uniform(0.5, 1.0))
    noisy = np.clip(lit + rng.normal(0, rng.uniform(1, 6), lit.shape), 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 85])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def drawn(markers: int, seed: int) -> None:
    """Print what is found of so many markers of each size, a line for each size and reader."""
    print(
        "| side in pixels | reader | markers | found % | wrong | ms |\n| --- | --- | --- | --- | --- | --- |"
    )
    for size in SIZES:
        counts: Counter[str] = Counter()
        spent: Counter[str] = Counter()
        tables = -(-markers // (COLUMNS * ROWS))
        for number in range(tables):
            image, ids = table(np.random.default_rng((seed, size, number)), size)
            for name, reader in READERS.items():
                start = time.process_time()
                found = [id for id, _ in reader(image)]
                spent[name] += int(1e6 * (time.process_time() - start))
                right = sum((Counter(found) & Counter(ids)).values())
                counts.update({f"{name} found": right, f"{name} wrong": len(found) - right})
        total = tables * COLUMNS * ROWS
        for name in READERS:
            found_part = 100 * counts[f"{name} found"] / total
            print(
                f"| {size} | {name} | {total} | {found_part:.2f} | {counts[f'{name} wrong']} "
                f"| {spent[name] / tables / 1000:.0f} |",
                flush=True,
            )


def photographs(photos: list[Path]) -> None:
    """Print how many ids each reader finds in those photographs, none of which is there."""
    counts: Counter[str] = Counter()
    for photo in photos:
        image = load(photo)
        for name, reader in READERS.items():
            if found := [id for id, _ in reader(image)]:
                counts[name] += len(found)
                print(photo, name, found)
    print("; ".join(f"{name}: {counts[name]} ids" for name in READERS), f"in {len(photos)} photographs")


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    drawn_kind = kinds.add_parser("drawn")
    drawn_kind.add_argument("--markers", type=int, default=1000)
    drawn_kind.add_argument("--seed", type=int, default=1)
    kinds.add_parser("photographs").add_argument("photos", nargs="+", type=Path)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.kind == "drawn":
        drawn(options.markers, options.seed)
    else:
        photographs(options.photos)


if __name__ == "__main__":
    main()
