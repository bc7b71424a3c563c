"""A GPIO chip that is not there, behind the real lgpio: what the kernel would do is done here.

The real LGPIOFactory, lgpio's own thread and its pipe run as on a Pi; only the functions that would ask
the kernel are others.
"""

from __future__ import annotations

import os
import struct
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from typing import Any
from unittest.mock import patch

import pytest

from firmware_bridge import gpio

_PI_5 = 0xC04170
_HANDLE = 3 << 16  # lgpio's messages name a chip by the upper half of its handle
_ASKED_OF_THE_KERNEL = (
    *("gpiochip_open", "gpiochip_close", "gpio_get_line_info", "gpio_get_mode", "gpio_claim_input"),
    *("gpio_claim_output", "gpio_claim_alert", "gpio_free", "gpio_read", "gpio_write", "tx_pwm"),
    *("gpio_get_chip_info", "gpio_set_debounce_micros"),
)


class Chip:
    """The chip's lines: their levels, who has them, and what was done to them.

    `busy` lines are another program's, whose name for itself is the value; `lost` lines tell no edges.
    Edges are put into `withheld` in the place of being told, if that is a list: line, level, ns.
    `pulses` are the hertz and the duty (%) of lines that are driven so.
    """

    def __init__(self, lgpio: Any) -> None:
        self.levels: dict[int, int] = {}
        self.claimed: dict[int, str] = {}
        self.alerts: set[int] = set()
        self.busy: dict[int, str] = {}
        self.lost: set[int] = set()
        self.withheld: list[tuple[int, int, int]] | None = None
        self.pulses: dict[int, tuple[float, float]] = {}
        self.forbidden = False
        self._lgpio = lgpio
        self._pipe = _pipe()

    def drive(self, line: int, level: int, moment: int | None = None) -> None:
        """The outside drives a line; the edge is told as of now, or of that moment (ns, monotonic)."""
        changed = self.levels.get(line) != level
        self.levels[line] = level
        if changed and line in self.alerts and line not in self.lost:
            if self.withheld is None:
                self.tell(line, level, moment)
            else:
                self.withheld.append((line, level, time.monotonic_ns() if moment is None else moment))

    def tell(self, line: int, level: int, moment: int | None = None) -> None:
        """Tell an edge as the kernel tells it, with its own time of it (ns, monotonic), or that one."""
        when = time.monotonic_ns() if moment is None else moment
        os.write(self._pipe, struct.pack("QBBBBI", when, _HANDLE >> 16, line, level, 0, 0))

    # -- what lgpio asks of a kernel ------------------------------------------------------------

    def gpiochip_open(self, number: int) -> int:
        if self.forbidden:
            raise self._lgpio.error("can not open gpiochip")
        return _HANDLE

    def gpiochip_close(self, handle: int) -> int:
        self.claimed.clear()
        self.alerts.clear()
        return 0

    def gpio_get_chip_info(self, handle: int) -> list[Any]:
        return [0, 54, "gpiochip0", "pinctrl-rp1"]

    def gpio_set_debounce_micros(self, handle: int, line: int, micros: int) -> int:
        return 0

    def gpio_get_line_info(self, handle: int, line: int) -> list[Any]:
        return [0, line, 0, f"GPIO{line}", self.busy.get(line, "lg" if line in self.claimed else "")]

    def gpio_get_mode(self, handle: int, line: int) -> int:
        if (how := self.claimed.get(line)) is None:
            return 0
        return 2 | 1 << 9 if how == "output" else 1 << 5 | (1 << 10 if line in self.alerts else 1 << 8)

    def gpio_claim_input(self, handle: int, line: int, flags: int = 0) -> int:
        self._claim(line, "input")
        self.levels.setdefault(line, 1)
        return 0

    def gpio_claim_output(self, handle: int, line: int, level: int = 0, flags: int = 0) -> int:
        self._claim(line, "output")
        self.levels[line] = level
        return 0

    def gpio_claim_alert(self, handle: int, line: int, edges: int, flags: int = 0, notify: Any = None) -> int:
        self._claim(line, "input")
        self.alerts.add(line)
        return 0

    def gpio_free(self, handle: int, line: int) -> int:
        self.claimed.pop(line, None)
        self.alerts.discard(line)
        return 0

    def gpio_read(self, handle: int, line: int) -> int:
        return self.levels[line]

    def gpio_write(self, handle: int, line: int, level: int) -> int:
        self.levels[line] = level
        return 0

    def tx_pwm(self, handle: int, line: int, hertz: float, duty: float, *rest: int) -> int:
        self.pulses[line] = (hertz, duty)
        return 0

    def _claim(self, line: int, how: str) -> None:
        if line in self.busy:
            raise self._lgpio.error("'GPIO busy'")
        self.claimed[line] = how
        self.alerts.discard(line)


@contextmanager
def chip(library: str) -> Iterator[Chip]:
    """A Pi 5 with such a chip, reached through gpiozero's pin factory "lgpio" or "rpigpio".

    The test is skipped where there is no such library; for "rpigpio" that is rpi-lgpio.
    """
    needed = {"lgpio": ("lgpio",), "rpigpio": ("lgpio", "RPi")}[library]
    if missing := [name for name in needed if find_spec(name) is None]:
        pytest.skip(f"There is no {missing[0]} here.")
    gpio._import_lgpio()
    from gpiozero import Device
    from gpiozero.pins.local import LocalPiFactory

    found = Chip(sys.modules["lgpio"])
    functions = {name: getattr(found, name) for name in _ASKED_OF_THE_KERNEL}
    with (
        patch.multiple("lgpio", **functions),
        patch.object(LocalPiFactory, "_get_revision", lambda self: _PI_5),
        patch.object(LocalPiFactory, "pins", {}),
        patch.object(Device, "pin_factory", None),
        patch.dict(os.environ),
    ):
        os.environ.pop("GPIOZERO_PIN_FACTORY", None)
        if library != "lgpio":
            os.environ |= {
                "GPIOZERO_PIN_FACTORY": library,
                "RPI_LGPIO_REVISION": "c04170",
                "RPI_LGPIO_CHIP": "0",
            }
        yield found
        assert sys.modules["lgpio"]._notify_thread.is_alive(), "lgpio's only thread has ended"
        if Device.pin_factory is not None:
            Device.pin_factory.close()
    os.close(found._pipe)


def _pipe() -> int:
    """The writing end of the pipe by which lgpio hears of edges: the file has no name any more."""
    for number in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):
            if ".lgd-nfy" in os.readlink(f"/proc/self/fd/{number}"):
                return os.open(f"/proc/self/fd/{number}", os.O_WRONLY)
    raise LookupError("lgpio has no pipe open.")
