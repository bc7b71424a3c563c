"""The sensible bot of Rail Raiders Infinite: what it does in plain positions, and in whole games."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.bots import BOTS, Bot, RailRaidersBot
from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.actions import (
    Board,
    Decide,
    Join,
    Keep,
    Reroll,
    Search,
    Send,
    Showdown,
    TurnUp,
    UseCard,
)
from companion.games.rail_raiders_infinite.state import OFF, Job, State, Turn
from companion.simulate import course
from tests.rules.rail_games import AnyKind, house
from tests.rules.rail_positions import (
    FULL,
    PAIR,
    TRIPS,
    do,
    position,
    roll,
    rolls,
)

TURNS = (Job("turn", 0), Job("turn", 1), Job("turn", 2), Job("round_end"))


def chosen(state: State, seat: str = "red") -> Any:
    view = GAME.view(state, seat)
    return RailRaidersBot().choose(GAME, view, seat, GAME.legal(view, seat))


def test_it_searches_where_it_is_alone() -> None:
    assert chosen(position(at={"blue": 3, "green": 4}, tokens={1: ("1", "2")})) == Search("red")


def test_it_fights_lawbots_that_lie_on_loot() -> None:
    state = position(at={"blue": 5, "green": 5}, bots={1: (1, 0, 0)}, tokens={1: ("3", "2")})
    assert chosen(state) == Showdown("red", "lawbots")


def test_it_boards_the_caboose_rather_than_gamble_far() -> None:
    choice = chosen(position(at={"red": OFF}, agenda=TURNS))
    assert isinstance(choice, Board)
    assert choice.car <= 1


def test_it_keeps_the_card_worth_most() -> None:
    state = position(
        at={"blue": 3, "green": 4}, tokens={1: ("3",)}, loot=["loose_change", "strongbox", "fat_wallet"]
    )
    state = do(state, Search("red"), TurnUp("red", "3"))
    assert chosen(state) == Keep("red", "strongbox")


def test_it_rerolls_for_the_best_chance() -> None:
    state = position(at={"green": 4}, gear={"red": ["twin_barrels"]})
    state = do(state, Showdown("red", "blue"))
    state = do(state, chosen(state), *roll("9 10 J Q A", PAIR))
    assert chosen(state) in (Reroll("red", ("9",)), Reroll("red", ("A",)))
    best = do(position(at={"green": 4}, gear={"red": ["twin_barrels"]}), Showdown("red", "blue"))
    best = do(best, chosen(best), *roll(FULL, PAIR))
    assert chosen(best) == Reroll("red", ())


def test_it_takes_what_is_donated_and_the_poorer_first() -> None:
    state = do(
        position(dollars={"red": 2, "blue": 4, "green": 3}), Showdown("red", "blue"), Join("green", join=True)
    )
    state = rolls(state, TRIPS, PAIR, PAIR)
    choice = chosen(state)
    assert isinstance(choice, Send)
    assert choice.loser == "green"
    assert chosen(do(state, choice)) == Decide("red", yes=True)


def test_it_hinders_the_leader_and_nobody_else() -> None:
    gear = {"blue": ["handcuffs"]}
    assert chosen(position(gear=gear, dollars={"red": 3}), "blue") == UseCard("blue", "handcuffs")
    assert chosen(position(gear=gear, dollars={"green": 3}), "blue") is None
    assert (
        chosen(position(gear=gear, dollars={"red": 3}, acts=Turn(left=1, done=("move", "move"))), "blue")
        is None
    )


def test_whole_games_by_bots_end_and_the_bot_beats_who_plays_at_random() -> None:
    wins = 0
    for number in range(24):
        chance = Random(f"bots {number}")
        seats = GAME.seats[: 2 + number % 3]
        own = seats[number % len(seats)]
        bots: dict[str, Bot] = {seat: BOTS[GAME.name]() if seat == own else AnyKind(chance) for seat in seats}
        *_, (state, _) = course(GAME, GAME.setup(seats, house(), {}), bots, chance)
        assert GAME.over(state)
        wins += next(standing.place for standing in GAME.scores(state) if standing.seat == own) == 1
    assert wins >= 16
