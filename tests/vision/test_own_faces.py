"""Faces of an owner's dice that were put right: what they name, and what they never change in silence."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from companion.games.layout import Cut, Dice
from vision.dice import Image, decide, judge
from vision.own_faces import SIDE, KeptFace, OwnFaces, cut_out, misread, opened
from vision.render_dice import draw_die


def sticker(shape: str) -> Image:
    """A symbol in ink on an ivory face."""
    face = np.full((160, 160, 3), (214, 232, 240), np.uint8)
    ink = (40, 30, 150)
    if shape == "anchor":
        cv2.line(face, (80, 25), (80, 130), ink, 14)
        cv2.line(face, (50, 50), (110, 50), ink, 12)
        cv2.ellipse(face, (80, 85), (52, 46), 0, 10, 170, ink, 14)
    else:
        points = np.array([(80, 15), (20, 70), (65, 70), (35, 145), (135, 55), (88, 60), (118, 15)])
        cv2.fillPoly(face, [points], ink)
    return face


def thrown(*values: int, symbol: str = "anchor", turn: int = 20) -> Image:
    """Dice on felt, with a symbol in place of the pips of a six."""
    image = np.full((540, 960, 3), (60, 96, 44), np.uint8)
    for number, value in enumerate(values):
        stickers = [sticker(symbol)] * 6 if value == 6 else []
        draw_die(image, (160 + 220 * number, 270), 80, turn + 33 * number, value, tilt=6, stickers=stickers)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), np.uint8)


def put_right(image: Image, *values: int) -> list[KeptFace]:
    cuts = cut_out(image, judge(image))
    found = misread(cuts, values)
    return [KeptFace(value, cuts[at].value, opened(cuts[at].picture)) for at, value in found.items()]


def read(image: Image, kept: Sequence[KeptFace]) -> Dice:
    return decide(OwnFaces(kept).heard(image, judge(image)), image.shape[:2])


def test_a_symbol_is_asked_about_once_and_then_read_however_it_lies() -> None:
    first = thrown(6, 3)
    assert not read(first, ()).sure
    kept = put_right(first, 3, 6)
    assert [(face.value, face.was) for face in kept] == [(6, 0)]
    for turn in (75, 140, 305):
        seen = read(thrown(2, 6, 5, turn=turn), kept)
        assert seen.sure
        assert sorted(seen.values) == [2, 5, 6]


def test_another_symbol_is_still_asked_about() -> None:
    kept = put_right(thrown(6, 3), 3, 6)
    assert not read(thrown(6, 2, symbol="flash", turn=50), kept).sure


def test_a_kept_face_that_is_wrong_makes_a_question_of_what_is_plainly_seen_and_nothing_else() -> None:
    image = thrown(3, 5)
    three = next(cut for cut in cut_out(image, judge(image)) if cut.value == 3)
    wrong = KeptFace(4, 3, opened(three.picture))
    again = read(image, [wrong])
    assert sorted(again.values) == [3, 5]
    assert not again.sure
    assert read(thrown(5, 2, 1), [wrong]).sure


def test_pips_are_not_named_by_what_was_no_pips() -> None:
    kept = put_right(thrown(6, 3), 3, 6)
    image = thrown(1, 2, 3, 4)
    assert read(image, kept) == decide(judge(image), image.shape[:2])


@pytest.mark.parametrize(
    ("cuts", "truth", "found"),
    [
        (((3, 0.99), (0, 0.1)), (3, 6), {1: 6}),
        (((3, 0.99), (2, 0.6)), (2, 3), {1: 2}),  # only confirmed
        (((3, 0.99), (5, 0.99)), (3, 4), {1: 4}),  # read surely, and wrong
        (((0, 0.1), (0, 0.1)), (6, 6), {0: 6, 1: 6}),
        (((0, 0.1), (0, 0.1)), (6, 5), {}),  # which is which?
        (((5, 0.99), (5, 0.99)), (5, 4), {}),  # which of the two was read wrong?
        (((5, 0.99), (5, 0.99)), (4, 4), {0: 4, 1: 4}),
        (((3, 0.99),), (3, 6), {}),  # a die was not found at all
        (((3, 0.99), (2, 0.99)), (2, 3), {}),
        ((), (), {}),
    ],
)
def test_only_what_is_beyond_doubt_is_learned(
    cuts: Sequence[tuple[int, float]], truth: Sequence[int], found: dict[int, int]
) -> None:
    assert misread([Cut(value, sure, b"") for value, sure in cuts], truth) == found


@pytest.mark.parametrize(
    "data", [b"", b"no picture", cv2.imencode(".png", np.zeros((9, SIDE, 3), np.uint8))[1].tobytes()]
)
def test_what_is_no_kept_face_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="no picture of 80 x 80 pixels"):
        opened(data)
