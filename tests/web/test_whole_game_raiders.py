"""A whole game of Rail Raiders Infinite, played by taps on two phones, at a table that sees nothing."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from playwright.sync_api import Page, expect

from companion.chance import filled_in, outcome
from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.packs.pack import Pack, to_toml
from tests.rules.rail_games import AnyKind, house
from tests.web.conftest import Phone
from tests.web.house import House
from tests.web.players import NAMES, join, shoot, tap
from tests.web.raiders_players import Gang
from tests.web.test_whole_game_hellrail import SCREEN

SEATS = ("red", "blue")

GONE = "no_brakes"
"""A High Noon card by which three more are discarded: with this one alone four turns are a game."""

FIRST, GAMES = 110, 2000
"""The seed from which on a game is looked for that has it all, and how many are looked at."""

LONGEST = 60
"""Actions that there is time for."""

ALL = {
    *("PickRaider", "Shuffled", "Board", "TurnUp", "Move", "Showdown", "Search", "Keep", "Pass"),
    *("reroll", "Send", "donation", "a hand for the Lawbots", "a roll to board"),
}
"""What happens in it."""


def short_pack() -> Pack:
    """The house edition with one High Noon card alone."""
    pack = house()
    cards = tuple(replace(card, copies=56 * (card.name == GONE)) for card in pack.high_noon)
    return replace(pack, name="short", title="Rail Raiders, a short ride", high_noon=cards)


def course(seed: int) -> list[tuple[Any, Any]]:
    """Each state of a game and what is done in it, broken off when it comes to be too long."""
    chance = random.Random(seed)
    bot = AnyKind(chance)
    state = GAME.setup(SEATS, short_pack(), {})
    played: list[tuple[Any, Any]] = []
    while not GAME.over(state) and len(played) <= LONGEST:
        awaiting = GAME.awaiting(state)
        if awaiting.chance is not None:
            action: Any = outcome(awaiting.chance, chance)
        else:
            seat = awaiting.seats[0]
            seen = GAME.view(state, seat)
            action = filled_in(GAME, state, bot.choose(GAME, seen, seat, GAME.legal(seen, seat)), chance)
        played.append((state, action))
        state = GAME.play(state, action)
    return played


def happenings(state: Any, action: Any) -> set[str]:
    """What people would tell of this."""
    job = state.agenda[0]
    found = {type(action).__name__, job.do}
    if job.do == "throw" and job.seat < 0:
        found.add("a hand for the Lawbots")
    if job.do == "roll" and job.card == "boarding":
        found.add("a roll to board")
    return found


def whole_game() -> list[tuple[Any, Any]]:
    """A game that has it all."""
    for seed in range(FIRST, FIRST + GAMES):
        found = course(seed)
        over = GAME.over(GAME.play(*found[-1]))
        if over and set().union(*(happenings(state, action) for state, action in found)) >= ALL:
            return found
    raise AssertionError("no game has it all: begin to look elsewhere")


MOMENTS = ("pick_raider", "board", "turn_up", "act", "reroll", "look", "losers")
"""What the table waits for when pictures are taken, the first time that it does."""


def sit_down(house: House, phones: dict[str, Page]) -> None:
    """Both join, and the first one starts."""
    for seat, page in phones.items():
        join(page, house, NAMES[seat], seat)
    host = phones[SEATS[0]]
    start = host.get_by_role("button", name=f"Start with {len(phones)}")
    expect(start).to_be_enabled()
    tap(host, start)
    for seat, page in phones.items():
        page.wait_for_url(f"**/play/{seat}", wait_until="domcontentloaded")


def test_a_whole_game_is_played_by_taps(tmp_path: Path, phone: Phone, shots: Path) -> None:
    game = whole_game()
    file = tmp_path / "short.toml"
    file.write_text(to_toml(short_pack()))
    with House(tmp_path, game=GAME, pack=str(file)) as house:
        phones = {seat: phone(small=seat == "red") for seat in SEATS}
        wall = phone(**SCREEN)
        house.visit(wall, "/table")
        sit_down(house, phones)
        gang = Gang(house, phones, wall, {seat.seat: seat.person for seat in house.view().seats})
        moments = list(MOMENTS)
        loud = {page: 0 for page in (*phones.values(), wall)}
        for state, action in game:
            assert GAME.hide(house.table.state) == GAME.hide(state)
            if (moment := state.agenda[0].do) in moments:
                moments.remove(moment)
                pictures(shots, moment, phones, wall)
            gang.play(action)
            for page in loud:
                loud[page] += hushed(page)
        pictures(shots, "over", phones, wall)
        assert not moments
        assert set(loud.values()) == {1}
        standings = GAME.scores(GAME.play(*game[-1]))
        for page in (*phones.values(), wall):
            assert page.locator(".turn h1").inner_text() == f"{NAMES[standings[0].seat]} wins"
            rows = page.locator(".standings li:has(.name)").all_inner_texts()
            for row, standing in zip(rows, standings, strict=True):
                assert NAMES[standing.seat] in row
                assert " · ".join(standing.facts) in row
        expect(phones[SEATS[0]].get_by_role("link", name="Play again")).to_be_visible()


def hushed(page: Page) -> bool:
    """Whether the last round was called out on this page just now; it is heard then."""
    if not page.locator(".last-call").is_visible():
        return False
    page.wait_for_timeout(800)
    page.get_by_role("button", name="Got it").click()
    expect(page.locator(".last-call")).to_be_hidden()
    return True


def pictures(shots: Path, moment: str, phones: dict[str, Page], wall: Page) -> None:
    """Of the small phone, of a larger one, and of the big screen."""
    for name, page in (("small", phones["red"]), ("phone", phones["blue"]), ("wall", wall)):
        shoot(page, shots / f"raiders-game-{moment}-{name}.png")
