"""The number display: its frames, what its module shows, and what a faulty line does."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue

import pytest

from firmware_bridge.device import BridgeError, Fault
from firmware_bridge.display import Count, NoDisplay, display
from firmware_bridge.display_frames import Lines, body_of, framed, read, shown
from firmware_bridge.emulated_display import DARK, LAST, LOST, EmulatedDisplay, Misbehaviour, Module
from firmware_bridge.serial_display import SerialDisplay
from firmware_bridge.supervisor import Backoff, Supervisor
from tests.hardware.virtual import running, until

SOON = 20.0


# -- frames -------------------------------------------------------------------------------------------


def test_a_frame_is_as_it_is_written_down() -> None:
    assert framed(b"N,23") == b"$N,23*63\n"
    assert framed(shown(Count(4, last=True))) == b"$L,4*54\n"
    assert framed(shown(None)) == b"$B*42\n"


def test_what_is_shown_is_read_back() -> None:
    for count in (None, Count(0), Count(56), Count(9999), Count(3, last=True)):
        assert read(shown(count)) == count
    assert read(shown(Count(12345))) == Count(9999)


@pytest.mark.parametrize("body", [b"", b"N", b"N,", b"N,x", b"N,-1", b"N,10000", b"Z,1", b"B,1"])
def test_what_asks_for_nothing_known_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match="nothing that can be shown"):
        read(body)


def test_no_single_wrong_byte_passes_for_a_frame() -> None:
    whole = framed(b"N,23")
    for at in range(len(whole) - 1):
        for bit in range(8):
            wrong = bytes(byte ^ (1 << bit) * (place == at) for place, byte in enumerate(whole))
            assert b"\n" in wrong[:-1] or body_of(wrong[:-1]) is None, wrong


def test_frames_are_found_among_noise_and_in_pieces() -> None:
    lines = Lines()
    sent = b"\xff\x00$N,2" + framed(b"N,23") + b"boot 1.2\r\n" + b"$B*42\r\n" + b"x" * 500 + framed(b"L,4")
    found = [body for byte in sent for body in lines.feed(bytes([byte]))]
    assert found == [b"N,23", b"B", b"L,4"]


# -- the module ---------------------------------------------------------------------------------------


def test_the_module_shows_a_number_and_blinks_near_the_end() -> None:
    module = Module()
    assert module.digits(0.0) == DARK
    assert module.feed(0.0, framed(b"N,23")) == framed(b"K,N,23")
    assert [module.digits(at / 4) for at in range(8)] == ["  23"] * 8
    module.feed(2.0, framed(b"L,4"))
    assert [module.digits(2 + at / 4) for at in range(4)] == [LAST, LAST, "   4", "   4"]
    module.feed(3.0, framed(b"B"))
    assert module.digits(3.0) == DARK


def test_the_module_shows_no_number_that_nobody_stands_by() -> None:
    module = Module(patience=5.0)
    module.feed(0.0, framed(b"N,23"))
    assert module.digits(4.9) == "  23"
    assert module.feed(4.9, framed(b"N,22").replace(b"2", b"3", 1)) == b""
    assert module.digits(5.1) == LOST


# -- the line -----------------------------------------------------------------------------------------


def test_the_latest_number_alone_is_shown() -> None:
    device = EmulatedDisplay()
    for left in range(56, 23, -1):
        device.show(Count(left))
    with running(device):
        until(lambda: device.digits() == "  24")
        device.show(Count(7))
        until(lambda: device.digits() == "   7")
        device.show(None)
        until(lambda: device.digits() == DARK)


@contextmanager
def supervised(device: EmulatedDisplay) -> Iterator[SimpleQueue[Fault | None]]:
    told: SimpleQueue[Fault | None] = SimpleQueue()
    supervisor = Supervisor(device, lambda name, fault: told.put(fault), Backoff(first=0.02, longest=0.05))
    supervisor.start()
    assert told.get(timeout=SOON) is None
    yield told
    assert supervisor.stop(timeout=SOON)


def quick() -> EmulatedDisplay:
    return EmulatedDisplay(beat=0.02, patience=0.2)


@pytest.mark.parametrize("fault", ["silent", "garble", "block"])
def test_a_display_that_does_not_answer_is_a_fault_and_shows_the_latest_once_it_is_back(
    fault: Misbehaviour,
) -> None:
    device = quick()
    device.show(Count(23))
    with supervised(device) as told:
        until(lambda: device.digits() == "  23")
        device.misbehave(fault)
        found = told.get(timeout=SOON)
        assert found is not None
        assert "does not answer" in found.words
        assert not found.permanent
        device.show(Count(22))
        device.misbehave("")
        until(lambda: device.digits() == "  22")


def test_a_display_that_is_pulled_out_shows_the_latest_once_it_is_back() -> None:
    device = EmulatedDisplay(beat=0.02)
    device.show(Count(23))
    with supervised(device) as told:
        until(lambda: device.digits() == "  23")
        device.unplug()
        assert device.digits() == DARK
        pulled, missing = told.get(timeout=SOON), told.get(timeout=SOON)
        assert pulled is not None
        assert "was unplugged" in pulled.words
        assert missing is not None
        assert "is unplugged" in missing.words
        device.show(Count(5, last=True))
        device.plug()
        until(lambda: device.digits() == LAST)


def test_a_display_that_takes_nothing_holds_nobody_up() -> None:
    device = EmulatedDisplay(beat=0.001)
    device.misbehave("block")
    with running(device):
        shown_at = time.monotonic()
        for left in range(20_000):
            device.show(Count(left % 100))
        assert time.monotonic() - shown_at < SOON
        device.misbehave("")
        device.show(Count(42))
        until(lambda: device.digits() == "  42")


def test_showing_and_closing_work_in_any_order() -> None:
    device = EmulatedDisplay()
    device.close()
    device.show(Count(1))
    for _ in range(2):
        device.open()
        device.close()
        device.close()
    device.run()  # closed already: it ends at once
    before = len(os.listdir("/proc/self/fd"))
    with running(device):
        pass
    until(lambda: len(os.listdir("/proc/self/fd")) <= before)
    until(lambda: all(thread.name != "emulated display" for thread in threading.enumerate()))


# -- lines that cannot be had -------------------------------------------------------------------------


def test_a_line_that_is_not_there_yet_is_tried_again(tmp_path: Path) -> None:
    with pytest.raises(BridgeError, match="There is no serial line") as fault:
        SerialDisplay(str(tmp_path / "ttyUSB0")).open()
    assert "Plug the number display in" in fault.value.cure
    assert not fault.value.permanent


@pytest.mark.parametrize("made", ["file", "folder"])
def test_what_is_no_line_is_a_permanent_fault(tmp_path: Path, made: str) -> None:
    path = tmp_path / "thing"
    if made == "file":
        path.write_text("")
    else:
        path.mkdir()
    with pytest.raises(BridgeError, match="is no serial line") as fault:
        SerialDisplay(str(path)).open()
    assert fault.value.permanent


@pytest.mark.parametrize(
    ("error", "says", "permanent"),
    [
        (PermissionError(13, "Permission denied"), "dialout", True),
        (OSError(16, "Device or resource busy"), "in use by another program", False),
        (OSError(28, "No space left on device"), "No space left", False),
    ],
)
def test_a_line_that_is_refused_is_said_with_its_cure(
    monkeypatch: pytest.MonkeyPatch, error: OSError, says: str, permanent: bool
) -> None:
    def refuse(*_: object) -> int:
        raise error

    monkeypatch.setattr("firmware_bridge.serial_display.os.open", refuse)
    with pytest.raises(BridgeError, match="/dev/ttyUSB0") as fault:
        SerialDisplay("/dev/ttyUSB0").open()
    assert says in str(fault.value)
    assert fault.value.permanent == permanent


def test_a_machine_without_pseudo_terminals_is_said_with_its_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left() -> tuple[int, int]:
        raise OSError("out of pty devices")

    monkeypatch.setattr("pty.openpty", none_left)
    emulated = EmulatedDisplay()
    with pytest.raises(BridgeError) as fault:
        emulated.open()
    emulated.close()
    assert "no pseudo-terminal" in fault.value.words
    assert "mount -t devpts" in fault.value.cure


def test_nothing_is_chosen_in_anothers_place() -> None:
    assert isinstance(display("none"), NoDisplay)
    line = display("/dev/ttyUSB0")
    assert isinstance(line, SerialDisplay)
    assert (line.emulates, line.path) == ("", "/dev/ttyUSB0")
    assert display("emulated").emulates == "the number display"
    with pytest.raises(ValueError, match="Known ones: none, emulated"):
        display("ttyUSB0")


def test_no_display_runs_until_closed() -> None:
    device = NoDisplay()
    with running(device):
        device.show(Count(3))
