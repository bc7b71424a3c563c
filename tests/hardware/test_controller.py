"""The controller as a device: its line, its faults and what they say, and that everything comes back."""

from __future__ import annotations

import errno
import os
import pty
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue

import pytest
from msgspec.structs import replace

from firmware_bridge import controller_line
from firmware_bridge.controller import Controller, NoController, controller
from firmware_bridge.controller_line import FIRMWARE, diagnosis, lines
from firmware_bridge.controller_talk import Pace
from firmware_bridge.controller_wiring import USUAL, ControllerPins
from firmware_bridge.device import BridgeError, Fault
from firmware_bridge.display import Count
from firmware_bridge.emulated_controller import EmulatedController, Misbehaviour
from firmware_bridge.firmware import frames
from firmware_bridge.press import Button, Press
from firmware_bridge.signals import Signals
from firmware_bridge.supervisor import Backoff, Supervisor
from tests.hardware.boards import PINS
from tests.hardware.virtual import running, until

SOON = 20.0
QUICK = Pace(beat=0.05, again=0.05, ask=0.1, greeting=1.0, patience=1.0)


class Told:
    """An emulated controller under its supervisor, and what it told."""

    def __init__(self, pace: Pace = QUICK) -> None:
        self.presses: SimpleQueue[Press] = SimpleQueue()
        self.parts: SimpleQueue[Fault] = SimpleQueue()
        self.whole: SimpleQueue[Fault | None] = SimpleQueue()
        self.device = EmulatedController(PINS, self.presses.put, self.parts.put, pace)

    @contextmanager
    def supervised(self) -> Iterator[None]:
        supervisor = Supervisor(
            self.device, lambda name, fault: self.whole.put(fault), Backoff(first=0.02, longest=0.05)
        )
        supervisor.start()
        assert self.whole.get(timeout=SOON) is None
        yield
        assert supervisor.stop(timeout=SOON)

    def fault(self, words: str) -> Fault:
        """The next fault that says so; a machine that is busy may bring another before it."""
        return fault_of(self.whole, words)

    def back(self) -> None:
        while self.whole.get(timeout=SOON) is not None:
            pass


def fault_of(told: SimpleQueue[Fault | None], words: str) -> Fault:
    while True:
        found = told.get(timeout=SOON)
        if found is not None and words in found.words:
            return found


def shows(device: EmulatedController, left: int) -> None:
    device.show(Signals(((1, "on"),), Count(left)))
    until(lambda: device.digits() == f"{left:4}" and device.lamps() == (1,))


def ignore(_: object) -> None:
    pass


# -- what goes over the line --------------------------------------------------------------------------


def test_the_latest_signals_are_shown_and_presses_come_with_their_place() -> None:
    told = Told(Pace())
    device = told.device
    for left in range(56, 23, -1):
        device.show(Signals((), Count(left)))
    with running(device):
        until(lambda: device.digits() == "  24")
        device.show(Signals(((1, "on"), (3, "on"))))
        until(lambda: device.lamps() == (1, 3) and device.digits() == "    ")
        device.play("turn")
        until(lambda: device.heard() == (880,))
        buttons: tuple[tuple[Button, int], ...] = (("seat", 3), ("seat", 1), ("confirm", 0), ("undo", 0))
        for button, place in buttons:
            device.press(button, place, held=0.3)
            press = told.presses.get(timeout=SOON)
            assert (press.button, press.place, press.kind) == (button, place, "short")
            assert 0 <= time.monotonic() - press.time < SOON
        device.press("confirm", held=1.5)
        assert told.presses.get(timeout=SOON).kind == "long"
    assert told.presses.empty()
    assert told.parts.empty()
    assert (device.digits(), device.lamps(), device.heard()) == ("    ", (), ())


def test_a_tune_for_a_controller_that_is_away_is_never_played() -> None:
    device = EmulatedController(PINS, ignore, ignore, QUICK)
    device.play("over")
    with running(device):
        device.play("turn")
        until(lambda: device.heard() == (880,))
    device.play("over")
    with running(device):
        shows(device, 3)
        assert device.heard() == ()


def test_a_press_that_somebody_chokes_on_silences_no_other() -> None:
    presses: SimpleQueue[Press] = SimpleQueue()

    def choke(press: Press) -> None:
        presses.put(press)
        raise RuntimeError("choked")

    device = EmulatedController(PINS, choke, ignore)
    buttons: tuple[Button, ...] = ("confirm", "undo")
    with running(device):
        shows(device, 1)
        for button in buttons:
            device.press(button, held=0.3)
            assert presses.get(timeout=SOON).button == button


def test_showing_and_closing_work_in_any_order_and_leave_nothing_behind() -> None:
    device = EmulatedController(PINS, ignore, ignore)
    device.close()
    device.show(Signals((), Count(1)))
    device.retry()
    for _ in range(2):
        device.open()
        device.close()
        device.close()
    device.run()  # closed already: it ends at once
    before = len(os.listdir("/proc/self/fd"))
    with running(device):
        pass
    until(lambda: len(os.listdir("/proc/self/fd")) <= before)
    assert all(thread.name != "emulated controller" for thread in threading.enumerate())


def test_closing_ends_the_wait_for_a_hello() -> None:
    device = EmulatedController(PINS, ignore, ignore, Pace(greeting=1000))
    device.misbehave("silent")
    failed: SimpleQueue[BridgeError] = SimpleQueue()

    def open_it() -> None:
        with pytest.raises(BridgeError) as fault:
            device.open()
        failed.put(fault.value)

    opening = threading.Thread(target=open_it)
    opening.start()
    with pytest.raises(Empty):
        failed.get(timeout=0.3)
    device.close()
    assert failed.get(timeout=SOON)
    opening.join()


# -- faults -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("misbehaviour", "says", "cure"),
    [
        ("silent", "does not answer", "Plug it out and in again."),
        ("block", "does not answer", "Plug it out and in again."),
        ("garble", "makes no sense", "mpremote connect /dev/pts/"),
    ],
)
def test_a_controller_that_does_not_answer_is_a_fault_and_shows_the_latest_once_it_is_back(
    misbehaviour: Misbehaviour, says: str, cure: str
) -> None:
    told = Told()
    with told.supervised():
        shows(told.device, 23)
        told.device.misbehave(misbehaviour)
        for fault in (told.fault(says), told.fault(says)):  # while it runs, and when it is opened again
            assert cure in fault.cure
            assert not fault.permanent
        told.device.show(Signals(((1, "on"),), Count(22)))
        told.device.misbehave("")
        told.back()
        shows(told.device, 22)


@pytest.mark.parametrize("misbehaviour", ["drop", "slow"])
def test_a_bad_line_is_no_fault_and_everything_comes_through(misbehaviour: Misbehaviour) -> None:
    told = Told(Pace(beat=0.2, patience=SOON, greeting=SOON, again=0.1))
    told.device.misbehave(misbehaviour)
    with told.supervised():
        presses: tuple[tuple[int, Button], ...] = ((23, "confirm"), (22, "undo"))
        for left, button in presses:
            shows(told.device, left)
            told.device.press(button, held=0.3)
            assert told.presses.get(timeout=SOON).button == button
    assert told.presses.empty()
    assert told.parts.empty()
    assert told.whole.empty()


def test_a_controller_that_is_pulled_out_shows_the_latest_once_it_is_back() -> None:
    told = Told()
    with told.supervised():
        shows(told.device, 23)
        told.device.unplug()
        assert told.device.digits() == "    "
        assert not told.fault("was unplugged").permanent
        assert not told.fault("The emulated controller is unplugged.").permanent
        told.device.show(Signals((), Count(5, last=True)))
        told.device.plug()
        told.back()
        until(lambda: told.device.digits() == "LASt")


@pytest.mark.parametrize(
    ("misbehaviour", "says", "cure", "permanent"),
    [
        ("busy", "is in use by another program", "fuser", False),
        ("forbidden", "This user may not use", "sudo usermod -aG dialout $USER", True),
    ],
)
def test_a_line_that_is_refused_is_said_with_its_cure(
    misbehaviour: Misbehaviour, says: str, cure: str, permanent: bool
) -> None:
    device = EmulatedController(PINS, ignore, ignore, QUICK)
    device.misbehave(misbehaviour)
    with pytest.raises(BridgeError) as fault:
        device.open()
    device.close()
    assert says in fault.value.words
    assert cure in fault.value.cure
    assert fault.value.permanent == permanent
    device.misbehave("")
    with running(device):
        shows(device, 7)


def test_a_storming_button_is_told_takes_nothing_else_away_and_can_be_tried_again() -> None:
    told = Told(Pace())
    with told.supervised():
        told.device.misbehave("storm")
        storm = told.parts.get(timeout=SOON)
        assert storm.device == "controller.seat1"
        assert storm.device in told.device.parts
        assert storm.words == (
            "The button of place 1 (GPIO 2 of the controller) changed hundreds of times a second "
            "and was switched off."
        )
        assert storm.permanent
        told.device.press("confirm", held=0.5)
        assert told.presses.get(timeout=SOON).button == "confirm"
        told.device.misbehave("")
        told.device.retry()
        assert told.parts.get(timeout=SOON) == Fault("controller.seat1", "", "")
    assert told.whole.empty()


def test_a_controller_that_takes_nothing_holds_nobody_up() -> None:
    device = EmulatedController(PINS, ignore, ignore, Pace(beat=0.001, patience=1000))
    with running(device):
        device.misbehave("block")
        began = time.monotonic()
        for left in range(5000):
            device.show(Signals((), Count(left % 100)))
            device.play("turn")
        assert time.monotonic() - began < SOON
        device.misbehave("")
        shows(device, 42)


# -- other firmware -----------------------------------------------------------------------------------


def test_firmware_of_another_version_is_explained_and_what_still_works_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("firmware_bridge.controller.RELEASE", "2.0")
    told = Told(Pace())
    with told.supervised():
        fault = told.parts.get(timeout=SOON)
        assert fault.device == "controller.firmware"
        assert f"version {frames.RELEASE}; to this Stationmaster belongs 2.0" in fault.words
        assert f"cp -r {FIRMWARE} : + cp {FIRMWARE / 'main.py'} : + reset" in fault.cure
        shows(told.device, 23)
        told.device.press("confirm", held=0.3)
        assert told.presses.get(timeout=SOON).button == "confirm"
    assert told.parts.get(timeout=SOON) == Fault("controller.firmware", "", "")


@contextmanager
def somebody(says: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """Something at the end of a line that answers everything with this; its path, and what it heard."""
    far, near = pty.openpty()
    tty.setraw(near)
    heard: list[bytes] = []
    over = threading.Event()

    def answer() -> None:
        while not over.is_set():
            try:
                heard.append(os.read(far, 4096))
            except BlockingIOError:
                time.sleep(0.005)
            else:
                os.write(far, says)

    os.set_blocking(far, False)
    thread = threading.Thread(target=answer)
    thread.start()
    try:
        yield os.ttyname(near), heard
    finally:
        over.set()
        thread.join()
        os.close(far)
        os.close(near)


def test_a_board_with_another_firmware_is_told_how_to_get_ours() -> None:
    with somebody(b"MicroPython v1.24\r\n>>> ") as (path, _):
        device = Controller(replace(USUAL, line=path), ignore, ignore, QUICK)
        with pytest.raises(BridgeError, match="is not from our firmware") as fault:
            device.open()
    assert f"mpremote connect {path} cp -r {FIRMWARE} :" in fault.value.cure
    assert not fault.value.permanent


# -- finding the line ---------------------------------------------------------------------------------


def test_auto_takes_the_pico_that_answers_and_writes_to_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = EmulatedController(PINS, ignore, ignore)
    (ours,) = board._lines()  # its board runs from here on
    with somebody(b"?") as (modem, heard_by_modem), somebody(b"hello\n") as (pico, heard_by_pico):
        for name, path in (("usb-A_modem", modem), ("usb-B_Pico", pico), ("usb-C_Pico", ours)):
            (tmp_path / name).symlink_to(path)
        vendors = {modem: 0x0403, pico: 0x2E8A, ours: 0x2E8A}
        found = lines("auto", tmp_path, lambda: vendors)
        assert found == [str(tmp_path / "usb-B_Pico"), str(tmp_path / "usb-C_Pico")]
        monkeypatch.setattr("firmware_bridge.controller.lines", lambda wanted: found)
        device = Controller(replace(PINS, line="auto"), ignore, ignore, QUICK)
        device.show(Signals((), Count(17)))
        with running(device):
            until(lambda: board.digits() == "  17")
        assert heard_by_pico
        assert heard_by_modem == []
    board.close()


def test_a_replugged_controller_is_found_by_its_name_whatever_its_device_is_called(tmp_path: Path) -> None:
    link = tmp_path / "usb-Raspberry_Pi_Pico-if00"
    boards = [EmulatedController(PINS, ignore, ignore) for _ in range(2)]
    told: SimpleQueue[Fault | None] = SimpleQueue()
    device = Controller(replace(PINS, line=str(link)), ignore, ignore, QUICK)
    device.show(Signals((), Count(17)))
    supervisor = Supervisor(device, lambda name, fault: told.put(fault), Backoff(first=0.02, longest=0.05))
    link.symlink_to(boards[0]._lines()[0])
    supervisor.start()
    until(lambda: boards[0].digits() == "  17")
    assert told.get(timeout=SOON) is None
    # The old line is still open when the new one comes, so that this is another device.
    other = boards[1]._lines()[0]
    link.unlink()
    boards[0].close()
    assert fault_of(told, "was unplugged")
    assert fault_of(told, f"There is no serial line {link}")
    link.symlink_to(other)
    until(lambda: boards[1].digits() == "  17")
    assert supervisor.stop(timeout=SOON)
    boards[1].close()


def test_auto_without_a_pico_is_tried_again(tmp_path: Path) -> None:
    (tmp_path / "usb-A_modem").symlink_to("/dev/ttyUSB0")
    for by_id in (tmp_path, tmp_path / "missing"):
        with pytest.raises(BridgeError, match="No controller is plugged in") as fault:
            lines("auto", by_id, lambda: {"/dev/ttyUSB0": 0x0403, "/dev/ttyS0": None})
        assert not fault.value.permanent


def test_a_named_line_is_taken_as_it_is() -> None:
    assert lines("/dev/ttyACM0") == ["/dev/ttyACM0"]


def test_the_vendors_of_this_machines_lines_can_be_asked_for() -> None:
    assert all(path.startswith("/dev/") for path in controller_line.vendors())


@pytest.mark.parametrize("made", ["file", "folder"])
def test_what_is_no_line_is_a_permanent_fault(tmp_path: Path, made: str) -> None:
    path = tmp_path / "thing"
    if made == "file":
        path.write_text("")
    else:
        path.mkdir()
    with pytest.raises(BridgeError, match="is no serial line") as fault:
        Controller(replace(USUAL, line=str(path)), ignore, ignore).open()
    assert fault.value.permanent


def test_the_program_that_has_the_line_is_named(tmp_path: Path) -> None:
    line = tmp_path / "line"
    line.touch()
    code = "import sys; line = open(sys.argv[1]); print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-S", "-c", code, str(line)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        fault = diagnosis(str(line), OSError(errno.EAGAIN, os.strerror(errno.EAGAIN)))
        other.communicate()
    assert f"(process {other.pid})." in fault.words
    assert "End that program." in fault.cure
    unknown = diagnosis(str(line), OSError(errno.EBUSY, os.strerror(errno.EBUSY)))
    assert "in use by another program." in unknown.words
    assert "fuser" in unknown.cure


def test_a_line_that_fails_in_a_way_that_nobody_knows_is_said_as_it_is() -> None:
    fault = controller_line.diagnosis("/dev/ttyACM0", OSError(28, "No space left on device"))
    assert "No space left" in fault.words
    assert not fault.permanent


def test_a_machine_without_pseudo_terminals_is_said_with_its_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left() -> tuple[int, int]:
        raise OSError("out of pty devices")

    monkeypatch.setattr("pty.openpty", none_left)
    emulated = EmulatedController(PINS, ignore, ignore)
    with pytest.raises(BridgeError) as fault:
        emulated.open()
    emulated.close()
    assert "no pseudo-terminal" in fault.value.words
    assert "mount -t devpts" in fault.value.cure


# -- which one ----------------------------------------------------------------------------------------


def test_nothing_is_chosen_in_anothers_place() -> None:
    assert isinstance(controller(ControllerPins(), ignore, ignore), NoController)
    for line in ("auto", "/dev/ttyACM0"):
        real = controller(ControllerPins(line=line), ignore, ignore)
        assert type(real) is Controller
        assert real.emulates == ""
    assert controller(ControllerPins(line="emulated"), ignore, ignore).emulates == "the controller"
    with pytest.raises(ValueError, match="Known ones: none, emulated, auto"):
        controller(ControllerPins(line="ttyACM0"), ignore, ignore)


def test_no_controller_runs_until_closed() -> None:
    device = NoController()
    with running(device):
        device.show(Signals((), Count(3)))
        device.play("turn")
