"""Pieces that lie where no rule puts them, in words: which rule that breaks, and what to put where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.findings import Key, Spot, sighted, spots
from companion.games.game import Game
from companion.games.layout import UNKNOWN, Layout, Piece, Reading

AnyGame = Game[Any, Any]
Names = Mapping[str, str]
"""What people call the places, by their names."""


def fault(game: AnyGame, state: Any, news: Mapping[Key, Spot]) -> str:
    """Which rule the act breaks, as far as one can say, and where the pieces may lie."""
    expected, names = spots(game.layout(state)), _names(game, state)
    told: list[str] = []
    for key, spot in sorted(news.items()):
        where = _lies(game, names, key, spot)
        home = expected.get(key)
        back = f"put it back on {_on(names, home[0])}" if home else "take it away again"
        broken = _broken(game, state, Piece(*key, *spot))
        may = {
            at[0]: words
            for layout, words in _main_results(game, state)
            if (at := spots(layout).get(key)) is not None and at != home
        }
        if broken:
            told.append(f"{where}. {broken} Otherwise {back}.")
        elif may:
            goes = " or ".join(f"on {_on(names, at)} ({words})" for at, words in may.items())
            told.append(f"{where}. It may now go {goes}; or {back}.")
        else:
            told.append(f"{where}, but nothing moves it there now. {back[0].upper()}{back[1:]}.")
    return " ".join(told)


def todo(game: AnyGame, state: Any, reading: Reading) -> tuple[str, ...]:
    """What to put where, so that the table is as the rules have it."""
    expected, names = spots(game.layout(state)), _names(game, state)
    there = sighted(reading, game.table_map(state))
    lines: list[str] = []
    for key, home in sorted(expected.items()):
        if key[1] == UNKNOWN or home[0] in reading.holes:
            continue
        lies, place = there.get(key), _on(names, home[0])
        if lies is not None and lies[0] == home[0] and lies != home:
            lines.append(f"Turn {called(game, key)} on {place} to {home[1]}°.")
        elif lies is not None and lies != home:
            lines.append(f"Put {called(game, key)} on {place}.")
    return tuple(lines)


def told(game: AnyGame, state: Any, news: Mapping[Key, Spot]) -> str:
    """Where those pieces lie: "Rail r07 lies on the Discard Pile and Red stands on tie 2"."""
    names = _names(game, state)
    return " and ".join(_lies(game, names, key, spot) for key, spot in sorted(news.items()))


def called(game: AnyGame, key: Key) -> str:
    """What people call a piece."""
    kind, name = key
    return name.capitalize() if name in game.seats else f"{kind.capitalize()} {name}"


def _lies(game: AnyGame, names: Names, key: Key, spot: Spot) -> str:
    stands = "stands" if key[1] in game.seats else "lies"
    return f"{called(game, key)} {f'{stands} on {_on(names, spot[0])}' if spot[0] else 'is off the board'}"


def _names(game: AnyGame, state: Any) -> Names:
    return {place.name: place.words or place.name for place in game.table_map(state).places}


def _on(names: Names, place: str) -> str:
    return names.get(place, place) or "no place"


def _broken(game: AnyGame, state: Any, piece: Piece) -> str:
    """The sentence of the Ruling against what putting the piece there would be."""
    action = game.meant(state, piece)
    ruling = None if action is None else game.refusal(state, action)
    return "" if ruling is None else f"{ruling.sentence} [{ruling.section}]"


def _main_results(game: AnyGame, state: Any) -> Iterator[tuple[Layout, str]]:
    for seat in game.awaiting(state).seats:
        for choice in game.prompt(state, seat).choices:
            if choice.main:
                yield game.layout(game.play(state, choice.action)), choice.words
