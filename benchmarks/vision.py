"""What reading dice costs beside OpenCV's own pass for markers on the same pictures: one thread, one run.

./bench vision
PHOTOS=FOLDER ./bench vision        photographs (any below the folder) in place of drawn tables
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles

import cv2
import numpy as np

from vision.dice import read_dice
from vision.render_dice import DieLook, Image, Light, draw_die
from vision.see import load

SIZE = (1280, 960)
SUFFIXES = {".jpg", ".jpeg", ".png"}
TIMES = 3


def drawn(seed: int) -> Image:
    """A cloth of 1280 x 960 pixels with up to six dice, 36 to 150 pixels wide, in light from the side."""
    rng = np.random.default_rng(seed)
    cloth = np.full((SIZE[1], SIZE[0], 3), rng.uniform(50, 180, 3), np.float32)
    cloth += rng.normal(0, 6, cloth.shape[:2])[..., None]
    cloth *= np.linspace(0.8, 1.1, SIZE[0])[None, :, None]
    picture = np.clip(cloth, 0, 255).astype(np.uint8)
    body, pips = ((240, 240, 240), (20, 20, 20)) if rng.random() < 0.5 else ((40, 40, 190), (240, 240, 240))
    width = float(np.exp(rng.uniform(np.log(36), np.log(150))))
    tilt = rng.uniform(0, 35)
    places = rng.permutation(6)[: rng.integers(1, 7)]
    for place in places:
        at = 240 + 400 * (place % 3) + rng.uniform(-60, 60), 250 + 450 * (place // 3) + rng.uniform(-60, 60)
        value, angle = int(rng.integers(1, 7)), rng.uniform(0, 90)
        look = DieLook(body=body, pip=pips)
        draw_die(picture, at, width, angle, value, look, light=Light(height=60), tilt=tilt, seed=seed, rays=1)
    return cv2.GaussianBlur(picture, (0, 0), 0.8).astype(np.uint8)


def pictures() -> list[Image]:
    """The photographs of the folder that is named, or drawn tables."""
    folder = os.environ.get("PHOTOS")
    if not folder:
        return [drawn(seed) for seed in range(40)]
    found = [load(path) for path in sorted(Path(folder).rglob("*")) if path.suffix.lower() in SUFFIXES]
    if not found:
        raise SystemExit(
            f"PHOTOS={folder}: there is no photograph there. Name a folder with some ({SUFFIXES})."
        )
    return found


def took(work: Callable[[Image], object], picture: Image) -> float:
    """Milliseconds of processor time of one call, the best of some."""
    best = float("inf")
    for _ in range(TIMES):
        start = time.process_time()
        work(picture)
        best = min(best, time.process_time() - start)
    return best * 1000


def main() -> None:
    cv2.setNumThreads(1)
    markers = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250))
    shown = pictures()
    read_dice(shown[0])  # loads the networks
    # In turn on each picture, so that whatever else the machine does falls on both.
    pairs = [(took(read_dice, picture), took(markers.detectMarkers, picture)) for picture in shown]
    dice, passes = zip(*pairs, strict=True)
    print(f"{len(shown)} {'photographs' if os.environ.get('PHOTOS') else 'drawn tables'}, milliseconds:")
    for words, times in (("dice read", dice), ("markers, OpenCV's DICT_5X5_250 pass", passes)):
        print(f"  {words:40} median {median(times):6.1f}   ninth tenth {quantiles(times, n=10)[-1]:6.1f}")
    print(f"  dice / markers: {median(dice) / median(passes):.2f} (target: at most 3)")


if __name__ == "__main__":
    main()
