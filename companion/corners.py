"""The corners that people have tapped, kept in the state folder over restarts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from companion import disk
from firmware_bridge.device import Fault
from vision.tapped import Tapped

NAME = "corners"
"""What faults of them are told as."""

AGAIN = "Set the corners again: Menu, Camera, Set the corners."
"""The way on from all of these faults."""


def load(folder: Path) -> Tapped | None:
    """What is kept in that state folder; None where there is nothing.

    OSError where it cannot be read, ValueError where it is damaged.
    """
    try:
        kept = (folder / f"{NAME}.json").read_bytes()
    except FileNotFoundError:
        return None
    try:
        return msgspec.json.decode(kept, type=Tapped)
    except msgspec.MsgspecError as fault:
        raise ValueError(f"{NAME}.json is damaged: {fault}") from fault


class Corners:
    """What has been tapped by now: `tapped` (any thread), the same object until it is set again.

    A damaged file is set aside, and `tell` hears of it.
    """

    def __init__(self, folder: Path, tell: Callable[[Fault], object]) -> None:
        self._file = folder / f"{NAME}.json"
        self._tell = tell
        self.tapped: Tapped | None = None
        try:
            self.tapped = load(folder)
        except ValueError:
            aside = self._file.with_name(f"{NAME}.damaged.json")
            self._file.replace(aside)
            tell(Fault(NAME, f"The corners that were set are damaged. They lie in {aside.name} now.", AGAIN))
        except OSError as fault:
            tell(Fault(NAME, f"The corners that were set cannot be read ({fault.strerror}).", AGAIN))

    def keep(self, tapped: Tapped) -> None:
        """Go by these from now on; they are on the disk when this returns. OSError when it refuses."""
        disk.write(self._file, msgspec.json.encode(tapped))
        self._now(tapped)

    def clear(self) -> None:
        """Go by none any more. OSError when the disk refuses."""
        self._file.unlink(missing_ok=True)
        disk.sync(self._file.parent)
        self._now(None)

    def _now(self, tapped: Tapped | None) -> None:
        self.tapped = tapped
        self._tell(Fault(NAME, "", ""))
