"""What phones show besides the layout: counters, how far each tie is, and what a card is, in words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from companion.games.drawing import Drawing
from companion.games.game import About, Mark
from companion.games.hellrail import moves
from companion.games.hellrail.drawings.sketches import card_in_hand, circle, counter, engine, laid_rail
from companion.games.hellrail.names import circle_name, circle_title, not_entered
from companion.games.hellrail.pack import Pack
from companion.games.hellrail.state import ACTIONS, COUNTERS, SEATS, Edition, State, circle_cards, rail_cards
from companion.games.hellrail.table import cell_place, engine_place
from companion.games.layout import Piece


def sketches(state: State) -> Mapping[str, Drawing]:
    """Rail as it lies, cards as they are held, Circles, engines and counters."""
    return _sketches(state.edition)


@lru_cache(maxsize=4)
def _sketches(edition: Edition) -> Mapping[str, Drawing]:
    return {
        **{f"rail:{card.name}": laid_rail(card) for card in edition.rails},
        **{f"card:{card.name}": card_in_hand(card) for card in edition.rails},
        **{f"circle:{card.name}": circle(card) for card in edition.circles},
        **{f"engine:{seat}": engine(seat) for seat in SEATS},
        **{f"{kind}:{kind}": counter(kind) for kind in COUNTERS},
    }


def counters(state: State) -> tuple[Piece, ...]:
    """The coins and barriers on Rail Cards."""
    return tuple(Piece(kind, kind, cell_place(rail.cell)) for rail in state.rails for kind in rail.counters)


def marks(state: State) -> tuple[Mark, ...]:
    """How many ties it is, for the engine whose turn it is, to wherever a Move may take it."""
    if state.phase != ACTIONS or state.owed:
        return ()
    nearest: dict[str, int] = {}
    for end in moves.ends(state, state.turn):
        if end.to is not None and end.cost:
            nearest.setdefault(engine_place(end.to, state.circles), end.cost)
    return tuple(Mark(place, str(cost)) for place, cost in nearest.items())


def about(state: State, pack: Pack, kind: str, name: str) -> About:
    """A Rail Card or a Circle, as the running game has it; KeyError for another kind or name."""
    if kind == "circle":
        card = circle_cards(state.edition)[name]
        title = circle_title(state, name)
        return About(title[0].upper() + title[1:], card.words, figure=f"circle:{name}")
    if kind not in ("card", "rail"):
        raise KeyError(f"{kind} {name}")
    rail = rail_cards(state.edition)[name]
    if unknown := not_entered(state, name):
        return About(name, unknown, (("Value", "?"),), "not entered yet", f"card:{name}")
    words = f"Picked up at {circle_name(rail.pickup)}, set out at {circle_name(rail.setout)}."
    facts = (
        ("Value", str(rail.value)),
        ("Brimstone", str(rail.brimstone)),
        ("From", rail.pickup),
        ("To", rail.setout),
    )
    return About(name, words, facts, f"{rail.value} to {rail.setout}", f"card:{name}")
