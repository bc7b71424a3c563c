"""`stationmaster see dice|cards|markers PHOTO...`: reads photographs, one JSON line each on stdout."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.card_reader import CardReader
from vision.dice import Known, read_dice
from vision.known_cards import KnownCards, NoCards
from vision.known_dice import EnrolledDice
from vision.markers import find_all
from vision.poker_dice import read_poker_dice
from vision.poker_faces import PokerFaces

Image = NDArray[np.uint8]

OK, FAULT = 0, 1


class Unreadable(Exception):
    """A photograph that cannot be read; its text says why and what helps."""


class NoDice(Exception):
    """No face of a die is known; the text says why and what helps."""


def load(photo: Path) -> Image:
    """The picture in the file `photo`, BGR, turned as the camera noted it. Raises Unreadable."""
    try:
        data = photo.read_bytes()
    except OSError as fault:
        raise Unreadable(f"{fault.strerror}: give the name of a photograph") from fault
    if not data:
        raise Unreadable("the file is empty: take the photograph again")
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise Unreadable("this is no picture that can be read: give a JPEG, PNG or WebP file")
    picture: Image = np.asarray(image, np.uint8)
    return picture


def see_dice(image: Image, known: Known | None = None, faces: PokerFaces | None = None) -> dict[str, Any]:
    """What is read of the dice in `image`, as the JSON line has it: by pips, or by these known `faces`."""
    read = read_dice(image, known=known) if faces is None else read_poker_dice(image, faces, known=known)
    dice = [
        {
            "faces": die.faces,
            "value": die.value,
            "corners": _rounded(die.corners),
            "confidence": round(die.confidence, 4),
        }
        for die in read.dice
    ]
    return {"sure": read.sure, "dice": dice}


def see_cards(image: Image, reader: CardReader) -> dict[str, Any]:
    """What is read of the cards in `image`, as the JSON line has it."""
    read = reader.read(image)
    cards = [
        {
            "card": card.card,
            # Rounded up it would be a whole turn.
            "rotation": round(card.rotation, 1) % 360,
            "corners": _rounded(card.corners),
            "confidence": round(card.confidence, 4),
        }
        for card in read.cards
    ]
    return {"sure": read.sure, "cards": cards}


def see_markers(image: Image) -> dict[str, Any]:
    """The printed markers in `image`, as the JSON line has them."""
    return {"markers": [{"id": id, "corners": _rounded(corners.tolist())} for id, corners in find_all(image)]}


def main(argv: Sequence[str] | None = None, *, kit: Callable[[], PokerFaces] | None = None) -> int:
    """Read each photograph; 0 when all could be read, 1 when one could not.

    `kit` gives the faces that are printed for poker dice, where such a kit is at hand.
    """
    parser = argparse.ArgumentParser(prog="stationmaster see", description=__doc__)
    kinds = parser.add_subparsers(dest="kind", required=True)
    for name, what in (
        ("dice", "values of the upper faces"),
        ("cards", "names of known cards"),
        ("markers", "ids of printed markers"),
    ):
        kind = kinds.add_parser(name, help=what)
        kind.add_argument("--annotate", type=Path, metavar="DIR", help="write pictures of what was read")
        kind.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
        if name == "dice":
            kind.add_argument("--count", type=int, help="how many dice lie there, if it is known")
            kind.add_argument(
                "--known",
                type=Path,
                metavar="DIR",
                help="poker dice: one picture of each face, named 9, 10, J, Q, K or A",
            )
            if kit is not None:
                kind.add_argument(
                    "--poker", action="store_true", help="poker dice with the faces of the print kit"
                )
        if name == "cards":
            kind.add_argument(
                "--known",
                type=Path,
                required=True,
                metavar="DIR",
                help="one picture of each card, named like it",
            )
    options = parser.parse_args(argv)
    try:
        look = _reader(options, kit)
    except (NoCards, NoDice) as fault:
        parser.error(f"--known {fault}")

    status = OK
    if options.annotate:
        try:
            options.annotate.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            parser.error(
                f"--annotate {options.annotate}: {fault.strerror}. Name a folder that can be written to."
            )
    for photo in options.photos:
        line: dict[str, Any] = {"photo": str(photo)}
        try:
            image = load(photo)
        except Unreadable as fault:
            line["error"] = str(fault)
            status = FAULT
        else:
            line |= look(image)
            if options.annotate:
                _annotate(image, line, options.annotate / f"{photo.parent.name}-{photo.stem}.jpg")
        print(json.dumps(line), flush=True)
    return status


def _reader(
    options: argparse.Namespace, kit: Callable[[], PokerFaces] | None
) -> Callable[[Image], dict[str, Any]]:
    """What reads a picture of the kind that is asked for. Raises NoCards or NoDice."""
    if options.kind == "dice":
        faces = None
        if options.known is not None:
            faces = _enrolled(options.known)
        elif kit is not None and options.poker:
            faces = kit()
        return partial(see_dice, known=Known(options.count), faces=faces)
    if options.kind == "cards":
        return partial(see_cards, reader=CardReader(KnownCards.load(options.known)))
    return see_markers


def _enrolled(folder: Path) -> PokerFaces:
    """The faces of the dice photographed into `folder`. Raises NoDice."""
    try:
        dice = EnrolledDice(folder).dice()
    except OSError as error:
        raise NoDice(f"{folder}: {error.strerror}. Let its pictures be read.") from error
    if dice is None or dice.faces is None:
        raise NoDice(f"{folder} holds no picture of a face. Put one of each there, named like the face.")
    for fault in dice.faults:
        print(f"{fault.card}: {fault.words} {fault.cure}", file=sys.stderr)
    return dice.faces


def _rounded(corners: Sequence[Sequence[float]]) -> list[list[float]]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in corners]


def _annotate(image: Image, line: dict[str, Any], to: Path) -> None:
    """Write `image` with each reading drawn over it: green when sure, red when a person is asked."""
    colour = (0, 200, 0) if line.get("sure", True) else (0, 0, 255)
    thick = max(1, max(image.shape[:2]) // 500)
    canvas = image.copy()
    for piece in line.get("dice") or line.get("cards") or line.get("markers") or []:
        corners = np.array(piece["corners"])
        cv2.polylines(canvas, [np.round(corners).astype(np.int32)], True, colour, thick, cv2.LINE_AA)
        text = str(piece.get("id", piece.get("value", piece.get("card"))))
        if "confidence" in piece:
            text += f" {piece['confidence']:.2f}"
        left, top = (int(least) for least in corners.min(axis=0))
        cv2.putText(
            canvas, text, (left, top - 4), cv2.FONT_HERSHEY_SIMPLEX, 0.5 * thick, colour, thick, cv2.LINE_AA
        )
    if not cv2.imwrite(str(to), canvas):
        raise OSError(f"{to} could not be written: give --annotate a folder that can be written to")


if __name__ == "__main__":
    sys.exit(main())
