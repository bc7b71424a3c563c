"""Chance, the bots, and whole games by them."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.bots import Bot, PawnsBot, RandomBot
from companion.chance import filled_in, outcome
from companion.games.game import AwaitedDice, AwaitedShuffle, Rolled, Shuffled
from companion.games.layout import UNKNOWN
from companion.games.pawns_of_perdition import GAME
from companion.games.pawns_of_perdition.actions import Accept, EndTurn, Give, Keep, Move, PlayCard, Take
from companion.games.pawns_of_perdition.state import State
from companion.laws import LawBroken
from companion.simulate import course, next_action, simulate
from tests.rules.positions import TRIO, begin, do, house, landed, put


class Silent:
    """Lets everything go by."""

    def choose(self, game: Any, view: Any, seat: str, legal: tuple[Any, ...]) -> Any | None:
        return None


def chosen(state: State, seat: str) -> Any:
    view = GAME.view(state, seat)
    return PawnsBot().choose(GAME, view, seat, GAME.legal(view, seat))


def test_dice_are_fair_and_of_the_awaited_number() -> None:
    chance = Random(1)
    rolls = [outcome(AwaitedDice("red", 3, "test"), chance) for _ in range(2000)]
    faces = Counter(face for roll in rolls if isinstance(roll, Rolled) for face in roll.values)
    assert set(faces) == {1, 2, 3, 4, 5, 6}
    assert faces.total() == 6000
    assert all(900 < count < 1100 for count in faces.values())


def test_a_shuffle_keeps_the_cards() -> None:
    cards = ("a", "b", "c", "d")
    orders = {outcome(AwaitedShuffle(cards, "test"), Random(seed)) for seed in range(200)}
    assert all(isinstance(order, Shuffled) and tuple(sorted(order.cards)) == cards for order in orders)
    assert len(orders) == 24


def test_the_same_seed_gives_the_same_chance() -> None:
    awaited = AwaitedDice("red", 2, "test")
    assert [outcome(awaited, Random(7)) for _ in range(3)] == [outcome(awaited, Random(7))] * 3


def test_a_card_taken_unseen_is_each_with_the_same_likelihood() -> None:
    state = landed(put(begin(), hands={"blue": ["hells_grasp", "hells_grasp", "second_chance"]}), "greed")
    chance = Random(1)
    taken = Counter(filled_in(GAME, state, Take("red", "blue", UNKNOWN), chance).card for _ in range(3000))
    assert set(taken) == {"hells_grasp", "second_chance"}
    assert 1900 < taken["hells_grasp"] < 2100


def test_what_leaves_nothing_open_stays_as_it_is() -> None:
    state = landed(put(begin(), hands={"red": ["hells_grasp"], "blue": ["second_chance"]}), "lust")
    give = Give("red", "blue", "hells_grasp")
    assert filled_in(GAME, state, give, Random(1)) == give
    illegal = Take("red", "blue", UNKNOWN)
    assert filled_in(GAME, state, illegal, Random(1)) == illegal


def test_the_random_bot_lets_things_go_by_only_where_it_may() -> None:
    state = landed(put(begin(), hands={"red": ["hells_grasp"]}), "safe")
    lazy = RandomBot(Random(1), eager=0.0)
    assert lazy.choose(GAME, state, "red", GAME.legal(state, "red")) is not None
    before_roll = put(begin(), hands={"red": ["hells_grasp"]})
    assert lazy.choose(GAME, before_roll, "red", GAME.legal(before_roll, "red")) is None
    keen = RandomBot(Random(1), eager=1.0)
    assert keen.choose(GAME, before_roll, "red", GAME.legal(before_roll, "red")) is not None


def test_the_sensible_bot_plays_what_helps() -> None:
    boosts = put(begin(), hands={"red": ["sanctuarys_blessing"]})
    assert chosen(boosts, "red") == PlayCard("red", "sanctuarys_blessing")
    wins = do(put(begin(), pawns={"red": 55}, hands={"red": ["second_chance"]}), Rolled((6, 6)))
    assert chosen(wins, "red") == Move("red")
    torment = landed(put(begin(), pawns={"blue": 40}, hands={"red": ["unholy_bargain"]}), "torment")
    assert chosen(torment, "red") == PlayCard("red", "unholy_bargain", "blue")


def test_the_sensible_bot_stops_a_winner_and_guards_itself() -> None:
    hands = {"blue": ["omen_of_suffering"], "red": ["soul_conviction"]}
    wins = do(put(begin(), pawns={"red": 55}, hands=hands), Rolled((6, 6)))
    omen = PlayCard("blue", "omen_of_suffering", "red")
    assert chosen(wins, "blue") == omen
    assert chosen(do(wins, omen), "red") == PlayCard("red", "soul_conviction")


def test_the_sensible_bot_accepts_what_does_not_hurt() -> None:
    hands = {"red": ["infernal_exchange"], "blue": ["soul_conviction"]}
    swap = put(begin(), pawns={"red": 40, "blue": 3}, hands=hands)
    assert chosen(do(swap, PlayCard("red", "infernal_exchange", "blue")), "blue") == Accept("blue")


def test_the_sensible_bot_keeps_dice_that_win() -> None:
    state = put(begin(), pawns={"red": 55}, hands={"red": ["cleansing_flame"]})
    state = do(state, PlayCard("red", "cleansing_flame"), Rolled((1, 6, 2)))
    assert chosen(state, "red") == Keep("red", (2, 6))


def test_the_sensible_bot_saves_a_card_that_gains_nothing() -> None:
    state = landed(put(begin(), hands={"red": ["hells_grasp"]}), "safe")
    assert chosen(state, "red") == EndTurn("red")
    before_roll = put(begin(), hands={"red": ["hells_grasp"]})
    assert chosen(before_roll, "red") is None


def test_the_sensible_bot_wins_more_than_its_share() -> None:
    wins = 0
    for number in range(120):
        chance = Random(number)
        own = TRIO[number % 3]
        bots: dict[str, Bot] = {seat: RandomBot(chance) for seat in TRIO}
        bots[own] = PawnsBot()
        *_, (last, _) = course(GAME, GAME.setup(TRIO, house(), {}), bots, chance)
        wins += last.winner == own
    assert wins > 1.2 * 120 / 3


def test_a_game_that_stands_still_is_said_to() -> None:
    state = landed(put(begin(), hands={"red": ["hells_grasp"]}), "safe")
    with pytest.raises(RuntimeError, match="waits for red"):
        next_action(GAME, state, {seat: Silent() for seat in state.seats}, Random(1))


def test_a_bot_is_given_a_view() -> None:
    class Curious:
        def choose(self, game: Any, view: Any, seat: str, legal: tuple[Any, ...]) -> Any | None:
            own = view.seats.index(seat)
            others = [hand for number, hand in enumerate(view.hands) if number != own]
            assert all(card == UNKNOWN for hand in (*others, view.deck) for card in hand)
            assert UNKNOWN not in view.hands[own]
            return None

    state = put(begin(), hands={seat: ["hells_grasp"] for seat in ("red", "blue")})
    assert isinstance(next_action(GAME, state, {seat: Curious() for seat in state.seats}, Random(1)), Rolled)


def test_a_simulation_is_the_same_each_time_however_many_jobs() -> None:
    def summary(jobs: int) -> dict[str, Any]:
        found = simulate("pawns_of_perdition", 6, 4, seed=3, jobs=jobs)
        return {key: found[key] for key in found if key not in ("seconds", "actions_per_second", "jobs")}

    assert summary(1) == summary(1) == summary(2)


def test_a_simulation_sums_up() -> None:
    found = simulate("pawns_of_perdition", 5, 3, seed=1)
    assert found["games"] == 5
    assert sum(found["wins"].values()) == 5
    assert set(found["wins"]) == {"red", "blue", "green"}
    assert found["turns"]["min"] <= found["turns"]["median"] <= found["turns"]["max"]
    assert found["actions"] > 100
    assert found["actions_per_second"] > 0
    assert not found["checked"]


def test_a_checked_simulation_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert simulate("pawns_of_perdition", 2, 3, seed=1, check=True)["checked"]
    from companion.games import pawns_of_perdition

    broken = vars(GAME) | {"story": lambda state, action: ()}
    monkeypatch.setattr(pawns_of_perdition, "GAME", type(GAME)(**broken))
    with pytest.raises(LawBroken, match="has a story"):
        simulate("pawns_of_perdition", 1, 3, seed=1, check=True)
