"""The rulebook's sentences that no case and no ruling has a test for: Components to Movement."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.game import AwaitedDice, AwaitedShuffle, Rolled, Shuffled
from companion.games.hellrail import GAME
from companion.games.hellrail.actions import (
    Declare,
    DiscardCard,
    EndTurn,
    Fan,
    LayRail,
    Move,
    Pickup,
    Setout,
    UpgradeRail,
)
from companion.games.hellrail.state import (
    ACTIONS,
    CHIPS,
    FANNED,
    GATE,
    HAND,
    SEATS,
    TICKETS,
    Rail,
    Step,
    rail_cards,
)
from companion.games.hellrail.track import Position
from tests.rules.hellrail_positions import (
    FOUR,
    NAMES,
    TRIO,
    begin,
    circle,
    counted,
    do,
    engine,
    entered,
    hand,
    house,
    in_turn,
    line,
    may,
    pack,
    position,
    rail,
    refused,
    tie,
    train,
)

# Components, Goal, Play Summary


def test_the_components_are_all_there() -> None:
    state = begin(FOUR)
    kinds = Counter(token.kind for token in GAME.table_map(state).tokens)
    assert len(house().rails) == len(state.edition.rails) == 45
    assert len(house().circles) == len(state.edition.circles) == 10
    assert (kinds["engine"], len(SEATS), CHIPS, TICKETS) == (4, 4, 4, 2)
    assert "one die" in refused(do(GAME.setup(TRIO, pack(), {}), Shuffled(NAMES)), Rolled((1, 2))).sentence


def test_the_most_delivered_souls_win() -> None:
    state = position(
        delivered={"red": ["v2b5"], "blue": ["v9b1"], "green": ["v4b1", "v4b4"]}, deck=[], discard=[]
    )
    state = do(state, EndTurn("red"))
    places = {standing.seat: standing.place for standing in GAME.scores(state)}
    assert places == {"blue": 1, "green": 2, "red": 3}
    assert GAME.scores(state)[0].seat == "blue"


def test_a_turn_has_every_kind_of_card_action() -> None:
    state = position(
        rails=line(1),
        engines={"red": "3"},
        hands={"red": ["from3to5", "straight2"]},
        loaded={"red": ["from4to3"]},
    )
    kinds = {type(action) for action in GAME.legal(state, "red")}
    assert kinds == {LayRail, UpgradeRail, Pickup, Setout, Move, Fan, EndTurn}


def test_turns_go_on_until_a_card_is_needed_and_none_is_left() -> None:
    state = position(deck=["spare1", "spare2"], discard=[])
    for seat in ("red", "blue"):
        assert not GAME.over(state)
        state = do(state, EndTurn(seat))
    assert (len(state.deck), GAME.over(state)) == (0, False)
    assert GAME.over(do(state, EndTurn("green")))


# Setup


def test_each_player_has_the_engine_of_a_colour() -> None:
    state = begin(FOUR)
    assert state.seats == SEATS
    engines = [piece for piece in GAME.layout(state).pieces if piece.kind == "engine"]
    assert [(piece.name, piece.place) for piece in engines] == [(seat, "circle:G") for seat in sorted(SEATS)]


def test_all_rail_cards_are_shuffled_and_three_are_dealt_to_each() -> None:
    state = GAME.setup(FOUR, pack(), {})
    assert GAME.awaiting(state).chance == AwaitedShuffle(tuple(sorted(NAMES)), "set-up")
    state = do(state, Shuffled(NAMES[::-1]))
    assert counted(state.hands) == [HAND] * 4
    # Dealt one at a time, the first seat first.
    assert state.hands[0] == tuple(sorted((NAMES[-1], NAMES[-5], NAMES[-9])))
    assert state.deck == NAMES[::-1][12:]


def test_the_die_says_who_goes_first() -> None:
    state = do(GAME.setup(TRIO, pack(), {}), Shuffled(NAMES))
    assert GAME.awaiting(state).chance == AwaitedDice("red", 1, "who goes first")
    state = do(state, Rolled((2,)))
    assert GAME.awaiting(state).chance == AwaitedDice("blue", 1, "who goes first")
    state = do(state, Rolled((5,)), Rolled((4,)))
    assert in_turn(state) == "blue"


# Turn Sequence


def test_a_turn_begins_with_the_top_card_of_the_draw_pile() -> None:
    state = position(hands={"blue": ["v1b1"]}, deck=["spare2", "spare1"])
    state = do(state, EndTurn("red"))
    assert hand(state, "blue") == ("spare2", "v1b1")
    assert state.deck == ("spare1",)


def test_the_first_turn_begins_with_a_draw_too() -> None:
    assert counted(begin().hands) == [4, 3, 3]


def test_actions_come_in_any_order_and_as_often_as_one_has_cards() -> None:
    state = position(
        rails={(4, 3): ("curve1", 180)},
        hands={"red": ["v4b1", "v1b1", "from1togate", "straight1", "straight2", "curve2"]},
        loaded={"red": ["from5to4"]},
        engines={"red": "4"},
    )
    state = do(
        state,
        LayRail("red", "curve2", (6, 5), 0),
        Setout("red", "from5to4"),
        LayRail("red", "straight1", (3, 2), 0),
        Move("red", "v1b1", engine(state, "red")),
        UpgradeRail("red", "straight2", (3, 2), 180),
        Move("red", "v4b1", engine(state, "red")),
        Fan("red", "from1togate"),
    )
    assert in_turn(state) == "blue"


def test_after_a_fan_nothing_more_is_done() -> None:
    state = position(hands={"red": ["v1b1", "spare1"]}, deck=[], discard=["spare2", "spare3"])
    state = do(state, Fan("red", "v1b1"))
    assert (state.phase, state.owed, in_turn(state)) == (FANNED, 1, "red")
    for action in (EndTurn("red"), Fan("red", "spare1"), LayRail("red", "spare1", (3, 2), 0)):
        assert refused(state, action).section == "Humping the Draw Pile"
    state = do(state, Shuffled(("spare3", "v1b1", "spare2")))
    assert (in_turn(state), state.hands) == ("blue", (("spare1", "spare3"), ("v1b1",), ()))


def test_play_passes_to_the_left_and_round_the_table() -> None:
    state = begin(FOUR)
    turns = []
    for _ in range(5):
        turns.append(in_turn(state))
        assert refused(state, EndTurn(FOUR[(state.turn + 1) % 4])).section == "Turn Sequence"
        state = do(state, EndTurn(in_turn(state)))
    assert turns == [*FOUR, "red"]


# Card Actions


def test_new_rail_goes_onto_a_blank_square() -> None:
    state = position(rails={(4, 3): ("curve1", 180)}, hands={"red": ["curve2"]})
    taken = {(4, 3), *(circle.cell for circle in state.circles)}
    assert not {lay.cell for lay in may(state, LayRail)} & taken
    assert "lay it over that as an upgrade" in refused(state, LayRail("red", "curve2", (4, 3), 0)).sentence
    assert "blank square" in refused(state, LayRail("red", "curve2", (3, 3), 0)).sentence
    laid = do(state, LayRail("red", "curve2", (4, 2 + 3), 90))
    assert (rail(laid, (4, 5)), hand(laid, "red")) == (Rail((4, 5), "curve2", 90), ())


def test_new_rail_is_adjacent_to_a_circle_or_to_rail() -> None:
    state = position(rails={(4, 3): ("curve1", 180)}, hands={"red": ["curve2"]})
    cells = {lay.cell for lay in may(state, LayRail)}
    assert {(3, 2), (5, 3)} <= cells  # beside the Gate, and beside the curve alone
    assert (0, 0) not in cells
    assert {lay.turn for lay in may(state, LayRail) if lay.cell == (5, 3)} == {0, 90, 180, 270}


def test_an_upgrade_lies_over_a_non_occupied_card_and_has_all_of_its_rail() -> None:
    state = position(
        rails={(4, 3): ("curve1", 180), (5, 4): ("curve2", 0)},
        engines={"blue": Position((5, 4), "NE", 1, "N")},
        hands={"red": ["wye1", "straight1"]},
    )
    assert {(up.card, up.cell, up.turn) for up in may(state, UpgradeRail)} == {
        ("wye1", (4, 3), 90),
        ("wye1", (4, 3), 180),
    }
    state = do(state, UpgradeRail("red", "wye1", (4, 3), 90))
    assert rail(state, (4, 3)) == Rail((4, 3), "wye1", 90, (("curve1", 180),))
    assert "wye1" not in hand(state, "red")
    assert "curve1" not in (*state.discard, *state.deck)


def test_a_picked_up_car_is_the_last_of_the_train() -> None:
    state = position(
        engines={"red": "3"}, hands={"red": ["from3to5", "from3to9"]}, loaded={"red": ["from4to3"]}
    )
    state = do(state, Pickup("red", "from3to9"), Pickup("red", "from3to5"))
    assert (train(state, "red"), hand(state, "red")) == (("from4to3", "from3to9", "from3to5"), ())
    assert [piece for piece in GAME.layout(state).pieces if piece.name.startswith("from")] == []


def test_a_loaded_car_is_set_out_from_anywhere_in_the_train() -> None:
    state = position(engines={"red": "5"}, loaded={"red": ["from4to3", "from3to5", "from3to9"]})
    assert may(state, Setout) == [Setout("red", "from3to5")]
    assert "set out at Circle 9" in refused(state, Setout("red", "from3to9")).sentence
    assert "no loaded car" in refused(state, Setout("red", "spare1")).sentence
    state = do(state, Setout("red", "from3to5"))
    assert (train(state, "red"), state.delivered[0]) == (("from4to3", "from3to9"), ("from3to5",))
    on_rail = position(
        rails=line(1), engines={"red": tie(1)}, loaded={"red": ["from3to5"]}, hands={"red": ["spare1"]}
    )
    assert "on rail, in no Circle" in refused(on_rail, Setout("red", "from3to5")).sentence


def test_the_card_of_a_move_is_discarded_face_up() -> None:
    state = position(rails=line(), engines={"red": tie(1)}, hands={"red": ["v5b5", "v1b1"]})
    state = do(state, Move("red", "v5b5", tie(3)))
    assert (state.discard, state.top, hand(state, "red")) == (("v5b5",), "v5b5", ("v1b1",))
    assert GAME.hide(state).discard == ("v5b5",)


@pytest.mark.parametrize("cars", range(7))
def test_not_more_loaded_cars_than_the_brimstone_of_the_card(cars: int) -> None:
    loaded = {"red": [f"spare{number}" for number in range(1, cars + 1)]}
    state = position(
        rails=line(), engines={"red": tie(1)}, hands={"red": ["v1b1", "v3b2", "v9b5"]}, loaded=loaded
    )
    cards = rail_cards(state.edition)
    assert {move.card for move in may(state, Move)} == {
        card for card in hand(state, "red") if cards[card].brimstone >= cars
    }


def test_fanning_draws_as_many_as_the_brimstone_and_ends_the_turn() -> None:
    state = position(hands={"red": ["v4b4"]})
    state = do(state, Fan("red", "v4b4"))
    assert (counted(state.hands), in_turn(state), state.top) == ([4, 1, 0], "blue", "v4b4")


def test_nobody_has_to_fan() -> None:
    state = position(hands={"red": ["v4b4"]})
    assert EndTurn("red") in GAME.legal(state, "red")
    assert GAME.implied(state) == EndTurn("red")


# Movement


def test_an_engine_is_always_in_a_circle_or_on_a_black_tie() -> None:
    state = position(rails=line(), engines={"red": tie(1)}, hands={"red": ["v9b5"]})
    for move in may(state, Move):
        after = do(state, move)
        for position_ in after.engines:
            in_circle = position_ in {circle(after, name) for name in (GATE, *"123456789")}
            assert in_circle or 1 <= position_.tie <= 4


def test_each_point_is_one_black_tie_straight_or_round_a_curve() -> None:
    rails = {(1, 0): ("straight1", 90), (2, 0): ("curve1", 180), (2, 1): ("straight2", 0)}
    state = position(rails=rails, engines={"red": tie(3)}, hands={"red": ["v9b5"]})
    assert [move.to for move in may(state, Move)] == [
        tie(3),
        tie(4),
        *(Position((2, 0), "SW", number, "S") for number in (3, 2, 1)),
        *(Position((2, 1), "NS", number, "S") for number in (1, 2, 3, 4)),
        None,
    ]


def test_entering_a_circle_ends_the_move_and_further_cards_move_on() -> None:
    rails = {(4, 3): ("curve1", 180), (5, 4): ("curve2", 180)}
    state = position(rails=rails, hands={"red": ["v9b1", "v4b1"]})
    one, two = circle(state, "1"), circle(state, "2")
    assert two not in {move.to for move in may(state, Move)}
    assert "ends the Move" in refused(state, Move("red", "v9b1", two)).sentence
    state = do(state, Move("red", "v9b1", one), Declare("red", use=False), Move("red", "v4b1", two))
    assert engine(state, "red") == two


def test_the_effect_is_used_or_not_as_the_card_says() -> None:
    made = pack({"5": (Step("draw", count=2), Step("discard"))})
    state = do(entered("5", made=made, deck=["spare1", "spare2"]), Declare("red", use=True))
    assert hand(state, "red") == ("spare1", "spare2")
    state = do(state, DiscardCard("red", "spare1"))
    assert (hand(state, "red"), state.phase) == (("spare2",), ACTIONS)
    state = do(entered("5", made=made), Declare("red", use=False))
    assert (hand(state, "red"), state.phase) == ((), ACTIONS)


def test_off_the_end_of_the_rail_one_derails_whether_moving_or_rammed() -> None:
    state = position(
        rails=line(1), engines={"red": tie(3), "blue": tie(4)}, hands={"red": ["v2b5"], "blue": ["spare1"]}
    )
    state = do(state, next(move for move in may(state, Move) if move.to is None))
    assert set(state.engines) == {circle(state, GATE)}
    assert (counted(state.hands)[0], in_turn(state)) == (0, "blue")
