from __future__ import annotations

from collections.abc import Iterator

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin


@pytest.fixture
def pin_factory() -> Iterator[MockFactory]:
    """Mock pins in the place of gpiozero's own choice, for what asks for real ones."""
    before = Device.pin_factory
    factory = Device.pin_factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.reset()
    factory.close()
    Device.pin_factory = before
