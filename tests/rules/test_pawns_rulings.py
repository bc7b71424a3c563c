"""Each ruling PP-A01 to PP-A25 with its default and, where it has one, its other value."""

from __future__ import annotations

import pytest

from companion.games.game import AwaitedDice, Rolled, Shuffled
from companion.games.layout import UNKNOWN
from companion.games.pawns_of_perdition import GAME
from companion.games.pawns_of_perdition.actions import (
    Accept,
    EndTurn,
    Give,
    Keep,
    Move,
    Pass,
    PlayCard,
    Take,
)
from companion.games.pawns_of_perdition.options import OPTIONS, Options
from companion.games.pawns_of_perdition.pack import load_pack
from companion.games.pawns_of_perdition.state import layer_of
from tests.rules.positions import (
    ALL_CARDS,
    HOUSE,
    TRIO,
    at,
    begin,
    do,
    ended,
    hand,
    house,
    in_turn,
    landed,
    pawn,
    put,
    refused,
)

SINS_ALONG_THE_PATH = {
    ("list", "up"): ["greed", "lust", "pride", "wrath", "gluttony", "sloth", "envy"],
    ("faq", "up"): ["greed", "lust", "wrath", "pride", "gluttony", "sloth", "envy"],
    ("list", "down"): ["envy", "sloth", "gluttony", "wrath", "pride", "lust", "greed"],
    ("faq", "down"): ["envy", "sloth", "gluttony", "pride", "wrath", "lust", "greed"],
}


def test_every_ruling_is_listed_once_and_every_switch_has_its_default() -> None:
    assert [option.rule for option in OPTIONS] == [f"PP-A{number:02}" for number in range(1, 26)]
    assert len({option.name for option in OPTIONS}) == len(OPTIONS)
    switched = {option.name: option for option in OPTIONS if len(option.values) > 1}
    assert set(switched) == set(Options.__struct_fields__)
    for name, option in switched.items():
        assert getattr(Options(), name) == option.values[0]


@pytest.mark.parametrize(
    ("options", "named"),
    [({"weather": "fair"}, "sin_order, layers, pride"), ({"layers": "sideways"}, "up, down")],
)
def test_an_unknown_option_names_the_known_ones(options: dict[str, str], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        GAME.setup(TRIO, house(), options)


def test_a_ruling_with_one_value_may_be_named() -> None:
    assert begin(going_back="stops_on_start").options == Options()


def test_a01_start_is_the_64th_space() -> None:
    assert begin().board[0] == "start"
    assert len(begin().board) == 64


@pytest.mark.parametrize(("sin_order", "layers"), SINS_ALONG_THE_PATH)
def test_a02_a03_order_of_the_sins(sin_order: str, layers: str) -> None:
    state = begin(sin_order=sin_order, layers=layers)
    sins = [kind for kind in state.board if kind in SINS_ALONG_THE_PATH["list", "up"]]
    assert sins == SINS_ALONG_THE_PATH[sin_order, layers]


def test_a02_the_faq_on_pride_holds_wherever_pride_lies() -> None:
    for order in ("list", "faq"):
        state = landed(put(begin(sin_order=order), hands={}), "pride")
        assert state.pawns == (at(state, "pride"), 0, 0)


def test_a02_a_pack_may_name_its_sins() -> None:
    sins = iter(("lust", "greed", "pride", "envy", "wrath", "sloth", "gluttony"))
    named = "\n".join(
        line.replace('"sin"', f'"{next(sins)}"') if line.startswith("spaces") else line
        for line in HOUSE.read_text("utf-8").splitlines()
    )
    state = GAME.setup(TRIO, load_pack(named), {"sin_order": "faq"})
    assert [kind for kind in state.board if kind in SINS_ALONG_THE_PATH["list", "up"]][:2] == [
        "lust",
        "greed",
    ]


def test_a03_layers_are_counted_up_or_down() -> None:
    up, down = begin(), begin(layers="down")
    assert [layer_of(up, space) for space in (0, 1, 9, 10, 63)] == [1, 1, 1, 2, 7]
    assert [layer_of(down, space) for space in (0, 1, 9, 10, 63)] == [7, 7, 7, 6, 1]


def test_a03_envy_restarts_its_own_layer_wherever_that_is() -> None:
    state = landed(put(begin(layers="down"), hands={}), "envy")
    assert pawn(state, "red") == 1


def test_a03_angels_shortcut_goes_along_the_path_either_way() -> None:
    for layers in ("up", "down"):
        state = put(begin(layers=layers), pawns={"red": 30}, hands={"red": ["angels_shortcut"]})
        assert pawn(do(state, PlayCard("red", "angels_shortcut")), "red") == 37


@pytest.mark.parametrize(("pride", "other"), [("nearest", "green"), ("leader", "blue")])
def test_a04_who_is_ahead(pride: str, other: str) -> None:
    state = put(begin(pride=pride), pawns={"blue": 50, "green": 40}, hands={})
    state = landed(state, "pride")
    assert pawn(state, other) == at(state, "pride")
    assert pawn(state, "red") == {"green": 40, "blue": 50}[other]


def test_a04_a_pawn_on_the_same_space_is_not_ahead() -> None:
    state = begin()
    pride = at(state, "pride")
    state = landed(put(state, pawns={"blue": pride}, hands={}), "pride")
    assert state.pawns == (pride, pride, 0)


def test_a04_of_two_on_one_space_the_next_in_turn_is_swapped() -> None:
    state = begin()
    pride = at(state, "pride")
    state = landed(put(state, pawns={"blue": 40, "green": 40}, hands={}), "pride")
    assert state.pawns == (40, pride, 40)


def test_a05_greed_picks_a_player_who_has_a_card() -> None:
    state = landed(put(begin(), hands={"green": ["hells_grasp", "second_chance"]}), "greed", 0)
    assert GAME.legal(state, "red") == (
        Take("red", "green", "hells_grasp"),
        Take("red", "green", "second_chance"),
    )
    assert refused(state, Take("red", "blue", "")).rule == "PP-A05"
    state = do(state, Take("red", "green", "second_chance"))
    assert state.hands == (("second_chance",), (), ("hells_grasp",))


def test_a05_greed_may_be_allowed_an_empty_hand() -> None:
    state = put(begin(empty_hands="allowed"), hands={"green": ["hells_grasp"]})
    state = landed(state, "greed")
    assert Take("red", "blue", "") in GAME.legal(state, "red")
    refused(state, Take("red", "blue", UNKNOWN))
    after = do(state, Take("red", "blue", ""))
    assert after.hands == state.hands
    assert GAME.implied(after) == EndTurn("red")


@pytest.mark.parametrize("empty_hands", ["refused", "allowed"])
def test_a05_with_no_cards_anywhere_greed_does_nothing(empty_hands: str) -> None:
    state = landed(put(begin(empty_hands=empty_hands), hands={"red": ["hells_grasp"]}), "greed")
    assert GAME.implied(state) == EndTurn("red")


def test_a05_lust_gives_to_whom_the_lander_picks_cards_or_none() -> None:
    state = landed(put(begin(), hands={"red": ["hells_grasp"], "blue": ["second_chance"]}), "lust")
    state = do(state, Give("red", "green", "hells_grasp"))
    assert state.hands == ((), ("second_chance",), ("hells_grasp",))


def test_a05_lust_with_an_empty_hand_does_nothing() -> None:
    state = landed(put(begin(), hands={"blue": ["second_chance"]}), "lust")
    assert GAME.implied(state) == EndTurn("red")


@pytest.mark.parametrize(("skips", "owed"), [("add", 2), ("once", 1)])
def test_a06_skips_add_up_or_not(skips: str, owed: int) -> None:
    state = put(begin(skips=skips), hands={"red": ["hellish_reckoning", "hellish_reckoning"]})
    state = do(state, *(PlayCard("red", "hellish_reckoning", "blue") for _ in range(2)))
    assert state.skips == (0, owed, 0)


def test_a06_each_skip_costs_one_turn() -> None:
    state = put(begin(), skips={"blue": 2, "green": 1}, phase="turn_end")
    state = ended(state)
    assert in_turn(state) == "red"
    assert state.skips == (0, 1, 0)
    assert in_turn(ended(put(state, phase="turn_end"))) == "green"


def test_a06_everybody_may_owe_a_skip() -> None:
    state = ended(put(begin(), skips={"red": 1, "blue": 1, "green": 1}, phase="turn_end"))
    assert in_turn(state) == "blue"
    assert state.skips == (0, 0, 0)


def test_a06_wrath_skips_the_next_seat_even_if_it_owes_one() -> None:
    state = landed(put(begin(), hands={}, skips={"blue": 1}), "wrath")
    assert state.skips == (0, 2, 0)


def test_a07_second_chance_goes_between_the_roll_and_the_move() -> None:
    state = put(begin(), hands={"red": ["second_chance"]})
    assert refused(state, PlayCard("red", "second_chance")).rule == "PP-A07"
    rolled = do(state, Rolled((1, 2)))
    assert PlayCard("red", "second_chance") in GAME.legal(rolled, "red")
    state = do(put(rolled, pawns={"red": at(state, "draw") - 3}), Move("red"))
    assert refused(state, PlayCard("red", "second_chance")).rule == "PP-A07"


@pytest.mark.parametrize(("modifiers", "steps"), [("double_then_add", 24), ("add_then_double", 30)])
def test_a08_order_of_the_modifiers(modifiers: str, steps: int) -> None:
    cards = ["on_the_wings_of_angels", "sanctuarys_blessing"]
    state = put(begin(modifiers=modifiers), hands={"red": cards})
    state = do(state, *(PlayCard("red", card) for card in cards), Rolled((4, 5)), Move("red"))
    assert pawn(state, "red") == steps


def test_a08_two_sanctuarys_blessings_multiply_and_two_wings_add() -> None:
    for card, steps in (("sanctuarys_blessing", 36), ("on_the_wings_of_angels", 21)):
        state = put(begin(), hands={"red": [card, card]})
        state = do(state, PlayCard("red", card), PlayCard("red", card), Rolled((4, 5)), Move("red"))
        assert pawn(state, "red") == steps


def test_a08_the_beacons_die_is_doubled_with_the_others() -> None:
    cards = ["beacon_of_hope", "beacon_of_hope", "sanctuarys_blessing"]
    state = put(begin(), hands={"red": cards})
    state = do(state, *(PlayCard("red", card) for card in cards), Rolled((4, 5)))
    assert GAME.awaiting(state).chance == AwaitedDice("red", 2, "Beacon of Hope")
    assert pawn(do(state, Rolled((1, 2)), Move("red")), "red") == 24


def test_a09_second_chance_leaves_the_beacons_die() -> None:
    state = put(begin(), hands={"red": ["beacon_of_hope", "second_chance"]})
    state = do(state, PlayCard("red", "beacon_of_hope"), Rolled((1, 1)), Rolled((6,)))
    state = do(state, PlayCard("red", "second_chance"), Rolled((2, 3)), Move("red"))
    assert pawn(state, "red") == 11


def test_a09_second_chance_may_throw_all_dice() -> None:
    state = put(begin(second_chance_scope="all_dice"), hands={"red": ["beacon_of_hope", "second_chance"]})
    state = do(state, PlayCard("red", "beacon_of_hope"), Rolled((1, 1)), Rolled((6,)))
    state = do(state, PlayCard("red", "second_chance"), Rolled((2, 3)))
    assert GAME.awaiting(state).chance == AwaitedDice("red", 1, "Beacon of Hope")
    assert pawn(do(state, Rolled((4,)), Move("red")), "red") == 9


@pytest.mark.parametrize("scope", ["base_dice", "all_dice"])
def test_a09_omen_throws_all_dice_and_with_cleansing_flame_one_chooses_again(scope: str) -> None:
    cards = {"red": ["beacon_of_hope", "cleansing_flame"], "blue": ["omen_of_suffering"]}
    state = put(begin(second_chance_scope=scope), hands=cards)
    state = do(state, PlayCard("red", "beacon_of_hope"), PlayCard("red", "cleansing_flame"))
    state = do(state, Rolled((6, 6, 1)), Rolled((6,)), Keep("red", (6, 6)))
    state = do(state, PlayCard("blue", "omen_of_suffering", "red"))
    assert GAME.awaiting(state).chance == AwaitedDice("red", 3, "movement roll again")
    state = do(state, Rolled((1, 2, 3)))
    assert GAME.awaiting(state).chance == AwaitedDice("red", 1, "Beacon of Hope")
    state = do(state, Rolled((1,)), Keep("red", (1, 2)), Move("red"))
    assert pawn(state, "red") == 4


def test_a09_second_chance_with_cleansing_flame_throws_all_three_and_chooses_again() -> None:
    state = put(begin(), hands={"red": ["cleansing_flame", "second_chance"]})
    state = do(state, PlayCard("red", "cleansing_flame"), Rolled((1, 2, 3)), Keep("red", (2, 3)))
    state = do(state, PlayCard("red", "second_chance"))
    assert GAME.awaiting(state).chance == AwaitedDice("red", 3, "movement roll again")
    state = do(state, Rolled((4, 5, 6)), Keep("red", (5, 6)), Move("red"))
    assert pawn(state, "red") == 11


def test_a09_three_equal_dice_leave_nothing_to_choose() -> None:
    state = put(begin(), hands={"red": ["cleansing_flame"]})
    state = do(state, PlayCard("red", "cleansing_flame"), Rolled((5, 5, 5)), Move("red"))
    assert pawn(state, "red") == 10


def test_a09_a_second_chance_may_follow_an_omen() -> None:
    cards = {"red": ["second_chance", "second_chance"], "blue": ["omen_of_suffering"]}
    state = do(put(begin(), hands=cards), Rolled((1, 2)), PlayCard("red", "second_chance"), Rolled((6, 6)))
    state = do(state, PlayCard("blue", "omen_of_suffering", "red"), Accept("red"), Rolled((1, 1)))
    assert PlayCard("red", "second_chance") in GAME.legal(state, "red")


def test_a10_a_changed_movement_roll_still_is_one() -> None:
    state = begin()
    draw = at(state, "draw")
    state = put(state, pawns={"red": draw - 14}, hands={"red": ["sanctuarys_blessing"]})
    state = do(state, PlayCard("red", "sanctuarys_blessing"), Rolled((3, 4)), Move("red"))
    assert len(hand(state, "red")) == 1


def test_a10_cards_that_move_a_pawn_are_not_a_movement_roll() -> None:
    state = begin()
    first = state.board[37]
    assert first == "torment"
    state = put(state, pawns={"red": 30}, hands={"red": ["angels_shortcut"]})
    state = do(state, PlayCard("red", "angels_shortcut"))
    assert pawn(state, "red") == 37
    assert GAME.awaiting(state).chance == AwaitedDice("red", 2, "movement roll")


def test_a11_nobody_goes_back_past_start() -> None:
    state = put(begin(), pawns={"blue": 4}, hands={"red": ["hells_grasp"]})
    assert pawn(do(state, PlayCard("red", "hells_grasp", "blue")), "blue") == 0
    state = put(begin(), pawns={"red": 0}, hands={})
    assert state.board[5] == "torment"
    state = do(state, Rolled((2, 3)), Move("red"), Rolled((6,)))
    assert pawn(state, "red") == 0


@pytest.mark.parametrize(("escape", "stands"), [("wins", 63), ("movement_roll_only", 62)])
def test_a12_escape_by_a_blessing(escape: str, stands: int) -> None:
    state = do(put(begin(escape=escape), pawns={"red": 51}), Rolled((3, 4)), Move("red"), Rolled((6,)))
    assert pawn(state, "red") == stands
    assert GAME.over(state) is (stands == 63)


def test_a12_a_movement_roll_always_wins() -> None:
    state = put(begin(escape="movement_roll_only"), pawns={"red": 60})
    assert do(state, Rolled((6, 6)), Move("red")).winner == "red"


def test_a13_no_shortcut_in_the_last_layer() -> None:
    state = put(begin(), pawns={"red": 55}, hands={"red": ["angels_shortcut"]})
    assert refused(state, PlayCard("red", "angels_shortcut")).rule == "PP-A13"
    before = put(state, pawns={"red": 54})
    assert pawn(do(before, PlayCard("red", "angels_shortcut")), "red") == 55


@pytest.mark.parametrize(("escape", "stands"), [("wins", 63), ("movement_roll_only", 62)])
def test_a13_a_shortcut_to_escape(escape: str, stands: int) -> None:
    state = begin(shortcut_in_layer_7="to_escape", escape=escape)
    state = put(state, pawns={"red": 57}, hands={"red": ["angels_shortcut"]})
    state = do(state, PlayCard("red", "angels_shortcut"))
    assert pawn(state, "red") == stands
    assert state.winner == ("red" if stands == 63 else "")


def test_a14_soul_conviction_cannot_be_answered() -> None:
    cards = {"red": ["hells_grasp", "soul_conviction"], "blue": ["soul_conviction"]}
    state = do(put(begin(), hands=cards), PlayCard("red", "hells_grasp", "blue"))
    state = do(state, PlayCard("blue", "soul_conviction"))
    assert refused(state, PlayCard("red", "soul_conviction")).rule == "PP-A14"


def test_a14_soul_conviction_does_not_answer_a_sin() -> None:
    state = landed(put(begin(), hands={"blue": ["soul_conviction", "hells_grasp"]}), "greed")
    assert GAME.legal(state, "blue") == ()
    assert refused(state, PlayCard("blue", "soul_conviction")).rule == "PP-A14"


def test_a14_against_unholy_bargain_the_lander_suffers() -> None:
    cards = {"red": ["unholy_bargain"], "blue": ["soul_conviction"]}
    state = landed(put(begin(), pawns={"blue": 30}, hands=cards), "torment")
    space = pawn(state, "red")
    state = do(state, PlayCard("red", "unholy_bargain", "blue"), PlayCard("blue", "soul_conviction"))
    assert GAME.awaiting(state).chance == AwaitedDice("red", 1, "Torment")
    state = do(state, Rolled((4,)))
    assert (pawn(state, "red"), pawn(state, "blue")) == (space - 4, 30)


@pytest.mark.parametrize(
    "card", ["forced_exchange", "hellish_reckoning", "hells_grasp", "infernal_exchange", "omen_of_suffering"]
)
def test_a14_what_soul_conviction_answers(card: str) -> None:
    state = put(begin(), pawns={"red": 30}, hands={"blue": [card], "red": ["soul_conviction"]})
    state = do(state, Rolled((1, 2)), PlayCard("blue", card, "red"))
    after = do(state, PlayCard("red", "soul_conviction"))
    assert after.pawns == state.pawns
    assert after.skips == state.skips
    assert after.hands == ((), (), ())
    assert GAME.legal(after, "red") == (Move("red"),)


def test_a15_a_landing_once_begun_is_finished_first() -> None:
    state = landed(put(begin(), hands={"blue": ["hells_grasp"]}), "blessing")
    assert refused(state, PlayCard("blue", "hells_grasp", "red")).rule == "PP-A15"
    state = do(state, Rolled((1,)))
    assert PlayCard("blue", "hells_grasp", "red") in GAME.legal(state, "blue")


def test_a15_one_card_at_a_time() -> None:
    cards = {"red": ["hells_grasp"], "blue": ["hells_grasp"], "green": ["hellish_reckoning"]}
    state = do(put(begin(), hands=cards), PlayCard("red", "hells_grasp", "blue"))
    assert refused(state, PlayCard("green", "hellish_reckoning", "red")).rule == "PP-A15"
    state = do(state, Accept("blue"))
    assert PlayCard("green", "hellish_reckoning", "red") in GAME.legal(state, "green")


def test_a15_open_windows_close_when_the_player_goes_on() -> None:
    state = put(begin(), hands={"blue": ["hells_grasp"], "green": ["hells_grasp"]})
    assert GAME.legal(state, "blue")
    assert GAME.legal(state, "green")
    assert GAME.awaiting(state).chance == AwaitedDice("red", 2, "movement roll")


def test_a15_asked_clockwise_each_plays_or_passes() -> None:
    cards = {"red": ["soul_conviction"], "blue": ["hells_grasp"], "green": []}
    state = put(begin(windows="clockwise"), pawns={"red": 20}, hands=cards, phase="turn_end")
    state = ended(put(state, turn=2, speaker=-1))
    assert GAME.awaiting(state).seats == ("red",)
    assert GAME.awaiting(state).chance is None
    assert GAME.legal(state, "red") == (Pass("red"),)
    stray = refused(state, Rolled((1, 2)))
    assert (stray.rule, stray.sentence) == ("rulebook", "No dice are due now; Red is asked for a card.")
    assert refused(state, PlayCard("blue", "hells_grasp", "red")).rule == "PP-A15"
    assert refused(state, Pass("blue")).rule == "PP-A15"
    state = do(state, Pass("red"))
    assert GAME.awaiting(state).seats == ("blue",)
    asked_anew = do(state, PlayCard("blue", "hells_grasp", "red"), Accept("red"))
    assert pawn(asked_anew, "red") == 14
    assert GAME.awaiting(asked_anew).seats == ("red",)
    done = do(asked_anew, Pass("red"))
    assert GAME.awaiting(done).chance == AwaitedDice("red", 2, "movement roll")
    passed = do(state, Pass("blue"))
    assert GAME.awaiting(passed).chance == AwaitedDice("red", 2, "movement roll")
    assert refused(passed, PlayCard("blue", "hells_grasp", "red")).rule == "PP-A15"
    assert refused(passed, Pass("red")).rule == "PP-A15"
    rolled = do(passed, Rolled((1, 3)))
    assert GAME.awaiting(rolled).seats == ("red",)
    moved = do(rolled, Pass("red"), Pass("blue"), Move("red"))
    assert GAME.implied(moved) is None


def test_a15_nobody_is_asked_in_open_windows() -> None:
    assert refused(begin(), Pass("red")).rule == "PP-A15"


def test_a16_after_draw_or_sin_cards_for_oneself_may_follow() -> None:
    state = landed(put(begin(), hands={"red": ["angels_shortcut"]}), "sloth")
    state = do(state, PlayCard("red", "angels_shortcut"))
    assert pawn(state, "red") == 55
    for kind in ("safe", "blessing", "torment"):
        state = landed(put(begin(), hands={"red": ["angels_shortcut"]}), kind)
        if kind != "safe":
            state = do(state, Rolled((1,)))
        assert refused(state, PlayCard("red", "angels_shortcut")).rule == "PP-A16"


def test_a16_draw_and_sin_may_end_the_turn_outright() -> None:
    for kind in ("draw", "sloth"):
        state = put(begin(after_draw_or_sin="ends"), hands={"red": ["angels_shortcut", "hells_grasp"]})
        state = landed(state, kind)
        assert refused(state, PlayCard("red", "angels_shortcut")).rule == "PP-A16"
        assert PlayCard("red", "hells_grasp", "blue") in GAME.legal(state, "red")


def test_a17_a_skipped_player_may_play_cards_against_others() -> None:
    state = put(begin(), hands={"blue": ["hells_grasp"]}, skips={"blue": 1})
    assert PlayCard("blue", "hells_grasp", "red") in GAME.legal(state, "blue")


def test_a17_or_may_not_except_to_answer() -> None:
    cards = {"red": ["hells_grasp"], "blue": ["hells_grasp", "soul_conviction"]}
    state = put(begin(skipped_players="may_not"), hands=cards, skips={"blue": 1})
    assert refused(state, PlayCard("blue", "hells_grasp", "red")).rule == "PP-A17"
    state = do(state, PlayCard("red", "hells_grasp", "blue"))
    assert PlayCard("blue", "soul_conviction") in GAME.legal(state, "blue")


def test_a17_who_owes_a_skip_still_plays_in_the_turn_that_runs() -> None:
    state = put(begin(skipped_players="may_not"), hands={"red": ["hells_grasp"]})
    state = landed(state, "sloth")
    assert state.skips == (1, 0, 0)
    assert PlayCard("red", "hells_grasp", "blue") in GAME.legal(state, "red")


def test_a17_who_may_not_play_is_not_asked() -> None:
    state = begin(skipped_players="may_not", windows="clockwise")
    state = put(state, hands={"blue": ["hells_grasp"], "green": ["hells_grasp"]}, skips={"blue": 1})
    state = put(state, pawns={"red": at(state, "safe") - 7}, speaker=-1)
    state = do(state, Rolled((3, 4)))
    assert GAME.awaiting(state).seats == ("green",)
    assert GAME.awaiting(do(state, Pass("green"))).seats == ("red",)


def test_a18_gluttony_discards_first_and_may_draw_it_again() -> None:
    held = ("hells_grasp", "second_chance")
    state = landed(put(begin(), hands={"red": held, "blue": all_but(held)}, deck=[]), "gluttony")
    assert state.buried == held
    assert GAME.awaiting(state).chance is not None
    state = do(state, Shuffled(held))
    assert hand(state, "red") == held


def test_a18_gluttony_may_draw_first() -> None:
    held, top = ("hells_grasp", "second_chance"), ["beacon_of_hope", "soul_conviction"]
    state = put(begin(gluttony="draw_first"), hands={"red": held}, deck=top)
    state = landed(state, "gluttony")
    assert hand(state, "red") == tuple(top)
    assert state.buried == held
    assert state.aside == ()


def test_a18_drawing_first_the_old_hand_is_not_shuffled_in() -> None:
    held = ("hells_grasp", "second_chance")
    state = put(begin(gluttony="draw_first"), hands={"red": held, "blue": all_but(held)}, deck=[])
    state = landed(state, "gluttony")
    assert hand(state, "red") == ()
    assert state.buried == held
    assert GAME.awaiting(state).chance is None


def test_a18_with_both_piles_empty_no_more_is_drawn() -> None:
    state = landed(put(begin(), hands={"blue": ALL_CARDS}, deck=[]), "draw")
    assert hand(state, "red") == ()
    assert GAME.implied(state) == EndTurn("red")


def test_a19_forced_exchange_gives_nothing_back_and_needs_a_card() -> None:
    cards = {"red": ["forced_exchange", "hells_grasp"], "blue": ["beacon_of_hope", "second_chance"]}
    state = put(begin(), hands=cards)
    assert refused(state, PlayCard("red", "forced_exchange", "green")).rule == "PP-A19"
    state = do(state, PlayCard("red", "forced_exchange", "blue"), Accept("blue"))
    state = do(state, Take("red", "blue", "beacon_of_hope"))
    assert state.hands == (("beacon_of_hope", "hells_grasp"), ("second_chance",), ())


def test_a20_swaps_with_a_pawn_on_start() -> None:
    for rule, legal in (("legal", True), ("refused", False)):
        state = begin(swap_with_start=rule)
        state = put(state, pawns={"red": 30, "green": 9}, hands={"red": ["infernal_exchange"]})
        assert (PlayCard("red", "infernal_exchange", "blue") in GAME.legal(state, "red")) is legal
        assert PlayCard("red", "infernal_exchange", "green") in GAME.legal(state, "red")
        if not legal:
            assert refused(state, PlayCard("red", "infernal_exchange", "blue")).rule == "PP-A20"
            back = put(state, pawns={"red": 0})
            assert refused(back, PlayCard("red", "infernal_exchange", "green")).rule == "PP-A20"


def test_a21_players_tied_for_the_highest_throw_again_among_themselves() -> None:
    state = do(GAME.setup(("red", "blue", "green", "white"), house(), {}), Shuffled(ALL_CARDS))
    state = do(state, Rolled((1, 1)), Rolled((5, 4)), Rolled((6, 3)), Rolled((4, 4)))
    assert GAME.awaiting(state).chance == AwaitedDice("blue", 2, "who goes first")
    state = do(state, Rolled((2, 2)))
    assert GAME.awaiting(state).chance == AwaitedDice("green", 2, "who goes first")
    tied = do(state, Rolled((3, 1)))
    assert GAME.awaiting(tied).chance == AwaitedDice("blue", 2, "who goes first")
    assert in_turn(do(tied, Rolled((1, 1)), Rolled((1, 2)))) == "green"


def test_a21_turns_go_clockwise() -> None:
    state = put(begin(), turn=2, phase="turn_end")
    assert in_turn(ended(state)) == "red"


def test_a22_hellish_reckoning_on_oneself_is_not_offered() -> None:
    state = put(begin(), hands={"red": ["hellish_reckoning"]})
    assert refused(state, PlayCard("red", "hellish_reckoning", "red")).rule == "PP-A22"


def test_a22_the_player_in_turn_loses_the_turn_after_this() -> None:
    state = do(
        put(begin(), hands={"blue": ["hellish_reckoning"]}), PlayCard("blue", "hellish_reckoning", "red")
    )
    assert GAME.awaiting(state).chance == AwaitedDice("red", 2, "movement roll")
    assert state.skips == (1, 0, 0)


@pytest.mark.parametrize(("die", "thrower"), [("target", "blue"), ("lander", "red")])
def test_a23_who_throws_for_the_bargain(die: str, thrower: str) -> None:
    state = landed(put(begin(bargain_die=die), hands={"red": ["unholy_bargain"]}), "torment")
    state = do(state, PlayCard("red", "unholy_bargain", "blue"))
    assert GAME.awaiting(state).chance == AwaitedDice(thrower, 1, "Torment")


def test_a24_landing_cards_go_before_the_die() -> None:
    cards = ["gift_of_the_righteous", "holy_determination", "unholy_bargain"]
    state = put(begin(), hands={"red": cards})
    for kind, card in (("blessing", cards[1]), ("torment", cards[0])):
        assert refused(state, PlayCard("red", card)).rule == "PP-A24"
        on_it = landed(state, kind)
        assert PlayCard("red", card) in GAME.legal(on_it, "red")
        assert refused(do(on_it, Rolled((1,))), PlayCard("red", card)).rule == "PP-A24"


def test_a24_two_holy_determinations_do_not_add() -> None:
    state = landed(put(begin(), hands={"red": ["holy_determination"] * 2}), "blessing")
    state = do(state, PlayCard("red", "holy_determination"))
    assert refused(state, PlayCard("red", "holy_determination")).rule == "PP-A24"
    assert GAME.awaiting(state).chance == AwaitedDice("red", 2, "Blessing")


def test_a24_or_do_add() -> None:
    state = put(begin(second_holy_determination="add"), hands={"red": ["holy_determination"] * 2})
    state = landed(state, "blessing")
    state = do(state, *(PlayCard("red", "holy_determination") for _ in range(2)))
    assert GAME.awaiting(state).chance == AwaitedDice("red", 3, "Blessing")


def test_a25_hands_are_secret() -> None:
    state = put(begin(), hands={"red": ["hells_grasp"], "blue": ["second_chance"]})
    assert GAME.hide(state).hands == ((UNKNOWN,), (UNKNOWN,), ())
    assert GAME.view(state, "blue").hands == ((UNKNOWN,), ("second_chance",), ())


def all_but(held: tuple[str, ...]) -> list[str]:
    """Every card that is not among these."""
    rest = list(ALL_CARDS)
    for card in held:
        rest.remove(card)
    return rest
