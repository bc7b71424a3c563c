"""The train drawn: markers that a camera finds where the table has them, and words that fit."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from companion import games, packs
from companion.games.drawing import Drawing, Text
from companion.games.kit import folded
from companion.games.layout import Token
from companion.games.rail_raiders_infinite.drawings.cards import deck_card
from companion.games.rail_raiders_infinite.drawings.cars import car_face, roof
from companion.games.rail_raiders_infinite.drawings.models import sides, sketch, top
from companion.games.rail_raiders_infinite.drawings.sheet import table_sheet
from companion.games.rail_raiders_infinite.packs.pack import edition
from companion.games.rail_raiders_infinite.state import (
    HIGH_NOON,
    KINDS,
    LONG_ARM,
    LOOT,
    SEATS,
    CarCard,
    Card,
    Edition,
)
from companion.games.rail_raiders_infinite.table import PIECE, bare_map, tokens_by_piece
from tests.drawing.house import box_of, found_markers, inside

PIXELS = 1.5
"""To the mm: hardly more than a camera of 1280 x 720 has of the sheet."""


@cache
def house() -> Edition:
    game = games.load("rail_raiders_infinite")
    return edition(packs.load(game, "house"))


def assert_marked(drawing: Drawing, tokens: tuple[Token, ...]) -> None:
    """Each marker is found where it is told to be, and no other."""
    found = found_markers(drawing, PIXELS, around=8)
    assert set(found) == {token.id for token in tokens}
    for token in tokens:
        at = np.add((drawing.width / 2, drawing.height / 2), token.at)
        assert found[token.id].mean(axis=0) == pytest.approx(at, abs=0.4)


def test_every_car_is_found_by_both_its_markers() -> None:
    for car in house().cars:
        tokens = tokens_by_piece(house())["car", car.name]
        assert_marked(car_face(car, tokens), tokens)
    assert found_markers(roof(), PIXELS, around=8) == {}


@pytest.mark.parametrize("deck", [HIGH_NOON, LONG_ARM])
def test_every_copy_of_a_card_is_found_by_its_own_marker(deck: str) -> None:
    cards = {card.name: card for card in getattr(house(), deck)}
    for (kind, name), tokens in tokens_by_piece(house()).items():
        if kind == deck:
            assert_marked(deck_card(cards[tokens[0].alike or name], deck, tokens[0]), tokens)


def test_every_model_is_found_by_its_marker_and_folds_up_as_high_as_it_should() -> None:
    for (kind, _), (*tokens,) in tokens_by_piece(house()).items():
        if kind in ("raider", "lawbot"):
            assert_marked(top(tokens[0]), tuple(tokens))
            net = folded(top(tokens[0]), sides(tokens[0]))
            assert (net.width, net.height) == (PIECE + 2 * tokens[0].height,) * 2


def test_the_sheet_has_its_corners_and_nothing_else_that_looks_like_a_marker() -> None:
    found = found_markers(table_sheet(house()), PIXELS, around=20)
    corners = {marker.id: marker.at for marker in bare_map(house()).corners}
    assert set(found) == set(corners)
    for id, at in corners.items():
        assert found[id].mean(axis=0) == pytest.approx(at, abs=0.4)


@pytest.mark.parametrize("deck", [HIGH_NOON, LONG_ARM, LOOT])
def test_words_of_any_length_stay_on_their_card(deck: str) -> None:
    """Owners enter what is printed on theirs, or nothing but a name."""
    long = Card("x", "The Very Long and Winding Title of a Card", 1, " ".join(["words"] * 70), grit=True)
    for card in (long, Card("plain", copies=1)):
        drawing = deck_card(card, deck)
        texts = [shape for shape in drawing.shapes if isinstance(shape, Text)]
        assert texts
        for text in texts:
            assert inside(box_of(text), (0.5, 0.5, drawing.width - 0.5, drawing.height - 0.5)), text


def test_a_car_that_is_hardly_known_can_be_drawn() -> None:
    drawing = car_face(CarCard("new"), ())
    assert "new" in {shape.words for shape in drawing.shapes if isinstance(shape, Text)}


def test_each_model_looks_different_on_a_phone() -> None:
    drawn = {sketch("raider", seat) for seat in SEATS} | {sketch("lawbot", kind) for kind in KINDS}
    assert len(drawn) == len(SEATS) + len(KINDS)


def test_the_game_draws_each_kind_of_piece_and_refuses_others() -> None:
    game = games.load("rail_raiders_infinite")
    state = game.setup(SEATS[:2], packs.load(game, "house"), {})
    assert game.drawing(state, "roof", "tile:3") == roof()
    assert found_markers(game.drawing(state, "back", ""), 2, around=4) == {}
    drawn = set(game.sketches(state))
    assert {f"{piece.kind}:{piece.name}" for piece in game.layout(state).pieces} <= drawn
    for kind, name in (("car", "nothing"), ("lawbot", "deputy 8"), ("raider", "pink"), ("pawn", "red")):
        with pytest.raises(KeyError):
            game.drawing(state, kind, name)
