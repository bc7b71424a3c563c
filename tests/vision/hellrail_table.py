"""A table of HellRail for the reader's tests: an edition, a state with much rail, and how it lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from msgspec.structs import replace

from companion.games.hellrail.options import Options
from companion.games.hellrail.state import (
    ACTIONS,
    Circle,
    CircleCard,
    Edition,
    Rail,
    RailCard,
    State,
)
from companion.games.hellrail.table import layout, table_map
from companion.games.hellrail.track import Cell, Position, Track, face
from companion.games.layout import Piece, Place, Point, Reading, Sight
from tests.vision.laid_table import Arm, Laid, LaidTable, View
from vision.source import Frame
from vision.table import TableReader

SURE = 0.9
"""A confidence from which on the rules are told without asking."""

_TRACKS = (
    Track(("NS4",)),
    Track(("NE3",)),
    Track(("NS4", "EW4")),
    Track(("NE3", "SW3")),
    Track(("NE3", "EW4")),
    Track(("NS4", "NW3")),
    Track(("NE3", "NS4", "EW4", "SW3")),
    Track(("NE3", "NW3", "ES3", "SW3")),
)
EDITION = Edition(
    "drawn",
    tuple(
        RailCard(f"R{number + 1}", 1 + number % 6, "1", "2", 1 + number % 4, _TRACKS[number % len(_TRACKS)])
        for number in range(45)
    ),
    tuple(CircleCard(name, name) for name in ("G", *"123456789")),
)
TRACKS = {card.name: card.track for card in EDITION.rails}
SEATS = ("red", "blue", "green", "yellow")
CIRCLES = tuple(
    Circle(name, cell)
    for name, cell in sorted(
        {
            "G": (1, 6), "1": (2, 5), "2": (1, 4), "3": (2, 3), "4": (3, 2), "5": (5, 2),
            "6": (6, 3), "7": (7, 4), "8": (6, 5), "9": (4, 6),
        }.items()
    )
)  # fmt: skip


def full_state(seed: int, rails: int = 35, top: str = "R45") -> State:
    """Circles, so many Rail Cards around them, two engines on rail and two in Circles."""
    chance = np.random.default_rng(seed)
    taken: set[Cell] = {circle.cell for circle in CIRCLES}
    free = sorted(
        {(c + x, r + y) for c, r in taken for x in range(-2, 3) for y in range(-2, 3)}
        & {(c, r) for c in range(11) for r in range(8)} - taken
    )
    cells = [free[at] for at in sorted(chance.permutation(len(free))[:rails])]
    names = chance.permutation([card.name for card in EDITION.rails if card.name != top])
    laid = tuple(
        Rail(cell, str(name), int(chance.integers(4)) * 90)
        for cell, name in zip(cells, names[:rails], strict=True)
    )
    clear = [rail for rail in laid if clear_spots(rail)]
    return state(laid, tuple(_spot(rail, chance) for rail in (clear[0], clear[-1])), top)


def _spot(rail: Rail, chance: np.random.Generator) -> Position:
    spots = sorted(clear_spots(rail))
    segment, tie, facing = spots[int(chance.integers(len(spots)))]
    return Position(rail.cell, segment, tie, facing)


def clear_spots(rail: Rail) -> list[tuple[str, int, str]]:
    """The spots of a card that no other spot of it nearly coincides with: those a camera can tell."""
    turned = face(TRACKS[rail.card], rail.turn)
    places = {
        place.name: np.mean(place.outline, axis=0)
        for place in table_map(state((rail,))).places
        if place.look == "tie"
    }
    clear = []
    for spot in turned.ahead:
        name = f"tie:{rail.cell[0]},{rail.cell[1]}:{spot[0]}:{spot[1]}"
        away = [float(np.hypot(*(places[name] - at))) for other, at in places.items() if other != name]
        if min(away, default=99.0) > 9.0:
            clear.append(spot)
    return clear


def state(rails: tuple[Rail, ...] = (), engines: tuple[Position, ...] = (), top: str = "") -> State:
    """The Circles and that rail; engines that are not given stand in the Gate and in Circle 1."""
    homes = (Position((1, 6)), Position((1, 6)), Position((1, 6)), Position((2, 5)))
    return State(
        edition=EDITION,
        options=Options(),
        seats=SEATS,
        circles=CIRCLES,
        dealt=(),
        rails=tuple(sorted(rails)),
        engines=(*engines, *homes[len(engines) :]),
        hands=((),) * 4,
        loaded=((),) * 4,
        delivered=((),) * 4,
        chips=(0,) * 4,
        tickets=(0,) * 4,
        deck=(),
        discard=(top,) if top else (),
        buried=(),
        top=top,
        throws=(0,) * 4,
        turn=0,
        phase=ACTIONS,
    )


@dataclass
class Lie:
    """How things lie on a real table: laid by hand (`slack` mm, `askew` degrees), on cells that creep.

    `creep` is where a cell truly is (mm beside where it is printed), by its column and row.
    """

    seed: int = 0
    slack: float = 2.0
    askew: float = 2.5
    stretch: tuple[float, float] = (0.0, 0.0)
    rotation: float = 0.0
    _chance: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self._chance = np.random.default_rng(self.seed)

    def creep(self, at: Point) -> Point:
        """Where what is printed there truly lies: `stretch` and `rotation` around the Gate."""
        x, y = at[0] - 150.0, at[1] - 420.0
        angle = np.radians(self.rotation)
        return (
            at[0] + x * self.stretch[0] - y * float(np.sin(angle)),
            at[1] + y * self.stretch[1] + x * float(np.sin(angle)),
        )

    def laid(self, of: State) -> list[Laid]:
        """Each piece of that state, cards first, as somebody laid it: turned as the state has it."""
        places = {place.name: place for place in table_map(of).places}
        turns = {rail.card: rail.turn for rail in of.rails}
        cards = [
            self.card(replace(piece, turn=turns.get(piece.name, piece.turn)), places[piece.place])
            for piece in layout(of).pieces
            if piece.kind != "engine"
        ]
        by_cell = {card.place: card.laid for card in cards}
        engines = []
        for piece in layout(of).pieces:
            if piece.kind == "engine":
                cell = piece.place.split(":")[1] if piece.place.startswith("tie:") else ""
                under = by_cell.get(f"cell:{cell}")
                engines.append(self.engine(piece, places, under, of))
        return [card.laid for card in cards] + engines

    def card(self, piece: Piece, place: Place) -> _Card:
        """A card laid by hand on that place."""
        at = np.mean(place.outline, axis=0)
        if place.look == "cell":
            at = np.array(self.creep((float(at[0]), float(at[1]))))
        x, y = at + self._chance.uniform(-self.slack, self.slack, 2)
        turn = piece.turn + self.rotation + self._chance.uniform(-self.askew, self.askew)
        return _Card(piece.place, Laid(piece.kind, piece.name, (float(x), float(y)), float(turn)))

    def engine(self, piece: Piece, places: dict[str, Place], under: Laid | None, of: State) -> Laid:
        """An engine put on a tie of the card where that lies, or somewhere in a Circle."""
        middle = np.mean(places[piece.place].outline, axis=0)
        if under is None:
            at = np.array(self.creep((float(middle[0]), float(middle[1]))))
            x, y = at + self._chance.uniform(-15, 15, 2)
            return Laid("engine", piece.name, (float(x), float(y)), float(self._chance.uniform(0, 360)))
        rail = next(rail for rail in of.rails if rail.card == under.name)
        cell = np.mean(places[f"cell:{rail.cell[0]},{rail.cell[1]}"].outline, axis=0)
        off = under.turn - rail.turn
        c, s = np.cos(np.radians(off)), np.sin(np.radians(off))
        x, y = (middle - cell) @ np.array([(c, s), (-s, c)]) + under.at + self._chance.uniform(-1.2, 1.2, 2)
        turn = piece.turn + off + self._chance.uniform(-8, 8)
        return Laid("engine", piece.name, (float(x), float(y)), float(turn))


@dataclass(frozen=True)
class _Card:
    place: str
    laid: Laid


def truth(of: State) -> dict[tuple[str, str], tuple[str, int]]:
    """Of each piece its true place, and its turn where one counts."""
    return {(piece.kind, piece.name): (piece.place, piece.turn) for piece in layout(of).pieces}


class Table:
    """A table that lies there, a camera over it and a reader behind that; time passes only here."""

    def __init__(self, of: State, view: View | None = None, lie: Lie | None = None) -> None:
        self.state = of
        self.lie = lie or Lie()
        self.drawn = LaidTable(table_map(of), TRACKS, view or View())
        self.laid = self.lie.laid(of)
        self.reader = TableReader(table_map(of), layout(of).pieces)
        self._time = 100.0
        self._last: Reading | None = None

    def rest(self, arms: Sequence[Arm] = (), frames: int = 9) -> list[Reading]:
        """Let everything lie still for a second, perhaps with an arm over it; the Readings that came."""
        readings = []
        for image in self.drawn.film(self.laid, arms, frames):
            self._time += 0.12
            reading = self.reader.see(Frame(self._time, image))
            if reading is not None:
                readings.append(reading)
        return readings

    def read(self, arms: Sequence[Arm] = ()) -> Reading:
        """The last Reading once such a second has passed: one that comes now, or that holds still."""
        for reading in self.rest(arms):
            self._last = reading
        assert self._last is not None
        return self._last

    def wait(self, seconds: float) -> None:
        """Let time pass unseen."""
        self._time += seconds

    def become(self, of: State) -> None:
        """The rules have it so now."""
        self.state = of
        self.reader.lay_out(table_map(of), layout(of).pieces)

    def put(self, kind: str, name: str, at: Point, turn: float = 0.0) -> None:
        """Lay or put a piece there by hand, on top of what lies there."""
        self.take(name)
        cards = [piece for piece in self.laid if piece.kind != "engine"]
        engines = [piece for piece in self.laid if piece.kind == "engine"]
        (engines if kind == "engine" else cards).append(Laid(kind, name, at, turn))
        self.laid = cards + engines

    def take(self, name: str) -> None:
        """Take a piece away."""
        self.laid = [piece for piece in self.laid if piece.name != name]

    def lay(self, rail: Rail, off: Point = (0.0, 0.0), askew: float = 0.0) -> None:
        """Lay a Rail Card on its cell, where that truly is."""
        x, y = self.lie.creep(middle(self.state, f"cell:{rail.cell[0]},{rail.cell[1]}"))
        self.put("rail", rail.card, (x + off[0], y + off[1]), rail.turn + self.lie.rotation + askew)


def middle(of: State, place: str) -> Point:
    """Where the middle of a place is printed (mm)."""
    outline = next(known.outline for known in table_map(of).places if known.name == place)
    x, y = np.mean(outline, axis=0)
    return (float(x), float(y))


def sights(reading: Reading) -> dict[str, Sight]:
    """What was seen, by name."""
    return {sight.piece.name: sight for sight in reading.pieces}


def sure(reading: Reading) -> dict[tuple[str, str], tuple[str, int]]:
    """The place and turn of each piece that was seen surely."""
    return {
        (sight.piece.kind, sight.piece.name): (sight.piece.place, sight.piece.turn)
        for sight in reading.pieces
        if sight.confidence >= SURE
    }
