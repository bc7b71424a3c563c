"""Packs on the disk: those that come with a game, and those that owners keep."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import games, packs
from companion.packs import PackError

ALL = [games.load(name) for name in games.NAMES]


def house(game: str) -> str:
    return (Path(packs.__file__).parent / f"games/{game}/packs/house.toml").read_text("utf-8")


@pytest.mark.parametrize("name", games.NAMES)
def test_a_pack_that_is_kept_is_loaded_by_its_path(name: str, tmp_path: Path) -> None:
    game = games.load(name)
    path = packs.save(game, tmp_path / "packs", "My own-2", house(name))
    assert path == tmp_path / "packs" / "My own-2.toml"
    assert packs.load(game, str(path)) == packs.load(game, "house")
    assert [file.name for file in path.parent.iterdir()] == ["My own-2.toml"]


def test_a_pack_is_kept_in_place_of_the_one_of_its_name(tmp_path: Path) -> None:
    game = games.load("pawns_of_perdition")
    text = house(game.name)
    packs.save(game, tmp_path, "own", text)
    path = packs.save(game, tmp_path, "own", text.replace("house edition", "my edition"))
    assert packs.load(game, str(path)).title == "Pawns of Perdition, my edition"


def test_a_pack_that_is_not_in_order_leaves_the_kept_one_as_it_was(tmp_path: Path) -> None:
    game = games.load("pawns_of_perdition")
    path = packs.save(game, tmp_path, "own", house(game.name))
    with pytest.raises(PackError, match=r"own\.toml is not in order: .*not TOML"):
        packs.save(game, tmp_path, "own", "name =")
    assert packs.load(game, str(path)) == packs.load(game, "house")


@pytest.mark.parametrize("name", ["", "../own", "a/b", ".own", "own\n", "a\0b"])
def test_a_name_that_is_no_file_name_is_refused(name: str, tmp_path: Path) -> None:
    game = games.load("pawns_of_perdition")
    with pytest.raises(PackError, match="Use letters, digits"):
        packs.save(game, tmp_path / "packs", name, house(game.name))
    assert list(tmp_path.iterdir()) == []


def test_a_pack_that_cannot_be_written_is_told_why(tmp_path: Path) -> None:
    game = games.load("pawns_of_perdition")
    (tmp_path / "packs").write_text("in the way", "utf-8")
    with pytest.raises(PackError, match=r"own\.toml cannot be written: .*exists"):
        packs.save(game, tmp_path / "packs", "own", house(game.name))
