"""What `stationmaster doctor` looks at of the devices: camera, pins, controller.

They are opened as the table itself opens them, so that the words are the same. What a Stationmaster that
runs on this machine may hold is left to it.
"""

from __future__ import annotations

import itertools
import os
import re
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.daemon import Settings
from companion.doctor.colours import colours
from companion.doctor.findings import Finding, ill, well
from firmware_bridge.device import BridgeError, Fault
from firmware_bridge.pins import Wire

if TYPE_CHECKING:
    from vision.source import Image, Source

_AGAIN = re.compile(r" ?(?:It|This) is tried again by itself[^.]*\.")
"""What is true of a table that runs, and not of a look."""

WATCHED = 2.0
"""Seconds for which a controller is listened to after its hello."""

PICTURE = 5.0
"""Seconds within which a camera that is open should give a picture."""

FINDS_LIGHT = 20
"""Pictures within which a camera finds its light after it was opened."""


def running(proc: Path = Path("/proc")) -> str:
    """The Stationmaster that runs on this machine: "process 123", "" when there is none."""
    for process in sorted(proc.glob("[0-9]*"), key=lambda found: int(found.name)):
        if process.name == str(os.getpid()):
            continue
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:  # it has ended
            continue
        names = [word.rsplit(b"/", 1)[-1] for word in words]
        if any(pair == (b"stationmaster", b"run") for pair in itertools.pairwise(names)):
            return f"process {process.name}"
    return ""


def _left(part: str, running: str) -> list[Finding]:
    words = (
        f"Left to the Stationmaster that runs ({running}): what it finds wrong with it stands on its pages."
    )
    return [well(part, words)]


# -- camera ---------------------------------------------------------------------------------------


def camera(
    settings: Settings,
    running: str,
    there: Callable[[], Sequence[str]] | None = None,
    open_source: Any = None,
) -> list[Finding]:
    """Whether the camera gives pictures in which there is something to see."""
    if settings.table != "camera":
        from vision.v4l2_names import cameras

        seen = (there or cameras)()
        more = f' There is one here, for table = "camera": {", ".join(seen)}.' if seen else ""
        return [well("camera", f"None is in use: the table is {settings.table}.{more}")]
    if running:
        return _left("camera", running)
    from companion.eyes import DARK
    from vision.source import SourceFault

    if open_source is None:
        from vision.source import open_source
    try:
        source = open_source(settings.camera)
        try:
            source.open()
            frame = source.read(PICTURE)
            name = source.name
            picture = None if frame is None else frame.image
            dark = picture is not None and float(picture[::16, ::16].mean()) < DARK
            found = [] if picture is None or dark else _light(source, picture)
            if picture is not None and not dark:
                found += colours(settings, picture)
                found += _corners(settings, picture)
        finally:
            source.close()
    except SourceFault as fault:
        return [ill("camera", fault.words, _now(fault.cure))]
    if picture is None:
        cure = "Pull its plug and put it in again; try another socket or cable."
        return [ill("camera", f"{name} opens, and gave no picture in {PICTURE:.0f} seconds.", cure)]
    if dark:
        cure = "Put on a light, or take off the camera's cap."
        return [ill("camera", f"{name} sees nothing but darkness.", cure)]
    high, wide = picture.shape[:2]
    return [well("camera", f"{name} gives pictures of {wide} x {high}."), *found]


def _light(source: Source, picture: Image) -> list[Finding]:
    """What is wrong with the light in what an open camera shows, once it has had time to find its own."""
    from vision import advice

    for _ in range(FINDS_LIGHT):
        if not (found := advice.of_light(picture)):
            break
        if (frame := source.read(PICTURE)) is not None:
            picture = frame.image
    return [ill("camera", each.words, each.cure) for each in found]


def _corners(settings: Settings, picture: Image) -> list[Finding]:
    """Whether corners that were set by hand still fit what the camera shows, where they are needed."""
    from companion import games, packs
    from companion.corners import AGAIN, load
    from vision import advice
    from vision.markers import find_markers
    from vision.pose import Registration

    try:
        tapped = load(settings.state)
    except (OSError, ValueError) as fault:
        return [ill("camera", f"The corners that were set by hand cannot be read ({fault}).", AGAIN)]
    if tapped is None:
        return []
    game = games.load(settings.game)
    map = game.table_map(game.setup(game.seats, packs.load(game, "house"), {}))
    size = (picture.shape[1], picture.shape[0])
    if Registration(map).find(dict(find_markers(picture)), size) is not None:
        return [
            well("camera", "The printed corners of the sheet are seen: those set by hand are not needed.")
        ]
    astray = advice.of_taps(tapped.stands(picture))
    if not astray:
        return [well("camera", "The picture fits the corners that were set by hand.")]
    return [ill("camera", each.words, each.cure) for each in astray]


# -- pins -----------------------------------------------------------------------------------------


def pins(settings: Settings, running: str, factory: Callable[[], Any] | None = None) -> list[Finding]:
    """Whether each pin can be had, and no button is pressed while nobody does."""
    from firmware_bridge import gpio
    from firmware_bridge.pins import wires

    if settings.pins == "none":
        return [well("pins", "None are in use. For buttons, lamps and a buzzer: docs/buttons.md.")]
    if settings.pins == "mock":
        return [well("pins", "They are emulated.")]
    if running:
        return _left("pins", running)
    # One device here, in which the button and the lamp of a place are two.
    wired = [replace(wire, name=".".join(wire.path)) for wire in wires(settings.wiring)]
    faults: list[Fault] = []
    holding = gpio.Holding("pins", wired, _line, faults.append, factory or gpio.factory, time.monotonic)
    try:
        holding.take()
        pressed = [wire for wire in wired if wire.use == "button" and _is_down(holding.held, wire)]
        had = len(holding.held)
    except BridgeError as fault:
        return [ill("pins", fault.words, _now(fault.cure))]
    finally:
        holding.let_go()
    found = [ill("pins", fault.words, _now(fault.cure)) for fault in faults]
    found += [
        ill(
            "pins",
            f"GPIO {wire.gpio}: {wire.words} is pressed.",
            "Let it go, then look again. If nobody holds it, its wire touches ground, or it is a button that "
            "opens when it is pressed.",
        )
        for wire in pressed
    ]
    return [well("pins", f"{had} of {len(wired)} pins can be had."), *found]


def _line(wire: Wire, factory: Any) -> Any:
    """The pin as an input, so that no lamp is lit and nothing sounds."""
    from gpiozero import InputDevice

    if wire.use == "button":
        return InputDevice(wire.gpio, pull_up=True, pin_factory=factory)
    return InputDevice(wire.gpio, pull_up=None, active_state=True, pin_factory=factory)


def _is_down(held: dict[str, Any], wire: Wire) -> bool:
    return wire.name in held and bool(held[wire.name].is_active)


# -- controller -----------------------------------------------------------------------------------


def controller(settings: Settings, running: str, make: Any = None, watched: float = WATCHED) -> list[Finding]:
    """Whether the board answers with our firmware, and what it says of its own parts."""
    line = settings.controller.line
    if line == "none":
        return [well("controller", "None is in use. For a Pico at a USB cable: docs/controller.md.")]
    if line == "emulated":
        return [well("controller", "It is emulated.")]
    if running:
        return _left("controller", running)
    if make is None:
        from firmware_bridge.controller import controller as make
    faults: dict[str, Fault] = {}

    def report(fault: Fault) -> None:
        if fault.words:
            faults[fault.device] = fault

    device = make(settings.controller, lambda press: None, report)
    closing = threading.Timer(watched, device.close)
    try:
        device.open()
        closing.start()
        device.run()
    except BridgeError as fault:
        return [ill("controller", fault.words, _now(fault.cure))]
    finally:
        closing.cancel()
        device.close()
    found = [ill("controller", fault.words, _now(fault.cure)) for fault in faults.values()]
    return found or [well("controller", f"The controller answers ({line}).")]


def _now(cure: str) -> str:
    return _AGAIN.sub("", cure).strip()
