"""Each fault that the doctor knows, brought about, and what it says: for tests and docs/doctor.md."""

from __future__ import annotations

import errno
import os
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np
from gpiozero import Device, GPIODeviceError
from gpiozero.pins.mock import MockFactory, MockPWMPin
from msgspec.structs import replace

from companion.config import BadConfig, Config, ConfigFault, Run, parse
from companion.daemon import Settings, settings
from companion.doctor import Check, configured, devices, examined, machine
from companion.doctor.findings import Finding
from firmware_bridge.controller_line import diagnosis
from firmware_bridge.controller_wiring import ControllerPins
from firmware_bridge.device import BridgeError, Fault
from firmware_bridge.pins import Pins, SeatPins
from tests.hardware.faulty_pins import FaultyFactory
from tests.owner import doctor_devices
from tests.vision.coloured_table import BLUE, RED, YELLOW, ColouredTable
from vision.source import SourceFault

STATE = "/var/lib/stationmaster"
LINE = "/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode-if00"
CAMERA = "/dev/v4l/by-id/usb-Camera-video-index0"
Case = Callable[[Path], list[Finding]]


def table(**more: Any) -> Settings:
    return settings(Config(run=Run(**more)))


# -- configuration --------------------------------------------------------------------------------


def misspelt(folder: Path) -> list[Finding]:
    faults: tuple[ConfigFault, ...] = ()
    try:
        parse("[run]\nprot = 80\n[pins]\nundo = 17\nnext = 17\n", "/etc/stationmaster.toml")
    except BadConfig as bad:
        faults = bad.faults
    return configured("/etc/stationmaster.toml", faults)


# -- camera ---------------------------------------------------------------------------------------


class Source:
    """A source that does as it is told."""

    def __init__(self, name: str = CAMERA, fault: SourceFault | None = None, picture: Any = None) -> None:
        self.name, self.fault, self.picture = name, fault, picture
        self.closed = False

    def __call__(self, name: str) -> Source:
        return self

    def open(self) -> None:
        if self.fault is not None:
            raise self.fault

    def read(self, timeout: float) -> Any:
        return None if self.picture is None else SimpleNamespace(image=self.picture)

    def close(self) -> None:
        self.closed = True


def seen(source: Source) -> list[Finding]:
    found = devices.camera(table(table="camera", camera=CAMERA), "", open_source=source)
    assert source.closed
    return found


def no_camera(folder: Path) -> list[Finding]:
    from vision.any_camera import AnyCamera

    class Nothing(Source):
        def open(self) -> None:
            AnyCamera(dev=folder).open()

    return seen(Nothing())


def no_such_file(folder: Path) -> list[Finding]:
    return devices.camera(table(table="camera", camera="/media/game.mp4"), "")


def no_picture(folder: Path) -> list[Finding]:
    return seen(Source())


def a_cap_on(folder: Path) -> list[Finding]:
    cv2.imwrite(str(folder / "dark.png"), np.full((90, 160, 3), 3, np.uint8))
    return named(folder, devices.camera(table(table="camera", camera=str(folder)), ""), CAMERA)


def too_little_light(folder: Path) -> list[Finding]:
    cv2.imwrite(str(folder / "dim.png"), np.full((90, 160, 3), 30, np.uint8))
    return named(folder, devices.camera(table(table="camera", camera=str(folder)), ""), CAMERA)


def pieces_of(folder: Path, colours: dict[str, str]) -> list[Finding]:
    cv2.imwrite(str(folder / "pieces.png"), ColouredTable(7, colours).picture)
    return named(folder, devices.camera(table(table="camera", camera=str(folder)), ""), CAMERA)


def pieces_that_look_alike(folder: Path) -> list[Finding]:
    return pieces_of(folder, {"red": "#d8502c", "blue": BLUE, "yellow": "#dc6a2c"})


def a_strange_piece(folder: Path) -> list[Finding]:
    return pieces_of(folder, {"red": RED, "green": "#6d662e", "yellow": YELLOW})


# -- pins -----------------------------------------------------------------------------------------

WIRING = Pins(undo=27, next=22, seats={1: SeatPins(button=5, lamp=24)})
ON_PINS = replace(table(pins="gpiozero"), wiring=WIRING)


class Grounded(MockPWMPin):  # type: ignore[misc]
    """A pin whose wire touches ground."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self.drive_low()


def pins_with(broken: dict[int, Exception], grounded: int = 0) -> list[Finding]:
    factory = FaultyFactory(broken)
    try:
        if grounded:
            MockFactory.pin(factory, f"GPIO{grounded}", Grounded)
        return devices.pins(ON_PINS, "", lambda: factory)
    finally:
        factory.reset()
        factory.close()


def no_pins(folder: Path) -> list[Finding]:
    with patch.dict(sys.modules, {"lgpio": None}), patch.object(Device, "pin_factory", None):
        # Another test may have had it imported, with the library that is not there now.
        sys.modules.pop("gpiozero.pins.lgpio", None)
        return devices.pins(ON_PINS, "")


def no_right(folder: Path) -> list[Finding]:
    error = PermissionError(errno.EACCES, "Permission denied", "/dev/gpiochip0")
    return pins_with({gpio: error for gpio in (27, 22, 5, 24)})


def a_busy_pin(folder: Path) -> list[Finding]:
    return pins_with({24: GPIODeviceError("GPIO busy")})


def a_failing_pin(folder: Path) -> list[Finding]:
    return pins_with({5: GPIODeviceError("GPIO read failed")})


def a_stuck_button(folder: Path) -> list[Finding]:
    return pins_with({}, 27)


# -- controller -----------------------------------------------------------------------------------


class Board:
    """A controller that does as it is told."""

    name, emulates = "controller", ""

    def __init__(self, fault: BridgeError | None = None, parts: Sequence[Fault] = ()) -> None:
        self.fault, self.parts = fault, parts
        self.closed = threading.Event()

    def __call__(self, pins: ControllerPins, sink: Any, report: Callable[[Fault], None]) -> Board:
        self.report = report
        return self

    def open(self) -> None:
        if self.fault is not None:
            raise self.fault

    def run(self) -> None:
        for part in self.parts:
            self.report(part)
        assert self.closed.wait(20)

    def close(self) -> None:
        self.closed.set()


def answering(board: Board) -> list[Finding]:
    found = devices.controller(replace(table(), controller=ControllerPins(line=LINE)), "", board, 0.05)
    assert board.closed.is_set()
    return found


def a_line(number: int) -> Case:
    return lambda folder: answering(Board(diagnosis(LINE, OSError(number, os.strerror(number)))))


def no_digits(folder: Path) -> list[Finding]:
    # The board's own words are those of firmware_bridge/controller.py; its tests have them.
    part = Fault(
        "controller.digits", "The number display on the controller does not answer.", "Check its four wires."
    )
    return answering(Board(parts=[part]))


# -- disk -----------------------------------------------------------------------------------------


def room(free: int = 5_000, files: int = 1000) -> Callable[[Path], os.statvfs_result]:
    """A disk of blocks of a megabyte, of which so many are free, and so many files."""
    return lambda path: os.statvfs_result(
        (1_000_000, 1_000_000, 9_000, free, free, 2000, files, files, 0, 255)
    )


def refusing(number: int) -> Callable[[Path, bytes], None]:
    def write(path: Path, content: bytes) -> None:
        raise OSError(number, os.strerror(number))

    return write


def named(folder: Path, found: list[Finding], name: str = STATE) -> list[Finding]:
    """The findings, with what is another on each machine as it is in the docs."""
    return [replace(one, words=one.words.replace(str(folder), name)) for one in found]


def on_disk(free: int = 5_000, files: int = 1000, refuses: int = 0, seconds: float = 0.012) -> Case:
    def case(folder: Path) -> list[Finding]:
        ticks = iter(np.arange(0, 100 * seconds, seconds))
        write = refusing(refuses) if refuses else lambda path, content: None
        return named(folder, machine.disk(folder, room(free, files), write, lambda: float(next(ticks))))

    return case


# -- network --------------------------------------------------------------------------------------


def a_taken_port(folder: Path) -> list[Finding]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        other.settimeout(20)
        port = other.getsockname()[1]

        def answer() -> None:
            caller, _ = other.accept()
            with caller:
                caller.recv(1000)
                caller.sendall(b"HTTP/1.0 200 OK\r\n\r\n<h1>It works</h1>")

        thread = threading.Thread(target=answer)
        thread.start()
        found = [machine.port_finding("127.0.0.1", port)]
        thread.join()
    return [
        replace(one, words=one.words.replace(str(port), "80"), cure=one.cure.replace(str(port), "80"))
        for one in found
    ]


def no_such_address(folder: Path) -> list[Finding]:
    return [machine.port_finding("192.0.2.77", 8080)]


def in_no_network(folder: Path) -> list[Finding]:
    return [machine.address_finding("127.0.0.1", 80)]


@contextmanager
def avahi(folder: Path, says: str) -> Any:
    """Who tells names, saying that."""
    path = folder / "socket"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        heard: list[bytes] = []

        def answer() -> None:
            caller, _ = listening.accept()
            with caller:
                heard.append(caller.recv(1000))
                caller.sendall(says.encode())

        thread = threading.Thread(target=answer)
        thread.start()
        yield path, heard
        thread.join(20)


def without_avahi(folder: Path) -> list[Finding]:
    return [machine.name_finding("table", 80, folder / "none")]


def another_of_that_name(folder: Path) -> list[Finding]:
    with avahi(folder, "-15 Timeout reached\n") as (path, _):
        return [machine.name_finding("table", 80, path)]


# -- power ----------------------------------------------------------------------------------------


def throttled(says: str, status: int = 0) -> Case:
    def case(folder: Path) -> list[Finding]:
        command = folder / "vcgencmd"
        command.write_text(f"#!/bin/sh\n[ \"$1\" = get_throttled ] && echo '{says}'\nexit {status}\n")
        command.chmod(0o755)
        return machine.power(str(command), folder / "none")

    return case


# -- Python ---------------------------------------------------------------------------------------


def old_python(folder: Path) -> list[Finding]:
    return machine.python((), version=(3, 9))


def other_packages(folder: Path) -> list[Finding]:
    (folder / "run-3.11.lock").write_text(
        "flask==3.1.3 \\\n    --hash=sha256:00\nsegno==1.6.6 \\\nuvicorn==0.54.0\n"
    )
    (folder / "pi-run-3.11.lock").write_text((folder / "run-3.11.lock").read_text())
    have = {"flask": "3.0.0", "uvicorn": "0.54.0"}

    def installed(name: str) -> str:
        if name not in have:
            raise PackageNotFoundError(name)
        return have[name]

    return machine.python((), folder, (3, 11), installed)


def no_module(name: str) -> Case:
    return lambda folder: machine.loaded((name,))


def a_slow_load(folder: Path) -> list[Finding]:
    (folder / "slow.py").write_text("import time; time.sleep(60)\n")
    with patch.dict(os.environ, {"PYTHONPATH": str(folder)}):
        found = machine.loaded(["slow"], 0.5)
    return [
        replace(one, words=one.words.replace(" 0 ", " 50 ").replace("slow", "flask, cv2")) for one in found
    ]


# -- all of them ----------------------------------------------------------------------------------


def hanging(folder: Path) -> list[Finding]:
    release = threading.Event()

    def look() -> list[Finding]:
        release.wait(60)
        return []

    found = list(examined([Check("camera", look, 0.2)]))
    release.set()
    return [replace(one, words=one.words.replace(" 0 ", " 35 ")) for one in found]


CASES: dict[str, Case] = {
    "two faults in the configuration": misspelt,
    "no camera": no_camera,
    "a camera file that is not there": no_such_file,
    "a camera that opens and sends nothing": no_picture,
    "a camera with its cap on": a_cap_on,
    "a camera in too little light": too_little_light,
    "pieces that look alike in this light": pieces_that_look_alike,
    "a piece of nobody's colour": a_strange_piece,
    **doctor_devices.cameras(table),
    "a check that hangs": hanging,
    "no pin library, or no Pi": no_pins,
    "pins without the right to them": no_right,
    "a pin that another program holds": a_busy_pin,
    "a pin that fails": a_failing_pin,
    "a button whose wire touches ground": a_stuck_button,
    "a controller that is not plugged in": a_line(errno.ENOENT),
    "a controller without the right to it": a_line(errno.EACCES),
    "a controller that another program holds": a_line(errno.EBUSY),
    "a controller whose display is not wired": no_digits,
    **doctor_devices.controllers(table),
    "little room on the disk": on_disk(free=150),
    "no room for more files": on_disk(files=0),
    "a disk that is full": on_disk(refuses=errno.ENOSPC),
    "a disk that can only be read": on_disk(refuses=errno.EROFS),
    "a folder of somebody else": on_disk(refuses=errno.EACCES),
    "a disk that fails": on_disk(refuses=errno.EIO),
    "a slow memory card": on_disk(seconds=0.9),
    "a port that is taken": a_taken_port,
    "an address of another machine": no_such_address,
    "no network": in_no_network,
    "no name": without_avahi,
    "a name that is not found": another_of_that_name,
    "too little voltage now": throttled("throttled=0x50005"),
    "too little voltage before": throttled("throttled=0x10000"),
    "too hot now": throttled("throttled=0x80008"),
    "too hot before": throttled("throttled=0x80000"),
    "no right to ask for the power": throttled("VCHI initialization failed", 255),
    "a Python that is too old": old_python,
    "other packages than the lock has": other_packages,
    "a Pi without picamera2": no_module("picamera2"),
    "packages that do not come to be loaded": a_slow_load,
}
"""Each fault by its name."""
