"""Packs of Rail Raiders Infinite: what is in them, what is wrong with one, and what effects can be said."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from companion.games.rail_raiders_infinite.packs.pack import Pack, load_pack, missing
from companion.games.rail_raiders_infinite.packs.vocabulary import EFFECTS, STEPS, TAKES
from companion.games.rail_raiders_infinite.rules import setup
from companion.games.rail_raiders_infinite.state import DECKS, KINDS

PACKS = Path(__file__).parents[2] / "companion/games/rail_raiders_infinite/packs"


@cache
def text(name: str) -> str:
    return (PACKS / f"{name}.toml").read_text("utf-8")


@cache
def pack(name: str) -> Pack:
    return load_pack(text(name))


def words_used(found: Pack) -> set[str]:
    """The words of the vocabulary that a pack uses."""
    cards = [card for deck in ("raiders", *DECKS) for card in getattr(found, deck)]
    steps = [step for card in (*cards, *found.cars) for step in card.steps]
    return {effect.do for effect in (*steps, *(effect for card in cards for effect in card.effects))}


def test_the_house_pack_is_complete() -> None:
    house = pack("house")
    assert missing(house) == ()
    assert {deck: sum(card.copies for card in getattr(house, deck)) for deck in DECKS} == dict.fromkeys(
        DECKS, 56
    )
    assert (len(house.raiders), len(house.cars)) == (6, 14)
    assert sorted(car.end for car in house.cars if car.end) == ["caboose", "locomotive"]


def test_the_house_pack_uses_every_word_of_the_vocabulary() -> None:
    assert words_used(pack("house")) == set(TAKES)
    assert not set(STEPS) & set(EFFECTS)


def test_the_house_pack_has_none_of_the_printed_titles() -> None:
    printed = {card.title.lower() for deck in ("raiders", *DECKS) for card in getattr(pack("printed"), deck)}
    house = {card.title.lower() for deck in ("raiders", *DECKS) for card in getattr(pack("house"), deck)}
    assert not printed & house


def test_what_is_publicly_known_of_the_printed_cards() -> None:
    printed = pack("printed")
    assert [len(getattr(printed, deck)) for deck in ("raiders", *DECKS)] == [25, 25, 23, 26]
    assert not any(card.copies for deck in DECKS for card in getattr(printed, deck))


def test_all_but_two_of_the_printed_cards_can_be_said(record_property: Callable[[str, str], None]) -> None:
    printed = pack("printed")
    cards = [card for deck in ("raiders", *DECKS) for card in getattr(printed, deck)]
    by_table = [card.title for card in cards if any(step.do == "table" for step in card.steps)]
    assert by_table == ["999", "Lt. Deadeye"]
    said = [card for card in cards if (card.steps or card.effects) and card.title not in by_table]
    assert (len(cards), len(said)) == (99, 97)
    docs = " ".join((PACKS.parents[3] / "docs/rules/rail_raiders_infinite.md").read_text("utf-8").split())
    assert f"Of the {len(cards)} printed cards that are publicly known {len(said)} can be said in it" in docs
    played, all_kinds = len(KINDS), 9
    rows = f"{len(said) + played} of {len(cards) + all_kinds} rows"
    assert f"{rows} ({round(100 * (len(said) + played) / (len(cards) + all_kinds))} %)" in docs
    record_property(
        "told", f"rail raiders: {len(said)} of {len(cards)} printed cards can be said, the table does 2"
    )


def test_a_pack_without_the_trains_ends_cannot_be_played() -> None:
    gaps = missing(pack("printed"))
    assert gaps[0] == "Count the copies of 25 High Noon cards, Fire Main Thrusters first."
    assert gaps[3:] == ("Enter the caboose.", "Enter the locomotive.", "Enter 12 more train cars.")
    with pytest.raises(ValueError, match="'printed' cannot be played yet"):
        setup(("red", "blue"), pack("printed"), {})


def test_what_is_missing_of_a_deck_that_is_counted_short_is_told() -> None:
    short = load_pack(
        text("house").replace('title = "Loose Change"\ncopies = 8', 'title = "Loose Change"\ncopies = 7')
    )
    assert missing(short) == ("The Loot deck has 56 cards, and 55 are entered.",)
    fewer = load_pack(
        text("house").split('[[raiders]]\nname = "hilde"')[0]
        + text("house")[text("house").index("# -- High Noon") :]
    )
    assert missing(fewer) == ("Enter 1 more Raiders.",)


FAULTS = {
    "There is no step 'steal'": ('do = "dollars" }]', 'do = "steal" }]'),
    "'dollars' has no 'faces', leave it out": ('do = "dollars" }]', 'do = "dollars", faces = ["A"] }]'),
    "There is no effect 'glue'": ('do = "throw_off"', 'do = "glue"'),
    "Say when 'dice' counts": ('do = "dice", when = "showdown", needs = "raider_in"', 'do = "dice"'),
    "'needs' is nothing, raider_in": ('needs = "raider_in"', 'needs = "luck"'),
    "A die shows 9, 10, J, Q, K, A, not 'joker'": ('faces = ["A"] }', 'faces = ["joker"] }'),
    "Say which faces 'set_die' is about": (', faces = ["A"] }', " }"),
    "What breaks it is among its faces": ('breaks = ["A"]', 'breaks = ["9"]'),
    "A count is 1 or more, not 0": (
        'do = "discard_high_noon", count = 2',
        'do = "discard_high_noon", count = 0',
    ),
    "'what' is deputy, sheriff, marshal, not 'mayor'": ('what = "deputy" }]', 'what = "mayor" }]'),
    "A deck has 56 cards, not 57": (
        'title = "Loose Change"\ncopies = 8',
        'title = "Loose Change"\ncopies = 9',
    ),
    "Copies are 1 to 56": ('title = "Loose Change"\ncopies = 8', 'title = "Loose Change"\ncopies = -1'),
    "The name 'ada' comes twice": ('name = "finn"', 'name = "ada"'),
    "A name is of small letters": ('name = "finn"', 'name = "Finn!"'),
    "A kind is score, equipment, weapon, item, not 'toy'": ('kind = "weapon"', 'kind = "toy"'),
    "A use is one of": ('use = "opponent"', 'use = "sometimes"'),
    "A card lasts for a turn, round, kept, not 'day'": ('lasts = "round"', 'lasts = "day"'),
    "What holds for a while says for how long": ('lasts = "round"\n', ""),
    "What is scored does something at once": (
        'kind = "equipment"\nwords = "In a Showdown, one',
        'kind = "score"\nwords = "In a Showdown, one',
    ),
    "What is used up does something": ('use = "opponent"\nlasts = "turn"\n', 'use = "opponent"\n'),
    "Grit is for Long Arm cards": ('kind = "weapon"', 'kind = "weapon"\ngrit = true'),
    "There is one card of each Raider": ('title = "Iron Ada"', 'title = "Iron Ada"\ncopies = 2'),
    "has words for the players to read": ('words = "Three dollars."\n', ""),
    "There is one caboose": ('end = "locomotive"', 'end = "caboose"'),
    "An end is caboose, locomotive, not 'middle'": ('end = "locomotive"', 'end = "middle"'),
    "An icon's number is 0 to 9": ("long_arm = 4", "long_arm = 40"),
    "A car that can be used has words": (
        'words = "An action here: out by the dome, to any other car; no Move actions then."\n',
        "",
    ),
    "Besides the ends there are 12 train cars": ('end = "locomotive"\n', ""),
    "'must_reroll' counts in fights alone": (
        'do = "must_reroll", when = "fight"',
        'do = "must_reroll", when = "roll"',
    ),
    "'rerolls' of this card is for lawbots, not 'self'": (
        '"rerolls", count = 2, when = "fight", who = "lawbots"',
        '"rerolls", count = 2, when = "fight"',
    ),
    "'dice' of this card is for self, not 'all'": (
        'do = "dice", when = "showdown", needs = "raider_in"',
        'do = "dice", when = "showdown", who = "all"',
    ),
    "A Raider is not spent": (
        'do = "set_die", when = "showdown"',
        'do = "set_die", spend = true, when = "showdown"',
    ),
    "'bring_lawbot' is for self, left, not 'all'": ('who = "left"', 'who = "all"'),
    "A hand's rank is 1 to 8, not 9": ('when = "fight", least = 4', 'when = "fight", least = 9'),
    "Say in words what the table does": (
        ', words = "Vote aloud. Who has the most votes gives one dollar to the player on the left."',
        "",
    ),
    "The pack cannot be read": ("loot = 3", 'loot = "three"'),
    "The pack is not TOML": ('name = "house"', "name = house"),
}


@pytest.mark.parametrize("says", FAULTS)
def test_a_fault_of_a_pack_is_named(says: str) -> None:
    old, new = FAULTS[says]
    assert old in text("house")
    with pytest.raises(ValueError) as fault:  # noqa: PT011 - what it says is looked at below
        load_pack(text("house").replace(old, new, 1))
    assert says in str(fault.value)
