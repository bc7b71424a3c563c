"""Malformed and misplaced actions: each gets a Ruling that names the fault, never an exception."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.game import Action, Rolled, Shuffled
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
from companion.games.hellrail.pack import RailEntry
from companion.games.hellrail.state import BARRIER, CHIP, COIN, State
from companion.games.hellrail.track import Position
from companion.games.layout import UNKNOWN
from tests.rules.hellrail_positions import (
    NAMES,
    TRIO,
    begin,
    do,
    entered,
    line,
    pack,
    position,
    refused,
    tie,
)

ENTERING = "Movement - Entering a Circle"
CORNER = (4, 3)


def turn() -> State:
    """Red's turn, on a line with Blue ahead; Green in Circle 3."""
    return position(
        rails={**line(), CORNER: ("curve1", 180)},
        engines={"red": tie(2), "blue": tie(5), "green": "3"},
        hands={"red": ["v3b2", "straight4", "from3to5"], "blue": ["spare1"]},
        loaded={"red": ["from4to3"]},
    )


TURN: list[tuple[Any, str, str, str]] = [
    (Action(), "form", "Turn Sequence", "no such action"),
    (Rolled((1,)), "rulebook", "Turn Sequence", "No dice are due now; it is for Red to act"),
    (Shuffled(NAMES), "rulebook", "Humping the Draw Pile", "Nothing is to be shuffled now"),
    (PlaceCircle("red", "1", (0, 0)), "rulebook", "Alternate Circle Setups", "The Circles lie already"),
    (EndTurn("pink"), "form", "Setup", "the seats are red, blue and green"),
    (EndTurn(""), "form", "Setup", "Nobody plays ''"),
    (EndTurn("blue"), "rulebook", "Turn Sequence", "It is Red's turn; wait for yours"),
    (LayRail("blue", "spare1", (4, 5), 0), "rulebook", "Turn Sequence", "Red's turn"),
    (LayRail("red", "ace", (4, 5), 0), "form", "Components", "no Rail Card 'ace'"),
    (LayRail("red", UNKNOWN, (4, 5), 0), "form", "Components", "its name is on the card"),
    (LayRail("red", "spare1", (4, 5), 0), "rulebook", "Turn Sequence", "Red does not hold spare1"),
    (LayRail("red", "v3b2", (4, 5), 45), "form", "Card Actions - Lay New Rail", "not 45"),
    (LayRail("red", "v3b2", CORNER, 0), "rulebook", "Card Actions - Lay New Rail", "as an upgrade"),
    (LayRail("red", "v3b2", (3, 3), 0), "rulebook", "Card Actions - Lay New Rail", "A Circle lies on D4"),
    (LayRail("red", "v3b2", (8, 7), 0), "HR-A03", "Card Actions - Lay New Rail", "I8 is not adjacent"),
    (UpgradeRail("red", "v3b2", CORNER, 1), "form", "Card Actions - Upgrade Rail", "not 1"),
    (UpgradeRail("red", "v3b2", (4, 5), 0), "rulebook", "Card Actions - Upgrade Rail", "as new rail"),
    (UpgradeRail("red", "v3b2", (3, 3), 0), "rulebook", "Card Actions - Upgrade Rail", "A Circle lies"),
    (UpgradeRail("red", "straight4", (1, 0), 90), "rulebook", "Card Actions - Upgrade Rail", "by Red"),
    (UpgradeRail("red", "v3b2", CORNER, 0), "rulebook", "Card Actions - Upgrade Rail", "turn it to 180"),
    (
        UpgradeRail("red", "straight4", CORNER, 0),
        "rulebook",
        "Card Actions - Upgrade Rail",
        "lay another",
    ),
    (Pickup("red", "from3to5"), "rulebook", "Card Actions - Pickup a Car", "Red's engine is on rail"),
    (Setout("red", "from4to3"), "rulebook", "Card Actions - Setout a Car", "set out at Circle 3"),
    (Setout("red", "from3to5"), "rulebook", "Card Actions - Setout a Car", "no loaded car of this train"),
    (Move("red", "v3b2", tie(9)), "rulebook", "Card Actions - Move", "7 ties away"),
    (Move("red", "v3b2", tie(6)), "rulebook", "Card Actions - Move", "4 ties away, and v3b2 moves up to 3"),
    (Move("red", "v3b2", tie(5)), "rulebook", "Movement - No Passing", "Blue stands in the way"),
    (Move("red", "v3b2", tie(1)), "rulebook", "Movement - No Turning Back", "never reverses"),
    (Move("red", "v3b2", tie(3, "W")), "rulebook", "Movement - No Turning Back", "facing the other way"),
    (Move("red", "v3b2", None), "rulebook", "Movement - End of Rail", "No rail ends within reach"),
    (Move("red", "v3b2", Position((3, 3))), "rulebook", "Movement - Stay On Rail Ties", "leads to the Gate"),
    (
        Move("red", "v3b2", tie(4), (Rammed("blue", tie(6)),)),
        "rulebook",
        "Movement - Ramming",
        "end up somewhere else",
    ),
    (
        Move("red", "v3b2", tie(5), (Rammed("blue", tie(7)),)),
        "rulebook",
        "Movement - Ramming",
        "choose one of the ways",
    ),
    (
        Cross("red", "v3b2", tie(4), "E", tie(9)),
        "rulebook",
        "Boatman Tickets",
        "Red has no Boatman Ticket; one is taken at Circle 1",
    ),
    (Land("red"), "rulebook", "Boatman Tickets", "Nobody lands now"),
    (Fan("red", "spare1"), "rulebook", "Turn Sequence", "does not hold"),
    (Fan("blue", "spare1"), "rulebook", "Turn Sequence", "Red's turn"),
    (Declare("red", use=True), "HR-A33", ENTERING, "No Circle was just entered"),
    (SpendChip("red"), "rulebook", "Heresy Chips", "Nothing waits for a Heresy Chip"),
    (KeepChip("red"), "rulebook", "Heresy Chips", "Nothing waits for a Heresy Chip"),
    *(
        (action, "rulebook", ENTERING, "No Circle Effect is being carried out; it is for Red to act.")
        for action in (
            Target("red", "blue"),
            TurnRail("red", (1, 0), 0),
            ScrapRail("red", CORNER),
            PutCounter("red", CORNER, COIN),
            TakeCounter("red", CORNER, BARRIER),
            MoveEngine("red", "blue", tie(9)),
            DiscardCard("red", "v3b2"),
            DrawCard("red", "red"),
            Derail("red", "blue"),
            Gain("red", "red", CHIP),
            Done("red"),
        )
    ),
]


@pytest.mark.parametrize(("action", "rule", "section", "words"), TURN)
def test_the_ruling_names_the_fault(action: Any, rule: str, section: str, words: str) -> None:
    ruling = refused(turn(), action)
    assert (ruling.rule, ruling.section) == (rule, section)
    assert words in ruling.sentence
    assert ruling.sentence[0].isupper() or ruling.sentence[0].isdigit()
    assert ruling.sentence.endswith(".")


@pytest.mark.parametrize(("action", "_rule", "_section", "_words"), TURN)
def test_a_ruling_offers_a_handful_of_what_would_do_instead(
    action: Any, _rule: str, _section: str, _words: str
) -> None:
    ruling = refused(turn(), action)
    assert len(ruling.instead) <= 5
    if getattr(action, "seat", "") == "red":
        assert ruling.instead
        alike = [other for other in GAME.legal(turn(), "red") if type(other) is type(action)]
        assert (type(ruling.instead[0]) is type(action)) is bool(alike)


def test_loaded_cars_are_counted_in_words() -> None:
    state = position(
        rails=line(), engines={"red": tie(2)}, hands={"red": ["v1b1"]}, loaded={"red": ["spare1", "spare2"]}
    )
    assert refused(state, Move("red", "v1b1", tie(3))).sentence == (
        "2 loaded cars may not be moved with Brimstone 1; play a card with a higher Brimstone Value, "
        "or set out cars."
    )


def test_what_waits_for_the_die_or_a_shuffle_says_so() -> None:
    state = GAME.setup(TRIO, pack(), {})
    assert "shuffle and draw first" in refused(state, EndTurn("red")).sentence
    assert "cards are shuffled first" in refused(state, Rolled((1,))).sentence
    assert "45 cards are to be shuffled, not 1" in refused(state, Shuffled(("spare1",))).sentence
    twice = (NAMES[0], *NAMES[:-1])
    assert "not the ones that lay there" in refused(state, Shuffled(twice)).sentence
    half = (UNKNOWN, *NAMES[1:])
    assert "name each of them, or none" in refused(state, Shuffled(half)).sentence
    state = do(state, Shuffled((UNKNOWN,) * 45))
    assert state.hands == ((UNKNOWN,) * 3,) * 3
    assert refused(state, EndTurn("blue")).sentence == (
        "The first turn has not begun: Red throws the die first (who goes first)."
    )
    laying = GAME.setup(TRIO, pack(), {"circles": "own"})
    assert "it is for Red, Blue and Green to lay a Circle" in refused(laying, EndTurn("blue")).sentence
    assert "Red throws the die first" in refused(state, Shuffled(NAMES)).sentence
    for values, words in (
        ((), "throws one die"),
        ((1, 2), "throws one die"),
        ((7,), "not 7"),
        ((0,), "not 0"),
        (("skull",), "not 'skull'"),
        ((True,), "not True"),
    ):
        assert words in refused(state, Rolled(values)).sentence


def test_the_effect_of_a_circle_comes_before_any_card_action() -> None:
    state = entered("3", hands={"red": ["v1b1", "spare1"]}, chips=["green"])
    for action in (EndTurn("red"), Fan("red", "spare1"), LayRail("red", "spare1", (4, 5), 0)):
        ruling = refused(state, action)
        assert (ruling.section, "it is for Red to say whether" in ruling.sentence) == (ENTERING, True)
    assert "Red entered the Circle" in refused(state, Declare("blue", use=True)).sentence
    assert "It is Red's turn" in refused(state, EndTurn("blue")).sentence
    state = do(state, Declare("red", use=True))
    assert "Green to say whether a Heresy Chip is spent" in refused(state, EndTurn("red")).sentence
    assert "No Circle was just entered" in refused(state, Declare("red", use=True)).sentence


def test_while_a_ticket_is_used_the_die_is_awaited() -> None:
    rails = {**line(1), (3, 0): ("straight3", 90)}
    state = position(rails=rails, engines={"red": tie(4)}, hands={"red": ["v1b1"]}, tickets=["red"])
    state = do(state, Cross("red", "v1b1", tie(4), "E", Position((3, 0), "EW", 4, "E")))
    ruling = refused(state, EndTurn("red"))
    assert ruling.sentence == "Not now: Red throws the die first (Boatman Ticket)."


def test_a_card_whose_circles_are_not_entered_yet_is_not_picked_up_nor_set_out() -> None:
    made = pack(cards=[RailEntry("spare7", 5, "", "", 3, ("NE3",))])
    on_rail = position(
        made=made,
        rails=line(1),
        engines={"red": tie(1)},
        hands={"red": ["spare7"]},
    )
    ruling = refused(on_rail, Pickup("red", "spare7"))
    assert (ruling.rule, "not entered yet" in ruling.sentence) == ("form", True)
    loaded = position(made=made, rails=line(1), engines={"red": tie(1)}, loaded={"red": ["spare7"]})
    ruling = refused(loaded, Setout("red", "spare7"))
    assert (ruling.rule, "not entered yet" in ruling.sentence) == ("form", True)


def test_cards_that_lie_in_the_open_are_in_no_hidden_hand() -> None:
    state = GAME.hide(turn())
    assert GAME.refusal(state, LayRail("red", "spare2", (4, 5), 0)) is None
    for open_card in ("straight1", "from4to3"):
        assert "does not hold" in refused(state, LayRail("red", open_card, (4, 5), 0)).sentence


def test_what_is_free_to_take_back() -> None:
    state = position(
        rails=line(1),
        engines={"red": tie(2), "blue": tie(4)},
        hands={"red": ["v3b2", "v2b5", "from3to5"]},
        loaded={"red": ["from4to3"]},
    )
    ram = Move("red", "v2b5", tie(4), (Rammed("blue"),))
    for action, free in (
        (LayRail("red", "v3b2", (3, 2), 0), True),
        (Move("red", "v3b2", tie(3)), True),
        (ram, False),
        (Move("red", "v3b2", None, (Rammed("blue"),)), False),
        (Fan("red", "v3b2"), False),
        (EndTurn("red"), False),
    ):
        assert GAME.refusal(state, action) is None
        assert GAME.free(state, action) is free
    in_circle = position(engines={"red": "3"}, hands={"red": ["from3to5"]}, loaded={"red": ["from4to3"]})
    assert GAME.free(in_circle, Pickup("red", "from3to5"))
    assert GAME.free(in_circle, Setout("red", "from4to3"))
    assert not GAME.free(entered("3"), Declare("red", use=True))
    assert GAME.implied(begin()) == EndTurn("red")
    assert GAME.implied(entered("3")) is None
