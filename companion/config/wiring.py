"""The drawing of what hangs on which pin, made from the configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from msgspec import Struct

from companion.config import Config
from companion.games.drawing import BLACK, WHITE, Circle, Drawing, Placed, Shape, Text, line, rectangle
from companion.games.lettering import width_of
from firmware_bridge import controller_wiring, pins

GROUND = "ground"


class Header(Struct, frozen=True):
    """The pins of a board: its title, how it is held so that pin 1 is upper left, each row's two pins."""

    title: str
    held: str
    rows: tuple[tuple[str, str], ...]
    around: bool = False
    """Whether the pins are counted down on the left and up on the right, and not row by row."""

    def number(self, row: int, right: bool) -> int:
        """The number of the pin in that row, from 0 on."""
        if self.around:
            return 2 * len(self.rows) - row if right else row + 1
        return 2 * row + (2 if right else 1)


PI = Header(
    "Raspberry Pi",
    "Pin 1 is at the end of the memory card.",
    (
        ("3.3 V", "5 V"),
        ("GPIO 2", "5 V"),
        ("GPIO 3", GROUND),
        ("GPIO 4", "GPIO 14"),
        (GROUND, "GPIO 15"),
        ("GPIO 17", "GPIO 18"),
        ("GPIO 27", GROUND),
        ("GPIO 22", "GPIO 23"),
        ("3.3 V", "GPIO 24"),
        ("GPIO 10", GROUND),
        ("GPIO 9", "GPIO 25"),
        ("GPIO 11", "GPIO 8"),
        (GROUND, "GPIO 7"),
        ("GPIO 0", "GPIO 1"),
        ("GPIO 5", GROUND),
        ("GPIO 6", "GPIO 12"),
        ("GPIO 13", GROUND),
        ("GPIO 19", "GPIO 16"),
        ("GPIO 26", "GPIO 20"),
        (GROUND, "GPIO 21"),
    ),
)

PICO = Header(
    "Raspberry Pi Pico",
    "Pin 1 is beside the USB socket.",
    (
        ("GPIO 0", "VBUS"),
        ("GPIO 1", "VSYS"),
        (GROUND, GROUND),
        ("GPIO 2", "3V3 EN"),
        ("GPIO 3", "3.3 V"),
        ("GPIO 4", "ADC VREF"),
        ("GPIO 5", "GPIO 28"),
        (GROUND, GROUND),
        ("GPIO 6", "GPIO 27"),
        ("GPIO 7", "GPIO 26"),
        ("GPIO 8", "RUN"),
        ("GPIO 9", "GPIO 22"),
        (GROUND, GROUND),
        ("GPIO 10", "GPIO 21"),
        ("GPIO 11", "GPIO 20"),
        ("GPIO 12", "GPIO 19"),
        ("GPIO 13", "GPIO 18"),
        (GROUND, GROUND),
        ("GPIO 14", "GPIO 17"),
        ("GPIO 15", "GPIO 16"),
    ),
    around=True,
)


class Hung(Protocol):
    """What hangs on a pin, as the devices' own rooms tell it."""

    @property
    def gpio(self) -> int:
        """The pin's GPIO number."""

    @property
    def words(self) -> str:
        """What people call it."""

    @property
    def path(self) -> tuple[str, ...]:
        """Where in its section it stands."""


# By the last word of where it stands; what is none of these is a button.
_COLOURS = {
    "lamp": "#d98e04",
    "strip": "#d98e04",
    "buzzer": "#7b3fa0",
    "clk": "#1f7a3d",
    "dio": "#1f7a3d",
}
_BUTTON = "#1f5fa8"
_GREY = "#8a8a8a"
_NOTES = (
    "Each button connects its pin to ground.",
    "Each lamp is an LED with a resistor of 330 ohms, from its pin to ground.",
    "The buzzer is a passive piezo, from its pin to ground. Any of the grounds will do.",
)

_PITCH, _MIDDLE, _GAP = 7.0, 100.0, 8.0  # mm between rows, to the middle of a board, between its two columns
_TOP, _FOOT = 24.0, 8.0


def wiring(config: Config) -> Drawing | None:
    """What hangs on the Pi's pins and on a controller's, side by side; None where nothing hangs on either."""
    boards = list(_boards(config))
    if not boards:
        return None
    width = sum(board.width for board in boards)
    height = boards[0].height + 6 * len(_NOTES) + 4
    shapes: list[Shape] = [rectangle(0, 0, width, height, WHITE)]
    left = 0.0
    for board in boards:
        shapes.append(Placed(board, (left + board.width / 2, board.height / 2)))
        left += board.width
    for number, note in enumerate(_NOTES):
        shapes.append(Text(note, (8, boards[0].height + 6 * number), 3.6, anchor="start"))
    return Drawing(width, height, tuple(shapes))


def _boards(config: Config) -> Iterator[Drawing]:
    if config.pins is not None:
        yield _board(PI, {wire.gpio: wire for wire in pins.wires(config.pins)})
    if config.controller is not None and config.controller.line != "none":
        wired = controller_wiring.wired(config.controller)
        yield _board(PICO, {wire.gpio: wire for wire in controller_wiring.wires(wired)})


def _board(header: Header, hung: Mapping[int, Hung]) -> Drawing:
    deep = _PITCH * len(header.rows)
    shapes: list[Shape] = [
        Text(header.title, (_MIDDLE, 10), 7, font="number"),
        Text(header.held, (_MIDDLE, 17), 3.6),
        rectangle(_MIDDLE - 8, _TOP - 4, 16, deep + 1, "#2b2b2b", radius=2),
    ]
    for row, names in enumerate(header.rows):
        for right in (False, True):
            shapes += _pin(header, row, right, hung.get(_gpio(names[right])))
    return Drawing(2 * _MIDDLE, _TOP + deep + _FOOT, tuple(shapes))


def _pin(header: Header, row: int, right: bool, what: Hung | None) -> Iterator[Shape]:
    name = header.rows[row][right]
    side = 1 if right else -1
    y = _TOP + _PITCH * row
    x = _MIDDLE + side * _GAP / 2
    colour = _GREY if what is None else _COLOURS.get(what.path[-1], _BUTTON)
    yield Circle((x, y), 2.6, colour if what else BLACK if name == GROUND else WHITE, colour, 0.6)
    shade = BLACK if what is None and name != GROUND else WHITE
    yield Text(str(header.number(row, right)), (x, y + 1), 2.6, shade)
    place = (_MIDDLE + side * 11, y + 1.3)
    yield Text(name, place, 3.6, BLACK if what else _GREY, anchor="start" if right else "end")
    if what is not None:
        start, end = _MIDDLE + side * 28, _MIDDLE + side * 36
        yield line(((start, y), (end, y)), colour, 0.6)
        wide = width_of(what.words, "text", 3.8) + 5
        yield rectangle(min(end, end + side * wide), y - 2.9, wide, 5.8, "", colour, 0.6, radius=1.5)
        yield Text(what.words, (end + side * wide / 2, y + 1.3), 3.8, colour)


def _gpio(name: str) -> int:
    """The GPIO number of the pin of that name, -1 where it is none."""
    return int(name.removeprefix("GPIO ")) if name.startswith("GPIO ") else -1
