"""The firmware as a program of its own at the end of a line: in CPython, and in MicroPython where it is."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue

import pytest

from firmware_bridge import controller_messages as messages
from firmware_bridge.controller import Controller
from firmware_bridge.controller_line import FIRMWARE
from firmware_bridge.controller_messages import Hello, Shown
from firmware_bridge.controller_talk import Pace
from firmware_bridge.controller_wiring import ControllerPins, ControllerSeatPins, DigitsPins
from firmware_bridge.device import Fault
from firmware_bridge.display import Count
from firmware_bridge.firmware.frames import Lines
from firmware_bridge.press import Press
from firmware_bridge.signals import Signals
from tests.hardware.virtual import running, until

STUBS = Path(__file__).parent / "pico"
MICROPYTHON = shutil.which("micropython")
MAIN = str(FIRMWARE / "main.py")
# A program starts when the machine has the time for it; a board has started long before it is asked.
STARTS = Pace(greeting=20.0)


def in_cpython() -> tuple[list[str], dict[str, str]]:
    folders = os.pathsep.join([str(STUBS), str(FIRMWARE.parent)])
    return [sys.executable, "-B", str(STUBS / "in_cpython.py"), MAIN], {"PYTHONPATH": folders}


def in_micropython() -> tuple[list[str], dict[str, str]]:
    if MICROPYTHON is None:
        pytest.skip("MicroPython's unix port is not here")
    return [MICROPYTHON, MAIN], {"MICROPYPATH": f"{STUBS}:{FIRMWARE.parent}:.frozen"}


@contextmanager
def board(program: tuple[list[str], dict[str, str]], folder: Path) -> Iterator[str]:
    """The firmware runs; the path of its line."""
    far, near = pty.openpty()
    tty.setraw(near)
    command, environment = program
    running = subprocess.Popen(
        command, stdin=far, stdout=far, stderr=subprocess.PIPE, cwd=folder, env={**os.environ, **environment}
    )
    try:
        yield os.ttyname(near)
    finally:
        running.kill()
        _, said = running.communicate()
        os.close(far)
        os.close(near)
        assert said == b""


def text(file: Path) -> str:
    return file.read_text() if file.exists() else ""


@pytest.mark.parametrize("program", [in_cpython, in_micropython])
def test_the_firmware_itself_lights_sounds_and_tells_presses(
    program: Callable[[], tuple[list[str], dict[str, str]]], tmp_path: Path
) -> None:
    presses: SimpleQueue[Press] = SimpleQueue()
    faults: list[Fault] = []
    with board(program(), tmp_path) as line:
        pins = ControllerPins(
            line=line,
            confirm=10,
            buzzer=15,
            strip=16,
            seats={1: ControllerSeatPins(lamp=6), 3: ControllerSeatPins(button=5)},
        )
        device = Controller(pins, presses.put, faults.append, STARTS)
        device.show(Signals(((1, "on"), (3, "on")), Count(17)))
        with running(device):
            until(lambda: text(tmp_path / "pin6") == "1")
            until(lambda: text(tmp_path / "strip") == "*.*.....")
            device.play("turn")
            until(lambda: text(tmp_path / "tone15") == "880")
            for gpio, button, place in ((5, "seat", 3), (10, "confirm", 0)):
                held = tmp_path / f"low{gpio}"
                held.touch()
                press = presses.get(timeout=20)
                assert (press.button, press.place, press.kind) == (button, place, "long")
                held.unlink()
            device.show(Signals())
            until(lambda: text(tmp_path / "pin6") == "0" and text(tmp_path / "strip") == "........")
        assert presses.empty()
        assert faults == []


@pytest.mark.parametrize("program", [in_cpython, in_micropython])
def test_nothing_stays_lit_when_the_firmware_ends(
    program: Callable[[], tuple[list[str], dict[str, str]]], tmp_path: Path
) -> None:
    command, environment = program()
    pins = ControllerPins(strip=16, seats={1: ControllerSeatPins(lamp=6)})
    signals = Signals(((1, "on"),))
    done = subprocess.run(
        command,
        input=messages.hello("host") + messages.wire(pins)[1] + messages.show(signals),
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, **environment},
        check=True,
    )
    said = [messages.heard(body) for body in Lines().feed(done.stdout)]
    assert [type(one) for one in said] == [Hello, Shown, Shown]
    assert text(tmp_path / "pin6") == "0"
    assert text(tmp_path / "strip") == "........"


def test_a_display_that_is_not_there_is_told_and_nothing_else_suffers(tmp_path: Path) -> None:
    faults: SimpleQueue[Fault] = SimpleQueue()
    with board(in_cpython(), tmp_path) as line:
        pins = ControllerPins(
            line=line, seats={1: ControllerSeatPins(lamp=6)}, digits=DigitsPins(clk=18, dio=19)
        )
        device = Controller(pins, lambda press: None, faults.put, STARTS)
        device.show(Signals(((1, "on"),), Count(17)))
        with running(device):
            assert "number display on the controller does not answer" in faults.get(timeout=20).words
            until(lambda: text(tmp_path / "pin6") == "1")


@pytest.mark.parametrize("file", sorted(FIRMWARE.glob("*.py")), ids=lambda file: file.name)
def test_micropythons_own_compiler_takes_each_file(file: Path, tmp_path: Path) -> None:
    compiler = shutil.which("mpy-cross")
    if compiler is None:
        pytest.skip("mpy-cross is not here")
    subprocess.run([compiler, str(file), "-o", str(tmp_path / "out.mpy")], check=True)
