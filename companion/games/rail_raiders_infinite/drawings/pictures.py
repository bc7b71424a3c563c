"""What phones and the emulated table draw of a running game, and what a card or car is, in words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from companion.games.drawing import Drawing
from companion.games.game import About, Mark
from companion.games.layout import UNKNOWN, Piece
from companion.games.rail_raiders_infinite.drawings.cards import back, deck_card
from companion.games.rail_raiders_infinite.drawings.cars import car_face, car_sketch, roof, roof_sketch
from companion.games.rail_raiders_infinite.drawings.models import sketch, top
from companion.games.rail_raiders_infinite.drawings.sheet import table_sheet
from companion.games.rail_raiders_infinite.packs.pack import Pack
from companion.games.rail_raiders_infinite.state import (
    DECKS,
    KINDS,
    LONG_ARM,
    LOOT,
    SEATS,
    TURNED_UP,
    Edition,
    State,
    car_cards,
    cards_of,
)
from companion.games.rail_raiders_infinite.table import car_place, tokens_by_piece


def drawing(state: State, kind: str, name: str) -> Drawing:
    """A piece of the layout from above, unturned, of those that are alike one by its own name.

    KeyError for another kind or name.
    """
    if kind == "back":
        return back()
    if kind == "roof":
        return roof()
    tokens = tokens_by_piece(state.edition)[kind, name]
    if kind == "car":
        return car_face(car_cards(state.edition)[name], tokens)
    if kind in TURNED_UP:
        return deck_card(cards_of(state.edition, kind)[tokens[0].alike or name], kind, tokens[0])
    return top(tokens[0])


def sheet(state: State) -> Drawing:
    """What is printed on the table."""
    return table_sheet(state.edition)


def sketches(state: State) -> Mapping[str, Drawing]:
    """Train cars as they lie, the pieces on them, and the cards that lie open."""
    return _sketches(state.edition)


@lru_cache(maxsize=4)
def _sketches(edition: Edition) -> Mapping[str, Drawing]:
    return {
        **{f"car:{card.name}": car_sketch(card) for card in edition.cars},
        f"roof:{UNKNOWN}": roof_sketch(),
        **{f"raider:{seat}": sketch("raider", seat) for seat in SEATS},
        **{f"lawbot:{kind}": sketch("lawbot", kind) for kind in KINDS},
        **{
            f"{deck}:{card.name}": deck_card(card, deck)
            for deck in TURNED_UP
            for card in getattr(edition, deck)
        },
        **{f"{deck}:{UNKNOWN}": back(deck) for deck in TURNED_UP},
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
