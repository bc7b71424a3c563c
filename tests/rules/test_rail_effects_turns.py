"""What cards do to turns: moving, boarding, searching, gear that is used up, and when it all ends."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.actions import (
    Board,
    Decide,
    Keep,
    Move,
    Pass,
    PickCar,
    Reroll,
    Search,
    Showdown,
    StayOff,
    TradeCard,
    TurnUp,
    UseCard,
)
from companion.games.rail_raiders_infinite.packs.vocabulary import Effect
from companion.games.rail_raiders_infinite.state import LOOT, OFF, Job, State, Turn
from companion.laws import Laws
from tests.rules.rail_positions import (
    PAIR,
    TRIPS,
    awaited,
    dice_due,
    do,
    in_force,
    made,
    may,
    money,
    position,
    refused,
    roll,
    waits_for,
    where,
)


def with_raider(*effects: Effect, **fields: Any) -> State:
    """Red has a Raider with these effects."""
    return position(pack=made(effects), **fields)


# -- moving -------------------------------------------------------------------------------------------


def cars(state: State) -> list[int]:
    return [move.car for move in may(state, Move)]


def test_a_move_of_two_cars() -> None:
    assert cars(with_raider(Effect("long_move", count=2), at={"red": 3})) == [1, 2, 4, 5]
    assert cars(position(at={"red": 3})) == [2, 4]
    assert cars(position(at={"red": 0})) == [1]


def test_no_moves_in_handcuffs() -> None:
    state = position(forces=in_force("handcuffs", deck=LOOT))
    assert cars(state) == []
    assert refused(state, Move("red", 2)).sentence == "A card forbids Red to Move this turn."
    state = do(state, Pass("red"))
    assert (state.forces, state.loot_discard) == ((), ("handcuffs",))


def test_grit_keeps_raiders_on_the_car_while_lawbots_are_there() -> None:
    state = position(grit={1: ["blocked_doors"]}, bots={1: (1, 0, 0)})
    assert cars(state) == []
    assert refused(state, Move("red", 2)).section == "Grit"
    assert cars(position(grit={1: ["blocked_doors"]})) == [0, 2]


def drawing(*high_noon: str, **fields: Any) -> State:
    """Red's turn begins with these High Noon cards on top."""
    agenda = [Job("turn", 0), Job("turn", 1), Job("turn", 2), Job("round_end")]
    return position(agenda=agenda, high_noon=high_noon, **fields)


def test_a_jump_gives_moves_up() -> None:
    state = do(drawing("over_the_roofs"), TurnUp("red", "over_the_roofs"))
    assert [pick.car for pick in may(state, PickCar)] == [0, 2, 3, 4, 5, 6, OFF]
    jumped = do(state, PickCar("red", 5))
    assert (where(jumped)[0], cars(jumped)) == (5, [])
    assert cars(do(state, PickCar("red", OFF))) == [0, 2]


def test_a_free_move_to_an_adjacent_car() -> None:
    state = do(drawing("lurch"), TurnUp("red", "lurch"))
    state = do(state, PickCar("red", 2))
    assert (where(state)[0], state.acts.left, cars(state)) == (2, 3, [1, 3])


def test_a_car_that_is_moved_onto_in_the_own_turn_is_flipped() -> None:
    state = do(drawing("lurch", down=[2]), TurnUp("red", "lurch"), PickCar("red", 2))
    assert waits_for(state) == Job("turn_up", 0, 2, card="cars")


def test_to_a_car_with_another_raider() -> None:
    state = position(gear={"red": ["hand_car"]}, at={"blue": 4, "green": 1})
    state = do(state, UseCard("red", "hand_car"))
    assert may(state, PickCar) == [PickCar("red", 4)]
    state = do(state, PickCar("red", 4))
    assert (where(state)[0], state.acts.left, state.loot_discard) == (4, 3, ("hand_car",))


# -- boarding -----------------------------------------------------------------------------------------


def off(**fields: Any) -> State:
    agenda = [Job("turn", 0), Job("turn", 1), Job("turn", 2), Job("round_end")]
    return position(at={"red": OFF}, agenda=agenda, **fields)


def test_any_dice_are_rerolled_when_boarding() -> None:
    state = do(off(gear={"red": ["climbing_gear"]}), Board("red", 2), *roll("9 9 10 J A"))
    assert len(may(state, Reroll)) == 24
    state = do(state, Reroll("red", ("10", "J", "A")))
    assert dice_due(state) == 3
    assert where(do(state, *roll("9 K Q")))[0] == 2


def test_a_reroll_is_paid_for_when_boarding() -> None:
    state = do(off(gear={"red": ["lucky_coin"]}, dollars={"red": 1}), Board("red", 1))
    state = do(state, Decide("red", yes=True), *roll(PAIR))
    assert len(may(state, Reroll)) == 5
    assert where(do(state, Reroll("red", ())))[0] == OFF


def test_a_car_is_looked_at_before_boarding_and_counts_one_nearer() -> None:
    agenda = [Job("turn", 0), Job("turn", 1), Job("turn", 2), Job("round_end")]
    state = with_raider(
        Effect("look_before_boarding"), at={"red": OFF}, agenda=agenda, down=[2], long_arm=["tin_star"] * 2
    )
    assert Board("red", 2, look=True) in may(state, Board)
    assert Board("red", 1, look=True) not in may(state, Board)
    state = do(state, Board("red", 2, look=True), TurnUp("red", "sleeper"))
    state = do(state, TurnUp("red", "tin_star"), TurnUp("red", "tin_star"))
    assert where(do(state, *roll("9 9 10 10 J")))[0] == 2
    assert where(do(state, *roll(PAIR)))[0] == OFF


# -- searching ----------------------------------------------------------------------------------------


def test_searching_among_no_more_lawbots_than_raiders() -> None:
    among = Effect("search_among_lawbots")
    fields: dict[str, Any] = {"tokens": {1: ("1",)}, "at": {"green": 3}}
    assert may(with_raider(among, bots={1: (2, 0, 0)}, **fields), Search)
    assert not may(with_raider(among, bots={1: (2, 1, 0)}, **fields), Search)


def test_searching_freely_despite_lawbots_and_unopposed() -> None:
    state = position(gear={"red": ["smoke_bomb"]}, bots={1: (3, 0, 0)}, tokens={1: ("1",)})
    state = do(state, UseCard("red", "smoke_bomb"), Search("red"))
    assert waits_for(state) == Job("turn_up", 0, 1, card="token")


def test_peeking_at_a_token() -> None:
    state = with_raider(Effect("peek"), tokens={1: ("1", "3")}, at={"blue": 2, "green": 2})
    state = do(state, Search("red"))
    assert GAME.view(state, "red").cars[1].tokens == ("1", "?")
    assert GAME.view(state, "blue").cars[1].tokens == ("?", "?")
    assert [action.card for action in may(do(state, Decide("red", yes=True)), TurnUp)] == ["1"]
    state = do(state, Decide("red", yes=False), TurnUp("red", "3"))
    assert state.cars[1].tokens == ("1",)


def test_the_laws_hold_while_somebody_peeks() -> None:
    """Tokens lie as they came: that these are in order tells nothing of the one that is not peeked at."""
    state = do(with_raider(Effect("peek"), tokens={1: ("2", "3")}, at={"blue": 2, "green": 2}), Search("red"))
    assert GAME.view(state, "red").cars[1].tokens == ("2", "?")
    for number in range(20):
        Laws(GAME, Random(number)).state(state)


def test_one_more_card_for_the_first_token() -> None:
    fields: dict[str, Any] = {"tokens": {1: ("1", "1")}, "at": {"blue": 2, "green": 2}}
    state = position(forces=in_force("hands_high"), loot=["loose_change"] * 3, **fields)
    state = do(state, Search("red"), TurnUp("red", "1"))
    assert len(state.agenda[0].cards) == 2
    state = do(state, Keep("red", "loose_change"), Search("red"), TurnUp("red", "1"))
    assert len(state.agenda[0].cards) == 1


def test_the_first_dollars_from_loot_are_one_more() -> None:
    state = with_raider(
        Effect("first_loot_dollar"),
        tokens={1: ("1", "1")},
        at={"blue": 2, "green": 2},
        loot=["fat_wallet"] * 2,
    )
    state = do(state, Search("red"), TurnUp("red", "1"), Keep("red", "fat_wallet"))
    assert money(state)[0] == 3
    state = do(state, Search("red"), TurnUp("red", "1"), Keep("red", "fat_wallet"))
    assert money(state)[0] == 5


@pytest.mark.parametrize(("face", "gains"), [("Q", 1), ("A", 1), ("J", 0)])
def test_a_dollar_after_a_search_when_the_die_says_so(face: str, gains: int) -> None:
    state = with_raider(
        Effect("search_dollar", faces=("Q", "K", "A")),
        tokens={1: ("1",)},
        at={"blue": 2, "green": 2},
        loot=["repeater"],
    )
    state = do(state, Search("red"), TurnUp("red", "1"), Keep("red", "repeater"))
    assert dice_due(state) == 1
    assert money(do(state, *roll(face)))[0] == gains


def test_a_reroll_in_every_roll() -> None:
    state = with_raider(
        Effect("search_dollar", faces=("A",)),
        forces=in_force("second_wind"),
        tokens={1: ("1",)},
        at={"blue": 2, "green": 2},
        loot=["repeater"],
    )
    state = do(state, Search("red"), TurnUp("red", "1"), Keep("red", "repeater"), *roll("9"))
    assert may(state, Reroll) == [Reroll("red", ()), Reroll("red", ("9",))]
    assert money(do(state, Reroll("red", ("9",)), *roll("A")))[0] == 1


def test_who_holds_no_weapons_discards_them() -> None:
    state = with_raider(
        Effect("weapons", count=0), tokens={1: ("1",)}, at={"blue": 2, "green": 2}, loot=["repeater"]
    )
    state = do(state, Search("red"), TurnUp("red", "1"), Keep("red", "repeater"))
    assert (state.riders[0].gear, state.loot_discard) == ((), ("repeater",))


def test_equipment_is_put_before_its_owner() -> None:
    state = position(tokens={1: ("1",)}, at={"blue": 2, "green": 2}, loot=["padded_coat"])
    state = do(state, Search("red"), TurnUp("red", "1"), Keep("red", "padded_coat"))
    assert state.riders[0].gear == ("padded_coat",)


# -- actions ------------------------------------------------------------------------------------------


def test_a_fourth_action_may_be_a_third_of_its_type() -> None:
    state = do(position(gear={"red": ["pocket_watch"]}), Move("red", 2), Move("red", 3))
    assert not may(state, Move)
    state = do(state, UseCard("red", "pocket_watch"))
    assert state.acts.left == 2
    state = do(state, Move("red", 4))
    assert not may(state, Move)


def test_a_card_may_be_used_after_the_last_action() -> None:
    state = position(gear={"red": ["pocket_watch"]}, acts=Turn(left=0, done=("move", "move", "search")))
    assert GAME.legal(state, "red") == (UseCard("red", "pocket_watch"), Pass("red"))
    assert may(do(state, UseCard("red", "pocket_watch")), Move)


def test_an_equipped_card_buys_a_third_action_of_one_type() -> None:
    state = with_raider(Effect("third_action"), gear={"red": ["padded_coat"]})
    state = do(state, Move("red", 2), Move("red", 3))
    assert not may(state, Move)
    state = do(state, TradeCard("red", "padded_coat"))
    assert (state.acts.left, state.loot_discard, cars(state)) == (1, ("padded_coat",), [2, 4])


def test_handcuffs_are_used_in_the_turn_of_another() -> None:
    state = position(gear={"red": ["handcuffs"], "blue": ["handcuffs"][:0]})
    assert "in the turn of another player" in refused(state, UseCard("red", "handcuffs")).sentence
    state = position(gear={"blue": ["handcuffs"]})
    assert GAME.legal(state, "blue") == (UseCard("blue", "handcuffs"),)
    assert GAME.awaiting(state).seats == ("red",)
    assert cars(do(state, UseCard("blue", "handcuffs"))) == []


# -- bombs --------------------------------------------------------------------------------------------


def test_a_keg_left_on_a_car_goes_off_before_the_dealers_turn() -> None:
    state = position(gear={"red": ["keg"]}, bots={1: (1, 1, 0)}, at={"green": 3})
    state = do(state, UseCard("red", "keg"))
    assert (state.cars[1].bombs, state.acts.left) == (("keg",), 2)
    state = do(state, Pass("red"), TurnUp("blue", state.high_noon[0]), Pass("blue"))
    state = do(state, TurnUp("green", state.high_noon[0]), Pass("green"))
    state = do(state, *roll(TRIPS, PAIR, PAIR))
    assert (awaited(state), dice_due(state)) == ("red", 1)
    missed = do(state, *roll("Q"))
    assert missed.cars[1].bombs == ("keg",)
    gone = do(state, *roll("K"))
    assert (gone.cars[1].bots, gone.cars[1].bombs, where(gone)) == ((0, 0, 0), (), [OFF, OFF, 3])
    assert (money(gone), gone.loot_discard) == ([0, 0, 0], ("keg",))


# -- how long cards last ------------------------------------------------------------------------------


def test_a_card_lasts_until_the_turn_is_over() -> None:
    state = do(drawing("hot_blood"), TurnUp("red", "hot_blood"))
    assert state.forces == tuple(in_force("hot_blood"))
    state = do(state, Pass("red"))
    assert (state.forces, state.high_noon_discard) == ((), ("hot_blood",))


def test_a_card_lasts_until_the_round_is_over() -> None:
    state = do(drawing("wired", "hot_blood", "hot_blood"), TurnUp("red", "wired"), Pass("red"))
    assert len(state.forces) == 1
    state = do(state, TurnUp("blue", "hot_blood"), Pass("blue"), TurnUp("green", "hot_blood"), Pass("green"))
    assert (state.forces, state.round) == ((), 3)


def test_a_card_is_kept_until_a_turn_without_dollars() -> None:
    kept = in_force("front_page", lasts="kept")
    state = position(forces=kept, acts=Turn(scored=1))
    assert do(state, Pass("red")).forces == tuple(kept)
    state = do(position(forces=kept), Pass("red"))
    assert (state.forces, state.high_noon_discard) == ((), ("front_page",))


def test_high_noon_off_the_train_does_nothing_to_the_train() -> None:
    state = do(off(high_noon=["lurch"]), StayOff("red"), TurnUp("red", "lurch"))
    assert (where(state)[0], state.turn) == (OFF, 1)


def test_a_showdown_needs_a_target() -> None:
    state = position(at={"blue": 2, "green": 2})
    assert not may(state, Showdown)
    assert (
        refused(state, Showdown("red", "blue")).sentence
        == "Blue is not on car 1 (Mail Car); choose a Raider who is."
    )
