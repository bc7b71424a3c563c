"""The buttons as devices: mock pins pressed in virtual time, and real ones that cannot be had."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from copy import copy
from queue import SimpleQueue
from typing import Any

import pytest
from gpiozero import BadPinFactory, Device, GPIOPinInUse
from gpiozero.exc import PinInvalidPin
from gpiozero.pins.mock import MockFactory, MockPWMPin

from firmware_bridge import buttons as subject
from firmware_bridge.buttons import PINS, Buttons, MockButtons, NoButtons
from firmware_bridge.device import BridgeError, Fault
from firmware_bridge.press import Button, Press
from tests.hardware.virtual import VirtualTime, running


class Bench:
    """Mock buttons in virtual time, with all that they told."""

    def __init__(self, pin_class: type[MockPWMPin] = MockPWMPin) -> None:
        self.time = VirtualTime()
        self.presses: SimpleQueue[Press] = SimpleQueue()
        self.faults: SimpleQueue[Fault] = SimpleQueue()
        self.device = MockButtons(self.hear, self.faults.put, clock=self.time, pause=self.time.pause)
        self.factory = self.device._mock_factory = MockFactory(pin_class=pin_class)

    def hear(self, press: Press) -> None:
        self.presses.put(press)

    def pin(self, button: Button) -> Any:
        return self.factory.pin(f"GPIO{PINS[button]}")

    def told(self) -> list[tuple[str, str]]:
        """All presses until now: a last one of `next` ends the list."""
        self.time.pause(1.0)
        self.device.press("next", held=0.2)
        self.time.pause(1.0)
        found: list[tuple[str, str]] = []
        while not found or found[-1] != ("next", "short"):
            press = self.presses.get(timeout=20)
            found.append((press.button, press.kind))
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
    assert f"GPIO {PINS['undo']}" in fault.words
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


def test_closed_before_run_means_run_returns() -> None:
    device = MockButtons(lambda press: None, lambda fault: None)
    device.open()
    device.close()
    device.run()


def real() -> Buttons:
    return Buttons(lambda press: None, lambda fault: None)


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


class FaultyFactory(MockFactory):  # type: ignore[misc]
    """Pins of which one cannot be had, as a real factory would say it."""

    def __init__(self, broken: int, error: Exception) -> None:
        super().__init__(pin_class=MockPWMPin)
        self.broken = f"GPIO{broken}"
        self.error = error

    def pin(self, name: str) -> object:
        if str(name).endswith(self.broken.removeprefix("GPIO")):
            raise copy(self.error)
        return super().pin(name)


class RealisticButtons(Buttons):
    """Real buttons as far as they know, on a factory that a test gives them."""

    def __init__(self, factory: MockFactory) -> None:
        super().__init__(lambda press: None, lambda fault: None)
        self.factory = factory

    def _factory(self) -> MockFactory:
        return self.factory


@pytest.mark.parametrize(
    ("error", "permanent", "words", "cure"),
    [
        (GPIOPinInUse("pin GPIO27 is already in use"), False, "GPIO 27 of the button undo", "gpioinfo"),
        (RuntimeError("'GPIO busy'"), False, "in use by another program", "tried again by itself"),
        (PermissionError(13, "Permission denied", "/dev/gpiochip0"), True, "may not use", "usermod -aG gpio"),
        (RuntimeError("can not open gpiochip"), True, "may not use the pins", "usermod -aG gpio"),
        (PinInvalidPin("GPIO99 is not a valid pin"), True, "no pin of this Pi", "another pin"),
        (FileNotFoundError(2, "No such file", ".lgd-nfy-3"), True, "cannot write", "LG_WD"),
        (BadPinFactory("Unable to load any default pin factory!"), True, "no pins to use", "mock or none"),
        (OSError(5, "Input/output error"), False, "Input/output error", "Check the wiring"),
        (ZeroDivisionError(), False, "ZeroDivisionError", "tried again by itself"),
    ],
)
def test_a_pin_that_cannot_be_had_is_a_fault_with_a_cure(
    error: Exception, permanent: bool, words: str, cure: str
) -> None:
    factory = FaultyFactory(PINS["undo"], error)
    device = RealisticButtons(factory)
    with pytest.raises(BridgeError) as caught:
        device.open()
    assert caught.value.permanent is permanent
    assert words in caught.value.words
    assert cure in caught.value.cure
    # Nothing is left held: what is mended can be opened.
    factory.broken = "GPIO99"
    device.open()
    device.close()


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


def press_in_steps(bench: Bench, button: Button) -> None:
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
        line = bench.device._lines["confirm"]
        line.device.pin.when_changed = None
        for _ in range(2):
            press_in_steps(bench, "confirm")
            press = bench.presses.get(timeout=20)
            assert (press.button, press.kind) == ("confirm", "short")
    assert "lost an edge" in caplog.text


def test_back_ends_are_chosen_by_name_only() -> None:
    chosen = {
        name: subject.buttons(name, lambda press: None, lambda fault: None) for name in subject.BACKENDS
    }
    assert {name: type(device) for name, device in chosen.items()} == {
        "gpiozero": Buttons,
        "mock": MockButtons,
        "none": NoButtons,
    }
    assert {name: device.emulates for name, device in chosen.items()} == {
        "gpiozero": "",
        "mock": "buttons",
        "none": "",
    }
    with pytest.raises(ValueError, match="gpiozero, mock, none"):
        subject.buttons("arduino", lambda press: None, lambda fault: None)


def test_no_buttons_run_until_closed() -> None:
    device = NoButtons()
    device.open()
    thread = threading.Thread(target=device.run)
    thread.start()
    assert thread.is_alive()
    device.close()
    thread.join(timeout=20)
    assert not thread.is_alive()
