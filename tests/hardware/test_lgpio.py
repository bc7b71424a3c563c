"""Buttons, lamps and buzzer on the real lgpio, whose chip alone is not there."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from queue import SimpleQueue

import pytest

from firmware_bridge.buttons import Buttons
from firmware_bridge.device import BridgeError, Fault
from firmware_bridge.lamps import Lamps
from firmware_bridge.pins import Pins, SeatPins
from firmware_bridge.press import Press
from firmware_bridge.signals import Signals
from firmware_bridge.supervisor import Supervisor
from tests.hardware.lgpio_chip import Chip, chip
from tests.hardware.virtual import running, until

ROOT = Path(__file__).parents[2]
PLACES = range(1, 5)
BUTTON = {"confirm": 17, "undo": 27} | {f"seat{place}": place + 3 for place in PLACES}
LAMP = {place: place + 8 for place in PLACES}
PINS = Pins(17, 27, buzzer=18, seats={place: SeatPins(place + 3, place + 8) for place in PLACES})


class Bench:
    """Both devices on one chip, with all that they told."""

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self.presses: SimpleQueue[Press] = SimpleQueue()
        self.faults: SimpleQueue[Fault] = SimpleQueue()
        self.buttons = Buttons(PINS, self.presses.put, self.faults.put)
        self.lamps = Lamps(PINS, self.faults.put)

    def press(self, button: str, held: float = 0.06, bounces: int = 0) -> None:
        number = BUTTON[button]
        for level in (0, 1):
            # A millisecond from edge to edge by the kernel's time, however busy the machine is.
            moment = time.monotonic_ns() - 2 * bounces * 1_000_000
            for bounce in range(2 * bounces):
                self.chip.drive(number, level if bounce % 2 == 0 else 1 - level, moment + bounce * 1_000_000)
            self.chip.drive(number, level)
            time.sleep(held if level == 0 else 0.04)
            # However busy the machine is, and however late it hears of this.
            line = self.buttons._pins.held[button].presses
            until(lambda line=line, down=not level: line.down is down)  # type: ignore[misc]

    def told(self) -> tuple[str, str]:
        press = self.presses.get(timeout=20)
        return f"{press.button}{press.place or ''}", press.kind


@pytest.fixture(params=["lgpio", "rpigpio"])
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    with chip(request.param) as found:
        yield Bench(found)


def test_each_button_is_its_own_press_though_it_bounces(bench: Bench) -> None:
    with running(bench.buttons):
        for button in BUTTON:
            bench.press(button, bounces=4)
            assert bench.told() == (button, "short")
        bench.press("seat2", held=0.9)
        assert bench.told() == ("seat2", "long")
        assert bench.presses.empty()


def test_lamps_and_buttons_share_the_chip_and_let_it_go(bench: Bench) -> None:
    with running(bench.buttons), running(bench.lamps):
        bench.lamps.show(Signals(((1, "on"), (3, "on"))))
        until(lambda: [bench.chip.levels[LAMP[place]] for place in PLACES] == [1, 0, 1, 0])
        bench.press("seat3")
        assert bench.told() == ("seat3", "short")
        bench.lamps.play("fault")
        until(lambda: bench.chip.pulses[18] == (590.0, 50))
        until(lambda: bench.chip.pulses[18] == (440.0, 50))
        until(lambda: bench.chip.pulses[18] == (0, 0))
    # What is closed drives nothing any more.
    assert "output" not in bench.chip.claimed.values()


def test_a_lost_edge_is_made_good_and_the_line_is_polled_from_then_on(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    with running(bench.buttons):
        bench.chip.lost.add(BUTTON["seat1"])
        for _ in range(2):
            bench.press("seat1")
            bench.press("confirm")
            assert {bench.told()[0], bench.told()[0]} == {"seat1", "confirm"}
        assert bench.presses.empty()
    assert "GPIO 4 (the button of place 1) lost an edge" in caplog.text


def test_a_storm_is_switched_off_while_the_others_go_on(bench: Bench) -> None:
    with running(bench.buttons):
        for number in range(1500):
            bench.chip.tell(BUTTON["seat4"], number % 2)
        fault = bench.faults.get(timeout=20)
        assert (fault.device, fault.permanent) == ("buttons.seat4", True)
        bench.press("seat1")
        assert bench.told() == ("seat1", "short")
        bench.buttons.retry()
        assert bench.faults.get(timeout=20) == Fault("buttons.seat4", "", "")
        bench.press("seat4")
        assert bench.told() == ("seat4", "short")


def test_who_hears_the_presses_and_falls_over_does_not_end_lgpios_only_thread(bench: Bench) -> None:
    def fall(press: Press) -> None:
        bench.presses.put(press)
        raise ZeroDivisionError

    bench.buttons = Buttons(PINS, fall, bench.faults.put)
    with running(bench.buttons):
        for _ in range(3):
            bench.press("undo")
            assert bench.told() == ("undo", "short")


def test_a_busy_line_is_one_fault_that_names_its_user(bench: Bench) -> None:
    bench.chip.busy = {BUTTON["seat2"]: "spi0 CS0", LAMP[1]: "lg"}
    with running(bench.buttons), running(bench.lamps):
        faults = {fault.device: fault for fault in (bench.faults.get(timeout=20) for _ in range(2))}
        assert set(faults) == {"buttons.seat2", "lamps.seat1"}
        assert "GPIO 5 of the button of place 2 is in use" in faults["buttons.seat2"].words
        assert "The kernel knows its user as 'spi0 CS0'." in faults["buttons.seat2"].words
        bench.press("seat1")
        assert bench.told() == ("seat1", "short")
        bench.lamps.show(Signals(((1, "on"), (2, "on"))))
        until(lambda: bench.chip.levels[LAMP[2]] == 1)
        bench.chip.busy = {}
        bench.buttons.retry()
        bench.lamps.retry()
        healed = {bench.faults.get(timeout=20) for _ in range(2)}
        assert healed == {Fault("buttons.seat2", "", ""), Fault("lamps.seat1", "", "")}
        bench.press("seat2")
        assert bench.told() == ("seat2", "short")
        until(lambda: bench.chip.levels[LAMP[1]] == 1)


def test_a_user_without_the_right_is_told_what_to_type(bench: Bench) -> None:
    bench.chip.forbidden = True
    for device in (bench.buttons, bench.lamps):
        with pytest.raises(BridgeError, match="may not use the pins") as caught:
            device.open()
        assert caught.value.permanent
        assert "usermod -aG gpio" in caught.value.cure
    bench.chip.forbidden = False
    with running(bench.buttons):
        bench.press("confirm")
        assert bench.told() == ("confirm", "short")


def test_a_chip_that_hangs_holds_nobody_up(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    hung, going_on = threading.Event(), threading.Event()

    def hang(handle: int, line: int, level: int) -> int:
        hung.set()
        going_on.wait(20)
        return 0

    monkeypatch.setattr(sys.modules["lgpio"], "gpio_write", hang)
    supervisor = Supervisor(bench.lamps, lambda name, fault: None)
    supervisor.start()
    bench.lamps.show(Signals(((1, "on"),)))
    assert hung.wait(20)
    bench.lamps.show(Signals(((2, "on"),)))
    bench.lamps.play("turn")
    assert not supervisor.stop(timeout=0.1)
    going_on.set()
    assert supervisor.stop(timeout=20)


def printed(script: str, folder: Path, **environment: str) -> str:
    """What a fresh Python prints that is started in that folder."""
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


IMPORT = """
import os, shutil, sys
{before}
from firmware_bridge.gpio import _import_lgpio
_import_lgpio()
import lgpio
print(lgpio._notify_thread.is_alive(), os.path.samestat(os.stat("."), here), os.environ.get("LG_WD"))
"""


@pytest.mark.skipif(find_spec("lgpio") is None, reason="There is no lgpio here.")
def test_lgpio_is_imported_wherever_this_was_started_and_leaves_nothing_there(tmp_path: Path) -> None:
    stays = IMPORT.format(before="here = os.stat('.')")
    assert printed(stays, tmp_path, LG_WD="") == "True True None"
    assert list(tmp_path.iterdir()) == []
    # Nobody can write there, whoever it is.
    assert printed(stays, Path("/proc"), LG_WD="") == "True True None"
    # Of a folder that is gone nothing can be said but that it is still the one.
    gone = IMPORT.format(before="here = os.stat('.'); os.rmdir(os.getcwd())")
    (tmp_path / "gone").mkdir()
    assert printed(gone, tmp_path / "gone", LG_WD="") == "True True None"


@pytest.mark.skipif(find_spec("lgpio") is None, reason="There is no lgpio here.")
def test_lgpio_makes_its_pipe_where_it_is_told_and_takes_nobody_there(tmp_path: Path) -> None:
    told = tmp_path / "told"
    told.mkdir()
    script = IMPORT.format(before="here = os.stat('.')") + "print(os.listdir(os.environ['LG_WD']))"
    assert printed(script, tmp_path, LG_WD=str(told)) == f"True True {told}\n['.lgd-nfy0']"
