from __future__ import annotations

from pathlib import Path

import pytest

from tests.vision.plugged import plug


@pytest.fixture
def dev(tmp_path: Path) -> Path:
    """A /dev with one camera, plugged in as video2, which has a second device that gives no pictures."""
    for number in (2, 3):
        (tmp_path / f"video{number}").touch()
    plug(tmp_path, "usb-Good_Camera-video-index0", 2)
    plug(tmp_path, "usb-Good_Camera-video-index1", 3)
    return tmp_path
