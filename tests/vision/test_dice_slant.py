"""Faces of one picture together: what lies in one plane is seen from one slant."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.dice_slant import Floats, unlike

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
