"""`stationmaster see table --known DIR`: photographs of a table on which cards lie without markers."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from companion.games.hellrail.state import Rail
from companion.see_table import main
from tests.emulated.enrolment import take
from tests.vision.unmarked_table import UnmarkedTable, with_rails


def test_the_command_names_known_cards_and_no_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "cards"
    folder.mkdir()
    for name in ("r03", "r16"):
        take(folder, ("rail", name))
    table = UnmarkedTable(with_rails((Rail((9, 1), "r16", 90), Rail((8, 6), "r15", 0))), None)
    frame = table.camera.read(1.0)
    assert frame is not None
    photo = str(tmp_path / "table.png")
    cv2.imwrite(photo, frame.image)
    assert main(["--game", "hellrail", photo]) == 0
    line = json.loads(capsys.readouterr().out)
    assert not [piece for piece in line["pieces"] if piece["kind"] == "rail"]
    assert main(["--game", "hellrail", "--known", str(folder), photo]) == 0
    line = json.loads(capsys.readouterr().out)
    (piece,) = [piece for piece in line["pieces"] if piece["kind"] == "rail"]
    assert (piece["name"], piece["place"], piece["turn"]) == ("r16", "cell:9,1", 90)
    assert piece["confidence"] >= 0.9
    assert "cell:8,6" in line["holes"]


def test_a_folder_without_cards_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--known", str(tmp_path), "table.png"])
    assert f"{tmp_path} holds no picture" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--known", str(tmp_path / "nowhere"), "table.png"])
    assert "there is no such folder" in capsys.readouterr().err
