"""The lamps and the buzzer as a device: mock pins that follow what is shown and played."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from queue import SimpleQueue

import pytest
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from firmware_bridge.device import BridgeError, Fault
from firmware_bridge.lamps import BLINK, Lamps, MockLamps, lamps, lit, sounds, turns_at
from firmware_bridge.pins import BACKENDS, USUAL, Pins, SeatPins
from firmware_bridge.signals import DARK, Signals
from firmware_bridge.tunes import TUNES
from tests.hardware.faulty_pins import FaultyFactory
from tests.hardware.virtual import VirtualTime, running, until

PINS = Pins(confirm=17, buzzer=18, seats={1: SeatPins(5, 6), 2: SeatPins(lamp=13), 4: SeatPins(lamp=19)})


class Bench:
    """Mock lamps in virtual time."""

    def __init__(self) -> None:
        self.time = VirtualTime()
        self.faults: SimpleQueue[Fault] = SimpleQueue()
        self.device = MockLamps(PINS, self.faults.put, clock=self.time)

    def pass_by(self, seconds: float) -> None:
        """Let time pass, and the device notice."""
        self.time.pause(seconds)
        self.device._woken.set()


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    with running(bench.device):
        yield bench


def test_the_lamps_that_are_shown_are_lit_and_no_others(bench: Bench) -> None:
    assert bench.device.lit() == ()
    for shown in ((1, 4), (2,), (1, 2, 4), ()):
        bench.device.show(Signals(tuple((place, "on") for place in shown)))
        until(lambda shown=shown: bench.device.lit() == shown)  # type: ignore[misc]


def test_a_place_without_a_lamp_is_no_fault(bench: Bench) -> None:
    bench.device.show(Signals(((2, "on"), (3, "on"), (8, "blink"))))
    until(lambda: bench.device.lit() == (2,))
    assert bench.faults.empty()


def test_a_blinking_lamp_goes_on_and_off_by_itself() -> None:
    device = MockLamps(PINS, lambda fault: None)
    with running(device):
        device.show(Signals(((1, "blink"), (2, "on"))))
        for _ in range(3):
            until(lambda: device.lit() == (1, 2))
            until(lambda: device.lit() == (2,))
    assert device.lit() == ()


def test_all_that_blink_are_on_and_off_together_for_as_long() -> None:
    shown = Signals(((1, "blink"), (2, "on"), (3, "blink")))
    start = turns_at(shown, 100.0)
    assert start is not None
    phases = [lit(shown, start + (number + 0.5) * BLINK) for number in range(4)]
    assert sorted(map(len, phases)) == [1, 1, 3, 3]
    assert phases[0] == phases[2] != phases[1] == phases[3]
    assert turns_at(shown, start + 0.01) == pytest.approx(start + BLINK)
    assert turns_at(Signals(((1, "on"),)), 100.0) is None


def test_a_tune_sounds_once_note_by_note(bench: Bench) -> None:
    heard: list[float] = []
    bench.device.play("over")
    for note in TUNES["over"]:
        until(lambda note=note: bench.device.hertz() == note.hertz)  # type: ignore[misc]
        heard.append(bench.device.hertz())
        bench.pass_by(note.milliseconds / 1000)
    until(lambda: bench.device.hertz() == 0)
    assert heard == [523, 659, 784, 1047]
    bench.pass_by(60)
    bench.device.show(DARK)
    assert bench.device.hertz() == 0


@pytest.mark.parametrize("tune", TUNES)
def test_every_tune_is_in_the_buzzers_range_and_short(bench: Bench, tune: str) -> None:
    notes = TUNES[tune]  # type: ignore[index]
    assert 0.05 <= sum(note.milliseconds for note in notes) / 1000 <= 1.0
    assert all(220 <= note.hertz <= 3520 for note in notes if note.hertz)
    assert notes[0].hertz > 0


def test_the_end_of_a_tune_is_its_end() -> None:
    whole = sum(note.milliseconds for note in TUNES["ask"]) / 1000
    first, rest = sounds("ask", 10.0, 10.0), sounds("ask", 10.0, 10.1)
    assert first is not None
    assert first == pytest.approx((660, 10.09))
    assert rest is not None
    assert rest == pytest.approx((0, 10.13))
    assert sounds("ask", 10.0, 10.0 + whole + 0.001) is None


def test_a_new_tune_takes_the_place_of_the_old_one(bench: Bench) -> None:
    bench.device.play("over")
    until(lambda: bench.device.hertz() == 523)
    bench.device.play("no")
    until(lambda: bench.device.hertz() == 440)


def test_what_was_played_while_the_device_was_away_is_never_heard_but_what_was_shown_is_seen() -> None:
    bench = Bench()
    bench.device.play("over")
    bench.device.show(Signals(((1, "on"),)))
    with running(bench.device):
        until(lambda: bench.device.lit() == (1,))
        assert bench.device.hertz() == 0
    bench.device.play("over")
    assert (bench.device.lit(), bench.device.hertz()) == ((), 0)
    with running(bench.device):
        until(lambda: bench.device.lit() == (1,))
        assert bench.device.hertz() == 0


def test_closed_lamps_are_dark_and_silent() -> None:
    bench = Bench()
    with running(bench.device):
        bench.device.show(Signals(((1, "on"), (2, "on"))))
        bench.device.play("fault")
        until(lambda: bench.device.lit() == (1, 2) and bench.device.hertz() > 0)
    assert (bench.device.lit(), bench.device.hertz()) == ((), 0)


def test_a_lamp_that_cannot_be_had_stops_no_other_and_is_taken_once_it_can() -> None:
    factory = FaultyFactory({13: RuntimeError("'GPIO busy'")})
    faults: SimpleQueue[Fault] = SimpleQueue()
    device = MockLamps(PINS, faults.put, lambda: factory)
    with running(device):
        fault = faults.get(timeout=20)
        assert (fault.device, fault.permanent) == ("lamps.seat2", False)
        assert "GPIO 13 of the lamp of place 2 is in use by another program" in fault.words
        device.show(Signals(((1, "on"), (2, "on"))))
        until(lambda: device.lit() == (1,))
        factory.broken.clear()
        device.retry()
        assert faults.get(timeout=20) == Fault("lamps.seat2", "", "")
        until(lambda: device.lit() == (1, 2))
    assert faults.empty()


def test_it_is_tried_again_by_itself(bench: Bench) -> None:
    factory = FaultyFactory({18: RuntimeError("'GPIO busy'")})
    device = MockLamps(PINS, bench.faults.put, lambda: factory, clock=bench.time)
    with running(device):
        assert bench.faults.get(timeout=20).device == "lamps.buzzer"
        factory.broken.clear()
        bench.time.pause(11)
        device.show(DARK)
        assert bench.faults.get(timeout=20) == Fault("lamps.buzzer", "", "")
        device.play("turn")
        until(lambda: device.hertz() == 880)


def test_pins_that_make_no_tones_leave_the_lamps_alight() -> None:
    faults: SimpleQueue[Fault] = SimpleQueue()
    factory = MockFactory(pin_class=MockPin)
    device = Lamps(PINS, faults.put, lambda: factory)
    with running(device):
        fault = faults.get(timeout=20)
        assert (fault.device, fault.permanent) == ("lamps.buzzer", True)
        assert "no tones" in fault.words
        device.show(Signals(((1, "on"),)))
        until(lambda: bool(factory.pin("GPIO6").state))


def test_when_nothing_can_be_had_the_whole_device_is_at_fault() -> None:
    factory = FaultyFactory({pin: RuntimeError("'GPIO busy'") for pin in (6, 13, 18, 19)})
    device = Lamps(PINS, lambda fault: None, lambda: factory)
    with pytest.raises(BridgeError, match="in use by another program") as caught:
        device.open()
    assert not caught.value.permanent
    factory.broken.clear()
    device.open()
    device.close()


def test_a_pin_that_cannot_be_closed_keeps_no_other_open(caplog: pytest.LogCaptureFixture) -> None:
    class Stuck(MockPWMPin):  # type: ignore[misc]
        failed = False

        def _set_function(self, value: str) -> None:
            closing = value == "input" and self.function == "output"
            if closing and self.info.name == "GPIO13" and not self.failed:
                self.failed = True  # gpiozero tries it again when it forgets the lamp
                raise OSError(5, "Input/output error")
            super()._set_function(value)

    factory = MockFactory(pin_class=Stuck)
    device = Lamps(PINS, lambda fault: None, lambda: factory)
    with running(device):
        pass
    assert [factory.pin(f"GPIO{number}").function for number in (6, 19)] == ["input", "input"]
    assert "lamps.seat2 could not be closed" in caplog.text


def test_showing_and_playing_wait_for_nothing_though_the_pins_hang() -> None:
    hung, going_on = threading.Event(), threading.Event()

    class Hanging(MockPin):  # type: ignore[misc]
        def _set_state(self, value: float) -> None:
            super()._set_state(value)
            if value:
                hung.set()
                going_on.wait(20)

    factory = MockFactory(pin_class=Hanging)
    device = Lamps(Pins(seats={1: SeatPins(lamp=6)}), lambda fault: None, lambda: factory)
    device.open()
    thread = threading.Thread(target=device.run)
    thread.start()
    device.show(Signals(((1, "on"),)))
    assert hung.wait(20)
    # None of these returns while the pin hangs if it waits for it: the test would stop here.
    for _ in range(1000):
        device.show(Signals(((1, "blink"),)))
        device.play("turn")
    device.close()
    assert thread.is_alive()
    going_on.set()
    thread.join(20)
    assert not thread.is_alive()
    assert factory.pin("GPIO6").function == "input"


def test_back_ends_are_chosen_by_name_only_and_where_something_hangs() -> None:
    chosen = {name: lamps(name, PINS, lambda fault: None) for name in BACKENDS}
    assert {name: type(device) for name, device in chosen.items()} == {
        "gpiozero": Lamps,
        "mock": MockLamps,
        "none": type(None),
    }
    assert [device.emulates for device in chosen.values() if device] == ["", "lamps and buzzer"]
    assert lamps("gpiozero", USUAL, lambda fault: None) is None
    with pytest.raises(ValueError, match="gpiozero, mock, none"):
        lamps("arduino", PINS, lambda fault: None)
