"""Cards without markers, told by their faces: what is told, what is asked, what is not read again."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.emulated.box import box_of
from companion.emulated.photographs import keep, photograph
from companion.games.hellrail.state import Rail
from companion.games.layout import Layout
from tests.emulated import enrolment
from tests.emulated.enrolment import CARDS, GAME, take
from tests.vision.unmarked_table import UnmarkedTable, sure, truth, with_rails
from vision.card_faces import CardFaces
from vision.enrolled import Enrolled

SOME = ("r01", "r03", "r15", "r16", "r29")
"""A straight, and curves that differ in figures alone."""


def learn(folder: Path, names: tuple[str, ...] = SOME) -> CardFaces:
    for name in names:
        take(folder, ("rail", name))
    found = Enrolled(folder).faces()
    assert found is not None
    assert found.faults == ()
    return found


def test_every_turn_is_told_and_all_circles() -> None:
    rails = [
        Rail((3 + number, 0), name, 90 * number) for number, name in enumerate(("r03", "r16", "r29", "r15"))
    ]
    of = with_rails(rails)
    table = UnmarkedTable(of, enrolment.faces())
    # Two engines hide the Gate, which has not been read before.
    hidden = ("circle", "G")
    assert sure(table.rest()) == {key: spot for key, spot in truth(of).items() if key != hidden}
    assert table.reading.holes == ()


def test_a_card_that_is_laid_is_read_and_one_that_is_taken_away_is_gone(tmp_path: Path) -> None:
    table = UnmarkedTable(with_rails(), learn(tmp_path))
    table.rest()
    for number, name in enumerate(SOME):
        of = with_rails((Rail((3 + number, 0), name, 90 * (number % 4)),))
        table.become(of)
        read = sure(table.rest())
        assert {key: spot for key, spot in read.items() if key[0] == "rail"} == {
            key: spot for key, spot in truth(of).items() if key[0] == "rail"
        }
    table.become(with_rails())
    assert not [key for key in sure(table.rest()) if key[0] == "rail"]
    assert table.reading.holes == ()


def test_a_card_that_covers_another_takes_its_place(tmp_path: Path) -> None:
    table = UnmarkedTable(with_rails((Rail((3, 0), "r03", 90),)), learn(tmp_path))
    assert sure(table.rest())["rail", "r03"] == ("cell:3,0", 90)
    table.become(with_rails((Rail((3, 0), "r16", 180),)))
    read = sure(table.rest())
    assert read["rail", "r16"] == ("cell:3,0", 180)
    assert ("rail", "r03") not in read
    assert table.reading.holes == ()


def test_the_card_that_shows_on_the_discard_pile_is_told(tmp_path: Path) -> None:
    faces = learn(tmp_path)
    table = UnmarkedTable(with_rails(), faces)
    table.rest()
    for name in ("r16", "r03", "r29"):
        table.become(with_rails(top=name))
        read = sure(table.rest())
        assert {key[1]: spot[0] for key, spot in read.items() if key[0] == "rail"} == {name: "discard"}


def test_twins_are_asked(tmp_path: Path) -> None:
    faces = learn(tmp_path)
    for key in (("rail", "r03"), ("rail", "r15")):
        table = UnmarkedTable(with_rails((Rail((3, 0), key[1], 90),)), faces)
        assert sure(table.rest())[key] == ("cell:3,0", 90)
    # The one card under two names, photographed twice.
    keep(
        photograph(enrolment.box().piece("rail", "r03"), 77),
        enrolment.file_of(tmp_path, ("rail", "r15")),
    )
    twins = Enrolled(tmp_path).faces()
    table = UnmarkedTable(with_rails((Rail((3, 0), "r03", 90), Rail((4, 0), "r16", 90))), twins)
    read = sure(table.rest())
    assert not {("rail", "r03"), ("rail", "r15")} & read.keys()
    assert read["rail", "r16"] == ("cell:4,0", 90)
    assert "cell:3,0" in table.reading.holes


def test_a_card_that_nobody_photographed_is_not_named(tmp_path: Path) -> None:
    faces = learn(tmp_path, ("r03", "r15", "r29"))
    table = UnmarkedTable(with_rails(), faces)
    table.rest()
    for name in ("r16", "r01", "r05"):
        table.become(with_rails((Rail((3, 0), name, 90),)))
        table.rest()
        assert not [sight for sight in table.reading.pieces if sight.piece.kind == "rail"]
        assert "cell:3,0" in table.reading.holes


def test_an_empty_sheet_names_nothing_and_looks_for_nothing() -> None:
    of = with_rails()
    table = UnmarkedTable(of, enrolment.faces())
    table.world.set_out(GAME.table_map(of), Layout(), box_of(GAME, of))
    assert sure(table.rest()) == {}
    assert table.reading.holes == ()
    assert table.reads == 0


@pytest.mark.parametrize("off", [(0.0, 0.0), (0.0, 22.0), (20.0, 12.0)])
def test_a_card_under_an_arm_waits(off: tuple[float, float], tmp_path: Path) -> None:
    table = UnmarkedTable(with_rails(), learn(tmp_path))
    table.rest()
    table.become(with_rails((Rail((9, 1), "r16", 270),)))
    x, y = table.middle("cell:9,1")
    # It comes with the hand that lays the card, and stays there.
    table.world.reach((x + off[0], y + off[1]), 6.0)
    for _ in table.frames(5.0):
        assert ("rail", "r16") not in sure(table.reading)
    assert sure(table.rest())["rail", "r16"] == ("cell:9,1", 270)


def test_an_arm_over_a_card_that_was_read_changes_nothing(tmp_path: Path) -> None:
    table = UnmarkedTable(with_rails((Rail((9, 1), "r16", 270),)), learn(tmp_path))
    table.rest()
    reads = table.reads
    table.world.reach(table.middle("cell:9,1"), 3.0)
    for _ in table.frames(3.0):
        assert sure(table.reading).get(("rail", "r16"), ("cell:9,1", 270)) == ("cell:9,1", 270)
    covered = table.reads
    assert sure(table.rest())["rail", "r16"] == ("cell:9,1", 270)
    # What lay under it is known again without being read.
    assert table.reads == covered
    assert covered - reads < 20  # about as many places as an arm and its shadow cover, each once


def test_nothing_is_read_twice(tmp_path: Path) -> None:
    of = with_rails((Rail((3, 0), "r16", 90), Rail((4, 0), "r05", 90)))
    table = UnmarkedTable(of, learn(tmp_path))
    table.rest()
    reads = table.reads
    # Ten Circles, of which nobody has taken a photograph, two Rail Cards, and the table beyond the sheet.
    assert reads < 24
    table.wait(5.0)
    table.world.throw((3,))
    table.rest()
    table.world.carry("red", "circle:1")
    table.rest()
    assert table.reads <= reads + 1  # the Circle from which the engine has gone
    reads = table.reads
    table.become(with_rails((*of.rails, Rail((9, 1), "r03", 0))))
    assert sure(table.rest())["rail", "r03"] == ("cell:9,1", 0)
    assert table.reads == reads + 1


def test_a_marker_has_the_last_word(tmp_path: Path) -> None:
    take(tmp_path, ("rail", "r16"))
    enrolment.file_of(tmp_path, ("rail", "r16")).rename(enrolment.file_of(tmp_path, ("rail", "r03")))
    faces = Enrolled(tmp_path).faces()
    # Its face is known as that of r03, whether it carries markers or not.
    of = with_rails((Rail((3, 0), "r16", 90),))
    table = UnmarkedTable(of, faces)
    assert sure(table.rest())["rail", "r03"] == ("cell:3,0", 90)
    table = UnmarkedTable(of, faces, CARDS - {("rail", "r16")})
    read = sure(table.rest())
    assert read["rail", "r16"] == ("cell:3,0", 90)
    assert ("rail", "r03") not in read
    # And a marker elsewhere says that this is another card.
    of = with_rails((Rail((3, 0), "r16", 90), Rail((5, 0), "r03", 90)))
    table = UnmarkedTable(of, faces, CARDS - {("rail", "r03")})
    read = sure(table.rest())
    assert read["rail", "r03"] == ("cell:5,0", 90)
    assert "cell:3,0" in table.reading.holes


def test_a_photograph_that_comes_later_is_learned_by_a_table_at_rest(tmp_path: Path) -> None:
    enrolled = Enrolled(tmp_path)
    assert enrolled.faces() is None
    of = with_rails((Rail((3, 0), "r16", 90),))
    table = UnmarkedTable(of, None)
    assert ("rail", "r16") not in sure(table.rest())
    take(tmp_path, ("rail", "r16"))
    faces = enrolled.faces()
    assert faces is not None
    assert enrolled.faces() is faces
    table.reader.learn(faces)
    table.wait(1.0)
    assert sure(table.reading)["rail", "r16"] == ("cell:3,0", 90)


def test_a_photograph_by_which_no_card_can_be_told_is_named_with_its_cure(tmp_path: Path) -> None:
    for name in SOME:
        take(tmp_path, ("rail", name))
    wood = np.full((600, 900, 3), (60, 80, 110), np.uint8)
    keep(wood, tmp_path / "r40.jpg")
    (tmp_path / "r41.jpg").write_bytes(b"no picture")
    faces = Enrolled(tmp_path).faces()
    assert faces is not None
    assert faces.cards == SOME
    assert {fault.card: bool(fault.words and fault.cure) for fault in faces.faults} == {
        "r40": True,
        "r41": True,
    }


def test_a_card_that_is_held_up_or_bent_is_not_told(tmp_path: Path) -> None:
    faces = learn(tmp_path)
    table = UnmarkedTable(with_rails((Rail((3, 0), "r16", 0),)), faces)
    frame = table.camera.read(1.0)
    assert frame is not None
    x, y = table.middle("cell:3,0")
    corners = np.array([(x - 45, y - 45), (x + 45, y - 45), (x + 45, y + 45), (x - 45, y + 45)])
    seen = table.camera.viewpoint.project(corners).astype(np.float32)
    width, height = (side + 2 * around for side, around in zip(faces.size, faces.around, strict=True))
    ends = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    cover = np.full((height, width), 255, np.uint8)

    def named(to: np.ndarray) -> bool:
        fit = cv2.getPerspectiveTransform(seen, to.astype(np.float32))
        facing = faces.name(
            np.asarray(cv2.warpPerspective(frame.image, fit, (width, height)), np.uint8), cover
        )
        return facing is not None and facing.sure

    assert named(ends)
    assert not named(ends * 1.25 - ends.max(axis=0) * 0.125)
    assert not named(ends * (1.0, 0.8) + (0.0, height * 0.1))
