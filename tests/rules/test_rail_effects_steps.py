"""What cards do once: dollars, decks, Lawbots that come and go, tokens, and what the table does by itself."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.game import AwaitedShuffle, Shuffled
from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.actions import (
    Done,
    Keep,
    Pass,
    PickCar,
    PickLawbot,
    PutBack,
    Search,
    TellDollars,
    TellHighNoon,
    TellLawbot,
    TellRaider,
    TellToken,
    TurnUp,
    UseCar,
)
from companion.games.rail_raiders_infinite.machine import advance, chance_of
from companion.games.rail_raiders_infinite.state import LONG_ARM, OFF, Job, State
from tests.rules.rail_games import house
from tests.rules.rail_positions import do, may, money, position, roll, told, waits_for, where

TURNS = (Job("turn", 0), Job("turn", 1), Job("turn", 2), Job("round_end"))


def drawn(card: str, **fields: Any) -> State:
    """Red has drawn this High Noon card."""
    state = position(agenda=TURNS, high_noon=[card], **fields)
    return do(state, TurnUp("red", card))


def flipped(*cards: str, car: int = 2, **fields: Any) -> State:
    """These Long Arm cards have been drawn for a car."""
    agenda = [*(Job("long_arm", 0, car) for _ in cards[:1]), Job("act", 0), Job("cleanup", 0), *TURNS[1:]]
    state = position(agenda=agenda, long_arm=cards, **fields)
    return do(state, TurnUp("red", cards[0]))


def looted(card: str, *more: str, **fields: Any) -> State:
    """Red has searched and kept this card; the others lie on top of the deck."""
    state = position(tokens={1: ("1",)}, at={"blue": 3, "green": 3}, loot=[card, *more], **fields)
    return do(state, Search("red"), TurnUp("red", "1"), Keep("red", card))


# -- High Noon ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "count"), [("more_coal", 1), ("downhill", 2), ("no_brakes", 3)])
def test_high_noon_cards_are_discarded(card: str, count: int) -> None:
    state = drawn(card)
    assert (len(state.high_noon), len(state.high_noon_buried), state.high_noon_discard) == (
        9 - count,
        count,
        (card,),
    )


def test_a_shown_or_an_unseen_discard_goes_back() -> None:
    state = position(agenda=TURNS, high_noon=["more_coal"], left=5)
    state = do(state, TurnUp("red", "more_coal"), Pass("red"))
    agenda = (Job("step", 1, card="high_noon", effect=house_step("red_signal")), *state.agenda)
    state = advance(replace(state, agenda=agenda))
    assert may(state, PutBack, "blue") == [PutBack("blue", "more_coal"), PutBack("blue", "?")]
    for card, seen, unseen in (("more_coal", 0, 1), ("?", 1, 0)):
        back = do(state, PutBack("blue", card))
        assert (len(back.high_noon_discard), len(back.high_noon_buried)) == (seen, unseen)
        pile = chance_of(back)
        assert isinstance(pile, AwaitedShuffle)
        after = do(back, Shuffled(tuple(reversed(pile.cards))))
        assert len(after.high_noon) == 4


def house_step(card: str) -> Any:
    return next(found for found in house().high_noon if found.name == card).steps[0]


def test_the_player_on_the_left_brings_a_lawbot() -> None:
    state = drawn("patrol", bots={0: (1, 0, 0), 2: (0, 1, 1)})
    assert may(state, PickLawbot, "blue") == [
        PickLawbot("blue", "deputy", 0, 1),
        PickLawbot("blue", "sheriff", 2, 1),
        PickLawbot("blue", "marshal", 2, 1),
    ]
    state = do(state, PickLawbot("blue", "sheriff", 2, 1))
    assert (state.cars[1].bots, state.cars[2].bots) == ((0, 1, 0), (0, 0, 1))


# -- Long Arm -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "bots"),
    [
        ("tin_star", (1, 0, 0)),
        ("silver_star", (0, 1, 0)),
        ("gold_star", (0, 0, 1)),
        ("on_duty", (1, 1, 0)),
        ("two_by_two", (2, 0, 0)),
        ("escort", (1, 0, 1)),
        ("full_crew", (1, 1, 1)),
    ],
)
def test_lawbots_are_placed(card: str, bots: tuple[int, int, int]) -> None:
    state = flipped(card)
    assert (state.cars[2].bots, state.long_arm_discard) == (bots, (card,))
    assert waits_for(state) == Job("act", 0)


def test_two_more_long_arm_cards_for_the_same_car() -> None:
    state = do(
        flipped("sirens", "tin_star", "silver_star"), TurnUp("red", "tin_star"), TurnUp("red", "silver_star")
    )
    assert (state.cars[2].bots, waits_for(state)) == ((1, 1, 0), Job("act", 0))


def test_a_long_arm_card_discards_high_noon() -> None:
    state = flipped("ahead_of_time", left=1)
    assert (state.high_noon, state.last_round) == ((), True)


def test_the_highest_lawbot_of_the_cars_beside_it_comes() -> None:
    state = flipped("hue_and_cry", bots={1: (1, 1, 0), 3: (2, 0, 0)})
    assert (state.cars[2].bots, state.cars[1].bots) == ((0, 1, 0), (1, 0, 0))
    tied = flipped("hue_and_cry", bots={1: (0, 1, 0), 3: (2, 1, 0)})
    assert may(tied, PickLawbot) == [PickLawbot("red", "sheriff", 1, 2), PickLawbot("red", "sheriff", 3, 2)]
    assert flipped("hue_and_cry").cars[2].bots == (0, 0, 0)


def test_an_alarm_is_in_force_for_the_turn() -> None:
    state = flipped("general_alarm")
    assert [force.card for force in state.forces] == ["general_alarm"]
    assert do(state, Pass("red")).long_arm_discard == ("general_alarm",)


def test_the_lowest_lawbot_of_every_car_moves_towards_the_locomotive() -> None:
    state = flipped("to_the_engine", bots={0: (0, 1, 0), 1: (1, 1, 0), 6: (1, 0, 0)})
    assert [state.cars[car].bots for car in (0, 1, 2, 6)] == [(0, 0, 0), (0, 2, 0), (1, 0, 0), (1, 0, 0)]


def test_a_marshal_and_the_lowest_of_the_cars_beside_it() -> None:
    state = flipped("long_shadow", bots={1: (0, 1, 0), 3: (1, 1, 0)})
    assert (state.cars[2].bots, state.cars[3].bots) == ((1, 0, 1), (0, 1, 0))


def test_a_deputy_beside_a_raider() -> None:
    state = flipped("handbill", at={"blue": 3, "green": 5})
    assert may(state, PickCar) == [PickCar("red", 1), PickCar("red", 3)]
    state = do(state, PickCar("red", 3))
    assert (state.cars[2].bots, state.cars[3].bots) == ((1, 0, 0), (1, 0, 0))
    alone = flipped("handbill", at={"red": 2, "blue": 5, "green": 3})
    assert alone.cars[3].bots == (1, 0, 0)
    nobody = flipped("handbill", at={"red": 2, "blue": 5, "green": 5})
    assert sum(sum(car.bots) for car in nobody.cars) == 1


def test_dollars_are_lost_for_officers_and_for_tolls() -> None:
    state = flipped("on_the_spot_fine", bots={2: (3, 1, 0)}, dollars={"red": 5})
    assert (money(state)[0], state.cars[2].bots) == (3, (3, 1, 1))
    assert money(flipped("on_the_spot_fine", bots={2: (0, 2, 0)}, dollars={"red": 2}))[0] == 0
    assert money(flipped("toll", dollars={"red": 2}))[0] == 1
    assert money(flipped("toll"))[0] == 0


@pytest.mark.parametrize("card", ["blocked_doors", "fall_back", "drilled", "price_on_heads", "steady_aim"])
def test_grit_stays_beside_its_car_the_newest_on_top(card: str) -> None:
    old = "steady_aim" if card != "steady_aim" else "drilled"
    state = flipped(card, grit={2: [old]})
    assert (state.cars[2].grit, state.long_arm_discard) == ((card, old), ())


def test_an_empty_long_arm_deck_is_made_of_its_discards() -> None:
    state = position()
    shown = tuple(sorted(state.long_arm))
    agenda = [Job("long_arm", 0, 2), Job("act", 0), Job("cleanup", 0), *TURNS[1:]]
    state = position(agenda=agenda[1:])
    empty = replace(state, long_arm=(), long_arm_discard=shown, agenda=tuple(agenda))
    state = advance(empty)
    assert waits_for(state) == Job("shuffle", card=LONG_ARM)
    state = do(state, Shuffled(shown))
    assert (state.long_arm_discard, waits_for(state)) == ((), Job("turn_up", 0, 2, card=LONG_ARM))


# -- Loot ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "dollars"), [("loose_change", 1), ("fat_wallet", 2), ("strongbox", 3), ("spoils", 1)]
)
def test_dollars_are_scored(card: str, dollars: int) -> None:
    state = looted(card)
    assert (money(state)[0], state.acts.scored, state.loot_discard) == (dollars, dollars, (card,))


def test_the_payroll_shifts_two_lawbots() -> None:
    state = looted("payroll", bots={3: (1, 0, 0), 4: (0, 1, 0)})
    assert money(state)[0] == 3
    assert may(state, PickLawbot) == [
        PickLawbot("red", "deputy", 3, 2),
        PickLawbot("red", "deputy", 3, 4),
        PickLawbot("red", "sheriff", 4, 3),
        PickLawbot("red", "sheriff", 4, 5),
    ]
    state = do(state, PickLawbot("red", "deputy", 3, 4))
    assert waits_for(do(state, Done("red"))) == Job("act", 0)
    assert told(state, Done("red")) == "Red shifts no more Lawbots."
    state = do(state, PickLawbot("red", "sheriff", 4, 3))
    assert waits_for(state) == Job("act", 0)


def test_another_loot_card_is_scored() -> None:
    state = do(looted("torn_sack", "strongbox"), TurnUp("red", "strongbox"))
    assert money(state)[0] == 4
    state = do(
        looted("steamer_trunk", "fat_wallet", "repeater"),
        TurnUp("red", "fat_wallet"),
        TurnUp("red", "repeater"),
    )
    assert (money(state)[0], state.riders[0].gear) == (2, ("repeater",))


@pytest.mark.parametrize(
    ("card", "face", "tokens"),
    [("false_floor", "Q", 1), ("false_floor", "J", 0), ("ledger", "Q", 0), ("ledger", "K", 1)],
)
def test_a_die_puts_a_token_on_the_car(card: str, face: str, tokens: int) -> None:
    assert len(do(looted(card), *roll(face)).cars[1].tokens) == tokens


def test_a_raider_starts_with_loot() -> None:
    state = position(
        raiders={"red": "ptolemy"}, agenda=[Job("starts"), Job("act", 0), *TURNS[1:]], loot=["strongbox"]
    )
    state = do(state, TurnUp("red", "strongbox"))
    assert money(state) == [3, 0, 0]


# -- cars ---------------------------------------------------------------------------------------------


def test_the_locomotive_is_used_for_a_dollar() -> None:
    state = do(position(at={"red": 6}), UseCar("red"))
    assert (money(state)[0], state.acts.left, len(state.high_noon)) == (1, 2, 9)
    state = do(state, UseCar("red"))
    assert not may(state, UseCar)


def test_a_car_without_ability_is_not_used() -> None:
    assert not may(position(), UseCar)


# -- what the table does by itself --------------------------------------------------------------------


def test_the_table_tells_what_it_has_done() -> None:
    state = drawn("house_rule", dollars={"blue": 2}, left=5)
    words = GAME.prompt(state, "red").words
    assert words.startswith("Do what the card says, then tell what came of it: Vote aloud. Who has")
    state = do(state, TellDollars("red", "blue", -1), TellDollars("red", "green", 1))
    assert money(state) == [0, 1, 1]
    state = do(state, TellRaider("red", "green", 4), TellRaider("red", "blue", OFF))
    assert where(state) == [1, OFF, 4]
    state = do(state, TellLawbot("red", "marshal", OFF, 3), TellLawbot("red", "marshal", 3, 4))
    assert state.cars[4].bots == (0, 0, 1)
    state = do(state, TellLawbot("red", "marshal", 4, OFF), TellToken("red", 3))
    assert (state.cars[4].bots, len(state.cars[3].tokens)) == ((0, 0, 0), 1)
    state = do(state, TellHighNoon("red"))
    assert len(state.high_noon) == 3
    assert told(state, Done("red")) == "Red says that this was all."
    assert waits_for(do(state, Done("red"))) == Job("act", 0)
