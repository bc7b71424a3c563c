"""What hangs on which of the Pi's pins, as the configuration says it, and what is wrong with that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from firmware_bridge.press import PLACES, Button

# GPIO 0 and 1 are on the header too, but they are how a Pi asks a board on top of it what it is.
USABLE = range(2, 28)
RESERVED = (0, 1)

BACKENDS = ("gpiozero", "mock", "none")
"""The Pi's pins, gpiozero's mock pins, or none. Nothing is ever chosen in another's place."""

Use = Literal["button", "lamp", "buzzer"]
Place = Annotated[int, Meta(ge=1, le=PLACES)]


def _gpio(what: str) -> Meta:
    return Meta(description=f"GPIO number of {what}")


class SeatPins(Struct, frozen=True, forbid_unknown_fields=True):
    """What hangs on the pins at one place round the table; what is left out is not there."""

    button: Annotated[int, _gpio("this place's button")] | None = None
    lamp: Annotated[int, _gpio("this place's lamp")] | None = None


class Pins(Struct, frozen=True, forbid_unknown_fields=True):
    """What hangs on the Pi's pins: GPIO numbers, not those of the header; None where nothing does.

    `seats` are the places round the table by their number, 1 to PLACES, in the order in which people sit.
    """

    confirm: Annotated[int, _gpio("the button confirm")] | None = None
    undo: Annotated[int, _gpio("the button undo")] | None = None
    next: Annotated[int, _gpio("the button next")] | None = None
    buzzer: Annotated[int, _gpio("a buzzer without a sound of its own (passive piezo)")] | None = None
    seats: dict[Place, SeatPins] = field(default_factory=dict)


USUAL = Pins(confirm=17, undo=27, next=22)
"""The wiring of a table whose configuration says nothing of pins."""


class Wire(Struct, frozen=True):
    """One pin that is in use: what hangs at which GPIO.

    `name` is the part of the device that it is, for faults: "undo", "seat3", "buzzer"; `words` what
    people call it: "the button undo", "the lamp of place 3". `path` is where in `[pins]` it stands.
    `place` is 0 for what belongs to no place.
    """

    gpio: int
    use: Use
    name: str
    words: str
    path: tuple[str, ...]
    place: int = 0

    @property
    def button(self) -> Button:
        """The button that this is, if it is one."""
        match self.name:
            case "confirm" | "undo" | "next":
                return self.name
        return "seat"


class WiringFault(Struct, frozen=True):
    """What is wrong with a wiring, in a sentence, and where in `[pins]` it stands."""

    path: tuple[str, ...]
    words: str


def wires(pins: Pins) -> tuple[Wire, ...]:
    """All that hangs on the pins, in the order of the configuration."""
    return tuple(_wires(pins))


def _wires(pins: Pins) -> Iterator[Wire]:
    for name, gpio in (("confirm", pins.confirm), ("undo", pins.undo), ("next", pins.next)):
        if gpio is not None:
            yield Wire(gpio, "button", name, f"the button {name}", (name,))
    if pins.buzzer is not None:
        yield Wire(pins.buzzer, "buzzer", "buzzer", "the buzzer", ("buzzer",))
    for place, seat in sorted(pins.seats.items()):
        path = ("seats", str(place))
        if seat.button is not None:
            words = f"the button of place {place}"
            yield Wire(seat.button, "button", f"seat{place}", words, (*path, "button"), place)
        if seat.lamp is not None:
            yield Wire(
                seat.lamp, "lamp", f"seat{place}", f"the lamp of place {place}", (*path, "lamp"), place
            )


def wiring_faults(pins: Pins) -> tuple[WiringFault, ...]:
    """All that is wrong with this wiring: pins that are taken twice, reserved, or not there at all."""
    found: list[WiringFault] = []
    taken: dict[int, Wire] = {}
    for wire in wires(pins):
        if words := _wrong(wire, taken):
            found.append(WiringFault(wire.path, words))
        taken.setdefault(wire.gpio, wire)
    return tuple(found)


def _wrong(wire: Wire, taken: Mapping[int, Wire]) -> str:
    if wire.gpio in RESERVED:
        return (
            f"GPIO {wire.gpio} cannot be {wire.words}: with it a Pi reads the identity chip (EEPROM) of a "
            f"board on top of it. Use one from {USABLE[0]} to {USABLE[-1]}."
        )
    if wire.gpio not in USABLE:
        return (
            f"GPIO {wire.gpio} cannot be {wire.words}: the header has no such pin. "
            f"Use one from {USABLE[0]} to {USABLE[-1]}; the GPIO's number, not that of the header's pin."
        )
    if other := taken.get(wire.gpio):
        return (
            f"GPIO {wire.gpio} cannot be both {other.words} and {wire.words}: a pin does one thing. "
            "Give one of them another pin."
        )
    return ""
