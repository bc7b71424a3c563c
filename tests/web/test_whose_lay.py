"""A lay that the camera saw may be the next player's: the phones of both have a button that says so."""

from __future__ import annotations

from pathlib import Path

from companion.games.hellrail.actions import EndTurn, LayRail
from companion.games.hellrail.piles import unseen
from companion.games.hellrail.rails import open_cells
from companion.games.layout import Piece, Reading, Sight
from tests.web.conftest import Phone
from tests.web.house import HELLRAIL, House
from tests.web.players import shows, tap
from tests.web.rail_players import PEOPLE
from tests.web.test_hellrail_looks import awaited, position


def test_who_is_next_has_laid_it(tmp_path: Path, phone: Phone) -> None:
    with House(tmp_path, game=HELLRAIL, position=position("busy")) as house:
        state = house.table.state
        seat = awaited(state)
        following = state.seats[(state.seats.index(seat) + 1) % len(state.seats)]
        card = next(iter(unseen(state)))
        cell = next((column, row) for column, row in open_cells(state) if 0 <= column < 11 and 0 <= row < 8)
        new = Piece("rail", card, f"cell:{cell[0]},{cell[1]}")
        for pieces in (HELLRAIL.layout(state).pieces, (*HELLRAIL.layout(state).pieces, new)):
            sights = tuple(Sight(piece, (0.0, 0.0), 1.0) for piece in pieces)
            assert house.table.submit(Reading(0.0, sights)).result(10).status == "done"
        assert house.table.moves() == (LayRail(seat, card, cell, 0),)
        page = phone(small=True)
        house.visit(page, f"/play/{following}", PEOPLE[following])
        button = page.get_by_role("button", name=f"That was {following.capitalize()}")
        assert button.count() == 1
        house.visit(page, f"/play/{seat}", PEOPLE[seat])
        tap(page, button)
        shows(page, house)
        assert house.table.moves() == (EndTurn(seat), LayRail(following, card, cell, 0))
        assert button.count() == 0
