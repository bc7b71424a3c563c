"""The picture of a roll: the dice that were read, or all of the tray where people are asked."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.layout import Dice, Die
from vision.render_dice import DieLook, draw_die
from vision.settling import RollTracker
from vision.tray import Tray, picture
from vision.tray_pixels import Image

BOX = (300, 50, 600, 450)


def die(x: float, y: float) -> Die:
    return Die(3, ((x - 9, y - 9), (x + 9, y - 9), (x + 9, y + 9), (x - 9, y + 9)), 0.99)


def shown(dice: Dice | None) -> Image:
    image = np.full((500, 700, 3), 40, np.uint8)
    for each in dice.dice if dice else ():
        x, y = np.mean(each.corners, axis=0).astype(int)
        image[y - 9 : y + 9, x - 9 : x + 9] = (0, 0, 255)
    data = np.frombuffer(picture(image, BOX, dice), np.uint8)
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def test_sure_dice_fill_the_picture() -> None:
    seen = shown(Dice((die(400, 200), die(440, 230)), True))
    assert seen.shape[0] < 200
    assert seen.shape[1] < 200
    assert (seen[..., 2] > 200).sum() > 2 * 15 * 15


def test_a_die_at_the_trays_rim_keeps_the_picture_within_the_tray() -> None:
    seen = shown(Dice((die(312, 62),), True))
    assert (seen[..., 2] > 200).sum() > 15 * 15
    assert seen.shape[0] <= 400
    assert seen.shape[1] <= 300


def test_unsure_dice_and_none_show_the_whole_tray() -> None:
    for dice in (Dice((die(400, 200),), False), Dice((), True), None):
        assert shown(dice).shape[:2] == (400, 300)


@pytest.mark.parametrize("shape", [(1, 1), (2, 900), (900, 2), (3, 4000)])
def test_a_strip_of_a_picture_can_be_looked_at_and_shown(shape: tuple[int, int]) -> None:
    image = np.full((*shape, 3), 90, np.uint8)
    box = (0, 0, shape[1], shape[0])
    Tray(RollTracker()).look(image, box)
    assert picture(image, box, None)


def cloth(seed: int = 4) -> Image:
    """A grained cloth, larger than the picture on each side, so that it can be moved."""
    grain = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, 14, (440, 560, 1)), (0, 0), 1.2)
    return np.asarray(np.clip((70, 110, 60) + grain[..., None], 0, 255), np.uint8)


def one_die(on: Image, at: tuple[float, float], *, value: int = 3, bump: tuple[int, int] = (0, 0)) -> Image:
    """A picture (360 x 480) of one die on the cloth; a camera that was bumped sees both moved by `bump`."""
    x, y = bump
    picture = np.ascontiguousarray(on[40 - y : 400 - y, 40 - x : 520 - x])
    draw_die(picture, (at[0] + x, at[1] + y), 40.0, 20.0, value, DieLook(), rays=2)
    noise = np.random.default_rng(abs(x) + 1).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def throws(*pictures: Image) -> list[int]:
    """The number of the last throw after each picture came to rest."""
    tray = Tray(RollTracker())
    counted = []
    for time, image in enumerate(pictures):
        tray.stir()
        for _ in range(3):
            if tray.look(image, (0, 0, image.shape[1], image.shape[0])):
                break
        read = tray.settle(float(time))
        assert read is not None
        assert read.sure
        assert read.values == (3,)
        counted.append(tray.throw)
    return counted


def test_a_camera_that_is_bumped_over_one_die_sees_no_throw() -> None:
    on = cloth()
    pictures = [one_die(on, (240, 180), bump=bump) for bump in ((0, 0), (21, -16), (-24, 9), (0, 0))]
    assert throws(*pictures) == [1, 1, 1, 1]


def test_one_die_that_falls_elsewhere_with_the_same_face_is_a_throw() -> None:
    on = cloth()
    assert throws(one_die(on, (240, 180)), one_die(on, (261, 164)), one_die(on, (150, 250))) == [1, 2, 3]


def test_on_a_plain_cloth_one_die_that_moved_was_thrown() -> None:
    plain = np.full((440, 560, 3), (70, 110, 60), np.uint8)
    assert throws(one_die(plain, (240, 180)), one_die(plain, (240, 180), bump=(21, -16))) == [1, 2]


def test_a_die_thrown_after_the_camera_was_bumped_is_a_throw() -> None:
    on = cloth()
    bumped = one_die(on, (240, 180), bump=(21, -16))
    assert throws(one_die(on, (240, 180)), bumped, one_die(on, (150, 250), bump=(21, -16))) == [1, 1, 2]


def unsure_tray(monkeypatch: pytest.MonkeyPatch, sure: list[bool]) -> Tray:
    """A tray whose reader sees the die in the middle alone, as surely as the list says, look by look."""
    lying = Die(3, ((220, 160), (260, 160), (260, 200), (220, 200)), 0.99)
    tray = Tray(RollTracker())
    monkeypatch.setattr(tray, "_read", lambda *_: Dice((_enlarged(lying, 1.5),), sure.pop(0)))
    return tray


def _enlarged(die: Die, zoom: float) -> Die:
    a, b, c, d = (((x + 0.5) * zoom - 0.5, (y + 0.5) * zoom - 0.5) for x, y in die.corners)
    return Die(die.value, (a, b, c, d), die.confidence)


def settle(tray: Tray, image: Image) -> Dice:
    tray.stir()
    for _ in range(4):
        if tray.look(image, (0, 0, image.shape[1], image.shape[0])):
            break
    read = tray.settle(0.0)
    assert read is not None
    return read


def test_a_die_that_falls_beside_others_and_is_not_made_out_is_a_throw_to_ask_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tray = unsure_tray(monkeypatch, [True] * 2 + [False] * 8)
    first = one_die(cloth(), (240, 180))
    assert settle(tray, first).sure
    second = first.copy()
    draw_die(second, (100, 250), 40.0, 50.0, 5, DieLook(body=(90, 120, 80)), rays=2)
    assert not settle(tray, second).sure
    assert tray.throw == 2
    settle(tray, second)
    assert tray.throw == 2, "it lies on"


def test_an_arm_at_rest_beside_a_die_is_no_throw(monkeypatch: pytest.MonkeyPatch) -> None:
    tray = unsure_tray(monkeypatch, [True] * 2 + [False] * 4 + [True] * 4)
    first = one_die(cloth(), (240, 180))
    settle(tray, first)
    arm = first.copy()
    arm[230:, 80:140] = (120, 150, 200)
    settle(tray, arm)
    settle(tray, first)
    assert tray.throw == 1


def test_a_die_that_some_looks_show_and_others_do_not_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Dice((_enlarged(Die(3, ((220, 160), (260, 160), (260, 200), (220, 200)), 0.9), 1.5),), True)
    answers = [Dice((), True), seen, Dice((), False), seen, Dice((), False)]
    tray = Tray(RollTracker())
    monkeypatch.setattr(tray, "_read", lambda *_: answers.pop(0))
    assert settle(tray, np.ascontiguousarray(cloth()[40:400, 40:520])).sure
    read = settle(tray, one_die(cloth(), (240, 180)))
    assert (read.values, read.sure, tray.throw) == ((3,), False, 1)


def test_an_arm_that_rests_over_dice_is_no_throw(monkeypatch: pytest.MonkeyPatch) -> None:
    tray = Tray(RollTracker())
    first = one_die(cloth(), (240, 180))
    draw_die(first, (110, 200), 40.0, 0.0, 5, DieLook(), rays=2)
    two = Die(5, ((90, 180), (130, 180), (130, 220), (90, 220)), 0.99)
    both = Dice((Die(3, ((220, 160), (260, 160), (260, 200), (220, 200)), 0.99), two), True)
    one = Dice(both.dice[:1], False)
    answers = [both, both, one, one, one, one]
    monkeypatch.setattr(
        tray,
        "_read",
        lambda *_: Dice(tuple(_enlarged(die, 1.5) for die in answers[0].dice), answers.pop(0).sure),
    )
    settle(tray, first)
    arm = first.copy()
    arm[110:, 80:140] = (30, 30, 40)
    settle(tray, arm)
    assert tray.throw == 1


def beside(monkeypatch: pytest.MonkeyPatch, *pictures: Image, confidence: float) -> tuple[Dice, int]:
    """What is told, and how many throws, when a die lies in the middle in the first of the two pictures,
    and in the second one is read 16 pixels to the left of it, with another value.
    """
    lay = Dice((Die(3, ((220, 160), (260, 160), (260, 200), (220, 200)), 0.99),), True)
    left = Die(1, ((204, 164), (244, 164), (244, 204), (204, 204)), confidence)
    answers = [lay, lay, *[Dice((left,), confidence > 0.9)] * 4]
    tray = Tray(RollTracker())
    monkeypatch.setattr(
        tray,
        "_read",
        lambda *_: Dice(tuple(_enlarged(die, 1.5) for die in answers[0].dice), answers.pop(0).sure),
    )
    settle(tray, pictures[0])
    return settle(tray, pictures[1]), tray.throw


DARK = np.asarray(cloth() * 0.6, np.uint8)


@pytest.mark.parametrize("confidence", [0.6, 0.99])
@pytest.mark.parametrize("shade", [1.0, 0.65])
def test_what_a_hand_leaves_to_be_seen_of_a_die_is_no_throw(
    monkeypatch: pytest.MonkeyPatch, shade: float, confidence: float
) -> None:
    first = one_die(DARK, (240, 180))
    arm = first.copy()
    arm[130:, 200:] = (arm[130:, 200:] * shade).astype(np.uint8)
    arm[150:, 236:340] = (150, 180, 225)
    read, thrown = beside(monkeypatch, first, arm, confidence=confidence)
    assert (read.values, thrown) == ((3,), 1)


@pytest.mark.parametrize("confidence", [0.6, 0.99])
def test_a_die_that_comes_to_lie_over_where_one_lay_is_a_throw_with_a_hand_beside_it_too(
    monkeypatch: pytest.MonkeyPatch, confidence: float
) -> None:
    arm = one_die(DARK, (224, 184), value=1)
    arm[150:, 290:400] = (150, 180, 225)
    read, thrown = beside(monkeypatch, one_die(DARK, (240, 180)), arm, confidence=confidence)
    assert (read.values, read.sure, thrown) == ((1,), confidence > 0.9, 2)


def test_a_die_that_is_plainly_seen_is_a_throw_though_a_hand_touches_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arm = one_die(DARK, (224, 184), value=1)
    arm[196:, 200:300] = (150, 180, 225)
    read, thrown = beside(monkeypatch, one_die(DARK, (240, 180)), arm, confidence=0.99)
    assert (read.values, thrown) == ((1,), 2)


@pytest.mark.parametrize("confidence", [0.6, 0.99])
def test_a_band_of_a_flickering_lamp_is_no_hand(monkeypatch: pytest.MonkeyPatch, confidence: float) -> None:
    bright = np.asarray(cloth() + np.uint8(70), np.uint8)

    def lit(image: Image, strength: float) -> Image:
        rows = np.arange(image.shape[0])[:, None, None]
        return np.clip(image * (1 + strength * np.sin(rows / 60 - 1.5)), 0, 255).astype(np.uint8)

    pictures = lit(one_die(bright, (240, 180)), 0.08), lit(one_die(bright, (224, 184), value=1), -0.08)
    read, thrown = beside(monkeypatch, *pictures, confidence=confidence)
    assert (read.values, thrown) == ((1,), 2)
