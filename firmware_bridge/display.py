"""What a number display shows."""

from __future__ import annotations

from msgspec import Struct

MOST = 9999
"""The largest number that four digits show."""


class Count(Struct, frozen=True):
    """What a number display shows: how much is left, 0 to MOST, and whether the end has come near."""

    left: int
    last: bool = False
