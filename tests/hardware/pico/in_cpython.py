"""Runs the firmware in CPython, with what MicroPython's `time` and `sys` have more: in_cpython.py MAIN."""

from __future__ import annotations

import io
import runpy
import sys
import time
from typing import Any

more: Any = time
more.ticks_ms = lambda: time.monotonic_ns() // 1_000_000 % 2**30
more.ticks_diff = lambda later, earlier: (later - earlier + 2**29) % 2**30 - 2**29
more.sleep_ms = lambda milliseconds: time.sleep(milliseconds / 1000)
more.sleep_us = lambda microseconds: None


class Line:
    """Standard input or output as MicroPython has it: nothing is kept back."""

    def __init__(self, descriptor: int, mode: str) -> None:
        self.buffer = io.FileIO(descriptor, mode)

    def fileno(self) -> int:
        return self.buffer.fileno()

    def flush(self) -> None:
        """CPython asks for it in the end."""


sys.stdin, sys.stdout = Line(0, "r"), Line(1, "w")
runpy.run_path(sys.argv[1])
