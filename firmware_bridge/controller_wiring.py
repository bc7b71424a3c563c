"""What hangs on a controller's pins, as the configuration says it, and what is wrong with that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from firmware_bridge.pins import Place, WiringFault

# GPIO 23 to 25 and 29 of a Pico are not on its header: its own parts hang on them.
USABLE = (*range(23), 26, 27, 28)


def _gpio(what: str) -> Meta:
    return Meta(description=f"GPIO number, on the Pico, of {what}")


class ControllerSeatPins(Struct, frozen=True, forbid_unknown_fields=True):
    """What hangs on the controller at one place round the table; what is left out is not there."""

    button: Annotated[int, _gpio("this place's button")] | None = None
    lamp: Annotated[int, _gpio("this place's lamp")] | None = None


class DigitsPins(Struct, frozen=True, forbid_unknown_fields=True):
    """The two wires of a number display with a TM1637."""

    clk: Annotated[int, _gpio("the display's CLK")]
    dio: Annotated[int, _gpio("the display's DIO")]


class ControllerPins(Struct, frozen=True, forbid_unknown_fields=True):
    """A Raspberry Pi Pico at a USB cable, and what hangs on its pins: GPIO numbers, None for nothing.

    `seats` are the places round the table by their number, in the order in which people sit. On a
    strip, LED n is a lamp of place n.
    """

    line: Annotated[
        str,
        Meta(
            description="Where the controller is: none for no controller, auto for the Pico that answers, "
            "its line below /dev/serial/by-id, or emulated.",
            pattern="^(none|auto|emulated|/.+)$",
            extra={"wanted": 'none, auto, emulated, or a line such as "/dev/serial/by-id/usb-…"'},
        ),
    ] = "none"
    confirm: Annotated[int, _gpio("the button confirm")] | None = None
    undo: Annotated[int, _gpio("the button undo")] | None = None
    next: Annotated[int, _gpio("the button next")] | None = None
    buzzer: Annotated[int, _gpio("a buzzer without a sound of its own (passive piezo)")] | None = None
    strip: Annotated[int, _gpio("a strip of NeoPixels (WS2812)")] | None = None
    digits: DigitsPins | None = None
    seats: dict[Place, ControllerSeatPins] = field(default_factory=dict)


USUAL = ControllerPins(
    confirm=10,
    undo=11,
    next=12,
    buzzer=15,
    strip=16,
    digits=DigitsPins(clk=18, dio=19),
    seats={place: ControllerSeatPins(button=1 + place) for place in range(1, 9)},
)
"""The wiring of a controller of which the configuration says no more than its line. Buttons that are
not there are never pressed."""


class Wire(Struct, frozen=True):
    """One pin in use: its GPIO, what it is called in faults and by people, its path in `[controller]`."""

    gpio: int
    name: str
    words: str
    path: tuple[str, ...]


def wires(wiring: ControllerPins) -> Iterator[Wire]:
    """All that hangs on the pins, in the order of the configuration."""
    for name, gpio in (("confirm", wiring.confirm), ("undo", wiring.undo), ("next", wiring.next)):
        if gpio is not None:
            yield Wire(gpio, name, f"the button {name}", (name,))
    for name, gpio in (("buzzer", wiring.buzzer), ("strip", wiring.strip)):
        if gpio is not None:
            yield Wire(gpio, name, f"the {name}", (name,))
    if wiring.digits is not None:
        yield Wire(wiring.digits.clk, "digits", "CLK of the number display", ("digits", "clk"))
        yield Wire(wiring.digits.dio, "digits", "DIO of the number display", ("digits", "dio"))
    for place, seat in sorted(wiring.seats.items()):
        path = ("seats", str(place))
        if seat.button is not None:
            yield Wire(seat.button, f"seat{place}", f"the button of place {place}", (*path, "button"))
        if seat.lamp is not None:
            yield Wire(seat.lamp, f"lamp{place}", f"the lamp of place {place}", (*path, "lamp"))


def wiring_faults(wiring: ControllerPins) -> tuple[WiringFault, ...]:
    """All that is wrong with this wiring: pins that are taken twice or not there at all."""
    found: list[WiringFault] = []
    taken: dict[int, Wire] = {}
    for wire in wires(wiring):
        if wire.gpio not in USABLE:
            found.append(
                WiringFault(
                    wire.path,
                    f"GPIO {wire.gpio} of the controller cannot be {wire.words}: a Pico has no such pin. "
                    "Use one from 0 to 22 or from 26 to 28; the number is that of the GPIO.",
                )
            )
        elif other := taken.get(wire.gpio):
            found.append(
                WiringFault(
                    wire.path,
                    f"GPIO {wire.gpio} of the controller cannot be both {other.words} and {wire.words}: "
                    "a pin does one thing. Give one of them another pin.",
                )
            )
        taken.setdefault(wire.gpio, wire)
    return tuple(found)


def wired(wiring: ControllerPins) -> ControllerPins:
    """The wiring, with the usual one where it says nothing but the line."""
    return wiring if any(True for _ in wires(wiring)) else replace(USUAL, line=wiring.line)
