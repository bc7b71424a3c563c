"""What is printed of an owner's pack: as much of it as is entered, and what is said of the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion import games, packs
from companion.command import main
from companion.games.hellrail.entering import begin
from companion.games.hellrail.pack import Pack, to_toml
from companion.games.layout import Marker
from companion.own_cards import open_pack, owners_file
from companion.print_kit.what import batches

HELLRAIL = games.load("hellrail")


@pytest.fixture
def house() -> Pack:
    found: Pack = packs.load(HELLRAIL, "house")
    return found


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state folder in which the owner's pack is begun, and nothing of it is entered."""
    open_pack(HELLRAIL, "owner", tmp_path)
    return tmp_path


def enter(state: Path, house: Pack, rails: int, circles: int) -> None:
    """Only the first Rail Cards and Circles of the house edition are entered, in that order."""
    pack = begin(house)
    entered = tuple(replace(card, name=own.name) for card, own in zip(house.rails, pack.rails, strict=True))
    pack = replace(
        pack,
        rails=(*entered[:rails], *pack.rails[rails:]),
        circles=(*house.circles[:circles], *pack.circles[circles:]),
    )
    owners_file(HELLRAIL, state).write_text(to_toml(pack))


def printed(pack: Any, state: Path) -> dict[str, list[set[int]]]:
    """The markers of each item, by its batch."""
    kit, _ = batches(HELLRAIL, pack, state)
    return {
        batch.title: [
            {shape.id for shape in item.drawing.shapes if isinstance(shape, Marker)} for item in batch.items
        ]
        for batch in kit
    }


def test_what_is_entered_is_printed_and_one_line_names_the_rest(
    state: Path, house: Pack, capsys: pytest.CaptureFixture[str]
) -> None:
    enter(state, house, 43, 9)
    file = state / "kit.pdf"
    assert main(["print", "hellrail", "--pack", "owner", "--state", str(state), "--out", str(file)]) == 0
    said = capsys.readouterr()
    assert file.read_bytes().startswith(b"%PDF")
    assert f"{file}: " in said.out
    (line,) = said.err.splitlines()
    assert "Left out, since not entered yet: Rail Cards r44 and r45, Circle 9." in line
    assert "run --game hellrail --pack owner" in line
    assert "Menu, Your own cards" in line


def test_a_card_has_the_same_markers_whatever_else_is_entered(state: Path, house: Pack) -> None:
    enter(state, house, 45, 10)
    whole = printed("owner", state)
    enter(state, house, 2, 1)
    part = printed("owner", state)
    assert len(whole["Rail Cards"]) == 45
    assert part["Rail Cards"] == whole["Rail Cards"][:2]
    assert part["Circle Cards"] == whole["Circle Cards"][:1]
    assert all(part["Rail Cards"])
    assert part.keys() == whole.keys()


def test_what_has_no_card_yet_has_no_page(state: Path, house: Pack) -> None:
    enter(state, house, 0, 1)
    part = printed("owner", state)
    assert "Rail Cards" not in part
    assert len(part["Circle Cards"]) == 1
    assert len(part["Engines"]) == 4


def test_a_file_of_ones_own_is_printed_the_same_way(
    state: Path, house: Pack, capsys: pytest.CaptureFixture[str]
) -> None:
    enter(state, house, 44, 10)
    file = state / "mine.toml"
    owners_file(HELLRAIL, state).rename(file)
    assert main(["print", "hellrail", "--pack", str(file), "--out", str(state / "kit.pdf")]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert "not entered yet: Rail Card r45." in line
    assert f"--pack {file}" in line


def test_nothing_is_said_of_a_pack_that_is_all_entered(
    state: Path, house: Pack, capsys: pytest.CaptureFixture[str]
) -> None:
    enter(state, house, 45, 10)
    out = str(state / "kit.pdf")
    assert main(["print", "hellrail", "--pack", "owner", "--state", str(state), "--out", out]) == 0
    assert main(["print", "hellrail", "--out", out]) == 0
    assert not capsys.readouterr().err


@pytest.mark.parametrize("begun", [True, False])
def test_a_pack_with_nothing_entered_is_a_fault_with_its_cure(
    begun: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if begun:
        open_pack(HELLRAIL, "owner", tmp_path)
    there = sorted(tmp_path.rglob("*"))
    out = tmp_path / "kit.pdf"
    command = ["print", "hellrail", "--pack", "owner", "--state", str(tmp_path), "--out", str(out)]
    assert main(command) == 78
    (line,) = capsys.readouterr().err.splitlines()
    assert ("No card of it is entered yet." if begun else "no cards of your own") in line
    assert "Menu, Your own cards" in line
    assert sorted(tmp_path.rglob("*")) == there


def test_a_game_without_cards_of_ones_own_has_no_such_pack(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "kit.pdf")
    command = ["print", "pawns_of_perdition", "--pack", "owner", "--state", str(tmp_path), "--out", out]
    assert main(command) == 78
    assert "has no pack 'owner'" in capsys.readouterr().err
