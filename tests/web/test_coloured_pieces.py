"""Pawns without caps that look alike: the phones say so, and what to do."""

from __future__ import annotations

from pathlib import Path

import cv2
from playwright.sync_api import expect

from tests.vision.coloured_table import BLUE, ColouredTable
from tests.web.conftest import Phone
from tests.web.house import House
from tests.web.players import shoot
from vision.source import open_source


def test_phones_say_that_two_pawns_look_alike_and_what_to_do(
    tmp_path: Path, phone: Phone, shots: Path
) -> None:
    picture = tmp_path / "table.png"
    table = ColouredTable(7, {"red": "#d8502c", "blue": BLUE, "yellow": "#dc6a2c"})
    cv2.imwrite(str(picture), table.picture)
    with House(tmp_path / "state", source=open_source(str(picture))) as house:
        house.seat(red="Anna", blue="Ben", yellow="Cara")
        house.start("red", "blue", "yellow")
        page = phone(small=True)
        house.visit(page, "/", "anna")
        expect(page.get_by_text("look alike to the camera in this light")).to_be_visible()
        expect(page.get_by_text("Give one of them a printed cap")).to_be_visible()
        shoot(page, shots / "coloured-pieces.png")
