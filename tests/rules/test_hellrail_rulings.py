"""The rulings on turns, cards, derailing and the end, each with its default and its other value, if any.

Those on movement, tickets, Heresy and set-ups have files of their own.
"""

from __future__ import annotations

import pytest

from companion.games.game import Rolled, Shuffled
from companion.games.hellrail import GAME
from companion.games.hellrail.actions import (
    Declare,
    EndTurn,
    Fan,
    LayRail,
    Move,
    Pickup,
    Rammed,
    Setout,
    UpgradeRail,
)
from companion.games.hellrail.state import (
    ACTIONS,
    BARRIER,
    COIN,
    DECLARE,
    FIRST_PLAYER,
    GATE,
    Rail,
    State,
    Step,
)
from companion.games.hellrail.track import Position
from tests.rules.hellrail_positions import (
    FOUR,
    HOUSE,
    NAMES,
    begin,
    circle,
    do,
    engine,
    entered,
    hand,
    in_turn,
    line,
    may,
    named,
    pack,
    position,
    rail,
    refused,
    tie,
    train,
)


@pytest.mark.parametrize("seats", [FOUR[:1], (*FOUR, "pink"), ("red", "red"), ()])
def test_a01_two_to_four_play(seats: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"2 to 4|Seats are"):
        GAME.setup(seats, pack(), {})
    for count in (2, 3, 4):
        assert len(GAME.setup(FOUR[:count], pack(), {}).engines) == count
    assert named(GAME.setup(FOUR[:2], pack(), {}), Shuffled(NAMES)) == ("HR-A01",)
    assert named(GAME.setup(FOUR, pack(), {}), Shuffled(NAMES)) == ()


def test_a02_the_highest_roll_goes_first_and_the_tied_roll_again() -> None:
    state = do(GAME.setup(FOUR, pack(), {}), Shuffled(NAMES))
    assert in_turn(do(state, *(Rolled((die,)) for die in (2, 3, 6, 1)))) == "green"
    state = do(state, Rolled((5,)), Rolled((2,)), Rolled((5,)))
    assert named(state, Rolled((4,))) == ("HR-A02",)
    state = do(state, Rolled((4,)))
    assert (state.phase, state.throws) == (FIRST_PLAYER, (0, -1, 0, -1))
    assert GAME.story(state, Rolled((3,))) == ("Red rolls 3 for the first turn.",)
    again = do(state, Rolled((3,)), Rolled((3,)))
    assert again.throws == (0, -1, 0, -1)
    assert in_turn(do(again, Rolled((1,)), Rolled((2,)))) == "green"
    assert named(do(state, Rolled((3,))), Rolled((2,))) == ("HR-A02",)
    assert named(state, Rolled((3,))) == ()


def test_a03_adjacent_is_a_whole_side_or_a_corner_too() -> None:
    state = position(hands={"red": ["curve1"]})
    corner = LayRail("red", "curve1", (2, 2), 0)
    ruling = refused(state, corner)
    assert (ruling.rule, "whole side" in ruling.sentence) == ("HR-A03", True)
    wide = position(options={"adjacent": "side_or_corner"}, hands={"red": ["curve1"]})
    assert named(wide, corner) == ("HR-A03", "HR-A04")
    assert "a side or a corner" in refused(wide, LayRail("red", "curve1", (1, 1), 0)).sentence
    assert "HR-A03" not in named(wide, LayRail("red", "curve1", (3, 2), 0))


def test_a04_rail_may_be_laid_so_that_nothing_meets() -> None:
    state = position(hands={"red": ["straight1"]})
    assert {lay.turn for lay in may(state, LayRail) if lay.cell == (4, 3)} == {0, 90, 180, 270}
    pointless = LayRail("red", "straight1", (0, 6), 0)
    assert refused(state, pointless).rule == "HR-A03"
    state = position(rails=line(1), hands={"red": ["straight2"]})
    assert named(state, LayRail("red", "straight2", (2, 0), 0)) == ("HR-A04",)
    assert named(state, LayRail("red", "straight2", (2, 0), 90)) == ("HR-A34",)


def test_a06_the_board_is_the_cards_that_lie() -> None:
    state = position(rails=line(1), engines={"red": tie(4)}, hands={"red": ["v1b1"]})
    assert "HR-A06" in named(state, Move("red", "v1b1", None))
    longer = position(rails=line(2), engines={"red": tie(4)}, hands={"red": ["v1b1"]})
    assert [move.to for move in may(longer, Move)] == [tie(4), tie(5)]


def test_a07_one_may_derail_on_purpose_or_not() -> None:
    fields = {"rails": line(1), "engines": {"red": tie(4), "blue": tie(1)}, "hands": {"red": ["v1b1"]}}
    state = position(**fields)  # type: ignore[arg-type]
    derail = Move("red", "v1b1", None)
    assert "HR-A07" in named(state, derail)
    [choice] = [choice for choice in GAME.prompt(state, "red", "v1b1").choices if choice.action == derail]
    assert "Derail on purpose?" in choice.warning
    state = position(options={"derail_on_purpose": "refused"}, **fields)  # type: ignore[arg-type]
    assert refused(state, derail).rule == "HR-A07"
    assert [move.to for move in may(state, Move)] == [tie(4)]


def test_a07_ramming_others_off_is_no_derailing_on_purpose() -> None:
    state = position(
        options={"derail_on_purpose": "refused"},
        rails=line(1),
        engines={"red": tie(3), "blue": tie(4)},
        hands={"red": ["v1b1"]},
    )
    do(state, Move("red", "v1b1", tie(4), (Rammed("blue"),)))


def test_a08_a_move_may_use_less_than_the_car_value_and_none_at_all() -> None:
    state = position(rails=line(), engines={"red": tie(1)}, hands={"red": ["v5b5"]})
    none = Move("red", "v5b5", tie(1))
    assert named(state, none) == ("HR-A08",)
    after = do(state, none)
    assert (engine(after, "red"), after.discard, hand(after, "red")) == (tie(1), ("v5b5",), ())
    assert named(state, Move("red", "v5b5", tie(2))) == ("HR-A09",)


def rammed_into(option: str, **fields: object) -> State:
    """Red rams Blue into Circle 6, which gives a chip, and stops before it."""
    state = position(
        options={"rammed_into_circle": option},
        rails=line(1),
        circles={"6": (2, 0)},
        engines={"red": tie(3), "blue": tie(4)},
        hands={"red": ["v1b1"]},
        **fields,  # type: ignore[arg-type]
    )
    return state


def test_a14_who_is_rammed_into_a_circle_decides_nothing() -> None:
    state = rammed_into("nothing")
    move = Move("red", "v1b1", tie(4), (Rammed("blue", Position((2, 0))),))
    assert "HR-A14" in named(state, move)
    state = do(state, move)
    assert (state.phase, state.chips, engine(state, "blue")) == (ACTIONS, (0, 0, 0), circle(state, "6"))


def test_a14_or_decides_once_the_move_is_over() -> None:
    state = rammed_into("decides", chips=["red"])
    move = Move("red", "v1b1", tie(4), (Rammed("blue", Position((2, 0))),))
    assert "HR-A14" in named(state, move)
    state = do(state, move)
    assert (state.phase, GAME.awaiting(state).seats) == (DECLARE, ("blue",))
    assert "Blue entered the Circle" in refused(state, Declare("red", use=True)).sentence
    state = do(state, Declare("blue", use=True))
    # Red, whose turn it is, is an opponent of Blue's and may prevent it.
    assert GAME.awaiting(state).seats == ("red",)
    assert in_turn(state) == "red"


def derailed() -> State:
    return position(
        rails=line(1),
        engines={"red": tie(4)},
        hands={"red": ["v1b1", "spare1"]},
        loaded={"red": ["from3to5"]},
        delivered={"red": ["from4to3"]},
        chips=["red"],
        tickets=["red"],
    )


def test_a17_derailing_leaves_chips_tickets_and_delivered_cars() -> None:
    state = do(derailed(), Move("red", "v1b1", None))
    assert (state.chips[0], state.tickets[0], state.delivered[0]) == (1, 1, ("from4to3",))
    assert (hand(state, "red"), train(state, "red"), in_turn(state)) == ((), (), "blue")
    assert "HR-A17" in named(derailed(), Move("red", "v1b1", None))
    plain = position(rails=line(1), engines={"red": tie(4)}, hands={"red": ["v1b1"]})
    assert not {"HR-A17", "HR-A19"} & set(named(plain, Move("red", "v1b1", None)))


def test_a18_the_gate_does_nothing_for_who_derails_or_starts_there() -> None:
    assert begin().phase == ACTIONS
    assert begin().effect is None
    state = do(derailed(), Move("red", "v1b1", None))
    assert (engine(state, "red"), state.phase, in_turn(state)) == (circle(state, GATE), ACTIONS, "blue")
    state = do(derailed(), EndTurn("red"))
    assert "HR-A18" in named(derailed(), Move("red", "v1b1", None))


def test_a19_the_hand_goes_before_the_cars_and_the_move_before_both() -> None:
    state = derailed()
    assert "HR-A19" in named(state, Move("red", "v1b1", None))
    state = do(state, Move("red", "v1b1", None))
    assert (state.discard, state.buried, state.top) == (("v1b1", "from3to5"), ("spare1",), "from3to5")


def test_a20_the_very_same_rail_is_an_upgrade_or_not() -> None:
    fields = {"rails": {(1, 0): ("straight1", 0)}, "hands": {"red": ["straight2", "fork1"]}}
    same = UpgradeRail("red", "straight2", (1, 0), 180)
    state = position(**fields)  # type: ignore[arg-type]
    assert named(state, same) == ("HR-A20",)
    state = do(state, same)
    assert rail(state, (1, 0)) == Rail((1, 0), "straight2", 180, (("straight1", 0),))
    assert "straight1" not in (*state.discard, *state.deck, *state.buried)
    state = do(state, UpgradeRail("red", "fork1", (1, 0), 0))
    assert rail(state, (1, 0)).covered == (("straight1", 0), ("straight2", 180))
    state = position(options={"same_rail": "refused"}, **fields)  # type: ignore[arg-type]
    assert refused(state, same).rule == "HR-A20"
    assert named(state, UpgradeRail("red", "fork1", (1, 0), 0)) == ()


def test_a20_the_top_card_alone_counts() -> None:
    lying = Rail((1, 0), "straight1", 0, (("fork1", 0),))
    state = position(rails={(1, 0): lying}, hands={"red": ["straight2"]})
    assert [upgrade.turn for upgrade in may(state, UpgradeRail)] == [0, 180]


def test_a21_counters_go_onto_the_new_card() -> None:
    lying = Rail((1, 0), "straight1", 0, counters=(BARRIER, COIN))
    state = position(rails={(1, 0): lying}, hands={"red": ["fork1"]})
    upgrade = UpgradeRail("red", "fork1", (1, 0), 0)
    assert named(state, upgrade) == ("HR-A21",)
    assert rail(do(state, upgrade), (1, 0)).counters == (BARRIER, COIN)


def test_a22_setting_out_costs_no_card_and_is_done_as_often_as_one_likes() -> None:
    cars = ["from4to3", "from3to5", "spare1", "from5to4"]
    state = position(engines={"red": "3"}, loaded={"red": cars})
    assert may(state, Setout) == [Setout("red", "from4to3")]
    state = position(
        made=pack(cards=()), engines={"red": "2"}, loaded={"red": ["spare1", "from3to5", "spare2"]}
    )
    assert named(state, Setout("red", "spare2")) == ("HR-A22",)
    state = do(state, Setout("red", "spare2"), Setout("red", "spare1"))
    assert (train(state, "red"), state.delivered[0]) == (("from3to5",), ("spare1", "spare2"))
    assert (hand(state, "red"), state.discard, state.phase) == ((), (), ACTIONS)


def test_a23_brimstone_counts_when_the_move_is_played_and_not_later() -> None:
    rails = {(6, 5): ("curve1", 0)}
    state = position(
        rails=rails,
        engines={"red": Position((6, 5), "NE", 1, "N")},
        hands={"red": ["v4b1", "v1b1"]},
        loaded={"red": ["spare1"]},
    )
    move = Move("red", "v4b1", None)
    assert "HR-A23" in named(state, move)
    state = position(
        rails=line(1),
        circles={"3": (2, 0)},
        engines={"red": tie(4)},
        hands={"red": ["v1b1", "v4b1", "from3to5"]},
        loaded={"red": ["spare1"]},
    )
    state = do(state, Move("red", "v1b1", circle(state, "3")), Declare("red", use=False))
    state = do(state, Pickup("red", "from3to5"))
    assert train(state, "red") == ("spare1", "from3to5")
    assert "Brimstone 1" in refused(state, Move("red", "v4b1", tie(4, "W"))).sentence
    state = do(state, Fan("red", "v4b1"))
    assert in_turn(state) == "blue"


def test_a24_the_fanned_card_may_be_humped_and_drawn_again() -> None:
    state = position(hands={"red": ["v4b4"]}, deck=["spare1"], discard=["spare2"])
    assert named(state, Fan("red", "v4b4")) == ("HR-A24",)
    state = do(state, Fan("red", "v4b4"))
    last = Shuffled(("v4b4", "spare2"))
    assert named(state, last) == ("HR-A24", "HR-A26")
    state = do(state, last)
    assert (GAME.over(state), hand(state, "red")) == (True, ("spare1", "spare2", "v4b4"))


def test_a25_the_draw_at_the_start_of_a_turn_ends_the_game_before_its_player_acts() -> None:
    state = position(delivered={"red": ["v1b1"]}, deck=[], discard=[])
    assert named(state, EndTurn("red")) == ("HR-A25", "HR-A37")
    state = do(state, EndTurn("red"))
    assert (GAME.over(state), in_turn(state), GAME.legal(state, "blue")) == (True, "blue", ())


def test_a25_a_fan_that_can_be_drawn_ends_the_game_with_the_next_turn() -> None:
    state = position(hands={"red": ["v1b1"]}, delivered={"red": ["v9b1"]}, deck=["spare1"], discard=[])
    state = do(state, Fan("red", "v1b1"))
    assert (in_turn(state), state.owed) == ("blue", 1)
    state = do(state, Shuffled(("v1b1",)), EndTurn("blue"))
    assert GAME.over(state)


def test_a26_a_tie_after_the_tie_break_is_shared() -> None:
    state = position(delivered={"red": ["v4b1"], "blue": ["v4b4"], "green": ["v3b2"]}, deck=[], discard=[])
    assert "HR-A26" in named(state, EndTurn("red"))
    state = do(state, EndTurn("red"))
    assert [(standing.seat, standing.place) for standing in GAME.scores(state)] == [
        ("red", 1),
        ("blue", 1),
        ("green", 3),
    ]
    assert "Red and Blue win together" in GAME.prompt(state, "").words


def test_a26_coins_are_no_points() -> None:
    coins: dict[tuple[int, int], Rail] = {(1, 0): Rail((1, 0), "straight1", 90, counters=(COIN,))}
    state = position(rails=coins, delivered={"red": ["v1b1"]}, deck=[], discard=[])
    state = do(state, EndTurn("red"))
    assert GAME.scores(state)[0].facts[0] == "1 point delivered"


def test_a37_the_draw_is_compulsory_and_a_hand_has_no_limit() -> None:
    state = position(hands={"blue": list(NAMES[:40])}, deck=["spare7"])
    assert "HR-A37" in named(state, EndTurn("red"))
    assert len(hand(do(state, EndTurn("red")), "blue")) == 41


def test_a38_a_pack_with_the_tokens_of_later_editions_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown field `tokens`"):
        GAME.load_pack("tokens = 15\n" + HOUSE.read_text("utf-8"))


def test_a40_no_effect_touches_a_card_on_which_an_engine_stands() -> None:
    made = pack({"3": (Step("turn_rail"), Step("scrap_rail"), Step("put_counter", what=COIN))})
    rails = {(4, 3): ("curve1", 180)}
    blue = {"blue": Position((4, 3), "SW", 1, "S")}
    state = do(entered("3", made=made, rails=rails, engines=blue), Declare("red", use=True))
    assert all(action.cell == (1, 0) for action in GAME.legal(state, "red") if hasattr(action, "cell"))
