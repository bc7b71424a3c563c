"""Where the things on the emulated table are at one moment: what a camera could see, and no more."""

from __future__ import annotations

from msgspec import Struct

from companion.games.layout import Point

DIE_SIDE = 20.0
"""Side of a die in mm."""

PAWN_HEIGHT = 12.0
"""Height of a pawn's flat cap, which carries its marker, in mm."""

CAP_RIM = 3.0
"""What a pawn's cap has around its marker on each side, in mm: a white rim, then its colour."""


class PawnPose(Struct, frozen=True):
    """A pawn: its token's name, its middle (mm), turn (degrees clockwise), height held above the table."""

    name: str
    at: Point
    turn: float
    lift: float = 0.0


class DiePose(Struct, frozen=True):
    """A die: upper face, middle (mm), turn (degrees clockwise); `flying` while it tumbles.

    `look` chooses among the dice in the box.
    """

    value: int
    at: Point
    turn: float
    look: int = 0
    flying: bool = False


class Arm(Struct, frozen=True):
    """An arm over the table: where its fingertips are and where it comes from (mm)."""

    tip: Point
    shoulder: Point


class Moment(Struct, frozen=True):
    """All things on the table at one moment."""

    pawns: tuple[PawnPose, ...] = ()
    dice: tuple[DiePose, ...] = ()
    arms: tuple[Arm, ...] = ()
