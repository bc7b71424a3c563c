"""In the place of MicroPython's `machine`, for a firmware that runs as a program of its own.

Its pins are files in the working folder: `pin5` has the level that pin 5 is driven to, `low5` is there
while something holds pin 5 low. It runs in MicroPython and in CPython.
"""

import os

try:
    from typing import Any
except ImportError:  # MicroPython has no types, and does not look at them
    pass


def write(name: str, value: object) -> None:
    with open(name, "w") as file:
        file.write(str(value))


class Pin:
    IN, OUT, PULL_UP = 0, 1, 2

    def __init__(self, number: int, mode: int = 0, pull: object = None, value: object = None) -> None:
        if not 0 <= number < 30:
            raise ValueError("invalid pin")
        self.number = number
        self.init(mode, pull, value)

    def init(self, mode: int, pull: object = None, value: object = None) -> None:
        self.mode = mode
        if value is not None:
            self.value(value)

    def value(self, level: Any = None) -> int:
        if level is not None:
            write(f"pin{self.number}", level)
            return 0
        try:
            os.stat(f"low{self.number}")
        except OSError:
            return 1
        return 0


class PWM:
    def __init__(self, pin: Pin, freq: int, duty_u16: int) -> None:
        self.pin = pin

    def freq(self, hertz: int) -> None:
        write(f"tone{self.pin.number}", hertz)

    def duty_u16(self, duty: int) -> None:
        pass
