"""Faults of cameras and controllers as their own adapters meet them, and what the doctor says of them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2
from msgspec.structs import replace

from companion.daemon import Settings
from companion.doctor import devices
from companion.doctor.findings import Finding
from firmware_bridge.controller import Controller
from firmware_bridge.controller_line import FIRMWARE
from firmware_bridge.controller_talk import Pace
from firmware_bridge.controller_wiring import ControllerPins
from firmware_bridge.device import Fault
from firmware_bridge.emulated_controller import Misbehaviour, _Cable
from firmware_bridge.press import Press
from tests.faults.children import Capture
from tests.hardware.boards import PINS
from tests.vision import fake_picamera2
from tests.vision.plugged import plug
from vision.camera_wire import Camera
from vision.picamera import PiCamera
from vision.source import Frame
from vision.v4l2 import V4L2Camera

Case = Callable[[Path], list[Finding]]
Table = Callable[..., Settings]


def placed(found: list[Finding], names: Mapping[str, str]) -> list[Finding]:
    """The findings, with what is another on each machine as it is in the docs."""

    def common(words: str) -> str:
        for here, there in names.items():
            words = words.replace(here, there)
        return re.sub(r"\S+ \(process \d+\)", "motion (process 812)", words)

    return [replace(one, words=common(one.words), cure=common(one.cure)) for one in found]


class Held:
    """A camera that is not in a process of its own, as a source."""

    def __init__(self, camera: Camera) -> None:
        self.name = camera.name
        self._camera = camera

    def open(self) -> None:
        self._camera.open()

    def read(self, timeout: float) -> Frame:
        return self._camera.shoot(0.0)

    def close(self) -> None:
        self._camera.close()


def _usb(table: Table, trouble: str) -> Case:
    def case(folder: Path) -> list[Finding]:
        link = plug(folder, "usb-Camera-video-index0", 0)
        (folder / "trouble").write_text(trouble)
        if trouble == "unplug":
            link.unlink()
        with ExitStack() as rooms:
            rooms.enter_context(patch.object(cv2, "VideoCapture", Capture))
            if trouble == "no permission":
                rooms.enter_context(patch.object(os, "access", lambda path, mode: False))
            if trouble == "busy":
                rooms.enter_context(_another_program(folder / "video0"))
            source = Held(V4L2Camera(str(link), dev=folder))
            found = devices.camera(
                table(table="camera", camera=str(link)), "", open_source=lambda name: source
            )
        return placed(found, {str(folder): "/dev"})

    return case


@contextmanager
def _another_program(device: Path) -> Iterator[None]:
    """A real program that holds the device open."""
    code = "import sys; device = open(sys.argv[1]); print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-S", "-c", code, str(device)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        assert program.stdout is not None
        program.stdout.readline()
        yield
        program.communicate()


def _on_the_cable(table: Table, trouble: str) -> Case:
    def case(folder: Path) -> list[Finding]:
        (folder / "media0").touch()
        world = fake_picamera2.World()
        world.trouble = trouble
        if trouble in ("no camera", "no permission"):
            world.cameras = []
        with ExitStack() as rooms:
            rooms.enter_context(patch.object(fake_picamera2, "world", world))
            rooms.enter_context(patch.dict(sys.modules, {"picamera2": fake_picamera2.installed()}))
            if trouble == "no permission":
                rooms.enter_context(patch.object(os, "access", lambda path, mode: False))
            source = Held(PiCamera(clock=world.now, dev=folder))
            settings = table(table="camera", camera="picamera2")
            found = devices.camera(settings, "", open_source=lambda name: source)
        return placed(found, {str(folder): "/dev"})

    return case


def _a_folder(table: Table, trouble: str) -> Case:
    def case(folder: Path) -> list[Finding]:
        (folder / "1.png").write_bytes(b"no picture")
        with ExitStack() as rooms:
            if trouble == "no permission":
                rooms.enter_context(patch.object(os, "access", lambda path, mode: False))
            found = devices.camera(table(table="camera", camera=str(folder)), "")
        return placed(found, {str(folder): "/media/photographs"})

    return case


def _a_board(table: Table, trouble: Misbehaviour) -> Case:
    def made(pins: ControllerPins, sink: Callable[[Press], None], report: Callable[[Fault], None]) -> Any:
        return Controller(pins, sink, report, Pace(ask=0.05, greeting=0.4))

    def case(folder: Path) -> list[Finding]:
        cable = _Cable(PINS, lambda: trouble)
        line = folder / "usb-MicroPython_Board_in_FS_mode-if00"
        line.symlink_to(cable.near)
        try:
            settings = replace(table(), controller=ControllerPins(line=str(line)))
            found = devices.controller(settings, "", made, 0.05)
        finally:
            cable.pull()
        here = {
            str(folder): "/dev/serial/by-id",
            str(FIRMWARE): "/opt/stationmaster/firmware_bridge/firmware",
        }
        return placed(found, here)

    return case


def cameras(table: Table) -> dict[str, Case]:
    """Faults of cameras by their names; `table` makes the settings of one."""
    return {
        "a USB camera that is not plugged in": _usb(table, "unplug"),
        "a USB camera without the right to it": _usb(table, "no permission"),
        "a USB camera that another program uses": _usb(table, "busy"),
        "a USB camera with a bad cable": _usb(table, "garble"),
        "no camera on the ribbon cable": _on_the_cable(table, "no camera"),
        "a camera on the ribbon cable without the right to it": _on_the_cable(table, "no permission"),
        "a camera on the ribbon cable that does not start": _on_the_cable(table, "firmware"),
        "a camera on the ribbon cable that another program uses": _on_the_cable(table, "busy"),
        "a camera on the ribbon cable that is silent": _on_the_cable(table, "silent"),
        "a folder without photographs": _a_folder(table, ""),
        "a folder without the right to its photographs": _a_folder(table, "no permission"),
    }


def controllers(table: Table) -> dict[str, Case]:
    """Faults of controllers by their names."""
    return {
        "a controller that does not answer": _a_board(table, "silent"),
        "a controller that answers nonsense": _a_board(table, "garble"),
    }
