"""HellRail's sensible bot: what it does in plain positions, its ways over the table, and whole games."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, pairwise
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.bots import Bot, HellRailBot
from companion.bots.hellrail.routes import CURVE, OVER, STRAIGHT, Build, Routes
from companion.games.hellrail import GAME
from companion.games.hellrail.actions import (
    Cross,
    Declare,
    DiscardCard,
    Done,
    EndTurn,
    Fan,
    KeepChip,
    LayRail,
    Move,
    MoveEngine,
    Pickup,
    Rammed,
    Setout,
    SpendChip,
    Target,
    UpgradeRail,
)
from companion.games.hellrail.movement import net_of, reach
from companion.games.hellrail.state import (
    ACTIONS,
    DECLARE,
    FIRST_PLAYER,
    SETUP,
    Effect,
    State,
    Step,
    circle_cards,
    rail_cards,
)
from companion.games.hellrail.track import Position
from companion.simulate import course, simulate
from tests.rules.hellrail_games import AnyKind, game_at_random, house
from tests.rules.hellrail_positions import TRIO, circle, do, entered, line, pack, position, tie

NOTHING: Mapping[str, float] = {CURVE: 1e6, STRAIGHT: 1e6, OVER: 1e6}
"""What laying costs where only the rail that lies is to be gone on."""


def chosen(state: State, seat: str = "red") -> Any:
    view = GAME.view(state, seat)
    return HellRailBot().choose(GAME, view, seat, GAME.legal(view, seat))


# The own turn


def test_it_sets_out_what_it_can_before_anything_else() -> None:
    state = position(engines={"red": "5"}, loaded={"red": ["from3to5"]}, hands={"red": ["v7b1"]})
    assert chosen(state) == Setout("red", "from3to5")


def test_it_loads_a_car_and_goes_where_that_is_set_out() -> None:
    state = position(
        engines={"red": "4"},
        hands={"red": ["from4to3", "v5b5", "v2b5", "spare1"]},
        rails={(6, 5): ("curve1", 90)},
    )
    assert chosen(state) == Pickup("red", "from4to3")
    state = do(state, Pickup("red", "from4to3"))
    move = chosen(state)
    assert isinstance(move, Move)
    assert move.to == circle(state, "3")
    assert move.card in ("spare1", "v5b5")


def test_it_loads_no_car_that_nothing_in_the_hand_could_move() -> None:
    cars = ["v9b1", "v1b1", "v4b1", "v6b1"]
    state = position(engines={"red": "6"}, hands={"red": ["from6to7"]}, loaded={"red": cars})
    assert chosen(state) != Pickup("red", "from6to7")


def test_it_lays_what_the_way_wants() -> None:
    state = position(
        engines={"red": "4"},
        hands={"red": ["curve1", "curve2", "curve3", "v5b5", "v9b5"]},
        loaded={"red": ["from4to3"]},
    )
    lay = chosen(state)
    assert isinstance(lay, LayRail)
    assert (lay.cell, lay.turn) in {((6, 5), 90), ((7, 6), 270)}
    move = chosen(do(state, lay))
    assert isinstance(move, Move)
    assert move.to == circle(state, "3")


def test_it_lays_a_card_over_another_that_leads_nowhere() -> None:
    state = position(
        engines={"red": "4"},
        hands={"red": ["fork1", "v4b1", "v4b4", "v5b5", "v9b5"]},
        loaded={"red": ["from4to3"]},
        rails={(7, 6): ("straight1", 0), (6, 5): ("straight2", 0), (7, 7): ("straight3", 90)},
    )
    assert chosen(state) == UpgradeRail("red", "fork1", (7, 6), 0)


def test_it_fans_the_card_with_most_brimstone_when_there_is_nothing_to_do() -> None:
    state = position(hands={"red": ["v2b5", "v3b2"]}, made=pack({name: () for name in "G123456789"}))
    assert chosen(state) == Fan("red", "v2b5")


def test_it_ends_the_game_ahead_and_not_behind() -> None:
    ahead: dict[str, Any] = {"deck": [], "discard": [], "hands": {"red": ["v2b5"]}}
    leads = position(delivered={"red": ["v9b1"], "blue": ["v4b1"]}, **ahead)
    assert isinstance(chosen(leads), EndTurn | Fan)
    assert GAME.over(GAME.play(GAME.view(leads, "red"), EndTurn("red")))
    trails = position(delivered={"red": ["v4b1"], "blue": ["v9b1"]}, **ahead)
    assert isinstance(chosen(trails), Move)


def test_it_lets_a_game_end_in_which_nobody_leads() -> None:
    """If those who are level all kept the game going, with moves over no ties, it would never end."""
    both: dict[str, Any] = {"deck": [], "discard": [], "hands": {"red": ["v1b1"]}}
    level = position(delivered={"red": ["v9b1"], "blue": ["v9b5"]}, **both)
    assert isinstance(chosen(level), EndTurn | Fan)
    behind = position(delivered={"red": ["v9b1"], "blue": ["v9b5"]}, loaded={"blue": ["v5b5"]}, **both)
    assert isinstance(chosen(behind), Move)


def test_it_does_not_drive_off_the_rail() -> None:
    state = position(rails=line(2), engines={"red": tie(8)}, hands={"red": ["v9b5", "v4b4"]})
    assert not (isinstance(chosen(state), Move) and chosen(state).to is None)


def test_it_rams_a_rich_opponent_off_the_rail() -> None:
    state = position(
        rails=line(2),
        engines={"red": tie(3), "blue": tie(8)},
        hands={"red": ["v5b5", "v1b1"], "blue": ["v9b1", "v9b5", "v6b1"]},
        loaded={"blue": ["from3to5", "from1togate"]},
    )
    assert chosen(state) == Move("red", "v5b5", tie(8), (Rammed("blue"),))


def test_it_takes_the_ferry_over_a_gap_when_that_is_nearly_sure() -> None:
    state = position(
        circles={"3": (4, 0)},
        rails=line(2),
        engines={"red": tie(7)},
        hands={"red": ["v4b1", "v4b4", "v5b5", "v9b5"]},
        loaded={"red": ["from4to3"]},
        tickets=["red"],
    )
    cross = chosen(state)
    assert isinstance(cross, Cross)
    assert (cross.at, cross.to) == (tie(8), circle(state, "3"))


# Circle Effects and Heresy Chips


def test_it_takes_what_a_circle_gives() -> None:
    assert chosen(entered("1")) == Declare("red", use=True)
    assert chosen(entered("6")) == Declare("red", use=True)


def test_it_has_a_rich_opponent_derail_and_keeps_itself_from_it() -> None:
    made = pack({"9": (Step("derail", "opponent"),), "8": (Step("derail"),)})
    rich: dict[str, Any] = {"loaded": {"green": ["from3to5", "v9b1"]}, "made": made}
    state = entered("9", **rich)
    assert chosen(state) == Declare("red", use=True)
    assert chosen(do(state, Declare("red", use=True))) == Target("red", "green")
    assert chosen(entered("8", made=made, loaded={"red": ["v9b1"]})) == Declare("red", use=False)


def test_it_spends_a_chip_on_not_derailing() -> None:
    made = pack({"9": (Step("derail", "opponent"),)})
    state = entered("9", loaded={"green": ["from3to5", "v9b1"]}, chips=["blue", "green"], made=made)
    state = do(state, Declare("red", use=True))
    assert chosen(state, "blue") == KeepChip("blue")
    state = do(state, KeepChip("blue"))
    assert chosen(state, "green") == SpendChip("green")


def test_it_discards_what_it_can_best_do_without() -> None:
    made = pack({"9": (Step("discard"),)})
    hands = {"red": ["v1b1", "v4b1", "v9b5", "from5to4"]}
    circles = {"9": (2, 0), "5": (3, 1), "4": (4, 2)}
    at_nine = position(
        circles=circles, rails={(1, 0): ("straight1", 90)}, engines={"red": tie(4)}, hands=hands, made=made
    )
    state = do(at_nine, Move("red", "v1b1", Position((2, 0))), Declare("red", use=True))
    assert chosen(state) == DiscardCard("red", "v4b1")


def test_it_goes_by_express_as_the_house_edition_says() -> None:
    begin = GAME.setup(TRIO, house(), {})
    assert [step.do for step in circle_cards(begin.edition)["3"].steps] == ["discard", "table"]
    game = course(GAME, begin, {seat: HellRailBot() for seat in TRIO}, Random(5))
    state = next(state for state, _ in game if state.phase == ACTIONS)
    turn = state.turn
    seat = state.seats[turn]
    cards = rail_cards(state.edition)
    car = next(card for card in state.deck if cards[card].setout == "9" and cards[card].value > 4)
    state = replace(
        state,
        deck=(*(card for card in state.deck if card != car), *chain(*state.loaded)),
        engines=tuple(circle(state, "3" if at == turn else "G") for at in range(3)),
        loaded=tuple((car,) if at == turn else () for at in range(3)),
        chips=(0, 0, 0),
        phase=DECLARE,
        effect=Effect(turn, "3"),
    )
    assert GAME.faults(state) == ()
    assert chosen(state, seat) == Declare(seat, use=True)
    state = GAME.play(state, Declare(seat, use=True))
    drop = chosen(state, seat)
    assert isinstance(drop, DiscardCard)
    state = GAME.play(state, drop)
    for expected in (MoveEngine(seat, seat, circle(state, "9")), Done(seat)):
        assert chosen(state, seat) == expected
        state = GAME.play(state, expected)
    assert chosen(state, seat) == Setout(seat, car)


# Ways over the table


def ways_of(state: State, goal: str, laying: Mapping[str, float] = NOTHING) -> Routes:
    return Routes(net_of(state), {circle(state, goal).cell: 0.0}, laying)


def test_a_way_costs_its_ties_and_the_circle() -> None:
    state = position(rails={(6, 5): ("curve1", 90)}, engines={"red": "4"})
    routes = ways_of(state, "3")
    assert routes.onward(circle(state, "4")) == 4
    assert routes.onward(Position((6, 5), "ES", 1, "S")) == 3
    assert routes.onward(Position((6, 5), "ES", 3, "S")) == 1
    assert routes.arrived(circle(state, "3")) == 0
    # By way of Circle 4, where a Move ends: that costs as much as two ties.
    assert routes.onward(Position((6, 5), "ES", 3, "E")) == 3 + 2 + 4
    assert routes.arrived(circle(state, "4")) == 2 + 4


def test_a_way_names_what_is_to_be_laid_nearest_first() -> None:
    state = position(engines={"red": "4"}, rails={(6, 5): ("straight1", 0)})
    start, goal = circle(state, "4"), {circle(state, "2").cell: 0.0}
    costs = {CURVE: 9.0, STRAIGHT: 1.0, OVER: 1.0}
    over = Routes(net_of(state), goal, costs, [((6, 5), "EW", 4)])
    assert list(over.builds(start)) == [(Build((6, 5), "EW", True), 0)]
    assert over.onward(start) == 4 + 1 + 1
    blank = Routes(net_of(state), goal, costs)
    # By way of Circle 3, with a curve before it and one behind it.
    assert list(blank.builds(start)) == [(Build((7, 6), "NW", False), 0), (Build((5, 6), "NE", False), 1)]
    assert list(blank.cells(start))[-1] == circle(state, "2").cell


def test_ways_are_as_long_as_moves() -> None:
    """What a Move finds tie by tie, and what the ways say, is the same where no engine is in the way."""
    compared = 0
    for number in range(12):
        for step, (state, _) in enumerate(game_at_random(Random(number))):
            if state.phase != ACTIONS or step % 8:
                continue
            net = net_of(state)
            for here in set(state.engines):
                for (end, _), cost in reach(net, here, (), 9).items():
                    if end is not None and end.in_circle and end != here:
                        assert Routes(net, {end.cell: 0.0}, NOTHING).onward(here) == cost
                        compared += 1
    assert compared > 20


# Whole games


@pytest.mark.parametrize("number", range(6))
def test_it_plays_to_the_end_with_any_options(number: int) -> None:
    chance = Random(f"options {number}")
    options = {option.name: chance.choice(option.values) for option in GAME.options}
    seats = GAME.seats[: 2 + number % 3]
    bots: dict[str, Bot] = {seat: HellRailBot() for seat in seats}
    turns = 0
    hands: dict[int, list[int]] = {}
    for state, action in course(GAME, GAME.setup(seats, house(), options), bots, chance):
        if isinstance(action, Move | Cross):
            hands.setdefault(turns, []).append(len(state.hands[state.turn]))
        turns += isinstance(action, EndTurn | Fan)
    assert GAME.over(state)
    # No turn can go on for ever: each Move finds fewer cards in the hand than the one before.
    assert any(len(moves) > 1 for moves in hands.values())
    for moves in hands.values():
        assert moves == sorted(set(moves), reverse=True)


def test_it_wins_far_more_than_its_share() -> None:
    wins = 0
    for number in range(5):
        chance = Random(number)
        own = TRIO[number % 3]
        bots: dict[str, Bot] = {seat: AnyKind(chance) for seat in TRIO}
        bots[own] = HellRailBot()
        *_, (last, _) = course(GAME, GAME.setup(TRIO, house(), {}), bots, chance)
        wins += GAME.scores(last)[0].seat == own
    assert wins >= 4


def test_a_simulation_counts_every_way_in_which_a_turn_ends() -> None:
    found = simulate("hellrail", 2, 2, seed=1)
    assert sum(found["wins"].values()) + found["shared"] == 2
    turns = []
    for number in range(2):
        seats = GAME.seats[:2]
        bots: dict[str, Bot] = {seat: HellRailBot() for seat in seats}
        game = course(GAME, GAME.setup(seats, house(), {}), bots, Random(f"1/{number}"))
        whose = [state.turn for state, _ in game if state.phase not in (SETUP, FIRST_PLAYER)]
        turns.append(1 + sum(before != after for before, after in pairwise(whose)))
    assert (found["turns"]["min"], found["turns"]["max"]) == (min(turns), max(turns))
