"""HellRail's cards: markers that are found, ties that can be counted, words that fit."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.emulated.raster import raster
from companion.games.drawing import Drawing, Path, Text, flattened
from companion.games.hellrail.drawings.cards import (
    ENGINE,
    RIM,
    card_back,
    circle_card,
    engine_cap,
    rail_card,
    table_sheet,
)
from companion.games.hellrail.drawings.rails import TIE, rail, ties
from companion.games.hellrail.state import SEATS, circle_cards, rail_cards
from companion.games.hellrail.table import CARD, bare_map
from companion.games.hellrail.track import Track, along, point
from companion.games.layout import Token
from tests.drawing.house import box_of, found_markers, hellrail_edition, inside

EDITION = hellrail_edition()
CARDS = {
    **{("rail", name): rail_card(EDITION, name) for name in rail_cards(EDITION)},
    **{("circle", name): circle_card(EDITION, name) for name in circle_cards(EDITION)},
}
NAMES = [pytest.param(key, id="-".join(key)) for key in CARDS]


def tokens(kind: str, name: str) -> list[Token]:
    return [token for token in bare_map(EDITION).tokens if (token.kind, token.name) == (kind, name)]


def middle_and_side(corners: NDArray[np.float32]) -> tuple[NDArray[np.float32], float]:
    return corners.mean(axis=0), float(np.hypot(*(corners - np.roll(corners, 1, axis=0)).T).mean())


@pytest.mark.parametrize("key", NAMES)
def test_both_markers_of_a_card_are_found_unturned_and_in_their_places(key: tuple[str, str]) -> None:
    found = found_markers(CARDS[key], 2.0, around=6)
    assert set(found) == {token.id for token in tokens(*key)}
    assert len(found) == 2
    for token in tokens(*key):
        middle, side = middle_and_side(found[token.id])
        assert middle == pytest.approx((CARD / 2 + token.at[0], CARD / 2 + token.at[1]), abs=0.3)
        assert side == pytest.approx(token.side, rel=0.06)
        upper_left = found[token.id][0] - middle
        assert upper_left[0] < -6
        assert upper_left[1] < -6


@pytest.mark.parametrize("key", NAMES)
def test_the_markers_rims_are_white_and_the_rail_keeps_clear_of_them(key: tuple[str, str]) -> None:
    pixels = 8
    picture = raster(CARDS[key], pixels)
    tracks = None
    if key[0] == "rail":
        track = rail_cards(EDITION)[key[1]].track
        tracks = raster(Drawing(CARD, CARD, rail(track)), pixels)
    for token in tokens(*key):
        reach = token.side / 2 + RIM
        left, top = (round((CARD / 2 + at - reach) * pixels) for at in token.at)
        whole = round(2 * reach * pixels)
        rim = np.ones((whole, whole), bool)
        inner = slice(round(RIM * pixels) - 1, whole - round(RIM * pixels) + 1)
        rim[inner, inner] = False
        rim[[0, -1]] = False
        rim[:, [0, -1]] = False
        assert (picture[top : top + whole, left : left + whole][rim] == 255).all()
        if tracks is not None:
            assert (tracks[top : top + whole, left : left + whole] == 255).all()


@pytest.mark.parametrize("name", rail_cards(EDITION))
def test_the_drawn_ties_are_those_of_the_data(name: str) -> None:
    track = rail_cards(EDITION)[name].track
    expected = []
    for segment in track.segments:
        count = int(segment[2:])
        for tie in range(1, count + 1):
            x, y, _ = point(segment[:2], count, tie, segment[1])
            expected.append((x * CARD, y * CARD))
    shared = sum(
        count * (sum(side in segment[:2] for segment in track.segments) - 1)
        for side, count in zip("NESW", track.shared, strict=True)
        if count
    )
    drawn = [
        np.mean(flattened(shape), axis=0)
        for shape in CARDS["rail", name].shapes
        if isinstance(shape, Path) and shape.fill == TIE
    ]
    assert len(drawn) == len(expected) - shared
    distances = np.hypot(*(np.array(drawn)[:, None] - np.array(expected)).transpose(2, 0, 1))
    # Each is where the data has one, and where the data has one there is one (a shared one is near).
    assert distances.min(axis=1).max() < 0.01
    assert distances.min(axis=0).max() < 2.2


@pytest.mark.parametrize("name", rail_cards(EDITION))
def test_the_ties_can_be_counted(name: str) -> None:
    """In the finished picture, black marks across the rail's middle: as many as along each segment."""
    pixels = 8
    picture = raster(CARDS["rail", name], pixels)
    for segment in rail_cards(EDITION)[name].track.segments:
        places = [along(segment[:2], step / 400) for step in range(1, 400)]
        dark = [
            bool((picture[int(y * CARD * pixels), int(x * CARD * pixels)] < 60).all()) for x, y, _ in places
        ]
        at = np.flatnonzero(dark)
        # Where segments fork, a rail of the other one crosses the first tie.
        assert 1 + (np.diff(at) > 40).sum() == int(segment[2:])


@pytest.mark.parametrize("key", NAMES)
def test_words_keep_inside_the_card_and_off_the_markers(key: tuple[str, str]) -> None:
    texts = [shape for shape in CARDS[key].shapes if isinstance(shape, Text)]
    for text in texts:
        left, top, right, bottom = box_of(text)
        assert inside((left, top, right, bottom), (1, 0.5, CARD - 1, CARD - 0.5)), text
        for token in tokens(*key):
            reach = token.side / 2 + RIM
            x, y = CARD / 2 + token.at[0], CARD / 2 + token.at[1]
            assert left > x + reach or right < x - reach or top > y + reach or bottom < y - reach, text
    said = " ".join(text.words for text in texts)
    if key[0] == "circle":
        circle = circle_cards(EDITION)[key[1]]
        assert all(word in said.split() for word in (*circle.title.split(), *circle.words.split()))
        assert min(text.size for text in texts) >= 2.8
    else:
        card = rail_cards(EDITION)[key[1]]
        shown = sorted(text.words for text in texts)
        assert shown == sorted((str(card.value), str(card.brimstone), card.pickup, card.setout, card.name))


def test_a_circle_with_much_to_say_still_fits() -> None:
    from msgspec.structs import replace

    circle = EDITION.circles[5]
    wordy = replace(circle, title="A Terminus of Uncommonly Long Names", words="Derail and draw. " * 14)
    edition = replace(EDITION, circles=(*EDITION.circles[:5], wordy, *EDITION.circles[6:]))
    card = circle_card(edition, wordy.name)
    texts = [shape for shape in card.shapes if isinstance(shape, Text)]
    assert " ".join(text.words for text in texts if text.font == "text").split() == wordy.words.split()
    for text in texts:
        assert inside(box_of(text), (1, 0.5, CARD - 1, CARD - 0.5))


@pytest.mark.parametrize("seat", SEATS)
def test_an_engine_is_found_on_rail_and_dark_ground_heading_up(seat: str) -> None:
    (token,) = tokens("engine", seat)
    cap = engine_cap(EDITION, seat)
    assert (cap.width, cap.height) == ENGINE
    found = found_markers(cap, 2.0, around=8)
    assert set(found) == {token.id}
    middle, side = middle_and_side(found[token.id])
    assert middle == pytest.approx((cap.width / 2, cap.height / 2), abs=0.3)
    assert side == pytest.approx(token.side, rel=0.08)
    assert (found[token.id][0] - middle < -4).all()


def test_the_sheet_has_its_corner_markers_and_its_places() -> None:
    table = bare_map(EDITION)
    sheet = table_sheet(EDITION)
    assert (sheet.width, sheet.height) == (table.width, table.height)
    found = found_markers(sheet, 2.0)
    assert set(found) == {marker.id for marker in table.corners}
    for marker in table.corners:
        middle, side = middle_and_side(found[marker.id])
        assert middle == pytest.approx(marker.at, abs=0.3)
        assert side == pytest.approx(marker.side, rel=0.03)
    texts = [shape for shape in sheet.shapes if isinstance(shape, Text)]
    assert {"Draw Pile", "Discard Pile"} <= {text.words for text in texts}
    for text in texts:
        assert inside(box_of(text), (0, 0, sheet.width, sheet.height))


def test_shared_ties_are_drawn_once() -> None:
    fork = Track(("NE3", "NW3"), (1, 0, 0, 0))
    assert len(ties(fork)) == 5
    assert len(ties(Track(("NE3", "NW3")))) == 6
    assert len(ties(Track(("NE3", "ES3", "NS4"), (1, 1, 1, 0)))) == 7


def test_the_back_tells_nothing() -> None:
    back = card_back()
    assert (back.width, back.height) == (CARD, CARD)
    assert found_markers(back, 4) == {}
