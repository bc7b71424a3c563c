"""What reading enrolled cards costs, one core, medians: beside OpenCV's own marker pass on each picture."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from statistics import median

import cv2
import numpy as np

from vision.card_outlines import find_outlines
from vision.card_reader import CardReader
from vision.known_cards import KnownCards
from vision.markers import find_markers
from vision.render_cards import Image, Lying, View, draw_deck, photograph

SIZES = ((1280, 720), (1920, 1080))
KNOWN = (60, 170)


def milliseconds(work: Callable[[], object], times: int = 9) -> float:
    work()
    took = []
    for _ in range(times):
        start = time.process_time()
        work()
        took.append(time.process_time() - start)
    return median(took) * 1000


def line(words: str, took: float, pass_: float) -> None:
    print(f"  {words:<52}{took:8.1f} ms  {took / pass_:6.2f} x one DICT_5X5_250 pass")


def tables(deck: dict[str, Image], size: tuple[int, int]) -> dict[str, Image]:
    """Pictures by what lies there."""
    names = list(deck)
    eight = [
        Lying(name, (0.15 + 0.23 * (place % 4), 0.27 + 0.46 * (place // 4)), 40 * place, 0.1)
        for place, name in enumerate(names[:8])
    ]
    covering = [
        Lying(name, (0.3 + 0.06 * place, 0.5), 4 * place, 0.12) for place, name in enumerate(names[:4])
    ]
    view = View(size=size, tilt=15)
    return {
        "an empty cloth": photograph("cloth", deck, [], view=view)[0],
        "one card": photograph("cloth", deck, eight[:1], view=view)[0],
        "eight cards": photograph("cloth", deck, eight, view=view)[0],
        "eight cards on a patterned mat": photograph("mat", deck, eight, view=view)[0],
        "four cards that cover one another": photograph("cloth", deck, covering, view=view)[0],
    }


def main() -> None:
    cv2.setNumThreads(1)
    print("Reading cards, one core, medians of processor time")
    for count in KNOWN:
        deck = draw_deck([f"card {place}" for place in range(count)])
        start = time.process_time()
        reader = CardReader(KnownCards(deck.items()))
        print(f"\n{count} known cards, enrolled in {time.process_time() - start:.2f} s")
        crop: Image = np.ascontiguousarray(
            cv2.resize(deck["card 5"], (100, 140), interpolation=cv2.INTER_AREA)
        )
        print(f"  one card that is cut out already: {milliseconds(partial(reader.name, crop)):.1f} ms")
        for size in SIZES:
            print(f"{size[0]} x {size[1]}")
            for words, image in tables(deck, size).items():
                usual = milliseconds(partial(find_markers, image))
                outlines = milliseconds(partial(find_outlines, image))
                line(f"{words}: outlines", outlines, usual)
                took = milliseconds(partial(reader.read, image))
                line(f"{words}: all", took, usual)


if __name__ == "__main__":
    main()
