"""Where things are kept."""

from __future__ import annotations

import os
from pathlib import Path


def state_folder() -> Path:
    """The state folder when none is named: what systemd gives us, else the user's own."""
    if given := os.environ.get("STATE_DIRECTORY"):
        return Path(given.split(":")[0])
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "stationmaster"
