"""Where the things on the emulated table are at one moment: what a camera could see, and no more."""

from __future__ import annotations

from msgspec import Struct

from companion.games.layout import Face, Point

DIE_SIDE = 20.0
"""Side of a die in mm."""

FLAT = 2.0
"""Height in mm below which a piece has no sides to be seen, and others may lie on it."""

Key = tuple[str, str]
"""A piece's kind and name."""


class PiecePose(Struct, frozen=True):
    """A piece: kind and name, its middle (mm), turn (degrees clockwise), height held above the table."""

    kind: str
    name: str
    at: Point
    turn: float
    lift: float = 0.0

    @property
    def key(self) -> Key:
        """Its kind and name."""
        return (self.kind, self.name)


class DiePose(Struct, frozen=True):
    """A die: upper face, middle (mm), turn (degrees clockwise); `flying` while it tumbles.

    `look` chooses among the dice in the box.
    """

    value: Face
    at: Point
    turn: float
    look: int = 0
    flying: bool = False


class Arm(Struct, frozen=True):
    """An arm over the table: where its fingertips are and where it comes from (mm)."""

    tip: Point
    shoulder: Point


class Moment(Struct, frozen=True):
    """All things on the table at one moment; of pieces that lie on one another the lowest comes first."""

    pieces: tuple[PiecePose, ...] = ()
    dice: tuple[DiePose, ...] = ()
    arms: tuple[Arm, ...] = ()
