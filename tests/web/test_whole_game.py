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
    for _ in range(400):
        if table.over():
            break
        table.step()
    table.catch_up()
    winner = house.view().standings[0].seat
    for page in phones.values():
        expect(page.locator(".turn h1")).to_have_text(re.compile("wins"))
    layout = house.view().layout
    assert layout is not None
    assert Piece("pawn", winner, "space:63") in layout.pieces
