"""What a button tells: a press, short or long."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Button = Literal["confirm", "undo", "next", "seat"]

PLACES = 8
"""There are so many places round a table at most; they are numbered from 1."""


class Press(Struct, frozen=True):
    """One press of a button. `time`, in monotonic seconds, is when it was certain: a short press
    counts as its button is let go, a long one while it is still held.

    `place` is where the button "seat" is, from 1 to PLACES; 0 for those that belong to nobody.
    """

    button: Button
    kind: Literal["short", "long"]
    time: float
    place: int = 0
