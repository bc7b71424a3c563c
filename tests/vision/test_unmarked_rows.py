"""Cards without markers in a row, told by their faces: which they are, how many, and when it is not sure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from companion.emulated.poses import Key
from companion.games.hachi_train.cards import TRAINS
from companion.games.hachi_train.state import State
from companion.games.hachi_train.table import CAR, field_place, tokens
from companion.games.layout import Reading
from tests.emulated import hachi_cards
from tests.emulated.hachi_cards import CARDS, GAME
from tests.rules.hachi_positions import position
from tests.vision.unmarked_table import UnmarkedTable, sure
from vision.card_faces import CardFaces

SEVEN = ("5", "5", "5", "5", "5", "5/6", "5/6")
RED = field_place("red")
CALLED = {(token.kind, token.name): token.alike for token in tokens()}


def laid(*cards: str, by: str = "red") -> State:
    """Those cards are the field."""
    rank = next((int(card) for card in cards if card in TRAINS), 0)
    return position(field=cards, rank=rank, by=by if cards else "", players=5)


def table(of: State, faces: CardFaces | None = None, seed: int = 1) -> UnmarkedTable:
    return UnmarkedTable(of, faces or hachi_cards.faces(), CARDS, seed=seed, game=GAME)


def cars(reading: Reading) -> set[Key]:
    """All cards that are told without asking; the marks under the draw deck show, too."""
    return {key for key in sure(reading) if key[0] == CAR}


def read(reading: Reading, place: str = RED) -> tuple[str, ...]:
    """What the rules call the cards that are told in that row."""
    return tuple(sorted(CALLED[key] for key, (there, _) in sure(reading).items() if there == place))


@pytest.mark.parametrize("cards", [("3",), ("2", "2", "1/2"), SEVEN])
def test_cards_that_overlap_are_told_each_by_a_name_of_its_own(cards: Sequence[str]) -> None:
    seen = table(laid())
    assert cars(seen.rest()) == set()
    assert seen.reading.holes == ()
    assert seen.reads == 0
    seen.become(laid(*cards))
    assert read(seen.rest()) == tuple(sorted(cards))
    assert seen.reading.holes == ()
    assert Counter(read(seen.reading)) == Counter(cards)
    # And they are gone when they are taken away.
    seen.become(laid())
    assert cars(seen.rest()) == set()
    assert seen.reading.holes == ()


def test_nothing_is_read_twice_and_cards_that_come_are_other_ones() -> None:
    seen = table(laid())
    seen.rest()
    seen.become(laid("5", "5"))
    before = cars(seen.rest())
    assert read(seen.reading) == ("5", "5")
    reads = seen.reads
    seen.wait(3.0)
    assert seen.reads == reads, "nothing is read twice"
    seen.become(laid("5", "5", "5/6", by="blue"))
    after = cars(seen.rest())
    assert read(seen.reading, field_place("blue")) == ("5", "5", "5/6")
    # The other row was taken up: what lies here now are other cards.
    assert not before & after


def test_a_card_that_nobody_photographed_is_not_named_and_its_row_is_not_told() -> None:
    seen = table(laid(), hachi_cards.learned(kind for kind in ("1", "2", "4", "5", "6", "7", "8")))
    seen.rest()
    for cards in (("3",), ("5", "5", "5/6")):
        seen.become(laid(*cards))
        seen.rest()
        assert cars(seen.reading) == set()
        assert RED in seen.reading.holes
        seen.become(laid())
        seen.rest()
        assert seen.reading.holes == ()
    seen.become(laid("5", "5"))
    assert read(seen.rest()) == ("5", "5")


@pytest.mark.parametrize("at", [0.25, 0.75])
def test_a_row_that_a_hand_hides_in_part_waits(at: float) -> None:
    seen = table(laid())
    seen.rest()
    seen.become(laid("5", "5", "5", "5/6"))
    left = next(place for place in GAME.table_map(laid()).places if place.name == RED).outline[0]
    # It comes with the hand that lays the cards, and stays there.
    seen.world.reach((left[0] + 325.0 * at, left[1] + 44.0), 8.0)
    for _ in seen.frames(7.0):
        assert read(seen.reading) in ((), ("5", "5", "5", "5/6"))
    assert read(seen.rest()) == ("5", "5", "5", "5/6")
    assert seen.reading.holes == ()
