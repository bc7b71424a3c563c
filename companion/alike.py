"""Pieces that are the same to the rules, told apart: which of them is meant where a Layout wants one.

A Layout says that a Deputy stands on a car; the camera sees which one, since each has a marker of
its own. Whichever stands where one is wanted is the one that was meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from companion.games.layout import UNKNOWN, Piece, Token

Key = tuple[str, str]
"""A piece: its kind and name."""

Spot = tuple[str, int]
"""Where a piece lies: its place and turn."""

Spots = Mapping[Key, Spot]

_NOWHERE: Spots = {}


class Alike:
    """The pieces of one table that are alike, by their kind and by what a Layout calls them."""

    def __init__(self, tokens: Iterable[Token] = ()) -> None:
        self._groups: dict[Key, dict[str, None]] = {}
        self._marked: set[str] = set()
        self._many: set[Key] = set()
        self._printed: set[Key] = set()
        for token in tokens:
            self._marked.add(token.kind)
            if token.alike:
                self._groups.setdefault((token.kind, token.alike), {})[token.name] = None
                if not token.flat:
                    self._many.add((token.kind, token.name))
            if token.printed:
                self._printed.add((token.kind, token.name))

    def is_one_of_many(self, key: Key) -> bool:
        """Whether it is a model, and others are the same. A card is no such: it comes with a hand."""
        return key in self._many

    def is_printed(self, key: Key) -> bool:
        """Whether it is no piece but printed on the sheet: it shows where nothing lies on it."""
        return key in self._printed

    def told_apart(
        self, pieces: Iterable[Piece], there: Spots = _NOWHERE, before: Spots = _NOWHERE
    ) -> tuple[Piece, ...]:
        """These pieces of a Layout, each of those that are alike by a name of its own, sorted.

        `there` is where pieces lie, `before` where they lay last by the rules. That one is meant which
        lies where one is wanted; else the one that lay there; else one that lies elsewhere; else one
        that lies nowhere. Of a kind that carries no markers each is named by its place, if by nothing.
        """
        found: list[Piece] = []
        wanted: dict[Key, list[Piece]] = {}
        for piece in pieces:
            key = (piece.kind, piece.name)
            if key in self._groups:
                wanted.setdefault(key, []).append(piece)
            elif piece.name == UNKNOWN and piece.kind not in self._marked:
                found.append(replace(piece, name=piece.place))
            else:
                found.append(piece)
        for key, alike in wanted.items():
            found += _named(alike, [*self._groups[key]], there, before)
        return tuple(sorted(found))


def _named(wanted: list[Piece], free: list[str], there: Spots, before: Spots) -> Iterator[Piece]:
    """Each of these with one of the free names, as long as there are any."""
    kind, left = wanted[0].kind, sorted(wanted)
    for lay in (there, before):
        still = []
        for piece in left:
            fitting = [name for name in free if lay.get((kind, name)) == (piece.place, piece.turn)]
            if not fitting:
                still.append(piece)
                continue
            # Of several on one spot the one stays that stood there before.
            name = min(fitting, key=lambda name: before.get((kind, name)) != there.get((kind, name)))
            free.remove(name)
            yield replace(piece, name=name)
        left = still
    free.sort(key=lambda name: ((kind, name) not in there, (kind, name) in before))
    for piece in left:
        yield replace(piece, name=free.pop(0)) if free else piece
