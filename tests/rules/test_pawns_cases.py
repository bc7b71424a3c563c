"""The cases of the rulebook, one test each, named by the case's id."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from companion.games.game import AwaitedDice, Rolled, Shuffled
from companion.games.pawns_of_perdition import GAME
from companion.games.pawns_of_perdition.actions import Accept, EndTurn, Give, Keep, Move, PlayCard
from tests.rules.positions import (
    ALL_CARDS,
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

FOUR = ("red", "blue", "green", "yellow")


def test_pp_01_four_players_are_set_up() -> None:
    state = do(GAME.setup(FOUR, house(), {}), Shuffled(ALL_CARDS))
    assert state.pawns == (0, 0, 0, 0)
    assert [len(cards) for cards in state.hands] == [3, 3, 3, 3]
    assert len(state.deck) == 18
    assert Counter(state.deck) + Counter(card for cards in state.hands for card in cards) == Counter(
        ALL_CARDS
    )


def test_pp_02_the_highest_throw_goes_first() -> None:
    state = do(GAME.setup(("red", "blue", "green"), house(), {}), Shuffled(ALL_CARDS))
    state = do(state, Rolled((3, 4)), Rolled((5, 4)), Rolled((2, 2)))
    assert in_turn(state) == "blue"
    assert GAME.awaiting(state).chance == AwaitedDice("blue", 2, "movement roll")


def test_pp_04_a_blessing_moves_on_and_the_space_there_does_nothing() -> None:
    state = landed(begin(), "blessing")
    four_ahead = pawn(state, "red") + 4
    state = replace(state, board=(*state.board[:four_ahead], "torment", *state.board[four_ahead + 1 :]))
    state = do(state, Rolled((4,)))
    assert pawn(state, "red") == four_ahead
    assert GAME.awaiting(state).chance is None
    refused(state, Rolled((1,)))
    assert in_turn(ended(state)) == "blue"


def test_pp_05_a_torment_moves_back_and_the_space_there_does_nothing() -> None:
    state = landed(put(begin(), hands={}), "torment")
    five_back = pawn(state, "red") - 5
    state = replace(state, board=(*state.board[:five_back], "draw", *state.board[five_back + 1 :]))
    state = do(state, Rolled((5,)))
    assert pawn(state, "red") == five_back
    assert hand(state, "red") == ()
    assert in_turn(ended(state)) == "blue"


def test_pp_07_swapped_pawns_trigger_nothing() -> None:
    state = begin()
    draw, torment = at(state, "draw"), at(state, "torment")
    state = put(state, pawns={"red": draw, "blue": torment}, hands={"red": ["infernal_exchange"]})
    state = do(state, PlayCard("red", "infernal_exchange", "blue"))
    assert (pawn(state, "red"), pawn(state, "blue")) == (torment, draw)
    assert state.hands == ((), (), ())
    assert GAME.awaiting(state).chance == AwaitedDice("red", 2, "movement roll")


def test_pp_08_draw_gives_one_card() -> None:
    state = landed(put(begin(), hands={}), "draw")
    assert len(hand(state, "red")) == 1
    assert len(state.deck) == 29


def test_pp_10_going_past_escape_wins() -> None:
    state = do(put(begin(), pawns={"red": 60}), Rolled((2, 3)), Move("red"))
    assert GAME.over(state)
    assert state.winner == "red"
    assert pawn(state, "red") == 63


@pytest.mark.parametrize(("dice", "wins"), [((2, 3), True), ((1, 3), False)])
def test_pp_11_the_exact_count_wins_and_one_less_does_not(dice: tuple[int, int], wins: bool) -> None:
    state = do(put(begin(), pawns={"red": 58}), Rolled(dice), Move("red"))
    assert GAME.over(state) is wins


def test_pp_13_lust_gives_a_card_of_ones_own_choice() -> None:
    held = ("beacon_of_hope", "hells_grasp", "second_chance")
    state = landed(put(begin(), hands={"red": held}), "lust")
    assert set(GAME.legal(state, "red")) == {
        Give("red", to, card) for to in ("blue", "green") for card in held
    }
    state = do(state, Give("red", "green", "hells_grasp"))
    assert hand(state, "red") == ("beacon_of_hope", "second_chance")
    assert hand(state, "green") == ("hells_grasp",)


def test_pp_14_pride_in_front_of_everyone_does_nothing() -> None:
    state = landed(put(begin(), hands={}), "pride")
    space = at(state, "pride")
    assert state.pawns == (space, 0, 0)
    assert in_turn(ended(state)) == "blue"


def test_pp_16_wrath_skips_the_next_player() -> None:
    state = ended(landed(put(begin(), hands={}), "wrath"))
    assert in_turn(state) == "green"
    assert state.skips == (0, 0, 0)


def test_pp_17_sloth_skips_ones_own_next_turn() -> None:
    state = ended(landed(put(begin(), hands={}), "sloth"))
    seats = []
    for _ in range(3):
        seats.append(in_turn(state))
        state = do(put(state, pawns={in_turn(state): at(state, "safe") - 2}), Rolled((1, 1)))
        state = ended(do(state, Move(in_turn(state))))
    assert seats == ["blue", "green", "blue"]


def test_pp_19_envy_restarts_layer_seven() -> None:
    state = landed(put(begin(), hands={}), "envy")
    assert pawn(state, "red") == 55
    assert GAME.awaiting(state).chance is None
    assert in_turn(ended(state)) == "blue"


def test_pp_20_sanctuarys_blessing_doubles_and_goes_before_the_roll() -> None:
    state = put(begin(), hands={"red": ["sanctuarys_blessing"]})
    doubled = do(state, PlayCard("red", "sanctuarys_blessing"), Rolled((4, 5)), Move("red"))
    assert pawn(doubled, "red") == 18
    refused(do(state, Rolled((4, 5))), PlayCard("red", "sanctuarys_blessing"))


def test_pp_22_beacon_of_hope_adds_a_die() -> None:
    state = put(begin(), hands={"red": ["beacon_of_hope"]})
    state = do(state, PlayCard("red", "beacon_of_hope"), Rolled((4, 5)))
    assert GAME.awaiting(state).chance == AwaitedDice("red", 1, "Beacon of Hope")
    assert pawn(do(state, Rolled((3,)), Move("red")), "red") == 12


@pytest.mark.parametrize(("kept", "steps"), [((2, 5), 7), ((2, 6), 8), ((5, 6), 11)])
def test_pp_23_cleansing_flame_keeps_any_two_of_three(kept: tuple[int, int], steps: int) -> None:
    state = put(begin(), hands={"red": ["cleansing_flame"]})
    state = do(state, PlayCard("red", "cleansing_flame"), Rolled((2, 6, 5)))
    assert GAME.legal(state, "red") == (Keep("red", (2, 5)), Keep("red", (2, 6)), Keep("red", (5, 6)))
    assert pawn(do(state, Keep("red", kept), Move("red")), "red") == steps


def test_pp_25_a_second_chance_must_be_taken() -> None:
    state = put(begin(), hands={"red": ["second_chance", "second_chance"]})
    refused(state, PlayCard("red", "second_chance"))
    state = do(state, Rolled((1, 2)), PlayCard("red", "second_chance"), Rolled((1, 1)))
    refused(state, PlayCard("red", "second_chance"))
    state = do(state, Move("red"))
    assert pawn(state, "red") == 2
    refused(state, PlayCard("red", "second_chance"))


def test_pp_26_holy_determination_rolls_two_dice_on_a_blessing() -> None:
    state = landed(put(begin(), hands={"red": ["holy_determination"]}), "blessing")
    space = pawn(state, "red")
    state = do(state, PlayCard("red", "holy_determination"), Rolled((3, 6)))
    assert pawn(state, "red") == space + 9


def test_pp_28_unholy_bargain_passes_the_torment_on() -> None:
    state = landed(put(begin(), pawns={"blue": 30}, hands={"red": ["unholy_bargain"]}), "torment")
    space = pawn(state, "red")
    state = do(state, PlayCard("red", "unholy_bargain", "blue"), Rolled((4,)))
    assert pawn(state, "blue") == 26
    assert pawn(state, "red") == space
    assert GAME.awaiting(state).chance is None


def test_pp_29_soul_conviction_cancels_hells_grasp() -> None:
    state = put(begin(), pawns={"blue": 20}, hands={"red": ["hells_grasp"], "blue": ["soul_conviction"]})
    state = do(state, PlayCard("red", "hells_grasp", "blue"))
    assert GAME.legal(state, "blue") == (Accept("blue"), PlayCard("blue", "soul_conviction"))
    state = do(state, PlayCard("blue", "soul_conviction"))
    assert state.discard == ("hells_grasp", "soul_conviction")
    assert pawn(state, "blue") == 20
    assert state.hands == ((), (), ())


def test_pp_31_hellish_reckoning_costs_one_turn() -> None:
    state = put(begin(), hands={"red": ["hellish_reckoning"]})
    state = do(state, PlayCard("red", "hellish_reckoning", "green"))
    turns = []
    for _ in range(6):
        turns.append(in_turn(state))
        state = do(put(state, pawns={in_turn(state): at(state, "safe") - 2}), Rolled((1, 1)))
        state = ended(do(state, Move(in_turn(state))))
    assert turns == ["red", "blue", "red", "blue", "green", "red"]


def test_pp_32_omen_of_suffering_rerolls_everything() -> None:
    state = put(begin(), hands={"blue": ["omen_of_suffering"]})
    state = do(state, Rolled((6, 6)), PlayCard("blue", "omen_of_suffering", "red"))
    assert GAME.awaiting(state).chance == AwaitedDice("red", 2, "movement roll again")
    assert pawn(do(state, Rolled((2, 1)), Move("red")), "red") == 3


def test_pp_34_angels_shortcut_leads_to_the_next_layer_where_nothing_happens() -> None:
    state = put(begin(), pawns={"red": 23}, hands={"red": ["angels_shortcut"]})
    state = do(state, PlayCard("red", "angels_shortcut"))
    assert pawn(state, "red") == 28
    assert GAME.awaiting(state).chance == AwaitedDice("red", 2, "movement roll")


def test_pp_35_out_of_turn_only_cards_against_others() -> None:
    cards = {"red": ["angels_shortcut", "hells_grasp"]}
    state = put(begin(), pawns={"blue": 20}, hands=cards, turn=1)
    ruling = refused(state, PlayCard("red", "angels_shortcut"))
    assert ruling.section == "Prayer Cards"
    assert PlayCard("red", "hells_grasp", "blue") in ruling.instead
    assert pawn(do(state, PlayCard("red", "hells_grasp", "blue")), "blue") == 14


def test_pp_37_a_used_card_is_gone_until_it_is_drawn_again() -> None:
    state = put(begin(), hands={"red": ["hells_grasp"]})
    state = do(state, PlayCard("red", "hells_grasp", "blue"))
    assert state.discard == ("hells_grasp",)
    refused(state, PlayCard("red", "hells_grasp", "blue"))


def test_pp_38_the_listed_spaces_and_start_make_64() -> None:
    board = begin().board
    sins = {"greed", "lust", "pride", "wrath", "gluttony", "sloth", "envy"}
    counts = Counter("sin" if kind in sins else kind for kind in board)
    assert counts == {
        "start": 1,
        "safe": 19,
        "blessing": 10,
        "torment": 14,
        "draw": 12,
        "sin": 7,
        "escape": 1,
    }
    assert len(board) == 64


def test_pp_40_a_blessing_may_carry_a_pawn_to_escape() -> None:
    state = begin()
    last = max(space for space, kind in enumerate(state.board) if kind == "blessing")
    assert last == 58
    state = do(put(state, pawns={"red": last - 7}), Rolled((3, 4)), Move("red"))
    assert do(state, Rolled((5,))).winner == "red"
    assert do(state, Rolled((6,))).winner == "red"
    assert not GAME.over(do(state, Rolled((4,))))


def test_pp_41_double_first_then_add() -> None:
    cards = ["sanctuarys_blessing", "on_the_wings_of_angels"]
    state = put(begin(), hands={"red": cards})
    state = do(state, *(PlayCard("red", card) for card in cards), Rolled((4, 5)), Move("red"))
    assert pawn(state, "red") == 24


def test_a_turn_is_over_when_it_is_ended() -> None:
    state = landed(put(begin(), hands={}), "safe")
    assert GAME.legal(state, "red") == (EndTurn("red"),)
    assert GAME.implied(state) == EndTurn("red")
