"""How the tunes of a buzzer sound."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from firmware_bridge.signals import Tune


class Note(Struct, frozen=True):
    """A tone of so many hertz, 0 for silence, and how long it sounds, in milliseconds."""

    hertz: int
    milliseconds: int


# Small piezo buzzers are faint below 400 Hz, and shrill above 2 kHz. What comes often is short.
TUNES: Mapping[Tune, tuple[Note, ...]] = {
    "turn": (Note(880, 70),),
    "ask": (Note(660, 90), Note(0, 40), Note(990, 140)),
    "no": (Note(440, 60), Note(0, 40), Note(440, 60)),
    "fault": (Note(590, 200), Note(440, 350)),
    "last_round": (Note(660, 120), Note(880, 120), Note(660, 120), Note(880, 240)),
    "over": (Note(523, 140), Note(659, 140), Note(784, 140), Note(1047, 420)),
}
