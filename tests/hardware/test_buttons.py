"""The buttons as devices: mock pins pressed in virtual time, and real ones that cannot be had."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Any

import pytest
from gpiozero import BadPinFactory, Device, GPIOPinInUse
from gpiozero.exc import PinInvalidPin
from gpiozero.pins.mock import MockFactory, MockPWMPin
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge import buttons as subject
from firmware_bridge import gpio
from firmware_bridge.buttons import Buttons, MockButtons
from firmware_bridge.device import BridgeError, Fault
from firmware_bridge.pins import BACKENDS, USUAL, Pins, SeatPins
from firmware_bridge.press import Press
from firmware_bridge.supervisor import Supervisor
from tests.hardware.faulty_pins import FaultyFactory
from tests.hardware.virtual import VirtualTime, running, until

GPIO = {"confirm": 17, "undo": 27, "next": 22} | {f"seat{place}": place + 4 for place in range(1, 9)}
PINS = Pins(17, 27, 22, seats={place: SeatPins(place + 4) for place in range(1, 9)})


class Bench:
    """Mock buttons in virtual time, with all that they told."""

    def __init__(self, pin_class: type[MockPWMPin] = MockPWMPin) -> None:
        self.time = VirtualTime()
        self.presses: SimpleQueue[Press] = SimpleQueue()
        self.faults: SimpleQueue[Fault] = SimpleQueue()
        self.factory = MockFactory(pin_class=pin_class)
        self.device = MockButtons(
            PINS, self.hear, self.faults.put, lambda: self.factory, self.time, self.time.pause
        )

    def hear(self, press: Press) -> None:
        self.presses.put(press)

    def pin(self, button: str) -> Any:
        return self.factory.pin(f"GPIO{GPIO[button]}")

    def told(self) -> list[tuple[str, str]]:
        """All presses until now: a last one of `next` ends the list."""
        self.time.pause(1.0)
        self.device.press("next", held=0.2)
        self.time.pause(1.0)
        found: list[tuple[str, str]] = []
        while not found or found[-1] != ("next", "short"):
            press = self.presses.get(timeout=20)
            found.append((f"{press.button}{press.place or ''}", press.kind))
        return found[:-1]


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    with running(bench.device):
        yield bench


def test_short_and_long_presses_come_by_name(bench: Bench) -> None:
    bench.device.press("confirm", held=0.2)
    bench.time.pause(0.5)
    bench.device.press("undo", held=1.5)
    assert bench.told() == [("confirm", "short"), ("undo", "long")]


@pytest.mark.parametrize("place", range(1, 9))
def test_each_place_has_its_own_button(bench: Bench, place: int) -> None:
    bench.device.press(f"seat{place}", held=0.2)
    bench.time.pause(0.5)
    bench.device.press(f"seat{place}", held=1.0, bounces=6)
    assert bench.told() == [(f"seat{place}", "short"), (f"seat{place}", "long")]


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(set(GPIO) - {"next"})), st.booleans(), st.integers(0, 8)),
        min_size=1,
        max_size=12,
    )
)
def test_every_press_comes_once_in_its_order_whatever_bounces(presses: list[tuple[str, bool, int]]) -> None:
    bench = Bench()
    with running(bench.device):
        for button, held_long, bounces in presses:
            bench.device.press(button, held=1.0 if held_long else 0.1, bounces=bounces)
            bench.time.pause(0.2)
        assert bench.told() == [(button, "long" if held else "short") for button, held, _ in presses]


def test_a_long_press_is_told_before_the_button_is_let_go(bench: Bench) -> None:
    bench.pin("undo").drive_low()
    looks = 0
    while bench.presses.empty() and looks < 2000:
        bench.time.pause(0.01)
        threading.Event().wait(0.005)
        looks += 1
    press = bench.presses.get(timeout=1)
    assert (press.button, press.kind) == ("undo", "long")
    bench.pin("undo").drive_high()
    assert bench.told() == []


def test_a_bouncing_contact_is_one_press(bench: Bench) -> None:
    bench.device.press("confirm", held=0.1, bounces=6)
    assert bench.told() == [("confirm", "short")]


def test_spikes_are_no_press(bench: Bench) -> None:
    bench.device.disturb("confirm", spikes=5)
    assert bench.told() == []


def test_a_storming_pin_is_switched_off_and_says_so_while_the_others_go_on(bench: Bench) -> None:
    bench.device.disturb("undo", spikes=3000, width=0.0003)
    fault = bench.faults.get(timeout=20)
    assert fault.device == "buttons.undo"
    assert fault.permanent
    assert "GPIO 27 of the button undo" in fault.words
    bench.time.pause(1.0)
    bench.device.press("undo", held=0.2)
    bench.time.pause(1.0)
    bench.device.press("confirm", held=0.2)
    assert bench.told() == [("confirm", "short")]
    assert bench.faults.empty()


def test_a_switched_off_pin_is_back_after_opening_again(bench: Bench) -> None:
    bench.device.disturb("undo", spikes=3000, width=0.0003)
    bench.faults.get(timeout=20)
    bench.device.close()
    with running(bench.device):
        bench.device.press("undo", held=0.2)
        assert bench.told() == [("undo", "short")]


class Forgetful(Bench):
    """Who hears the presses falls over at some of them."""

    def hear(self, press: Press) -> None:
        if press.button == "undo":
            raise ZeroDivisionError("the table fell over")
        super().hear(press)


def test_an_exception_on_one_press_does_not_silence_the_others(caplog: pytest.LogCaptureFixture) -> None:
    bench = Forgetful()
    with running(bench.device):
        bench.device.press("undo", held=0.2)
        assert bench.told() == []
        bench.device.press("confirm", held=0.2)
        assert bench.told() == [("confirm", "short")]
    assert "the table fell over" in caplog.text


def test_buttons_open_and_close_again_and_again(bench: Bench) -> None:
    bench.device.close()
    for _ in range(50):
        with running(bench.device):
            pass
    bench.device.close()


def test_a_switched_off_pin_is_heeded_again_once_somebody_has_mended_it(bench: Bench) -> None:
    bench.device.disturb("seat2", spikes=3000, width=0.0003)
    assert bench.faults.get(timeout=20).device == "buttons.seat2"
    bench.time.pause(1.0)
    bench.device.retry()
    assert bench.faults.get(timeout=20) == Fault("buttons.seat2", "", "")
    bench.device.press("seat2", held=0.2)
    assert bench.told() == [("seat2", "short")]


def test_closed_before_run_means_run_returns() -> None:
    device = MockButtons(PINS, lambda press: None, lambda fault: None)
    device.open()
    device.close()
    device.run()


def real() -> Buttons:
    return Buttons(USUAL, lambda press: None, lambda fault: None)


def test_real_buttons_never_fall_back_to_mock_pins(pin_factory: MockFactory) -> None:
    with pytest.raises(BridgeError, match="GPIOZERO_PIN_FACTORY=mock") as caught:
        real().open()
    assert caught.value.permanent


def test_a_machine_without_pins_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    with pytest.raises(BridgeError, match="no pins to use") as caught:
        real().open()
    assert caught.value.permanent
    assert "mock or none" in caught.value.cure


def test_a_folder_that_cannot_be_written_is_said_with_its_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    def importing() -> None:
        raise FileNotFoundError(2, "No such file or directory", ".lgd-nfy-3")

    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr(gpio, "_import_lgpio", importing)
    with pytest.raises(BridgeError, match="no folder that it can write in") as caught:
        real().open()
    assert caught.value.permanent
    assert "LG_WD" in caught.value.cure


@pytest.mark.parametrize(
    ("error", "permanent", "words", "cure"),
    [
        (PermissionError(13, "Permission denied", "/dev/gpiochip0"), True, "may not use", "usermod -aG gpio"),
        (RuntimeError("can not open gpiochip"), True, "may not use the pins", "usermod -aG gpio"),
        (BadPinFactory("Unable to load any default pin factory!"), True, "no pins to use", "mock or none"),
        (OSError(5, "Input/output error"), False, "Input/output error", "tried again by itself"),
    ],
)
def test_pins_that_cannot_be_had_at_all_are_one_fault(
    monkeypatch: pytest.MonkeyPatch, error: Exception, permanent: bool, words: str, cure: str
) -> None:
    def no_factory() -> None:
        raise error

    monkeypatch.setattr(gpio, "_factory", no_factory)
    with pytest.raises(BridgeError) as caught:
        real().open()
    assert caught.value.permanent is permanent
    assert words in caught.value.words
    assert cure in caught.value.cure


@pytest.mark.parametrize(
    ("error", "permanent", "words", "cure"),
    [
        (GPIOPinInUse("pin GPIO27 is already in use"), False, "another part of this program", "another pin"),
        (RuntimeError("'GPIO busy'"), False, "in use by another program", "gpioinfo"),
        (PermissionError(13, "Permission denied", "/dev/gpiochip0"), True, "may not use", "usermod -aG gpio"),
        (PinInvalidPin("GPIO99 is not a valid pin"), True, "no pin of this Pi", "another pin"),
        (OSError(5, "Input/output error"), False, "Input/output error", "Check the wiring"),
        (ZeroDivisionError(), False, "ZeroDivisionError", "tried again by itself"),
    ],
)
def test_a_pin_that_cannot_be_had_is_a_fault_with_a_cure_and_stops_no_other(
    error: Exception, permanent: bool, words: str, cure: str
) -> None:
    bench = Bench()
    bench.factory = FaultyFactory({27: error})
    with running(bench.device):
        fault = bench.faults.get(timeout=20)
        assert (fault.device, fault.permanent) == ("buttons.undo", permanent)
        assert words in fault.words
        assert cure in fault.cure
        bench.device.press("confirm", held=0.2)
        assert bench.told() == [("confirm", "short")]
        # Nothing is left held: what is mended can be had.
        bench.factory.broken.clear()
        bench.device.retry()
        assert bench.faults.get(timeout=20) == Fault("buttons.undo", "", "")
        bench.device.press("undo", held=0.2)
        assert bench.told() == [("undo", "short")]


def test_only_what_may_pass_is_tried_again_by_itself() -> None:
    bench = Bench()
    bench.factory = FaultyFactory({27: RuntimeError("'GPIO busy'"), 5: PinInvalidPin("no such pin")})
    with running(bench.device):
        assert {bench.faults.get(timeout=20).device for _ in range(2)} == {"buttons.undo", "buttons.seat1"}
        bench.factory.broken.clear()
        bench.time.pause(11)
        assert {bench.faults.get(timeout=20).device for _ in range(2)} == {"buttons.undo", "buttons.seat1"}
    bench.factory = FaultyFactory({5: PinInvalidPin("no such pin")})
    with running(bench.device):
        assert bench.faults.get(timeout=20).device == "buttons.seat1"
        assert bench.device._pins.due is None


def test_a_pin_that_goes_on_being_taken_is_told_and_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    bench = Bench()
    broken = FaultyFactory({27: RuntimeError("'GPIO busy'")})
    tries: SimpleQueue[None] = SimpleQueue()

    def factory() -> Any:
        tries.put(None)
        return broken

    def pass_until(holds: Callable[[], bool]) -> None:
        def later() -> bool:
            bench.time.pause(1)
            return holds()

        until(later)

    device = MockButtons(PINS, bench.hear, bench.faults.put, factory, bench.time, bench.time.pause)
    with running(device):
        assert bench.faults.get(timeout=20).device == "buttons.undo"
        pass_until(lambda: tries.qsize() > 3)
        broken.broken[27] = OSError(5, "Input/output error")
        pass_until(lambda: not bench.faults.empty())
        assert "Input/output error" in bench.faults.get(timeout=20).words
    assert bench.faults.empty()
    logged = [record.message for record in caplog.records if record.message.startswith("GPIO 27 ")]
    assert [message.splitlines()[-1] for message in logged] == [
        "RuntimeError: 'GPIO busy'",
        "OSError: [Errno 5] Input/output error",
    ]


def test_when_not_one_can_be_had_the_device_is_at_fault() -> None:
    factory = FaultyFactory({pin: RuntimeError("'GPIO busy'") for pin in GPIO.values()})
    device = Buttons(PINS, lambda press: None, lambda fault: None, lambda: factory)
    with pytest.raises(BridgeError, match="GPIO 17 of the button confirm is in use by another program"):
        device.open()
    factory.broken.clear()
    device.open()
    device.close()


def test_a_pin_library_that_hangs_holds_nobody_up_who_stops_it() -> None:
    hung, going_on = threading.Event(), threading.Event()

    class Hanging(MockPWMPin):  # type: ignore[misc]
        def _get_state(self) -> object:
            if self.info.name == "GPIO27" and threading.current_thread().name == "buttons supervisor":
                hung.set()
                going_on.wait(20)
            return super()._get_state()

    factory = MockFactory(pin_class=Hanging)
    supervisor = Supervisor(
        Buttons(USUAL, lambda press: None, lambda fault: None, lambda: factory), lambda name, fault: None
    )
    supervisor.start()
    assert hung.wait(20)
    assert not supervisor.stop(timeout=0.1)
    going_on.set()
    assert supervisor.stop(timeout=20)
    until(lambda: factory.pin("GPIO17").when_changed is None)


class WatchedPin(MockPWMPin):  # type: ignore[misc]
    """A pin that counts how often it was looked at."""

    looks = 0

    def _get_state(self) -> object:
        self.looks += 1
        return super()._get_state()


class EdgelessPin(WatchedPin):
    """A pin on a kernel that gives no edges."""

    def _enable_event_detect(self) -> None:
        raise RuntimeError("Failed to add edge detection")


def press_in_steps(bench: Bench, button: str) -> None:
    """Press while virtual time goes on only after the line was looked at and that was heeded."""
    pin = bench.pin(button)
    for move in (pin.drive_low, pin.drive_high):
        move()
        for _ in range(20):
            enough = pin.looks + 3
            while pin.looks < enough:
                threading.Event().wait(0.001)
            bench.time.pause(0.01)


def test_a_pin_without_edges_is_polled(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench(EdgelessPin)
    with running(bench.device):
        press_in_steps(bench, "confirm")
        press = bench.presses.get(timeout=20)
    assert (press.button, press.kind) == ("confirm", "short")
    assert "it is polled" in caplog.text


def test_a_pin_whose_edges_stop_is_polled_from_then_on(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench(WatchedPin)
    with running(bench.device):
        line = bench.device._pins.held["confirm"]
        line.device.pin.when_changed = None
        for _ in range(2):
            press_in_steps(bench, "confirm")
            press = bench.presses.get(timeout=20)
            assert (press.button, press.kind) == ("confirm", "short")
    assert "lost an edge" in caplog.text


def test_back_ends_are_chosen_by_name_only_and_where_something_hangs() -> None:
    def of(name: str, pins: Pins = USUAL) -> Buttons | None:
        return subject.buttons(name, pins, lambda press: None, lambda fault: None)

    chosen = {name: of(name) for name in BACKENDS}
    assert {name: type(device) for name, device in chosen.items()} == {
        "gpiozero": Buttons,
        "mock": MockButtons,
        "none": type(None),
    }
    assert [device.emulates for device in chosen.values() if device] == ["", "buttons"]
    assert of("gpiozero", Pins(buzzer=18, seats={1: SeatPins(lamp=5)})) is None
    with pytest.raises(ValueError, match="gpiozero, mock, none"):
        of("arduino")
