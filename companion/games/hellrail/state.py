"""The State of HellRail: plain data, complete, exact in JSON."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from companion.games.hellrail.options import Options
from companion.games.hellrail.track import Cell, Position, Track

SEATS = ("red", "blue", "green", "yellow")
"""The engines' colours, which name the seats."""

GATE = "G"

COLUMNS, ROWS = 11, 8
"""Cells that the sheet shows; cards may lie beyond it, out of the camera's sight."""

CHIPS = 4
TICKETS = 2
HAND = 3

CHIP = "chip"
TICKET = "ticket"

OPPONENTS = "opponents"
"""Whom a step of a Circle's Effect is for, if it is for all opponents."""

# Counters that Circle Effects put on Rail Cards.
COIN = "coin"
BARRIER = "barrier"
COUNTERS = (BARRIER, COIN)
"""A barrier lets no engine onto the card; a coin only makes it not empty."""

# Where a game stands.
CIRCLES = "circles"  # the players lay the Circles
SETUP = "setup"
FIRST_PLAYER = "first_player"
ACTIONS = "actions"
CROSSING = "crossing"
LANDING = "landing"
DECLARE = "declare"
HERESY = "heresy"
EFFECT = "effect"
FANNED = "fanned"
OVER = "over"

PHASES = (
    CIRCLES,
    SETUP,
    FIRST_PLAYER,
    ACTIONS,
    CROSSING,
    LANDING,
    DECLARE,
    HERESY,
    EFFECT,
    FANNED,
    OVER,
)


class RailCard(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A Rail Card: its name, Car Value, Pickup and Setout Circle, Brimstone Value and rail."""

    name: str
    value: int
    pickup: str
    setout: str
    brimstone: int
    track: Track


class Step(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One step of a Circle's Effect.

    `do` is one of STEPS. `who` it is for: "self", "opponent" (the player picks one), "opponents"
    (all of them), "anyone". `count` of cards; `what` is gained or put or taken; `to` is a Circle.
    `optional` steps may be left out. `words` are the owner's, for what the table does.
    """

    do: str
    who: str = "self"
    count: int = 1
    what: str = ""
    to: str = ""
    optional: bool = False
    words: str = ""


STEPS = (
    "gain",  # a chip or a ticket, if there is one and the player has none
    "derail",
    "draw",  # cards
    "discard",  # cards of one's own choice
    "turn_rail",  # an empty Rail Card
    "scrap_rail",  # an empty Rail Card
    "put_counter",  # on a Rail Card without engines
    "take_counter",
    "move_engine",  # to a Circle
    "table",  # what this vocabulary cannot say: the players do it and tell what came of it
)


class CircleCard(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A Circle Card: its name ("G", "1" to "9"), title, the sides with rail, and its Effect."""

    name: str
    title: str
    sides: str = "NESW"
    words: str = ""
    steps: tuple[Step, ...] = ()


class Edition(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """The cards that a game is played with, as its pack has them."""

    name: str
    rails: tuple[RailCard, ...]
    circles: tuple[CircleCard, ...]


class Circle(Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """A Circle Card on the table."""

    name: str
    cell: Cell


class Rail(Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """A Rail Card on the table: its cell and turn, the cards that it covers (lowest first), counters."""

    cell: Cell
    card: str
    turn: int
    covered: tuple[tuple[str, int], ...] = ()
    counters: tuple[str, ...] = ()


class Crossing(Struct, frozen=True, forbid_unknown_fields=True):
    """A ticket is being used: the blank squares, where the engine would land, and going which way."""

    blanks: int
    to: Position


class Effect(Struct, frozen=True, forbid_unknown_fields=True):
    """A Circle's Effect that is decided or carried out.

    `seat` (its number) entered the Circle. `use` is what holds so far; `asked` are the seats that
    still say whether they spend a chip. `steps` are left; `chosen` is whom the present step is for,
    and `count` how much of it is left.
    """

    seat: int
    circle: str
    use: bool = False
    asked: tuple[int, ...] = ()
    steps: tuple[Step, ...] = ()
    chosen: tuple[int, ...] = ()
    count: int = 0


class State(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """All that the rules need to know of one game.

    `seats` are in clockwise order, and what belongs to each follows them: `engines`, `hands`
    (sorted, so that their order tells nothing), `loaded` cars from the engine back, `delivered`
    cars, `chips` and `tickets`. `circles` are the Circle Cards on the table, by name;
    `dealt` are those that the seats still have to lay. `rails` are sorted by cell. `deck` is top first.
    `discard` lies face up, `top` being the card that shows ("" when none is known to); `buried`
    are discards that nobody was shown. `turn` is a seat number. `owed` draws of seat `drawer` wait
    for a shuffle. `throws` are for the first player: 0 not thrown yet, -1 beaten. `entries` are
    seats that were pushed into Circles and are still to decide (HR-A14). `turn_over` says that the turn
    ends once what is being decided and carried out is done. `dice` were thrown last.
    """

    edition: Edition
    options: Options
    seats: tuple[str, ...]
    circles: tuple[Circle, ...]
    dealt: tuple[tuple[str, ...], ...]
    rails: tuple[Rail, ...]
    engines: tuple[Position, ...]
    hands: tuple[tuple[str, ...], ...]
    loaded: tuple[tuple[str, ...], ...]
    delivered: tuple[tuple[str, ...], ...]
    chips: tuple[int, ...]
    tickets: tuple[int, ...]
    deck: tuple[str, ...]
    discard: tuple[str, ...]
    buried: tuple[str, ...]
    top: str
    throws: tuple[int, ...]
    turn: int
    phase: str
    owed: int = 0
    drawer: int = 0
    crossing: Crossing | None = None
    effect: Effect | None = None
    entries: tuple[int, ...] = ()
    turn_over: bool = False
    dice: tuple[int, ...] = ()


@lru_cache(maxsize=64)
def rail_cards(edition: Edition) -> Mapping[str, RailCard]:
    """The Rail Cards by name."""
    return {card.name: card for card in edition.rails}


@lru_cache(maxsize=64)
def circle_cards(edition: Edition) -> Mapping[str, CircleCard]:
    """The Circle Cards by name."""
    return {card.name: card for card in edition.circles}
