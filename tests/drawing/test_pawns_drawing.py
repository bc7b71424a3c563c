"""Pawns' board, pawns and cards: markers that are found, words that are there and fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from companion import games, packs
from companion.games.drawing import Drawing, Placed, Text
from companion.games.kit import folded
from companion.games.pawns_of_perdition.drawing import CARD, pawn_cap, prayer_card, skip_counter
from companion.games.pawns_of_perdition.kit import kit
from companion.games.pawns_of_perdition.state import SEATS
from tests.drawing.house import box_of, found_markers, inside

GAME = games.load("pawns_of_perdition")
PACK: Any = packs.load(GAME, "house")
STATE = GAME.setup(SEATS, PACK, {})
TABLE = GAME.table_map(STATE)


def texts(drawing: Drawing) -> list[Text]:
    return [shape for shape in drawing.shapes if isinstance(shape, Text)]


@pytest.mark.parametrize("seat", SEATS)
def test_a_pawn_is_found_by_its_marker_on_any_table(seat: str) -> None:
    (token,) = (token for token in TABLE.tokens if token.name == seat)
    cap = GAME.drawing(STATE, "pawn", seat)
    assert cap == pawn_cap(token)
    found = found_markers(cap, 2.0, around=8)
    assert set(found) == {token.id}
    corners = found[token.id]
    assert corners.mean(axis=0) == pytest.approx((cap.width / 2, cap.height / 2), abs=0.3)
    assert np.hypot(*(corners - np.roll(corners, 1, axis=0)).T).mean() == pytest.approx(token.side, rel=0.05)


def test_the_board_has_every_space_by_number_or_name_and_its_markers() -> None:
    sheet = GAME.sheet(STATE)
    assert (sheet.width, sheet.height) == (TABLE.width, TABLE.height)
    assert set(found_markers(sheet, 2.0)) == {marker.id for marker in TABLE.corners}
    said = [text.words for text in texts(sheet)]
    for place in TABLE.places:
        assert place.label in said
    for look in ("blessing", "torment", "draw"):
        assert said.count(look.title()) == sum(place.look == look for place in TABLE.places)


def test_every_word_of_the_board_is_inside_its_space() -> None:
    boxes = [
        (place.outline[0][0], place.outline[0][1], place.outline[2][0], place.outline[2][1])
        for place in TABLE.places
    ]
    beside = {TABLE.tray.label, "Pawns of Perdition"}
    for text in texts(GAME.sheet(STATE)):
        if text.words in beside:
            assert inside(box_of(text), (650, 0, TABLE.width - 50, TABLE.height))
        else:
            assert any(inside(box_of(text), box) for box in boxes), text


@pytest.mark.parametrize("card", PACK.cards, ids=lambda card: card.kind)
def test_a_prayer_card_has_its_title_and_its_words_within_its_frame(card: Any) -> None:
    drawing = prayer_card(card)
    assert (drawing.width, drawing.height) == CARD
    title = [text for text in texts(drawing) if text.font == "title"]
    words = [text for text in texts(drawing) if text.font == "text"]
    assert " ".join(text.words for text in title) == card.title
    assert " ".join(text.words for text in words) == card.words
    assert min(text.size for text in words) >= 4.5
    for text in title:
        assert inside(box_of(text), (3, 3, CARD[0] - 3, 24))
    for text in words:
        assert inside(box_of(text), (5, 46, CARD[0] - 5, CARD[1] - 5))


def test_the_counter_s_words_are_inside_it() -> None:
    drawing = skip_counter()
    (text,) = texts(drawing)
    left, top, right, bottom = box_of(text)
    for x, y in ((left, top), (right, top), (left, bottom), (right, bottom)):
        assert np.hypot(x - 10, y - 10) < 9.8


def test_a_pawn_folds_up_to_a_box_with_its_marker_on_top() -> None:
    (batch,) = (batch for batch in kit(PACK) if batch.title == "Pawns")
    for item, token in zip(batch.items, TABLE.tokens, strict=True):
        cap = pawn_cap(token)
        net = item.drawing
        assert (net.width, net.height) == (cap.width + 2 * token.height, cap.height + 2 * token.height)
        found = found_markers(net, 4.0, around=4)
        assert set(found) == {token.id}
        assert found[token.id].mean(axis=0) == pytest.approx((net.width / 2, net.height / 2), abs=0.3)


def test_each_side_of_a_box_has_its_upper_edge_at_the_cap() -> None:
    from companion.games.kit import Faces

    cap = Drawing(30, 20, ())
    faces = Faces(Drawing(30, 8, ()), Drawing(20, 8, ()), Drawing(30, 8, ()), Drawing(20, 8, ()))
    net = folded(cap, faces)
    placed = [shape for shape in net.shapes if isinstance(shape, Placed)]
    middle = placed[0].at
    assert placed[0].drawing is cap
    for side in placed[1:]:
        up = np.array([np.sin(np.radians(side.turn)), -np.cos(np.radians(side.turn))])
        upper = np.array(side.at) + up * side.drawing.height / 2
        towards = np.array(middle) - side.at
        assert np.allclose(up, towards / np.hypot(*towards))
        half = cap.height / 2 if abs(up[1]) > 0.5 else cap.width / 2
        assert np.hypot(*(upper - middle)) == pytest.approx(half)
