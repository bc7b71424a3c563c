"""`stationmaster see table`: photographs of a printed sheet, read by name of the game."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import games, packs
from companion.command import main
from companion.emulated.box import box_of
from companion.games.layout import Layout, Piece, TableMap
from companion.see_table import see_table
from tests.emulated.rig import Rig
from tests.vision.laid_table import Laid, LaidTable, View


def middle(map: TableMap, place: str) -> tuple[float, float]:
    x, y = np.mean(next(known.outline for known in map.places if known.name == place), axis=0)
    return (float(x), float(y))


def test_a_photograph_of_a_sheet_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = games.load("hellrail")
    map = game.table_map(game.setup(game.seats, packs.load(game, "house"), {}))
    names = [token.name for token in map.tokens if token.kind == "circle"]
    places = [place.name for place in map.places if place.look == "cell"]
    at = {name: middle(map, places[7 * number]) for number, name in enumerate(dict.fromkeys(names))}
    image = LaidTable(map, {}, View((1600, 900), 10.0)).draw([Laid("circle", *item) for item in at.items()])
    photo, empty = tmp_path / "table.png", tmp_path / "empty.png"
    cv2.imwrite(str(photo), image)
    cv2.imwrite(str(empty), np.full((720, 1280, 3), 120, np.uint8))
    assert (
        main(["see", "table", "--game", "hellrail", str(photo), str(empty), str(tmp_path / "none.jpg")]) == 1
    )
    read, bare, none = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert read["photo"] == str(photo)
    assert {piece["name"]: piece["place"] for piece in read["pieces"]} == {
        name: places[7 * number] for number, name in enumerate(at)
    }
    assert all(piece["confidence"] >= 0.9 for piece in read["pieces"])
    assert read["dice"] == {"sure": True, "values": []}
    assert read["holes"] == []
    assert "corner markers" in bare["error"]
    assert none["error"].startswith("No such file")


def test_the_game_is_chosen_by_name() -> None:
    game = games.load("pawns_of_perdition")
    state = game.setup(game.seats, packs.load(game, "house"), {})
    rig = Rig(4)
    pieces = (Piece("pawn", "red", "space:7"),)
    rig.world.set_out(game.table_map(state), Layout(pieces, (5,)), box_of(game, state))
    line = see_table(rig.frame().image, game)
    (pawn,) = line["pieces"]
    assert (pawn["kind"], pawn["name"], pawn["place"], pawn["turn"]) == ("pawn", "red", "space:7", 0)
    assert line["dice"]["values"] in ([5], [])
