"""What pages show of the camera: its newest picture, what is seen in it, and what would make it better."""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct

Kind = Literal["die", "doubt", "marker", "sheet", "tray", "piece"]
"""What a mark stands for. A "doubt" is a die, or what may be one, that a person would be asked about."""


class Mark(Struct, frozen=True):
    """Something that is seen: its corners in pixels of the picture that is shown, and what stands at it."""

    kind: Kind
    corners: tuple[tuple[float, float], ...]
    label: str = ""


class Hint(Struct, frozen=True):
    """What is not as it should be in the picture, and what to do about it."""

    words: str
    cure: str


class Seen(Struct, frozen=True):
    """One look through the camera.

    `picture` is the name by which the picture can be had, `width` and `height` its pixels. `told` is what
    the companion makes of it, `asks` why it would ask a person, nothing where it would not, and `hints` what
    would make the picture better. `waits` says that it sees something that it does not believe yet.
    """

    picture: str
    width: int
    height: int
    marks: tuple[Mark, ...]
    told: tuple[str, ...]
    asks: tuple[str, ...]
    hints: tuple[Hint, ...]
    waits: bool = False


class Kept(Struct, frozen=True):
    """A kept face of a die: its file's name, what it shows, and what it was read as (0: no pips)."""

    name: str
    value: int
    was: int


class OwnDice(Protocol):
    """What pages may ask of the kept faces of the owner's dice. Any thread may."""

    @property
    def kept(self) -> tuple[Kept, ...]:
        """The kept faces, the newest first."""

    def picture(self, name: str) -> bytes | None:
        """The picture (PNG) of a kept face; None where it is not kept any more."""

    def forget(self, name: str) -> None:
        """Delete that face, or every one for ""; OSError when that cannot be."""


class Taps(Struct, frozen=True, forbid_unknown_fields=True):
    """Corners as they were tapped, in any order, in pixels of the picture of that name.

    `bounds` is what they are the corners of. `turns` says from which corner on the sheet is to be taken, in
    quarters of a turn clockwise from how it seems to lie.
    """

    picture: str
    bounds: Literal["sheet", "tray"]
    points: tuple[tuple[float, float], ...]
    turns: int = 0


class Laid(Struct, frozen=True):
    """What taps come to: whether they are four corners, and in words what is wrong or to be looked at.

    `corners` are they in order, from the sheet's upper left one clockwise, and `tray` is where the sheet's
    tray would be, in pixels of the picture. `turns` says whether a person has to tell how the sheet lies.
    """

    done: bool
    words: str
    corners: tuple[tuple[float, float], ...] = ()
    tray: tuple[tuple[float, float], ...] = ()
    turns: bool = False


class Corners(Protocol):
    """What pages may ask about corners that are tapped. Any thread may."""

    @property
    def bounds(self) -> str:
        """What corners are kept of: "sheet" or "tray", "" for none."""

    def lay(self, taps: Taps) -> Laid:
        """What these taps come to; nothing is kept."""

    def keep(self, taps: Taps) -> Laid:
        """Go by these corners from now on, if they are any."""

    def clear(self) -> Laid:
        """Go by no tapped corners any more."""


class Camera(Protocol):
    """What pages may ask of the camera. Any thread may, and none waits for it."""

    @property
    def own(self) -> OwnDice | None:
        """The kept faces of the owner's dice; None where none may be kept."""

    @property
    def corners(self) -> Corners | None:
        """The corners that people tap on its pictures; None where none can be kept."""

    def hold(self, name: str) -> None:
        """Keep the picture of that name for longer: somebody taps corners on it."""

    def look(self) -> None:
        """Somebody looks: take a picture soon, unless one was taken a moment ago."""

    def seen(self) -> Seen | None:
        """The newest look, None where there is none of these last seconds."""

    def picture(self, name: str) -> bytes | None:
        """The picture (JPEG) of one of the last looks by its name; None when it is not kept any more."""
