"""`stationmaster enrol cards DIR`: checks pictures of cards; says what is wrong with each, and the cure."""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from vision.known_cards import Fault, KnownCards, NoCards

OK, FAULT = 0, 1


def main(argv: Sequence[str] | None = None) -> int:
    """Check the pictures; 0 when each card can be read, 1 when one cannot."""
    parser = argparse.ArgumentParser(prog="stationmaster enrol", description=__doc__)
    kinds = parser.add_subparsers(dest="kind", required=True)
    cards = kinds.add_parser("cards", help="one picture of each card, named like it")
    cards.add_argument("folder", type=Path, metavar="DIR")
    options = parser.parse_args(argv)
    try:
        known = KnownCards.load(options.folder)
    except NoCards as nothing:
        print(f"stationmaster: {nothing}", file=sys.stderr)
        return FAULT
    faults: defaultdict[str, list[Fault]] = defaultdict(list)
    for fault in known.faults:
        faults[fault.card].append(fault)
    for name in sorted({card.name for card in known.cards} | set(faults)):
        print(f"{name}: " + (" ".join(f"{fault.words} {fault.cure}" for fault in faults[name]) or "good"))
    poor = sum(1 for found in faults.values() if found)
    lost = sum(fault.lost for fault in known.faults)
    print(f"{len(known.cards)} cards are known, {poor} need a look, {lost} pictures are of no use.")
    return FAULT if lost else OK


if __name__ == "__main__":
    sys.exit(main())
