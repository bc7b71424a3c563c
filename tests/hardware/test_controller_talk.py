"""Bridge and controller in virtual time, the real ones, over a line that loses, doubles and garbles."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge import controller_messages as messages
from firmware_bridge.controller_messages import Pressed
from firmware_bridge.controller_talk import Counted, Pace, Talk
from firmware_bridge.display import Count
from firmware_bridge.firmware.frames import LONGEST, Lines, body_of, framed
from firmware_bridge.press import Press
from firmware_bridge.signals import Signals, Tune
from firmware_bridge.tunes import TUNES
from tests.hardware.boards import Bench
from tests.hardware.test_firmware import garbage

PACE = Pace()


class BadLine:
    """A bridge and a board in virtual time, each frame between them lost, doubled or garbled by chance."""

    def __init__(self, seed: int, loss: float = 0.0, doubling: float = 0.0, noise: float = 0.0) -> None:
        self.bench = Bench()
        self.talk = Talk(self.bench.pins, "host", Counted(), self.time, PACE)
        self.signals = Signals()
        self.tune: tuple[int, Tune, float] | None = None
        self.presses: list[Press] = []
        self._chance = random.Random(seed)
        self._loss, self._doubling, self._noise = loss, doubling, noise

    @property
    def time(self) -> float:
        return self.bench.now / 1000

    def go_on(self, milliseconds: int) -> None:
        for _ in range(milliseconds // 5):
            said = self._over(self.talk.due(self.time, self.signals, self.tune))
            self.bench.now += 5
            answer = self._over(self.bench.board.step(self.bench.now, said))
            self.presses += self.talk.feed(self.time, answer)

    def _over(self, data: bytes) -> bytes:
        return b"".join(self._frame(frame) for frame in data.splitlines(keepends=True))

    def _frame(self, frame: bytes) -> bytes:
        if self._chance.random() < self._loss:
            return frame[: self._chance.randrange(len(frame))] if self._chance.random() < 0.5 else b""
        if self._chance.random() < self._noise:
            at, bit = self._chance.randrange(len(frame)), self._chance.randrange(8)
            frame = frame[:at] + bytes([frame[at] ^ 1 << bit]) + frame[at + 1 :]
        return frame * 2 if self._chance.random() < self._doubling else frame


# -- frames -------------------------------------------------------------------------------------------


def test_a_frame_is_as_it_is_written_down() -> None:
    assert framed(b'{"t":"hello","session":"5f0c1a2b"}') == b'$b9d5edff {"t":"hello","session":"5f0c1a2b"}\n'


def test_no_single_wrong_bit_passes_for_a_frame() -> None:
    whole = messages.show(Signals(((1, "on"),), Count(23)))[1:-1]
    for at in range(len(whole)):
        for bit in range(8):
            wrong = bytes(byte ^ (1 << bit) * (place == at) for place, byte in enumerate(whole))
            assert body_of(wrong) is None, wrong


def test_frames_are_found_among_noise_and_in_pieces() -> None:
    lines = Lines()
    sent = b"\xff\x00$1234" + framed(b"1") + b"MPY: soft reboot\r\n>>> " + framed(b"2")[:-1] + b"\r\n"
    sent += b"$" + b"x" * 5000 + framed(b"3") + b"$" + b"y" * 5000 + b"\n"
    assert [body for byte in sent for body in lines.feed(bytes([byte]))] == [b"1", b"2", b"3"]


def test_what_is_longer_than_a_frame_is_none() -> None:
    assert Lines().feed(framed(b"x" * (LONGEST - 9))) != []
    assert Lines().feed(framed(b"x" * (LONGEST - 8))) == []


@given(garbage, st.lists(st.binary(max_size=40), max_size=4), st.integers(1, 50))
def test_after_any_garbage_the_next_frame_is_heard(noise: bytes, bodies: list[bytes], piece: int) -> None:
    bodies = [body.replace(b"$", b"").replace(b"\n", b"").rstrip(b"\r") for body in bodies]
    sent = b"".join(framed(body) for body in bodies)
    before, lines = len(Lines().feed(noise)), Lines()
    found = [
        body
        for at in range(0, len(noise + sent), piece)
        for body in lines.feed((noise + sent)[at : at + piece])
    ]
    assert found[before:] == bodies


# -- the bridge's end ---------------------------------------------------------------------------------

strange_presses = st.builds(
    lambda n, place, age: framed(
        b'{"t":"press","n":%s,"button":"seat","place":%s,"kind":"short","age":%s,"boot":"b"}'
        % (n, place, age)
    ),
    *(st.sampled_from((b"1", b"-1", b"1e9", b"null", b'"x"', b"99999999999999999999")) for _ in range(3)),
)


@settings(deadline=None)
@given(garbage | strange_presses)
def test_no_garbage_ends_the_bridge_or_keeps_it_from_the_next_frame(noise: bytes) -> None:
    line = BadLine(0)
    line.go_on(50)
    for _ in range(3):
        line.talk.feed(line.time, noise)
    line.talk.feed(line.time, b"\n")
    line.signals = Signals(((2, "on"),))
    line.bench.hold(10)
    line.go_on(60)
    line.bench.hold(10, False)
    line.go_on(60)
    assert line.talk.noise == 0
    assert line.bench.level(7) == 1
    assert [press.button for press in line.presses][-1] == "confirm"


def test_a_press_of_a_place_that_is_none_is_no_press() -> None:
    form = b'{"t":"press","n":1,"button":"%s","place":%d,"kind":"short","age":0,"boot":"b"}'
    assert messages.heard(form % (b"seat", 8)) is not None
    assert messages.heard(form % (b"undo", 0)) is not None
    for wrong in ((b"seat", 9), (b"seat", -1), (b"seat", 0), (b"undo", 3)):
        assert messages.heard(form % wrong) is None


# -- both ends ----------------------------------------------------------------------------------------


def pressed_over(line: BadLine, chance: random.Random, presses: int) -> list[tuple[str, int]]:
    """Press buttons by chance, once the board is wired; which ones they were."""
    wired = ((10, "confirm", 0), (11, "undo", 0), (2, "seat", 1), (4, "seat", 3))
    pressed = []
    for _ in range(presses):
        gpio, button, place = chance.choice(wired)
        pressed.append((button, place))
        line.bench.hold(gpio)
        line.go_on(100)
        line.bench.hold(gpio, False)
        line.go_on(600)
    line.go_on(4000)
    return pressed


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32), st.floats(0, 0.3), st.floats(0, 0.5), st.floats(0, 0.1))
def test_every_press_counts_exactly_once_and_in_its_order(
    seed: int, loss: float, doubling: float, noise: float
) -> None:
    line = BadLine(seed, loss, doubling, noise)
    line.go_on(10_000)
    pressed = pressed_over(line, random.Random(seed), 4)
    assert [(press.button, press.place) for press in line.presses] == pressed


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32), st.floats(0.5, 0.9), st.floats(0, 0.9))
def test_over_a_line_that_hardly_works_no_press_counts_twice_or_out_of_order(
    seed: int, loss: float, doubling: float
) -> None:
    line = BadLine(seed, loss, doubling)
    line.go_on(10_000)
    left = iter(pressed_over(line, random.Random(seed), 4))
    for press in line.presses:
        assert (press.button, press.place) in left  # what is found is used up, with all before it


def test_what_is_shown_comes_through_a_line_that_loses_half() -> None:
    for seed in range(4):
        line = BadLine(seed, loss=0.5, noise=0.1)
        line.signals = Signals(((1, "on"), (2, "on")), Count(17))
        line.go_on(30_000)
        assert line.bench.chip.text() == "  17"
        line.signals = Signals(((2, "on"),), Count(16))
        line.go_on(15_000)
        assert (line.bench.chip.text(), line.bench.level(6), line.bench.level(7)) == ("  16", 0, 1)


def test_a_tune_sounds_once_over_a_bad_line_and_never_late() -> None:
    line = BadLine(3, loss=0.4, doubling=0.4)
    line.go_on(5000)
    line.tune = (1, "turn", line.time)
    line.go_on(3000)
    assert line.bench.pico.tones[15].heard == [TUNES["turn"][0].hertz]
    line.tune = (2, "over", line.time - 2)
    line.go_on(3000)
    assert line.bench.pico.tones[15].heard == [TUNES["turn"][0].hertz]


def test_a_press_is_as_old_as_it_is() -> None:
    line = BadLine(0)
    line.go_on(50)
    line.bench.hold(10)
    line.go_on(60)
    line.bench.hold(10, False)
    line._loss = 1.0
    line.go_on(100)
    certain = line.time - 0.08
    line.go_on(1000)
    line._loss = 0.0
    line.go_on(400)
    (press,) = line.presses
    assert abs(press.time - certain) < 0.02


def test_a_board_that_starts_anew_is_wired_and_shows_again_and_its_presses_count() -> None:
    line = BadLine(0)
    line.signals = Signals(((1, "on"),), Count(17))
    counts = []
    for boot in (b"one.", b"two."):
        line.bench = Bench(boot=boot) if boot == b"one." else _restarted(line.bench, boot)
        line.go_on(2500)
        assert (line.bench.chip.text(), line.bench.level(6)) == ("  17", 1)
        line.bench.hold(10)
        line.go_on(100)
        line.bench.hold(10, False)
        line.go_on(300)
        counts.append(len(line.presses))
    assert counts == [1, 2]


def _restarted(before: Bench, boot: bytes) -> Bench:
    bench = Bench(boot=boot)
    bench.now = before.now
    return bench


def test_the_same_press_counts_once_over_two_conversations() -> None:
    counted = Counted()
    press = Pressed(1, "confirm", 0, "short", 0, "boot")
    assert [counted.first(press) for _ in range(3)] == [True, False, False]
    assert counted.first(Pressed(2, "confirm", 0, "short", 0, "boot"))
    assert counted.first(Pressed(1, "confirm", 0, "short", 0, "another"))


def test_a_board_at_micropythons_prompt_is_started_again_but_not_at_the_first_word() -> None:
    talk = Talk(Bench().pins, "host", Counted(), 0.0, PACE)
    assert talk.due(0.0, Signals(), None) == messages.hello("host")
    assert talk.due(0.1, Signals(), None) == b""
    assert talk.due(0.6, Signals(), None) == b"\r\x02\r\x04" + messages.hello("host")
    bench = Bench()
    assert bench.step(b"\r\x02\r\x04" + messages.hello("host")) != []


def test_the_hello_of_another_conversation_is_none() -> None:
    talk = Talk(Bench().pins, "host", Counted(), 0.0, PACE)
    talk.feed(0.1, Bench().board.step(0, messages.hello("another")))
    assert talk.hello is None
    talk.feed(0.1, Bench().board.step(0, messages.hello("host")))
    assert talk.hello is not None
