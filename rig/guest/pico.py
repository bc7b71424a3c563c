"""Our firmware's own program, on an emulated Pico at the far end of a cable.

`python -m rig.guest.pico LINE FOLDER`.

What hangs on its pins is in the folder: it is pressed where there is a file `low5`, and the file `shown` says
again and again what lamps, strip and number display show.
"""

from __future__ import annotations

import io
import json
import os
import runpy
import sys
import threading
import time
import tty
from pathlib import Path
from types import ModuleType
from typing import Any

from firmware_bridge.controller_line import FIRMWARE
from firmware_bridge.controller_wiring import USUAL
from firmware_bridge.emulated_pico import Pico, Tm1637

_OFTEN = 0.02  # seconds


class _Line:
    """Standard input or output as MicroPython has it: nothing is kept back."""

    def __init__(self, descriptor: int, mode: str) -> None:
        self.buffer = io.FileIO(descriptor, mode)

    def fileno(self) -> int:
        return self.buffer.fileno()

    def flush(self) -> None:
        """CPython asks for it in the end."""


def main(path: str, folder: Path) -> None:
    """Be a Pico with our firmware until the cable is pulled."""
    folder.mkdir(exist_ok=True)
    pico = Pico()
    assert USUAL.digits is not None
    digits = pico.tm1637(USUAL.digits.clk, USUAL.digits.dio)
    threading.Thread(target=_hang_on, args=(pico, digits, folder), daemon=True).start()
    line = os.open(path, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(line)
    _like_micropython(pico)
    standard: Any = sys
    standard.stdin, standard.stdout = _Line(line, "r"), _Line(os.dup(line), "w")
    sys.path.insert(0, str(FIRMWARE.parent))
    runpy.run_path(str(FIRMWARE / "main.py"))


def _like_micropython(pico: Pico) -> None:
    """The modules that only MicroPython has, and what its `time` has more."""
    for name in ("machine", "neopixel"):
        module: Any = ModuleType(name)
        module.Pin, module.PWM, module.NeoPixel = pico.Pin, pico.PWM, pico.NeoPixel
        sys.modules[name] = module
    more: Any = time
    more.ticks_ms = lambda: time.monotonic_ns() // 1_000_000 % 2**30
    more.ticks_diff = lambda later, earlier: (later - earlier + 2**29) % 2**30 - 2**29
    more.sleep_ms = lambda milliseconds: time.sleep(milliseconds / 1000)
    more.sleep_us = lambda microseconds: None


def _hang_on(pico: Pico, digits: Tm1637, folder: Path) -> None:
    """Press what is pressed, and write down what is shown."""
    written = ""
    while True:
        for number, pin in pico.Pin.known.items():
            pin.pressed = (folder / f"low{number}").exists()
        strip = [[any(led) for led in strip.shining] for strip in pico.strips.values()]
        shown = json.dumps(
            {
                "lamps": [place for leds in strip for place, lit in enumerate(leds, 1) if lit],
                "digits": digits.text(),
                "heard": [hertz for tone in pico.tones.values() for hertz in tone.heard],
            }
        )
        if shown != written:
            draft = folder / "shown.new"
            draft.write_text(shown)
            draft.replace(folder / "shown")
            written = shown
        time.sleep(_OFTEN)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
