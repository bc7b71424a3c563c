"""A table with everything on it: what the docs draw, and what a printed configuration shows as examples."""

from __future__ import annotations

from msgspec.structs import replace

from companion.config import Config, Run
from firmware_bridge import controller_wiring
from firmware_bridge.controller_wiring import ControllerSeatPins
from firmware_bridge.pins import Pins, SeatPins

# Buttons in one row of the header and lamps in the other, each place's two side by side. Neither the serial
# line's pins (14, 15) nor those of I2C and SPI (2, 3, 7 to 11) are used, so that other boards still fit.
PINS = Pins(
    confirm=17,
    undo=27,
    next=22,
    buzzer=18,
    seats={
        1: SeatPins(button=5, lamp=24),
        2: SeatPins(button=6, lamp=12),
        3: SeatPins(button=13, lamp=16),
        4: SeatPins(button=19, lamp=20),
        5: SeatPins(button=26, lamp=21),
    },
)

_USUAL = controller_wiring.USUAL
CONTROLLER = replace(
    _USUAL,
    line="auto",
    seats={
        place: ControllerSeatPins(button=seat.button, lamp=seat.lamp or 20)
        for place, seat in list(_USUAL.seats.items())[:1]
    },
)

EXAMPLE = Config(
    run=Run(
        table="camera",
        camera="auto",
        pins="gpiozero",
        state="/var/lib/stationmaster",
        seed=1,
    ),
    pins=PINS,
    controller=CONTROLLER,
)
