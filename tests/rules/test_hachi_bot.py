"""The sensible bot of Hachi Train: what it does in a few hands, and that it is not the one who is left."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.bots import Bot
from companion.bots.hachi_train import HachiTrainBot, turns
from companion.games.game import Shuffled
from companion.games.hachi_train import GAME
from companion.games.hachi_train.actions import KeepHand, Lead, Pass, Play, PutIn
from companion.games.hachi_train.cards import SPECIAL_CARS, train_cars
from companion.games.hachi_train.state import FRONT, SEATS, State
from companion.games.layout import UNKNOWN
from companion.simulate import course
from tests.rules.hachi_games import Truthful, house
from tests.rules.hachi_positions import do, hand, play, position


def chosen(state: State, seat: str) -> Any:
    view = GAME.view(state, seat)
    return HachiTrainBot().choose(GAME, view, seat, GAME.legal(view, seat))


def test_pieces_that_are_played_together_are_one_turn() -> None:
    assert turns(("5", "5", "5")) < turns(("5", "1", "5")) - 1
    assert turns(("3", "3/4", "4")) < turns(("3", "4", "3/4")) + 0.1
    assert turns(("8",)) < turns(("1",))
    assert turns(()) == 0.0
    assert turns((UNKNOWN, "5")) > turns(("5",))


def test_it_goes_out_when_it_can() -> None:
    state = position(field=["4"], hands={"red": ["7", "7"]}, kept=["red"])
    assert chosen(state, "red") == play("red", "7", "7", places=(0, 1))


def test_it_passes_rather_than_break_a_pair_for_a_weak_card() -> None:
    state = position(field=["1"], hands={"red": ["5", "5", "6", "6", "8", "8"]}, kept=["red"], players=5)
    assert chosen(state, "red") == Pass("red")


def test_leading_it_gets_rid_of_what_lies_between_cards_that_belong_together() -> None:
    state = position(hands={"red": ["6", "1", "6", "8"]}, kept=["red"])
    after = do(state, chosen(state, "red"))
    assert hand(after, "red") == ("6", "6", "8")


def test_it_puts_a_card_beside_its_like() -> None:
    state = position(field=["6"], hands={"red": ["7", "2", "6", "1"]}, kept=["red"], players=5)
    state = do(state, play("red", "7", places=(0,)))
    put_in = chosen(state, "red")
    assert isinstance(put_in, PutIn)
    assert hand(do(state, put_in), "red") == ("2", "6", "6", "1")


def test_it_keeps_its_hand_and_leads_if_it_may_say_so() -> None:
    state = GAME.setup(SEATS[:3], house(), {"first_player": "told"})
    state = do(state, Shuffled(train_cars(3)), Shuffled(SPECIAL_CARS))
    assert chosen(state, "blue") == KeepHand("blue")
    assert chosen(do(state, KeepHand("blue")), "blue") == Lead("blue", "blue")


def test_it_plays_on_when_its_hand_is_not_known() -> None:
    state = position(field=["4"], kept=["red"])
    assert isinstance(chosen(state, "red"), Play | Pass)
    assert chosen(position(turn="blue"), "red") is None


def lost(bots: dict[str, Bot], chance: Random) -> Counter[str]:
    """How many matches of a game each kind of bot lost."""
    found: Counter[str] = Counter()
    state = GAME.setup(tuple(bots), house(), {})
    *_, (end, _) = course(GAME, state, bots, chance)
    for seat, assets in zip(end.seats, end.assets, strict=True):
        found[type(bots[seat]).__name__] += (FRONT - assets) // 100
    return found


@pytest.mark.parametrize("players", [3, 4, 5])
def test_it_is_hardly_ever_the_one_who_is_left(players: int) -> None:
    found: Counter[str] = Counter()
    for number in range(3):
        chance = Random(f"bots {players} {number}")
        bots: dict[str, Bot] = {seat: Truthful(chance) for seat in SEATS[:players]}
        bots[SEATS[number % players]] = HachiTrainBot()
        found += lost(bots, chance)
    assert found.total() >= 6
    assert found["HachiTrainBot"] <= 1


def test_games_of_bots_alone_come_to_an_end() -> None:
    for number in range(3):
        bots: dict[str, Bot] = {seat: HachiTrainBot() for seat in SEATS[: 3 + number]}
        assert 2 <= lost(bots, Random(number)).total() <= 4
