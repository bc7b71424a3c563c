"""Cards that an owner enters at a table: kept in the pack, known to a game that runs without them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import games, packs
from companion.emulated.truth import Truth
from companion.games.hellrail.actions import EndTurn, Fan
from companion.games.hellrail.entering import EnterCircle, EnterRail, begin, present
from companion.games.hellrail.pack import CircleEntry, RailEntry, missing, to_toml
from companion.games.hellrail.state import Step
from companion.journal import read
from companion.messages import Answer, Enter, Join
from companion.own_cards import open_pack
from companion.packs import PackError
from companion.record import of_session, replay, write
from companion.session import Session
from tests.table.desk import Desk

HELLRAIL = games.load("hellrail")
R17 = EnterRail(RailEntry("r17", 4, "1", "2", 3, ("NS4",)))
OTHER = EnterRail(RailEntry("r17", 9, "1", "2", 1, ("NS4",)))
GATE = EnterCircle(CircleEntry("G", "", "NESW", "Draw a card.", (Step("draw"),)))


def raw(value: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))


def enter(desk: Desk, entry: Any, person: str = "red", was: Any = None, **more: Any) -> Answer:
    """The person enters a card after having looked at it, unless it `was` otherwise then."""
    kind = "rail" if isinstance(entry, EnterRail) else "circle"
    seen = was or present(desk.table.pack, kind, entry.card.name)
    return desk.ask(person, Enter(raw(entry), raw(seen)), **more)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A table that plays an owner's pack, in which nothing is entered."""
    desk = Desk(tmp_path / "state", game="hellrail", pack="owner")
    yield desk
    desk.close()


def test_an_owners_pack_is_begun_once(tmp_path: Path) -> None:
    pack, cards = open_pack(HELLRAIL, "owner", tmp_path)
    assert cards is not None
    assert cards.file == tmp_path / "packs" / "hellrail" / "owner.toml"
    assert (pack.name, len(missing(pack))) == ("owner", 55)
    cards.keep(Enter(raw(R17), raw(R17)))
    assert len(missing(open_pack(HELLRAIL, "owner", tmp_path)[0])) == 54


def test_what_was_changed_in_the_file_by_hand_is_not_written_over(desk: Desk) -> None:
    desk.sit("red", "blue")
    assert enter(desk, GATE).status == "done"
    cards = desk.table.cards
    assert cards is not None
    by_hand = cards.file.read_text("utf-8").replace('name = "r44"', 'name = "long_curve"')
    cards.file.write_text(by_hand, "utf-8")
    answer = enter(desk, R17)
    assert answer.status == "refused"
    assert "owner.toml has been changed outside this page" in answer.words
    assert cards.file.read_text("utf-8") == by_hand
    desk.close()
    again = desk.again()
    assert enter(again, R17).status == "done"
    pack = open_pack(HELLRAIL, "owner", again.folder)[0]
    assert present(pack, "rail", "long_curve")
    assert present(pack, "rail", "r17") == R17
    again.close()


def test_a_file_of_ones_own_is_an_owners_pack_and_one_that_comes_with_the_game_is_not(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    names = to_toml(begin(packs.load(HELLRAIL, "house"))).replace('"r17"', '"long_curve"')
    file.write_text(names, "utf-8")
    pack, cards = open_pack(HELLRAIL, str(file), tmp_path / "state")
    assert cards is not None
    assert cards.file == file
    assert present(pack, "rail", "long_curve")
    assert open_pack(HELLRAIL, "house", tmp_path)[1] is None
    assert open_pack(games.load("pawns_of_perdition"), "house", tmp_path)[1] is None
    with pytest.raises(PackError, match="has no pack 'owner'"):
        open_pack(games.load("pawns_of_perdition"), "owner", tmp_path)


@pytest.mark.parametrize("broken", [b"value = ", b"", b"\xff", b'name = "owner"\ncolour = 1'])
def test_a_file_that_was_broken_by_hand_is_named_with_the_cure_and_left_alone(
    tmp_path: Path, broken: bytes
) -> None:
    file = tmp_path / "packs" / "hellrail" / "owner.toml"
    file.parent.mkdir(parents=True)
    file.write_bytes(broken)
    with pytest.raises(
        PackError, match=r"owner\.toml .*[^.]\. Put it right in a text editor, or move it away"
    ):
        open_pack(HELLRAIL, "owner", tmp_path)
    assert file.read_bytes() == broken


def test_a_pack_that_cannot_be_begun_says_so(tmp_path: Path) -> None:
    (tmp_path / "packs").write_text("in the way", "utf-8")
    with pytest.raises(PackError, match="cannot be written"):
        open_pack(HELLRAIL, "owner", tmp_path)


def test_a_card_is_kept_in_the_pack_before_it_is_confirmed(desk: Desk) -> None:
    desk.sit("red")
    assert enter(desk, R17).status == "done"
    assert present(packs.load(HELLRAIL, str(desk.folder / "packs/hellrail/owner.toml")), "rail", "r17") == R17
    again = desk.again()
    assert len(missing(again.table.pack)) == 54
    again.close()


def test_what_is_wrong_with_a_card_is_told_and_nothing_is_kept(desk: Desk) -> None:
    desk.sit("red")
    file = desk.folder / "packs/hellrail/owner.toml"
    before = file.read_bytes()
    assert enter(desk, EnterRail(RailEntry("r17", 4))).words.startswith("Still to be entered: Pickup Circle")
    assert "has no card 'rail r99'" in enter(desk, EnterRail(RailEntry("r99")), was=R17).words
    assert "is no card of HellRail" in desk.ask("red", Enter(msgspec.Raw(b"{}"), raw(R17))).words
    assert "Say your name first" in enter(desk, R17, "stranger").words
    assert file.read_bytes() == before


def test_a_disk_that_does_not_take_it_leaves_the_pack_as_it_was(desk: Desk) -> None:
    desk.sit("red")
    file = desk.folder / "packs/hellrail/owner.toml"
    file.with_name("owner.toml.new").mkdir()
    answer = enter(desk, R17)
    assert (answer.status, "cannot be written" in answer.words) == ("refused", True)
    assert "r17" in [gap.name for gap in missing(desk.table.pack)]
    file.with_name("owner.toml.new").rmdir()
    assert enter(desk, R17).status == "done"


def test_who_looked_at_it_before_somebody_else_entered_it_is_told_so(desk: Desk) -> None:
    desk.sit("red", "blue")
    seen = present(desk.table.pack, "rail", "r17")
    assert enter(desk, R17, "red", seen).status == "done"
    answer = enter(desk, OTHER, "blue", seen)
    assert (answer.status, "meanwhile" in answer.words) == ("stale", True)
    assert present(desk.table.pack, "rail", "r17") == R17
    assert enter(desk, OTHER, "blue").status == "done"


def test_it_matters_not_what_else_happened_at_the_table_meanwhile(desk: Desk) -> None:
    begun = desk.table.number
    desk.sit("red", "blue")
    assert enter(desk, R17, on=begun).status == "done"


def test_a_repeated_request_gets_its_first_answer(desk: Desk) -> None:
    desk.start("red", "blue")
    seen = present(desk.table.pack, "rail", "r17")
    first = enter(desk, R17, was=seen, id="once-and-again")
    assert enter(desk, R17, was=seen, id="once-and-again") == first
    assert [words for words in desk.log() if "entered" in words] == ["Ann entered a card: rail r17."]


def test_a_card_is_entered_under_a_running_game_and_played(desk: Desk) -> None:
    desk.start("red", "blue")
    refused = desk.do("red", Fan("red", "r17"))
    assert (refused.status, "not entered yet" in refused.words) == ("refused", True)
    before, moves = desk.state, desk.table.moves()
    assert enter(desk, R17).status == "done"
    assert msgspec.structs.replace(desk.state, edition=before.edition) == before
    assert desk.table.moves() == moves
    desk.done("red", Fan("red", "r17"))
    assert desk.state.top == "r17"


def test_only_those_at_the_table_enter_a_card_while_a_game_runs(desk: Desk) -> None:
    desk.start("red", "blue")
    desk.ask("green", Join("Cleo"))
    assert "Only those who sit" in enter(desk, R17, "green").words
    assert enter(desk, R17, "blue").status == "done"


def test_a_card_that_the_game_knows_stays_as_it_is_there_and_is_another_in_the_next(desk: Desk) -> None:
    desk.start("red", "blue")
    enter(desk, R17)
    number, state = desk.table.number, desk.state
    assert enter(desk, OTHER).status == "done"
    assert (desk.table.number, desk.state) == (number, state)
    assert present(desk.table.pack, "rail", "r17") == OTHER


@pytest.mark.parametrize("entries", [(R17,), (R17, GATE)])
def test_a_restart_and_a_takeback_keep_what_was_entered(desk: Desk, entries: tuple[Any, ...]) -> None:
    desk.start("red", "blue")
    desk.done("red", EndTurn("red"))
    for entry in entries:
        enter(desk, entry)
    desk.done("blue", Fan("blue", "r17"))
    state = desk.state
    again = desk.again()
    try:
        assert again.state == state
        assert again.takeback("blue", len(again.table.moves()) - 1).status == "done"
        assert again.agree("red").status == "done"
        assert again.state.edition == state.edition
        assert again.do("blue", Fan("blue", "r17")).status == "done"
        assert again.state == state
    finally:
        again.close()


def test_a_record_of_such_a_game_is_refereed(desk: Desk) -> None:
    desk.start("red", "blue")
    enter(desk, R17)
    desk.done("red", Fan("red", "r17"))
    session = Session.replay(read(desk.folder))
    verdicts = list(replay(write(*of_session(session))))
    assert len(verdicts) == len(desk.table.moves())
    assert all(verdict.illegal is None for verdict in verdicts)


def test_the_house_edition_is_not_entered(tmp_path: Path) -> None:
    desk = Desk(tmp_path, game="hellrail")
    desk.sit("red")
    answer = enter(desk, R17)
    assert (answer.status, "--pack owner" in answer.words) == ("refused", True)
    desk.close()


def test_an_emulated_table_has_dealt_the_same_cards_once_one_is_entered(desk: Desk) -> None:
    desk.start("red", "blue")
    truth = Truth(HELLRAIL, 3)
    line = desk.table.line()
    assert line is not None
    hands = truth.follow(*line).hands
    enter(desk, R17)
    line = desk.table.line()
    assert line is not None
    after = truth.follow(*line)
    assert (after.hands, after.edition) == (hands, desk.state.edition)
