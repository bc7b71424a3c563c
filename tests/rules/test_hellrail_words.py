"""What people read: prompts, choices and reminders, standings."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.game import Choice, Rolled, Shuffled
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
    Pickup,
    PlaceCircle,
    Rammed,
    Setout,
    SpendChip,
    Target,
    UpgradeRail,
)
from companion.games.hellrail.state import BARRIER, CHIP, COIN, OPPONENTS, TICKET, Rail, State, Step
from companion.games.hellrail.track import Position
from tests.rules.hellrail_positions import (
    NAMES,
    TRIO,
    Rails,
    circle,
    do,
    entered,
    line,
    pack,
    position,
    tie,
)


def choices(state: State, seat: str = "red", card: str = "") -> dict[Any, Choice]:
    return {choice.action: choice for choice in GAME.prompt(state, seat, card).choices}


def words(state: State) -> tuple[str, str, str]:
    """What Red, Blue and the table's own page are told."""
    return (
        GAME.prompt(state, "red").words,
        GAME.prompt(state, "blue").words,
        GAME.prompt(state, "").words,
    )


def reminded(state: State, of: str, seat: str = "red", card: str = "") -> bool:
    return any(of in line for line in GAME.prompt(state, seat, card).reminders)


def told(state: State, *actions: Any) -> tuple[str, ...]:
    """The log's lines for the last of these actions."""
    *before, last = actions
    state = do(state, *before)
    assert GAME.refusal(state, last) is None
    return GAME.story(state, last)


ON_LINE = position(
    rails=line(),
    engines={"red": tie(2), "blue": tie(5)},
    hands={"red": ["v3b2", "v9b5", "straight4", "from3to5"]},
    loaded={"red": ["spare1", "spare2"]},
)


# What is waited for


def test_what_the_table_waits_for_before_the_first_turn() -> None:
    state = GAME.setup(TRIO, pack(), {})
    assert words(state) == ("Shuffle all 45 Rail Cards and deal 3 to each player.",) * 3
    assert reminded(state, "Hands are secret")
    state = do(state, Shuffled(NAMES))
    assert words(state) == (
        "You are to throw the die: who goes first?",
        "Red is to throw the die: who goes first?",
        "Red is to throw the die: who goes first?",
    )
    assert GAME.prompt(state, "red").yours
    assert not GAME.prompt(state, "blue").yours
    assert reminded(state, "who ties for it rolls again")


def test_what_the_table_waits_for_while_circles_are_laid() -> None:
    state = GAME.setup(TRIO, pack(), {"circles": "devils_advocate"})
    assert words(state) == ("Shuffle the Circles and deal them all out.",) * 3
    state = do(state, Shuffled(("G", *"123456789")))
    assert words(state) == ("You are to lay a Circle.", "Red is to lay a Circle.", "Red is to lay a Circle.")
    assert reminded(state, "diagonal")
    assert choices(state)[PlaceCircle("red", "G", (0, 0))].words == "Lay the Gate on A1"
    assert choices(state)[PlaceCircle("red", "3", (10, 7))].words == "Lay Circle 3 on K8"
    own = GAME.setup(TRIO, pack(), {"circles": "own"})
    assert words(own)[1] == "Lay the ten Circles as you like, and say or show where each one lies."
    assert not reminded(own, "diagonal")


def test_a_turn_is_told_to_who_has_it_and_to_the_others() -> None:
    yours, others, everybody = words(ON_LINE)
    assert yours == "Play as many cards as you like, then end the turn."
    assert others == everybody == "It is Red's turn."
    assert reminded(ON_LINE, "Red has drawn a card for this turn: 4 cards in hand.")
    assert reminded(ON_LINE, "faces right and cannot turn back; white ties do not count")
    assert reminded(ON_LINE, "Car Value is how far; Brimstone is how many cars.")
    there = position(engines={"red": "3"}, loaded={"red": ["from4to3", "from5to4"]})
    assert reminded(there, "To be set out here, free of charge: from4to3.")
    assert reminded(there, "may leave in any direction that has rail")
    assert choices(there)[Setout("red", "from4to3")].words == "Set out from4to3"
    assert choices(there)[Setout("red", "from4to3")].detail == "6 points; it costs no card"
    assert choices(there)[EndTurn("red")].detail == "Blue is next, and draws a card"
    assert choices(there)[EndTurn("red")].main


@pytest.mark.parametrize(
    ("deck", "discard", "status"),
    [
        (9, 0, "Draw Pile 9, Discard Pile 0: 9 cards until the end of the line."),
        (4, 4, "Draw Pile 4, Discard Pile 4: the end of the line is near."),
        (0, 0, "Draw Pile 0, Discard Pile 0: the next card that is needed ends the game!"),
    ],
)
def test_how_much_is_left_is_always_told(deck: int, discard: int, status: str) -> None:
    state = position(deck=NAMES[:deck], discard=NAMES[deck : deck + discard])
    assert all(GAME.prompt(state, seat).status == status for seat in (*TRIO, ""))


def test_humping_is_told_with_who_draws() -> None:
    state = do(position(deck=[], discard=["spare1"]), EndTurn("red"))
    assert words(state)[:2] == (
        "Hump the Draw Pile: shuffle the Discard Pile (1 card) and turn it face down. "
        "Blue then draws 1 more card.",
        "Hump the Draw Pile: shuffle the Discard Pile (1 card) and turn it face down. "
        "You then draw 1 more card.",
    )
    assert reminded(state, "only now that a card is needed")
    state = do(position(hands={"red": ["v4b4"]}, deck=["spare1"], discard=["spare2"]), Fan("red", "v4b4"))
    assert words(state)[1].endswith("(2 cards) and turn it face down. Red then draws 3 more cards.")


def test_deciding_on_an_effect_is_told_with_the_circles_words() -> None:
    state = entered("5", chips=["blue"])
    assert words(state) == (
        "You are in Circle 5: say whether you use its Effect.",
        "Red is in Circle 5, to decide on its Effect.",
        "Red is in Circle 5, to decide on its Effect.",
    )
    for seat in (*TRIO, ""):
        assert reminded(state, "Circle 5: As it says.", seat)
    assert reminded(state, "before any other card action. Entering has ended the Move.")
    assert choices(state)[Declare("red", use=True)].words == "Use the Effect"
    assert choices(state)[Declare("red", use=True)].detail == "As it says."
    assert choices(state)[Declare("red", use=False)].words == "Leave it"
    gate = entered("G")
    assert words(gate)[0] == "You are at the Gate: say whether you use its Effect."


@pytest.mark.parametrize(
    ("use", "verb", "does"), [(True, "uses", "prevent"), (False, "does not use", "force")]
)
def test_a_chip_is_asked_for_with_what_it_would_do(use: bool, verb: str, does: str) -> None:
    state = do(entered("5", chips=["blue"]), Declare("red", use=use))
    assert words(state)[1] == (
        f"Red {verb} the Effect of Circle 5. You are to say whether a Heresy Chip is spent to {does} it."
    )
    assert "Blue is to say" in words(state)[0]
    assert choices(state, "blue")[SpendChip("blue")].detail == f"{does}s it"
    assert choices(state, "blue")[KeepChip("blue")].main
    assert reminded(state, "no chip against a chip")


RAIL: Rails = {(6, 5): Rail((6, 5), "curve2", 0, counters=(COIN,))}

STEPS: list[tuple[Step, str, str]] = [
    (Step("draw", optional=True), "draw 1 card, or to leave that out.", "Draw 1 card"),
    (Step("derail", who="opponent"), "choose who derails.", "Blue"),
    (Step("derail", who="opponent", optional=True), "choose who derails, or nobody.", "Blue"),
    (Step("draw", who="anyone", count=2), "choose who draws 2 cards.", "Red"),
    (Step("gain", who="opponent", what=CHIP), "choose who takes a Heresy Chip.", "Blue"),
    (Step("gain", what=TICKET, optional=True), "take a Boatman Ticket, or to leave that out.", "Take a Boat"),
    (Step("derail", who=OPPONENTS, optional=True), "say whether all opponents derail.", "All opponents"),
    (Step("draw", who=OPPONENTS, optional=True), "all opponents draw 1 card each.", "All opponents"),
    (Step("move_engine", who="anyone"), "choose whose engine is moved.", "Red"),
    (Step("move_engine"), "choose the Circle for your engine.", "Set Red at the Gate"),
    (Step("discard", count=2), "discard 2 cards from the hand.", "Discard spare1"),
    (Step("turn_rail"), "choose an empty Rail Card and turn it.", "Turn the card on B1 to 0°"),
    (
        Step("scrap_rail", optional=True),
        "choose an empty Rail Card to be discarded, or to",
        "Discard the card on",
    ),
    (Step("put_counter", what=BARRIER), "choose a Rail Card to put a barrier on.", "Put a barrier on B1"),
    (Step("take_counter"), "choose a counter to take away.", "Take the coin off G6"),
    (Step("take_counter", what=COIN), "choose a coin to take away.", "Take the coin off G6"),
    (Step("table", words="All dance."), "do this, and to tell what came of it: All dance.", "Red derails"),
]


@pytest.mark.parametrize(("step", "to_do", "first"), STEPS)
def test_each_step_of_an_effect_is_told_in_a_sentence(step: Step, to_do: str, first: str) -> None:
    state = entered("3", made=pack({"3": (step,)}), rails=RAIL, hands={"red": ["v1b1", "spare1"]})
    state = do(state, Declare("red", use=True))
    yours, others, _ = words(state)
    assert yours.startswith("By the Effect of Circle 3 you are to ")
    assert to_do in yours
    assert others.startswith("By the Effect of Circle 3 Red is to ")
    prompt = GAME.prompt(state, "red", *(["spare1"] if step.do == "discard" else []))
    assert prompt.choices[0].words.startswith(first)
    left = [choice.words for choice in prompt.choices if choice.action == Done("red")]
    assert left == (["Leave that out"] if step.optional else ["That is all"] if step.do == "table" else [])


def test_another_ones_step_is_told_to_that_player() -> None:
    made = pack({"3": (Step("discard", who="opponents"), Step("move_engine", who="opponent"))})
    state = entered("3", made=made, hands={"red": ["v1b1"], "blue": ["spare1"]})
    state = do(state, Declare("red", use=True))
    assert words(state)[0] == "By the Effect of Circle 3 Blue is to discard 1 card from the hand."
    assert words(state)[1] == "By the Effect of Circle 3 you are to discard 1 card from the hand."
    state = do(state, DiscardCard("blue", "spare1"), Target("red", "green"))
    assert words(state)[1] == "By the Effect of Circle 3 Red is to choose the Circle for Green's engine."


def ferry() -> State:
    return position(
        rails={**line(1), (4, 0): ("shared1", 270)},
        engines={"red": tie(3), "blue": Position((4, 0), "EW", 4, "E")},
        hands={"red": ["v3b2"]},
        tickets=["red"],
    )


OVER = Cross("red", "v3b2", tie(4), "E", Position((4, 0), "EW", 4, "E"))


def test_a_crossing_is_told_with_what_the_die_must_show() -> None:
    choice = choices(ferry(), card="v3b2")[OVER]
    assert choice.words == (
        "Cross 2 blank squares from tie 1 of E-W on B1 to tie 4 of E-W on E1, facing right"
    )
    assert choice.detail == "3 or more on the die crosses, else the engine derails"
    state = do(ferry(), OVER)
    assert words(state)[:2] == (
        "You are to throw the die: more than 2 crosses the 2 blank squares.",
        "Red is to throw the die: more than 2 crosses the 2 blank squares.",
    )
    assert reminded(state, "The ticket goes back whatever the die shows")
    state = do(state, Rolled((3,)))
    assert words(state)[0] == "You are to say where the engine on the landing tie is pushed."
    assert [choice.words for choice in GAME.prompt(state, "red").choices] == [
        "Land; rams Blue to tie 3 of E-W on E1, facing right",
        "Land; rams Blue to tie 2 of S-W on E1, facing down",
    ]
    one = position(
        rails={**line(1), (3, 0): ("straight3", 90)},
        engines={"red": tie(4)},
        hands={"red": ["v1b1"]},
        tickets=["red"],
    )
    cross = next(action for action in GAME.legal(one, "red") if isinstance(action, Cross))
    assert words(do(one, cross))[0] == "You are to throw the die: more than 1 crosses the 1 blank square."


# Cards and what they may do


def test_a_card_keeps_movement_and_brimstone_apart() -> None:
    slow, fast = GAME.prompt(ON_LINE, "red", "v3b2"), GAME.prompt(ON_LINE, "red", "v9b5")
    assert slow.reminders == (
        "Value 3 = up to 3 ties; Brimstone 2 >= 2 cars: ok.",
        "Picked up at Circle 1, set out at Circle 2.",
    )
    assert fast.reminders[0] == "Value 9 = up to 9 ties; Brimstone 5 >= 2 cars: ok."
    one = position(
        rails=line(), engines={"red": tie(2)}, hands={"red": ["v1b1"]}, loaded={"red": ["spare1", "spare2"]}
    )
    assert GAME.prompt(one, "red", "v1b1").reminders[0] == (
        "Value 1 = up to 1 tie; Brimstone 1 < 2 cars: no Move with it."
    )
    assert not any(isinstance(action, Move) for action in choices(one, card="v1b1"))


def test_what_a_card_may_do_is_said_for_each_way() -> None:
    found = choices(ON_LINE, card="v3b2")
    there = found[Move("red", "v3b2", tie(5), (Rammed("blue", tie(6)),))]
    assert there.words == "Move to tie 4 of E-W on C1"
    assert there.detail == "3 ties, facing right; rams Blue to tie 3 of E-W on C1, facing right"
    assert found[Move("red", "v3b2", tie(3))].detail == "1 tie, facing right"
    assert found[Move("red", "v3b2", tie(2))].words == "Move no tie at all"
    assert found[Fan("red", "v3b2")].detail == "draws 2, and the turn ends"
    assert found[LayRail("red", "v3b2", (4, 0), 90)].words == "Lay v3b2 on E1, turned 90°"
    straight = choices(ON_LINE, card="straight4")
    over = straight[UpgradeRail("red", "straight4", (3, 0), 270)]
    assert (over.words, over.detail) == ("Lay straight4 over straight3 on D1, turned 270°", "upgrade")
    at_three = position(engines={"red": "3"}, hands={"red": ["from3to5"]})
    pickup = choices(at_three, card="from3to5")[Pickup("red", "from3to5")]
    assert pickup.detail == "7 points at Circle 5; it cannot be laid or moved with then"


def test_derailing_on_purpose_says_what_it_costs() -> None:
    def warning(**fields: Any) -> str:
        state = position(rails=line(1), engines={"red": tie(4)}, **fields)
        return choices(state, card="v5b5")[Move("red", "v5b5", None)].warning

    assert warning(hands={"red": ["v5b5"]}) == "Derailing ends the turn. Derail on purpose?"
    assert warning(hands={"red": ["v5b5", "spare1"]}, loaded={"red": ["spare2", "spare3"]}) == (
        "Derailing costs 1 more card and 2 loaded cars and ends the turn. Derail on purpose?"
    )


def test_a_move_into_a_circle_says_so() -> None:
    state = position(rails={(4, 3): ("curve1", 180)}, hands={"red": ["v4b1"]})
    choice = choices(state, card="v4b1")[Move("red", "v4b1", circle(state, "1"))]
    assert (choice.words, choice.detail) == ("Move to Circle 1", "4 ties; enters the Circle")


# The end, and what nobody is told


def test_the_end_is_told() -> None:
    state = do(position(delivered={"red": ["v4b1"], "blue": ["v4b4"]}, deck=[], discard=[]), EndTurn("red"))
    assert (
        words(state)
        == ("The line has come to its end: no card is left to draw. Red and Blue win together.",) * 3
    )
    assert (GAME.prompt(state, "red").choices, GAME.prompt(state, "red").status) == ((), "")
    assert GAME.scores(state)[0].facts == ("4 points delivered", "0 points loaded", "0 cards")
    held = position(chips=["red"], tickets=["red"], hands={"red": ["spare1"]}, loaded={"red": ["v1b1"]})
    assert GAME.scores(held)[0].facts[1:] == ("1 point loaded", "1 card", "Heresy Chip", "Boatman Ticket")


def test_no_hand_is_named_to_others() -> None:
    state = position(
        rails=line(1),
        engines={"red": tie(4)},
        hands={"red": ["v1b1", "spare7"], "blue": ["spare6"]},
    )
    assert "spare7" in str(GAME.prompt(state, "red"))
    for seat in ("blue", "green", ""):
        assert "spare7" not in str(GAME.prompt(state, seat).choices)
    assert "spare7" not in str(told(state, Move("red", "v1b1", None)))


def test_squares_beyond_the_sheet_have_names_too() -> None:
    state = position(
        rails={(-1, 0): "curve1", (-2, -1): "curve2", (26, 9): "curve3"}, hands={"red": ["v9b5"]}
    )
    names = {choice.words for choice in choices(state, card="v9b5").values()}
    assert {"Lay v9b5 on -A2, unturned", "Lay v9b5 on AA11, unturned"} <= names
    assert any(words.startswith("Lay v9b5 over curve3 on AA10") for words in names)
