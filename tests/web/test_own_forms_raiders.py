"""The forms of Rail Raiders Infinite: what is filled in is read back, and every word can be chosen."""

from __future__ import annotations

import pytest

from companion.games.rail_raiders_infinite.entering import (
    ENTRIES,
    Counts,
    EnterCounts,
    EnterLoot,
    Entry,
    begin,
    put,
)
from companion.games.rail_raiders_infinite.packs.pack import PARTS, Pack, load_pack
from companion.games.rail_raiders_infinite.packs.vocabulary import EFFECTS, STEPS, TAKES, Effect
from companion.games.rail_raiders_infinite.state import Card
from tests.rules.rail_games import PACK, house
from web_ui import raider_words
from web_ui.own_forms import Fields, steps_in, without_step
from web_ui.raider_forms import added, drawing, faults, fields_of, following, has, listed, read, title

PRINTED = load_pack((PACK.parent / "printed.toml").read_text("utf-8"))


def entries(pack: Pack) -> list[Entry]:
    return [ENTRIES[part](card) for part in PARTS for card in getattr(pack, part)]


def loot(name: str, given: Fields) -> Card:
    """The Loot card that the fields say."""
    entry = read("loot", name, given)
    assert isinstance(entry, EnterLoot)
    return entry.card


@pytest.mark.parametrize("pack", [house(), PRINTED], ids=["house", "printed"])
def test_every_card_is_read_as_its_form_was_filled_in(pack: Pack) -> None:
    for entry in entries(pack):
        kind = str(entry.__struct_config__.tag)
        assert read(kind, entry.card.name, fields_of(entry)) == entry, entry
        assert faults(pack, entry) == []
        assert drawing(entry) is not None


def test_every_word_of_the_vocabulary_can_be_chosen_in_plain_words() -> None:
    assert set(raider_words.WORDS) == set(TAKES)
    assert len(set(raider_words.WORDS.values())) == len(TAKES)
    assert set(raider_words.COUNTS) <= {do for do, takes in TAKES.items() if "count" in takes}
    for heading, group in raider_words.GROUPS.items():
        assert set(group) <= set(STEPS if "at once" in heading else EFFECTS), heading


@pytest.mark.parametrize("do", TAKES)
def test_a_word_that_is_added_is_read_with_its_usual_fields(do: str) -> None:
    given: Fields = added(fields_of(EnterLoot(Card("x", "X"))), do)
    card = loot("x", given)
    (effect,) = (*card.steps, *card.effects)
    assert effect.do == do
    assert (do in STEPS) == bool(card.steps)
    assert steps_in(without_step(given, 0)) == 0


def test_a_new_card_is_named_by_its_title_and_the_table_does_it() -> None:
    blank = EnterLoot(Card("new-0a1b2c3d", kind="score"))
    given = fields_of(blank)
    given["title"], given["words"] = " Dead  Man's 2nd Boot! ", "Take a dollar from the box."
    card = loot("new-0a1b2c3d", given)
    assert (card.name, card.title) == ("dead_man_s_2nd_boot", "Dead Man's 2nd Boot!")
    assert card.steps == (Effect("table", words="Take a dollar from the box."),)
    assert title(blank) == "A new Loot card"
    assert "Still to be entered: the title." in faults(PRINTED, blank)


def test_counts_are_read_as_typed_and_nonsense_is_a_fault() -> None:
    counts = EnterCounts(Counts("loot", {"score": 5, "haul": 0}))
    given = fields_of(counts)
    given["copies.jackpot"] = " "
    assert read("counts", "loot", given) == counts
    given["copies.jackpot"] = "many"
    assert faults(PRINTED, read("counts", "loot", given)) == ["Copies are 0 to 56, not -1 of jackpot."]


def test_raiders_are_in_the_box_or_not() -> None:
    given: Fields = fields_of(EnterCounts(Counts("raiders", {})))
    for name in ("chuy", "thorne"):
        given.add("known", name)
    given.add("box", "thorne")
    assert read("counts", "raiders", given) == EnterCounts(Counts("raiders", {"chuy": 0, "thorne": 1}))


def test_texts_that_are_too_long_are_faults() -> None:
    entry = EnterLoot(Card("x", "X" * 41, 1, "w" * 501, "score", steps=(Effect("dollars"),)))
    assert faults(PRINTED, entry) == [
        "The title is longer than 40 signs.",
        "The text is longer than 500 signs.",
    ]


def test_what_comes_next() -> None:
    pack = begin(PRINTED)
    assert following(pack, "counts", "raiders") == ("/cards/counts/high_noon", "count High Noon")
    assert following(pack, "counts", "loot") is None
    assert following(pack, "cars", "parlour") == ("/cards/cars/new", "a new train car")


def test_the_list_tells_what_is_known_of_each_part() -> None:
    pack = put(begin(PRINTED), EnterCounts(Counts("loot", {"score": 5, "haul": 0})))
    found = {row["part"]: row for row in listed(pack)["lists"]}  # type: ignore[attr-defined]
    assert (found["loot"]["known"], found["loot"]["whole"], found["loot"]["complete"]) == (5, 56, False)
    assert "haul" not in {card.name for card in found["loot"]["cards"]}
    assert (found["cars"]["known"], found["cars"]["whole"]) == (0, 12)
    assert (has(pack, "loot", "score"), has(pack, "loot", "haul")) == (True, False)
    complete = [row["complete"] for row in listed(house())["lists"]]  # type: ignore[attr-defined]
    assert complete == [True] * 5
