"""In the place of MicroPython's `neopixel`: what a strip shows is in the file `strip`."""

try:
    from typing import Any
except ImportError:  # MicroPython has no types, and does not look at them
    pass


class NeoPixel:
    def __init__(self, pin: Any, count: int) -> None:
        self.leds = [(0, 0, 0)] * count

    def __setitem__(self, at: int, colour: tuple[int, int, int]) -> None:
        self.leds[at] = colour

    def write(self) -> None:
        with open("strip", "w") as file:
            file.write("".join("*" if any(led) else "." for led in self.leds))
