"""Doubts about the turns of Rail Raiders Infinite: off the train, cards, durations, the last card."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.game import Shuffled
from companion.games.rail_raiders_infinite import GAME
from companion.games.rail_raiders_infinite.actions import (
    Board,
    Done,
    Move,
    Pass,
    PickCar,
    PickLawbot,
    PutBack,
    Send,
    SetDie,
    Showdown,
    StayOff,
    TellHighNoon,
    TellRaider,
    TurnUp,
    UseCar,
    UseCard,
)
from companion.games.rail_raiders_infinite.dice import odds
from companion.games.rail_raiders_infinite.packs.vocabulary import Effect
from companion.games.rail_raiders_infinite.state import OFF, Card, Job
from companion.games.rail_raiders_infinite.words.names import percent
from tests.rules.rail_positions import (
    KINGS,
    LOW,
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
    rolls,
    waits_for,
    where,
)

TURNS = (Job("turn", 0), Job("turn", 1), Job("turn", 2), Job("round_end"))


# -- off the train ------------------------------------------------------------------------------------


def test_who_is_off_the_train_uses_no_card_against_who_is_on_it() -> None:
    for at, allowed in ((3, True), (OFF, False)):
        state = position(gear={"blue": ["handcuffs"]}, at={"blue": at})
        assert bool(may(state, UseCard, "blue")) is allowed
    ruling = refused(state, UseCard("blue", "handcuffs"))
    assert ruling.section == "Off the Train"
    assert ruling.sentence == "Blue is Off the Train, and affects nobody on it."


def test_no_card_is_used_against_who_is_off_the_train() -> None:
    state = position(gear={"blue": ["handcuffs"]}, at={"red": OFF}, options={"boarding": "an_action_too"})
    assert waits_for(state) == Job("act", 0)
    assert not may(state, UseCard, "blue")
    assert (
        refused(state, UseCard("blue", "handcuffs")).sentence
        == "Red is Off the Train; nobody on it affects Red."
    )


# -- what cards do ------------------------------------------------------------------------------------


def test_no_lawbot_is_shifted_twice() -> None:
    agenda = [Job("shift", 0, count=2), Job("act", 0), Job("round_end")]
    state = position(at={"red": 3}, bots={1: (1, 0, 0)}, agenda=agenda)
    state = do(state, PickLawbot("red", "deputy", 1, 2))
    assert waits_for(state) == Job("act", 0)
    state = position(at={"red": 3}, bots={1: (1, 0, 0), 2: (1, 1, 0)}, agenda=agenda)
    state = do(state, PickLawbot("red", "deputy", 1, 2))
    assert PickLawbot("red", "deputy", 2, 3) in may(state, PickLawbot)  # the one that lay there
    state = position(at={"red": 3}, bots={1: (1, 0, 0), 4: (0, 1, 0)}, agenda=agenda)
    state = do(state, PickLawbot("red", "deputy", 1, 2))
    assert {(action.kind, action.car) for action in may(state, PickLawbot)} == {("sheriff", 4)}
    assert waits_for(do(state, Done("red"))) == Job("act", 0)


def test_a_card_touches_the_car_on_which_its_owner_is_by_then() -> None:
    jump = Card(
        "over_the_roofs",
        "Jump",
        1,
        "Move, then a Deputy.",
        steps=(Effect("may_move"), Effect("place", what="deputy")),
    )
    state = position(pack=made(over_the_roofs=jump), high_noon=["over_the_roofs"], agenda=TURNS)
    state = do(state, TurnUp("red", "over_the_roofs"), PickCar("red", 2))
    assert [car.bots[0] for car in state.cars[:4]] == [0, 0, 1, 0]


def test_one_more_die_and_a_higher_rank_count_when_boarding() -> None:
    state = position(pack=made([Effect("dice", when="boarding")]), at={"red": OFF}, agenda=TURNS)
    plain = position(at={"red": OFF}, agenda=TURNS)
    six, five = (GAME.prompt(now, "red").choices[2].detail for now in (state, plain))
    assert six == f"rank 4 or better: {percent(odds.boarding(4, 6))}"
    assert six != five
    state = do(state, Board("red", 2))
    assert dice_due(state) == 6
    assert where(do(state, *roll("9 9 9 10 J K")))[0] == 2
    state = position(pack=made([Effect("rank", when="roll", least=2)]), at={"red": OFF}, agenda=TURNS)
    state = do(state, Board("red", 1))
    assert dice_due(state) == 5
    assert where(do(state, *roll(PAIR)))[0] == 1
    assert where(do(state, *roll(LOW)))[0] == OFF


def test_two_cards_that_hold_a_loser_are_two_rolls() -> None:
    holding = made([Effect("hold_on", faces=("Q", "K", "A"))])
    state = position(pack=holding, gear={"red": ["magnet_boots"]}, at={"green": 3})
    state = rolls(do(state, Showdown("red", "blue")), PAIR, TRIPS)
    state = do(state, Send("blue", "red", 0))
    held = do(state, *roll("A"))
    assert (where(held)[0], held.riders[0].gear) == (1, ("magnet_boots",))  # the ability costs nothing
    again = do(state, *roll("9"))
    assert (awaited(again), dice_due(again)) == ("red", 1)
    assert where(do(again, *roll("9")))[0] == 0
    spent = do(again, *roll("A"))
    assert (where(spent)[0], spent.riders[0].gear, spent.loot_discard) == (1, (), ("magnet_boots",))


def test_gear_that_sets_a_die_may_be_spent_on_it() -> None:
    die = Effect("set_die", when="fight", faces=("A",), spend=True)
    pack = made((), magnet_boots=Card("magnet_boots", "Die", 1, "Sets it.", "equipment", effects=(die,)))
    state = position(pack=pack, gear={"red": ["magnet_boots"]}, at={"green": 3})
    state = do(state, Showdown("red", "blue"), *roll(PAIR, KINGS))
    left = do(state, SetDie("red"))
    assert left.riders[0].gear == ("magnet_boots",)
    used = do(state, SetDie("red", "10", "A"))
    assert (used.riders[0].gear, used.loot_discard) == ((), ("magnet_boots",))


def test_a_raider_who_is_put_back_on_the_train_by_hand_goes_on() -> None:
    table = Job("table", 0, effect=Effect("table", words="Do it."))
    state = position(agenda=[table, Job("act", 0), Job("cleanup", 0), Job("round_end")])
    state = do(state, TellRaider("red", "red", OFF), TellRaider("red", "red", 2), Done("red"))
    assert (waits_for(state), where(state)[0]) == (Job("act", 0), 2)
    state = position(agenda=[table, Job("act", 0), Job("cleanup", 0), Job("round_end")])
    state = do(state, TellRaider("red", "red", OFF), Done("red"))
    assert GAME.awaiting(state).seats != ("red",)


# -- how long cards last ------------------------------------------------------------------------------


def test_what_lasts_a_turn_is_over_with_it_and_what_lasts_a_round_with_the_round() -> None:
    forces = [*in_force("hot_blood"), *in_force("wired", lasts="round")]
    state = position(forces=forces, left=2, high_noon=["more_coal", "more_coal"])
    state = do(state, Pass("red"))
    assert [force.card for force in state.forces] == ["wired"]
    state = do(state, TurnUp("blue", "more_coal"))
    assert state.last_round
    state = do(state, Pass("blue"))
    assert ([force.card for force in state.forces], awaited(state)) == (["wired"], "green")
    state = do(state, Pass("green"))
    assert (state.forces, GAME.over(state)) == ((), True)


def test_a_card_thrown_into_a_turn_is_over_with_that_turn() -> None:
    state = do(position(gear={"blue": ["handcuffs"]}), UseCard("blue", "handcuffs"))
    assert not may(state, Move)
    assert [force.seat for force in state.forces] == [0]
    assert do(state, Pass("red")).forces == ()


# -- the last High Noon card --------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "last"), [("goes_on", False), ("last_round", True)])
def test_a_last_card_that_stays_in_force_ends_the_game_as_any_other(value: str, last: bool) -> None:
    card = Card(
        "red_signal", "Signal", 1, "One goes back.", lasts="turn",
        steps=(Effect("return_high_noon"),), effects=(Effect("no_search"),),
    )  # fmt: skip
    state = position(
        pack=made(red_signal=card),
        left=1,
        high_noon=["red_signal"],
        agenda=TURNS,
        options={"shuffled_back": value},
    )
    at = state.unused.index("more_coal")
    state = replace(
        state, high_noon_discard=("more_coal",), unused=state.unused[:at] + state.unused[at + 1 :]
    )
    state = do(state, TurnUp("red", "red_signal"), PutBack("red", "more_coal"), Shuffled(("more_coal",)))
    assert (state.last_round, len(state.high_noon)) == (last, 1)


def test_who_comes_after_an_empty_deck_is_told_of_no_card() -> None:
    state = position(at={"blue": OFF}, left=1, high_noon=["hot_blood"], agenda=TURNS)
    state = do(state, TurnUp("red", "hot_blood"), Pass("red"))
    assert (awaited(state), state.last_round) == ("blue", True)
    told = GAME.prompt(state, "blue")
    assert told.reminders == (
        "LAST ROUND! The High Noon deck is empty. Finish this round, then the game is over.",
        "One attempt, before anything else.",
    )
    stay = next(choice for choice in told.choices if isinstance(choice.action, StayOff))
    assert stay.detail == "the turn has no action then"


def test_a_deck_that_got_a_card_back_is_not_called_empty() -> None:
    state = position(last_round=True, left=1)
    loud = GAME.prompt(state, "red").reminders[0]
    assert loud.startswith("LAST ROUND! The last High Noon card has been drawn.")


@pytest.mark.parametrize(
    ("left", "agenda", "status"),
    [
        (9, TURNS, "This round and 2 more at most"),
        (3, TURNS, "This looks like the last round"),
        (4, TURNS, "This round and 1 more at most"),
        (3, (Job("act", 2), Job("cleanup", 2), Job("round_end")), "This round and 1 more at most"),
        (6, (Job("contest", card="dealer", seats=(0, 1, 2)),), "This round and 1 more at most"),
        (4, (Job("act", 2), Job("cleanup", 2), Job("round_end")), "This round and 2 more at most"),
    ],
)
def test_how_many_rounds_are_left_is_counted_from_the_draws_still_to_come(
    left: int, agenda: tuple[Job, ...], status: str
) -> None:
    assert GAME.prompt(position(left=left, agenda=agenda), "").status == status


def test_the_last_discard_by_the_last_player_ends_the_game_with_this_round() -> None:
    state = position(left=1, agenda=[Job("act", 0), Job("cleanup", 0), Job("round_end")], at={"red": 6})
    state = do(state, UseCar("red"))
    assert (state.last_round, money(state)[0]) == (True, 1)
    assert GAME.over(do(state, Pass("red")))


def test_the_last_card_gone_by_hand_makes_this_the_last_round() -> None:
    table = Job("table", 0, effect=Effect("table", words="Do it."))
    state = position(left=1, agenda=[table, Job("act", 0), Job("round_end")])
    assert do(state, TellHighNoon("red")).last_round
