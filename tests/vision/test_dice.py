import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision import see
from vision.dice import Judged, Known, doubts, read_dice
from vision.dice_finder import overlap
from vision.render_dice import DieLook, Light, draw_die

Image = NDArray[np.uint8]

LOOKS = {
    "white": DieLook(),
    "red": DieLook(body=(40, 40, 190), pip=(240, 240, 240), cut=0.7, gloss=0.6),
    "wood": DieLook(body=(120, 175, 210), pip=(30, 30, 40), roundness=0.16, drilled=1.0),
    "clear": DieLook(body=(190, 40, 120), pip=(250, 250, 250), clear=0.5),
}


def table(seed: int) -> Image:
    """A cloth with a slope of light over it."""
    rng = np.random.default_rng(seed)
    cloth = np.full((540, 720, 3), rng.uniform(60, 170, 3), np.float32)
    cloth += rng.normal(0, 5, cloth.shape[:2])[..., None]
    cloth *= np.linspace(0.85, 1.1, cloth.shape[1])[None, :, None]
    return np.clip(cloth, 0, 255).astype(np.uint8)


def thrown(seed: int, look: DieLook, *, tilt: float = 0.0) -> tuple[Image, list[int]]:
    """Dice on the cloth, well apart, and their values as they lie from above to below."""
    rng = np.random.default_rng(seed)
    canvas = table(seed)
    values = [int(value) for value in rng.integers(1, 7, int(rng.integers(1, 6)))]
    columns = rng.permutation(5)[: len(values)]
    for row, (value, column) in enumerate(zip(values, columns, strict=True)):
        at = (110 + 125 * column + rng.uniform(-12, 12), 80 + 90 * row + rng.uniform(-5, 5))
        draw_die(
            canvas,
            at,
            52,
            rng.uniform(0, 90),
            value,
            look,
            light=Light(height=65),
            tilt=tilt,
            seed=seed,
            rays=2,
        )
    return canvas, values


@pytest.mark.parametrize("look", LOOKS)
def test_drawn_dice_are_read_or_asked_about(look: str) -> None:
    exact = 0
    for seed in range(4):
        image, values = thrown(seed, LOOKS[look])
        read = read_dice(image)
        right = list(read.values) == values
        assert right or not read.sure, f"seed {seed}: {values} read surely as {read.values}"
        exact += right
    assert exact >= 3


@pytest.mark.parametrize("seed", range(4))
def test_side_faces_are_not_read(seed: int) -> None:
    image, values = thrown(seed, LOOKS["white"], tilt=35)
    assert list(read_dice(image).values) == values


@pytest.mark.parametrize("value", range(1, 7))
def test_corners_frame_the_face(value: int) -> None:
    image = table(3)
    drawn = draw_die(image, (300, 200), 56, 25, value)
    (die,) = read_dice(image).dice
    framed = np.array(die.corners, np.float32)
    assert np.abs(framed.mean(axis=0) - drawn.mean(axis=0)).max() < 8
    assert overlap(framed, drawn)[1] > 0.4


@pytest.mark.parametrize("seed", range(3))
def test_an_empty_table_is_surely_empty(seed: int) -> None:
    read = read_dice(table(seed))
    assert read.dice == ()
    assert read.sure


@pytest.mark.parametrize("value", [1, 2, 4, 6])
def test_a_die_with_digits_is_asked_about(value: int) -> None:
    image = table(1)
    draw_die(image, (300, 200), 70, 30, value, DieLook(glyphs=("1", "2", "3", "4", "5", "6")))
    assert not read_dice(image).sure


def test_a_die_at_the_edge_of_the_picture_is_asked_about() -> None:
    image = table(2)
    draw_die(image, (715, 200), 70, 0, 6)
    assert not read_dice(image).sure


def test_a_number_of_dice_that_is_not_seen_is_asked_about() -> None:
    image = table(4)
    draw_die(image, (300, 200), 60, 25, 5)
    assert read_dice(image, known=Known(1)).sure
    assert not read_dice(image, known=Known(2)).sure


def test_a_picture_of_nothing_is_not_sure() -> None:
    read = read_dice(np.zeros((0, 40, 3), np.uint8))
    assert (read.dice, read.sure) == ((), False)


def test_a_strip_of_a_picture_holds_no_dice() -> None:
    assert read_dice(np.full((1, 700, 3), 90, np.uint8)).dice == ()


def test_a_grey_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="colour"):
        read_dice(np.zeros((40, 40), np.uint8))


def test_threads_read_alike() -> None:
    image, values = thrown(5, LOOKS["white"])
    with ThreadPoolExecutor(2) as pool:
        assert [list(read.values) for read in pool.map(read_dice, [image] * 4)] == [values] * 4


def test_photographs_are_read_a_line_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = table(4)
    draw_die(image, (300, 200), 60, 25, 5)
    cv2.imwrite(str(tmp_path / "a.png"), image)
    assert see.main(["dice", "--annotate", str(tmp_path / "seen"), str(tmp_path / "a.png")]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["photo"] == str(tmp_path / "a.png")
    assert line["sure"] is True
    (die,) = line["dice"]
    assert (die["faces"], die["value"], len(die["corners"])) == ("pips", 5, 4)
    assert 0.9 < die["confidence"] <= 1
    (drawn,) = (tmp_path / "seen").iterdir()
    assert not np.array_equal(see.load(drawn), image)


def test_a_photograph_that_cannot_be_read_stops_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "good.png"), table(1))
    (tmp_path / "text.jpg").write_text("no picture")
    (tmp_path / "empty.jpg").touch()
    photos = [str(tmp_path / name) for name in ("none.jpg", "text.jpg", "empty.jpg", "good.png")]
    assert see.main(["dice", *photos]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["photo"] for line in lines] == photos
    assert ["error" in line for line in lines] == [True, True, True, False]
    assert "JPEG" in lines[1]["error"]


def test_markers_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
    canvas = np.full((300, 400), 255, np.uint8)
    canvas[100:160, 200:260] = cv2.aruco.generateImageMarker(dictionary, 7, 60)
    cv2.imwrite(str(tmp_path / "m.png"), canvas)
    assert see.main(["markers", str(tmp_path / "m.png")]) == 0
    (marker,) = json.loads(capsys.readouterr().out)["markers"]
    assert marker["id"] == 7
    assert np.allclose(marker["corners"], [[200, 100], [259, 100], [259, 159], [200, 159]], atol=1.5)


def test_where_no_die_is_seen_less_is_let_pass_than_beside_dice() -> None:
    def judged(x: float, label: int, chance: float) -> Judged:
        labels = np.zeros(8, np.float32)
        labels[label], labels[0] = chance, 1 - chance
        square = np.array([[0, 0], [40, 0], [40, 40], [0, 40]], np.float32)
        return Judged(square + np.array([x, 50], np.float32), labels)

    perhaps, die = judged(50, 3, 0.1), judged(150, 3, 0.99)
    (doubt,) = doubts([perhaps], (200, 300))
    assert (doubt.told("A"), doubt.which) == ("There may be a die at A.", 0)
    assert doubts([perhaps, die], (200, 300)) == []
    assert doubts([judged(50, 3, 0.04)], (200, 300)) == []


def test_a_doubt_tells_which_die_it_is_about() -> None:
    labels = np.eye(8, dtype=np.float32)
    square = np.array([[0, 0], [40, 0], [40, 40], [0, 40]], np.float32)
    good, strange, cut = (
        Judged(square + np.array(at, np.float32), labels[label])
        for at, label in (((50, 50), 3), ((150, 50), 7), ((-20, 120), 4))
    )
    found = doubts([good, strange, cut], (200, 300), Known(count=4))
    assert [(doubt.which, doubt.told("B")) for doubt in found] == [
        (1, "The die at B shows no pips that can be read."),
        (2, "The die at B is cut off by the picture's edge."),
        (None, "4 dice were expected and 3 are seen."),
    ]
