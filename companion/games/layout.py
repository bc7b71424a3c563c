"""What lies where on a table: the common language of rules, vision, pictures and emulation.

A `Layout` is how the table *should* look, said by a game. A `Reading` is how the table *does*
look, said by the camera. A `TableMap` tells both where on the table each place is.

Lengths are millimetres on the table, x to the right and y towards the viewer, from the table
sheet's upper left corner. Picture coordinates are pixels of the picture at hand.
"""

from __future__ import annotations

from msgspec import Struct

UNKNOWN = "?"
"""A card, hand or pile content that is there and that nobody has shown."""

Face = int | str
"""The upper face of a die: 1 to 6 for pips and digits, the symbol's name otherwise."""

Point = tuple[float, float]


class Piece(Struct, frozen=True, order=True, gc=False):
    """A piece in a place. `turn` is degrees clockwise; `up` names the visible side, if it has two."""

    kind: str
    name: str
    place: str
    turn: int = 0
    up: str = ""


class Layout(Struct, frozen=True):
    """How the table should look: pieces sorted, and the upper faces of the dice thrown last."""

    pieces: tuple[Piece, ...] = ()
    dice: tuple[Face, ...] = ()


class Sight(Struct, frozen=True):
    """A piece as the camera saw it: where its middle lies (mm), and how sure that is (0 to 1)."""

    piece: Piece
    at: Point
    confidence: float


class Die(Struct, frozen=True):
    """A die as the camera saw it; `corners` are its upper face's four corners in picture pixels."""

    value: Face
    corners: tuple[Point, Point, Point, Point]
    confidence: float
    faces: str = "pips"


class Dice(Struct, frozen=True):
    """All dice in the tray. `sure` is the reader's word on going on without asking anybody."""

    dice: tuple[Die, ...]
    sure: bool

    @property
    def values(self) -> tuple[Face, ...]:
        """The upper faces, in the order in which they lie."""
        return tuple(die.value for die in self.dice)


class Cut(Struct, frozen=True):
    """A die's upper face cut out of a frame (PNG): the value that was read (0: no pips), and how surely."""

    value: int
    confidence: float
    picture: bytes


class Reading(Struct, frozen=True):
    """What the camera believes to see once the table has come to rest.

    `holes` are the places that could not be seen: what stood there may stand there still.
    `dice` is None when the tray could not be seen. `throw` rises by one with each new throw, so
    the same faces lying there again are told from the same dice still lying there. `picture` is
    a JPEG of the dice, to show to people; it takes no part in any decision. `cuts` are the dice's
    faces, where their owner lets those be kept that are put right.
    """

    time: float
    pieces: tuple[Sight, ...] = ()
    holes: tuple[str, ...] = ()
    dice: Dice | None = None
    throw: int = 0
    picture: bytes = b""
    cuts: tuple[Cut, ...] = ()


class Place(Struct, frozen=True):
    """A named part of the table. `outline` is a convex polygon in mm; `look` and `label` are for pictures.

    `words` are what people call it.
    `holds` are the kinds of piece that lie there (none given: any), `turns` the turns in which they
    can lie there, in degrees clockwise (none where a turn means nothing).
    """

    name: str
    outline: tuple[Point, ...]
    look: str = ""
    label: str = ""
    holds: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()
    words: str = ""


class Marker(Struct, frozen=True):
    """A printed marker (ArUco DICT_5X5_250): its black square's middle and side in mm."""

    id: int
    at: Point
    side: float


_FLAT = 3.0  # mm


class Token(Struct, frozen=True):
    """A marker on top of a piece: its id and side (mm), and what it marks.

    `at` is where its middle is from the piece's middle, and `height` how high above the sheet (mm),
    while the piece lies unturned. A piece may carry several markers. Turned by `repeats`
    degrees the piece is the same again: a Layout has it in no larger turn. `alike` is what a Layout
    calls each of several pieces that are the same to the rules; "" for a piece of its own. `words`
    are what people call it, "" for the kind and the name. At height 0 it is no piece: it is printed on
    the sheet, and a Layout has it while nothing lies on it.
    """

    id: int
    side: float
    kind: str
    name: str
    at: Point = (0.0, 0.0)
    height: float = 12.0
    repeats: int = 360
    alike: str = ""
    words: str = ""

    @property
    def flat(self) -> bool:
        """Whether it is printed on a card, which hides what it lies on and nothing more."""
        return self.height < _FLAT

    @property
    def printed(self) -> bool:
        """Whether it is printed on the sheet itself, where nobody can take it away."""
        return self.height == 0.0


class TableMap(Struct, frozen=True):
    """Where everything is: size of the sheet (mm), its corner markers, places, dice tray, tokens."""

    width: float
    height: float
    corners: tuple[Marker, ...]
    places: tuple[Place, ...]
    tray: Place
    tokens: tuple[Token, ...] = ()
