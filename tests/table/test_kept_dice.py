"""The folder of dice that people put right: few and small, each by itself, and gone when it shall be."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import kept_dice
from companion.games.layout import Cut
from companion.kept_dice import MOST, KeptDice
from companion.watch import PutRight
from firmware_bridge.device import Fault


def cut(value: int = 0, sure: float = 0.1, shade: int = 90) -> Cut:
    face = np.full((80, 80, 3), shade, np.uint8)
    cv2.circle(face, (40, 40), 20, (0, 0, 255), -1)
    return Cut(value, sure, cv2.imencode(".png", face)[1].tobytes())


class Keeping:
    """The folder over one run of Stationmaster; what it says is in `told`."""

    def __init__(self, folder: Path) -> None:
        self.told: list[Fault] = []
        self.dice = KeptDice(folder, self.told.append)

    def run(self, *said: PutRight) -> list[tuple[int, int]]:
        """What is kept once all this was said and done."""
        self.dice.start()
        for each in said:
            self.dice.learn(each)
        self.dice.close()
        return [(face.value, face.was) for face in self.dice.kept]


def test_what_was_put_right_is_kept_over_a_restart(tmp_path: Path) -> None:
    folder = tmp_path / "own-dice"
    said = PutRight("a", (cut(), cut(3, 0.99)), (3, 6))
    assert Keeping(folder).run(said) == [(6, 0)]
    keeping = Keeping(folder)
    assert keeping.run() == [(6, 0)]
    name = keeping.dice.kept[0].name
    assert keeping.dice.picture(name) == said.cuts[0].picture
    assert keeping.dice.picture("../" + name) is None
    assert [file.name for file in folder.iterdir()] == [name]
    assert keeping.told == []


def test_nothing_is_written_of_what_was_read_rightly_or_is_not_clear(tmp_path: Path) -> None:
    folder = tmp_path / "own-dice"
    said = (
        PutRight("a", (cut(3, 0.99), cut(5, 0.6)), (3, 5)),
        PutRight("b", (cut(), cut()), (6, 5)),
        PutRight("c", (cut(),), ("red",)),
    )
    assert Keeping(folder).run(*said) == []
    assert not folder.exists()


def test_a_throw_that_is_put_right_once_more_is_kept_as_it_was_said_last(tmp_path: Path) -> None:
    said = (PutRight("a", (cut(),), (6,)), PutRight("a", (cut(),), (1,)))
    assert Keeping(tmp_path).run(*said) == [(1, 0)]


def test_the_oldest_goes_first(tmp_path: Path) -> None:
    said = [PutRight(str(number), (cut(),), (1 + number % 6,)) for number in range(MOST + 2)]
    kept = Keeping(tmp_path).run(*said)
    assert len(kept) == MOST == len(list(tmp_path.iterdir()))
    assert kept[0] == (1 + (MOST + 1) % 6, 0)


def test_a_face_is_forgotten_and_so_are_all(tmp_path: Path) -> None:
    keeping = Keeping(tmp_path)
    keeping.run(*(PutRight(str(value), (cut(),), (value,)) for value in (1, 2, 3)))
    keeping.dice.forget(next(face.name for face in keeping.dice.kept if face.value == 2))
    assert [face.value for face in keeping.dice.kept] == [3, 1]
    keeping.dice.forget("../elsewhere")
    assert len(keeping.dice.kept) == 2
    keeping.dice.forget("")
    assert len(list(keeping.dice.kept)) == 0
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_used_is_named_with_the_cure_and_the_others_are_used(tmp_path: Path) -> None:
    Keeping(tmp_path).run(PutRight("a", (cut(),), (6,)))
    bad = tmp_path / f"2-as-0-{1:016x}.png"
    bad.write_bytes(b"torn")
    (tmp_path / "notes.txt").write_text("not ours")
    keeping = Keeping(tmp_path)
    assert keeping.run() == [(6, 0)]
    assert len(keeping.told) == 1
    assert bad.name in keeping.told[0].words
    assert f"Delete it from {tmp_path}" in keeping.told[0].cure
    bad.write_bytes(bytes(kept_dice.LARGEST + 1))
    assert "more than" in _said(tmp_path)


def _said(folder: Path) -> str:
    keeping = Keeping(folder)
    keeping.run()
    return keeping.told[0].words


def test_a_folder_that_cannot_be_written_is_told_and_nothing_ends(tmp_path: Path) -> None:
    folder = tmp_path / "own-dice"
    folder.write_text("a file in the way")
    keeping = Keeping(folder)
    assert keeping.run(PutRight("a", (cut(),), (6,)), PutRight("b", (cut(),), (5,))) == []
    assert "cannot be kept" in keeping.told[0].words


@pytest.mark.parametrize("value", [0, 7, 9])
def test_only_values_of_such_a_die_are_kept(tmp_path: Path, value: int) -> None:
    assert Keeping(tmp_path).run(PutRight("a", (cut(),), (value,))) == []
