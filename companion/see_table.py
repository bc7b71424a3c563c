"""`stationmaster see table [--game G] [--known DIR] PHOTO...`: reads photographs of a game's printed sheet.

What lies where, one JSON line for each photograph, as the camera over the table would tell it when
a game has just been set up: no rail lies yet by the rules, so that engines on rail are not sure.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion import games, packs
from companion.games.game import Game
from companion.games.layout import Reading
from companion.kit_dice import kit_dice
from vision.card_faces import CardFaces
from vision.enrolled import Enrolled
from vision.see import FAULT, OK, Image, Unreadable, load
from vision.source import Frame
from vision.table import LOOKS, TableReader


def see_table(image: Image, game: Game[Any, Any], faces: CardFaces | None = None) -> dict[str, Any]:
    """What is read of the table in `image`, as the JSON line has it. Raises Unreadable without a sheet.

    `faces` are those of cards that may lie there without a marker.
    """
    map = game.table_map(game.setup(game.seats, packs.load(game, "house"), {}))
    reader = TableReader(map, faces=faces, dice=kit_dice(game))
    # The same picture again and again: a table that lies still.
    readings = [reader.see(Frame(float(second), image)) for second in range(LOOKS + 2)]
    reading = next((reading for reading in readings if reading is not None), Reading(0.0))
    if not reading.pieces and len(reading.holes) == len(map.places):
        raise Unreadable("the sheet is not in it: at least three of its corner markers must be seen")
    line: dict[str, Any] = {
        "pieces": [
            {
                "kind": sight.piece.kind,
                "name": sight.piece.name,
                "place": sight.piece.place,
                "turn": sight.piece.turn,
                "at": [round(sight.at[0], 1), round(sight.at[1], 1)],
                "confidence": round(sight.confidence, 3),
            }
            for sight in reading.pieces
        ],
        "holes": list(reading.holes),
    }
    if reading.dice is not None:
        line["dice"] = {"sure": reading.dice.sure, "values": list(reading.dice.values)}
    return line


def main(argv: Sequence[str]) -> int:
    """Read each photograph; 0 when all could be read, 1 when one could not."""
    parser = argparse.ArgumentParser(prog="stationmaster see table", description=__doc__)
    parser.add_argument("--game", choices=games.NAMES, default=games.NAMES[0], help="default: %(default)s")
    parser.add_argument(
        "--known",
        type=Path,
        metavar="DIR",
        help="pictures of cards without a marker, one each, named like it",
    )
    parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    options = parser.parse_args(argv)
    game = games.load(options.game)
    faces = None
    if options.known is not None:
        if not options.known.is_dir():
            parser.error(f"--known {options.known}: there is no such folder.")
        try:
            faces = Enrolled(options.known, game.photographed).faces()
        except OSError as fault:
            parser.error(f"--known {options.known}: {fault}")
        if faces is None or not faces.cards:
            parser.error(f"--known {options.known} holds no picture of a card that can be told.")
        for poor in faces.faults:
            print(f"{poor.card}: {poor.words} {poor.cure}", file=sys.stderr)
    status = OK
    for photo in options.photos:
        line: dict[str, Any] = {"photo": str(photo)}
        try:
            line |= see_table(load(photo), game, faces)
        except Unreadable as fault:
            line["error"] = str(fault)
            status = FAULT
        print(json.dumps(line), flush=True)
    return status
