"""What people read: prompts, choices, reminders, the log, standings, and the rulings that are named."""

from __future__ import annotations

import pytest

from companion.games.game import Choice, Rolled, Shuffled
from companion.games.layout import UNKNOWN
from companion.games.pawns_of_perdition import GAME
from companion.games.pawns_of_perdition.actions import Accept, EndTurn, Give, Keep, Move, Pass, PlayCard, Take
from companion.games.pawns_of_perdition.state import State
from tests.rules.positions import ALL_CARDS, TRIO, at, begin, do, house, landed, put


def choices(state: State, seat: str) -> dict[object, Choice]:
    return {choice.action: choice for choice in GAME.prompt(state, seat).choices}


def reminded(state: State, seat: str, of: str) -> bool:
    return any(of in line for line in GAME.prompt(state, seat).reminders)


def test_the_move_says_how_far_and_where_to() -> None:
    state = begin()
    blessing = at(state, "blessing", 3)
    state = do(put(state, pawns={"red": blessing - 9}, hands={}), Rolled((4, 5)))
    move = choices(state, "red")[Move("red")]
    assert move.words == f"Move 9 to space {blessing} (Blessing)"
    assert move.detail == "4 + 5 = 9"
    assert move.main


def test_a_card_says_what_it_would_do() -> None:
    state = put(begin(), pawns={"blue": 18, "red": 30}, hands={"red": ["hells_grasp", "infernal_exchange"]})
    found = choices(state, "red")
    grasp = found[PlayCard("red", "hells_grasp", "blue")].words
    assert grasp == "Play Hell's Grasp on Blue: back 6, to space 12 (Draw)"
    swap = found[PlayCard("red", "infernal_exchange", "blue")].words
    assert swap == ("Play Infernal Exchange on Blue: Red to space 18 (Torment), Blue to space 30 (Torment)")


EFFECTS = {
    "angels_shortcut": "up to space 10 (Safe)",
    "beacon_of_hope": "one die more",
    "cleansing_flame": "throw three dice, keep two",
    "forced_exchange": "look at Green's cards and take one",
    "hellish_reckoning": "Green misses the next turn",
    "hells_grasp": "back 6, to Start",
    "infernal_exchange": "Red to Start, Green to Start",
    "on_the_wings_of_angels": "6 spaces further",
    "sanctuarys_blessing": "the dice count twice",
}


@pytest.mark.parametrize(("card", "words"), EFFECTS.items())
def test_each_card_before_the_roll(card: str, words: str) -> None:
    state = put(begin(), hands={"red": [card], "green": ["second_chance"]})
    found = [choice.words for choice in GAME.prompt(state, "red").choices]
    assert any(choice.endswith(f": {words}") for choice in found), found


def test_cards_on_a_landing_and_after_the_roll() -> None:
    torment = landed(put(begin(), hands={"red": ["gift_of_the_righteous", "unholy_bargain"]}), "torment")
    assert [choice.words for choice in GAME.prompt(torment, "red").choices] == [
        "Play Gift of the Righteous: the Torment does nothing",
        "Play Unholy Bargain on Blue: Blue suffers the Torment",
        "Play Unholy Bargain on Green: Green suffers the Torment",
    ]
    blessing = landed(put(begin(), hands={"red": ["holy_determination"]}), "blessing")
    assert [choice.words for choice in GAME.prompt(blessing, "red").choices] == [
        "Play Holy Determination: throw two dice for the Blessing"
    ]
    hands = {"red": ["second_chance"], "blue": ["omen_of_suffering"]}
    rolled = do(put(begin(), hands=hands), Rolled((1, 2)))
    again = choices(rolled, "red")[PlayCard("red", "second_chance")].words
    assert again == "Play Second Chance: throw two dice again, the new throw stands"
    omen = choices(rolled, "blue")[PlayCard("blue", "omen_of_suffering", "red")].words
    assert omen == "Play Omen of Suffering on Red: Red throws all movement dice again"


def test_a_second_blessing_and_reckoning_say_so() -> None:
    state = put(
        begin(), hands={"red": ["sanctuarys_blessing"] * 2 + ["hellish_reckoning"]}, skips={"blue": 1}
    )
    state = do(state, PlayCard("red", "sanctuarys_blessing"))
    words = [choice.words for choice in GAME.prompt(state, "red").choices]
    assert "Play Sanctuary's Blessing: the dice count 4 times" in words
    assert "Play Hellish Reckoning on Blue: Blue misses one turn more, 2 in all" in words
    once = put(begin(skips="once"), hands={"red": ["hellish_reckoning"]}, skips={"blue": 1})
    words = [choice.words for choice in GAME.prompt(once, "red").choices]
    assert "Play Hellish Reckoning on Blue: Blue misses a turn already, and no more than that" in words
    other = put(begin(), hands={"blue": ["hellish_reckoning"]})
    words = [choice.words for choice in GAME.prompt(other, "blue").choices]
    assert "Play Hellish Reckoning on Red: Red misses the next turn, after this one" in words


def test_the_answer_names_the_card() -> None:
    hands = {"red": ["hells_grasp"], "blue": ["soul_conviction"]}
    state = do(put(begin(), pawns={"blue": 18}, hands=hands), PlayCard("red", "hells_grasp", "blue"))
    prompt = GAME.prompt(state, "blue")
    assert prompt.yours
    assert prompt.words == "Red plays Hell's Grasp against you. You are to answer it or let it happen."
    assert [choice.words for choice in prompt.choices] == [
        "Let Hell's Grasp happen",
        "Play Soul Conviction: Hell's Grasp has no effect",
    ]
    assert prompt.choices[0].detail == "back 6, to space 12 (Draw)"
    assert not GAME.prompt(state, "red").yours
    assert "Blue is to answer" in GAME.prompt(state, "").words


def test_what_the_table_waits_for() -> None:
    state = GAME.setup(TRIO, house(), {})
    assert GAME.prompt(state, "").words.startswith("Shuffle all 30 prayer cards and deal 3 to each player")
    state = do(state, Shuffled(ALL_CARDS))
    assert GAME.prompt(state, "red").words == "You are to throw two dice (who goes first)."
    assert GAME.prompt(state, "").words == "Red is to throw two dice (who goes first)."
    assert reminded(state, "", "ties")
    state = put(begin(), hands={"red": ["cleansing_flame"], "blue": ["hells_grasp"]})
    assert GAME.prompt(state, "blue").words == "Red is to throw two dice (movement roll)."
    state = do(state, PlayCard("red", "cleansing_flame"), Rolled((1, 2, 3)))
    assert GAME.prompt(state, "red").words == "You are to keep two of the three dice 1, 2, 3."
    assert choices(state, "red")[Keep("red", (2, 3))].detail == "moves 5"
    assert (
        GAME.prompt(do(state, Keep("red", (2, 3))), "red").words == "You are to move 5 to space 5 (Torment)."
    )
    greed = landed(put(begin(), hands={"blue": ["hells_grasp"]}), "greed")
    assert GAME.prompt(greed, "red").words == "You are to steal a card from another player (Greed)."
    assert [choice.words for choice in GAME.prompt(greed, "red").choices] == ["Take a card from Blue"]
    lust = landed(put(begin(), hands={"red": ["hells_grasp"]}), "lust")
    assert GAME.prompt(lust, "blue").words == "Red is to give a card to another player (Lust)."
    assert choices(lust, "red")[Give("red", "blue", "hells_grasp")].words == "Give Hell's Grasp to Blue"
    assert choices(GAME.hide(lust), "red")[Give("red", "blue", UNKNOWN)].words == "Give a card to Blue"
    draw = landed(put(begin(), hands={}, deck=[]), "draw")
    assert GAME.prompt(draw, "red").words == (
        "The draw pile has run out: shuffle the discards into a new one. Red draws 1 more."
    )
    ends = landed(put(begin(), skips={"blue": 1}), "safe")
    assert GAME.prompt(ends, "red").words == "You are to end the turn."
    assert choices(ends, "red")[EndTurn("red")].detail == "Blue misses a turn, Green is next"
    assert choices(put(ends, skips={"blue": 0}), "red")[EndTurn("red")].detail == "Blue is next"
    won = do(put(begin(), pawns={"red": 60}), Rolled((3, 3)), Move("red"))
    assert GAME.prompt(won, "blue").words == "Red has escaped from Hell and wins."
    assert GAME.prompt(won, "blue").choices == ()


def test_asked_in_turn_one_may_play_nothing() -> None:
    state = put(begin(windows="clockwise"), speaker=0)
    prompt = GAME.prompt(state, "red")
    assert prompt.words == "You are to play a card or none."
    assert choices(state, "red")[Pass("red")].words == "Play no card"


def test_forced_exchange_is_between_two() -> None:
    hands = {"red": ["forced_exchange"], "blue": ["hells_grasp"]}
    state = do(put(begin(), hands=hands), PlayCard("red", "forced_exchange", "blue"), Accept("blue"))
    assert "Hell's Grasp" in choices(state, "red")[Take("red", "blue", "hells_grasp")].words
    assert "Hell's Grasp" not in str(GAME.prompt(state, "green"))
    assert GAME.prompt(state, "").words == "Red is to look at Blue's cards and take one (Forced Exchange)."
    assert reminded(state, "green", "Only these two players")


def test_what_tables_forget_stands_in_its_place() -> None:
    state = put(
        begin(), hands={"red": ["hells_grasp"], "blue": ["hells_grasp"]}, skips={"blue": 1, "green": 2}
    )
    assert reminded(state, "red", "must be played before the roll; as many as you like")
    assert reminded(state, "blue", "Cards against others may be played by everyone now")
    assert reminded(state, "red", "goes to the discard pile")
    assert reminded(state, "", "Blue misses the next turn")
    assert reminded(state, "", "Green misses the next 2 turns")
    assert not reminded(state, "red", "going past")
    assert reminded(put(state, pawns={"red": 51}), "red", "going past it wins")
    rolled = do(state, Rolled((1, 2)))
    assert reminded(rolled, "red", "after the movement roll alone")
    assert reminded(rolled, "blue", "before the pawn moves")
    assert reminded(landed(state, "greed"), "red", "face down")
    assert reminded(landed(state, "lust"), "red", "chooses which")
    assert reminded(landed(state, "torment"), "red", "before the die")
    assert reminded(landed(state, "blessing"), "red", "does nothing")
    assert reminded(landed(state, "safe"), "red", "no more cards for oneself")


def told(state: State, *actions: object) -> tuple[str, ...]:
    *before, last = actions
    return GAME.story(do(state, *before), last)  # type: ignore[arg-type]


def test_the_log_tells_the_sum() -> None:
    state = put(begin(), hands={"red": ["sanctuarys_blessing"]})
    assert told(state, PlayCard("red", "sanctuarys_blessing"), Rolled((4, 5))) == (
        "Red rolled 4 + 5 = 9, doubled 18 (Sanctuary's Blessing).",
    )
    cards = ["beacon_of_hope", "cleansing_flame", "on_the_wings_of_angels", "sanctuarys_blessing"]
    state = do(put(begin(), hands={"red": cards}), *(PlayCard("red", card) for card in cards))
    assert told(state, Rolled((4, 5, 1))) == ("Red rolled 4 + 5 + 1, and throws one die more.",)
    assert told(state, Rolled((4, 5, 1)), Rolled((3,))) == ("Red throws 3 for Beacon of Hope.",)
    assert told(state, Rolled((4, 5, 1)), Rolled((3,)), Keep("red", (4, 5)))[1] == (
        "Red rolled 4 + 5 (kept by Cleansing Flame) + 3 (Beacon of Hope) = 12, doubled 24 "
        "(Sanctuary's Blessing), plus 6 is 30 (On the Wings of Angels)."
    )


def test_the_log_tells_the_other_order_of_the_sum() -> None:
    cards = ["on_the_wings_of_angels", "sanctuarys_blessing"]
    state = put(begin(modifiers="add_then_double"), hands={"red": cards})
    assert told(state, *(PlayCard("red", card) for card in cards), Rolled((4, 5))) == (
        "Red rolled 4 + 5 = 9, plus 6 is 15 (On the Wings of Angels), doubled 30 (Sanctuary's Blessing).",
    )


LANDINGS = {
    "safe": "The space is safe: nothing happens and the turn ends.",
    "blessing": "Red lands on Blessing by the movement roll: throws one die and moves forward.",
    "torment": "Red lands on Torment by the movement roll: throws one die and moves back.",
    "draw": "Red lands on Draw by the movement roll and draws a prayer card.",
    "greed": "Red lands on Greed by the movement roll: steals a card unseen.",
    "lust": "Red lands on Lust by the movement roll: must give a card to another player.",
    "pride": "Red lands on Pride by the movement roll: swaps with Blue, to space 61 (Safe). "
    "Neither space does anything.",
    "wrath": "Red lands on Wrath by the movement roll: Blue, the next player, misses a turn.",
    "gluttony": "Red lands on Gluttony by the movement roll: discards 1 card and draws 1.",
    "sloth": "Red lands on Sloth by the movement roll: misses the next turn.",
    "envy": "Red lands on Envy by the movement roll: back to space 55 (Safe), the beginning of the layer. "
    "It does nothing.",
}


@pytest.mark.parametrize(("kind", "line"), LANDINGS.items())
def test_the_log_says_what_a_space_did_and_why(kind: str, line: str) -> None:
    state = put(begin(), pawns={"blue": 61}, hands={"red": ["hells_grasp"], "blue": ["second_chance"]})
    space = at(state, kind)
    state = do(put(state, pawns={"red": space - 7}), Rolled((3, 4)))
    assert GAME.story(state, Move("red")) == (f"Red moves 7 to space {space} ({kind.title()}).", line)


def test_the_log_says_when_a_space_could_do_nothing() -> None:
    state = put(begin(), hands={}, deck=[])
    lines: list[str] = []
    for kind in ("greed", "lust", "pride", "draw"):
        on_the_way = do(put(state, pawns={"red": at(state, kind) - 7}), Rolled((3, 4)))
        lines += GAME.story(on_the_way, Move("red"))[1:]
    assert lines == [
        "Red lands on Greed by the movement roll: nobody has a card to steal.",
        "Red lands on Lust by the movement roll: there is no card to give.",
        "Red lands on Pride by the movement roll: nobody is ahead, and nothing happens.",
        "Red lands on Draw by the movement roll.",
        "The draw pile has run out: the discards are shuffled before the draw goes on.",
    ]


def test_the_log_of_landings_throws_and_turns() -> None:
    state = put(begin(), pawns={"blue": 30}, hands={"red": ["unholy_bargain"]})
    torment = landed(state, "torment")
    assert told(torment, PlayCard("red", "unholy_bargain", "blue"), Rolled((4,))) == (
        "Blue throws 4 for the Torment: Blue goes back to space 26 (Safe).",
    )
    blessing = landed(state, "blessing")
    assert told(blessing, Rolled((2,))) == (
        "Red throws 2 for the Blessing and goes forward to space 11 (Torment), "
        "which does nothing now: it was not the movement roll.",
    )
    assert told(landed(put(state, skips={"blue": 1}), "safe"), EndTurn("red")) == (
        "Red's turn ends.",
        "Blue misses this turn.",
        "It is Green's turn.",
    )
    state = put(begin(), pawns={"red": 60})
    assert told(state, Rolled((1, 2)), Move("red")) == (
        "Red moves 3 to Escape.",
        "Red has escaped from Hell and wins.",
    )
    state = put(begin(escape="movement_roll_only"), pawns={"red": 51})
    for die in (5, 6):
        assert told(state, Rolled((3, 4)), Move("red"), Rolled((die,))) == (
            f"Red throws {die} for the Blessing and goes forward to space 62 (Torment), "
            "since only a movement roll reaches Escape. The space does nothing now.",
        )
    assert told(state, Rolled((3, 4)), Move("red"), Rolled((4,))) == (
        "Red throws 4 for the Blessing and goes forward to space 62 (Torment). The space does nothing now.",
    )


def test_the_log_of_the_first_throws_and_the_shuffles() -> None:
    state = GAME.setup(TRIO, house(), {})
    assert told(state, Shuffled(ALL_CARDS)) == (
        "The prayer cards are shuffled and each player is dealt 3, one at a time.",
    )
    state = do(state, Shuffled(ALL_CARDS), Rolled((3, 4)), Rolled((5, 2)))
    assert told(state, Rolled((1, 1))) == (
        "Green throws 1 + 1 = 2 for the first turn.",
        "Red and Blue tie for the highest throw and throw again.",
    )
    assert told(state, Rolled((6, 6))) == (
        "Green throws 6 + 6 = 12 for the first turn.",
        "Green has the highest throw and goes first.",
    )
    draw = landed(put(begin(), hands={}, deck=[]), "draw")
    assert told(draw, Shuffled((UNKNOWN,) * 30)) == (
        "30 discards are shuffled into a new draw pile; Red draws 1.",
    )


def test_the_log_of_cards_against_somebody() -> None:
    hands = {"red": ["hells_grasp"], "blue": ["soul_conviction"]}
    state = put(begin(), pawns={"blue": 18}, hands=hands)
    grasp = PlayCard("red", "hells_grasp", "blue")
    assert told(state, grasp) == (
        "Red plays Hell's Grasp on Blue: back 6, to space 12 (Draw).",
        "Blue may answer with Soul Conviction.",
    )
    assert told(state, grasp, Accept("blue")) == (
        "Blue lets it happen.",
        "Hell's Grasp: back 6, to space 12 (Draw).",
    )
    assert told(state, grasp, PlayCard("blue", "soul_conviction")) == (
        "Blue answers with Soul Conviction: Hell's Grasp has no effect.",
    )


def test_the_log_names_no_card_that_changed_hands() -> None:
    greed = landed(put(begin(), hands={"blue": ["hells_grasp"]}), "greed")
    assert told(greed, Take("red", "blue", "hells_grasp")) == ("Red takes a card from Blue.",)
    lust = landed(put(begin(), hands={"red": ["hells_grasp"]}), "lust")
    assert told(lust, Give("red", "blue", "hells_grasp")) == ("Red gives a card to Blue.",)


def test_standings_say_how_far_and_how_many_cards() -> None:
    state = put(begin(), pawns={"red": 12, "blue": 12}, hands={"red": ["hells_grasp"]}, skips={"green": 1})
    standings = GAME.scores(state)
    assert [(standing.seat, standing.place) for standing in standings] == [
        ("red", 1),
        ("blue", 1),
        ("green", 3),
    ]
    assert standings[0].facts == ("space 12 of 63, layer 2", "1 card")
    assert standings[2].facts == ("on Start", "0 cards", "misses a turn")


def rolled_to(kind: str, state: State) -> State:
    return do(put(state, pawns={"red": at(state, kind) - 7}), Rolled((3, 4)))


def test_a_ruling_is_named_when_it_decides_something() -> None:
    both = ["on_the_wings_of_angels", "sanctuarys_blessing"]
    doubled = do(put(begin(), hands={"red": both}), *(PlayCard("red", card) for card in both), Rolled((1, 2)))
    assert "PP-A08" in GAME.decided(doubled, Move("red"))
    plain = rolled_to("safe", put(begin(), hands={}))
    assert GAME.decided(plain, Move("red")) == ()
    assert GAME.decided(rolled_to("pride", put(begin(), pawns={"blue": 50, "green": 60})), Move("red")) == (
        "PP-A02",
        "PP-A03",
        "PP-A04",
        "PP-A16",
    )
    assert "PP-A04" not in GAME.decided(rolled_to("pride", put(begin(), pawns={"blue": 50})), Move("red"))
    assert "PP-A04" in GAME.decided(
        rolled_to("pride", put(begin(), pawns={"blue": 50, "green": 50})), Move("red")
    )
    assert GAME.decided(rolled_to("wrath", begin()), Move("red")) == ("PP-A02", "PP-A16")
    assert "PP-A06" in GAME.decided(rolled_to("sloth", put(begin(), skips={"red": 1})), Move("red"))
    ties = do(GAME.setup(TRIO, house(), {}), Shuffled(ALL_CARDS), Rolled((1, 2)), Rolled((1, 2)))
    assert GAME.decided(ties, Rolled((1, 1))) == ("PP-A21",)
    assert GAME.decided(ties, Rolled((6, 6))) == ()


def test_rulings_on_cards_and_landings_are_named() -> None:
    hands = {"red": ["second_chance", "beacon_of_hope"], "blue": ["omen_of_suffering", "hells_grasp"]}
    state = put(begin(), hands=hands)
    assert GAME.decided(state, PlayCard("blue", "hells_grasp", "red")) == ("PP-A15",)
    state = do(state, PlayCard("red", "beacon_of_hope"), Rolled((1, 2)), Rolled((3,)))
    assert GAME.decided(state, PlayCard("red", "second_chance")) == ("PP-A07", "PP-A09")
    asked = do(state, PlayCard("blue", "omen_of_suffering", "red"))
    assert GAME.decided(asked, Accept("red")) == ("PP-A09",)
    blessing = do(put(begin(), pawns={"red": 51}), Rolled((3, 4)), Move("red"))
    assert GAME.decided(blessing, Rolled((6,))) == ("PP-A12",)
    assert GAME.decided(blessing, Rolled((1,))) == ()
    torment = landed(put(begin(), pawns={"blue": 2}, hands={"red": ["unholy_bargain"]}), "torment")
    struck = do(torment, PlayCard("red", "unholy_bargain", "blue"))
    assert GAME.decided(struck, Rolled((3,))) == ("PP-A11", "PP-A23")
    start = put(
        begin(), pawns={"red": 9}, hands={"red": ["infernal_exchange", "hellish_reckoning", "hells_grasp"]}
    )
    assert GAME.decided(start, PlayCard("red", "infernal_exchange", "blue")) == ("PP-A20",)
    assert GAME.decided(start, PlayCard("red", "hells_grasp", "blue")) == ("PP-A11",)
    reckoned = put(begin(), hands={"blue": ["hellish_reckoning"]}, skips={"blue": 1})
    assert GAME.decided(reckoned, PlayCard("blue", "hellish_reckoning", "red")) == (
        "PP-A15",
        "PP-A17",
        "PP-A22",
    )
    holy = put(begin(second_holy_determination="add"), hands={"red": ["holy_determination"] * 2})
    once = do(landed(holy, "blessing"), PlayCard("red", "holy_determination"))
    assert GAME.decided(once, PlayCard("red", "holy_determination")) == ("PP-A24",)
    short = put(begin(shortcut_in_layer_7="to_escape"), pawns={"red": 60}, hands={"red": ["angels_shortcut"]})
    assert GAME.decided(short, PlayCard("red", "angels_shortcut")) == ("PP-A12", "PP-A13")


def test_rulings_on_cards_that_change_hands_are_named() -> None:
    greed = landed(put(begin(), hands={"blue": ["hells_grasp"]}), "greed")
    assert GAME.decided(greed, Take("red", "blue", "hells_grasp")) == ("PP-A05", "PP-A16")
    hands = {"red": ["forced_exchange"], "blue": ["soul_conviction"]}
    asked = do(put(begin(), hands=hands), PlayCard("red", "forced_exchange", "blue"))
    assert GAME.decided(asked, PlayCard("blue", "soul_conviction")) == ("PP-A14",)
    look = do(asked, Accept("blue"))
    assert GAME.decided(look, Take("red", "blue", "soul_conviction")) == ("PP-A19",)
    in_order = put(begin(windows="clockwise"), speaker=0)
    assert GAME.decided(in_order, Pass("red")) == ("PP-A15",)
    state = begin()
    wings = put(state, pawns={"red": at(state, "draw") - 13}, hands={"red": ["on_the_wings_of_angels"]})
    wings = do(wings, PlayCard("red", "on_the_wings_of_angels"), Rolled((3, 4)))
    assert GAME.decided(wings, Move("red")) == ("PP-A10", "PP-A16")
    eaten = put(begin(), pawns={"red": at(state, "gluttony") - 7}, hands={"red": ["hells_grasp"]}, deck=[])
    assert "PP-A18" in GAME.decided(do(eaten, Rolled((3, 4))), Move("red"))


def test_who_may_play_cards_is_told_as_the_table_plays_it() -> None:
    assert reminded(begin(), "red", "played by everyone now")
    state = begin(windows="clockwise")
    assert reminded(state, "red", "asked for one in turn")
    assert not reminded(state, "red", "played by everyone now")
    for seat in state.seats:
        state = do(state, Pass(seat))
    assert GAME.prompt(state, "red").reminders == (
        "Everyone was asked: no more cards are played before this goes on.",
    )
