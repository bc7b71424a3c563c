"""The physical table: the train from the caboose to the locomotive, the piles, the tray, and what lies where.

The camera sees the train cars that lie face up, Raiders and Lawbots by the marker on top of each, the
High Noon and the Long Arm card turned up last, Grit beside its car, and the dice. Loot, dollars and
Loot tokens lie in front of the players or face down: they are counted, not seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from companion.games.layout import UNKNOWN, Layout, Marker, Piece, Place, Point, TableMap, Token
from companion.games.rail_raiders_infinite.state import (
    DECKS,
    HIGH_NOON,
    KINDS,
    LONG_ARM,
    LOOT,
    MODELS,
    OFF,
    SEATS,
    TURNED_UP,
    Edition,
    State,
    cards_of,
)

CAR = (92.0, 128.0)
"""A train car across and down, in mm."""

CARD = (63.0, 88.0)
"""A card across and down, in mm."""

PIECE = 25.0
"""Side of a Raider's and of a Lawbot's top, in mm."""

LONGEST = 8
"""Cars of the longest train: six between the ends, for four players. Rulebook, Setup - 5."""

MARK = 19.0
"""Side of every marker but the corners' (mm): 25 pixels where the sheet is 1280 pixels wide."""

CAR_MARKS = ((-32.0, -50.0), (32.0, -50.0))
"""The markers of a train car from its middle, in its upper corners: below is where models stand."""

CARD_MARK = (-17.0, -29.5)
"""The marker of a card from its middle, in its upper left corner."""

_SHEET = (960.0, 540.0)
_CORNER, _CORNER_MARK = 28.0, 36.0
_LEFT, _TOP, _PITCH = 64.0, 14.0, 104.0
_GRIT = 152.0
_TRAY = (326.0, 262.0, 630.0, 500.0)
_OFF_TRAIN = (64.0, 262.0, 306.0, 500.0)
_PILES = {HIGH_NOON: 652.0, LONG_ARM: 736.0, LOOT: 820.0}
_DRAW, _TURNED = 262.0, 374.0
_HIGH, _THIN = 10.0, 0.5  # of what stands on the train, and of what lies flat (mm)

# Marker numbers. A train car's second marker is its first plus _SECOND.
_RAIDERS, _LAWBOTS, _CARS, _SECOND = 10, 14, 30, 14
_DECKS = {HIGH_NOON: 60, LONG_ARM: 120}

UP, DOWN = "face", "roof"
"""The sides of a train car."""

OFF_PLACE = "off"
"""The place beside the train, for Raiders Off the Train."""


def car_place(car: int) -> str:
    """The name of the place on top of a car, for models; cars count from the caboose."""
    return f"car:{car}"


def tile_place(car: int) -> str:
    """The name of the place in which a car lies."""
    return f"tile:{car}"


def grit_place(car: int) -> str:
    """The name of the place beside a car, for Grit."""
    return f"grit:{car}"


def turned_place(deck: str) -> str:
    """The name of the place onto which cards of that deck are turned up: its discard pile."""
    return f"turned:{deck}"


def rider_place(car: int) -> str:
    """The name of the place of a Raider that is on that car, or OFF."""
    return OFF_PLACE if car == OFF else car_place(car)


def layout(state: State) -> Layout:
    """The cars as they lie, Raiders and Lawbots, Grit, the cards turned up last, and the dice."""
    pieces = [
        Piece("car", name, tile_place(at), up=UP)
        if on.up
        else Piece("roof", UNKNOWN, tile_place(at), up=DOWN)
        for at, (name, on) in enumerate(zip(state.train, state.cars, strict=True))
    ]
    pieces += [
        Piece("raider", seat, rider_place(rider.at))
        for seat, rider in zip(state.seats, state.riders, strict=True)
    ]
    pieces += [
        Piece("lawbot", kind, car_place(at))
        for at, on in enumerate(state.cars)
        for kind, count in zip(KINDS, on.bots, strict=True)
        for _ in range(count)
    ]
    pieces += [
        Piece(LONG_ARM, on.grit[0], grit_place(at))
        for at, on in enumerate(state.cars)
        if on.grit and _is_marked(state.edition, LONG_ARM, on.grit[0])
    ]
    pieces += [
        Piece(deck, top, turned_place(deck))
        for deck, top in zip(TURNED_UP, state.tops, strict=True)
        if top and _is_marked(state.edition, deck, top)
    ]
    return Layout(tuple(sorted(pieces)), state.dice)


def _is_marked(edition: Edition, deck: str, card: str) -> bool:
    """Whether a card can be seen: an owner's that nobody has counted has no marker of the table."""
    return card == UNKNOWN or bool(cards_of(edition, deck)[card].copies)


def table_map(state: State) -> TableMap:
    """The sheet with a row of places for the cars, what lies around them, and the tray."""
    return _map(state.edition, state.seats, len(state.cars))


def bare_map(edition: Edition) -> TableMap:
    """The sheet for the longest train, with the tokens of every seat."""
    return _map(edition, SEATS, LONGEST)


@lru_cache(maxsize=8)
def tokens_by_piece(edition: Edition) -> Mapping[tuple[str, str], tuple[Token, ...]]:
    """The markers of each piece, by its kind and name."""
    found: dict[tuple[str, str], tuple[Token, ...]] = {}
    for token in bare_map(edition).tokens:
        key = (token.kind, token.name)
        found[key] = (*found.get(key, ()), token)
    return found


@lru_cache(maxsize=16)
def _map(edition: Edition, seats: tuple[str, ...], cars: int) -> TableMap:
    width, height = _SHEET
    near = _CORNER
    corners = ((near, near), (width - near, near), (width - near, height - near), (near, height - near))
    places = [place for car in range(cars) for place in _places(car, cars)]
    places.append(
        Place(
            OFF_PLACE,
            _rectangle(*_OFF_TRAIN),
            OFF_PLACE,
            "Off the Train",
            ("raider",),
            words="its Raider card",
        )
    )
    places += [place for deck in DECKS for place in _piles(deck)]
    return TableMap(
        width=width,
        height=height,
        corners=tuple(Marker(number, at, _CORNER_MARK) for number, at in enumerate(corners)),
        places=tuple(places),
        tray=Place("tray", _rectangle(*_TRAY), "tray", "Dice"),
        tokens=_tokens(edition, seats),
    )


def _places(car: int, cars: int) -> tuple[Place, Place, Place]:
    """Where a car lies, where models stand on it, where its Grit lies."""
    middle = _LEFT + (car + 0.5) * _PITCH
    words = {0: "the caboose", cars - 1: "the locomotive"}.get(car, f"car {car}")
    label = {0: "Caboose", cars - 1: "Locomotive"}.get(car, str(car))
    tile = _box(middle - CAR[0] / 2, _TOP, CAR)
    beside = _box(middle - CARD[0] / 2, _GRIT, CARD)
    return (
        Place(tile_place(car), tile, "tile", label, ("car", "roof"), (0, 180), words=f"the place of {words}"),
        Place(car_place(car), tile, "car", label, ("raider", "lawbot"), words=words),
        Place(grit_place(car), beside, "grit", "Grit", (LONG_ARM,), words=f"the place for Grit of {words}"),
    )


def _piles(deck: str) -> tuple[Place, ...]:
    """Where a deck lies, and where its cards are turned up."""
    title = deck.replace("_", " ").title()
    places = [Place(f"draw:{deck}", _box(_PILES[deck], _DRAW, CARD), "pile", title, ("back",))]
    if deck in _DECKS:
        outline, words = _box(_PILES[deck], _TURNED, CARD), f"the {title} discards"
        places.append(Place(turned_place(deck), outline, "pile", f"{title} discards", (deck,), words=words))
    return tuple(places)


@lru_cache(maxsize=16)
def _tokens(edition: Edition, seats: tuple[str, ...]) -> tuple[Token, ...]:
    tokens = [Token(_RAIDERS + SEATS.index(seat), MARK, "raider", seat, height=_HIGH) for seat in seats]
    number = _LAWBOTS
    for kind, count in zip(KINDS, MODELS, strict=True):
        words = f"a {kind.title()}"
        for copy in range(1, count + 1):
            tokens.append(
                Token(number, MARK, "lawbot", f"{kind} {copy}", height=_HIGH, alike=kind, words=words)
            )
            number += 1
    for at, car in enumerate(edition.cars):
        words = f"the car {car.title or car.name}" if not car.end else f"the {car.end}"
        for second, middle in enumerate(CAR_MARKS):
            id = _CARS + at + second * _SECOND
            tokens.append(Token(id, MARK, "car", car.name, middle, height=_THIN, words=words))
    for deck in _DECKS:
        tokens += _card_tokens(edition, deck)
    return tuple(tokens)


def _card_tokens(edition: Edition, deck: str) -> list[Token]:
    """A marker for each card of a deck. Copies of one card are the same to the rules."""
    tokens: list[Token] = []
    title = deck.replace("_", " ").title()
    for card in cards_of(edition, deck).values():
        for copy in range(1, card.copies + 1):
            name, alike = (card.name, "") if card.copies == 1 else (f"{card.name} {copy}", card.name)
            words = f"the {title} card {card.title or card.name}"
            id = _DECKS[deck] + len(tokens)
            tokens.append(Token(id, MARK, deck, name, CARD_MARK, height=_THIN, alike=alike, words=words))
    return tokens


def _box(left: float, top: float, size: tuple[float, float]) -> tuple[Point, ...]:
    return _rectangle(left, top, left + size[0], top + size[1])


def _rectangle(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    return ((left, top), (right, top), (right, bottom), (left, bottom))
