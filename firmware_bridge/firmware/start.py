"""Starts the board: its line is what Python itself reads and writes, on a Pico the USB cable.

Ctrl-C ends it, as on any board with MicroPython, so that another firmware can be copied; Ctrl-D at the
prompt starts it again.
"""

import os
import select
import sys
import time as _time

import machine
import neopixel

from .board import Board

try:
    from typing import Any
except ImportError:  # MicroPython has no types, and does not look at them
    pass

time: Any = _time  # MicroPython's has more in it
_PAUSE = 2
_AT_ONCE = 64


class _Clock:
    """Milliseconds that never begin anew, made of MicroPython's, which do after some days."""

    def __init__(self) -> None:
        self._ticks = time.ticks_ms()
        self._now = 0

    def now(self) -> int:
        ticks = time.ticks_ms()
        self._now += int(time.ticks_diff(ticks, self._ticks))
        self._ticks = ticks
        return self._now


def run() -> None:
    """Be a controller until Ctrl-C."""
    board = Board(machine, neopixel, time.sleep_us, os.urandom(4))
    clock = _Clock()
    poll = select.poll()
    poll.register(sys.stdin, select.POLLIN)
    try:
        ended = False  # a pipe may end, a cable does not
        while not ended:
            data = b""
            while len(data) < _AT_ONCE and not ended and poll.poll(0):
                byte = sys.stdin.buffer.read(1)
                data += byte
                ended = not byte
            out = board.step(clock.now(), data)
            if out:
                sys.stdout.buffer.write(out)
            if not data:
                time.sleep_ms(_PAUSE)
    finally:
        board.rest(clock.now())  # nobody stands any more by what is shown


run()
