"""Positions for the tests: a game of HellRail with cards of chosen values, laid out as needed.

The cards are our own: `curve1`, `straight1`, `fork1` and so on lie on the table, `v7b2` has Car Value
7 and Brimstone Value 2, `from3to5` is picked up at Circle 3 and set out at Circle 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion.games.game import Rolled, Ruling, Shuffled
from companion.games.hellrail import GAME
from companion.games.hellrail.actions import HellRailAction, Move
from companion.games.hellrail.pack import CircleEntry, Pack, RailEntry, load_pack
from companion.games.hellrail.pack_faults import faults as pack_faults
from companion.games.hellrail.state import GATE, Rail, State, Step
from companion.games.hellrail.track import Cell, Position

HOUSE = Path(__file__).parents[2] / "companion/games/hellrail/packs/house.toml"
Rails = Mapping[Cell, str | tuple[str, int] | Rail]
"""Rail Cards by cell: a name, a name and a turn, or all of it."""

TRIO = ("red", "blue", "green")
FOUR = ("red", "blue", "green", "yellow")

CURVE = ("NE3",)
STRAIGHT = ("NS4",)
FORK = ("NS4", "NW3")
WYE = ("NE3", "NS4", "ES3")


def _card(
    name: str,
    value: int = 5,
    brimstone: int = 3,
    way: tuple[str, str] = ("1", "2"),
    track: tuple[str, ...] = CURVE,
    **shared: int,
) -> RailEntry:
    return RailEntry(name, value, *way, brimstone, track, shared)


CARDS = (
    *(_card(f"curve{number}") for number in range(1, 8)),
    *(_card(f"straight{number}", track=STRAIGHT) for number in range(1, 7)),
    *(_card(f"fork{number}", track=FORK) for number in (1, 2)),
    *(_card(f"shared{number}", track=FORK, N=1) for number in (1, 2)),
    *(_card(f"wye{number}", track=WYE, N=1, E=1, S=1) for number in (1, 2)),
    _card("double", track=("NE3", "SW3")),
    _card("diamond", track=("NS4", "EW4")),
    _card("three", track=("NE3", "NS4", "NW3")),
    *(
        _card(f"v{v}b{b}", int(v), int(b))
        for v, b in ("11", "25", "32", "41", "44", "55", "61", "71", "91", "95")
    ),
    _card("from3to5", 7, 2, ("3", "5")),
    _card("from3to9", 4, 3, ("3", "9")),
    _card("from4to3", 6, 2, ("4", "3")),
    _card("from5to4", 5, 3, ("5", "4")),
    _card("from1togate", 8, 1, ("1", GATE)),
    _card("from6to7", 2, 4, ("6", "7")),
    *(_card(f"spare{number}") for number in range(1, 8)),
)
NAMES = tuple(card.name for card in CARDS)

DRAW = (Step("draw"),)
STEPS: Mapping[str, tuple[Step, ...]] = {
    **dict.fromkeys((GATE, *"123456789"), DRAW),
    "1": (Step("gain", what="ticket"),),
    "6": (Step("gain", what="chip"),),
}


@cache
def house() -> Pack:
    return load_pack(HOUSE.read_text("utf-8"))


def pack(
    steps: Mapping[str, tuple[Step, ...]] | None = None,
    sides: Mapping[str, str] | None = None,
    cards: Sequence[RailEntry] = (),
) -> Pack:
    """The tests' own cards, with these Circle Effects and these sides with rail, others as ever;
    `cards` stand for those of the same name."""
    circles = tuple(
        CircleEntry(
            name,
            sides=(sides or {}).get(name, "NESW"),
            words="As it says." if effect else "",
            steps=effect,
        )
        for name, effect in {**STEPS, **(steps or {})}.items()
    )
    other = {card.name: card for card in cards}
    made = replace(
        house(),
        name="tests",
        circles=circles,
        rails=tuple(other.get(card.name, card) for card in CARDS),
    )
    assert pack_faults(made) == []
    return made


def begin(seats: Sequence[str] = TRIO, made: Pack | None = None, **options: str) -> State:
    """A game in which all cards have been dealt and the first seat has drawn for its first turn."""
    state = GAME.setup(tuple(seats), made or pack(), options)
    state = do(state, Shuffled(NAMES), Rolled((6,)))
    return do(state, *(Rolled((1,)) for _ in seats[1:]))


def position(
    *,
    seats: Sequence[str] = TRIO,
    made: Pack | None = None,
    options: Mapping[str, str] | None = None,
    circles: Mapping[str, Cell] | None = None,
    rails: Rails | None = None,
    engines: Mapping[str, Position | str] | None = None,
    hands: Mapping[str, Sequence[str]] | None = None,
    loaded: Mapping[str, Sequence[str]] | None = None,
    delivered: Mapping[str, Sequence[str]] | None = None,
    chips: Sequence[str] = (),
    tickets: Sequence[str] = (),
    deck: Sequence[str] | None = None,
    discard: Sequence[str] | None = None,
    **fields: Any,
) -> State:
    """The first seat's turn with this table: rails by cell as (card, turn), engines in a place or in a
    Circle by its name, all others at the Gate. What nobody has lies on the draw pile; with `deck`
    given on the discard pile; with `discard` given too, covered by the rail of a far corner."""
    state = begin(seats, made, **(options or {}))
    moved = tuple(replace(lies, cell=(circles or {}).get(lies.name, lies.cell)) for lies in state.circles)
    lying = {circle.name: Position(circle.cell) for circle in moved}
    where = {
        seat: engine if isinstance(engine, Position) else lying[engine]
        for seat, engine in (engines or {}).items()
    }
    lay = [_rail(cell, rail) for cell, rail in (rails or {}).items()]
    given = [_of(state, cards) for cards in (hands, loaded, delivered)]
    rest = list(NAMES)
    for card in (
        *(card for rail in lay for card in (rail.card, *(under for under, _ in rail.covered))),
        *(card for each in given for cards in each for card in cards),
        *(deck or ()),
        *(discard or ()),
    ):
        rest.remove(card)
    if discard is not None:
        lay.append(Rail((30, 30), rest[0], 0, tuple((card, 0) for card in rest[1:])))
        rest = list(discard)
    state = replace(
        state,
        circles=moved,
        rails=tuple(sorted(lay)),
        engines=tuple(where.get(seat, lying[GATE]) for seat in seats),
        hands=tuple(tuple(sorted(hand)) for hand in given[0]),
        loaded=given[1],
        delivered=tuple(tuple(sorted(cars)) for cars in given[2]),
        chips=tuple(int(seat in chips) for seat in seats),
        tickets=tuple(int(seat in tickets) for seat in seats),
        deck=tuple(rest if deck is None else deck),
        discard=() if deck is None else tuple(rest),
        buried=(),
        top="",
        **fields,
    )
    assert GAME.faults(state) == ()
    return state


def _rail(cell: Cell, rail: str | tuple[str, int] | Rail) -> Rail:
    if isinstance(rail, Rail):
        return replace(rail, cell=cell)
    return Rail(cell, rail, 0) if isinstance(rail, str) else Rail(cell, *rail)


def _of(state: State, cards: Mapping[str, Sequence[str]] | None) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple((cards or {}).get(seat, ())) for seat in state.seats)


def entering(name: str, **fields: Any) -> State:
    """Red is about to enter that Circle, with one tie to go and the card v1b1 to do it with."""
    fields.setdefault("hands", {"red": ["v1b1"]})
    fields["rails"] = {(1, 0): ("straight1", 90), **fields.get("rails", {})}
    return position(circles={name: (2, 0)}, engines={"red": tie(4), **fields.pop("engines", {})}, **fields)


def entered(name: str, **fields: Any) -> State:
    """Red has just entered that Circle, and is to decide on its Effect."""
    return do(entering(name, **fields), Move("red", "v1b1", Position((2, 0))))


def line(length: int = 3) -> dict[Cell, tuple[str, int]]:
    """Straights along the uppermost row, from column 1 on: four ties each, with nothing at either end."""
    return {(column, 0): (f"straight{column}", 90) for column in range(1, length + 1)}


def tie(number: int, facing: str = "E") -> Position:
    """A tie of the line, counted from its left end."""
    column, far = divmod(number - 1, 4)
    return Position((column + 1, 0), "EW", 4 - far, facing)


def do(state: State, *actions: HellRailAction) -> State:
    """The state after these actions, each of which must be legal; chance must have been awaited."""
    for action in actions:
        ruling = GAME.refusal(state, action)
        assert ruling is None, ruling
        if not isinstance(action, Rolled | Shuffled):
            assert action in GAME.legal(state, action.seat)
        state = GAME.play(state, action)
        assert GAME.faults(state) == ()
    return state


def refused(state: State, action: Any) -> Ruling:
    """The Ruling on an action that must not be legal; what it offers instead must be."""
    ruling = GAME.refusal(state, action)
    assert ruling is not None, f"{action} is legal"
    seat = getattr(action, "seat", "")
    assert action not in GAME.legal(state, seat)
    instead: tuple[Any, ...] = ruling.instead
    assert all(GAME.refusal(state, other) is None for other in instead)
    return ruling


def named(state: State, action: Any) -> tuple[str, ...]:
    """The rulings that the table is told of with this legal action."""
    assert GAME.refusal(state, action) is None
    return GAME.decided(state, action)


def may(state: State, kind: type[Any], seat: str = "red") -> list[Any]:
    """The seat's legal actions of that kind."""
    return [action for action in GAME.legal(state, seat) if isinstance(action, kind)]


def engine(state: State, seat: str) -> Position:
    return state.engines[state.seats.index(seat)]


def hand(state: State, seat: str) -> tuple[str, ...]:
    return state.hands[state.seats.index(seat)]


def train(state: State, seat: str) -> tuple[str, ...]:
    return state.loaded[state.seats.index(seat)]


def circle(state: State, name: str) -> Position:
    """The place of an engine in that Circle."""
    return next(Position(circle.cell) for circle in state.circles if circle.name == name)


def in_turn(state: State) -> str:
    return state.seats[state.turn]


def rail(state: State, cell: Cell) -> Rail:
    return next(rail for rail in state.rails if rail.cell == cell)


def counted(cards: Sequence[Sequence[str]]) -> list[int]:
    return [len(each) for each in cards]
