"""HellRail's house edition, what is said of a pack that does not fit, and packs that owners enter."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games.hellrail.entering import EnterCircle, EnterRail, Entry, put
from companion.games.hellrail.pack import (
    CircleEntry,
    Gap,
    Pack,
    RailEntry,
    edition,
    load_pack,
    missing,
    to_toml,
)
from companion.games.hellrail.pack_faults import CIRCLES, RAIL_CARDS, WHO
from companion.games.hellrail.state import (
    COLUMNS,
    COUNTERS,
    ROWS,
    STEPS,
    Step,
    circle_cards,
    rail_cards,
)
from companion.games.hellrail.table import marker_corners
from companion.games.hellrail.track import SIDES, Track, face

TEXT = (Path(__file__).parents[2] / "companion/games/hellrail/packs/house.toml").read_text("utf-8")
HOUSE = load_pack(TEXT)

STRAIGHTS = ("NS", "EW")


def blank(title: str = "Mine") -> Pack:
    """An owner's pack in which nothing is entered but the names."""
    return replace(
        HOUSE,
        title=title,
        rails=tuple(RailEntry(card.name) for card in HOUSE.rails),
        circles=tuple(CircleEntry(circle.name) for circle in HOUSE.circles),
    )


def pairs(card: RailEntry) -> list[str]:
    return [segment[:2] for segment in card.track]


# The house edition


def test_the_house_edition_is_complete() -> None:
    assert missing(HOUSE) == ()
    assert [card.name for card in HOUSE.rails] == [f"r{number:02}" for number in range(1, 46)]
    assert tuple(circle.name for circle in HOUSE.circles) == CIRCLES
    assert all(circle.title and circle.words.endswith(".") for circle in HOUSE.circles)


def test_the_house_effects_use_every_step_and_give_what_the_rulebook_names() -> None:
    steps = {circle.name: circle.steps for circle in HOUSE.circles}
    assert {step.do for each in steps.values() for step in each} == set(STEPS)
    assert {step.what for each in steps.values() for step in each if step.do == "put_counter"} == set(
        COUNTERS
    )
    givers = [(name, step.what) for name, each in steps.items() for step in each if step.do == "gain"]
    assert givers == [("1", "ticket"), ("6", "chip")]


def test_no_house_circle_gives_its_visitor_more_cards_than_it_takes() -> None:
    """A Move costs a card, so that a turn cannot go on for ever."""
    for circle in HOUSE.circles:
        for hand in range(8):
            held = hand
            for step in circle.steps:
                assert step.do not in ("draw", "discard") or step.who == "self"
                if step.do == "draw":
                    held += step.count
                elif step.do == "discard" and not step.optional:
                    held -= min(step.count, held)
            assert held <= hand, f"Circle {circle.name} with {hand} cards in hand"
            assert not any("draw" in step.words.lower() for step in circle.steps)


def test_the_house_curves_have_three_ties_and_the_straights_four() -> None:
    ties = {(segment[:2] in STRAIGHTS, int(segment[2:])) for card in HOUSE.rails for segment in card.track}
    assert ties == {(True, 4), (False, 3)}


def test_the_house_cards_are_mostly_curves_with_straights_and_branches_and_no_crossing() -> None:
    kinds = Counter("+".join(pairs(card)) for card in HOUSE.rails)
    assert kinds["NE"] > 20
    assert 5 <= kinds["NS"] <= 9
    assert sum(count for kind, count in kinds.items() if kind.count("+")) >= 10
    for card in HOUSE.rails:
        assert not set(STRAIGHTS) <= set(pairs(card)), card.name


def test_where_two_house_segments_touch_a_side_they_share_its_first_tie() -> None:
    for card in HOUSE.rails:
        touching = Counter("".join(pairs(card)))
        assert card.shared == {side: 1 for side in SIDES if touching[side] > 1}, card.name


def test_each_house_card_has_two_corners_for_its_markers() -> None:
    for card in edition(HOUSE).rails:
        curved = {frozenset(segment[:2]) for segment in card.track.segments}
        assert not curved & {frozenset(corner) for corner in marker_corners(card.track)}, card.name


def test_fast_house_cards_burn_little_and_slow_ones_much() -> None:
    assert {card.value for card in HOUSE.rails} == set(range(3, 10))
    assert {card.brimstone for card in HOUSE.rails} == set(range(1, 6))
    burn = {value: [card.brimstone for card in HOUSE.rails if card.value == value] for value in range(3, 10)}
    means = [sum(each) / len(each) for each in burn.values()]
    assert all(slow > fast for slow, fast in pairwise(means))
    assert max(len(each) for each in burn.values()) <= 8


def test_house_cars_come_from_everywhere_and_go_everywhere() -> None:
    for field in ("pickup", "setout"):
        counts = Counter(getattr(card, field) for card in HOUSE.rails)
        assert set(counts) == set(CIRCLES)
        assert set(counts.values()) <= {4, 5}
    journeys = [(card.pickup, card.setout) for card in HOUSE.rails]
    assert len(set(journeys)) == RAIL_CARDS
    far = [abs(CIRCLES.index(start) - CIRCLES.index(end)) for start, end in journeys]
    assert set(Counter(min(steps, 10 - steps) for steps in far)) == {1, 2, 3, 4, 5}


@pytest.mark.parametrize("setup", ["ring", "sacrilege"])
def test_in_the_house_set_ups_each_circle_is_diagonal_to_the_next(setup: str) -> None:
    cells = [HOUSE.setups[setup][name] for name in CIRCLES]
    closed = [*cells, cells[0]] if setup == "ring" else cells
    assert all(abs(a[0] - b[0]) == 1 == abs(a[1] - b[1]) for a, b in pairwise(closed))
    assert all(0 <= column < COLUMNS and 0 < row < ROWS - 1 for column, row in cells)


# The edition for the State


def test_the_edition_has_the_cards_as_the_rules_want_them() -> None:
    found = edition(HOUSE)
    assert found.name == "house"
    assert hash(found) == hash(edition(load_pack(TEXT)))
    first = HOUSE.rails[0]
    card = rail_cards(found)[first.name]
    assert (card.value, card.pickup, card.setout, card.brimstone) == (
        first.value,
        first.pickup,
        first.setout,
        first.brimstone,
    )
    assert circle_cards(found)["6"].steps == (Step("gain", what="chip"),)
    assert all(face(card.track, 90).segments for card in found.rails)


def test_the_edition_sorts_segments_as_the_sides_are_and_counts_shared_ties_by_side() -> None:
    card = RailEntry("r01", 5, "1", "2", 3, ("ES3", "NE3", "NS4"), {"S": 1, "E": 1})
    assert edition(put(HOUSE, EnterRail(card))).rails[0].track == Track(("NE3", "NS4", "ES3"), (0, 1, 1, 0))


# Faults


# The first cards of the pack in which faults are put, so that no fault depends on the house's own cards.
PLAIN = re.sub(
    r'name = "r01", .*\n.*',
    """name = "r01", value = 9, pickup = "5", setout = "9", brimstone = 1, track = ["NE3"] },
    { name = "r02", value = 9, pickup = "3", setout = "9", brimstone = 1, track = ["NS4"] },""",
    TEXT,
    count=1,
)


def faulty(old: str, new: str) -> str:
    assert old in PLAIN
    with pytest.raises(ValueError, match="pack") as raised:
        load_pack(PLAIN.replace(old, new, 1))
    return str(raised.value)


def test_the_pack_for_faults_has_none() -> None:
    assert load_pack(PLAIN).rails[2:] == HOUSE.rails[2:]


@pytest.mark.parametrize(
    ("old", "new", "faults"),
    [
        ('name = "house"', "name = house", ["not TOML"]),
        ('name = "house"', "name = 5", ["$.name"]),
        ('name = "house"', 'name = "house"\nsize = 3', ["size"]),
        ('name = "r02", value = 9', 'name = "r02", value = "9"', ["$.rails[1].value"]),
        ('name = "r02"', 'name = "r02", colour = "red"', ["colour", "$.rails[1]"]),
        ('{ name = "r02", ', "{ ", ["name", "$.rails[1]"]),
        ('name = "r02"', 'name = "r01"', ["'r01' comes twice", "`$.rails[1].name`"]),
        ('name = "r02"', 'name = "?"', ["not '?'", "`$.rails[1].name`"]),
        ('name = "r02"', 'name = "R 2"', ["small letters", "`$.rails[1].name`"]),
        ('name = "r02"', 'name = "r02\\n"', ["small letters", "`$.rails[1].name`"]),
        ('name = "r02", value = 9', 'name = "r02", value = 10', ["1 to 9", "not 10", "`$.rails[1].value`"]),
        ('name = "r02", value = 9', 'name = "r02", value = -1', ["not -1", "`$.rails[1].value`"]),
        ("brimstone = 1", "brimstone = 11", ["Brimstone Value", "not 11", "`$.rails[0].brimstone`"]),
        ('pickup = "5"', 'pickup = "10"', ["no Circle '10'", "G, 1, 2", "`$.rails[0].pickup`"]),
        ('setout = "9"', 'setout = "g"', ["no Circle 'g'", "`$.rails[0].setout`"]),
        ('track = ["NE3"]', 'track = ["EN3"]', ["order N, E, S, W", "'EN3'", "`$.rails[0].track[0]`"]),
        ('track = ["NE3"]', 'track = ["NN3"]', ["two sides", "`$.rails[0].track[0]`"]),
        ('track = ["NE3"]', 'track = ["NX3"]', ["'NX3'", "`$.rails[0].track[0]`"]),
        ('track = ["NE3"]', 'track = ["NE"]', ["'NE'", "1 to 9 ties", "`$.rails[0].track[0]`"]),
        ('track = ["NE3"]', 'track = ["NE0"]', ["'NE0'", "`$.rails[0].track[0]`"]),
        ('track = ["NE3"]', 'track = ["NE12"]', ["'NE12'", "`$.rails[0].track[0]`"]),
        ('track = ["NE3"]', 'track = ["", "NE3"]', ["not ''", "`$.rails[0].track[0]`"]),
        (
            'track = ["NE3"]',
            'track = ["NE3", "NE4"]',
            ["sides NE are joined twice", "`$.rails[0].track[1]`"],
        ),
        (
            'track = ["NE3"]',
            'track = ["NE3"], shared = { N = 1 }',
            ["two segments touch a side, not 1", "`$.rails[0].shared.N`"],
        ),
        (
            'track = ["NE3"]',
            'track = ["NE3", "NS4"], shared = { n = 1 }',
            ["no side 'n'", "`$.rails[0].shared.n`"],
        ),
        (
            'track = ["NE3"]',
            'track = ["NE3", "NE3"], shared = { NE = 1 }',
            ["sides NE are joined twice"],
        ),
        (
            'track = ["NE3"]',
            'track = ["NE3", "NS4"], shared = { NE = 1 }',
            ["no side 'NE'", "`$.rails[0].shared.NE`"],
        ),
        (
            'track = ["NE3"]',
            'track = ["NE3", "NS4"], shared = { N = 3 }',
            ["fewer than the 3", "not 3", "`$.rails[0].shared.N`"],
        ),
        (
            'track = ["NE3"]',
            'track = ["NE3", "NS4"], shared = { N = 0 }',
            ["1 or more", "not 0", "`$.rails[0].shared.N`"],
        ),
        (
            'track = ["NE3"]',
            'track = ["NE3", "NS4", "ES3"], shared = { N = 2, E = 1 }',
            ["segment NE has 3 ties and shares 3", "`$.rails[0].shared`"],
        ),
        ('sides = "NESW"', 'sides = "NEWS"', ["in that order", "'NEWS'", "`$.circles[0].sides`"]),
        ('sides = "NESW"', 'sides = ""', ["`$.circles[0].sides`"]),
        ('sides = "NESW"', 'sides = "NN"', ["`$.circles[0].sides`"]),
        (
            'name = "1"\ntitle',
            'name = "10"\ntitle',
            ["no Circle '10'", "`$.circles[1].name`", "one Circle '1', not 0"],
        ),
        ('name = "1"\ntitle', 'name = "2"\ntitle', ["one Circle '1', not 0", "one Circle '2', not 2"]),
        ('words = "Take a Heresy', 'words = "" #', ["words for the players", "`$.circles[6].words`"]),
        ('what = "chip"', 'what = "ticket"', ["Circle 6 gives a chip", "`$.circles[6].steps`"]),
        ('{ do = "gain", what = "ticket" },', "", ["An Effect has steps", "Circle 1 gives a ticket"]),
        (
            'do = "gain", what = "ticket"',
            'do = "gain", what = "soul"',
            ["chip, ticket, not 'soul'", "`$.circles[1].steps[0].what`"],
        ),
        ('do = "draw" ', 'do = "drop" ', ["no step 'drop'", "gain, derail", "`$.circles[4].steps[1].do`"]),
        (
            'do = "draw", count = 2',
            'do = "draw", count = 0',
            ["1 to 9, not 0", "`$.circles[0].steps[0].count`"],
        ),
        (
            'do = "draw", count = 2',
            'do = "draw", who = "all"',
            ["opponents, anyone, not 'all'", "`$.circles[0].steps[0].who`"],
        ),
        (
            'do = "draw", count = 2',
            'do = "draw", to = "G"',
            ["'draw' has no 'to'", "`$.circles[0].steps[0].to`"],
        ),
        ('what = "coin"', 'what = "chip"', ["barrier, coin, not 'chip'", "`$.circles[4].steps[0].what`"]),
        (', to = "3"', ', to = "0"', ["no Circle '0'", "`$.circles[8].steps[0].to`"]),
        (
            'do = "table", words',
            'do = "table" } # words',
            ["words that say", "`$.circles[3].steps[1].words`"],
        ),
        ("[setups.sacrilege]", "[setups.cross]", ["no set-up 'cross'", "'sacrilege' is missing"]),
        ("G = [3, 3]", "G = [3, 8]", ["[10, 7], not [3, 8]", "`$.setups.ring.G`"]),
        ("G = [3, 3]", "G = [-1, 3]", ["not [-1, 3]", "`$.setups.ring.G`"]),
        ("G = [3, 3]", "G = [3, 3, 3]", ["$.setups"]),
        ("G = [3, 3]", "G = [4, 4]", ["Circle G lies on [4, 4] already", "`$.setups.ring.1`"]),
        ("G = [3, 3]", "G = [0, 0]", ["Circle G is diagonal to no other", "`$.setups.ring.G`"]),
        ("G = [3, 3]", "", ["a cell for each of the Circles", "`$.setups.ring`"]),
        ("G = [3, 3]", "G = [3, 3]\n10 = [0, 0]", ["no more", "`$.setups.ring`"]),
    ],
)
def test_a_fault_is_named_with_its_path(old: str, new: str, faults: list[str]) -> None:
    said = faulty(old, new)
    for fault in faults:
        assert fault in said


def test_a_card_too_few_is_named() -> None:
    begin = TEXT.index('    { name = "r45"')
    assert "45 Rail Cards, not 44 - at `$.rails`" in faulty(TEXT[begin : TEXT.index("]\n\n", begin)], "")


def test_every_fault_of_a_pack_is_told_at_once() -> None:
    said = faulty('brimstone = 1, track = ["NE3"]', 'brimstone = 0, track = ["NE3", "NE3", "W"]')
    assert "`$.rails[0].track[1]`" in said
    assert "`$.rails[0].track[2]`" in said


# What an owner enters


def test_what_is_not_entered_is_listed() -> None:
    pack = blank()
    assert load_pack(to_toml(pack)) == pack
    gaps = missing(pack)
    assert len(gaps) == RAIL_CARDS + len(CIRCLES)
    assert gaps[0] == Gap("rail", "r01", ("value", "pickup", "setout", "brimstone", "track"))
    assert gaps[-1] == Gap("circle", "9", ("words",))


def test_a_card_may_be_in_the_pack_in_parts() -> None:
    part, whole = RailEntry("r03", track=("NE3",)), RailEntry("r03", 4, "G", "9", 2, ("NE3",))
    begun = blank()
    pack = load_pack(to_toml(replace(begun, rails=(*begun.rails[:2], part, *begun.rails[3:]))))
    assert missing(pack)[2] == Gap("rail", "r03", ("value", "pickup", "setout", "brimstone"))
    assert edition(pack).rails[2].track == Track(("NE3",))
    assert edition(pack).rails[2].value == 0
    assert [gap.name for gap in missing(put(pack, EnterRail(whole)))[:3]] == ["r01", "r02", "r04"]


def test_entering_every_card_completes_the_pack() -> None:
    pack = blank(HOUSE.title)
    for rail in HOUSE.rails:
        pack = put(pack, EnterRail(rail))
    for circle in HOUSE.circles:
        pack = put(pack, EnterCircle(circle))
    assert missing(pack) == ()
    assert pack == HOUSE


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (EnterRail(RailEntry("r46", 4, "G", "9", 2, ("NE3",))), "has no card 'rail r46'"),
        (EnterRail(RailEntry("r01", 12, "G", "9", 2, ("NE3",))), "not 12"),
        (EnterCircle(CircleEntry("10", words="Nothing.")), "has no card 'circle 10'"),
        (EnterCircle(CircleEntry("G", words="Nothing.")), "An Effect has steps"),
    ],
)
def test_a_card_that_cannot_be_entered_is_told_why(entry: Entry, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        put(blank(), entry)


def test_the_house_edition_survives_being_written() -> None:
    assert load_pack(to_toml(HOUSE)) == HOUSE


WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30)
CIRCLE = st.sampled_from(CIRCLES)
COUNT = st.integers(1, 9)
STEP = st.one_of(
    st.builds(Step, st.just("draw"), st.sampled_from(WHO), COUNT, optional=st.booleans()),
    st.builds(Step, st.just("put_counter"), count=COUNT, what=st.sampled_from(COUNTERS)),
    st.builds(Step, st.just("take_counter"), what=st.sampled_from(["", *COUNTERS])),
    st.builds(Step, st.just("move_engine"), st.sampled_from(WHO), to=st.sampled_from(["", *CIRCLES])),
    st.builds(Step, st.just("table"), words=WORDS),
)


@settings(max_examples=60, deadline=None)
@given(
    title=WORDS,
    rail=st.builds(
        RailEntry,
        st.just("r07"),
        COUNT,
        CIRCLE,
        CIRCLE,
        COUNT,
        st.just(("NE3", "NS4")),
        st.sampled_from([{}, {"N": 1}, {"N": 2}]),
    ),
    circle=st.builds(
        CircleEntry,
        st.just("4"),
        WORDS,
        st.sampled_from(["N", "ES", "NESW"]),
        WORDS,
        st.lists(STEP, min_size=1, max_size=4).map(tuple),
    ),
)
def test_whatever_an_owner_enters_survives_being_written(
    title: str, rail: RailEntry, circle: CircleEntry
) -> None:
    pack = put(put(blank(title), EnterRail(rail)), EnterCircle(circle))
    assert load_pack(to_toml(pack)) == pack
