"""Hachi Train on four phones, one of which keeps its owner's hand: a match, and with --deep a game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from companion import packs
from companion.bots import HachiTrainBot
from companion.games.hachi_train import GAME
from companion.games.hachi_train.actions import Pass, Play, PutIn
from companion.games.hachi_train.cards import specials_among
from companion.games.hachi_train.keeping import KEEPING
from companion.games.hachi_train.state import BACK, FRONT, MATCHES, NONE, TRAINS, State
from companion.simulate import course
from tests.web.conftest import Phone
from tests.web.hachi_players import PEOPLE, Round
from tests.web.house import House
from tests.web.players import NAMES, join, shoot, tap
from tests.web.test_whole_game_hellrail import SCREEN

SEATS = ("red", "blue", "green", "yellow")
KEEPER = "blue"

GAMES = 300
"""How many games are looked at."""

ALL = {
    *("the keeper plays", "a special car is declared", "the keeper draws", "the keeper takes"),
    *("a pass", "the field is cleared", "somebody goes out", "assets are gone"),
}
"""What happens in it."""


def begun() -> State:
    """Three matches are over, and the cards of the fourth are to be dealt."""
    start: State = GAME.setup(SEATS, packs.load(GAME, "house"), {})
    return replace(start, match=MATCHES, assets=(BACK, BACK, FRONT, BACK), turn=3)


def whole_game(start: State, first: int, longest: int) -> list[tuple[State, Any]]:
    """Each state of a game in which all cards are known, and what is done in it.

    It has it all, and no more than so many acts at the table; the seeds from `first` on are looked at.
    """
    wanted = ALL | ({"another match"} if start.match < MATCHES else set())
    for seed in range(first, first + GAMES):
        bots = {seat: HachiTrainBot() for seat in SEATS}
        found = list(course(GAME, start, bots, random.Random(seed)))
        acts = [action for _, action in found if action is not None and told(action)]
        happened = {word for state, action in found for word in events(state, action)}
        if len(acts) <= longest and happened >= wanted:
            return found[:-1]
    raise AssertionError("no game has it all: begin to look elsewhere")


def told(action: Any) -> bool:
    """Whether somebody at the table says so."""
    return not KEEPING.private(action) or action.seat == KEEPER


def events(state: State, action: Any) -> Iterator[str]:
    """What people would tell of this."""
    own = getattr(action, "seat", "") == KEEPER
    after = state if action is None else GAME.play(state, action)
    match action:
        case Play() if own:
            yield "the keeper plays"
            if specials_among(action.cards):
                yield "a special car is declared"
        case PutIn() if own:
            drawn = specials_among(state.hands[SEATS.index(KEEPER)][-state.loose[SEATS.index(KEEPER)] :])
            yield "the keeper draws" if drawn else "the keeper takes"
        case Pass():
            yield "a pass"
            if not after.field:
                yield "the field is cleared"
    if after.match > state.match:
        yield "another match"
    if isinstance(action, Play) and len(after.gone) > len(state.gone):
        yield "somebody goes out"
    if NONE in after.assets:
        yield "assets are gone"


MOMENTS = ("trains", "specials", "turn", "put in", "over")
"""When pictures are taken, the first time that it is so."""


def sit_down(house: House, phones: dict[str, Page]) -> None:
    """All join, and the first one starts."""
    for seat, page in phones.items():
        join(page, house, NAMES[seat], seat)
    start = phones[SEATS[0]].get_by_role("button", name=f"Start with {len(phones)}")
    expect(start).to_be_enabled()
    tap(phones[SEATS[0]], start)
    for seat, page in phones.items():
        page.wait_for_url(f"**/play/{seat}", wait_until="domcontentloaded")


def test_the_last_match_is_played_by_taps(tmp_path: Path, phone: Phone, shots: Path) -> None:
    play_on_phones(whole_game(begun(), 141, 60), tmp_path, phone, shots, late=True)


@pytest.mark.deep
def test_a_whole_game_is_played_by_taps(tmp_path: Path, phone: Phone, shots: Path) -> None:
    start = GAME.setup(SEATS, packs.load(GAME, "house"), {})
    play_on_phones(whole_game(start, 2, 150), tmp_path, phone, shots, late=False)


def play_on_phones(
    game: list[tuple[State, Any]], folder: Path, phone: Phone, shots: Path, *, late: bool
) -> None:
    """From sitting down to the end, or from where a game stands that is under way."""
    with House(folder, game=GAME, position=game[0][0] if late else None) as house:
        phones = {seat: phone(small=seat == KEEPER) for seat in SEATS}
        wall = phone(**SCREEN)
        house.visit(wall, "/table")
        if late:
            for seat, page in phones.items():
                house.visit(page, f"/play/{seat}", PEOPLE[seat])
        else:
            sit_down(house, phones)
        players = Round(house, phones, wall, KEEPER)
        seen: set[str] = set()
        for state, action in game:
            moment = "put in" if isinstance(action, PutIn) and told(action) else state.phase
            if moment not in seen:
                seen.add(moment)
                pictures(shots, moment, phones, wall)
            if state.phase == TRAINS:
                expect(phones[KEEPER].locator("#guard")).to_have_count(0)  # wiped with the match
            players.play(state, action)
        pictures(shots, "over", phones, wall)
        assert seen | {"over"} == {*MOMENTS, *(() if late else ("first",))}
        end = GAME.play(*game[-1])
        standings = GAME.scores(end)
        for page in (*phones.values(), wall):
            assert page.locator(".turn .prompt").inner_text() == GAME.prompt(end, "").words
            rows = page.locator(".standings li:has(.name)").all_inner_texts()
            for row, standing in zip(rows, standings, strict=True):
                assert NAMES[standing.seat] in row
                assert " · ".join(standing.facts) in row
            assert not page.locator("#guard").count()
        expect(phones[SEATS[0]].get_by_role("link", name="Play again")).to_be_visible()


def pictures(shots: Path, moment: str, phones: dict[str, Page], wall: Page) -> None:
    """Of the small phone, of a larger one, and of the big screen."""
    for name, page in (("small", phones[KEEPER]), ("phone", phones["red"]), ("wall", wall)):
        shoot(page, shots / f"hachi-game-{moment.replace(' ', '-')}-{name}.png")
