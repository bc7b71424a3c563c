"""Cards that lie face down where the rules have them: they cover what is printed there, and are no arm."""

from __future__ import annotations

from companion.games.hachi_train.table import UNDER
from companion.games.layout import Reading
from tests.emulated.hachi_cards import GAME
from tests.rules.hachi_positions import position
from tests.vision.unmarked_table import UnmarkedTable, sure


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
