"""What lies around HellRail's cards: Engine Cards, engines' sides, chips, tickets, counters."""

from __future__ import annotations

from companion.games.drawing import (
    BLACK,
    WHITE,
    Circle,
    Curve,
    Drawing,
    Path,
    Shape,
    Text,
    line,
    on_circle,
    paragraph,
    polygon,
    rectangle,
)
from companion.games.hellrail.drawings.cards import ENGINE, ENGINES
from companion.games.hellrail.drawings.signs import CREAM, EMBER, GLOW, INK, WINE, fire
from companion.games.hellrail.table import CARD
from companion.games.kit import Faces
from companion.games.layout import Point

_STEEL = "#c9cdd3"
_GOLD, _DARK_GOLD = "#f0b92e", "#a87511"
_RIVER, _DEEP = "#cfe0e8", "#2f5f78"
_TURN = (
    "Draw a card. Then lay, upgrade, pick up, set out and move, as often as you like. "
    "Fanning the Flames ends your turn."
)


def engine_card(seat: str) -> Drawing:
    """The card that a train begins with, 60 x 60 mm: an engine of the seat's colour, and how a turn goes."""
    colour = ENGINES[seat]
    return Drawing(
        CARD,
        CARD,
        (
            rectangle(0, 0, CARD, CARD, "#f6e3bd"),
            rectangle(1.8, 1.8, CARD - 3.6, CARD - 3.6, "", colour, 1.4, radius=2.5),
            rectangle(1.8, 30.2, CARD - 3.6, 1.4, INK),
            *locomotive((5.0, 4.6), 50.0, colour),
            *paragraph(seat.title(), "title", 8.0, INK, (5, 32.4, CARD - 10, 9)),
            *paragraph(_TURN, "text", 3.9, INK, (5, 41, CARD - 10, 16)),
        ),
    )


def engine_faces(seat: str, height: float) -> Faces:
    """The sides of an engine to fold up, `height` mm high."""
    across, onward = ENGINE
    colour = ENGINES[seat]

    def side(ahead: int) -> Drawing:
        shapes = locomotive((0.6, 0.2), onward - 1.2, colour, ahead)
        return Drawing(onward, height, (rectangle(0, 0, onward, height, CREAM), *shapes))

    return Faces(_front(across, height, colour), side(1), _rear(across, height, colour), side(-1))


def locomotive(corner: Point, length: float, colour: str, ahead: int = 1) -> tuple[Shape, ...]:
    """An engine from the side, half as high as long, from that corner; it heads right (1) or left (-1)."""
    unit = length / 60

    def at(x: float, y: float) -> Point:
        return (corner[0] + (x if ahead > 0 else 60 - x) * unit, corner[1] + y * unit)

    def block(left: float, top: float, right: float, bottom: float, fill: str) -> Shape:
        corners = (at(left, top), at(right, top), at(right, bottom), at(left, bottom))
        return polygon(corners, fill, INK, 0.9 * unit)

    def wheel(x: float, radius: float) -> tuple[Shape, ...]:
        middle = at(x, 29.3 - radius)
        spokes = (
            line(
                (on_circle(middle, radius * unit, turn), on_circle(middle, radius * unit, turn + 180)),
                INK,
                0.6 * unit,
            )
            for turn in (0, 60, 120)
        )
        return (
            Circle(middle, radius * unit, _STEEL, INK, 1.2 * unit),
            *spokes,
            Circle(middle, 1.2 * unit, EMBER),
        )

    return (
        polygon((at(54, 21.5), at(59.4, 29.0), at(50, 29.0), at(50, 21.5)), EMBER, INK, 0.9 * unit),
        block(2, 20, 54, 24, INK),
        block(19, 9, 51, 21, colour),
        Path(at(51, 9), (Curve(at(55.5, 10), at(55.5, 20), at(51, 21)),), INK),
        block(3, 3.5, 19, 21, colour),
        block(1, 1.5, 21, 3.6, INK),
        block(6.5, 6.5, 15.5, 13, GLOW),
        *(block(x, 9, x + 1.6, 21, INK) for x in (27, 36)),
        polygon((at(43, 9), at(42, 1.2), at(49.5, 1.2), at(48.5, 9)), INK),
        Path(at(29, 9), (Curve(at(29, 4), at(35.5, 4), at(35.5, 9)),), _GOLD, INK, 0.9 * unit),
        *wheel(11, 5.6),
        *wheel(25, 5.6),
        *wheel(38, 4.2),
        *wheel(48, 4.2),
    )


def _front(across: float, height: float, colour: str) -> Drawing:
    """A boiler with a friendly face."""
    x, y = across / 2, height / 2
    return Drawing(
        across,
        height,
        (
            rectangle(0, 0, across, height, colour),
            *(
                polygon(
                    ((x + side * 2.2, 1.4), (x + side * 4.6, 0.3), (x + side * 3.7, 2.6)), CREAM, INK, 0.25
                )
                for side in (-1, 1)
            ),
            Circle((x, y + 0.2), 3.4, INK),
            *(Circle((x + side * 1.2, y - 0.5), 0.75, GLOW) for side in (-1, 1)),
            Path(
                (x - 1.6, y + 1.1),
                (Curve((x - 0.8, y + 2.5), (x + 0.8, y + 2.5), (x + 1.6, y + 1.1)),),
                "",
                GLOW,
                0.5,
                closed=False,
            ),
            *(Circle((x + side * 6.6, y + 0.6), 1.1, GLOW, INK, 0.3) for side in (-1, 1)),
        ),
    )


def _rear(across: float, height: float, colour: str) -> Drawing:
    """The coal, glowing."""
    lumps = tuple(
        Circle((across / 2 + x, 2.6 + (0.5 if number % 2 else 0.0)), 1.3, INK)
        for number, x in enumerate((-5.2, -3.1, -1.0, 1.1, 3.2, 5.3))
    )
    return Drawing(
        across,
        height,
        (
            rectangle(0, 0, across, height, colour),
            *lumps,
            rectangle(across / 2 - 7, 3.0, 14, 4.2, colour, INK, 0.4, radius=0.6),
            *(Circle((across / 2 + side * 4.5, 5.1), 0.8, EMBER, INK, 0.3) for side in (-1, 1)),
        ),
    )


def heresy_chip() -> Drawing:
    """A Heresy Chip, 25 mm across."""
    middle = (12.5, 12.5)
    return Drawing(
        25,
        25,
        (
            Circle(middle, 12.3, WINE, BLACK, 0.2),
            Circle(middle, 10.6, "", GLOW, 0.6),
            *fire((12.5, 9.6), 11.0, EMBER, GLOW),
            Text("Heresy", (12.5, 19.6), 4.8, CREAM, "title"),
        ),
    )


def boatman_ticket() -> Drawing:
    """A Boatman Ticket, 50 x 25 mm."""
    hull = Path(
        (6.0, 14.0),
        (
            (22.0, 14.0),
            Curve((21.0, 18.6), (18.0, 19.0), (14.0, 19.0)),
            Curve((10.0, 19.0), (7.0, 18.6), (6.0, 14.0)),
        ),
        INK,
    )
    waves = tuple(
        Path(
            (4.5 + 5 * number, 20.6),
            (Curve((6.0 + 5 * number, 19.2), (8.0 + 5 * number, 22.0), (9.5 + 5 * number, 20.6)),),
            "",
            _DEEP,
            0.6,
            closed=False,
        )
        for number in range(4)
    )
    return Drawing(
        50,
        25,
        (
            rectangle(0.1, 0.1, 49.8, 24.8, _RIVER, BLACK, 0.2),
            rectangle(1.6, 1.6, 46.8, 21.8, "", _DEEP, 0.6, radius=1.5),
            hull,
            line(((18.4, 3.6), (21.6, 19.6)), INK, 0.7),
            Circle((13.0, 7.2), 1.9, INK),
            Path(
                (10.4, 14.0),
                (
                    Curve((10.6, 10.0), (12.0, 8.6), (13.0, 8.6)),
                    Curve((14.0, 8.6), (15.6, 10.0), (15.8, 14.0)),
                ),
                INK,
            ),
            *waves,
            Text("Boatman", (36.0, 12.0), 6.6, _DEEP, "title"),
            Text("Ticket", (36.0, 19.0), 6.6, _DEEP, "title"),
        ),
    )


def coin() -> Drawing:
    """A coin for a Rail Card, 16 mm across."""
    middle = (8.0, 8.0)
    return Drawing(
        16,
        16,
        (
            Circle(middle, 7.8, _GOLD, BLACK, 0.2),
            Circle(middle, 6.5, "", _DARK_GOLD, 0.6),
            *fire((8.0, 7.8), 8.4, _DARK_GOLD, CREAM),
        ),
    )


def barrier() -> Drawing:
    """A barrier for a Rail Card, 30 x 10 mm."""
    stripes = tuple(
        polygon(((x, 0.2), (x + 4, 0.2), (x + 1, 9.8), (x - 3, 9.8)), "#c8202f") for x in (4.0, 12.0, 20.0)
    )
    return Drawing(
        30,
        10,
        (
            rectangle(0.1, 0.1, 29.8, 9.8, WHITE),
            *stripes,
            rectangle(0.1, 0.1, 29.8, 9.8, "", BLACK, 0.2),
            *(Circle((x, 5), 1.6, GLOW, INK, 0.4) for x in (2.6, 27.4)),
        ),
    )
