"""The house edition, and what is said of a pack that does not fit the rulebook."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.pawns_of_perdition import GAME
from companion.games.pawns_of_perdition.state import TITLES
from tests.rules.positions import HOUSE, house


def test_the_house_edition_has_every_card_twice_with_its_title() -> None:
    cards = house().cards
    assert {card.kind: card.title for card in cards} == TITLES
    assert all(card.copies == 2 and card.words.endswith(".") for card in cards)


def test_the_house_board_has_one_sin_in_each_layer() -> None:
    assert [layer.spaces.count("sin") for layer in house().layers] == [1] * 7
    assert Counter(space for layer in house().layers for space in layer.spaces)["safe"] == 19


@pytest.mark.parametrize(
    ("old", "new", "faults"),
    [
        ('name = "house"', "name = house", ["not TOML"]),
        ('name = "house"', "name = 5", ["$.name"]),
        ('name = "house"', 'name = "house"\nsize = 3', ["size"]),
        ('"escape"]', '"safe"]', ["20", "'escape'", "`$.layers`"]),
        ('"escape"]', '"safe", "escape"]', ["`$.layers[6].spaces`", "9 spaces, not 10"]),
        (
            'spaces = ["draw"',
            'spaces = ["swamp"',
            ["'swamp'", "`$.layers[2].spaces[0]`", "'draw' in all, not 11"],
        ),
        ('spaces = ["draw"', 'spaces = ["sin"', ["one sin, not 2 - at `$.layers[2].spaces`"]),
        ('spaces = ["draw"', 'spaces = ["greed"', ["Name all seven sins once each"]),
        (
            'kind = "hells_grasp"',
            'kind = "hells_grip"',
            ["'hells_grip'", "$.cards[6].kind", "'hells_grasp' is missing"],
        ),
        ('kind = "hells_grasp"', 'kind = "second_chance"', ["comes twice", "`$.cards[6].kind`"]),
        (
            'title = "Hell\'s Grasp"',
            'title = "Hell\'s Grasp"\ncopies = 0',
            ["at least one copy, not 0", "30 cards"],
        ),
        ('title = "Hell\'s Grasp"', 'title = "Hell\'s Grasp"\ncopies = 3', ["30 cards in all, not 31"]),
        ('title = "Hell\'s Grasp"', "", ["$.cards[6]"]),
    ],
)
def test_a_fault_is_named_with_its_path(old: str, new: str, faults: list[str]) -> None:
    text = HOUSE.read_text("utf-8")
    assert old in text
    with pytest.raises(ValueError, match="pack") as raised:
        GAME.load_pack(text.replace(old, new, 1))
    for fault in faults:
        assert fault in str(raised.value)


def test_a_layer_too_few_is_named() -> None:
    text = HOUSE.read_text("utf-8")
    begin = text.index("[[layers]]")
    end = text.index("[[layers]]", begin + 1)
    with pytest.raises(ValueError, match="7 layers, not 6"):
        GAME.load_pack(text[:begin] + text[end:])
