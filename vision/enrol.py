"""`stationmaster enrol cards|dice DIR`: checks pictures of cards, or of the faces of dice.

It says what is wrong with each, and the cure.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from vision.enrolled import Enrolled
from vision.known_cards import Fault, KnownCards, NoCards, picture_files
from vision.known_dice import EnrolledDice

OK, FAULT = 0, 1


_ANY: Mapping[str, Sequence[str]] = {}


def main(argv: Sequence[str] | None = None, games: Mapping[str, Sequence[str]] = _ANY) -> int:
    """Check the pictures; 0 when each card or face can be read, 1 when one cannot.

    `games` are those whose cards are known, each with their names.
    """
    parser = argparse.ArgumentParser(prog="stationmaster enrol", description=__doc__)
    kinds = parser.add_subparsers(dest="kind", required=True)
    cards = kinds.add_parser("cards", help="one picture of each card, named like it")
    cards.add_argument("folder", type=Path, metavar="DIR")
    cards.add_argument("--game", choices=sorted(games), help="whether these are the cards of that game")
    dice = kinds.add_parser("dice", help="one picture of each face of a poker die, named 9, 10, J, Q, K or A")
    dice.add_argument("folder", type=Path, metavar="DIR")
    options = parser.parse_args(argv)
    if options.kind == "dice":
        return _dice(options.folder)
    return _cards(options.folder) if options.game is None else _of(games[options.game], options.folder)


def _cards(folder: Path) -> int:
    try:
        known = KnownCards.load(folder)
    except NoCards as nothing:
        print(f"stationmaster: {nothing}", file=sys.stderr)
        return FAULT
    poor, lost = _tell({card.name for card in known.cards}, known.faults)
    print(f"{len(known.cards)} cards are known, {poor} need a look, {lost} pictures are of no use.")
    return FAULT if lost else OK


def _of(cards: Sequence[str], folder: Path) -> int:
    enrolled = Enrolled(folder, cards)
    try:
        picture_files(folder)
        known = enrolled.faces()
    except (NoCards, OSError) as fault:
        print(f"stationmaster: {fault}", file=sys.stderr)
        return FAULT
    names, faults = (known.cards, known.faults) if known is not None else ((), ())
    poor, lost = _tell(set(names), faults)
    for card in enrolled.missing:
        print(f"{card}: There is no picture of it that can be used. Photograph one, and name it {card}.")
    print(f"{len(names)} cards are known, {poor} need a look, {lost} pictures are of no use.")
    return FAULT if lost or enrolled.missing else OK


def _dice(folder: Path) -> int:
    try:
        known = EnrolledDice(folder).dice()
    except OSError as fault:
        print(f"stationmaster: {folder} cannot be read: {fault.strerror}.", file=sys.stderr)
        return FAULT
    if known is None:
        words = f"{folder} holds no picture. Put one of each face there, named like the face."
        print(f"stationmaster: {words}", file=sys.stderr)
        return FAULT
    poor, lost = _tell(set(known.named), known.faults)
    for face in known.missing:
        print(
            f"{face}: There is no picture of it. Photograph a die that shows it, and name the picture {face}."
        )
    print(f"{len(known.named)} faces are known, {poor} need a look, {lost} pictures are of no use.")
    return FAULT if lost or known.missing else OK


def _tell(names: set[str], found: Iterable[Fault]) -> tuple[int, int]:
    """Print a line for each name; how many need a look, and how many pictures are of no use."""
    faults: defaultdict[str, list[Fault]] = defaultdict(list)
    for fault in found:
        faults[fault.card].append(fault)
    for name in sorted(names | set(faults)):
        print(f"{name}: " + (" ".join(f"{fault.words} {fault.cure}" for fault in faults[name]) or "good"))
    lost = sum(fault.lost for each in faults.values() for fault in each)
    return sum(1 for each in faults.values() if each), lost


if __name__ == "__main__":
    sys.exit(main())
