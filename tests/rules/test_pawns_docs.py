"""docs/rules.md says of the options what the game says of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.game import Option
from companion.games.pawns_of_perdition.options import OPTIONS
from companion.games.pawns_of_perdition.state import PHASES

DOCS = (Path(__file__).parents[2] / "docs/rules.md").read_text("utf-8")


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.rule)
def test_an_option_is_documented(option: Option) -> None:
    values = ", ".join(f"`{value}`" for value in option.values)
    assert f"| {option.rule} | `{option.name}` | {values} | {option.words} |" in DOCS


def test_the_moments_of_a_turn_are_documented() -> None:
    for phase in set(PHASES) - {"setup", "first_player", "over"}:
        assert f"`{phase}`" in DOCS
