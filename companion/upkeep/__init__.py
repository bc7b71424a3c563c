"""What pages show of the machine and its set-up, and ask of it: the words that the pages share with us."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, Protocol

from msgspec import Struct

from companion.doctor.findings import Finding
from companion.messages import Notice

Shine = Literal["", "on", "blink"]


class Standing(Struct, frozen=True):
    """How a device of the running table stands.

    `words` and `cure` are of its fault, "" when it has none; `runs` is false also while it is opened for
    the first time. `since` is when it began to run, or to fail, in seconds of the wall clock. `restarts`
    counts how often it was started again after a fault. `parts` are those that are at fault by themselves.
    """

    device: str
    runs: bool
    since: float
    restarts: int
    emulated: bool = False
    words: str = ""
    cure: str = ""
    parts: tuple[Notice, ...] = ()


class Health(Struct, frozen=True):
    """What works: the devices of the running table, and what was found when all else was looked at.

    `looked` is when the last look ended (wall clock), None before the first; `looking`: one is under way.
    `restarting`: Stationmaster is about to start itself again.
    """

    devices: tuple[Standing, ...] = ()
    findings: tuple[Finding, ...] = ()
    looked: float | None = None
    looking: bool = False
    restarting: bool = False


class Field(Struct, frozen=True):
    """A key of the configuration as a form has it.

    `value` is what it is set to or what was typed, "" where it is left out, and `fault` what is wrong with
    that and what to do. `choices` are all that it can be, each with its words; without any it is typed, as a
    whole number with `number`. `option`: the command line has another value, which wins.
    """

    name: str
    label: str
    words: str
    value: str
    fault: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    number: bool = False
    option: str = ""


class Form(Struct, frozen=True):
    """The configuration as a page shows it. `file` is where it is kept, "" where there is none.

    `faults` are those that belong to no field, `closed` why nothing can be changed here, "" if it can.
    `was` is what the file had in it, as a digest. `restart`: what the file says is not what runs. `port` is
    that of the pages after a start, 0 where it stays. `saved`: what was typed is in the file now. `first`:
    the game on the table, which goes on before that of the file is played; "" where they are the same.
    """

    file: str
    fields: Mapping[str, Field]
    faults: tuple[str, ...] = ()
    closed: str = ""
    was: str = ""
    restart: bool = False
    port: int = 0
    saved: bool = False
    first: str = ""


class Lamp(Struct, frozen=True):
    """The lamp of a seat's place: dark, on or blinking."""

    seat: str
    shine: Shine


class Signs(Struct, frozen=True):
    """What emulated lamps, number display and buzzer show and have played last, "" for nothing yet.

    `digits` are the four characters of the display, `last` whether it says LASt in turn with them.
    """

    lamps: tuple[Lamp, ...]
    digits: str
    last: bool
    tune: str


class Upkeep(Protocol):
    """What the pages may ask of the machine. Any thread may."""

    def listen(self, callback: Callable[[], None]) -> None:
        """Call back when what `health` says has changed by a look; the callback must only hand over."""

    def health(self) -> Health:
        """What works now, and what was found at the last look."""

    def look(self) -> None:
        """Look at everything that is not a device of this table, unless that is being done."""

    def form(self) -> Form:
        """The configuration as the file has it."""

    def change(self, typed: Mapping[str, str], was: str) -> Form:
        """Write what was typed into the file; with any fault nothing is written, and the form tells it.

        `was` is the digest of the file that people had before them.
        """

    @property
    def restarts(self) -> bool:
        """Whether Stationmaster can start itself again."""

    def restart(self) -> str:
        """Start Stationmaster again a moment later; why that cannot be, "" when it will."""

    def signs(self) -> Signs | None:
        """What emulated lamps, display and buzzer show now; None where there are none."""
