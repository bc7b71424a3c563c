"""Cards that lie face down where the rules have them: they cover what is printed there, and are no arm."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.hachi_train.state import TRAINS
from companion.games.hachi_train.table import UNDER, unders
from companion.games.layout import Reading
from tests.emulated.hachi_cards import GAME
from tests.rules.hachi_positions import position
from tests.vision.unmarked_table import UnmarkedTable, sure
from vision import sheet
from vision.markers import EVERY, Corners, find_markers
from vision.sheet import Image


def marks(reading: Reading) -> list[str]:
    """The marks under the draw deck that show."""
    return [name for kind, name in sure(reading) if kind == UNDER]


def test_a_deck_that_is_laid_is_no_arm_and_the_mark_under_a_drawn_card_shows_at_once() -> None:
    table = UnmarkedTable(position(deck=0), None, frozenset(), told=True, game=GAME)
    assert len(marks(table.rest())) == 8
    for _ in range(2):
        table.become(position(deck=8))
        table.rest()
        assert marks(table.reading) == []
        assert table.reading.holes == ()
        table.become(position(deck=7))
        assert marks(table.rest()) == ["8"]
        assert table.reading.holes == ()
        # And all are taken up for another match.
        table.become(position(deck=0))
        assert len(marks(table.rest())) == 8
        assert table.reading.holes == ()


def test_the_mark_under_a_drawn_card_is_looked_for_closely(monkeypatch: pytest.MonkeyPatch) -> None:
    # Now and then the quick look over the whole picture misses a mark so small. Here it misses each.
    under = {token.id for token in unders()}

    def quickly(
        image: Image, *, quick: bool = False, of: tuple[int, ...] = EVERY
    ) -> list[tuple[int, Corners]]:
        return [found for found in find_markers(image, quick=quick, of=of) if found[0] not in under]

    # Before the cards are dealt the marks mean nothing, and are seen as a part of the bare sheet.
    table = UnmarkedTable(replace(position(deck=0), phase=TRAINS), None, frozenset(), told=True, game=GAME)
    table.rest()
    table.become(position(deck=8))
    table.rest()
    monkeypatch.setattr(sheet, "find_markers", quickly)
    for left in range(7, 0, -1):
        drawn = position(deck=left)
        table.world.bring(GAME.table_map(drawn), GAME.layout(drawn))
        assert marks(table.rest()) == [str(at) for at in range(left + 1, 9)]
        assert table.reading.holes == ()
        table.become(drawn)
        table.rest()


def test_an_arm_over_the_deck_is_an_arm() -> None:
    table = UnmarkedTable(position(deck=0), None, frozenset(), told=True, game=GAME)
    table.rest()
    table.become(position(deck=8))
    table.rest()
    assert table.reading.holes == ()
    table.world.reach(table.middle("deck:4"), 4.0)
    table.wait(3.5)
    assert "deck:2" in table.reading.holes
    assert marks(table.rest()) == []
    assert table.reading.holes == ()
