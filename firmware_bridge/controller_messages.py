"""The messages that the bridge and a controller exchange, as typed data; `firmware.frames` packs them."""

from __future__ import annotations

import zlib
from typing import Literal

import msgspec
from msgspec import Struct

from firmware_bridge.controller_wiring import ControllerPins
from firmware_bridge.display import MOST
from firmware_bridge.firmware.frames import framed
from firmware_bridge.press import PLACES, Button
from firmware_bridge.signals import Signals, Tune
from firmware_bridge.tunes import TUNES


class Hello(Struct, frozen=True, tag_field="t", tag="hello"):
    """Who the board is: the version of its messages and of its firmware, and to whom it answers.

    `boot` is other each time that the board has started.
    """

    session: str
    boot: str = ""
    v: int = 0
    release: str = "0"


class Shown(Struct, frozen=True, tag_field="t", tag="shown"):
    """How the board stands: the id of its wiring, the parts that cannot be had, the buttons that stormed."""

    wiring: str
    boot: str
    bad: tuple[str, ...] = ()
    off: tuple[str, ...] = ()


class Played(Struct, frozen=True, tag_field="t", tag="played"):
    """The tune of that number is heard."""

    n: int


class Pressed(Struct, frozen=True, tag_field="t", tag="press"):
    """A press, so many milliseconds old. Its number rises with each press since the board started."""

    n: int
    button: Button
    place: int
    kind: Literal["short", "long"]
    age: int
    boot: str

    def __post_init__(self) -> None:
        if not (1 <= self.place <= PLACES if self.button == "seat" else self.place == 0):
            raise ValueError(f"No button {self.button} is at place {self.place}.")


Heard = Hello | Shown | Played | Pressed

_decoder = msgspec.json.Decoder(Heard)


def heard(body: bytes) -> Heard | None:
    """What a body says; None for what this edition does not know."""
    try:
        return _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def hello(session: str) -> bytes:
    """The frame that asks who is there; `session` tells this program from those before it."""
    return _frame({"t": "hello", "session": session})


def wire(pins: ControllerPins, attempt: str = "") -> tuple[str, bytes]:
    """The wiring's id, and the frame that asks for it; it is used anew for each attempt."""
    buttons = [
        [name, name, 0, gpio]
        for name, gpio in (("confirm", pins.confirm), ("undo", pins.undo), ("next", pins.next))
        if gpio is not None
    ]
    seats = sorted(pins.seats.items())
    buttons += [
        [f"seat{place}", "seat", place, seat.button] for place, seat in seats if seat.button is not None
    ]
    lamps = [[f"lamp{place}", place, seat.lamp] for place, seat in seats if seat.lamp is not None]
    wiring: dict[str, object] = {"t": "wire", "buttons": buttons, "lamps": lamps}
    if pins.digits is not None:
        wiring["digits"] = [pins.digits.clk, pins.digits.dio]
    for name, gpio in (("strip", pins.strip), ("buzzer", pins.buzzer)):
        if gpio is not None:
            wiring[name] = gpio
    identity = f"{zlib.crc32(msgspec.json.encode((wiring, attempt))):08x}"
    return identity, _frame({**wiring, "id": identity})


def show(signals: Signals) -> bytes:
    """The frame that asks for this to be shown."""
    count = signals.count
    return _frame(
        {
            "t": "show",
            "lamps": signals.lamps,
            "count": [] if count is None else [[min(max(count.left, 0), MOST), count.last]],
        }
    )


def play(number: int, tune: Tune) -> bytes:
    """The frame that asks for a tune, once for each number."""
    notes = [[note.hertz, note.milliseconds] for note in TUNES[tune]]
    return _frame({"t": "play", "n": number, "notes": notes})


def acknowledge(press: Pressed) -> bytes:
    """The frame that says that this press has been heard."""
    return _frame({"t": "ack", "n": press.n, "boot": press.boot})


def _frame(message: dict[str, object]) -> bytes:
    return framed(msgspec.json.encode(message))
