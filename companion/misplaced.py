"""Pieces that lie where no rule puts them, in words: which rule that breaks, and what to put where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.alike import Alike, Key, Spot
from companion.findings import sighted, spots
from companion.games.game import Game
from companion.games.layout import UNKNOWN, Piece, Reading

AnyGame = Game[Any, Any]
Lay = Mapping[Key, Spot]


class Names:
    """What people call the pieces and the places of a game in that state."""

    def __init__(self, game: AnyGame, state: Any) -> None:
        self.map = game.table_map(state)
        self._seats = game.seats
        self._places = {place.name: place.words or place.name for place in self.map.places}
        self._words = {(token.kind, token.name): token.words for token in self.map.tokens}
        self._standing = {(token.kind, token.name) for token in self.map.tokens if not token.flat}
        self._printed = {(token.kind, token.name) for token in self.map.tokens if token.printed}

    def piece(self, key: Key) -> str:
        """A piece: "Red", "Rail r07", "a Deputy"."""
        kind, name = key
        if words := self._words.get(key):
            return words
        return name.capitalize() if name in self._seats else f"{kind.capitalize()} {name}"

    def place(self, name: str) -> str:
        """A place."""
        return self._places.get(name, name) or "no place"

    def stands(self, key: Key) -> bool:
        """Whether it is a model that stands, and no card that lies."""
        return key in self._standing

    def back(self, key: Key, home: Spot | None) -> str:
        """What to do with a piece that lies where it should not."""
        if key in self._printed:
            return "cover it again"
        return f"put it back on {self.place(home[0])}" if home else "take it away again"

    def lies(self, key: Key, spot: Spot) -> str:
        """Where a piece lies: "Red stands on tie 2"; what is printed there shows."""
        if key in self._printed:
            return f"{self.piece(key)} shows on {self.place(spot[0])}"
        stands = "stands" if self.stands(key) else "lies"
        return f"{self.piece(key)} {f'{stands} on {self.place(spot[0])}' if spot[0] else 'is off the board'}"


def fault(game: AnyGame, state: Any, news: Lay, expected: Lay) -> str:
    """Which rule the act breaks, as far as one can say, and where the pieces may lie.

    `news` is where they lie, `expected` where all pieces lie by the rules.
    """
    names, told = Names(game, state), list[str]()
    results = list(_main_results(game, state, news))
    for key, spot in sorted(news.items()):
        where = sentence(names.lies(key, spot))
        home = expected.get(key)
        back = names.back(key, home)
        broken = _broken(game, state, Piece(*key, *spot))
        may = {at[0]: words for lay, words in results if (at := lay.get(key)) is not None and at != home}
        if broken:
            told.append(f"{where}. {broken} Otherwise {back}.")
        elif may:
            goes = " or ".join(f"on {names.place(at)} ({words})" for at, words in may.items())
            told.append(f"{where}. It may now go {goes}; or {back}.")
        else:
            told.append(f"{where}, but nothing moves it there now. {sentence(back)}.")
    return " ".join(told)


def todo(game: AnyGame, state: Any, reading: Reading, before: Lay) -> tuple[str, ...]:
    """What to put where, so that the table is as the rules have it; `before` is where pieces lay by them."""
    names = Names(game, state)
    there = sighted(reading, names.map)
    seen = {(sight.piece.kind, sight.piece.name) for sight in reading.pieces}
    layout = game.layout(state).pieces
    expected = spots(Alike(names.map.tokens).told_apart(layout, there, before))
    lines: list[str] = []
    for key, home in sorted(expected.items()):
        if key[1] == UNKNOWN or home[0] in reading.holes:
            continue
        lies, piece, place = there.get(key), names.piece(key), names.place(home[0])
        if lies is not None and lies[0] == home[0] and lies != home:
            lines.append(f"Turn {piece} on {place} to {home[1]}°.")
        elif (lies is not None and lies != home) or (names.stands(key) and key not in seen):
            lines.append(f"Put {piece} on {place}.")
    for key, lies in sorted(there.items()):
        if names.stands(key) and key not in expected and lies[0]:
            lines.append(f"Take {names.piece(key)} off {names.place(lies[0])}.")
    return tuple(lines)


def told(game: AnyGame, state: Any, news: Lay) -> str:
    """Where those pieces lie: "Rail r07 lies on the Discard Pile and Red stands on tie 2"."""
    names = Names(game, state)
    return sentence(" and ".join(names.lies(key, spot) for key, spot in sorted(news.items())))


def sentence(words: str) -> str:
    """Words that begin a sentence."""
    return words[:1].upper() + words[1:]


def _broken(game: AnyGame, state: Any, piece: Piece) -> str:
    """The sentence of the Ruling against what putting the piece there would be."""
    action = game.meant(state, piece)
    ruling = None if action is None else game.refusal(state, action)
    return "" if ruling is None else f"{ruling.sentence} [{ruling.section}]"


def _main_results(game: AnyGame, state: Any, there: Lay) -> Iterator[tuple[dict[Key, Spot], str]]:
    alike = Alike(game.table_map(state).tokens)
    for seat in game.awaiting(state).seats:
        for choice in game.prompt(state, seat).choices:
            if choice.main:
                after = game.layout(game.play(state, choice.action))
                yield spots(alike.told_apart(after.pieces, there)), choice.words
