"""What the journal holds: facts in the order in which they were confirmed.

Everything that the table knows is these acts applied one after the other, so a restart is a
replay. Takebacks and corrections are acts like any other: nothing is ever cut out.
"""

from __future__ import annotations

from msgspec import Raw, Struct


class Act(Struct, frozen=True, tag_field="act", forbid_unknown_fields=True):
    """One confirmed fact."""


class Joined(Act, frozen=True, tag="joined"):
    """This person is known by this name; the first one is the host."""

    person: str
    name: str


class Sat(Act, frozen=True, tag="sat"):
    """This person took this seat."""

    person: str
    seat: str


class Left(Act, frozen=True, tag="left"):
    """This seat is free again."""

    seat: str
    by: str = ""


class Hosted(Act, frozen=True, tag="hosted"):
    """This person is the host now."""

    person: str


class Started(Act, frozen=True, tag="started"):
    """A game began: its seats clockwise, pack and options, and the position that they gave.

    The position is kept whole so that a later edition of a pack changes no running game.
    """

    game: str
    pack: str
    seats: tuple[str, ...]
    options: dict[str, str]
    position: Raw
    by: str = ""


class Finished(Act, frozen=True, tag="finished"):
    """The game was put away."""

    by: str = ""


class Played(Act, frozen=True, tag="played"):
    """An action of the game. `how` it came: "phone", "camera" or "button"; `by` whom, if a person."""

    action: Raw
    how: str
    by: str = ""


class TookBack(Act, frozen=True, tag="took_back"):
    """The game went back to before move number `move`."""

    move: int
    by: str


class Corrected(Act, frozen=True, tag="corrected"):
    """Another action stands in the place of move number `move`."""

    move: int
    action: Raw
    by: str


class Proposed(Act, frozen=True, tag="proposed"):
    """A takeback or correction that `needs` these people's yes: all of them, or `anyone` of them."""

    change: TookBack | Corrected
    needs: tuple[str, ...]
    anyone: bool = False


class Agreed(Act, frozen=True, tag="agreed"):
    """These people said yes to what was proposed (a host also speaks for phones that are away)."""

    people: tuple[str, ...]
    by: str


class Entered(Act, frozen=True, tag="entered"):
    """A card that the running game did not know was entered; it is so from the first move on."""

    entry: Raw
    by: str = ""


class Declined(Act, frozen=True, tag="declined"):
    """Somebody said no; what was proposed is off."""

    by: str


Acts = (
    Joined
    | Sat
    | Left
    | Hosted
    | Started
    | Finished
    | Played
    | TookBack
    | Corrected
    | Proposed
    | Agreed
    | Declined
    | Entered
)
