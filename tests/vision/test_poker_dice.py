"""Poker dice, drawn: the print kit's faces, and an owner's own by photographs of them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.command import main as stationmaster
from companion.emulated.raster import raster
from companion.enrolling import EnrollingDice
from companion.games.rail_raiders_infinite import GAME
from companion.kit_dice import kit_dice
from firmware_bridge.device import Fault
from tools.measure_poker import table
from vision import enrol
from vision.dice import read_dice
from vision.known_dice import FACES, EnrolledDice, KnownDice
from vision.poker_dice import read_poker_dice
from vision.poker_faces import LEVEL_PATCH, LEVEL_WIDE, PATCH, WIDE, PokerFaces
from vision.render_dice import DieLook, Light, draw_die
from vision.settling import RollTracker
from vision.tray import Tray

Image = NDArray[np.uint8]

BLANK = DieLook(body=(235, 240, 240), roundness=0.12, gloss=0.25)
OWN = DieLook(body=(200, 225, 235), roundness=0.12, gloss=0.2, glyphs=FACES)
"""Dice as an owner may have them; a 9 and a Q of theirs are hard to tell."""


@cache
def stickers() -> tuple[Image, ...]:
    return tuple(raster(face, 6.0) for face in GAME.faces.values())


@cache
def kit() -> PokerFaces:
    faces = kit_dice(GAME)
    assert faces is not None
    return faces


def thrown(faces: str, seed: int, *, look: DieLook = BLANK, size: float = 34, tilt: float = 0) -> Image:
    """Dice one below the other, each in a turn of its own, before a camera with some blur and noise."""
    rng = np.random.default_rng(seed)
    names = faces.split()
    canvas = np.full((70 + 80 * len(names), 260, 3), rng.uniform(60, 170, 3), np.float32).astype(np.uint8)
    for row, face in enumerate(names):
        at = (130 + rng.uniform(-60, 60), 70 + 80 * row + rng.uniform(-8, 8))
        draw_die(
            canvas,
            at,
            size,
            rng.uniform(0, 360),
            FACES.index(face) + 1,
            look,
            light=Light(height=65),
            tilt=tilt,
            seed=seed + row,
            stickers=() if look.glyphs or look is DICE_WITH_PIPS else stickers(),
        )
    taken = cv2.GaussianBlur(canvas, (0, 0), 0.7) + rng.normal(0, 2, canvas.shape)
    return np.clip(taken, 0, 255).astype(np.uint8)


DICE_WITH_PIPS = DieLook()


@pytest.mark.parametrize(("seed", "tilt"), [(1, 0), (2, 0), (3, 20)])
def test_printed_faces_are_read_or_asked_about(seed: int, tilt: float) -> None:
    read = read_poker_dice(thrown("A 10 Q 9 K J", seed, tilt=tilt), kit())
    right = list(read.values) == ["A", "10", "Q", "9", "K", "J"]
    assert right or not read.sure
    assert all(die.faces == "poker" for die in read.dice)
    assert len(read.dice) >= 5


def test_most_throws_are_read_without_a_question() -> None:
    reads = [read_poker_dice(thrown("A Q 10", seed), kit()) for seed in range(4)]
    assert sum(read.sure and read.values == ("A", "Q", "10") for read in reads) >= 3


@pytest.mark.parametrize(
    ("seed", "camera", "count"),
    [
        pytest.param([2, 3], (24, 35, 0.8, 1.0), 5, id="a J on a side that is seen well"),
        pytest.param([7, 1], (44, 20, 0.8, 1.0), 5, id="a 10 that the reader of pips holds for no face"),
        pytest.param([10, 1000, 1], (32, 10, 1.4, 1.0), 1, id="a 10 alone that it holds for no face"),
    ],
)
def test_what_the_networks_do_not_know_is_told_by_the_known_faces(
    seed: list[int], camera: tuple[int, int, float, float], count: int
) -> None:
    image, truth = table(np.random.default_rng(seed), camera, stickers(), count)
    assert sorted(map(str, read_poker_dice(image, kit()).values)) == sorted(truth)


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("face", FACES)
def test_a_face_is_named_in_every_turn(face: str, turn: int) -> None:
    picture = stickers()[FACES.index(face)]
    small = cv2.resize(picture, (24, 24), interpolation=cv2.INTER_AREA)
    around = cv2.copyMakeBorder(small, 8, 8, 8, 8, cv2.BORDER_REPLICATE)
    patch = cv2.resize(np.rot90(around, turn), (PATCH, PATCH), interpolation=cv2.INTER_LINEAR)
    named = kit().name(np.asarray(patch * 0.5 + 20, np.uint8))
    assert named.name == face
    assert named.confidence > 0.8


@pytest.mark.parametrize("face", FACES)
def test_a_face_in_the_shade_of_the_die_beside_it_is_named(face: str) -> None:
    small = cv2.resize(stickers()[FACES.index(face)], (24, 24), interpolation=cv2.INTER_AREA)
    around = cv2.copyMakeBorder(small, 8, 8, 8, 8, cv2.BORDER_REPLICATE)
    patch = cv2.resize(around, (PATCH, PATCH), interpolation=cv2.INTER_LINEAR)
    shade = np.linspace(1.0, 0.25, PATCH)[None, :, None]
    named = kit().name(np.asarray(patch * shade, np.uint8))
    assert named.name == face
    assert named.confidence > 0.8


@pytest.mark.parametrize("turn", [33, 161, 275])
@pytest.mark.parametrize("face", FACES)
def test_a_face_of_known_size_is_named_in_any_turn_and_its_place_told(face: str, turn: int) -> None:
    side = LEVEL_PATCH / LEVEL_WIDE
    picture = stickers()[FACES.index(face)]
    zoom, middle = side / len(picture), np.array([LEVEL_PATCH / 2 + 4, LEVEL_PATCH / 2 - 3])
    c, s = zoom * np.cos(np.radians(turn)), zoom * np.sin(np.radians(turn))
    way = np.array([[c, -s], [s, c]])
    fit = np.column_stack([way, middle - way @ np.full(2, len(picture) / 2 - 0.5)])
    small = cv2.GaussianBlur(picture, (0, 0), 0.5 / zoom)
    patch = cv2.warpAffine(small, fit, (LEVEL_PATCH, LEVEL_PATCH), borderValue=(90, 110, 70))
    named = kit().name_level(np.asarray(patch, np.uint8))
    assert named.name == face
    assert named.confidence > 0.8
    assert named.outline is not None
    assert named.outline.mean(axis=0) == pytest.approx(middle, abs=1.5)
    assert cv2.contourArea(named.outline) == pytest.approx(side**2, rel=0.12)


def test_dice_that_touch_are_told_where_they_lie_and_all_of_a_size() -> None:
    canvas = np.full((240, 420, 3), (70, 110, 60), np.uint8)
    spots = [(100.0, 80.0), (136.0, 80.0), (230.0, 150.0), (320.0, 90.0)]
    for at, face in zip(spots, ("A", "10", "Q", "K"), strict=True):
        draw_die(canvas, at, 36, 0, FACES.index(face) + 1, BLANK, tilt=10, seed=4, stickers=stickers())
    noise = np.random.default_rng(5).normal(0, 2, canvas.shape)
    image = np.clip(cv2.GaussianBlur(canvas, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)
    read = read_poker_dice(image, kit())
    assert read.sure
    assert sorted(map(str, read.values)) == ["10", "A", "K", "Q"]
    sides = [cv2.contourArea(np.array(die.corners, np.float32)) ** 0.5 for die in read.dice]
    assert max(sides) < 1.1 * min(sides)


def test_no_printed_face_is_taken_for_another_from_afar() -> None:
    rim = round(stickers()[0].shape[0] * (WIDE - 1) / 2)
    pictures = [
        (name, np.asarray(cv2.copyMakeBorder(picture, rim, rim, rim, rim, cv2.BORDER_REPLICATE), np.uint8))
        for name, picture in zip(FACES, stickers(), strict=True)
    ]
    assert KnownDice(pictures, []).faults == ()


@pytest.mark.parametrize("seed", range(2))
def test_a_face_that_is_not_known_is_asked_about(seed: int) -> None:
    known = PokerFaces([pair for pair in zip(FACES, stickers(), strict=True) if pair[0] != "K"])
    assert not read_poker_dice(thrown("A K", seed), known).sure


def test_pips_are_no_poker_faces_and_poker_faces_no_pips() -> None:
    assert not read_poker_dice(thrown("A K Q", 3, look=DICE_WITH_PIPS), kit()).sure
    assert not read_dice(thrown("A K Q", 3)).sure


def test_two_faces_that_look_alike_are_asked_about() -> None:
    known = PokerFaces([*zip(FACES, stickers(), strict=True), ("9", stickers()[4])])
    assert not read_poker_dice(thrown("K", 2), known).sure


def test_known_faces_are_needed() -> None:
    with pytest.raises(ValueError, match="no face"):
        PokerFaces([])
    with pytest.raises(ValueError, match="six faces, not 1"):
        draw_die(np.zeros((90, 90, 3), np.uint8), (45, 45), 40, 0, 1, stickers=stickers()[:1])


# -- an owner's dice ----------------------------------------------------------------------------------


def photograph(file: Path, *faces: str, look: DieLook = OWN) -> None:
    """One die or several, near the camera."""
    canvas = np.full((300, 200 + 200 * len(faces), 3), (150, 140, 130), np.uint8)
    for at, face in enumerate(faces):
        turn = 17.0 + 40 * FACES.index(face)
        draw_die(canvas, (200 + 200 * at, 150), 70, turn, FACES.index(face) + 1, look, tilt=8)
    cv2.imwrite(str(file), canvas)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Photographs of each face of an owner's die."""
    found = tmp_path_factory.mktemp("dice")
    for face in FACES:
        photograph(found / f"{face}.png", face)
    return found


def test_an_owners_dice_are_read_by_their_photographs(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = tmp_path / "throw.png"
    cv2.imwrite(str(photo), thrown("J A", 5, look=OWN, size=44))
    assert stationmaster(["see", "dice", "--known", str(folder), str(photo)]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["sure"] is True
    assert [(die["faces"], die["value"]) for die in line["dice"]] == [("poker", "J"), ("poker", "A")]


def test_printed_faces_need_no_photographs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo = tmp_path / "throw.png"
    cv2.imwrite(str(photo), thrown("Q", 1))
    assert stationmaster(["see", "dice", "--poker", str(photo)]) == 0
    line = json.loads(capsys.readouterr().out)
    assert (line["sure"], [die["value"] for die in line["dice"]]) == (True, ["Q"])


def test_every_photograph_is_checked(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert enrol.main(["dice", str(folder)]) == 0
    assert "6 faces are known" in capsys.readouterr().out
    photograph(tmp_path / "a.png", "A")
    photograph(tmp_path / "K.png", "K", "Q")
    photograph(tmp_path / "joker.png", "J")
    assert enrol.main(["dice", str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert "A: good" in said
    assert "K: 2 upper faces are seen on it. Photograph one die alone" in said
    assert "joker: joker.png names no face of a poker die." in said
    assert "10: There is no picture of it." in said
    assert "1 faces are known, 2 need a look, 2 pictures are of no use." in said


def test_a_folder_without_pictures_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert enrol.main(["dice", str(tmp_path)]) == 1
    assert "holds no picture" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        stationmaster(["see", "dice", "--known", str(tmp_path), "none.png"])
    assert "holds no picture of a face" in capsys.readouterr().err


def test_faces_that_look_alike_are_said(folder: Path, tmp_path: Path) -> None:
    for face in FACES:
        (tmp_path / f"{face}.png").write_bytes((folder / f"{'K' if face == 'J' else face}.png").read_bytes())
    known = EnrolledDice(tmp_path).dice()
    assert known is not None
    assert {fault.card for fault in known.faults} >= {"J", "K"}
    assert "looks almost like K" in next(fault.words for fault in known.faults if fault.card == "J")


def test_photographs_are_learned_while_a_game_runs(folder: Path, tmp_path: Path) -> None:
    told: list[Fault] = []
    enrolling = EnrollingDice(GAME, tmp_path, told.append)
    printed = enrolling.faces
    assert printed is not None
    enrolling.look()
    (tmp_path / "9.png").write_bytes((folder / "9.png").read_bytes())
    enrolling.look()
    assert enrolling.faces is printed
    assert "1 of 6 faces" in told[-1].words
    for face in FACES:
        (tmp_path / f"{face}.png").write_bytes((folder / f"{face}.png").read_bytes())
    enrolling.look()
    assert enrolling.faces is not printed
    assert told[-1].words == ""


def test_a_tray_reads_the_faces_that_it_has_learned() -> None:
    image = thrown("Q", 1)
    tray = Tray(RollTracker())
    box = (0, 0, image.shape[1], image.shape[0])
    for faces, values in ((None, None), (kit(), ("Q",))):
        tray.learn(faces)
        looks = [tray.look(image, box) for _ in range(2)]
        dice = tray.settle(1.0)
        assert dice is not None
        assert looks[-1] is dice.sure is (values is not None)
        assert values is None or dice.values == values
    assert tray.throw == 1
