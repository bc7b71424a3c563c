"""An owner's cards of Rail Raiders Infinite at a table: kept in the pack, and known to the running game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.emulated.truth import Truth
from companion.games.game import AwaitedDice, AwaitedShuffle, Rolled
from companion.games.layout import UNKNOWN
from companion.games.rail_raiders_infinite.actions import TurnUp
from companion.games.rail_raiders_infinite.entering import (
    Counts,
    EnterCar,
    EnterCounts,
    EnterHighNoon,
    Entry,
    kind_of,
    present,
)
from companion.games.rail_raiders_infinite.packs.vocabulary import Effect
from companion.games.rail_raiders_infinite.state import CarCard, Card
from companion.journal import read
from companion.messages import Answer, Enter, Start
from companion.own_cards import open_pack
from companion.packs import PackError
from companion.record import of_session, replay, write
from companion.session import Session
from tests.table.desk import Desk
from tests.table.test_own_cards import raw

RAIDERS = games.load("rail_raiders_infinite")
SNOW = EnterHighNoon(
    Card("snow", "Snow", 2, "Everybody shivers.", steps=(Effect("table", words="Everybody shivers."),))
)
CAR = EnterCar(CarCard("parlour", "Parlour Car", 1))


def enter(desk: Desk, entry: Entry, person: str = "red", was: Any = None) -> Answer:
    """The person enters a card after having looked at it, unless it `was` otherwise then."""
    seen = was or present(desk.table.pack, kind_of(entry), entry.card.name)
    return desk.ask(person, Enter(raw(entry), raw(seen)))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A table that plays an owner's pack in which nothing is counted; Red and Blue sit at it."""
    desk = Desk(tmp_path / "state", game="rail_raiders_infinite", pack="owner")
    desk.sit("red", "blue")
    yield desk
    desk.close()


def begin(desk: Desk, pile: str) -> str:
    """Play until a card of that pile is turned up; the seat that turns it up."""
    assert desk.ask("red", Start(("red", "blue"), {})).status == "done"
    for _ in range(60):
        awaiting = RAIDERS.awaiting(desk.state)
        if isinstance(awaiting.chance, AwaitedShuffle):
            desk.shuffle("red")
        elif isinstance(awaiting.chance, AwaitedDice):
            faces = ("A",) * 5 if awaiting.chance.seat == "red" else ("9", "9", "10", "J", "K")
            desk.done("red", Rolled(faces[: awaiting.chance.count]))
        else:
            (seat,) = awaiting.seats
            job = desk.state.agenda[0]
            if (job.do, job.card) == ("turn_up", pile):
                return seat
            if (job.do, job.card) == ("turn_up", "cars"):
                enter(desk, CAR)
            desk.done(seat, RAIDERS.legal(desk.state, seat)[0])
    raise AssertionError(f"No card of {pile} was turned up.")


def test_an_owners_pack_is_begun_from_what_is_publicly_known(desk: Desk) -> None:
    file = desk.folder / "packs" / "rail_raiders_infinite" / "owner.toml"
    assert file.exists()
    assert len(desk.table.pack.loot) == 26
    assert enter(desk, EnterCounts(Counts("loot", {"score": 4, "haul": 0}))).status == "done"
    pack, _ = open_pack(RAIDERS, "owner", desk.folder)
    assert pack == desk.table.pack
    assert pack.absent == {"loot": ("haul",)}


def test_what_somebody_else_has_counted_meanwhile_is_not_overwritten(desk: Desk) -> None:
    was = present(desk.table.pack, "counts", "loot")
    assert enter(desk, EnterCounts(Counts("loot", {"score": 4}))).status == "done"
    assert enter(desk, EnterCounts(Counts("loot", {"score": 5})), "blue", was=was).status == "stale"


def test_a_file_changed_by_hand_is_not_overwritten_and_read_when_it_is_started_again(desk: Desk) -> None:
    file = desk.folder / "packs" / "rail_raiders_infinite" / "owner.toml"
    file.write_text(
        file.read_text("utf-8").replace('title = "Small Time"', 'title = "Small Time"\ncopies = 6')
    )
    answer = enter(desk, SNOW)
    assert answer.status == "refused"
    assert "changed outside this page" in answer.words
    again = desk.again()
    try:
        assert present(again.table.pack, "counts", "loot") == EnterCounts(Counts("loot", {"small_time": 6}))
        assert enter(again, SNOW).status == "done"
        assert "copies = 6" in file.read_text("utf-8")
    finally:
        again.close()


def test_a_file_that_is_not_in_order_is_refused_with_the_fault_and_its_cure(tmp_path: Path) -> None:
    _, cards = open_pack(RAIDERS, "owner", tmp_path)
    assert cards is not None
    text = cards.file.read_text("utf-8")
    cards.file.write_text(text.replace('do = "discard_high_noon"', 'do = "discard_hi_noon"', 1))
    with pytest.raises(
        PackError, match=r"no step 'discard_hi_noon', known are .*\$\.high_noon\[0\]\.steps\[0\]"
    ) as fault:
        open_pack(RAIDERS, "owner", tmp_path)
    assert "Put it right in a text editor" in str(fault.value)


def test_a_card_that_first_turns_up_is_entered_and_turned_up(desk: Desk) -> None:
    seat = begin(desk, "high_noon")
    refused = desk.do(seat, TurnUp(seat, "snow"))
    assert refused.status == "refused"
    number = desk.table.number
    assert enter(desk, SNOW, "blue").status == "done"
    assert desk.table.number > number
    desk.done(seat, TurnUp(seat, "snow"))
    state = desk.state
    again = desk.again()
    try:
        assert again.state == state
        session = Session.replay(read(again.folder))
        assert all(verdict.illegal is None for verdict in replay(write(*of_session(session))))
        assert again.takeback(seat, len(again.table.moves()) - 1).status == "done"
        again.agree("blue" if seat == "red" else "red")
        assert SNOW.card in again.state.edition.high_noon
    finally:
        again.close()


def test_a_card_that_was_said_to_be_in_no_box_turns_up_all_the_same(desk: Desk) -> None:
    assert enter(desk, EnterCounts(Counts("high_noon", {"crossfire": 0}))).status == "done"
    seat = begin(desk, "high_noon")
    assert desk.do(seat, TurnUp(seat, "crossfire")).status == "refused"
    assert enter(desk, present(desk.table.pack, "high_noon", "crossfire")).status == "done"
    desk.done(seat, TurnUp(seat, "crossfire"))
    assert desk.table.pack.absent == {}


def test_counts_that_what_was_seen_contradicts_are_refused(desk: Desk) -> None:
    seat = begin(desk, "high_noon")
    desk.done(seat, TurnUp(seat, "crossfire"))
    rest = {card.name: 2 for card in desk.table.pack.high_noon if card.name != "crossfire"}
    answer = enter(desk, EnterCounts(Counts("high_noon", rest | {"salvage": 10})))
    assert answer.status == "refused"
    assert "What was played already does not fit the card" in answer.words
    answer = enter(desk, EnterCounts(Counts("high_noon", rest | {"crossfire": 1})))
    assert answer.status == "done", answer
    assert {card.name: card.copies for card in desk.state.edition.high_noon}["crossfire"] == 1


def test_an_emulated_table_goes_on_with_a_card_that_is_entered(desk: Desk) -> None:
    seat = begin(desk, "high_noon")
    truth = Truth(RAIDERS, 3)
    line = desk.table.line()
    assert line is not None
    assert set(truth.follow(*line).high_noon) == {UNKNOWN}
    enter(desk, SNOW)
    desk.done(seat, TurnUp(seat, "snow"))
    line = desk.table.line()
    assert line is not None
    assert truth.follow(*line).tops[0] == "snow"
