"""The log: what was done, what it cost and what came of it, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.game import Rolled, Shuffled
from companion.games.hellrail import GAME
from companion.games.hellrail.actions import (
    Cross,
    Declare,
    Derail,
    DiscardCard,
    Done,
    DrawCard,
    EndTurn,
    Fan,
    Gain,
    KeepChip,
    Land,
    LayRail,
    Move,
    MoveEngine,
    Pickup,
    PlaceCircle,
    PutCounter,
    Rammed,
    ScrapRail,
    Setout,
    SpendChip,
    TakeCounter,
    Target,
    TurnRail,
    UpgradeRail,
)
from companion.games.hellrail.state import CHIP, COIN, OPPONENTS, TICKET, Rail, State, Step
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


def ferry() -> State:
    return position(
        rails={**line(1), (4, 0): ("shared1", 270)},
        engines={"red": tie(3), "blue": Position((4, 0), "EW", 4, "E")},
        hands={"red": ["v3b2"]},
        tickets=["red"],
    )


OVER = Cross("red", "v3b2", tie(4), "E", Position((4, 0), "EW", 4, "E"))


RAIL: Rails = {(6, 5): Rail((6, 5), "curve2", 0, counters=(COIN,))}


def test_the_log_tells_the_set_up() -> None:
    state = GAME.setup(TRIO, pack(), {})
    assert told(state, Shuffled(NAMES)) == ("The Rail Cards are shuffled, and 3 are dealt to each player.",)
    state = do(state, Shuffled(NAMES))
    assert told(state, Rolled((4,))) == ("Red rolls 4 for the first turn.",)
    assert told(state, Rolled((4,)), Rolled((4,)), Rolled((1,)))[1:] == (
        "Red and Blue tie for the highest roll and roll again.",
    )
    for dice, first in (((6, 1, 1), "Red"), ((1, 1, 6), "Green")):
        assert told(state, *(Rolled((die,)) for die in dice))[1:] == (
            f"{first} has the highest roll and goes first.",
            f"It is {first}'s turn: a card is drawn.",
        )
    dealt = GAME.setup(TRIO, pack(), {"circles": "devils_advocate"})
    assert told(dealt, Shuffled(("G", *"123456789"))) == ("The Circles are shuffled and dealt out.",)
    laid = told(dealt, Shuffled(("G", *"123456789")), PlaceCircle("red", "G", (2, 3)))
    assert laid == ("Red lays the Gate on C4.",)


def test_the_log_tells_card_actions() -> None:
    assert told(ON_LINE, LayRail("red", "v3b2", (4, 0), 0)) == ("Red lays v3b2 on E1.",)
    over = UpgradeRail("red", "straight4", (3, 0), 90)
    assert told(ON_LINE, over) == ("Red lays straight4 over straight3 on D1.",)
    assert told(ON_LINE, Move("red", "v3b2", tie(2))) == (
        "Red plays v3b2 (up to 3) and moves no tie; the turn goes on.",
    )
    assert told(ON_LINE, Move("red", "v3b2", tie(5), (Rammed("blue", tie(6)),))) == (
        "Red plays v3b2 (up to 3) and goes to tie 4 of E-W on C1.",
        "Blue is rammed to tie 3 of E-W on C1.",
    )
    assert told(ON_LINE, EndTurn("red")) == ("Red's turn ends.", "It is Blue's turn: a card is drawn.")
    assert told(ON_LINE, Fan("red", "v3b2"))[0] == (
        "Red fans the flames with v3b2: 2 cards to draw, and the turn ends."
    )
    there = position(engines={"red": "3"}, hands={"red": ["from3to5"]}, loaded={"red": ["from4to3"]})
    assert told(there, Pickup("red", "from3to5")) == ("Red picks up from3to5: 2 loaded cars.",)
    assert told(there, Setout("red", "from4to3")) == ("Red sets out from4to3 for 6 points.",)


def test_the_log_tells_what_a_derail_costs() -> None:
    state = position(
        rails=line(1),
        engines={"red": tie(3), "blue": tie(4)},
        hands={"red": ["v2b5", "spare1"], "blue": ["spare2", "spare3"]},
        loaded={"red": ["from3to5"]},
    )
    assert told(state, Move("red", "v2b5", None, (Rammed("blue"),))) == (
        "Red plays v2b5 (up to 2) and goes off the end of the rail.",
        "Blue is rammed off the end of the rail.",
        "Blue derails, discards the hand (2 cards), and goes to the Gate.",
        "Red derails, discards the hand (1 card), then 1 loaded car, and goes to the Gate.",
        "It is Blue's turn: a card is drawn.",
    )
    bare = position(rails=line(1), engines={"red": tie(4)}, hands={"red": ["v1b1"]})
    assert told(bare, Move("red", "v1b1", None))[1] == (
        "Red derails, has nothing to discard, and goes to the Gate."
    )


def test_the_log_tells_a_crossing() -> None:
    assert told(ferry(), OVER) == (
        "Red plays v3b2 (up to 3) and a Boatman Ticket, to cross 2 blank squares from tie 1 of E-W on B1 "
        "to tie 4 of E-W on E1.",
    )
    assert told(ferry(), OVER, Rolled((2,))) == (
        "Red rolls 2, not more than 2.",
        "Red derails, has nothing to discard, and goes to the Gate.",
        "It is Blue's turn: a card is drawn.",
    )
    assert told(ferry(), OVER, Rolled((3,))) == ("Red rolls 3, more than 2, and is across.",)
    down = (Rammed("blue", Position((4, 0), "SW", 2, "S")),)
    assert told(ferry(), OVER, Rolled((3,)), Land("red", down)) == (
        "Red lands.",
        "Blue is rammed to tie 2 of S-W on E1.",
    )
    there = position(
        rails=line(1),
        circles={"6": (2, 0), "5": (4, 0)},
        engines={"red": "6"},
        hands={"red": ["v1b1"]},
        tickets=["red"],
    )
    cross = Cross("red", "v1b1", circle(there, "6"), "E", circle(there, "5"))
    assert told(there, cross) == (
        "Red plays v1b1 (up to 1) and a Boatman Ticket, to cross 1 blank square from Circle 6 to Circle 5.",
    )
    assert told(there, cross, Rolled((2,)))[1] == "Red is in Circle 5 and decides on its Effect."


def test_the_log_tells_the_piles() -> None:
    state = position(deck=[], discard=["spare1", "spare2"])
    assert told(state, EndTurn("red")) == (
        "Red's turn ends.",
        "It is Blue's turn.",
        "The Draw Pile has run out: it is humped from the Discard Pile.",
    )
    assert told(state, EndTurn("red"), Shuffled(("spare2", "spare1"))) == (
        "The Draw Pile is humped: the Discard Pile (2 cards) is shuffled and turned face down.",
        "Blue draws 1 card.",
    )
    fan = position(hands={"red": ["v4b4"]}, deck=["spare1"], discard=["spare2", "spare3", "spare4"])
    assert told(fan, Fan("red", "v4b4"), Shuffled(("spare2", "v4b4", "spare3", "spare4"))) == (
        "The Draw Pile is humped: the Discard Pile (4 cards) is shuffled and turned face down.",
        "Red draws 3 cards.",
        "It is Blue's turn: a card is drawn.",
    )
    last = told(position(delivered={"blue": ["v4b1"]}, deck=[], discard=[]), EndTurn("red"))
    assert last == (
        "Red's turn ends.",
        "A card is needed and both piles are empty: the end of the line. Blue wins.",
    )


def test_the_log_tells_the_decision_on_an_effect_and_what_it_does_once_it_stands() -> None:
    move = Move("red", "v1b1", Position((2, 0)))
    state = position(
        rails=line(1), circles={"6": (2, 0)}, engines={"red": tie(4)}, hands={"red": ["v1b1"]}, chips=["blue"]
    )
    assert told(state, move) == (
        "Red plays v1b1 (up to 1) and goes into Circle 6.",
        "Red is in Circle 6 and decides on its Effect.",
    )
    state = do(state, move)
    use, leave = Declare("red", use=True), Declare("red", use=False)
    assert told(state, use) == ("Red uses the Effect of Circle 6.",)
    assert told(state, use, KeepChip("blue")) == (
        "Blue keeps the Heresy Chip.",
        "As it says.",
        "Red takes a Heresy Chip.",
    )
    assert told(state, use, SpendChip("blue")) == ("Blue spends a Heresy Chip: the Effect is prevented.",)
    assert told(state, leave) == ("Red does not use the Effect of Circle 6.",)
    assert told(state, leave, KeepChip("blue")) == ("Blue keeps the Heresy Chip.",)
    assert told(state, leave, SpendChip("blue")) == (
        "Blue spends a Heresy Chip: the Effect is forced.",
        "As it says.",
        "Red takes a Heresy Chip.",
    )


def using(*steps: Step, **fields: Any) -> State:
    return do(entered("3", made=pack({"3": steps}), **fields), Declare("red", use=True))


HELD = {"hands": {"red": ["v1b1"], "blue": ["spare1", "spare2"]}, "loaded": {"blue": ["from3to5"]}}

LOGS: list[tuple[Callable[[], State], Any, tuple[str, ...]]] = [
    (
        lambda: using(Step("draw", optional=True)),
        Target("red", "red"),
        ("Red chooses to draw 1 card.", "Red draws 1 card."),
    ),
    (
        lambda: using(Step("derail", who="opponent"), Step("draw", who="opponents"), **HELD),
        Target("red", "blue"),
        (
            "Red chooses Blue, who derails.",
            "Blue derails, discards the hand (2 cards), then 1 loaded car, and goes to the Gate.",
            "Blue draws 1 card.",
            "Green draws 1 card.",
        ),
    ),
    (
        lambda: using(Step("derail", who=OPPONENTS, optional=True), **HELD),
        Target("red", OPPONENTS),
        (
            "Red chooses that all opponents derail.",
            "Blue derails, discards the hand (2 cards), then 1 loaded car, and goes to the Gate.",
        ),
    ),
    (
        lambda: using(Step("gain", who="opponent", what=TICKET)),
        Target("red", "green"),
        ("Red chooses Green, who takes a Boatman Ticket.", "Green takes a Boatman Ticket."),
    ),
    (
        lambda: using(Step("move_engine", who="anyone", to="6")),
        Target("red", "blue"),
        ("Red chooses Blue, whose engine is moved.", "Blue is set in Circle 6."),
    ),
    (
        lambda: using(Step("move_engine", who="anyone", to="G"), engines={"blue": "5", "green": "5"}),
        Target("red", "blue"),
        ("Red chooses Blue, whose engine is moved.", "Blue is set at the Gate."),
    ),
    (
        lambda: using(Step("move_engine")),
        MoveEngine("red", "red", Position((3, 3))),
        ("Red sets Red at the Gate.",),
    ),
    (lambda: using(Step("turn_rail")), TurnRail("red", (1, 0), 180), ("Red turns the card on B1 to 180°.",)),
    (lambda: using(Step("scrap_rail")), ScrapRail("red", (1, 0)), ("Red discards straight1 from B1.",)),
    (
        lambda: using(Step("put_counter", what=COIN), Step("draw")),
        PutCounter("red", (1, 0), COIN),
        ("Red puts a coin on B1.", "Red draws 1 card."),
    ),
    (
        lambda: using(Step("take_counter"), rails=RAIL),
        TakeCounter("red", (6, 5), COIN),
        ("Red takes the coin off G6.",),
    ),
    (
        lambda: using(Step("discard", who="opponents"), **HELD),
        DiscardCard("blue", "spare1"),
        ("Blue discards spare1.",),
    ),
    (
        lambda: using(Step("table", words="Dance.")),
        DrawCard("red", "blue"),
        ("Blue is to draw a card.", "Blue draws 1 card."),
    ),
    (
        lambda: using(Step("table", words="Dance."), **HELD),
        Derail("red", "blue"),
        ("Blue derails, discards the hand (2 cards), then 1 loaded car, and goes to the Gate.",),
    ),
    (
        lambda: using(Step("table", words="Dance.")),
        Gain("red", "green", CHIP),
        ("Green takes a Heresy Chip.",),
    ),
    (
        lambda: using(Step("table", words="Dance.")),
        MoveEngine("red", "red", tie(1, "W")),
        ("Red sets Red on tie 4 of E-W on B1.",),
    ),
    (lambda: using(Step("table", words="Dance.")), Done("red"), ("Red is done with that.",)),
]


@pytest.mark.parametrize(("state", "action", "lines"), LOGS)
def test_the_log_tells_each_step_of_an_effect(
    state: Callable[[], State], action: Any, lines: tuple[str, ...]
) -> None:
    assert told(state(), action) == lines


def test_the_log_tells_a_derail_that_ends_the_turn() -> None:
    state = entered("3", made=pack({"3": (Step("derail"), Step("draw"))}), hands={"red": ["v1b1", "spare1"]})
    assert told(state, Declare("red", use=True)) == (
        "Red uses the Effect of Circle 3.",
        "As it says.",
        "Red derails, discards the hand (1 card), and goes to the Gate.",
        "It is Blue's turn: a card is drawn.",
    )
    state = using(Step("table", words="Dance."), hands={"red": ["v1b1", "spare1"]})
    state = do(state, Derail("red", "red"))
    assert reminded(state, "Red has derailed, and the turn ends with this.")
    assert told(state, Done("red"))[1] == "It is Blue's turn: a card is drawn."
