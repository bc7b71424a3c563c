"""The rulings HT-A01 to HT-A20, each by what it does, and when the table is told of it."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.game import AwaitedDice, AwaitedShuffle, Rolled, Shuffled
from companion.games.hachi_train import GAME
from companion.games.hachi_train.actions import EnterCard, HachiAction, KeepHand, Lead, Pass, Play, PutIn
from companion.games.hachi_train.cards import SPECIAL_CARS, train_cars
from companion.games.hachi_train.options import OPTIONS
from companion.games.hachi_train.state import OVER, SEATS, TRAINS, TURN, State
from companion.games.layout import UNKNOWN
from tests.rules.hachi_games import house
from tests.rules.hachi_positions import do, hand, may, play, position, refused


def named(state: State, action: HachiAction) -> tuple[str, ...]:
    """The rulings that the action's outcome rested on."""
    assert GAME.refusal(state, action) is None
    return GAME.decided(state, action)


def test_a01_copies_come_before_rank() -> None:
    state = position(field=["8"], hands={"red": ["1", "1", "2"]})
    assert "HT-A01" in named(state, play("red", "1", "1"))
    higher = position(field=["4"], hands={"red": ["5", "2"]})
    assert "HT-A01" not in named(higher, play("red", "5"))
    ruling = refused(position(field=["1", "1"], hands={"red": ["8", "2"]}), play("red", "8"))
    assert ruling.rule == "HT-A01"
    assert ruling.sentence == (
        "An 8 does not beat two 1s on the field; play two 2s or higher or three 1s or more, or pass."
    )


def test_a02_equal_cards_do_not_beat() -> None:
    state = position(field=["6", "6"], by="blue", turn="red", hands={"red": ["5/6", "6", "1"]}, players=4)
    assert refused(state, play("red", "6", "5/6")).rule == "HT-A02"
    top = position(field=["8"], hands={"red": ["7/8", "1"]})
    assert refused(top, play("red", "7/8", rank=8)).sentence == (
        "An 8 is just as powerful as an 8 on the field; play two 1s or more, or pass."
    )


def test_a03_any_cards_of_a_run_may_be_played() -> None:
    state = position(hands={"red": ["3", "3/4", "3", "1"]})
    assert hand(do(state, play("red", "3", "3", places=(0, 2))), "red") == ("3/4", "1")
    assert hand(do(state, play("red", "3/4", rank=3, places=(1,))), "red") == ("3", "3", "1")


def test_a04_the_rank_of_a_special_car_is_said_and_kept_until_it_is_taken() -> None:
    state = position(hands={"red": ["3/4", "4", "1"], "blue": ["5", "5", "3", "2"]}, kept=["blue"])
    two = play("red", "3/4", "4", rank=4)
    assert "HT-A04" in named(state, two)
    state = do(state, two)
    assert (state.field, state.rank) == (("3/4", "4"), 4)
    mixed = refused(state, Play("blue", 5, ("3", "5")))
    assert mixed.rule == "HT-A04"
    assert mixed.sentence == "A 3 is played as 3, and all cards of a play have one rank."
    fives = play("blue", "5", "5", places=(0, 1))
    assert "HT-A04" in named(state, fives)
    state = do(state, fives, PutIn("blue", 1), PutIn("blue", 0))
    assert hand(state, "blue") == ("4", "3", "3/4", "2")
    state = do(state, Pass("green"), Pass("red"))
    assert Play("blue", 3, ("3", "3/4"), (1, 2)) in may(state, Play), "it has both its ranks again"


def test_a05_a_special_car_may_be_played_alone_as_either_rank() -> None:
    state = position(hands={"red": ["7/8", "1"]})
    for rank in (7, 8):
        assert "HT-A05" in named(state, play("red", "7/8", rank=rank))
        assert do(state, play("red", "7/8", rank=rank)).rank == rank
    assert refused(state, play("red", "7/8", rank=6)).rule == "HT-A04"


def test_a06_what_is_taken_goes_in_after_the_played_cards_have_left() -> None:
    state = position(field=["4", "4"], hands={"red": ["1", "5", "5", "5", "2"]}, kept=["red"], players=5)
    three = play("red", "5", "5", "5", places=(1, 2, 3))
    assert "HT-A06" in named(state, three)
    state = do(state, three)
    told_now = play("red", "1", places=(0,))
    assert [action.place for action in may(state, PutIn, "red")] == [0, 1, 2]
    apart = do(state, PutIn("red", 0), PutIn("red", 3))
    assert hand(apart, "red") == ("4", "1", "2", "4"), "into different places"
    assert hand(do(state, PutIn("red", 1), PutIn("red", 1)), "red") == ("1", "4", "4", "2")
    assert named(state, PutIn("red", 1)) == ("HT-A06",)
    later = do(state, Pass("blue"), Pass("green"), Pass("yellow"), Pass("white"))
    assert refused(later, told_now).sentence.startswith("Say first where the cards went")
    assert not [action for action in may(later, Play) if action.places]
    untold = do(later, play("red", "1"))
    assert hand(untold, "red") == (UNKNOWN,) * 3, "its order is not known any more"


def test_a07_anybody_may_pass_and_draws_while_there_are_cards() -> None:
    state = position(field=["4"], hands={"red": ["8", "2"]}, deck=["5/6", "1/2"], kept=["red"])
    assert named(state, Pass("red")) == ("HT-A07",)
    state = do(state, Pass("red"))
    assert hand(state, "red") == ("8", "2", "5/6")
    assert state.deck == ("1/2",)


def test_a08_the_field_is_cleared_after_the_last_pass() -> None:
    state = position(hands={"red": ["8", "1"]}, deck=4, players=4)
    state = do(state, play("red", "8"), Pass("blue"), Pass("green"))
    assert "HT-A08" in named(state, Pass("yellow"))
    after = do(state, Pass("yellow"))
    assert (after.field, after.rank, after.owner, after.passed) == ((), 0, -1, ())
    assert after.seats[after.turn] == "red"
    out = position(field=["8"], by="yellow", gone=["yellow"], hands={"red": ["1", "2"]}, players=4)
    assert "HT-A08" not in named(out, Pass("red"))
    after = do(out, Pass("red"), Pass("blue"), Pass("green"))
    assert after.seats[after.turn] == "red", "the next player clockwise from who went out"


def test_a09_a_match_ends_when_one_player_is_left() -> None:
    state = position(hands={"red": ["2"], "blue": ["8", "8"]}, gone=["green"])
    assert "HT-A09" in named(state, play("red", "2"))
    state = do(state, play("red", "2"))
    assert (state.phase, state.match, state.seats[state.turn]) == (TRAINS, 2, "blue")


def test_a10_going_out_discards_the_old_field_and_leaves_the_new_one() -> None:
    state = position(field=["4"], hands={"red": ["6"]})
    out = Counter(state.out)
    assert "HT-A10" in named(state, play("red", "6"))
    state = do(state, play("red", "6"))
    assert hand(state, "red") == ()
    assert Counter(state.out) - out == {"4": 1}
    assert (state.field, state.seats[state.turn]) == (("6",), "blue")
    assert hand(do(state, play("blue", "7")), "blue") == (UNKNOWN,) * 5, "who beats it takes it"


@pytest.mark.parametrize(("value", "fact"), [("all_lose", "loses"), ("nobody_loses", "does not lose")])
def test_a11_all_with_as_much_lose_together_or_nobody_does(value: str, fact: str) -> None:
    state = position(
        hands={"red": ["8"]},
        gone=["blue", "green"],
        players=4,
        match=4,
        assets=(100, 100, 100, 200),
        all_equal=value,
    )
    last = play("red", "8")
    assert "HT-A11" in named(state, last)
    story = GAME.story(state, last)[-1]
    state = do(state, last)
    assert {standing.facts[-1] for standing in GAME.scores(state)} == {fact}
    assert story.endswith("all lose together." if value == "all_lose" else "nobody loses.")
    assert ("all lose" in GAME.prompt(state, "red").words) is (value == "all_lose")


def test_a11_one_of_five_who_never_lost_wins_alone() -> None:
    state = position(
        hands={"red": ["8"]},
        gone=["blue", "green", "yellow"],
        players=5,
        match=4,
        assets=(200, 100, 100, 100, 200),
    )
    state = do(state, play("red", "8"))
    assert [(each.seat, each.place) for each in GAME.scores(state)][:2] == [("red", 1), ("blue", 2)]


def test_a12_the_game_ends_with_nothing_left_or_after_match_four() -> None:
    early = position(hands={"red": ["8"]}, gone=["green"], match=2, assets=(200, 100, 200))
    assert "HT-A12" in named(early, play("red", "8"))
    assert do(early, play("red", "8")).phase == OVER
    goes_on = position(hands={"red": ["8"]}, gone=["green"], match=3, assets=(100, 200, 100))
    assert do(goes_on, play("red", "8")).phase == TRAINS


def shuffled(**options: str) -> State:
    """Three players with their cards shuffled and dealt."""
    state = GAME.setup(SEATS[:3], house(), options)
    return do(state, Shuffled(train_cars(3)), Shuffled(SPECIAL_CARS))


def test_a13_lots_are_drawn_for_who_leads_or_the_players_say_so() -> None:
    drawn = shuffled()
    chance = GAME.awaiting(drawn).chance
    assert isinstance(chance, AwaitedDice)
    assert chance.faces == ("red", "blue", "green")
    assert named(drawn, Rolled(("green",))) == ("HT-A13",)
    state = do(drawn, Rolled(("green",)))
    assert (state.phase, state.turn) == (TURN, 2)
    assert refused(drawn, Lead("red", "blue")).rule == "HT-A13"
    told = shuffled(first_player="told")
    assert GAME.awaiting(told).seats == ("red", "blue", "green")
    assert named(told, Lead("red", "blue")) == ("HT-A13",)
    assert do(told, Lead("red", "blue")).turn == 1
    assert "Nobody plays 'white'" in refused(told, Lead("red", "white")).sentence
    assert "No dice are due now" in refused(told, Rolled(("red",))).sentence


def test_a14_what_is_left_out_stays_out_of_the_game() -> None:
    four, five = (GAME.setup(SEATS[:count], house(), {}) for count in (4, 5))
    assert named(four, Shuffled(train_cars(4))) == ("HT-A14",)
    assert named(five, Shuffled(train_cars(5))) == ()
    assert GAME.story(four, Shuffled(train_cars(4)))[0] == "1 card of each rank 1 to 8 stays out of the game."
    later = position(hands={"red": ["8"]}, gone=["green"])
    later = do(later, play("red", "8"))
    assert named(later, Shuffled(train_cars(3))) == (), "it was said in the first match"


def test_a15_the_special_deck_is_not_refilled_inside_a_match() -> None:
    state = position(field=["4"], hands={"red": ["8", "2"]}, deck=0)
    assert state.out.count("5/6") == 2, "special cars lie discarded"
    assert named(state, Pass("red")) == ("HT-A15",)
    state = do(state, Pass("red"))
    assert (state.deck, hand(state, "red")) == ((), ("8", "2"))


def test_a16_on_an_empty_field_cards_are_just_played() -> None:
    state = position(hands={"red": ["2", "2", "5"]})
    assert named(state, play("red", "2", "2")) == ("HT-A16",)
    assert hand(do(state, play("red", "2", "2", places=(0, 1))), "red") == ("5",)


def test_a17_the_order_is_the_holders() -> None:
    state = position(hands={"red": [UNKNOWN, UNKNOWN]})
    assert named(state, KeepHand("red")) == ("HT-A17",)
    state = do(state, KeepHand("red"))
    assert named(state, EnterCard("red", "7")) == ("HT-A17",)
    state = do(state, EnterCard("red", "7"), EnterCard("red", "6"))
    assert hand(state, "red") == ("7", "6"), "from the left"


def test_a18_two_runs_of_a_rank_are_apart() -> None:
    state = position(hands={"red": ["4", "4", "2", "4", "1"]}, players=4)
    ruling = refused(state, play("red", "4", "4", places=(1, 3)))
    assert (ruling.rule, "not adjacent" in ruling.sentence) == ("HT-A18", True)


def test_a19_the_ends_of_a_hand_are_not_adjacent() -> None:
    state = position(hands={"red": ["4", "2", "4"]})
    assert refused(state, play("red", "4", "4", places=(0, 2))).rule == "HT-A19"
    assert refused(state, play("red", "4", "4")).rule == "HT-A18"


def test_a20_a_leader_may_go_out() -> None:
    state = position(hands={"red": ["3", "3"]}, players=4)
    assert "HT-A20" in named(state, play("red", "3", "3"))
    state = do(state, play("red", "3", "3"))
    assert (state.field, state.gone, state.seats[state.turn]) == (("3", "3"), (0,), "blue")
    assert refused(state, play("blue", "8")).rule == "HT-A01"


def test_every_ruling_is_an_option_and_rests_on_a_default() -> None:
    assert [option.rule for option in OPTIONS] == [f"HT-A{number:02}" for number in range(1, 21)]
    with pytest.raises(ValueError, match="Known options"):
        GAME.setup(SEATS[:3], house(), {"speed": "fast"})
    with pytest.raises(ValueError, match="Known values: drawn, told"):
        GAME.setup(SEATS[:3], house(), {"first_player": "oldest"})
    assert isinstance(GAME.awaiting(GAME.setup(SEATS[:3], house(), {})).chance, AwaitedShuffle)
