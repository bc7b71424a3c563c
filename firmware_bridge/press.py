"""What a button tells: a press, short or long."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Button = Literal["confirm", "undo", "next"]


class Press(Struct, frozen=True):
    """One press of a button. `time`, in monotonic seconds, is when it was certain: a short press
    counts as its button is let go, a long one while it is still held.
    """

    button: Button
    kind: Literal["short", "long"]
    time: float
