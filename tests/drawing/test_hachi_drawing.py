"""The cards of Hachi Train drawn: their markers are found, in a row and on the sheet, and words fit."""

from __future__ import annotations

import pytest

from companion.emulated.raster import raster
from companion.games.drawing import Drawing, Placed, Text
from companion.games.hachi_train import GAME
from companion.games.hachi_train.cards import KINDS, ranks_of
from companion.games.hachi_train.drawings.cards import asset_card, car_card, card_back
from companion.games.hachi_train.drawings.sheet import table_sheet, under_mark
from companion.games.hachi_train.drawings.signs import INDEX
from companion.games.hachi_train.pack import Assets, Car
from companion.games.hachi_train.state import SEATS
from companion.games.hachi_train.table import (
    ASSET,
    CARD,
    DECK,
    MARK_AT,
    deck_place,
    field_place,
    table_map,
    tokens,
    unders,
)
from companion.games.layout import Token
from tests.drawing.house import box_of, found_markers, inside
from tests.rules.hachi_games import house

PIXELS = 1.5
"""To the mm: hardly more than a camera of 1280 x 720 has of the sheet."""

TABLE = table_map(GAME.setup(SEATS, house(), {}))
PLACES = {place.name: place for place in TABLE.places}


def middle(name: str) -> tuple[float, float]:
    (left, top), (right, bottom) = PLACES[name].outline[0], PLACES[name].outline[2]
    return (left + right) / 2, (top + bottom) / 2


@pytest.mark.parametrize("token", tokens(), ids=lambda token: token.name)
def test_every_card_is_found_by_its_marker(token: Token) -> None:
    drawing = asset_card(token) if token.kind == ASSET else car_card(token)
    found = found_markers(drawing, PIXELS, around=8)
    assert set(found) == {token.id}
    at = (CARD[0] / 2 + token.at[0], CARD[1] / 2 + token.at[1])
    assert found[token.id].mean(axis=0) == pytest.approx(at, abs=0.4)


def test_seven_cards_that_overlap_in_a_row_are_all_found_and_read() -> None:
    """The most that a play can have: the next card leaves a card's rank and marker free."""
    (left, top), (right, bottom) = (
        PLACES[field_place("red")].outline[0],
        PLACES[field_place("red")].outline[2],
    )
    wide, high = right - left, bottom - top
    step = (wide - CARD[0]) / 6
    row = tokens()[:7]
    cards = tuple(
        Placed(car_card(token), (CARD[0] / 2 + step * at, high / 2)) for at, token in enumerate(row)
    )
    assert set(found_markers(Drawing(wide, high, cards), PIXELS, around=8)) == {token.id for token in row}
    for token in row:
        ((x, _),) = (
            shape.at for shape in car_card(token).shapes if isinstance(shape, Placed) and not shape.turn
        )
        assert x + INDEX / 2 < step
        assert CARD[0] / 2 + MARK_AT[0] + token.side / 2 < step


def test_the_sheet_has_its_corners_and_the_marks_under_the_draw_deck() -> None:
    found = found_markers(table_sheet(TABLE), PIXELS, around=20)
    wanted = {marker.id: marker.at for marker in TABLE.corners}
    for number, token in enumerate(unders(), 1):
        x, y = middle(deck_place(number))
        wanted[token.id] = (x + token.at[0], y + token.at[1])
    assert set(found) == set(wanted)
    for id, at in wanted.items():
        assert found[id].mean(axis=0) == pytest.approx(at, abs=0.4)


@pytest.mark.parametrize("left", range(DECK + 1))
def test_a_mark_shows_for_each_card_drawn_and_for_no_other(left: int) -> None:
    """The cards lie a few mm beside where they belong."""
    backs = []
    for number in range(1, left + 1):
        (x, y), off = middle(deck_place(number)), 3.0 if number % 2 else -3.0
        backs.append(Placed(card_back(), (x + off, y - off), off / 2))
    sheet = table_sheet(TABLE)
    found = found_markers(Drawing(sheet.width, sheet.height, (Placed(sheet, (480, 270)), *backs)), PIXELS)
    marks = {token.id for token in unders()}
    assert set(found) & marks == {token.id for token in unders()[left:]}


def test_backs_tell_nothing_and_look_the_same_turned_around() -> None:
    assert found_markers(card_back(), 2, around=8) == {}
    back = Drawing(*CARD, (Placed(card_back(), (CARD[0] / 2, CARD[1] / 2), 180),))
    assert abs(raster(card_back(), 4).astype(int) - raster(back, 4).astype(int)).mean() < 1.0


def test_words_of_any_length_stay_on_their_card() -> None:
    title, words = "The Very Long and Winding Title of a Car", " ".join(["words"] * 60)
    cars = [car_card(token, Car(token.alike, title, words)) for token in tokens() if token.kind != ASSET]
    assets = [asset_card(token, Assets(title, title, title)) for token in tokens() if token.kind == ASSET]
    for drawing in (*cars, *assets):
        for text in (shape for shape in drawing.shapes if isinstance(shape, Text)):
            assert inside(box_of(text), (0.5, 0.5, drawing.width - 0.5, drawing.height - 0.5)), text


def test_phones_show_every_kind_of_piece_and_each_car_its_ranks() -> None:
    state = GAME.setup(SEATS[:3], house(), {})
    drawn = GAME.sketches(state)
    assert {f"{piece.kind}:{piece.name}" for piece in GAME.layout(state).pieces} <= set(drawn)
    for kind in KINDS:
        (corner,) = (shape.drawing for shape in drawn[f"car:{kind}"].shapes if isinstance(shape, Placed))
        said = [shape.words for shape in corner.shapes if isinstance(shape, Text)]
        assert said == [str(rank) for rank in ranks_of(kind)]
    assert found_markers(under_mark(3), 2, around=8).keys() == {unders()[2].id}
