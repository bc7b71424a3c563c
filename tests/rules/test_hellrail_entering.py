"""Cards that an owner enters one by one, also while a game runs that did not know them."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from companion import games
from companion.games.game import Rolled, Shuffled
from companion.games.hellrail import GAME
from companion.games.hellrail.actions import (
    Cross,
    Declare,
    DiscardCard,
    EndTurn,
    Fan,
    LayRail,
    Move,
    Pickup,
    Rammed,
    UpgradeRail,
)
from companion.games.hellrail.entering import (
    EnterCircle,
    EnterRail,
    Entry,
    begin,
    enter,
    known,
    present,
    put,
)
from companion.games.hellrail.pack import CircleEntry, RailEntry, load_pack, missing, to_toml
from companion.games.hellrail.state import ACTIONS, DECLARE, GATE, State, Step
from companion.games.hellrail.track import Position
from companion.games.layout import UNKNOWN
from tests.rules.hellrail_positions import (
    DRAW,
    do,
    entered,
    entering,
    house,
    pack,
    position,
    refused,
)

R17 = RailEntry("r17", 7, "3", "5", 2, ("NE3", "NS4"), {"N": 1})
BLANK = RailEntry("spare7")
SPARE = EnterRail(RailEntry("spare7", 4, "1", "2", 3, ("NS4",)))
OWNED = GAME.owned
assert OWNED is not None

# The pack


def test_an_owner_begins_with_every_card_still_to_be_entered() -> None:
    own = begin(house())
    assert [card.name for card in own.rails[:2]] == ["r01", "r02"]
    assert len(missing(own)) == 55
    assert own.setups == house().setups
    assert load_pack(to_toml(own)) == own


def test_entering_every_card_completes_the_pack_and_each_step_of_it_is_a_pack() -> None:
    own = begin(house())
    for rail in house().rails:
        own = load_pack(to_toml(put(own, EnterRail(rail))))
    for circle in house().circles:
        own = load_pack(to_toml(put(own, EnterCircle(circle))))
    assert missing(own) == ()
    assert (own.rails, own.circles) == (house().rails, house().circles)


@pytest.mark.parametrize("entry", [EnterRail(R17), EnterCircle(house().circles[5])])
def test_an_entry_is_exact_in_json(entry: Any) -> None:
    assert msgspec.json.decode(msgspec.json.encode(entry), type=Entry) == entry


def test_a_card_is_put_in_the_place_of_the_one_of_its_name_and_kind() -> None:
    own = put(begin(house()), EnterRail(R17))
    assert present(own, "rail", "r17") == EnterRail(R17)
    assert [gap.name for gap in missing(own)].count("r17") == 0
    assert len(missing(own)) == 54
    five = EnterCircle(CircleEntry("5", "Wrath", "NES", "Draw two.", (Step("draw", count=2),)))
    assert present(put(own, five), "circle", "5") == five


@pytest.mark.parametrize(
    ("card", "words"),
    [
        (EnterRail(RailEntry("r17", 7, "3", "", 2)), "Still to be entered: Setout Circle, rail."),
        (
            EnterRail(RailEntry("r17", 77, "3", "5", 2, ("NS4",))),
            "A Car Value is 1 to 9, or left out, not 77.",
        ),
        (EnterRail(RailEntry("r17", 7, "3", "5", 2, ("NE2",))), "A curve has 3 ties or more, not 2."),
        (EnterRail(RailEntry("x17", 7, "3", "5", 2, ("NS4",))), "has no card 'rail x17'"),
        (EnterCircle(CircleEntry("5")), "Still to be entered: Effect."),
        (EnterCircle(CircleEntry("6", words="Ha.", steps=DRAW)), "By the rulebook Circle 6 gives a chip"),
        (EnterCircle(CircleEntry("r17", words="Ha.", steps=DRAW)), "has no card 'circle r17'"),
    ],
)
def test_what_is_wrong_with_a_card_is_told_without_a_path(card: Any, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)) as said:
        put(begin(house()), card)
    assert "`" not in str(said.value)


def test_pawns_of_perdition_has_nothing_to_enter() -> None:
    assert games.load("pawns_of_perdition").owned is None


# Rail Cards in a game that does not know them


def holding(**fields: Any) -> State:
    """Red holds a card that is not entered, and one that is; rail lies ahead of the engine."""
    given: dict[str, Any] = {
        "rails": {(1, 0): ("straight1", 90)},
        "engines": {"red": Position((1, 0), "EW", 4, "E")},
        "hands": {"red": ["spare7", "v1b1"]},
        "made": pack(cards=[BLANK]),
    }
    return position(**given | fields)


def with_spare(state: State) -> list[Any]:
    return [
        Fan("red", "spare7"),
        LayRail("red", "spare7", (1, 1), 0),
        UpgradeRail("red", "spare7", (1, 0), 90),
        Move("red", "spare7", state.engines[0]),
        Pickup("red", "spare7"),
    ]


def test_nothing_is_done_with_a_card_that_is_not_entered() -> None:
    state = holding()
    assert GAME.legal(state, "red", "spare7") == ()
    assert GAME.legal(state, "red", "v1b1") != ()
    for action in with_spare(state):
        ruling = refused(state, action)
        assert ruling.rule == "form"
        assert ruling.sentence == "Card spare7 is not entered yet; enter it under Menu, Your own cards."


def test_a_hidden_hand_may_hold_it_and_it_can_be_named() -> None:
    state = GAME.hide(holding())
    assert UNKNOWN in state.hands[0]
    prompt = GAME.prompt(state, "red")
    assert "spare7" in prompt.cards
    named = GAME.prompt(state, "red", "spare7")
    assert (named.choices, named.reminders) == (
        (),
        ("Card spare7 is not entered yet; enter it under Menu, Your own cards.",),
    )


def test_it_is_discarded_like_any_other() -> None:
    steps = {"3": (Step("discard"),)}
    made = pack(steps, cards=[BLANK])
    state = entered("3", made=made, hands={"red": ["v1b1", "spare7", "spare1"]})
    state = do(state, Declare("red", use=True))
    assert [choice.detail for choice in GAME.prompt(state, "red", "spare7").choices] == ["not entered yet"]
    assert do(state, DiscardCard("red", "spare7")).top == "spare7"


def test_once_entered_it_is_played_and_nothing_else_has_changed() -> None:
    state = holding()
    after = enter(state, SPARE)
    assert (known(state, SPARE), known(after, SPARE)) == (False, True)
    assert msgspec.structs.replace(after, edition=state.edition) == state
    assert GAME.faults(after) == ()
    assert set(with_spare(after)[:2]) <= set(GAME.legal(after, "red", "spare7"))
    assert len(do(after, Fan("red", "spare7")).hands[0]) == 1 + 3


def test_entering_is_the_same_before_and_after_what_is_played_meanwhile() -> None:
    state = holding()
    there = Position((1, 0), "EW", 3, "E")
    for action in (Move("red", "v1b1", there), EndTurn("red"), EndTurn("blue")):
        after = do(state, action)
        assert enter(after, SPARE) == do(enter(state, SPARE), action)
        state = after


def test_what_is_entered_in_a_game_stays() -> None:
    state = enter(holding(), SPARE)
    with pytest.raises(ValueError, match="spare7 is entered already, and stays as it is"):
        enter(state, EnterRail(RailEntry("spare7", 9, "1", "2", 3, ("NS4",))))
    with pytest.raises(ValueError, match="has no card 'rail r99'"):
        enter(state, EnterRail(RailEntry("r99", 9, "1", "2", 3, ("NS4",))))
    with pytest.raises(ValueError, match="Still to be entered: Car Value"):
        enter(holding(), EnterRail(BLANK))


def test_a_whole_set_up_can_be_played_through_before_a_card_is_entered() -> None:
    own = begin(house())
    state = GAME.setup(("red", "blue"), own, {})
    assert GAME.faults(state) == ()
    names = tuple(card.name for card in own.rails)
    state = do(state, Shuffled(names), Rolled((6,)), Rolled((1,)))
    assert state.phase == ACTIONS
    assert GAME.legal(state, "red") == (EndTurn("red"),)
    assert GAME.legal(GAME.hide(state), "red") == (EndTurn("red"),)
    assert GAME.prompt(GAME.hide(state), "red").choices
    assert GAME.sketches(state)["card:r01"].shapes
    assert GAME.about(state, own, "card", "r01").facts == (("Value", "?"),)


# Circles in a game that does not know them

FIVE = EnterCircle(CircleEntry("3", "", "NESW", "Draw a card.", DRAW))


def test_a_circle_is_entered_on_the_phone_before_an_engine_enters_it() -> None:
    state = entering("3", made=pack({"3": ()}))
    move = Move("red", "v1b1", Position((2, 0)))
    words = (
        "Circle 3 is not entered yet, so no engine leaves or enters it; enter it under Menu, Your own cards."
    )
    assert refused(state, move).sentence == words
    assert words in GAME.prompt(state, "red", "v1b1").reminders
    assert do(enter(state, FIVE), move).phase == DECLARE


def test_nobody_leaves_a_circle_that_is_not_entered() -> None:
    state = position(made=pack({GATE: ()}), engines={}, rails=beside_gate(), hands={"red": ["v1b1"]})
    out = next(
        action
        for action in GAME.legal(
            enter(state, EnterCircle(CircleEntry(GATE, words="Draw.", steps=DRAW))), "red"
        )
        if isinstance(action, Move) and action.to != state.engines[0]
    )
    assert "The Gate is not entered yet" in refused(state, out).sentence
    stay = Move("red", "v1b1", state.engines[0])
    assert stay in GAME.legal(state, "red", "v1b1")


def beside_gate() -> dict[Any, Any]:
    gate = next(circle.cell for circle in position().circles if circle.name == GATE)
    return {(gate[0] + 1, gate[1]): ("straight1", 90)}


def test_nobody_is_rammed_into_a_circle_that_is_not_entered() -> None:
    circle = next(c for c in position().circles if c.name == "3")
    at = (circle.cell[0] - 1, circle.cell[1])
    engines = {"red": Position(at, "EW", 2, "E"), "blue": Position(at, "EW", 1, "E")}
    ram = Move("red", "v1b1", Position(at, "EW", 1, "E"), (Rammed("blue", Position(circle.cell)),))
    unknown = position(
        made=pack({"3": ()}), rails={at: ("straight1", 90)}, engines=engines, hands={"red": ["v1b1"]}
    )
    assert "Circle 3 is not entered yet" in refused(unknown, ram).sentence
    assert ram not in GAME.legal(unknown, "red")
    assert ram in GAME.legal(enter(unknown, FIVE), "red")


def crossing_to_3(made: Any) -> tuple[State, Cross]:
    """Red stands two cells from Circle 3 with a ticket, and a blank square between."""
    circle = next(c for c in position().circles if c.name == "3")
    at = (circle.cell[0] - 2, circle.cell[1])
    state = position(
        made=made,
        rails={at: ("straight1", 90)},
        engines={"red": Position(at, "EW", 1, "E")},
        hands={"red": ["v1b1"]},
        tickets=["red"],
    )
    return state, Cross("red", "v1b1", Position(at, "EW", 1, "E"), "E", Position(circle.cell))


def test_nobody_crosses_to_a_circle_that_is_not_entered() -> None:
    state, cross = crossing_to_3(pack({"3": ()}))
    assert "Circle 3 is not entered yet" in refused(state, cross).sentence
    assert cross not in GAME.legal(state, "red")
    assert cross in GAME.legal(enter(state, FIVE), "red")
