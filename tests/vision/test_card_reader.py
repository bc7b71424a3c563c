from concurrent.futures import ThreadPoolExecutor
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.card_reader import CardReader, Cards
from vision.known_cards import KnownCards
from vision.render_cards import TABLES, Lying, View, draw_card, draw_deck, draw_table, photograph

NAMES = [f"card {number}" for number in range(24)]
DECK = draw_deck(NAMES, deck=4)
PLAIN = draw_deck([f"plain {number}" for number in range(18)], deck=5, plain=True)
STRANGER = draw_card(900, deck=4)  # of the same deck's frame, and never enrolled


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader(KnownCards(DECK.items()))


@pytest.fixture(scope="module")
def plain_reader() -> CardReader:
    return CardReader(KnownCards(PLAIN.items()))


def named(read: Cards) -> list[str]:
    return sorted(card.card for card in read.cards)


def apart(names: list[str], turns: list[float], width: float = 0.11) -> list[Lying]:
    return [
        Lying(name, (0.15 + 0.23 * (place % 4), 0.27 + 0.46 * (place // 4)), turn, width)
        for place, (name, turn) in enumerate(zip(names, turns, strict=True))
    ]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("tilt", [0, 20, 35])
def test_cards_are_named_with_their_turn_and_corners(reader: CardReader, table: str, tilt: float) -> None:
    lying = apart(NAMES[:5], [0, 90, 180, 33, 271])
    image, corners = photograph(table, DECK, lying, view=View(tilt=tilt, blur=0.9, noise=5), seed=8)
    read = reader.read(image)
    assert named(read) == sorted(NAMES[:5])
    for card in read.cards:
        place = NAMES.index(card.card)
        assert np.abs(np.array(card.corners) - corners[place]).max() < 4
        assert card.confidence > 0.95
        assert 0 <= card.rotation < 360
        if tilt == 0:
            assert abs((card.rotation - lying[place].turn + 180) % 360 - 180) < 1.5


def test_a_bare_tables_cards_are_sure(reader: CardReader) -> None:
    image, _ = photograph("cloth", DECK, apart(NAMES[6:12], [10, 100, 200, 300, 0, 45]), seed=2)
    read = reader.read(image)
    assert read.sure, read.doubts
    assert named(read) == sorted(NAMES[6:12])


def test_the_same_card_may_lie_there_twice(reader: CardReader) -> None:
    image, _ = photograph("wood", DECK, apart([NAMES[3], NAMES[3]], [0, 130]), seed=3)
    assert named(reader.read(image)) == [NAMES[3], NAMES[3]]


@pytest.mark.parametrize("light", [(0.55, 0.5, 0.6), (0.7, 1.0, 1.15)])
def test_dim_and_tinted_light_changes_no_name(reader: CardReader, light: tuple[float, float, float]) -> None:
    image, _ = photograph(
        "cloth", DECK, apart(NAMES[:4], [5, 95, 185, 275]), view=View(tint=light, light=0.4)
    )
    assert named(reader.read(image)) == NAMES[:4]


@pytest.mark.parametrize("plain", [False, True])
def test_touching_cards_are_told_apart(reader: CardReader, plain_reader: CardReader, plain: bool) -> None:
    deck, reads = (PLAIN, plain_reader) if plain else (DECK, reader)
    names = list(deck)[1:5]
    lying = [Lying(name, (0.3 + 0.12 * place, 0.5), 0, 0.12) for place, name in enumerate(names)]
    image, _ = photograph("cloth", deck, lying, seed=4)
    assert named(reads.read(image)) == sorted(names)


def test_a_covered_card_is_named_or_asked_about(reader: CardReader) -> None:
    seen = 0
    for seed in range(4):
        names = NAMES[4 * seed : 4 * seed + 2]
        lying = [Lying(names[0], (0.4, 0.5), 0, 0.16), Lying(names[1], (0.48, 0.58), 8, 0.16)]
        image, _ = photograph("cloth", DECK, lying, seed=seed)
        read = reader.read(image)
        assert names[1] in named(read)
        assert named(read) == sorted(names) or not read.sure
        seen += names[0] in named(read)
    assert seen >= 2


@pytest.mark.parametrize("table", TABLES)
def test_a_card_that_nobody_enrolled_gets_no_name(reader: CardReader, table: str) -> None:
    image, _ = photograph(
        table, DECK | {"stranger": STRANGER}, apart(["stranger", NAMES[0]], [0, 20]), seed=6
    )
    read = reader.read(image)
    assert named(read) == [NAMES[0]]
    assert not read.sure


@pytest.mark.parametrize("table", ["cloth", "wood"])
def test_an_empty_table_is_surely_empty(reader: CardReader, table: str) -> None:
    assert reader.read(draw_table(table, 3, (1280, 720))) == Cards((), True)


def test_plain_cards_are_told_by_their_print(plain_reader: CardReader) -> None:
    names = list(PLAIN)[:8]
    image, _ = photograph("wood", PLAIN, apart(names, [0, 15, 90, 200, 310, 180, 75, 5]), seed=7)
    read = plain_reader.read(image)
    assert named(read) == sorted(names)
    assert all(card.rotation < 180 for card in read.cards if card.card in names[:3])


def test_cards_that_look_alike_are_asked_about() -> None:
    twin = DECK[NAMES[0]].copy()
    cv2.circle(twin, (226, 332), 3, (0, 0, 255), -1)
    reader = CardReader(KnownCards([*DECK.items(), ("twin", twin)]))
    image, _ = photograph("cloth", DECK, apart(NAMES[:2], [0, 30]), seed=9)
    read = reader.read(image)
    first = next(card for card in read.cards if card.card in (NAMES[0], "twin"))
    assert first.confidence < 0.6
    assert not read.sure


def test_one_known_card_is_enough() -> None:
    reader = CardReader(KnownCards([(NAMES[0], DECK[NAMES[0]])]))
    image, _ = photograph("cloth", DECK, apart(NAMES[:2], [0, 30]), seed=9)
    read = reader.read(image)
    assert named(read) == [NAMES[0]]
    assert not read.sure


def test_a_huge_picture_is_read(reader: CardReader) -> None:
    image, _ = photograph("cloth", DECK, apart(NAMES[:2], [0, 30]), seed=9)
    large = np.asarray(cv2.resize(image, None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC), np.uint8)
    read = reader.read(large)
    assert named(read) == NAMES[:2]
    assert max(x for card in read.cards for x, _ in card.corners) > 1280


@pytest.mark.parametrize("size", [(0, 40), (1, 700), (5, 5)])
def test_a_strip_of_a_picture_holds_no_card(reader: CardReader, size: tuple[int, int]) -> None:
    assert reader.read(np.full((*size, 3), 90, np.uint8)).cards == ()
    assert reader.name(np.full((*size, 3), 90, np.uint8)) is None


def test_a_grey_picture_is_refused(reader: CardReader) -> None:
    with pytest.raises(ValueError, match="colour"):
        reader.read(np.zeros((40, 40), np.uint8))
    with pytest.raises(ValueError, match="colour"):
        reader.name(np.zeros((40, 40), np.uint8))


def cut(image: NDArray[Any], turn: int, off: int) -> NDArray[np.uint8]:
    """The card's picture as a table reader cuts it: small, turned, not quite exact, a little blurred."""
    small = cv2.resize(image, (100, 140), interpolation=cv2.INTER_AREA)
    framed = cv2.copyMakeBorder(small, off, 1, 2, off, cv2.BORDER_CONSTANT, value=(80, 90, 70))
    return np.ascontiguousarray(np.rot90(cv2.GaussianBlur(framed, (0, 0), 0.7), -turn).astype(np.uint8))


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("name", NAMES[10:13])
def test_a_cut_card_is_named(reader: CardReader, name: str, turn: int) -> None:
    card = reader.name(cut(DECK[name], turn, 3))
    assert card is not None
    assert card.card == name
    assert abs((card.rotation - 90 * turn + 180) % 360 - 180) < 3
    assert card.confidence > 0.95


def test_a_cut_stranger_is_not_named(reader: CardReader) -> None:
    assert reader.name(cut(STRANGER, 0, 3)) is None
    assert reader.name(np.full((140, 100, 3), 90, np.uint8)) is None


def test_threads_read_alike(reader: CardReader) -> None:
    image, _ = photograph("cloth", DECK, apart(NAMES[:3], [0, 90, 30]), seed=9)
    with ThreadPoolExecutor(2) as pool:
        first, *others = pool.map(reader.read, [image] * 3)
    assert others == [first, first]
