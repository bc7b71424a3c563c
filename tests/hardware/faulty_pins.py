"""Pins of which some cannot be had."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy

from gpiozero.pins.mock import MockFactory, MockPWMPin


class FaultyFactory(MockFactory):  # type: ignore[misc]
    """Mock pins, of which those in `broken` (by their GPIO) cannot be had, as a real factory would say it."""

    def __init__(self, broken: Mapping[int, Exception]) -> None:
        super().__init__(pin_class=MockPWMPin)
        self.broken = dict(broken)

    def pin(self, name: object) -> object:
        number = int(str(name).removeprefix("GPIO"))
        if number in self.broken:
            raise copy(self.broken[number])
        return super().pin(name)
