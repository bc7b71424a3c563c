"""What `stationmaster doctor` finds."""

from __future__ import annotations

from msgspec import Struct


class Finding(Struct, frozen=True):
    """One thing that was looked at: whether it is well, what was found, and if it is not, what to do."""

    part: str
    ok: bool
    words: str
    cure: str = ""


def well(part: str, words: str) -> Finding:
    """Something that works, or that is not there and need not be."""
    return Finding(part, True, words)


def ill(part: str, words: str, cure: str) -> Finding:
    """Something that does not work, and what to do about it."""
    return Finding(part, False, words, cure)
