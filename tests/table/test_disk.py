"""Files of the state folder are whole, or as they were."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion import disk


@contextmanager
def room_for(count: int) -> Iterator[None]:
    """No file takes more than so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (count, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_what_cannot_be_written_whole_leaves_nothing_behind(tmp_path: Path) -> None:
    file = tmp_path / "kept.toml"
    disk.write(file, b"before")
    with room_for(3), pytest.raises(OSError, match="too large"):
        disk.write(file, b"after")
    assert [path.name for path in tmp_path.iterdir()] == ["kept.toml"]
    assert file.read_bytes() == b"before"
