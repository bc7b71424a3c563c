"""Every prayer card: when it may be played and when not, by whom, against whom, and what it does."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from companion.games.game import AwaitedDice, Rolled, Shuffled
from companion.games.pawns_of_perdition import GAME
from companion.games.pawns_of_perdition.actions import Accept, Keep, Move, PlayCard, Take
from companion.games.pawns_of_perdition.state import CARDS, State
from tests.rules.positions import ALL_CARDS, TRIO, at, begin, do, hand, house, landed, pawn, put, refused


def keeping(state: State) -> State:
    return do(put(state, roll=state.roll.__class__(cleansing=True)), Rolled((1, 2, 3)))


MOMENTS: dict[str, Callable[[State], State]] = {
    "before the roll": lambda state: state,
    "choosing dice": keeping,
    "after the roll": lambda state: do(state, Rolled((1, 2))),
    "on a blessing": lambda state: landed(state, "blessing"),
    "on a torment": lambda state: landed(state, "torment"),
    "on greed": lambda state: landed(state, "greed"),
    "on lust": lambda state: landed(state, "lust"),
    "after a sin": lambda state: landed(state, "sloth"),
    "after the turn": lambda state: landed(state, "safe"),
}

OPEN = {"before the roll", "after the roll", "after a sin", "after the turn"}

MINE = {
    "angels_shortcut": OPEN - {"after the turn"},
    "beacon_of_hope": {"before the roll"},
    "cleansing_flame": {"before the roll"},
    "forced_exchange": OPEN,
    "gift_of_the_righteous": {"on a torment"},
    "hellish_reckoning": OPEN,
    "hells_grasp": OPEN,
    "holy_determination": {"on a blessing"},
    "infernal_exchange": OPEN,
    "omen_of_suffering": set(),
    "on_the_wings_of_angels": {"before the roll"},
    "sanctuarys_blessing": {"before the roll"},
    "second_chance": {"after the roll"},
    "soul_conviction": set(),
    "unholy_bargain": {"on a torment"},
}

THEIRS = {card: set[str]() for card in CARDS} | {
    "forced_exchange": OPEN,
    "hellish_reckoning": OPEN,
    "hells_grasp": OPEN,
    "infernal_exchange": OPEN,
    "omen_of_suffering": {"after the roll"},
}

AGAINST = {
    "forced_exchange",
    "hellish_reckoning",
    "hells_grasp",
    "infernal_exchange",
    "omen_of_suffering",
    "unholy_bargain",
}


@pytest.mark.parametrize(("card", "moment"), list(product(CARDS, MOMENTS)))
def test_when_a_card_may_be_played(card: str, moment: str) -> None:
    for seat, target, windows in (("red", "green", MINE), ("blue", "red", THEIRS)):
        hands = {"red": ["hells_grasp"], "green": ["second_chance"]}
        hands[seat] = [card, *hands.get(seat, [])]
        state = MOMENTS[moment](put(begin(), hands=hands))
        action = PlayCard(seat, card, target if card in AGAINST else "")
        assert (action in GAME.legal(state, seat)) is (moment in windows[card])
        if moment in windows[card]:
            state = do(state, action)
            assert state.discard[-1] == card
        else:
            assert refused(state, action).sentence
            assert card not in {
                legal.card for legal in GAME.legal(state, seat) if isinstance(legal, PlayCard)
            }


@pytest.mark.parametrize("card", CARDS)
def test_a_card_that_nobody_can_hold_is_refused(card: str) -> None:
    for moment in MOMENTS.values():
        state = moment(put(begin(), hands={"red": ["second_chance"], "green": ["soul_conviction"]}))
        for seat in ("red", "blue"):
            if card not in hand(state, seat):
                refused(state, PlayCard(seat, card, "green" if card in AGAINST else ""))


@pytest.mark.parametrize("card", sorted(AGAINST))
def test_a_card_against_somebody_names_another_player(card: str) -> None:
    state = put(begin(), hands={"red": [card], "blue": [card]})
    state = landed(state, "torment") if card == "unholy_bargain" else do(state, Rolled((1, 2)))
    seat = "blue" if card == "omen_of_suffering" else "red"
    for target in ("", seat, "white", "nobody"):
        refused(state, PlayCard(seat, card, target))


@pytest.mark.parametrize("card", sorted(set(CARDS) - AGAINST - {"soul_conviction"}))
def test_a_card_for_oneself_names_nobody(card: str) -> None:
    for moment in MINE[card]:
        state = MOMENTS[moment](put(begin(), hands={"red": [card], "green": ["second_chance"]}))
        do(state, PlayCard("red", card))
        refused(state, PlayCard("red", card, "blue"))


def test_no_card_is_played_before_the_first_turn() -> None:
    state = GAME.setup(TRIO, house(), {})
    for card in CARDS:
        refused(state, PlayCard("red", card, "blue" if card in AGAINST else ""))
    state = do(state, Shuffled(ALL_CARDS))
    for seat in TRIO:
        assert GAME.legal(state, seat) == ()
        for card in hand(state, seat):
            refused(state, PlayCard(seat, card, "green" if card in AGAINST else ""))


def test_no_card_is_played_while_dice_are_thrown_again() -> None:
    hands = {"red": ["second_chance", "hells_grasp"], "blue": ["omen_of_suffering", "hells_grasp"]}
    state = do(put(begin(), hands=hands), Rolled((1, 2)), PlayCard("red", "second_chance"))
    for seat in TRIO:
        assert GAME.legal(state, seat) == ()
    assert refused(state, PlayCard("blue", "hells_grasp", "red")).rule == "PP-A15"


def test_a_target_without_cards_is_not_asked() -> None:
    state = put(begin(), pawns={"blue": 20}, hands={"red": ["hells_grasp"]})
    state = do(state, PlayCard("red", "hells_grasp", "blue"))
    assert state.played is None
    assert pawn(state, "blue") == 14


def test_a_target_is_not_asked_once_every_soul_conviction_lies_open() -> None:
    state = put(begin(), hands={"red": ["hells_grasp"], "blue": ["second_chance"]}, deck=[])
    assert state.discard.count("soul_conviction") == 2
    state = do(put(state, pawns={"blue": 20}), PlayCard("red", "hells_grasp", "blue"))
    assert state.pawns[1] == 14
    assert state.played is None


def test_a_target_with_cards_is_asked_and_the_window_goes_on() -> None:
    state = put(begin(), pawns={"blue": 20}, hands={"red": ["hells_grasp"], "blue": ["second_chance"]})
    state = do(state, PlayCard("red", "hells_grasp", "blue"))
    assert GAME.awaiting(state).seats == ("blue",)
    assert pawn(state, "blue") == 20
    assert GAME.legal(state, "blue") == (Accept("blue"),)
    assert GAME.legal(state, "red") == ()
    refused(state, Rolled((1, 2)))
    refused(state, Accept("red"))
    refused(state, PlayCard("blue", "soul_conviction"))
    state = do(state, Accept("blue"))
    assert pawn(state, "blue") == 14
    assert GAME.awaiting(state).chance == AwaitedDice("red", 2, "movement roll")
    refused(state, Accept("blue"))


def test_infernal_exchange_swaps_two_pawns() -> None:
    state = put(begin(), pawns={"red": 3, "green": 40}, hands={"red": ["infernal_exchange"]})
    state = do(state, PlayCard("red", "infernal_exchange", "green"))
    assert state.pawns == (40, 0, 3)


def test_hells_grasp_goes_back_six() -> None:
    state = put(begin(), pawns={"red": 33}, hands={"green": ["hells_grasp"]})
    state = do(state, Rolled((1, 2)), PlayCard("green", "hells_grasp", "red"), Move("red"))
    assert pawn(state, "red") == 30


def test_forced_exchange_shows_the_hand_to_its_player_alone() -> None:
    hands = {
        "red": ["forced_exchange"],
        "blue": ["beacon_of_hope", "second_chance"],
        "green": ["hells_grasp"],
    }
    state = do(put(begin(), hands=hands), PlayCard("red", "forced_exchange", "blue"))
    assert GAME.view(state, "red").hands[1] == ("?", "?")
    state = do(state, Accept("blue"))
    assert GAME.view(state, "red").hands == ((), ("beacon_of_hope", "second_chance"), ("?",))
    assert GAME.view(state, "green").hands == ((), ("?", "?"), ("hells_grasp",))
    assert GAME.legal(state, "red") == (
        Take("red", "blue", "beacon_of_hope"),
        Take("red", "blue", "second_chance"),
    )
    refused(state, Take("red", "green", "hells_grasp"))
    refused(state, Take("red", "blue", "hells_grasp"))
    refused(state, Take("blue", "red", "beacon_of_hope"))
    state = do(state, Take("red", "blue", "second_chance"))
    assert GAME.view(state, "red").hands[1] == ("?",)
    refused(state, Take("red", "blue", "beacon_of_hope"))


def test_forced_exchange_can_be_answered_before_the_look() -> None:
    hands = {"red": ["forced_exchange"], "blue": ["beacon_of_hope", "soul_conviction"]}
    state = do(put(begin(), hands=hands), PlayCard("red", "forced_exchange", "blue"))
    state = do(state, PlayCard("blue", "soul_conviction"))
    assert state.hands == ((), ("beacon_of_hope",), ())


def test_gift_of_the_righteous_ignores_the_torment() -> None:
    state = landed(put(begin(), hands={"red": ["gift_of_the_righteous"]}), "torment")
    space = pawn(state, "red")
    state = do(state, PlayCard("red", "gift_of_the_righteous"))
    assert pawn(state, "red") == space
    assert GAME.awaiting(state).chance is None


def test_a_bargain_is_struck_once() -> None:
    hands = {"red": ["unholy_bargain", "unholy_bargain", "gift_of_the_righteous"]}
    state = landed(put(begin(), hands=hands), "torment")
    state = do(state, PlayCard("red", "unholy_bargain", "blue"))
    assert GAME.legal(state, "red") == ()
    refused(state, PlayCard("red", "unholy_bargain", "green"))
    refused(state, PlayCard("red", "gift_of_the_righteous"))


def test_after_an_answered_bargain_another_card_may_follow() -> None:
    hands = {"red": ["unholy_bargain", "gift_of_the_righteous"], "blue": ["soul_conviction"]}
    state = landed(put(begin(), hands=hands), "torment")
    state = do(state, PlayCard("red", "unholy_bargain", "blue"), PlayCard("blue", "soul_conviction"))
    state = do(state, PlayCard("red", "gift_of_the_righteous"))
    assert GAME.awaiting(state).chance is None


def test_omen_is_for_the_player_in_turn_alone() -> None:
    state = do(put(begin(), hands={"blue": ["omen_of_suffering"]}), Rolled((5, 5)))
    refused(state, PlayCard("blue", "omen_of_suffering", "green"))
    assert GAME.legal(state, "blue") == (PlayCard("blue", "omen_of_suffering", "red"),)


def test_a_second_cleansing_flame_is_refused() -> None:
    state = put(begin(), hands={"red": ["cleansing_flame", "cleansing_flame"]})
    state = do(state, PlayCard("red", "cleansing_flame"))
    refused(state, PlayCard("red", "cleansing_flame"))
    state = do(state, Rolled((1, 1, 6)))
    assert GAME.legal(state, "red") == (Keep("red", (1, 1)), Keep("red", (1, 6)))
    refused(state, Keep("red", (6, 6)))
    refused(state, Keep("red", (6, 1)))
    refused(state, Keep("blue", (1, 1)))


def test_what_changes_a_roll_is_gone_by_the_next_turn() -> None:
    state = put(begin(), hands={"red": ["sanctuarys_blessing"]})
    state = do(state, PlayCard("red", "sanctuarys_blessing"), Rolled((1, 3)), Move("red"))
    state = put(state, turn=2, phase="turn_end")
    state = do(state, *GAME.legal(state, "green"))
    assert state.roll == begin().roll


def test_angels_shortcut_from_start_leads_to_layer_two() -> None:
    state = put(begin(), hands={"red": ["angels_shortcut"]})
    assert pawn(do(state, PlayCard("red", "angels_shortcut")), "red") == 10


def test_angels_shortcut_between_roll_and_move_keeps_the_roll() -> None:
    state = do(put(begin(), hands={"red": ["angels_shortcut"]}), Rolled((1, 2)))
    state = do(state, PlayCard("red", "angels_shortcut"), Move("red"))
    assert pawn(state, "red") == 13


def test_a_swap_moves_nobody_from_a_landing_that_is_done() -> None:
    state = landed(put(begin(), pawns={"blue": 40}, hands={"blue": ["infernal_exchange"]}), "draw")
    space = at(state, "draw")
    state = do(state, PlayCard("blue", "infernal_exchange", "red"), Accept("red"))
    assert (pawn(state, "red"), pawn(state, "blue")) == (40, space)
    assert len(hand(state, "red")) == 1
