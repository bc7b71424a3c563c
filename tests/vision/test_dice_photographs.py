"""What the dice's networks learn from: whose photographs, and where the faces in them lie."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from tools.dice_photographs import Photograph, crop, framed, free, photographs
from tools.dice_scenes import OTHER, Face
from vision.dice import WEIGHTS, Judged
from vision.dice_finder import Floats

SQUARE = np.array([[0, 0], [40, 0], [40, 40], [0, 40]], np.float32)


def judged(x: float, y: float, label: int, chance: float = 0.9) -> Judged:
    """A candidate at x, y that shows `label` with that chance, and else no upper face."""
    labels = np.zeros(8, np.float32)
    labels[label], labels[0] = chance, 1 - chance
    return Judged(SQUARE + np.array([x, y], np.float32), labels)


@pytest.mark.parametrize(
    "licence", ["MIT", "MIT (repo)", "Apache-2.0", "BSD-2-Clause", "CC BY 4.0", "Public Domain"]
)
def test_a_free_licence_allows_learning(licence: str) -> None:
    assert free({"licence": licence})


@pytest.mark.parametrize(
    "licence", ["", "none stated", "GPL-3.0", "AGPL-3.0", "CC BY-SA 2.0", "CC BY-NC 4.0"]
)
def test_any_other_licence_does_not(licence: str) -> None:
    assert not free({"licence": licence})


def test_only_free_photographs_are_taken_and_none_of_a_source_that_is_left_out(tmp_path: Path) -> None:
    rows = ["photo,kind,values,boxes,licence"]
    for source, licence in (("a", "MIT"), ("b", "none stated"), ("c", "MIT")):
        (tmp_path / source).mkdir()
        cv2.imwrite(str(tmp_path / source / "1.jpg"), np.full((90, 120, 3), 127, np.uint8))
        rows.append(f"{source}/1.jpg,empty,,,{licence}")
    (tmp_path / "truth.csv").write_text("\n".join(rows))
    assert [each.name for each in photographs(tmp_path, WEIGHTS, ["c"])] == ["a/1.jpg"]


def test_without_boxes_what_is_read_wrongly_is_not_learned_from() -> None:
    seen = [judged(0, 0, 3), judged(100, 0, 5), judged(200, 0, 1, chance=0.4)]
    faces = framed(seen, "3-5", "", "pip")
    assert faces is not None
    assert [(face.label, face.seen) for face in faces] == [(3, 1.0), (5, 1.0)]
    assert framed(seen, "3-4", "", "pip") is None


def test_a_box_takes_the_face_that_reads_as_it_says_and_hides_what_is_read_otherwise() -> None:
    seen = [judged(0, 0, 3), judged(100, 0, 5)]
    right, wrong = framed(seen, "3-4", "3:0,0,44,44;4:100,0,44,44", "pip") or []
    assert (right.label, right.seen) == (3, 1.0)
    np.testing.assert_allclose(right.corners, SQUARE)
    assert wrong.seen < 0.8


def test_dice_with_other_marks_are_known_as_such() -> None:
    (face,) = framed([judged(0, 0, 3)], "A", "A:0,0,44,44", "letter") or []
    assert face.label == OTHER


def spot(size: int, corners: Floats) -> Photograph:
    image = np.full((size, size, 3), 60, np.uint8)
    cv2.fillConvexPoly(image, np.round(corners).astype(np.int32), (220, 220, 220))
    return Photograph("spot", image, (Face(corners, 4, 1.0),))


@pytest.mark.parametrize("seed", range(12))
def test_in_a_crop_the_face_lies_where_it_is_told(seed: int) -> None:
    photograph = spot(400, SQUARE * 1.5 + np.array([170, 150], np.float32))
    scene = crop(photograph, np.random.default_rng(seed), 128, (20.0, 40.0))
    (face,) = scene.faces
    if face.seen < 1.0:
        return
    assert 19 < np.sqrt(abs(cv2.contourArea(face.corners))) < 41
    told = np.zeros((128, 128), np.uint8)
    cv2.fillConvexPoly(told, np.round(face.corners).astype(np.int32), 1)
    grey = scene.image.mean(axis=2)
    # Light and noise differ in each crop, so the two shades are told apart half way between them.
    bright = grey > (np.median(grey[told > 0]) + np.median(grey[told == 0])) / 2
    assert np.count_nonzero(bright & (told > 0)) > 0.9 * np.count_nonzero(told)
