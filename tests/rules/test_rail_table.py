"""How the train should look, and the cards that show on the discard piles."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from companion.games.layout import UNKNOWN, Piece
from companion.games.rail_raiders_infinite.actions import PutBack, TurnUp
from companion.games.rail_raiders_infinite.packs.vocabulary import Effect
from companion.games.rail_raiders_infinite.state import HIGH_NOON, LONG_ARM, MODELS, OFF, Card, Job, State
from companion.games.rail_raiders_infinite.table import bare_map, car_place, grit_place, layout, turned_place
from tests.rules.rail_positions import do, made, position


def pieces(state: State, kind: str) -> list[tuple[str, str]]:
    return [(piece.name, piece.place) for piece in layout(state).pieces if piece.kind == kind]


def test_all_lies_on_the_train_or_beside_it() -> None:
    state = position(at={"blue": OFF}, bots={2: (2, 1, 0)}, down=(3,), grit={1: ("steady_aim",)})
    assert pieces(state, "raider") == [("blue", "off"), ("green", "car:1"), ("red", "car:1")]
    assert pieces(state, "lawbot") == [("deputy", "car:2"), ("deputy", "car:2"), ("sheriff", "car:2")]
    assert pieces(state, "roof") == [(UNKNOWN, "tile:3")]
    assert len(pieces(state, "car")) == len(state.cars) - 1
    assert pieces(state, LONG_ARM) == [("steady_aim", "grit:1")]


def test_places_for_different_things_do_not_meet_and_lie_on_the_sheet() -> None:
    table = bare_map(position().edition)
    boxes = {place.name: (place.outline[0], place.outline[2]) for place in (*table.places, table.tray)}
    for (left, top), (right, bottom) in boxes.values():
        assert 0 < left < right < table.width
        assert 0 < top < bottom < table.height
    for one, other in combinations(boxes, 2):
        if one.split(":")[-1] == other.split(":")[-1] and {one[:4], other[:4]} == {"tile", "car:"}:
            continue  # models stand on the car
        (a, b), (c, d) = boxes[one]
        (e, f), (g, h) = boxes[other]
        assert c <= e or g <= a or d <= f or h <= b, (one, other)
    for marker in table.corners:
        reach = marker.side / 2 + 5
        for (left, top), (right, bottom) in boxes.values():
            across = left - reach < marker.at[0] < right + reach
            assert not (across and top - reach < marker.at[1] < bottom + reach)


def test_every_model_car_and_card_has_markers_of_its_own() -> None:
    table = bare_map(position().edition)
    ids = [token.id for token in table.tokens] + [marker.id for marker in table.corners]
    assert len(set(ids)) == len(ids)
    assert max(ids) < 250
    kinds = Counter(token.kind for token in table.tokens)
    assert kinds == {"raider": 4, "lawbot": sum(MODELS), "car": 2 * 14, HIGH_NOON: 56, LONG_ARM: 56}


def turn_up(deck: str, top: str) -> State:
    """That card is to be turned up next, by red, for car 1."""
    jobs = (Job("turn_up", 0, 1, card=deck), Job("act", 0), Job("cleanup", 0), Job("round_end"))
    on_top: dict[str, Any] = {deck: (top,)}
    return position(agenda=jobs, **on_top)


def test_what_is_turned_up_shows_on_its_discards() -> None:
    state = turn_up(HIGH_NOON, "bad_blood")
    assert pieces(state, HIGH_NOON) == []
    state = do(state, TurnUp("red", "bad_blood"))
    assert pieces(state, HIGH_NOON) == [("bad_blood", turned_place(HIGH_NOON))]
    state = do(turn_up(LONG_ARM, "tin_star"), TurnUp("red", "tin_star"))
    assert pieces(state, LONG_ARM) == [("tin_star", turned_place(LONG_ARM))]
    assert ("deputy", car_place(1)) in pieces(state, "lawbot")


def test_grit_lies_beside_its_car_and_not_on_the_discards() -> None:
    state = do(turn_up(LONG_ARM, "steady_aim"), TurnUp("red", "steady_aim"))
    assert pieces(state, LONG_ARM) == [("steady_aim", grit_place(1))]
    assert state.tops == ("", "")


def test_a_pile_that_was_looked_through_shows_a_card_that_nobody_named() -> None:
    """The card that showed went back into the deck; another one shows, if there is one."""
    back = Card("bad_blood", "Bad Blood", words="Back.", steps=(Effect("return_high_noon"),))
    for others, shows in (((), ""), (("downhill",), UNKNOWN)):
        job = Job("put_back", 0)
        state = position(
            pack=made(bad_blood=back),
            agenda=(job, Job("act", 0), Job("cleanup", 0), Job("round_end")),
            high_noon=("bad_blood", *others),
        )
        discards = ("bad_blood", *others)
        state = replace(
            state,
            high_noon=state.high_noon[len(discards) :],
            high_noon_discard=tuple(sorted(discards)),
            tops=("bad_blood", ""),
        )
        state = do(state, PutBack("red", "bad_blood"))
        assert state.tops == (shows, "")
        assert (Piece(HIGH_NOON, UNKNOWN, turned_place(HIGH_NOON)) in layout(state).pieces) == bool(shows)
