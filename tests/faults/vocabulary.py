"""The nine faults that a device may have, and what a case of one says of it."""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from companion.messages import Notice

Fault = Literal["silent", "drop", "garble", "slow", "unplug", "busy", "no permission", "storm", "block"]

FAULTS: dict[Fault, str] = {
    "silent": "it is there and says nothing",
    "drop": "some of what goes to and fro is lost",
    "garble": "what comes makes no sense",
    "slow": "what comes is late",
    "unplug": "it is gone in the middle of a game",
    "busy": "another program has it",
    "no permission": "this user may not use it",
    "storm": "more comes than anybody can mean",
    "block": "the call into it does not come back",
}


class Case(Struct, frozen=True):
    """One fault of one device: what it is there, and what phones say of it.

    `says` and `cure` are all that stands on the pages, "…" for what differs; without them nothing has to be
    said. `after` is how it works again. `tried` names a test elsewhere that brings it about.
    """

    means: str
    after: str
    says: str = ""
    cure: str = ""
    tried: str = ""

    def is_told_by(self, notice: Notice) -> bool:
        """Whether that notice is the one of this case."""
        return _fits(self.says, notice.words) and _fits(self.cure, notice.cure)

    def is_said_in(self, text: str) -> bool:
        """Whether a text has both, one after the other."""
        return _fits(f"…{self.says}…{self.cure}…", text)


class Senseless(Struct, frozen=True):
    """A fault that this device cannot have, or that nobody can tell from its being well: why."""

    why: str


ITSELF = "by itself"
TAP = "by a tap on *Try again now*"
RIGHT = f"{TAP}, or at the next start"
HANGS = (
    "If it lasts, start Stationmaster again: sudo systemctl restart stationmaster. If that does not help, "
    "start this machine again. The phones do its part meanwhile."
)

Cases = dict[Fault, Case | Senseless]


def _fits(pattern: str, words: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, pattern.split("…"))), words, re.S) is not None


def to_try(cases: Cases) -> list[Fault]:
    """The faults of a device that this room brings about."""
    return [fault for fault, case in cases.items() if isinstance(case, Case) and not case.tried]
