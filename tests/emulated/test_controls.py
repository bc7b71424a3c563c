"""The hands behind `run --table emulated`: they throw when asked and bring pawns where they belong."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from companion import games, packs
from companion.emulated.controls import Controls
from companion.eyes import Eyes
from companion.games.game import AwaitedDice, AwaitedShuffle, Rolled, Shuffled
from companion.games.hellrail.actions import Fan, LayRail
from companion.games.hellrail.track import beside
from companion.games.layout import UNKNOWN
from companion.games.pawns_of_perdition.actions import Move
from companion.journal import Journal
from companion.messages import Asks, Do, Join, Request, Sit, Start
from companion.table import Table

SEATS = ("red", "blue", "green")


class Phones:
    """A table, and people at it who have nothing but phones."""

    def __init__(self, folder: Path, game: str = "pawns_of_perdition") -> None:
        self.game = games.load(game)
        self.table = Table(self.game, packs.load(self.game, "house"), Journal(folder), table="emulated")
        self.table.start()
        self._asked = 0

    def ask(self, person: str, ask: Asks) -> None:
        self._asked += 1
        request = Request(f"{person}-{self._asked}", self.table.number, ask, person)
        answer = self.table.submit(request).result(10)
        assert answer.status == "done", answer.words

    def do(self, person: str, action: object) -> None:
        self.ask(person, Do(msgspec.Raw(msgspec.json.encode(action))))

    def start(self) -> None:
        for seat in SEATS:
            self.ask(seat, Join(seat))
            self.ask(seat, Sit(seat))
        self.ask("red", Start(SEATS))
        chance = self.game.awaiting(self.table.state).chance
        assert isinstance(chance, AwaitedShuffle)
        self.do("red", Shuffled((UNKNOWN,) * len(chance.cards)))

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait for the threads at work; how long is not the question."""
        pause = threading.Event()
        for _ in range(2000):
            if holds():
                return
            pause.wait(0.02)
        raise AssertionError("It never came about.")


@pytest.fixture
def phones(tmp_path: Path) -> Iterator[Phones]:
    phones = Phones(tmp_path)
    yield phones
    phones.table.close()


@pytest.fixture
def controls(phones: Phones) -> Iterator[Controls]:
    controls = Controls(phones.table, 11)
    yield controls
    controls.close()


def test_what_is_thrown_is_seen_and_pawns_follow(phones: Phones, controls: Controls) -> None:
    eyes = Eyes(phones.table, controls.camera)
    eyes.start()
    try:
        phones.start()
        phones.until(lambda: controls.world.map is not None)
        for seat in SEATS:
            moves = len(phones.table.moves())
            controls.throw(seat)
            thrown = controls.world.values
            phones.until(lambda: phones.table.view("red").question is not None or _more(phones, moves))  # noqa: B023
            if (question := phones.table.view("red").question) is not None:
                assert question.picture
                phones.do(seat, Rolled(thrown))
            assert sorted(phones.table.state.dice) == sorted(thrown)
    finally:
        eyes.close()


def _more(phones: Phones, moves: int) -> bool:
    return len(phones.table.moves()) > moves


def test_pawns_are_brought_to_where_the_companion_says(phones: Phones, controls: Controls) -> None:
    phones.start()
    phones.until(lambda: set(controls.world.places.values()) == {"space:0"})
    for seat in SEATS:
        phones.do(seat, Rolled((6, 6) if seat == "red" else (1, 2)))
    phones.do("red", Rolled((1, 2)))
    phones.do("red", Move("red"))
    expected = {piece.name: piece.place for piece in phones.game.layout(phones.table.state).pieces}
    assert expected["red"] != "space:0"
    phones.until(lambda: controls.world.places == expected)


def test_cards_are_laid_and_discarded_as_the_phones_say(tmp_path: Path) -> None:
    """HellRail: a card is laid from the hand that truly holds it, another one is discarded."""
    phones = Phones(tmp_path, "hellrail")
    controls = Controls(phones.table, 3)
    try:
        phones.start()
        for seat in SEATS:
            phones.do(seat, Rolled((6 if seat == "red" else 1,)))
        cards = iter(controls.hand("red"))
        card = next(cards)
        cell = beside(next(circle.cell for circle in phones.table.state.circles if circle.name == "G"), "E")
        phones.do("red", LayRail("red", card, cell, 0))
        place = f"cell:{cell[0]},{cell[1]}"
        phones.until(lambda: controls.world.places.get(card) == place)
        assert card not in controls.hand("red")
        phones.do("red", Fan("red", next(cards)))
        top = phones.table.state.top
        phones.until(lambda: controls.world.places.get(top) == "discard")
        expected = {piece.name: piece.place for piece in phones.game.layout(phones.table.state).pieces}
        assert controls.world.places == expected
    finally:
        controls.close()
        phones.table.close()


def test_only_who_is_to_throw_can_throw(phones: Phones, controls: Controls) -> None:
    with pytest.raises(ValueError, match="does not wait for a throw by Red"):
        controls.throw("red")
    phones.start()
    chance = phones.game.awaiting(phones.table.state).chance
    assert isinstance(chance, AwaitedDice)
    other = next(seat for seat in SEATS if seat != chance.seat)
    with pytest.raises(ValueError, match="does not wait"):
        controls.throw(other)
    phones.until(lambda: controls.world.map is not None)
    controls.throw(chance.seat)
    assert len(controls.world.values) == chance.count


def test_everybody_holds_three_cards_and_holds_them_after_a_restart(
    phones: Phones, controls: Controls
) -> None:
    assert controls.hand("red") == ()
    phones.start()
    hands = {seat: controls.hand(seat) for seat in SEATS}
    assert all(len(hand) == 3 for hand in hands.values())
    dealt = Counter(card for hand in hands.values() for card in hand)
    assert UNKNOWN not in dealt
    assert max(dealt.values()) <= 2
    again = Controls(phones.table, 11)
    assert {seat: again.hand(seat) for seat in SEATS} == hands
    assert again.world.places == {seat: "space:0" for seat in SEATS}
    again.close()
    other = Controls(phones.table, 12)
    assert {seat: other.hand(seat) for seat in SEATS} != hands
    other.close()


def test_hands_that_are_put_down_leave_no_thread(phones: Phones) -> None:
    controls = Controls(phones.table, 1)
    controls.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "emulated hands"]
    phones.start()
    assert controls.world.map is None
