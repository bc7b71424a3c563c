from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.table.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "state")
    yield desk
    desk.close()


@pytest.fixture
def playing(desk: Desk) -> Desk:
    """Red, blue and green play; red is to throw."""
    desk.start("red", "blue", "green")
    return desk
