"""The rulebook's sentences that no case and no ruling has a test for: Derailing to End of the Line."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.game import AwaitedShuffle, Rolled, Shuffled
from companion.games.hellrail import GAME
from companion.games.hellrail.actions import (
    Cross,
    Declare,
    EndTurn,
    Fan,
    Move,
)
from companion.games.hellrail.rails import empty, occupied
from companion.games.hellrail.state import (
    ACTIONS,
    BARRIER,
    CHIPS,
    COIN,
    GATE,
    OVER,
    Rail,
    State,
    Step,
    rail_cards,
)
from companion.games.hellrail.track import Position
from companion.games.layout import UNKNOWN
from tests.rules.hellrail_positions import (
    TRIO,
    begin,
    circle,
    do,
    engine,
    entered,
    hand,
    in_turn,
    line,
    may,
    pack,
    position,
    refused,
    tie,
    train,
)

# Derailing, Humping the Draw Pile


def test_a_derail_costs_the_hand_the_cars_the_place_and_the_turn() -> None:
    state = position(
        rails=line(1),
        engines={"red": tie(4)},
        hands={"red": ["v2b5", "spare1", "spare2"]},
        loaded={"red": ["from3to5", "from3to9"]},
    )
    state = do(state, Move("red", "v2b5", None))
    assert (hand(state, "red"), train(state, "red")) == ((), ())
    assert (engine(state, "red"), in_turn(state)) == (circle(state, GATE), "blue")
    # The hand went first; nobody saw which cards it was.
    assert (state.discard, state.buried) == (("v2b5", "from3to5", "from3to9"), ("spare1", "spare2"))
    assert GAME.hide(state).buried == (UNKNOWN, UNKNOWN)


def test_the_pile_is_not_humped_before_a_card_is_needed() -> None:
    state = position(hands={"red": ["v1b1"]}, deck=["spare1"], discard=["spare2"])
    state = do(state, Fan("red", "v1b1"))
    # The fan took the last card; Blue is the one who needs another.
    assert (hand(state, "red"), state.owed, state.drawer, in_turn(state)) == (("spare1",), 1, 1, "blue")
    state = position(deck=["spare1"], discard=["spare2"])
    state = do(state, EndTurn("red"))
    assert (state.deck, state.discard, state.owed, GAME.awaiting(state).chance) == ((), ("spare2",), 0, None)
    assert refused(state, Shuffled(("spare2",))).section == "Humping the Draw Pile"


def test_discards_are_shuffled_and_turned_face_down() -> None:
    state = do(position(deck=[], discard=["spare2", "spare3"]), EndTurn("red"))
    assert GAME.awaiting(state).chance == AwaitedShuffle(("spare2", "spare3"), "Humping the Draw Pile")
    assert [piece.place for piece in GAME.layout(state).pieces if piece.place == "discard"] == ["discard"]
    state = do(state, Shuffled(("spare3", "spare2")))
    assert (state.deck, state.discard, state.top, hand(state, "blue")) == (("spare2",), (), "", ("spare3",))
    assert GAME.hide(state).deck == (UNKNOWN,)
    assert not [piece for piece in GAME.layout(state).pieces if piece.place == "discard"]


def test_discards_that_nobody_was_shown_are_humped_too() -> None:
    state = replace(position(deck=[], discard=["spare2"]), discard=(), buried=("spare2",))
    state = do(state, EndTurn("red"))
    assert (state.owed, GAME.awaiting(state).chance) == (
        1,
        AwaitedShuffle(("spare2",), "Humping the Draw Pile"),
    )


def test_anybody_may_count_the_draw_pile() -> None:
    state = position(deck=["spare1", "spare2"])
    for seat in ("", *TRIO):
        prompt = GAME.prompt(state, seat)
        assert "Draw Pile 2" in " ".join((*prompt.reminders, prompt.status))
        assert len(GAME.view(state, seat).deck) == 2


# Heresy Chips, Boatman Tickets


def test_a_chip_is_gained_by_entering_circle_six() -> None:
    state = do(entered("6"), Declare("red", use=True))
    assert (state.chips, CHIPS - sum(state.chips)) == ((1, 0, 0), 3)


def test_a_ticket_is_taken_at_circle_one_if_one_has_none_and_one_is_left() -> None:
    assert do(entered("1"), Declare("red", use=True)).tickets == (1, 0, 0)
    assert do(entered("1"), Declare("red", use=False)).tickets == (0, 0, 0)
    assert do(entered("1", tickets=["red"]), Declare("red", use=True)).tickets == (1, 0, 0)
    assert do(entered("1", tickets=["blue", "green"]), Declare("red", use=True)).tickets == (0, 1, 1)


@pytest.mark.parametrize("blanks", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
def test_the_die_decides_on_every_crossing(blanks: int, die: int) -> None:
    rails = {**line(1), (2 + blanks, 0): ("straight4", 90)}
    state = position(rails=rails, engines={"red": tie(4)}, hands={"red": ["v1b1"]}, tickets=["red"])
    [cross] = may(state, Cross)
    assert f"{blanks + 1} or more on the die" in str(GAME.prompt(state, "red", "v1b1").choices)
    state = do(state, cross, Rolled((die,)))
    assert engine(state, "red") == (cross.to if die > blanks else circle(state, GATE))


# Occupied vs. Empty, Card Anatomy


def test_engines_alone_occupy_a_card_and_anything_keeps_it_from_being_empty() -> None:
    bare, coin = Rail((1, 0), "straight1", 90), Rail((2, 0), "straight2", 90, counters=(COIN,))
    barrier, under = Rail((3, 0), "straight3", 90, counters=(BARRIER,)), Rail((4, 0), "straight4", 90)
    state = position(
        rails={rail.cell: rail for rail in (bare, coin, barrier, under)},
        engines={"blue": Position((4, 0), "EW", 1, "E")},
    )
    on_cards = occupied(state) & {rail.cell for rail in state.rails}
    assert on_cards == {(4, 0)}
    assert [empty(state, rail) for rail in state.rails] == [True, False, False, False]


def test_each_card_shows_its_numbers_its_circles_and_its_rail() -> None:
    card = rail_cards(begin().edition)["from3to5"]
    assert (card.value, card.pickup, card.setout, card.brimstone) == (7, "3", "5", 2)
    assert card.track.segments == ("NE3",)
    assert [circle.name for circle in begin().edition.circles] == [GATE, *"123456789"]
    prompt = GAME.prompt(position(hands={"red": ["from3to5"]}), "red", "from3to5")
    assert "Value 7 = up to 7 ties" in prompt.reminders[0]
    assert "Picked up at Circle 3, set out at Circle 5" in prompt.reminders[1]


# End of the Line


def over(**fields: object) -> State:
    return do(position(deck=[], discard=[], **fields), EndTurn("red"))  # type: ignore[arg-type]


def test_delivered_cars_count_and_loaded_ones_break_ties() -> None:
    state = over(
        delivered={"red": ["v9b1"], "blue": ["v4b1", "v5b5"], "green": ["v4b4"]},
        loaded={"red": ["v2b5"], "blue": ["v3b2"], "green": ["v9b5"]},
    )
    assert [(standing.seat, standing.place) for standing in GAME.scores(state)] == [
        ("blue", 1),
        ("red", 2),
        ("green", 3),
    ]


def test_a_card_needed_for_any_reason_ends_the_game_at_once() -> None:
    fan = do(position(hands={"red": ["v2b5"]}, deck=[], discard=[]), Fan("red", "v2b5"), Shuffled(("v2b5",)))
    assert (GAME.over(fan), in_turn(fan)) == (True, "red")
    effect = do(entered("3", deck=[], discard=[]), Declare("red", use=True))
    assert GAME.over(do(effect, Shuffled(("v1b1",)))) is False
    twice = pack({"3": (Step("draw", count=2),)})
    effect = do(entered("3", made=twice, deck=[], discard=[]), Declare("red", use=True), Shuffled(("v1b1",)))
    assert GAME.over(effect)
    assert GAME.awaiting(effect).seats == ()


def test_what_ends_a_game_with_a_derail() -> None:
    # Red derails; the cards that this gives up are there to be humped.
    state = position(
        rails=line(1), engines={"red": tie(4)}, hands={"red": ["v1b1", "spare1"]}, deck=[], discard=[]
    )
    state = do(state, Move("red", "v1b1", None))
    assert (state.phase, state.owed, len(state.buried)) == (ACTIONS, 1, 1)
    assert GAME.awaiting(state).chance is not None


def test_over_means_over() -> None:
    state = over()
    assert state.phase == OVER
    for action in (EndTurn("red"), EndTurn("blue"), Rolled((1,)), Shuffled(())):
        assert refused(state, action).section == "End of the Line"
