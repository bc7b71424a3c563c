"""A game of HellRail to its end, played by taps on three phones, at a table that sees nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.web.conftest import Phone
from tests.web.house import HELLRAIL, House
from tests.web.rail_players import PEOPLE, Party, played_out, reached


def late(state: Any) -> bool:
    """A turn with seven cards left in both piles."""
    return bool(state.phase == "actions" and not state.owed and len(state.deck) + len(state.discard) <= 7)


KINDS = {"LayRail", "UpgradeRail", "Move", "Pickup", "Fan", "Declare", "EndTurn", "Shuffled"}


def promising() -> tuple[Any, int]:
    """A late position and the seed with which people then do something of every kind."""
    for seed in range(100, 400):
        truth = reached(late, seed=seed)
        done = played_out(truth, seed, tuple(PEOPLE))
        if len(done) <= 40 and {type(action).__name__ for action in done} >= KINDS:
            return truth, seed
    raise AssertionError("no game has it all")


def test_a_game_is_played_to_its_end_by_taps(tmp_path: Path, phone: Phone) -> None:
    truth, seed = promising()
    with House(tmp_path, game=HELLRAIL, position=HELLRAIL.hide(truth)) as house:
        phones = {}
        for seat, person in PEOPLE.items():
            phones[seat] = phone(small=seat == "red")
            house.visit(phones[seat], f"/play/{seat}", person)
        party = Party(house, truth, phones, seed)
        while not HELLRAIL.over(party.truth):
            party.step()
        assert {type(action).__name__ for action in party.done} >= KINDS
        winner = HELLRAIL.scores(party.truth)[0].seat
        for page in phones.values():
            assert page.locator(".turn h1").inner_text() == f"{PEOPLE[winner].capitalize()} wins"
        assert house.table.state == HELLRAIL.hide(party.truth)
