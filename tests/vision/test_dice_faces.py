import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.dice_faces import PATCH, put_right, rectify
from vision.dice_finder import decode, encode, overlap
from vision.render_dice import PIPS, DieLook, Light, draw_die, face_corners

angles = st.floats(0, 360)


@given(st.floats(6, 60), angles, st.floats(0, 55), angles)
def test_a_face_comes_back_from_its_shape_numbers(
    size: float, angle: float, tilt: float, towards: float
) -> None:
    corners = face_corners((100, 80), size, angle, tilt, towards)
    back = decode(np.array([100, 80], np.float32), encode(corners))
    for corner in corners:
        assert np.hypot(*(back - corner).T).min() < 0.02 * size


@given(st.floats(6, 60), angles, st.floats(0, 55), angles)
def test_shape_numbers_do_not_know_quarter_turns(
    size: float, angle: float, tilt: float, towards: float
) -> None:
    one = encode(face_corners((0, 0), size, angle, tilt, towards))
    other = encode(face_corners((0, 0), size, angle + 90, tilt, towards))
    assert np.allclose(one, other, atol=2e-3)


def test_overlap_is_a_part_of_the_smaller_and_of_both() -> None:
    small = face_corners((100, 100), 20, 0)
    assert overlap(small, face_corners((100, 100), 40, 45)) == pytest.approx((1.0, 0.25), abs=0.01)
    assert overlap(small, face_corners((110, 100), 20, 0)) == pytest.approx((0.5, 1 / 3), abs=0.01)
    assert overlap(small, face_corners((150, 100), 20, 0)) == (0.0, 0.0)


@pytest.mark.parametrize("size", [24, 60, 200, 420])
@pytest.mark.parametrize("angle", [0, 33])
def test_a_patch_shows_the_face_upright_at_any_size(size: float, angle: float) -> None:
    canvas = np.full((1200, 1200, 3), 128, np.uint8)
    corners = face_corners((600.0, 590.0), size, angle)
    cv2.fillConvexPoly(canvas, np.round(corners).astype(np.int32), (255, 255, 255))
    patch = rectify(canvas, corners)
    assert patch.shape == (PATCH, PATCH, 3)
    inside, outside = round(PATCH * 0.22), round(PATCH * 0.11)
    assert patch[inside:-inside, inside:-inside].min() > 240
    assert patch[:outside].max() < 140


@pytest.mark.parametrize("angle", [0.0, 35.0])
def test_a_frame_is_put_right_by_how_the_face_lies_in_it(angle: float) -> None:
    frame = np.array([[0, 0], [40, 0], [40, 40], [0, 40]], np.float32)
    np.testing.assert_allclose(put_right(frame, np.zeros(6, np.float32)), frame)
    moved = put_right(frame, np.array([0.1, -0.05, 0.2, 0, 0, -0.1], np.float32))
    np.testing.assert_allclose(moved, [[-2, 1], [46, 1], [46, 37], [-2, 37]], atol=1e-4)
    # The same in a frame that is turned: what is told is told in the frame's own axes.
    turn = cv2.getRotationMatrix2D((0, 0), angle, 1.0)[:, :2].astype(np.float32)
    turned = put_right(frame @ turn.T, np.array([0.1, -0.05, 0.2, 0, 0, -0.1], np.float32))
    np.testing.assert_allclose(turned, moved @ turn.T, atol=1e-3)


def test_a_patch_over_the_edge_of_the_picture_repeats_the_edge() -> None:
    canvas = np.full((200, 200, 3), 90, np.uint8)
    assert (rectify(canvas, face_corners((2, 2), 120, 10)) == 90).all()


@pytest.mark.parametrize("value", sorted(PIPS))
def test_a_drawn_die_has_as_many_pips_as_its_value(value: int) -> None:
    canvas = np.full((300, 300, 3), 255, np.uint8)
    look = DieLook(drilled=0, gloss=0)
    corners = draw_die(canvas, (150, 150), 180, 20, value, look, light=Light(shadow=0, ambient=1))
    mask = np.zeros((300, 300), np.uint8)
    cv2.fillConvexPoly(mask, corners.astype(np.int32), 255)
    dark = ((canvas.max(axis=2) < 90) & (mask > 0)).astype(np.uint8)
    assert cv2.connectedComponents(dark)[0] - 1 == value


def test_a_slant_shows_side_faces_on_the_side_of_the_viewer() -> None:
    canvas = np.zeros((300, 300, 3), np.uint8)
    corners = draw_die(canvas, (150, 120), 100, 0, 4, light=Light(shadow=0), tilt=45, towards=90)
    ys = np.nonzero(canvas.max(axis=(1, 2)))[0]
    assert ys.max() > corners[:, 1].max() + 40
    assert ys.min() >= corners[:, 1].min() - 2


def test_a_die_half_outside_is_drawn_where_there_is_room() -> None:
    canvas = np.full((100, 100, 3), 128, np.uint8)
    draw_die(canvas, (0, 50), 40, 10, 6)
    draw_die(canvas, (400, 400), 40, 10, 6)
    assert (canvas[:, :18] != 128).any()
    assert (canvas[:, 70:] == 128).all()


def test_the_same_seed_draws_the_same_die() -> None:
    look = DieLook(swirl=(200.0, 40.0, 90.0))
    pictures = []
    for seed in (1, 1, 2):
        canvas = np.full((120, 120, 3), 128, np.uint8)
        draw_die(canvas, (60, 60), 60, 15, 3, look, tilt=30, seed=seed)
        pictures.append(canvas)
    assert (pictures[0] == pictures[1]).all()
    assert (pictures[0] != pictures[2]).any()


def test_what_no_die_shows_is_refused() -> None:
    canvas = np.zeros((50, 50, 3), np.uint8)
    with pytest.raises(ValueError, match="1 to 6, not 7"):
        draw_die(canvas, (25, 25), 20, 0, 7)
    with pytest.raises(ValueError, match="at least 4"):
        draw_die(canvas, (25, 25), 2, 0, 3)
