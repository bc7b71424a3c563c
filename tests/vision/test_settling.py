import functools
from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.layout import Dice, Die
from vision.render_dice import DieLook, draw_die
from vision.settling import MotionGate, Roll, RollTracker, Settling

Image = NDArray[np.uint8]
Spot = tuple[float, float, float, int]  # x, y, turn in degrees, value

FRAME = 0.1  # seconds
SIDE = 40.0


@functools.cache
def drawn(dice: tuple[Spot, ...]) -> Image:
    canvas = np.full((360, 480, 3), (70, 110, 60), np.uint8)
    for x, y, turn, value in dice:
        draw_die(canvas, (x, y), SIDE, turn, value, DieLook(), rays=1)
    return canvas


def picture(dice: Sequence[Spot], *, arm: float | None = None) -> Image:
    """A tray from above; `arm` is how far an arm reaches in from the left, in pixels."""
    canvas = drawn(tuple(dice)).copy()
    if arm is not None:
        canvas[120:260, : int(arm)] = (120, 150, 200)
    return canvas


def die(spot: Spot) -> Die:
    x, y, _, value = spot
    half = SIDE / 2
    corners = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    return Die(value, corners, 0.99)


class Tray:
    """Frames as they come from a camera over a tray, and the rolls that they make."""

    def __init__(self, *, sure: bool = True) -> None:
        self.time = 100.0
        self.lying: list[Spot] = []
        self.sure = sure
        self.reads = 0
        self.settling = Settling(self._read)
        self.rolls: list[Roll] = []

    def _read(self, _: Image) -> Dice:
        self.reads += 1
        return Dice(tuple(die(spot) for spot in self.lying), self.sure)

    def show(self, frames: Iterable[Image]) -> None:
        for frame in frames:
            roll = self.settling.feed(self.time, frame)
            if roll is not None:
                self.rolls.append(roll)
            self.time += FRAME

    def lie(self, seconds: float) -> None:
        frame = picture(self.lying)
        self.show(frame for _ in range(int(seconds / FRAME)))

    def throw(self, dice: list[Spot]) -> None:
        for step in range(4):
            self.show([picture([(x - 40 * (4 - step), y, turn + 40 * step, v) for x, y, turn, v in dice])])
        self.lying = dice

    @property
    def values(self) -> list[tuple[int | str, ...]]:
        return [roll.dice.values for roll in self.rolls]


FIRST: list[Spot] = [(250, 100, 10, 3), (350, 220, 40, 5)]
SECOND: list[Spot] = [(300, 260, 30, 3), (220, 120, 70, 5)]


def test_dice_that_lie_for_a_minute_are_one_roll() -> None:
    tray = Tray()
    tray.throw(FIRST)
    tray.lie(60)
    assert tray.values == [(3, 5)]
    assert tray.reads == 2


def test_nothing_is_told_while_dice_roll() -> None:
    tray = Tray()
    tray.throw(FIRST)
    tray.lie(0.2)
    assert tray.rolls == []


def test_the_same_faces_thrown_again_are_a_new_roll() -> None:
    tray = Tray()
    tray.throw(FIRST)
    tray.lie(3)
    tray.throw(SECOND)
    tray.lie(3)
    assert tray.values == [(3, 5), (3, 5)]
    assert [roll.throw for roll in tray.rolls] == [1, 2]


def test_one_die_thrown_again_is_a_new_roll() -> None:
    tray = Tray()
    tray.throw(FIRST)
    tray.lie(3)
    tray.throw([FIRST[0], (150, 290, 5, 5)])
    tray.lie(3)
    assert [roll.throw for roll in tray.rolls] == [1, 2]


def test_an_arm_that_reaches_in_and_rests_is_no_roll() -> None:
    tray = Tray()
    tray.throw(FIRST)
    tray.lie(3)
    tray.show(picture(FIRST, arm=reach) for reach in range(0, 300, 30))
    tray.lying = FIRST[1:]  # the arm covers the other
    tray.show(picture(FIRST, arm=290) for _ in range(30))
    tray.lying = []
    tray.show(picture(FIRST, arm=reach) for reach in range(290, 470, 30))
    tray.show(picture(FIRST, arm=460) for _ in range(30))
    tray.show(picture(FIRST, arm=reach) for reach in range(460, 0, -30))
    tray.lying = FIRST
    tray.lie(3)
    assert tray.values == [(3, 5)]
    assert tray.reads > 4, "each rest was read"


def test_dice_taken_away_and_thrown_elsewhere_are_a_new_roll() -> None:
    tray = Tray()
    tray.throw(FIRST)
    tray.lie(3)
    tray.lying = []
    tray.lie(3)
    tray.throw(SECOND)
    tray.lie(3)
    assert [roll.throw for roll in tray.rolls] == [1, 2]


def test_another_photograph_is_another_roll() -> None:
    tray = Tray()
    for lying in (FIRST, SECOND, FIRST):
        tray.lying = lying
        tray.lie(3)
    assert [roll.throw for roll in tray.rolls] == [1, 2, 3]


def test_a_bumped_camera_is_no_roll() -> None:
    tray = Tray()
    tray.throw(FIRST)
    tray.lie(3)
    tray.throw([(x + 20, y - 15, turn, value) for x, y, turn, value in FIRST])
    tray.lie(3)
    assert tray.values == [(3, 5)]


def test_readings_that_differ_are_told_as_unsure() -> None:
    tray = Tray()
    answers = iter(range(10**6))

    def read(_: Image) -> Dice:
        return Dice((die((250, 100, 0, 1 + next(answers) % 6)),), True)

    tray.settling = Settling(read)
    tray.lying = FIRST
    tray.lie(5)
    assert [roll.dice.sure for roll in tray.rolls] == [False]


def test_an_unsure_roll_is_told_again_when_it_is_read_surely() -> None:
    tray = Tray(sure=False)
    tray.throw(FIRST)
    tray.lie(3)
    tray.show([picture(FIRST, arm=100)])
    tray.sure = True
    tray.lie(3)
    assert [(roll.throw, roll.dice.sure) for roll in tray.rolls] == [(1, False), (1, True)]


@pytest.mark.parametrize("sigma", [2.0, 5.0])
def test_noise_is_rest(sigma: float) -> None:
    rng = np.random.default_rng(7)
    still = picture(FIRST).astype(np.float32)
    gate = MotionGate(0.4)
    rests = [
        gate.still(step * FRAME, np.clip(still + rng.normal(0, sigma, still.shape), 0, 255).astype(np.uint8))
        for step in range(60)
    ]
    assert all(rests[5:])


def test_a_die_that_differs_less_than_the_noise_is_motion_when_it_comes_or_goes() -> None:
    rng = np.random.default_rng(3)
    cloth = np.full((360, 480, 3), (90, 35, 90), np.uint8)
    lying = cloth.copy()
    draw_die(lying, (400, 138), 34.0, 20.0, 2, DieLook(body=(120, 55, 80), pip=(90, 35, 60)), rays=2)
    gate, rests = MotionGate(0.4), []
    for step in range(60):
        shown = (lying if step // 20 % 2 == 0 else cloth).astype(np.float32)
        noisy = np.clip(shown + rng.normal(0, 6, (360, 480, 1)), 0, 255).astype(np.uint8)
        rests.append(gate.still(step * FRAME, noisy))
    assert all(rests[5:20])
    assert not any(rests[20:24])
    assert all(rests[25:40])
    assert not any(rests[40:44])


def test_an_arm_that_differs_little_from_the_cloth_is_motion_on_a_noisy_picture() -> None:
    rng = np.random.default_rng(5)
    cloth = np.full((360, 480), 50.0)
    gate, rests = MotionGate(0.4), []
    for step in range(60):
        shown = cloth.copy()
        if step // 20 % 2 == 0:
            shown[200:, 200:256] = 63
        noisy = np.clip(shown + rng.normal(0, 5, shown.shape), 0, 255).astype(np.uint8)
        rests.append(gate.still(step * FRAME, noisy))
    assert all(rests[5:20])
    assert not any(rests[20:24])
    assert all(rests[25:40])
    assert not any(rests[40:44])


def test_a_few_bad_pixels_are_no_motion_on_a_noisy_picture() -> None:
    rng = np.random.default_rng(5)
    gate, rests = MotionGate(0.4), []
    for step in range(40):
        noisy = 90 + rng.normal(0, 5, (360, 480))
        noisy[160:184:8, 160] += 150 * (step % 2)
        rests.append(gate.still(step * FRAME, np.clip(noisy, 0, 255).astype(np.uint8)))
    assert all(rests[5:])


def test_flicker_and_drifting_exposure_are_rest() -> None:
    still = picture(FIRST).astype(np.float32)
    rows = np.arange(still.shape[0])[:, None, None]
    gate = MotionGate(0.4)
    rests = []
    for step in range(80):
        bands = 1 + 0.08 * np.sin(rows / 60 + step * 1.7)
        frame = np.clip(still * bands * (1 - 0.005 * step), 0, 255)
        rests.append(gate.still(step * FRAME, frame.astype(np.uint8)))
    assert all(rests[5:])


def flickering(still: Image, step: int, strength: float = 0.1) -> Image:
    """The picture under a lamp on mains power: bands, in which what is white is too bright for the camera."""
    rows = np.arange(still.shape[0])[:, None, None]
    bands = 1 + strength * np.sin(rows / 60 + step * 1.7)
    return np.clip(still * bands, 0, 255).astype(np.uint8)


def test_white_dice_under_a_flickering_lamp_rest() -> None:
    still = picture(FIRST)
    still[20:60, 20:120] = 250  # a sheet of paper
    assert (still[::8, ::8] > 235).sum() > 10
    gate = MotionGate(0.4)
    assert all([gate.still(step * FRAME, flickering(still, step)) for step in range(60)][5:])


def test_a_white_die_that_comes_or_goes_under_a_flickering_lamp_is_motion() -> None:
    gate, rests = MotionGate(0.4), []
    for step in range(60):
        rests.append(gate.still(step * FRAME, flickering(picture(FIRST[: 1 + step // 20 % 2]), step)))
    assert rests[19]
    assert not any(rests[20:24])
    assert rests[39]
    assert not any(rests[40:44])


def test_a_lamp_switched_off_is_no_roll() -> None:
    tray = Tray()
    tray.throw(FIRST)
    tray.lie(3)
    dark = (picture(FIRST) * 0.4).astype(np.uint8)
    tray.show(dark for _ in range(30))
    tray.lie(3)
    assert tray.values == [(3, 5)]


@pytest.mark.parametrize("grey", [False, True])
def test_one_small_die_that_still_rocks_is_motion(grey: bool) -> None:
    gate = MotionGate(0.4)
    rests = []
    for step in range(40):
        canvas = np.full((720, 1280, 3), (70, 110, 60), np.uint8)
        draw_die(canvas, (600 + 6 * (step % 2), 300), 24, 8.0 * (step % 2), 4, rays=1)
        rests.append(gate.still(step * FRAME, canvas[..., 1] if grey else canvas))
    assert not any(rests)


def test_a_rest_of_no_time_is_refused() -> None:
    with pytest.raises(ValueError, match="more than 0"):
        MotionGate(0)


def test_a_hidden_tray_changes_no_count() -> None:
    rolls = RollTracker()
    lying = Dice((die(FIRST[0]),), True)
    assert [rolls.see(1.0, lying), rolls.see(2.0, None), rolls.see(3.0, lying)] == [1, 1, 1]


def test_a_phantom_in_an_unsure_reading_makes_no_throw() -> None:
    rolls = RollTracker()
    phantom = Dice((*(die(spot) for spot in FIRST), die((60, 60, 0, 1))), False)
    sure = Dice(tuple(die(spot) for spot in FIRST), True)
    assert [rolls.see(1.0, sure), rolls.see(2.0, phantom), rolls.see(3.0, sure)] == [1, 1, 1]
    other = Dice(tuple(die(spot) for spot in SECOND), False)
    assert rolls.see(4.0, other) == 2


def test_a_die_that_falls_where_one_lay_does_not_hide_an_unsure_throw() -> None:
    rolls = RollTracker()
    one, other = FIRST[0], SECOND[1]
    lying = Dice(tuple(die(spot) for spot in FIRST), True)
    thrown = Dice((die(one), die(other)), False)
    assert len(FIRST) == 2
    assert [rolls.see(1.0, lying), rolls.see(2.0, thrown)] == [1, 2]


def test_one_of_three_dice_thrown_again_and_not_read_surely_is_a_throw() -> None:
    rolls = RollTracker()
    third = (120.0, 300.0, 20.0, 2)
    lying = Dice(tuple(die(spot) for spot in (*FIRST, third)), True)
    again = Dice((*lying.dice[:2], die((60, 60, 0, 4))), False)
    assert [rolls.see(1.0, lying), rolls.see(2.0, again), rolls.see(3.0, again)] == [1, 2, 2]
    surely = Dice(again.dice, True)
    assert rolls.see(4.0, surely) == 2
    assert rolls.see(5.0, lying) == 3


def test_a_die_taken_up_and_thrown_again_is_a_throw_though_no_reading_is_sure() -> None:
    rolls = RollTracker()
    third = (120.0, 300.0, 20.0, 2)
    lying = Dice(tuple(die(spot) for spot in (*FIRST, third)), False)
    taken = Dice(lying.dice[:2], False)
    again = Dice((*taken.dice, die((60, 60, 0, 4))), False)
    assert [rolls.see(float(time), dice) for time, dice in enumerate((lying, taken, again))] == [1, 1, 2]


def test_a_die_thrown_beside_others_and_not_read_surely_is_a_throw_where_the_picture_changed() -> None:
    lying = Dice(tuple(die(spot) for spot in FIRST), True)
    more = Dice((*lying.dice, die((60, 60, 0, 4))), False)
    for changed, thrown in ((True, 2), (False, 1)):
        rolls = RollTracker()
        assert rolls.see(1.0, lying, lambda _: True) == 1
        assert rolls.see(2.0, more, (lambda _: True) if changed else (lambda _: False)) == thrown
        assert rolls.see(3.0, lying, lambda _: False) == thrown


def test_a_die_thrown_beside_some_that_were_not_read_surely_is_a_throw_where_the_picture_changed() -> None:
    lying = Dice(tuple(die(spot) for spot in FIRST), False)
    more = Dice((*lying.dice, die((60, 60, 0, 4))), True)
    thrown, missed = RollTracker(), RollTracker()
    assert [thrown.see(1.0, lying), thrown.see(2.0, more, lambda _: True)] == [1, 2]
    assert [missed.see(1.0, lying), missed.see(2.0, more, lambda _: False)] == [1, 1], "seen better"


def test_a_guess_of_the_reader_is_no_die_that_has_come() -> None:
    rolls = RollTracker()
    lying = Dice(tuple(die(spot) for spot in FIRST), True)
    guess = Die(4, die((60, 60, 0, 4)).corners, 0.3)
    assert rolls.see(1.0, lying) == 1
    assert rolls.see(2.0, Dice((*lying.dice, guess), False), lambda _: True) == 1


def test_one_of_two_dice_that_comes_to_lie_near_where_it_lay_is_a_throw() -> None:
    rolls = RollTracker()
    (x, y, turn, value), other = FIRST
    assert rolls.see(1.0, Dice((die((x, y, turn, value)), die(other)), True)) == 1
    assert rolls.see(2.0, Dice((die((x + 18, y + 14, turn, value)), die(other)), True)) == 2
