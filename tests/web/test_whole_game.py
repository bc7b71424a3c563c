"""Whole games, played by tapping on three phones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.games.layout import Piece
from tests.web.conftest import Phone
from tests.web.house import House
from tests.web.players import Table

SEATS = ("red", "blue", "green")


@pytest.mark.timeout(170)
def test_a_whole_game_with_the_dice_entered_by_hand(house: House, phone: Phone, shots: Path) -> None:
    phones = {seat: phone(small=seat == "red") for seat in SEATS}
    table = Table(house, phones, seed=7)
    table.start()
    table.play(400)
    winner = house.view().standings[0].seat
    for page in phones.values():
        expect(page.locator(".turn h1")).to_have_text(re.compile("wins"))
    layout = house.view().layout
    assert layout is not None
    assert Piece("pawn", winner, "space:63") in layout.pieces


@pytest.mark.timeout(290)
def test_a_whole_game_through_the_pixels_of_the_emulated_table(tmp_path: Path, phone: Phone) -> None:
    """Every roll is thrown by a tap, drawn, read by the camera, and moved by; every pawn follows."""
    with House(tmp_path, seed=1, eyes=True) as house:
        phones = {seat: phone(small=seat == "red") for seat in SEATS}
        table = Table(house, phones, seed=7)
        table.start()
        table.play(400)
        for page in phones.values():
            expect(page.locator(".turn h1")).to_have_text(re.compile("wins"))
            expect(page.locator(".banner")).to_be_visible()
        rolls = sum(line.how == "camera" and " = " in line.words for line in house.table.story())
        assert rolls > table.thrown / 2
        print(f"{table.thrown} throws, {table.asked} questions")
