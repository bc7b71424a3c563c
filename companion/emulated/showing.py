"""What people at a table leave to the camera, and what they say: by what an act does to the table."""

from __future__ import annotations

from random import Random
from typing import Any

from msgspec.structs import asdict

from companion.games.game import Action, Game
from companion.games.layout import UNKNOWN, Piece, Place, TableMap

_UNCLEAR = 0.2  # how often people say nothing of an act that looks like another one


def moved(game: Game[Any, Any], state: Any, after: Any) -> tuple[Piece, ...]:
    """The pieces that lie otherwise in the one state than in the other, as they lie then."""
    before = set(game.layout(state).pieces)
    return tuple(
        piece for piece in game.layout(after).pieces if piece not in before and piece.name != UNKNOWN
    )


def shown(game: Game[Any, Any], state: Any, action: Action, chance: Random) -> bool:
    """Whether people just do that on the table: their one duty, or something that shows it all.

    What is no more than a word (yes, no, the turn is over) is said, and so is a card that nobody
    sees, what only comes to move a piece, or what lies beyond the sheet. An act that looks like
    another one is said as well, if people think of it. `state` is as the table shows it.
    """
    after = game.play(state, action)
    map, pieces = game.table_map(after), moved(game, state, after)
    places = {place.name: place for place in map.places}
    if not pieces or not all(on_sheet(places[piece.place], map) for piece in pieces):
        return False
    said = asdict(action)
    if any(isinstance(value, bool) for value in said.values()):
        return False
    seat = getattr(action, "seat", "")
    if action not in game.candidates(state, seat, pieces):
        return False
    prompt = game.prompt(state, seat)
    if any(choice.main and choice.action == action for choice in prompt.choices):
        return True
    if said.keys() <= {"seat"} or said.get("card", "") not in {"", *(piece.name for piece in pieces)}:
        return False
    return _meanings(game, state, pieces) == 1 or chance.random() < _UNCLEAR


def on_sheet(place: Place, map: TableMap) -> bool:
    """Whether all of that place is printed on the sheet."""
    return all(0 <= x <= map.width and 0 <= y <= map.height for x, y in place.outline)


def _meanings(game: Game[Any, Any], state: Any, pieces: tuple[Piece, ...]) -> int:
    """How many different things may have been done when these pieces lie there."""
    results: list[Any] = []
    for seat in game.seats:
        for action in game.candidates(state, seat, pieces):
            after = game.play(state, action)
            if moved(game, state, after) == pieces and after not in results:
                results.append(after)
    return len(results)
