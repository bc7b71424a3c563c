"""The pack's schema, and the cards, sheet and kit that are drawn with it."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.hachi_train import GAME
from companion.games.hachi_train.actions import Pass
from companion.games.hachi_train.cards import KINDS, SPECIALS
from companion.games.hachi_train.pack import car
from companion.games.hachi_train.state import SEATS
from companion.games.layout import Piece
from tests.rules.hachi_games import house
from tests.rules.hachi_positions import do, play, position

TEXT = (
    """
name = "mine"
title = "Mine"
assets = { title = "Money", front = "much", back = "little" }
cars = [
"""
    + "".join(f'  {{ name = "{kind}", title = "Car {kind}" }},\n' for kind in KINDS)
    + "]\n"
)


def test_the_house_pack_has_words_for_every_card() -> None:
    assert house().name == "house"
    for kind in KINDS:
        assert car(house(), kind).title
        assert car(house(), kind).words
    assert len({each.title for each in house().cars}) == 12
    assert GAME.load_pack(TEXT).assets.front == "much"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('name = "1"', 'name = "9"', r"There is no car '9'.*The car '1' is missing"),
        ('name = "1"', 'name = "2"', r"The car '2' comes twice - at `\$.cars\[1\].name`"),
        ("Car 5/6", " ", r"A car has a title - at `\$.cars\[10\].title`"),
        ('"much"', '""', r"at `\$.assets.front`"),
        ('title = "Mine"', "", "missing required field `title`"),
        ('title = "Mine"', 'title = "Mine"\nspeed = 3', "speed"),
        ('title = "Mine"', 'title = "Mine', "not TOML"),
    ],
)
def test_a_fault_of_a_pack_is_named_with_its_path(old: str, new: str, words: str) -> None:
    assert old in TEXT
    with pytest.raises(ValueError, match=words):
        GAME.load_pack(TEXT.replace(old, new, 1))


def test_the_kit_has_every_card_and_a_marker_on_each() -> None:
    cars, assets, table, corners = GAME.kit(house())
    assert sum(item.copies for item in cars.items) == 48
    assert sum(item.copies for item in assets.items) == 5
    assert table.whole
    assert len(corners.items) == 4
    tokens = GAME.table_map(GAME.setup(SEATS, house(), {})).tokens
    numbers = [token.id for token in tokens]
    assert len(set(numbers)) == len(numbers) == 58
    assert not set(numbers) & {0, 1, 2, 3}
    alike = Counter((token.kind, token.alike) for token in tokens)
    assert all(alike["car", kind] == (2 if kind in SPECIALS else 5) for kind in KINDS)


def test_each_card_is_drawn_and_told_of() -> None:
    state = position()
    for token in GAME.table_map(state).tokens:
        assert GAME.drawing(state, token.kind, token.name).shapes
        assert GAME.drawing(state, token.kind, token.alike or token.name).shapes
    for kind in KINDS:
        told = GAME.about(state, house(), "car", kind)
        assert told.figure in GAME.sketches(state)
        assert told.facts[0][0] == "Rank"
    assert GAME.about(state, house(), "asset", "200").facts == (("Worth", "$200 million"),)
    for kind, name in (("car", "9"), ("pawn", "1"), ("asset", "300")):
        with pytest.raises(KeyError):
            GAME.about(state, house(), kind, name)
    with pytest.raises(KeyError):
        GAME.drawing(state, "car", "9")


def test_the_layout_shows_the_field_and_the_assets() -> None:
    state = position(hands={"red": ["5", "5", "1"]}, match=3, assets=(100, 200, 100))
    state = do(state, play("red", "5", "5"))
    assert GAME.layout(state).pieces == (
        Piece("asset", "100", "assets:green"),
        Piece("asset", "100", "assets:red"),
        Piece("asset", "200", "assets:blue"),
        Piece("car", "5", "field:red"),
        Piece("car", "5", "field:red"),
        *(Piece("mark", str(number), f"deck:{number}") for number in range(1, 9)),
    )
    places = {place.name for place in GAME.table_map(state).places}
    assert {"field:green", "deck:8", "discards", "assets:green"} <= places
    assert GAME.sheet(state).shapes


def test_the_draw_deck_covers_as_many_marks_as_it_has_cards() -> None:
    pieces = GAME.layout(position(deck=3)).pieces
    assert [piece.place for piece in pieces if piece.kind == "back"] == ["deck:1", "deck:2", "deck:3"]
    assert [piece.name for piece in pieces if piece.kind == "mark"] == ["4", "5", "6", "7", "8"]


def test_what_lies_on_the_field_says_what_was_played_whatever_is_kept() -> None:
    state = position(hands={"red": ["5", "5", "1"]}, kept=["red"], field=["4"], players=5)
    pieces = (Piece("car", "7 1", "field:red"), Piece("car", "7 4", "field:red"))
    found = list(GAME.candidates(state, "red", pieces))
    assert play("red", "7", "7") in found, "the table cannot know that Red has entered other cards"
    assert all(not getattr(action, "places", ()) for action in found)
    assert not list(GAME.candidates(state, "red", (Piece("car", "7 1", "field:blue"),)))
    assert GAME.meant(state, pieces[0]) == play("red", "7")
    assert GAME.meant(state, Piece("mark", "8", "deck:8")) == Pass("red")
    assert GAME.meant(state, Piece("asset", "100", "assets:red")) is None
