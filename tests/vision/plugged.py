"""Devices plugged in: a /dev as the kernel and udev would make it, of plain files and links."""

from __future__ import annotations

from pathlib import Path


def plug(dev: Path, name: str, number: int, folder: str = "by-id") -> Path:
    link = dev / "v4l" / folder / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    (dev / f"video{number}").touch()
    link.symlink_to(f"../../video{number}")
    return link
