"""docs/rules/rail_raiders_infinite.md has every sentence of the rulebook with its tests, and all options."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games.game import Option
from companion.games.rail_raiders_infinite.machine import MACHINE
from companion.games.rail_raiders_infinite.options import OPTIONS
from companion.games.rail_raiders_infinite.packs.vocabulary import TAKES
from companion.games.rail_raiders_infinite.state import DECKS
from tests.rules.rail_games import house

HERE = Path(__file__).parent
DOCS = (HERE.parents[1] / "docs/rules/rail_raiders_infinite.md").read_text("utf-8")

SENTENCES = {
    "Components - Train Cars": 4,
    "Components - Rail Raiders Infinite Dice": 3,
    "Components - Raider and Lawbot Models": 3,
    "Components - Raider Stat Cards": 2,
    "Components - Dealer Token": 4,
    "Components - High Noon Cards": 4,
    "Components - Long Arm of the Law Cards": 4,
    "Components - Loot Tokens": 4,
    "Components - Loot Cards": 3,
    "Components - Double-Dollar Tokens": 3,
    "Components - Player Reference Cards": 3,
    "General Concepts - Turn": 2,
    "General Concepts - Round": 2,
    "General Concepts - Moving": 2,
    "General Concepts - Searching": 6,
    "General Concepts - Rolling": 3,
    "General Concepts - Rerolls": 6,
    "General Concepts - Fight": 6,
    "General Concepts - Showdown": 3,
    "General Concepts - Facedown Train Cars": 5,
    "General Concepts - Off the Train": 5,
    "General Concepts - Hand Rank": 2,
    "Hand Rank Key": 12,
    "General Concepts - Equipment and Weapons": 4,
    "General Concepts - Grit": 8,
    "Board Overview": 10,
    "Setup": 22,
    "Object of the Game": 7,
    "Beginning a New Round": 3,
    "Starting the Game: Boarding the Train": 15,
    "Player Turns": 7,
    "High Noon Phase": 2,
    "Action Phase": 3,
    "Action Phase - Move": 1,
    "Action Phase - Showdown": 25,
    "Action Phase - Search": 10,
    "Action Phase - Pass": 4,
    "Cleanup Phase": 3,
    "Ending the Game": 4,
    "Example of Play": 19,
    "Reference": 10,
}
"""How many sentences, or items of a list, each section of the rulebook has."""


def rows(section: str) -> list[list[str]]:
    """The rows of a section's table: what it says, tests, rulings."""
    part = DOCS.split(f"\n### {section}\n", 1)[1]
    lines = re.split(r"\n##", part, maxsplit=1)[0].strip().splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line]


def known_tests() -> set[str]:
    """The names of all tests of the game's rules."""
    files = [*HERE.glob("test_rail_*.py"), HERE / "test_laws_rail.py"]
    return {name for file in files for name in re.findall(r"^def (test_\w+)", file.read_text("utf-8"), re.M)}


@pytest.mark.parametrize("section", SENTENCES)
def test_every_sentence_has_a_row_and_a_test(section: str) -> None:
    found, known = rows(section), known_tests()
    assert len(found) == SENTENCES[section]
    rulings = {option.rule for option in OPTIONS}
    for says, named, rested_on in found:
        assert says
        names = re.findall(r"`(\w+)`", named)
        assert names, says
        assert set(names) <= known, set(names) - known
        assert set(re.findall(r"RR-\w+", rested_on)) <= rulings


def test_the_table_has_no_other_sections() -> None:
    table = DOCS.split("\n## Every sentence of the rulebook\n")[1].split("\n## ")[0]
    assert re.findall(r"^### (.+)$", table, re.M) == list(SENTENCES)


def test_every_ruling_has_a_test_that_is_named_after_it() -> None:
    named = {f"RR-A{number}" for name in known_tests() for number in re.findall(r"^test_a(\d\d)_", name)}
    assert named == {option.rule for option in OPTIONS} - {"RR-F06"}


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.rule)
def test_an_option_is_documented(option: Option) -> None:
    values = ", ".join(f"`{value}`" for value in option.values)
    assert f"| {option.rule} | `{option.name}` | {values} | {option.words} |" in DOCS


def test_all_that_a_game_waits_for_is_documented() -> None:
    for do, kind in MACHINE.items():
        assert (f"| `{do}` |" in DOCS) == (kind.answer is not None), do


@pytest.mark.parametrize("word", TAKES)
def test_every_word_of_the_vocabulary_is_documented_and_tested(word: str) -> None:
    fields = ", ".join(f"`{field}`" for field in sorted(TAKES[word]))
    assert f"| `{word}` | {fields} | " in DOCS
    texts = [
        file.read_text("utf-8") for file in HERE.glob("test_rail_*.py") if file.name != Path(__file__).name
    ]
    cards = [card for deck in ("raiders", *DECKS) for card in getattr(house(), deck)]
    named = {card.name for card in cards if word in (effect.do for effect in (*card.steps, *card.effects))}
    wanted = [f'Effect("{word}"', *(f'"{name}"' for name in named)]
    assert any(each in text for text in texts for each in wanted)
