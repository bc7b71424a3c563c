"""docs/rules/hellrail.md has every sentence of the rulebook with its tests, and the options as they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games.game import Option
from companion.games.hellrail.options import OPTIONS
from companion.games.hellrail.state import PHASES

HERE = Path(__file__).parent
DOCS = (HERE.parents[1] / "docs/rules/hellrail.md").read_text("utf-8")

SENTENCES = {
    "Components": 8,
    "Goal": 1,
    "Play Summary": 4,
    "Setup": 9,
    "Turn Sequence": 5,
    "Card Actions - Lay New Rail": 3,
    "Card Actions - Upgrade Rail": 3,
    "Card Actions - Pickup a Car": 4,
    "Card Actions - Setout a Car": 3,
    "Card Actions - Move": 3,
    "Card Actions - Fan the Flames": 3,
    "Movement - Stay On Rail Ties": 3,
    "Movement - No Turning Back": 1,
    "Movement - Entering a Circle": 5,
    "Movement - Exiting a Circle": 1,
    "Movement - End of Rail": 1,
    "Movement - No Passing": 2,
    "Movement - Ramming": 6,
    "Derailing": 7,
    "Humping the Draw Pile": 3,
    "Heresy Chips": 7,
    "Boatman Tickets": 6,
    "Occupied vs. Empty": 4,
    "Card Anatomy": 3,
    "Alternate Circle Setups": 6,
    "End of the Line": 5,
}
"""How many sentences, or items of a list, each section of the rulebook has."""


def rows(section: str) -> list[list[str]]:
    """The rows of a section's table: what it says, tests, rulings."""
    part = DOCS.split(f"\n### {section}\n", 1)[1]
    lines = re.split(r"\n##", part, maxsplit=1)[0].strip().splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line]


def known_tests() -> set[str]:
    """The names of all tests of HellRail's rules."""
    files = HERE.glob("test_hellrail_*.py")
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
        assert set(re.findall(r"HR-\w+", rested_on)) <= rulings


def test_the_table_has_no_other_sections() -> None:
    table = DOCS.split("\n## Every sentence of the rulebook\n")[1].split("\n## ")[0]
    assert re.findall(r"^### (.+)$", table, re.M) == list(SENTENCES)


def test_every_ruling_has_a_test_that_is_named_after_it() -> None:
    named = {f"HR-A{number}" for name in known_tests() for number in re.findall(r"^test_a(\d\d)_", name)}
    assert named == {option.rule for option in OPTIONS} - {"HR-F17"}


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.rule)
def test_an_option_is_documented(option: Option) -> None:
    values = ", ".join(f"`{value}`" for value in option.values)
    assert f"| {option.rule} | `{option.name}` | {values} | {option.words} |" in DOCS


def test_the_moments_of_a_game_are_documented() -> None:
    for phase in PHASES:
        assert f"| `{phase}` |" in DOCS
