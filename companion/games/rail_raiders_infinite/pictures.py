"""Plain drawings of cards and pieces for phones and print, and what a card is, in words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from companion.games.drawing import BLACK, WHITE, Circle, Drawing, Shape, paragraph, polygon, rectangle
from companion.games.game import About, Mark
from companion.games.kit import CUT, Batch, Item
from companion.games.layout import UNKNOWN, Piece
from companion.games.rail_raiders_infinite.packs.pack import Pack
from companion.games.rail_raiders_infinite.state import (
    DECKS,
    KINDS,
    LONG_ARM,
    LOOT,
    SEATS,
    CarCard,
    Card,
    Edition,
    State,
    car_cards,
    cards_of,
)
from companion.games.rail_raiders_infinite.table import car_place, table_map

COLOURS = {"red": "#c8202f", "blue": "#2563b0", "green": "#2f8a4a", "yellow": "#e0a81c"}
_METAL = {"deputy": "#b9c2cc", "sheriff": "#8fa3b5", "marshal": "#d8b64c"}
_SAND, _RUST, _INK = "#f4e6c8", "#a4502a", "#2b2320"
_CARD = (63.0, 88.0)
_CAR = (90.0, 60.0)
_PIECE = 25.0


def card_drawing(card: Card) -> Drawing:
    """A card, 63 x 88 mm: its title and what it does."""
    wide, high = _CARD
    return Drawing(
        wide,
        high,
        (
            rectangle(0, 0, wide, high, _SAND),
            rectangle(2, 2, wide - 4, high - 4, "", _RUST, 1.0, radius=3),
            *paragraph(card.title or card.name, "title", 7.0, _INK, (5, 6, wide - 10, 18)),
            *paragraph(card.words or " ", "text", 4.6, _INK, (5, 26, wide - 10, high - 34)),
        ),
    )


def car_drawing(card: CarCard) -> Drawing:
    """A train car's face, 90 x 60 mm, with its icons and its ability."""
    wide, high = _CAR
    icons = f"Loot {card.loot}  Law {card.long_arm}" if not card.end else card.end.title()
    return Drawing(
        wide,
        high,
        (
            rectangle(0, 0, wide, high, _SAND, _INK, 0.6),
            *paragraph(card.title or card.name, "title", 8.0, _RUST, (4, 4, wide - 8, 14)),
            *paragraph(icons, "title", 6.0, _INK, (4, 19, wide - 8, 9)),
            *paragraph(card.words or " ", "text", 4.2, _INK, (4, 30, wide - 8, high - 34)),
        ),
    )


def _roof() -> Drawing:
    wide, high = _CAR
    boards = tuple(rectangle(0, y, wide, 0.6, _INK) for y in (12.0, 24.0, 36.0, 48.0))
    return Drawing(wide, high, (rectangle(0, 0, wide, high, _RUST, _INK, 0.6), *boards))


def _piece(colour: str, words: str) -> Drawing:
    middle = (_PIECE / 2, _PIECE / 2)
    ink = WHITE if colour in COLOURS.values() else BLACK
    shapes: tuple[Shape, ...] = (
        Circle(middle, _PIECE / 2 - 0.4, colour, BLACK, 0.6),
        *paragraph(words, "title", 7.0, ink, (3, 7, _PIECE - 6, 11)),
    )
    return Drawing(_PIECE, _PIECE, shapes)


def drawing(state: State, kind: str, name: str) -> Drawing:
    """A piece of the layout from above; KeyError for another kind or name."""
    if kind == "car":
        return _roof() if name == UNKNOWN else car_drawing(car_cards(state.edition)[name])
    if kind == "raider":
        return _piece(COLOURS[name], name.title())
    if kind == "lawbot":
        return _piece(_METAL[name], name.title())
    raise KeyError(f"{kind} {name}")


def sheet(state: State) -> Drawing:
    """What is printed on the table: a frame for each car and for the tray."""
    table = table_map(state)
    places = (*table.places, table.tray)
    frames = tuple(polygon(place.outline, "", _RUST, 0.8) for place in places)
    return Drawing(table.width, table.height, (rectangle(0, 0, table.width, table.height, WHITE), *frames))


def kit(pack: Pack) -> tuple[Batch, ...]:
    """The cards, train cars and counters, plain, to cut out."""
    batches = [
        Batch(
            deck.replace("_", " ").title(),
            CUT,
            tuple(Item(card_drawing(card), card.copies) for card in getattr(pack, deck) if card.copies),
        )
        for deck in DECKS
    ]
    pieces = [Item(_piece(COLOURS[seat], seat.title()), around=True) for seat in SEATS]
    pieces += [Item(_piece(_METAL[kind], kind.title()), 7, around=True) for kind in KINDS]
    return (
        *batches,
        Batch("Raiders", CUT, tuple(Item(card_drawing(card)) for card in pack.raiders)),
        Batch("Train cars", CUT, tuple(Item(car_drawing(card)) for card in pack.cars)),
        Batch("Pieces", CUT, tuple(pieces)),
    )


def sketches(state: State) -> Mapping[str, Drawing]:
    """Train cars as they lie, and the pieces on them."""
    return _sketches(state.edition)


@lru_cache(maxsize=4)
def _sketches(edition: Edition) -> Mapping[str, Drawing]:
    return {
        **{f"car:{card.name}": car_drawing(card) for card in edition.cars},
        f"car:{UNKNOWN}": _roof(),
        **{f"raider:{seat}": _piece(COLOURS[seat], seat.title()) for seat in SEATS},
        **{f"lawbot:{kind}": _piece(_METAL[kind], kind.title()) for kind in KINDS},
    }


def counters(state: State) -> tuple[Piece, ...]:
    """None: Loot tokens, Grit and bombs are told by the marks."""
    return ()


def marks(state: State) -> tuple[Mark, ...]:
    """What lies on each car besides the pieces: Loot tokens, Grit and bombs, counted."""
    found = []
    for number, car in enumerate(state.cars):
        signs = (("$", len(car.tokens)), ("G", len(car.grit)), ("*", len(car.bombs)))
        words = " ".join(f"{sign}{count}" for sign, count in signs if count)
        if words:
            found.append(Mark(car_place(number), words))
    return tuple(found)


def about(state: State, pack: Pack, kind: str, name: str) -> About:
    """A train car, Raider or card as the running game has it; KeyError for another kind or name."""
    if kind == "car":
        car = car_cards(state.edition)[name]
        facts = (("Loot", str(car.loot)), ("Long Arm", str(car.long_arm)))
        return About(car.title or name, car.words, facts, figure=f"car:{name}")
    decks = {"card": LOOT, "grit": LONG_ARM, "raider": "raiders", **{deck: deck for deck in DECKS}}
    card = cards_of(state.edition, decks[kind])[name]
    return About(card.title or name, card.words, short=card.title or name)
