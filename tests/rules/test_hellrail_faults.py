"""Positions that no game can come to are told apart, each fault with its path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games.game import AwaitedShuffle, Rolled, Shuffled
from companion.games.hellrail import GAME
from companion.games.hellrail.actions import Cross, Declare
from companion.games.hellrail.state import (
    CIRCLES,
    COIN,
    CROSSING,
    DECLARE,
    EFFECT,
    FANNED,
    FIRST_PLAYER,
    HERESY,
    LANDING,
    OVER,
    PHASES,
    SETUP,
    Circle,
    Crossing,
    Effect,
    Rail,
    State,
    Step,
)
from companion.games.hellrail.track import Position, Track
from companion.games.layout import UNKNOWN
from tests.rules.hellrail_positions import (
    FOUR,
    NAMES,
    TRIO,
    begin,
    do,
    entered,
    line,
    pack,
    position,
    tie,
)

PLAIN = position(
    rails=line(), engines={"red": tie(2), "blue": tie(5)}, hands={"red": ["v1b1", "v2b5"], "blue": ["spare1"]}
)
LIES = PLAIN.rails[0]
GATE_CELL = PLAIN.engines[2].cell
DRAWING = Effect(0, "3", use=True, steps=(Step("draw"),))


def rails(*first: Rail) -> tuple[Rail, ...]:
    return (*first, *PLAIN.rails[1:])


BAD: list[tuple[Mapping[str, Any], str]] = [
    ({"seats": ("red", "blue", "pink")}, "`$.seats`"),
    ({"seats": ("red", "blue", "blue")}, "`$.seats`"),
    ({"seats": ("red",)}, "`$.seats`"),
    ({"dealt": ((),)}, "not 1 - at `$.dealt`"),
    ({"hands": ((),) * 4}, "not 4 - at `$.hands`"),
    ({"loaded": ()}, "`$.loaded`"),
    ({"delivered": ()}, "`$.delivered`"),
    ({"chips": ()}, "`$.chips`"),
    ({"tickets": (0,)}, "`$.tickets`"),
    ({"throws": ()}, "`$.throws`"),
    ({"engines": PLAIN.engines[1:]}, "`$.engines`"),
    ({"turn": 3}, "0 to 2, not 3 - at `$.turn`"),
    ({"drawer": -1}, "not -1 - at `$.drawer`"),
    ({"phase": "tea"}, "no phase 'tea'"),
    ({"phase": FANNED}, "no phase 'fanned' to stand in"),
    ({"circles": (*PLAIN.circles[1:], PLAIN.circles[1])}, "at most once - at `$.circles`"),
    ({"circles": PLAIN.circles[1:]}, "All 10 Circles"),
    ({"phase": CIRCLES, "engines": ()}, "All 10 Circles"),
    ({"rails": rails(Rail((1, 0), "ace", 0))}, "no Rail Card 'ace'"),
    ({"rails": rails(Rail((1, 0), "straight1", 45))}, "turned by 0, 90, 180 or 270 degrees - at `$.rails[0]"),
    ({"rails": rails(Rail((1, 0), "straight1", 90, (("spare2", 1),)))}, "`$.rails[0].turn`"),
    ({"effect": DRAWING}, "in its phases, and in no other"),
    ({"phase": EFFECT}, "in its phases, and in no other"),
    ({"phase": EFFECT, "effect": replace(DRAWING, seat=3)}, "`$.effect`"),
    ({"phase": EFFECT, "effect": replace(DRAWING, circle="10")}, "`$.effect`"),
    ({"phase": HERESY, "effect": Effect(0, "3", asked=(7,))}, "Seats' numbers - at `$.effect`"),
    ({"entries": (5,)}, "`$.entries`"),
    ({"entries": (2, 2)}, "`$.entries`"),
    # Cards
    ({"hands": (("ace",), ("spare1",), ())}, "no Rail Card 'ace'"),
    ({"hands": (("v1b1", "v1b1"), ("spare1",), ())}, "v1b1 is in two places"),
    ({"deck": PLAIN.deck[1:]}, "There are 44 Rail Cards, not 45"),
    ({"hands": (("v2b5", "v1b1"), ("spare1",), ())}, "order of the alphabet here - at `$.hands[0]`"),
    ({"loaded": ((UNKNOWN,), (), ()), "deck": PLAIN.deck[1:]}, "Cars and face-up discards are known"),
    ({"top": "spare1"}, "not 'spare1' - at `$.top`"),
    ({"owed": -1}, "`$.owed`"),
    ({"owed": 1}, "while the Draw Pile is empty"),
    ({"chips": (2, 0, 0)}, "none or one, and there are 4 - at `$.chips`"),
    ({"tickets": (1, 1, 1)}, "there are 2 - at `$.tickets`"),
    # The table
    ({"rails": tuple(replace(rail, cell=(1, 0)) for rail in PLAIN.rails)}, "No two cards"),
    ({"rails": rails(replace(LIES, cell=GATE_CELL))}, "No two cards"),
    ({"rails": PLAIN.rails[::-1]}, "in the order of their cells"),
    ({"rails": rails(replace(LIES, counters=("flag",)))}, "barrier and coin - at `$.rails[0].counters`"),
    ({"rails": rails(replace(LIES, counters=(COIN, COIN)))}, "One counter of a kind"),
    ({"engines": (Position((9, 9)), *PLAIN.engines[1:])}, "in a Circle - at `$.engines[0]`"),
    ({"engines": (replace(PLAIN.engines[2], facing="N"), *PLAIN.engines[1:])}, "`$.engines[0]`"),
    ({"engines": (replace(tie(1), tie=5), *PLAIN.engines[1:])}, "on a tie of rail that lies"),
    ({"engines": (replace(tie(1), facing="N"), *PLAIN.engines[1:])}, "on a tie of rail that lies"),
    ({"engines": (replace(tie(1), cell=(0, 5)), *PLAIN.engines[1:])}, "`$.engines[0]`"),
    ({"engines": (tie(5, "W"), *PLAIN.engines[1:])}, "Two engines stand on one tie - at `$.engines[1]`"),
    # The course
    ({"dice": (7,)}, "1 to 6 - at `$.dice`"),
    ({"dice": (1, 2)}, "one die"),
    ({"throws": (7, 0, 0)}, "`$.throws`"),
    ({"phase": FIRST_PLAYER, "throws": (1, 2, 3)}, "still to throw"),
    ({"phase": SETUP}, "before they are first shuffled"),
    ({"phase": SETUP, "throws": (1, 1, 1)}, "before cards are dealt - at `$.throws`"),
    ({"phase": OVER}, "when both piles are empty"),
    ({"crossing": Crossing(1, tie(1))}, "while crossing and landing"),
    ({"phase": CROSSING}, "while crossing and landing"),
    ({"phase": CROSSING, "crossing": Crossing(2, tie(9))}, "where one lands behind them"),
    ({"turn_over": True}, "`$.turn_over`"),
    ({"entries": (2,)}, "decides once the Move is over"),
    ({"phase": DECLARE, "effect": Effect(0, "3")}, "is in that Circle"),
    ({"phase": EFFECT, "effect": replace(DRAWING, steps=(Step("derail"),))}, "has the last steps"),
    ({"phase": EFFECT, "effect": replace(DRAWING, steps=())}, "has the last steps"),
    ({"phase": EFFECT, "effect": replace(DRAWING, count=1)}, "`$.effect.count`"),
    ({"phase": EFFECT, "effect": replace(DRAWING, chosen=(0,), count=2)}, "`$.effect.count`"),
    ({"phase": EFFECT, "effect": replace(DRAWING, chosen=(1,), count=1)}, "`$.effect.chosen`"),
    ({"phase": EFFECT, "effect": DRAWING}, "where somebody is to choose"),
    ({"dealt": (("1",), (), ())}, "dealt in Devil's Advocate"),
]


def test_the_plain_position_has_no_faults() -> None:
    assert GAME.faults(PLAIN) == ()
    assert GAME.faults(GAME.hide(PLAIN)) == ()


@pytest.mark.parametrize(("fields", "fault"), BAD)
def test_a_fault_is_named(fields: Mapping[str, Any], fault: str) -> None:
    found = GAME.faults(replace(PLAIN, **fields))
    assert any(fault in line for line in found), found
    assert all(line.endswith(".") and " - " in line for line in found)


def card(at: int, **fields: Any) -> State:
    cards = list(PLAIN.edition.rails)
    cards[at] = replace(cards[at], **fields)
    return replace(PLAIN, edition=replace(PLAIN.edition, rails=tuple(cards)))


@pytest.mark.parametrize(
    ("state", "fault"),
    [
        (card(0, name="straight1"), "`$.edition.rails[7].name`"),
        (card(0, value=12), "`$.edition.rails[0].value`"),
        (card(3, track=Track(("NX3",))), "`$.edition.rails[3].track[0]`"),
        (card(3, track=Track(("NE2",))), "A curve has 3 ties or more, not 2"),
        (card(3, track=Track(("NS4", "NE3"))), "order of their sides"),
        (card(3, track=Track(("NE3", "NS4"), (-1, 0, 0, 0))), "`$.edition.rails[3].shared.N`"),
        (replace(PLAIN, edition=replace(PLAIN.edition, circles=PLAIN.edition.circles[1:])), "one Circle 'G'"),
    ],
)
def test_a_fault_of_the_cards_is_named(state: State, fault: str) -> None:
    found = GAME.faults(state)
    assert any(fault in line for line in found), found


def test_circles_that_players_lay_are_looked_at_too() -> None:
    state = do(GAME.setup(FOUR, pack(), {"circles": "devils_advocate"}), Shuffled(("G", *"123456789")))
    assert GAME.faults(state) == ()
    for fields, fault in (
        ({"dealt": ((), *state.dealt[1:])}, "All Circles are dealt"),
        ({"turn": 2}, "All Circles are dealt"),
        ({"dealt": (state.dealt[0][::-1], *state.dealt[1:])}, "order of the alphabet"),
        ({"dealt": (state.dealt[1], *state.dealt[1:])}, "others than those that lie"),
        ({"circles": (Circle("G", (0, 0)),)}, "others than those that lie"),
        ({"options": replace(state.options, circles="ring")}, "devils_advocate or own - at `$.phase`"),
        ({"deck": state.discard[:1], "discard": state.discard[1:]}, "before they are first shuffled"),
    ):
        found = GAME.faults(replace(state, **fields))
        assert any(fault in line for line in found), (found, fault)


def test_who_is_asked_for_a_chip_has_one_and_is_asked_clockwise() -> None:
    state = do(entered("3", seats=FOUR, chips=["blue", "yellow"]), Declare("red", use=True))
    assert (state.phase, state.effect and state.effect.asked) == (HERESY, (1, 3))
    for asked in ((), (3, 1), (1, 2), (0,)):
        assert state.effect is not None
        found = GAME.faults(replace(state, effect=replace(state.effect, asked=asked)))
        assert any("`$.effect.asked`" in line for line in found), asked


def test_a_crossing_leads_over_blank_squares_to_rail() -> None:
    rails = {**line(1), (4, 0): ("shared1", 270)}
    first = Position((4, 0), "EW", 4, "E")
    state = position(
        rails=rails, engines={"red": tie(4), "blue": first}, hands={"red": ["v1b1"]}, tickets=["red"]
    )
    state = do(state, Cross("red", "v1b1", tie(4), "E", first))
    assert GAME.faults(replace(state, phase=LANDING)) == ()
    for crossing in (Crossing(1, first), Crossing(2, tie(3)), Crossing(2, replace(first, facing="W"))):
        assert GAME.faults(replace(state, crossing=crossing))
    alone = replace(state, engines=(tie(4), *state.engines[2:], state.engines[2]))
    assert any("two ways" in line for line in GAME.faults(replace(alone, phase=LANDING)))


def test_draws_are_owed_where_somebody_draws() -> None:
    state = entered("3", deck=[], discard=["spare1"])
    found = GAME.faults(replace(state, owed=1))
    assert found == ("Nobody draws in the phase 'declare' - at `$.owed`.",)


STATES = [
    PLAIN,
    begin(FOUR),
    GAME.setup(TRIO, pack(), {}),
    do(GAME.setup(TRIO, pack(), {}), Shuffled(NAMES)),
    GAME.setup(TRIO, pack(), {"circles": "own"}),
    entered("3"),
    do(entered("6", chips=["blue"]), Declare("red", use=False)),
    do(entered("3", made=pack({"3": (Step("turn_rail"), Step("draw"))})), Declare("red", use=True)),
    do(entered("3", made=pack({"3": (Step("table", words="Ha."),)})), Declare("red", use=True)),
    position(deck=[], discard=["spare1", "spare2"]),
]


@given(
    state=st.sampled_from(STATES),
    phase=st.sampled_from(PHASES),
    keep=st.booleans(),
    fields=st.fixed_dictionaries(
        {},
        optional={
            "owed": st.integers(-1, 3),
            "turn": st.integers(-1, 4),
            "drawer": st.integers(-1, 4),
            "turn_over": st.booleans(),
            "chips": st.tuples(*[st.integers(0, 1)] * 3),
            "tickets": st.tuples(*[st.integers(0, 1)] * 3),
            "entries": st.lists(st.integers(0, 3), max_size=2).map(tuple),
            "throws": st.tuples(*[st.integers(-1, 6)] * 3),
            "crossing": st.builds(Crossing, st.integers(0, 3), st.sampled_from(PLAIN.engines)),
            "effect": st.builds(
                Effect,
                st.integers(0, 2),
                st.sampled_from(["3", "6", "G", "x"]),
                use=st.booleans(),
                asked=st.lists(st.integers(0, 2), max_size=2).map(tuple),
                steps=st.sampled_from([(), (Step("draw"),), (Step("turn_rail"), Step("draw"))]),
                chosen=st.lists(st.integers(0, 2), max_size=2).map(tuple),
                count=st.integers(-1, 2),
            ),
        },
    ),
)
def test_a_position_without_faults_can_be_played_on(
    state: State, phase: str, keep: bool, fields: dict[str, Any]
) -> None:
    state = replace(state, phase=state.phase if keep else phase, **fields)
    state = msgspec.json.decode(msgspec.json.encode(state), type=State)
    if GAME.faults(state):
        return
    awaiting = GAME.awaiting(state)
    pile = awaiting.chance if isinstance(awaiting.chance, AwaitedShuffle) else None
    if awaiting.chance is not None:
        chance = Shuffled(pile.cards) if pile else Rolled((6,))
        assert GAME.refusal(state, chance) is None
        assert GAME.faults(GAME.play(state, chance)) == ()
    assert GAME.over(state) or awaiting.chance is not None or awaiting.seats
    for seat in (*state.seats, ""):
        GAME.prompt(state, seat)
        for action in GAME.legal(state, seat)[:40]:
            assert GAME.refusal(state, action) is None
            GAME.story(state, action)
            assert GAME.faults(GAME.play(state, action)) == ()
