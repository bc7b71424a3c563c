"""A game of HellRail to its end, played by taps on three phones, at a table that sees nothing."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from companion import packs
from companion.chance import outcome
from tests.web.conftest import Phone
from tests.web.house import HELLRAIL, House
from tests.web.rail_players import Party, Whim

SEATS = {"red": "anna", "blue": "ben", "green": "clara"}


def late(seed: int, left: int) -> Any:
    """A turn late in a game, with no more than so many cards left in both piles, all cards known."""
    chance = random.Random(seed)
    whim = Whim(chance)
    state = HELLRAIL.setup(tuple(SEATS), packs.load(HELLRAIL, "house"), {})
    while state.phase != "actions" or state.owed or len(state.deck) + len(state.discard) > left:
        awaiting = HELLRAIL.awaiting(state)
        action = (
            whim.choose(state, awaiting.seats[0])
            if awaiting.chance is None
            else outcome(awaiting.chance, chance)
        )
        state = HELLRAIL.play(state, action)
    return state


def test_a_game_is_played_to_its_end_by_taps(tmp_path: Path, phone: Phone) -> None:
    truth = late(134, left=7)
    with House(tmp_path, game=HELLRAIL, position=HELLRAIL.hide(truth)) as house:
        phones = {}
        for seat, person in SEATS.items():
            phones[seat] = phone(small=seat == "red")
            house.visit(phones[seat], f"/play/{seat}", person)
        party = Party(house, truth, phones, seed=134)
        while not HELLRAIL.over(party.truth):
            party.step()
        assert {type(action).__name__ for action in party.done} >= {
            "LayRail",
            "UpgradeRail",
            "Move",
            "Pickup",
            "Fan",
            "Declare",
            "DiscardCard",
            "Shuffled",
        }
        winner = HELLRAIL.scores(party.truth)[0].seat
        for page in phones.values():
            assert page.locator(".turn h1").inner_text() == f"{SEATS[winner].capitalize()} wins"
        assert house.table.state == HELLRAIL.hide(party.truth)
