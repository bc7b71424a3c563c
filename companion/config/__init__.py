"""What an owner says of a table in one file, and what its devices are: read, checked, put together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from companion.config.check import Where, Wrong, converted, without, wrongs
from companion.config.lines import Misspelt, Written, read
from firmware_bridge import controller_wiring, pins
from firmware_bridge.controller_wiring import ControllerPins
from firmware_bridge.pins import Pins

USUAL_FILE = Path("/etc/stationmaster.toml")
"""What is read when no other file is named, if it is there."""

LARGEST = 100_000
"""Bytes of a file; what is longer is some other file."""

GameName = Literal["pawns_of_perdition", "hellrail", "rail_raiders_infinite", "hachi_train"]


# What an owner reads of each key and section: in the printed file, in `--help`, and in the docs.
_PACK = "Its cards: a pack's name, owner for your own cards, or the whole path of a .toml file."
_TABLE = (
    "How the table is seen: by a camera, not at all (the phones enter what happens), or emulated, "
    "with nothing real on it. Left out, it is camera where a camera is named, and emulated where "
    "none is."
)
_CAMERA = (
    "The camera: auto for the first that works, /dev/videoN or a name below /dev/v4l/by-id, picamera2 for "
    "one on the Pi's ribbon cable, a video file, or a folder of photographs."
)
_PINS = (
    "How the Pi's own pins are reached: gpiozero for the real ones, mock for emulated ones, none "
    "for no such thing. Left out, it is gpiozero where there is a section [pins], and none where "
    "there is not."
)
_LEARN = (
    "yes keeps small pictures of dice that were misread and that you put right, in the folder own-dice below "
    "state, and reads such dice better by them. The page Camera shows and deletes them. Nothing else of a "
    "picture is kept. With no nothing is kept, and what was kept is not used."
)
_STATE = (
    "The folder where games are kept. Left out, it is the service's own, or ~/.local/state/stationmaster."
)
_HOST = "The address to listen on; 0.0.0.0 is all of them."
_PORT = "The port of the pages; 0 takes a free one."
_SEED = "What the emulated table's dice and shuffles begin with."
_RUN = (
    "What is played, how the table is seen, and where the phones find it. Each of these is an "
    "option of `stationmaster run` too, and there it wins: port here, --port there."
)
_WIRING = (
    "What hangs on the Pi's own pins. The numbers are those of the GPIO, not of the header's pins; "
    "what is left out is not there. The places round the table have numbers from 1, in the order in"
    " which people sit; each has a section of its own."
)
_CONTROLLER = (
    "A Raspberry Pi Pico at a USB cable, and what hangs on its pins; the numbers are those of its "
    "GPIO. With a line and nothing else here, it is wired as docs/controller.md shows."
)


class Run(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The section `[run]`. Each key is an option of the command line as well."""

    game: Annotated[GameName, Meta(description="The game.")] = "pawns_of_perdition"
    pack: Annotated[str, Meta(description=_PACK, min_length=1, extra={"wanted": "a pack's name or file"})] = (
        "house"
    )
    table: Annotated[Literal["emulated", "camera", "none"], Meta(description=_TABLE)] | None = None
    camera: (
        Annotated[
            str,
            Meta(
                description=_CAMERA,
                min_length=1,
                extra={"wanted": "auto, /dev/videoN, picamera2, a video file or a folder of photographs"},
            ),
        ]
        | None
    ) = None
    pins: Annotated[Literal["gpiozero", "mock", "none"], Meta(description=_PINS)] | None = None
    learn: Annotated[Literal["no", "yes"], Meta(description=_LEARN)] = "no"
    state: (
        Annotated[
            str,
            Meta(
                description=_STATE,
                pattern="^(/|~/).*$",
                extra={"wanted": "a folder's whole path, from / or ~/ on"},
            ),
        ]
        | None
    ) = None
    host: Annotated[str, Meta(description=_HOST, min_length=1)] = "0.0.0.0"
    port: Annotated[int, Meta(description=_PORT, ge=0, le=65535)] = 8080
    seed: Annotated[int, Meta(description=_SEED, ge=0)] | None = None


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole of a configuration file."""

    run: Annotated[Run, Meta(description=_RUN)] = field(default_factory=Run)
    pins: Annotated[Pins, Meta(description=_WIRING)] | None = None
    controller: Annotated[ControllerPins, Meta(description=_CONTROLLER)] | None = None


class ConfigFault(Struct, frozen=True):
    """What is wrong with a file, on which line (from 1; 0 for the whole of it), and what to do.

    `where` is the key that it is about, empty where it is about none.
    """

    line: int
    words: str
    cure: str
    where: Where = ()


class BadConfig(ValueError):
    """A configuration that cannot be used: all that is wrong with it, in words."""

    def __init__(self, source: str, faults: tuple[ConfigFault, ...]) -> None:
        super().__init__("\n".join(_told(source, fault) for fault in faults))
        self.faults = faults


def load(file: Path | None) -> Config:
    """What the file says, the defaults for what it leaves out. BadConfig with every fault in it."""
    if file is None:
        return Config()
    try:
        content = file.read_bytes()
        if len(content) > LARGEST:
            words = f"It has {len(content)} bytes; no configuration is that long."
            raise BadConfig(str(file), (ConfigFault(0, words, "Name the right file."),))
        text = content.decode()
    except UnicodeDecodeError as fault:
        line = fault.object[: fault.start].count(b"\n") + 1
        words = "This line is no UTF-8 text."
        raise BadConfig(str(file), (ConfigFault(line, words, "Save the file as UTF-8."),)) from fault
    except OSError as fault:
        raise BadConfig(str(file), (_unread(fault),)) from fault
    return parse(text, str(file))


def parse(text: str, source: str) -> Config:
    """What the text of a file says. BadConfig, naming it as `source`, with every fault in it."""
    written = read(text)
    faults = [
        ConfigFault(one.line, f"'{one.text}' is no TOML ({one.words}).", _spelling(one))
        for one in written.misspelt
    ]
    faults += _located(_wrong(written), written)
    if faults:
        raise BadConfig(source, tuple(sorted(faults, key=lambda fault: fault.line)))
    return converted(written.values, Config)


def _wrong(written: Written) -> Iterator[Wrong]:
    found = wrongs(written.values, Config)
    if written.misspelt:
        # What could not be read may be what seems to be missing.
        found = [one for one in found if not one.missing]
    yield from found
    good = without(written.values, [one.where for one in found])
    for name, check in CHECKS.items():
        if name in good and not wrongs({name: good[name]}, Config):
            yield from check(good[name])


def _on_the_pi(values: Any) -> Iterator[Wrong]:
    for fault in pins.wiring_faults(converted(values, Pins)):
        yield Wrong(("pins", *fault.path), fault.words, "")


def _on_the_controller(values: Any) -> Iterator[Wrong]:
    for fault in controller_wiring.wiring_faults(converted(values, ControllerPins)):
        yield Wrong(("controller", *fault.path), fault.words, "")


CHECKS: Mapping[str, Callable[[Any], Iterator[Wrong]]] = {
    "pins": _on_the_pi,
    "controller": _on_the_controller,
}
"""What a section's own room has against values that are right one by one."""


def _located(found: Iterator[Wrong], written: Written) -> Iterator[ConfigFault]:
    for one in found:
        yield ConfigFault(_line(one.where, written), one.words, one.cure, one.where)


def _line(where: Where, written: Written) -> int:
    """The line of the key, or of the section that ought to have it."""
    return next((line for end in range(len(where), 0, -1) if (line := written.line(where[:end]))), 0)


def _unread(fault: OSError) -> ConfigFault:
    match fault:
        case FileNotFoundError():
            return ConfigFault(
                0,
                "There is no such file.",
                "Type: stationmaster config > FILE, to have one with every key in it.",
            )
        case PermissionError():
            return ConfigFault(0, "This user may not read it.", "Type: sudo chmod a+r FILE, with its name.")
    return ConfigFault(0, f"It cannot be read ({fault.strerror}).", "Name a file.")


def _spelling(one: Misspelt) -> str:
    """What to do about what the reader of TOML says."""
    words = one.words
    if one.open:
        return "It begins here and is nowhere closed. What follows is checked when it is."
    if "escape" in words or "hex" in words:
        return r"In a text, write \\ for each \, or put the text in 'single quotes'."
    if words.startswith(("Cannot overwrite", "Cannot declare", "Cannot mutate")):
        return "It stands here for the second time. Keep one of the two."
    if words.startswith(("Illegal character", "Unterminated")):
        return "Close the quotes on the line that they were opened on."
    if words.startswith("Invalid value"):
        return 'A line is KEY = VALUE, and a text stands in quotes: game = "hellrail".'
    return "A line is [SECTION], or KEY = VALUE, or begins with a #."


def _told(source: str, fault: ConfigFault) -> str:
    place = f"{source}, line {fault.line}: " if fault.line else f"{source}: " if source else ""
    return f"{place}{fault.words} {fault.cure}".rstrip()
