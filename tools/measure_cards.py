"""Measures how well enrolled cards are read: on photographs with their truth, or on drawn tables.

    python -m tools.measure_cards PHOTOS [SOURCE...]
    python -m tools.measure_cards --drawn 200

PHOTOS holds truth.csv, and for each source a folder with photographs and one, `refs`, with a
picture of each card. Cards are compared as a multiset: found, read wrongly, and for each
photograph whether it is exact, asked about, or silent: sure and not exact.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.card_reader import CardReader, Cards
from vision.known_cards import KnownCards
from vision.render_cards import TABLES, Image, Lying, View, draw_deck, photograph
from vision.see import load

BINS = (0.0, 0.5, 0.8, 0.95, 0.99, 0.999, 1.0001)


class Score:
    """Counts of one source, and its confidences with whether they were right."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.judged: list[tuple[float, bool]] = []
        self.seconds: list[float] = []

    def add(self, true: Sequence[str], read: Cards, names: Sequence[str], seconds: float) -> bool:
        """One photograph: what lies there, what was read, and its cards' own names. Whether it is exact."""
        there, seen = Counter(true), Counter(names)
        exact = there == seen
        self.counts.update(
            photographs=1,
            cards=len(true),
            found=sum((there & seen).values()),
            wrong=sum((seen - there).values()),
            exact=exact,
            asked=not read.sure,
            silent=read.sure and not exact,
        )
        left = Counter(there)
        for card, name in sorted(zip(read.cards, names, strict=True), key=lambda pair: -pair[0].confidence):
            self.judged.append((card.confidence, left[name] > 0))
            left[name] -= 1
        self.seconds.append(seconds)
        return exact


def main() -> None:
    """Measure what the command line asks for, and print it as tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("photos", nargs="?", type=Path, help="folder with truth.csv")
    parser.add_argument("sources", nargs="*", help="these alone")
    parser.add_argument("--drawn", type=int, default=0, metavar="N", help="measure N drawn tables")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wrong", action="store_true", help="name what is not exact")
    options = parser.parse_args()
    if (options.photos is None) == (options.drawn == 0):
        parser.error("name a folder of photographs, or a number of tables with --drawn")
    cv2.setNumThreads(1)
    scores: defaultdict[str, Score] = defaultdict(Score)
    if options.photos:
        _photographs(options.photos, options.sources, scores, options.wrong)
    else:
        _drawn(options.drawn, options.seed, scores, options.wrong)
    _print(scores)


def _photographs(photos: Path, sources: Sequence[str], scores: defaultdict[str, Score], wrong: bool) -> None:
    with open(photos / "truth.csv", newline="") as table:
        rows = list(csv.DictReader(table))
    labels = {row["photo"]: row["labels"] for row in rows if row["kind"] == "reference"}
    for source in sorted({row["photo"].split("/")[0] for row in rows if row["kind"] == "reference"}):
        if (sources and source not in sources) or not (photos / source / "refs").is_dir():
            continue
        reader = CardReader(KnownCards.load(photos / source / "refs"))
        names = {Path(photo).stem: label for photo, label in labels.items() if photo.startswith(f"{source}/")}
        for row in rows:
            labelled = row["labels"].removeprefix("unordered:")
            # Of a few photographs it is only told that they show the same cards.
            told = labelled and not labelled.startswith("grid:")
            if row["kind"] != "cards" or not told or not row["photo"].startswith(f"{source}/"):
                continue
            image = load(photos / row["photo"])
            start = time.process_time()
            read = reader.read(image)
            took = time.process_time() - start
            seen = [names[card.card] for card in read.cards]
            exact = scores[source].add(labelled.split(";"), read, seen, took)
            if wrong and not exact:
                print(row["photo"], "SILENT" if read.sure else "asked", labelled, "|", *seen)


def _drawn(count: int, seed: int, scores: defaultdict[str, Score], wrong: bool) -> None:
    for deck in range(max(1, count // 20)):
        for plain in (False, True):
            names = [f"card {place}" for place in range(54 if plain else 60)]
            pictures = draw_deck(names, deck=seed * 1000 + deck, plain=plain)
            known = {name: pictures[name] for name in names if plain or not name.endswith("7")}
            reader = CardReader(KnownCards(known.items()))
            for place in range(10):
                number = (seed * 1000 + deck) * 10 + place
                kind, image, lying = _scene(number, pictures, plain)
                start = time.process_time()
                read = reader.read(image)
                took = time.process_time() - start
                true = [card for card in lying if card in known]
                source = f"{'plain' if plain else 'printed'}, {kind}"
                exact = scores[source].add(true, read, [card.card for card in read.cards], took)
                if len(true) < len(lying):
                    scores["with unknown cards"].add(lying, read, [card.card for card in read.cards], took)
                if wrong and not exact:
                    said = "SILENT" if read.sure else "asked"
                    print(source, number, said, sorted(lying), "|", *sorted(card.card for card in read.cards))


def _scene(number: int, pictures: dict[str, Image], plain: bool) -> tuple[str, Image, list[str]]:
    """A drawn table: how its cards lie, the picture of it, and the names of the cards."""
    rng = np.random.default_rng((number, plain))
    kind = ("apart", "touching", "covering")[number % 3]
    names = [str(name) for name in rng.choice(list(pictures), int(rng.integers(1, 9)), replace=False)]
    width = float(rng.uniform(0.07, 0.13))
    places = list(_places(kind, len(names), width, rng))
    lying = [Lying(name, at, turn, width) for name, (at, turn) in zip(names, places, strict=True)]
    view = View(
        tilt=float(rng.uniform(0, 35)),
        blur=float(rng.uniform(0.4, 1.3)),
        noise=float(rng.uniform(1, 8)),
        light=float(rng.uniform(0, 0.35)),
        tint=tuple(rng.uniform(0.75, 1.1, 3).tolist()),
    )
    table = TABLES[int(rng.integers(len(TABLES)))]
    image, _ = photograph(table, pictures, lying, view=view, seed=number)
    return kind, image, names


def _places(
    kind: str, count: int, width: float, rng: np.random.Generator
) -> Iterator[tuple[tuple[float, float], float]]:
    """Middles and turns of cards, four to a row."""
    height = width * 352 / 252 * 16 / 9
    for place in range(count):
        column, row = place % 4, place // 4
        if kind == "apart":
            at = (0.14 + 0.24 * column, 0.27 + 0.46 * row)
            yield (at[0] + rng.uniform(-0.02, 0.02), at[1] + rng.uniform(-0.03, 0.03)), rng.uniform(0, 360)
        else:
            # Next to one another without a gap; or each on a part of the one before.
            step = 1.0 if kind == "touching" else float(rng.uniform(0.55, 0.8))
            lean = 0.0 if kind == "touching" else float(rng.uniform(-6, 6))
            yield (
                (0.2 + step * width * column, 0.27 + max(0.46, height) * row),
                lean + 180 * int(rng.integers(2)),
            )


def _print(scores: dict[str, Score]) -> None:
    print("| source | photographs | cards | found % | wrong | exact | asked | silent | median ms |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for source, score in sorted(scores.items()):
        c = score.counts
        print(
            f"| {source} | {c['photographs']} | {c['cards']} | {100 * c['found'] / max(1, c['cards']):.1f} "
            f"| {c['wrong']} | {c['exact']} | {c['asked']} | {c['silent']} "
            f"| {1000 * float(np.median(score.seconds)):.0f} |"
        )
    judged = [pair for score in scores.values() for pair in score.judged]
    print("\n| confidence | cards | right % |\n| --- | --- | --- |")
    for low, high in itertools.pairwise(BINS):
        rights = [right for confidence, right in judged if low <= confidence < high]
        if rights:
            print(f"| {low:g} to {min(high, 1):g} | {len(rights)} | {100 * sum(rights) / len(rights):.1f} |")


if __name__ == "__main__":
    main()
