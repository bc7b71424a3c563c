"""Circle Effects, step by step, and the ways in which they stop, go on and end."""

from __future__ import annotations

from typing import Any

import pytest

from companion.bots.hellrail import HellRailBot
from companion.games.game import AwaitedShuffle, Shuffled
from companion.games.hellrail import GAME
from companion.games.hellrail.actions import (
    Declare,
    Derail,
    DiscardCard,
    Done,
    DrawCard,
    Gain,
    MoveEngine,
    PutCounter,
    ScrapRail,
    TakeCounter,
    Target,
    TurnRail,
)
from companion.games.hellrail.state import (
    ACTIONS,
    BARRIER,
    CHIP,
    COIN,
    EFFECT,
    GATE,
    OPPONENTS,
    OVER,
    TICKET,
    Rail,
    State,
    Step,
)
from companion.games.hellrail.track import Position
from tests.rules.hellrail_positions import (
    TRIO,
    Rails,
    circle,
    counted,
    do,
    engine,
    entered,
    hand,
    in_turn,
    may,
    pack,
    rail,
    refused,
    tie,
)


def using(*steps: Step, **fields: Any) -> State:
    """Red has entered Circle 3, whose Effect has these steps, and uses it."""
    state = entered("3", made=pack({"3": steps}), **fields)
    return do(state, Declare("red", use=True))


# Cards


def test_cards_are_drawn_for_oneself_for_another_and_for_all_others() -> None:
    assert counted(using(Step("draw", count=2)).hands) == [2, 0, 0]
    assert counted(using(Step("draw", who="opponents", count=2)).hands) == [0, 2, 2]
    state = using(Step("draw", who="opponent"))
    assert may(state, Target) == [Target("red", "blue"), Target("red", "green")]
    assert counted(do(state, Target("red", "green")).hands) == [0, 0, 1]
    assert len(may(using(Step("draw", who="anyone")), Target)) == 3


def test_a_draw_in_an_effect_humps_the_pile_and_the_effect_goes_on() -> None:
    state = using(
        Step("draw", who="opponents", count=2), Step("draw"), deck=["spare1"], discard=["spare2", "spare3"]
    )
    # Blue has drawn one of two; the Move card lies on the discard pile, too.
    assert (state.phase, state.owed, state.drawer, state.top) == (EFFECT, 1, 1, "v1b1")
    assert GAME.awaiting(state).chance == AwaitedShuffle(
        ("spare2", "spare3", "v1b1"), "Humping the Draw Pile"
    )
    assert not any(GAME.legal(state, seat) for seat in TRIO)
    state = do(state, Shuffled(("spare3", "v1b1", "spare2")))
    # One for Blue, two for Green; then nothing is left for Red, and both piles are empty.
    assert state.hands == ((), ("spare1", "spare3"), ("spare2", "v1b1"))
    assert (state.phase, state.owed) == (OVER, 0)


def test_a_draw_in_an_effect_that_finds_both_piles_empty_ends_the_game() -> None:
    state = using(Step("draw", count=3), deck=[], discard=[])
    assert state.owed == 3
    state = do(state, Shuffled(("v1b1",)))
    assert GAME.over(state)
    assert hand(state, "red") == ("v1b1",)


def test_cards_are_discarded_as_their_holder_chooses() -> None:
    held = {"red": ["v1b1"], "blue": ["spare1", "spare2", "spare3"], "green": ["spare4"]}
    state = using(Step("discard", who="opponents", count=2), hands=held)
    assert GAME.awaiting(state).seats == ("blue",)
    assert GAME.legal(state, "red") == ()
    assert refused(state, DiscardCard("red", "spare1")).rule == "HR-A39"
    state = do(state, DiscardCard("blue", "spare2"))
    assert (state.top, GAME.awaiting(state).seats) == ("spare2", ("blue",))
    state = do(state, DiscardCard("blue", "spare1"))
    # Green has but one card, and discards that.
    assert GAME.awaiting(state).seats == ("green",)
    state = do(state, DiscardCard("green", "spare4"))
    assert (state.hands, state.phase) == (((), ("spare3",), ()), ACTIONS)


def test_who_holds_nothing_discards_nothing() -> None:
    state = using(Step("discard"), Step("draw"))
    assert (counted(state.hands), state.phase) == ([1, 0, 0], ACTIONS)
    held = {"red": ["v1b1"], "green": ["spare4"]}
    state = using(Step("discard", who="opponent"), hands=held)
    # Green alone can: nobody is to be chosen.
    assert GAME.awaiting(state).seats == ("green",)


# Chips, tickets, derailing


def test_a_chip_or_ticket_goes_to_who_can_have_it() -> None:
    gain = Step("gain", who="anyone", what=TICKET)
    state = using(gain, tickets=["red"])
    assert may(state, Target) == [Target("red", "blue"), Target("red", "green")]
    assert do(state, Target("red", "green")).tickets == (1, 0, 1)
    state = do(
        entered("3", made=pack({"3": (Step("gain", who="anyone", what=CHIP),)}), chips=["red"]),
        Declare("red", use=True),
    )
    assert may(state, Target) == [Target("red", "blue"), Target("red", "green")]
    assert using(gain, tickets=["red", "blue"]).phase == ACTIONS
    # Two opponents, one ticket left: the first one clockwise gets it.
    assert using(Step("gain", who="opponents", what=TICKET), tickets=["red"]).tickets == (1, 1, 0)


def test_derailing_oneself_ends_the_turn_and_what_the_effect_still_says() -> None:
    state = using(Step("derail"), Step("draw", count=3), hands={"red": ["v1b1", "spare1"]})
    assert (in_turn(state), hand(state, "red"), engine(state, "red")) == ("blue", (), circle(state, GATE))
    assert counted(state.hands) == [0, 1, 0]


def test_derailing_an_opponent_ends_nobodys_turn() -> None:
    state = using(Step("derail", who="opponent"), Step("draw"), hands={"red": ["v1b1"], "green": ["spare1"]})
    state = do(state, Target("red", "green"))
    assert (in_turn(state), state.phase, counted(state.hands)) == ("red", ACTIONS, [1, 0, 0])
    assert (state.buried, state.top) == (("spare1",), "")


def test_all_opponents_derail_at_once() -> None:
    loaded = {"blue": ["from3to5"], "green": ["from3to9"]}
    state = using(Step("derail", who="opponents"), loaded=loaded)
    assert (state.loaded, state.discard, state.top) == (
        ((), (), ()),
        ("v1b1", "from3to5", "from3to9"),
        "",
    )


@pytest.mark.parametrize(
    ("hands", "cars", "top"),
    [
        ([], [], "v1b1"),
        ([], ["from3to5"], "from3to5"),
        (["spare1"], ["from3to5"], "from3to5"),
        (["spare1"], [], ""),
        (["spare1", "spare2"], ["from3to5", "from3to9"], ""),
        ([], ["from3to5", "from3to9"], ""),
    ],
)
def test_after_a_derail_the_card_that_shows_is_known_if_one_alone_can_show(
    hands: list[str], cars: list[str], top: str
) -> None:
    fields = {"hands": {"red": ["v1b1"], "blue": hands}, "loaded": {"blue": cars}}
    state = do(using(Step("derail", who="opponent"), **fields), Target("red", "blue"))
    assert state.top == top
    piles = [piece.name for piece in GAME.layout(state).pieces if piece.place == "discard"]
    assert piles == [top or "?"]


# Rail and counters


def rails() -> Rails:
    return {
        (4, 3): ("curve1", 180),
        (6, 5): Rail((6, 5), "curve2", 0, (("curve3", 90),)),
        (8, 3): Rail((8, 3), "curve4", 0, counters=(COIN,)),
    }


ON_RAIL = {"blue": Position((4, 3), "SW", 2, "S")}


def test_an_empty_card_is_turned() -> None:
    state = using(Step("turn_rail"), rails=rails(), engines=ON_RAIL)
    # Not Blue's card, which is occupied, nor the one with a coin, which is not empty.
    assert {turn.cell for turn in may(state, TurnRail)} == {(1, 0), (6, 5)}
    assert {turn.turn for turn in may(state, TurnRail) if turn.cell == (6, 5)} == {90, 180, 270}
    assert refused(state, TurnRail("red", (4, 3), 0)).rule == "HR-A40"
    assert refused(state, TurnRail("red", (8, 3), 90)).section == "Occupied vs. Empty"
    assert "another of its four turns" in refused(state, TurnRail("red", (6, 5), 0)).sentence
    assert "four turns" in refused(state, TurnRail("red", (6, 5), 45)).sentence
    assert "No Rail Card lies" in refused(state, TurnRail("red", (9, 9), 90)).sentence
    state = do(state, TurnRail("red", (6, 5), 270))
    assert rail(state, (6, 5)) == Rail((6, 5), "curve2", 270, (("curve3", 90),))


def test_an_empty_card_is_discarded_and_what_it_covered_shows_again() -> None:
    state = using(Step("scrap_rail"), rails=rails(), engines=ON_RAIL)
    assert {scrap.cell for scrap in may(state, ScrapRail)} == {(1, 0), (6, 5)}
    assert refused(state, ScrapRail("red", (4, 3))).rule == "HR-A40"
    after = do(state, ScrapRail("red", (6, 5)))
    assert (rail(after, (6, 5)), after.top) == (Rail((6, 5), "curve3", 90), "curve2")
    deep = {(6, 5): Rail((6, 5), "curve2", 0, (("curve3", 90), ("curve4", 180)))}
    after = do(using(Step("scrap_rail"), rails=deep), ScrapRail("red", (6, 5)))
    assert rail(after, (6, 5)) == Rail((6, 5), "curve4", 180, (("curve3", 90),))
    gone = do(state, ScrapRail("red", (1, 0)))
    assert (1, 0) not in {rail.cell for rail in gone.rails}


def test_counters_go_on_cards_without_engines_one_of_a_kind() -> None:
    state = using(Step("put_counter", what=COIN), rails=rails(), engines=ON_RAIL)
    assert {put.cell for put in may(state, PutCounter)} == {(1, 0), (6, 5)}
    assert "already" in refused(state, PutCounter("red", (8, 3), COIN)).sentence
    assert "coin, nothing else" in refused(state, PutCounter("red", (6, 5), BARRIER)).sentence
    assert refused(state, PutCounter("red", (4, 3), COIN)).rule == "HR-A40"
    state = do(state, PutCounter("red", (6, 5), COIN))
    assert rail(state, (6, 5)).counters == (COIN,)
    both = using(Step("put_counter", what=BARRIER), rails=rails())
    assert rail(do(both, PutCounter("red", (8, 3), BARRIER)), (8, 3)).counters == (BARRIER, COIN)


def test_counters_are_taken_off() -> None:
    state = using(Step("take_counter"), rails=rails())
    assert may(state, TakeCounter) == [TakeCounter("red", (8, 3), COIN)]
    assert "No barrier lies" in refused(state, TakeCounter("red", (8, 3), BARRIER)).sentence
    assert rail(do(state, TakeCounter("red", (8, 3), COIN)), (8, 3)).counters == ()
    barriers_only = using(Step("take_counter", what=BARRIER), rails=rails())
    assert barriers_only.phase == ACTIONS


def test_a_step_is_done_as_often_as_it_says() -> None:
    state = using(Step("put_counter", what=COIN, count=2), rails=rails())
    state = do(state, PutCounter("red", (1, 0), COIN))
    assert state.phase == EFFECT
    state = do(state, PutCounter("red", (4, 3), COIN))
    assert state.phase == ACTIONS


def test_a_step_that_cannot_be_done_is_passed_over() -> None:
    covered = {(1, 0): Rail((1, 0), "straight1", 90, counters=(COIN,))}
    made = pack({"3": (Step("turn_rail"), Step("scrap_rail"), Step("draw"))})
    state = do(entered("3", made=made), Declare("red", use=True))
    state = do(state, TurnRail("red", (1, 0), 0), ScrapRail("red", (1, 0)))
    assert (len(hand(state, "red")), state.phase) == (1, ACTIONS)
    nothing = using(Step("turn_rail"), Step("scrap_rail"), Step("draw"), rails=covered)
    assert (len(hand(nothing, "red")), nothing.phase) == (1, ACTIONS)


# Engines


def test_an_engine_is_moved_to_a_circle_and_enters_nothing() -> None:
    state = using(Step("move_engine", who="anyone"))
    state = do(state, Target("red", "blue"))
    assert len(may(state, MoveEngine)) == 9  # not the Gate, where it is
    assert "there already" in refused(state, MoveEngine("red", "blue", circle(state, GATE))).sentence
    assert "Blue's engine" in refused(state, MoveEngine("red", "green", circle(state, "1"))).sentence
    assert "moved to a Circle" in refused(state, MoveEngine("red", "blue", tie(1))).sentence
    state = do(state, MoveEngine("red", "blue", circle(state, "6")))
    assert (engine(state, "blue"), state.chips, state.phase) == (circle(state, "6"), (0, 0, 0), ACTIONS)


def test_where_one_circle_is_named_nothing_is_to_be_chosen() -> None:
    state = using(Step("move_engine", to="6"))
    assert (engine(state, "red"), state.phase, state.chips) == (circle(state, "6"), ACTIONS, (0, 0, 0))
    there = using(Step("move_engine", who="anyone", to=GATE))
    # Blue and Green are at the Gate already: Red alone can be moved there.
    assert engine(there, "red") == circle(there, GATE)


# What may be left out


def test_an_optional_step_may_be_left_out() -> None:
    for step in (Step("draw", optional=True), Step("derail", who="opponent", optional=True)):
        state = using(step)
        assert may(state, Done) == [Done("red")]
        assert do(state, Done("red")).phase == ACTIONS
    state = using(Step("draw", optional=True))
    assert counted(do(state, Target("red", "red")).hands) == [1, 0, 0]
    assert "may not be left out" in refused(using(Step("turn_rail")), Done("red")).sentence


def test_an_optional_step_for_all_opponents_is_for_all_of_them_or_none() -> None:
    state = using(Step("draw", who=OPPONENTS, optional=True))
    assert GAME.legal(state, "red") == (Target("red", OPPONENTS), Done("red"))
    assert refused(state, Target("red", "blue")).instead == (Target("red", OPPONENTS),)
    assert counted(do(state, Target("red", OPPONENTS)).hands) == [0, 1, 1]
    assert counted(do(state, Done("red")).hands) == [0, 0, 0]
    assert HellRailBot().choose(GAME, GAME.view(state, "red"), "red", GAME.legal(state, "red")) == Done("red")


def test_each_engine_may_be_left_where_it_is() -> None:
    state = using(Step("move_engine", who=OPPONENTS, to="6", optional=True))
    assert may(state, MoveEngine) == [MoveEngine("red", "blue", circle(state, "6"))]
    state = do(state, Done("red"))
    assert may(state, MoveEngine) == [MoveEngine("red", "green", circle(state, "6"))]
    state = do(state, MoveEngine("red", "green", circle(state, "6")))
    assert (state.phase, engine(state, "blue")) == (ACTIONS, circle(state, GATE))


# What the table does


def table(**fields: Any) -> State:
    return using(Step("table", words="Do as you like."), **fields)


def test_the_table_tells_what_it_did_in_any_order() -> None:
    state = table(rails=rails(), engines=ON_RAIL, hands={"red": ["v1b1"], "blue": ["spare1"]})
    state = do(
        state,
        DrawCard("red", "green"),
        Gain("red", "red", CHIP),
        Gain("red", "blue", TICKET),
        TurnRail("red", (8, 3), 90),
        PutCounter("red", (6, 5), BARRIER),
        TakeCounter("red", (8, 3), COIN),
        ScrapRail("red", (1, 0)),
        DiscardCard("blue", "spare1"),
        MoveEngine("red", "green", Position((6, 5), "NE", 2, "E")),
        Derail("red", "blue"),
    )
    assert state.phase == EFFECT
    state = do(state, Done("red"))
    assert (state.phase, in_turn(state)) == (ACTIONS, "red")
    assert (state.chips, state.tickets, counted(state.hands)) == ((1, 0, 0), (0, 1, 0), [0, 0, 1])
    assert engine(state, "green") == Position((6, 5), "NE", 2, "E")


def test_what_the_table_tells_must_be_possible() -> None:
    state = table(rails=rails(), engines=ON_RAIL, tickets=["blue"])
    for action, words in (
        (Derail("red", "pink"), "Nobody plays 'pink'"),
        (DrawCard("red", "pink"), "Nobody plays 'pink'"),
        (Gain("red", "pink", CHIP), "Nobody plays 'pink'"),
        (MoveEngine("red", "pink", tie(1)), "Nobody plays 'pink'"),
        (Gain("red", "blue", TICKET), "Blue has a ticket already"),
        (Gain("red", "blue", "soul"), "no 'soul' to gain"),
        (MoveEngine("red", "blue", ON_RAIL["blue"]), "there already"),
        (MoveEngine("red", "green", Position((4, 3), "SW", 2, "W")), "one to a tie"),
        (MoveEngine("red", "green", Position((4, 3), "SW", 9, "W")), "on a black tie"),
        (MoveEngine("red", "green", Position((9, 9))), "on a black tie"),
        (Target("red", "blue"), "Nobody is to be chosen"),
        (Derail("blue", "green"), "Red tells"),
        (DiscardCard("blue", "spare1"), "does not hold"),
        (PutCounter("red", (6, 5), "flag"), "no counter 'flag'"),
        (ScrapRail("red", (4, 3)), "An engine stands"),
    ):
        assert words in refused(state, action).sentence


def test_the_table_may_draw_until_the_piles_are_empty() -> None:
    state = table(deck=["spare1"], discard=["spare2"])
    state = do(state, DrawCard("red", "blue"), DrawCard("red", "green"))
    assert state.owed == 1
    state = do(state, Shuffled(("v1b1", "spare2")))
    assert (state.phase, counted(state.hands)) == (EFFECT, [0, 1, 1])
    state = do(state, DrawCard("red", "red"), DrawCard("red", "red"))
    assert GAME.over(state)


def test_an_effect_of_another_circle_is_not_asked_for() -> None:
    state = using(Step("turn_rail"))
    assert "does not say that now" in refused(state, ScrapRail("red", (1, 0))).sentence
    assert "does not say that now" in refused(state, Target("red", "blue")).sentence
    state = using(Step("derail", who="opponent"))
    assert "First say which player" in refused(state, Derail("red", "blue")).sentence
    assert "cannot be for 'red'" in refused(state, Target("red", "red")).sentence


def test_an_effect_that_ends_with_a_draw_waits_for_the_shuffle_and_is_over_then() -> None:
    made = pack({"9": (Step("scrap_rail"), Step("draw"))})
    state = entered("9", made=made, rails={(4, 1): "curve1"}, deck=[], discard=["spare1"])
    state = do(state, Declare("red", use=True), ScrapRail("red", (4, 1)))
    assert (state.phase, state.owed, state.effect and state.effect.steps) == (EFFECT, 1, ())
    assert GAME.faults(state) == ()
    state = do(state, Shuffled(("curve1", "spare1", "v1b1")))
    assert (state.phase, state.effect) == (ACTIONS, None)
    assert hand(state, "red") == ("curve1",)
