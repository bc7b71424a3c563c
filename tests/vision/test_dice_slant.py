"""Faces of one picture together: what lies in one plane is seen from one slant."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.dice_slant import Floats, Level, unlike

angles = st.floats(0, 360)


def face(angle: float, lean: float, towards: float, side: float = 40.0) -> Floats:
    """A square on the table, turned by `angle`, seen by a camera that leans (all degrees)."""
    turn, way = np.radians(angle), np.radians(towards)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2
    turned = square @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    along = np.array([np.cos(way), np.sin(way)])
    shorter = np.eye(2) - (1 - np.cos(np.radians(lean))) * np.outer(along, along)
    corners: Floats = (turned @ shorter + 200).astype(np.float32)
    return corners


@given(st.lists(st.tuples(angles, st.floats(12, 60)), min_size=1, max_size=8), st.floats(0, 60), angles)
def test_upper_faces_of_one_picture_do_not_speak_against_each_other(
    turned: list[tuple[float, float]], lean: float, towards: float
) -> None:
    faces = [face(angle, lean, towards, side) for angle, side in turned]
    np.testing.assert_allclose(unlike(faces, [0.9] * len(faces)), 0)


@pytest.mark.parametrize("angle", [0.0, 20.0, 45.0])
def test_a_side_face_is_unlike_the_upper_ones(angle: float) -> None:
    # A side face is foreshortened by another angle, and in another direction.
    faces = [face(angle + 10 * turn, 40, 90) for turn in range(4)] + [face(0, 70, 0)]
    against = unlike(faces, [0.95, 0.9, 0.9, 0.9, 0.9])
    assert against[:4].max() == 0
    assert against[4] < -2


def test_what_is_hardly_a_face_is_no_witness() -> None:
    upper, side = face(0, 30, 90), face(0, 70, 0)
    assert unlike([upper, side, side], [0.9, 0.3, 0.2])[0] == 0
    assert unlike([upper, side], [0.4, 0.4]).tolist() == [0, 0]


def test_one_face_alone_is_like_itself() -> None:
    assert unlike([face(10, 30, 0)], [0.9]).tolist() == [0]
    assert unlike([], []).shape == (0,)


def leaning(degrees: float) -> tuple[Level, Callable[[Floats], Floats]]:
    """How a camera that leans so much towards the viewer sees a table, and where it sees points (Nx3, mm)."""
    lean = np.radians(degrees)
    back, up = 600 * np.sin(lean), 600 * np.cos(lean)
    forward = np.array([0, -np.sin(lean), np.cos(lean)])
    axes = np.array([[1.0, 0, 0], np.cross(forward, [1.0, 0, 0]), forward])
    eye = np.array([0, back, -up])  # the third axis points into the table
    lens = np.diag([1000.0, 1000.0, 1.0])

    def seen(points: Floats) -> Floats:
        there = (lens @ axes @ (points - eye).T).T
        return np.asarray(there[:, :2] / there[:, 2:], np.float32)

    plane = lens @ axes @ np.array([(1, 0, -eye[0]), (0, 1, -eye[1]), (0, 0, -eye[2])])
    return Level(np.linalg.inv(plane), eye[:2]), seen


def die(at: tuple[float, float], turn: float) -> tuple[Floats, Floats]:
    """The upper face of a die of 16 mm (4x3, mm), and the side of it that looks towards the viewer."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    square = np.array([(-8, -8), (8, -8), (8, 8), (-8, 8)]) @ np.array([(c, s), (-s, c)]) + at
    upper = np.column_stack([square, np.full(4, -16.0)])
    below, right = upper[[3, 2]] + (0, 0, 16), upper[[3, 2]]
    return upper, np.array([right[0], right[1], below[1], below[0]])


@pytest.mark.parametrize("turn", [-30.0, 0.0, 20.0])
@pytest.mark.parametrize("degrees", [15.0, 30.0, 60.0])
def test_where_it_is_known_how_level_things_lie_a_lone_die_s_side_is_none(
    degrees: float, turn: float
) -> None:
    level, seen = leaning(degrees)
    upper, side = (seen(face) for face in die((40.0, -30.0), turn))
    against = unlike([upper, side], [0.97, 0.97], level)
    assert against[0] > -0.1
    assert against[1] < -3


def test_what_lies_beside_an_upper_face_is_its_side_however_it_is_framed() -> None:
    level, seen = leaning(35.0)
    upper, side = die((0.0, 0.0), 20.0)
    elsewhere, _ = die((200.0, 0.0), 20.0)
    framed = seen(elsewhere) - seen(elsewhere).mean(axis=0) + seen(side).mean(axis=0)
    assert unlike([framed], [0.97], level)[0] > -0.5  # by itself it may be an upper face
    assert unlike([seen(upper), framed], [0.97, 0.9], level).tolist() == pytest.approx([0, -3.5], abs=0.5)


@pytest.mark.parametrize("way", [(16.2, 0.0), (0.0, 16.2), (0.0, -16.2), (12.0, 12.0)])
def test_of_two_dice_that_touch_none_is_the_other_s_side(way: tuple[float, float]) -> None:
    level, seen = leaning(35.0)
    one, _ = die((0.0, 0.0), 0.0)
    other, _ = die(way, 0.0)
    np.testing.assert_allclose(unlike([seen(one), seen(other)], [0.97, 0.97], level), 0, atol=0.1)


def test_a_part_of_a_picture_shows_the_same_level() -> None:
    level, seen = leaning(30.0)
    upper, side = (seen(face) for face in die((40.0, -30.0), 20.0))
    part = level.part(-200.0, -100.0, 1.5)
    moved = [(face + 0.5 - (-200.0, -100.0)) * 1.5 - 0.5 for face in (upper, side)]
    whole = unlike([upper, side], [0.97, 0.6], level)
    np.testing.assert_allclose(unlike(moved, [0.97, 0.6], part), whole, atol=0.05)
