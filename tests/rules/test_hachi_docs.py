"""docs/rules/hachi_train.md has every sentence of the rulebook with its tests, and all options."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from companion.games.game import Option
from companion.games.hachi_train import GAME
from companion.games.hachi_train.actions import (
    EnterCard,
    ForgetHand,
    HachiAction,
    KeepHand,
    Play,
    PutIn,
)
from companion.games.hachi_train.options import OPTIONS
from companion.games.hachi_train.state import PHASES

HERE = Path(__file__).parent
DOCS = (HERE.parents[1] / "docs/rules/hachi_train.md").read_text("utf-8")

SENTENCES = {
    "Overview": 2,
    "Components": 3,
    "Setup": 7,
    "Important Rules": 3,
    "Ending Condition of the Game": 3,
    "The Flow of the Match": 2,
    "Exchange Card(s) of Hand and on the Field": 8,
    "Which Card(s) Are More Powerful?": 4,
    "Pass the Turn (and Draw a Card from the Deck, if Any)": 6,
    "Clearing the Field": 4,
    "End of the Match": 3,
    "Preparing the Next Match": 4,
}
"""How many things each section of the rulebook says; what it says twice is one."""


def rows(section: str) -> list[list[str]]:
    """The rows of a section's table: what it says, tests, rulings."""
    part = DOCS.split(f"\n### {section}\n", 1)[1]
    lines = re.split(r"\n##", part, maxsplit=1)[0].strip().splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line]


def known_tests() -> set[str]:
    """The names of all tests of Hachi Train's rules."""
    files = HERE.glob("test_hachi_*.py")
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
        assert set(re.findall(r"HT-\w+", rested_on)) <= rulings


def test_the_table_has_no_other_sections() -> None:
    table = DOCS.split("\n## Every sentence of the rulebook\n")[1].split("\n## ")[0]
    assert re.findall(r"^### (.+)$", table, re.M) == list(SENTENCES)


def test_every_ruling_has_a_test_that_is_named_after_it() -> None:
    named = {f"HT-A{number}" for name in known_tests() for number in re.findall(r"^test_a(\d\d)_", name)}
    assert named == {option.rule for option in OPTIONS}


def test_every_ruling_is_behind_a_sentence() -> None:
    table = DOCS.split("\n## Every sentence of the rulebook\n")[1]
    assert set(re.findall(r"HT-A\d\d", table)) == {option.rule for option in OPTIONS}


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.rule)
def test_an_option_is_documented(option: Option) -> None:
    values = ", ".join(f"`{value}`" for value in option.values)
    assert f"| {option.rule} | `{option.name}` | {values} | {option.words} |" in DOCS


def test_the_moments_of_a_game_are_documented() -> None:
    for phase in PHASES:
        assert f"| `{phase}` |" in DOCS


def test_each_action_is_documented_with_its_fields() -> None:
    lines = re.findall(r"^\| `(\{\"do\".+?\})` \|", DOCS, re.M)
    shown = [json.loads(line.replace(", ...", "")) for line in lines]
    actions = [msgspec.convert(line, type=GAME.action_type) for line in shown]
    assert {type(action) for action in actions} == set(get_args(HachiAction))
    assert [GAME.hide_action(action) for action in actions] == actions, "as a table's record has them"
    for kind in (KeepHand, ForgetHand, EnterCard, PutIn, Play):
        assert f"`{kind.__struct_config__.tag}" in DOCS.split("## The actions")[0]
