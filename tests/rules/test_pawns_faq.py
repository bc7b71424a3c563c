"""Each sentence of the rulebook's FAQ, and the sentences of its gameplay that no case covers."""

from __future__ import annotations

import pytest

from companion.games.game import AwaitedDice, AwaitedShuffle, Rolled, Shuffled
from companion.games.layout import UNKNOWN
from companion.games.pawns_of_perdition import GAME
from companion.games.pawns_of_perdition.actions import Accept, EndTurn, Give, Move, PlayCard, Take
from companion.games.pawns_of_perdition.state import State
from tests.rules.positions import (
    ALL_CARDS,
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


@pytest.mark.parametrize("dice", [(1, 2), (3, 3)])
def test_escape_is_won_by_landing_on_it_or_going_past(dice: tuple[int, int]) -> None:
    state = do(put(begin(), pawns={"red": 60}), Rolled(dice), Move("red"))
    assert state.winner == "red"
    assert GAME.scores(state)[0].seat == "red"
    for seat in TRIO:
        assert GAME.legal(state, seat) == ()
    assert "Red" in refused(state, EndTurn("red")).sentence


def test_in_layer_one_the_thief_takes_a_card_unseen() -> None:
    state = landed(put(begin(), hands={"blue": ["hells_grasp", "second_chance"]}), "greed")
    seen = GAME.view(state, "red")
    assert GAME.legal(seen, "red") == (Take("red", "blue", UNKNOWN),)
    refused(seen, Take("red", "blue", "hells_grasp"))


def test_in_layer_two_the_giver_chooses_knowing_the_hand() -> None:
    state = landed(put(begin(), hands={"red": ["hells_grasp", "second_chance"]}), "lust")
    seen = GAME.view(state, "red")
    assert Give("red", "blue", "second_chance") in GAME.legal(seen, "red")
    refused(state, Give("blue", "red", "second_chance"))
    refused(state, Give("red", "red", "second_chance"))
    refused(state, Give("red", "blue", "soul_conviction"))


def test_pride_in_front_changes_nothing_and_play_goes_on() -> None:
    state = landed(put(begin(sin_order="faq"), pawns={"blue": 20}, hands={}), "pride")
    assert state.pawns == (at(state, "pride"), 20, 0)
    assert in_turn(ended(state)) == "blue"


@pytest.mark.parametrize(
    "card", ["sanctuarys_blessing", "on_the_wings_of_angels", "beacon_of_hope", "cleansing_flame"]
)
def test_these_cards_go_before_the_movement_roll(card: str) -> None:
    state = put(begin(), hands={"red": [card]})
    do(state, PlayCard("red", card))
    ruling = refused(do(state, Rolled((1, 2))), PlayCard("red", card))
    assert ruling.section == "FAQs"
    assert ruling.instead == (Move("red"),)


def test_any_number_of_cards_in_one_turn() -> None:
    cards = [
        "beacon_of_hope",
        "cleansing_flame",
        "hells_grasp",
        "on_the_wings_of_angels",
        "sanctuarys_blessing",
    ]
    state = put(begin(), pawns={"blue": 30}, hands={"red": cards})
    for card in cards:
        state = do(state, PlayCard("red", card, "blue" if card == "hells_grasp" else ""))
    assert hand(state, "red") == ()
    assert GAME.awaiting(state).chance == AwaitedDice("red", 3, "movement roll")


def test_a_safe_space_ends_the_turn() -> None:
    state = landed(put(begin(), hands={}), "safe")
    assert state.pawns == (at(state, "safe"), 0, 0)
    assert GAME.legal(state, "red") == (EndTurn("red"),)


def test_the_dice_move_the_pawn_that_many_spaces() -> None:
    assert pawn(do(begin(), Rolled((2, 2)), Move("red")), "red") == 4


def test_nobody_moves_without_a_roll_or_out_of_turn() -> None:
    refused(begin(), Move("red"))
    refused(do(begin(), Rolled((2, 2))), Move("blue"))
    refused(begin(), EndTurn("red"))


def test_each_player_starts_with_three_secret_cards_dealt_one_at_a_time() -> None:
    state = GAME.setup(TRIO, house(), {})
    assert GAME.awaiting(state).chance == AwaitedShuffle(ALL_CARDS, "set-up")
    state = do(state, Shuffled(ALL_CARDS))
    assert hand(state, "blue") == tuple(sorted((ALL_CARDS[1], ALL_CARDS[4], ALL_CARDS[7])))
    assert state.deck == ALL_CARDS[9:]
    assert GAME.hide(state).hands == ((UNKNOWN,) * 3,) * 3


@pytest.mark.parametrize(
    ("seats", "fault"),
    [
        (("red", "blue"), "3 to 5"),
        (("red", "blue", "green", "yellow", "white", "red"), "once"),
        (("red", "red", "blue"), "once"),
        (("red", "blue", "pink"), "pink"),
    ],
)
def test_three_to_five_players_each_with_a_pawn(seats: tuple[str, ...], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        GAME.setup(seats, house(), {})


def test_greed_steals_one_card() -> None:
    state = landed(put(begin(), hands={"blue": ["hells_grasp"], "green": ["second_chance"]}), "greed")
    for target in ("red", "white", "nobody"):
        refused(state, Take("red", target, "hells_grasp"))
    refused(state, Take("blue", "green", "second_chance"))
    state = do(state, Take("red", "green", "second_chance"))
    assert hand(state, "red") == ("second_chance",)
    refused(state, Take("red", "blue", "hells_grasp"))


def test_gluttony_discards_all_and_draws_as_many() -> None:
    held = ["hells_grasp", "second_chance", "soul_conviction"]
    top = ["beacon_of_hope", "beacon_of_hope", "cleansing_flame", "cleansing_flame"]
    state = landed(put(begin(), hands={"red": held}, deck=top), "gluttony")
    assert hand(state, "red") == tuple(top[:3])
    assert state.buried == tuple(held)
    assert state.deck == ("cleansing_flame",)


def test_pride_swaps_with_the_player_ahead_and_neither_space_counts() -> None:
    state = begin()
    draw = at(state, "draw", 8)
    state = landed(put(state, pawns={"blue": draw}, hands={}), "pride")
    assert (pawn(state, "red"), pawn(state, "blue")) == (draw, at(state, "pride"))
    assert state.hands == ((), (), ())
    assert GAME.implied(state) == EndTurn("red")


class TestReshuffle:
    """The draw pile runs out: the discard pile becomes the new one, in the middle of a draw if need be."""

    def short(self, kind: str, held: list[str], deck: list[str]) -> State:
        return landed(put(begin(), hands={"red": held}, deck=deck), kind)

    def test_a_draw_from_an_empty_pile_waits_for_the_shuffle(self) -> None:
        state = self.short("draw", ["hells_grasp"], [])
        awaited = GAME.awaiting(state).chance
        assert awaited is not None
        assert not isinstance(awaited, AwaitedDice)
        assert len(awaited.cards) == 29
        assert awaited.why == "the draw pile has run out"
        assert GAME.legal(state, "red") == ()
        for action in (
            EndTurn("red"),
            PlayCard("red", "hells_grasp", "blue"),
            Rolled((1, 2)),
            Accept("blue"),
        ):
            refused(state, action)
        new_order = tuple(reversed(awaited.cards))
        state = do(state, Shuffled(new_order))
        assert hand(state, "red") == tuple(sorted(("hells_grasp", new_order[0])))
        assert state.deck == new_order[1:]
        assert state.discard == ()
        assert GAME.implied(state) == EndTurn("red")

    def test_gluttony_draws_on_after_the_shuffle(self) -> None:
        held = ["hells_grasp", "second_chance", "soul_conviction"]
        state = self.short("gluttony", held, ["beacon_of_hope"])
        assert hand(state, "red") == ("beacon_of_hope",)
        assert state.owed == 2
        awaited = GAME.awaiting(state).chance
        assert awaited is not None
        assert not isinstance(awaited, AwaitedDice)
        assert len(awaited.cards) == 29
        new_order = (*held, *(card for card in remaining(awaited.cards, held)))
        state = do(state, Shuffled(new_order))
        assert hand(state, "red") == ("beacon_of_hope", "hells_grasp", "second_chance")
        assert state.owed == 0

    def test_the_last_cards_are_drawn_and_then_no_more(self) -> None:
        held = ["hells_grasp", "second_chance"]
        blues = remaining(ALL_CARDS, [*held, "beacon_of_hope"])
        state = put(begin(gluttony="draw_first"), hands={"red": held, "blue": blues}, deck=["beacon_of_hope"])
        state = landed(state, "gluttony")
        assert hand(state, "red") == ("beacon_of_hope",)
        assert state.buried == tuple(held)
        assert GAME.implied(state) == EndTurn("red")

    def test_a_shuffle_may_bring_less_than_is_owed(self) -> None:
        held = ["hells_grasp", "second_chance"]
        blues = remaining(ALL_CARDS, [*held, "beacon_of_hope"])
        state = put(begin(gluttony="draw_first"), hands={"red": held, "blue": blues}, deck=[])
        state = do(landed(state, "gluttony"), Shuffled(("beacon_of_hope",)))
        assert hand(state, "red") == ("beacon_of_hope",)
        assert state.buried == tuple(held)
        assert state.aside == ()
        assert GAME.implied(state) == EndTurn("red")

    def test_only_the_awaited_cards_can_be_shuffled(self) -> None:
        state = self.short("draw", ["hells_grasp"], [])
        cards = remaining(ALL_CARDS, ["hells_grasp"])
        for wrong in (
            tuple(cards[:-1]),
            (*cards[:-1], "hells_grasp", "hells_grasp"),
            (*cards[:-1], UNKNOWN),
            (*cards[:-1], "ace_of_spades"),
        ):
            refused(state, Shuffled(wrong))
        do(state, Shuffled((UNKNOWN,) * 29))

    def test_nothing_is_shuffled_out_of_season(self) -> None:
        refused(begin(), Shuffled(ALL_CARDS))

    def test_cards_played_in_this_turn_are_shuffled_in(self) -> None:
        state = put(begin(), pawns={"red": at(begin(), "draw") - 7}, hands={"red": ["hells_grasp"]}, deck=[])
        state = do(state, PlayCard("red", "hells_grasp", "blue"), Rolled((3, 4)), Move("red"))
        awaited = GAME.awaiting(state).chance
        assert awaited is not None
        assert not isinstance(awaited, AwaitedDice)
        assert sorted(awaited.cards) == sorted(ALL_CARDS)


def remaining(cards: tuple[str, ...], without: list[str]) -> list[str]:
    rest = list(cards)
    for card in without:
        rest.remove(card)
    return rest
