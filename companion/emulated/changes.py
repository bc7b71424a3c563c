"""What has to be carried where, so that a table looks as a Layout says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

from msgspec import Struct

from companion.emulated.placing import inside, middle, roomy
from companion.emulated.poses import Key
from companion.games.layout import Layout, Piece, Place, TableMap

Side = Callable[[str, str], float]
"""The longer side (mm) of a piece, by its kind and name."""

Hand = Callable[[Piece], str]
"""With what one hand brings a piece, by a word: those of one word together, "" for one that comes alone."""


class Change(Struct, frozen=True):
    """One hand's work: pieces, the lowest first, go to where they belong, or off the table (`to` empty)."""

    taken: tuple[Key, ...]
    to: tuple[Piece, ...] = ()


def _alone(piece: Piece) -> str:
    return ""


def changes(
    lying: Sequence[Piece], layout: Layout, map: TableMap, side: Side, chance: Random, hand: Hand = _alone
) -> tuple[Change, ...]:
    """What leads from the pieces that lie there, those on others last, to that layout.

    A piece that the layout does not name may stay where another one hides it: under an upgrade, or
    in a pile. The order is as people's: any, but no card is laid under what stands on it, and
    nothing is set where another thing is still to be taken from. What comes in one `hand` is sorted.
    """
    coming, leaving = differences(lying, layout, map, side)
    chance.shuffle(coming)
    places = {place.name: place for place in map.places}
    ordered = _ordered(coming, {key_of(piece): piece for piece in lying}, places, side)
    together: dict[str | Key, list[Piece]] = {}
    for piece in ordered:
        together.setdefault(hand(piece) or key_of(piece), []).append(piece)
    brought = (tuple(sorted(pieces)) for pieces in together.values())
    return (
        *(Change(keys) for keys in leaving),
        *(Change(tuple(key_of(piece) for piece in pieces), pieces) for pieces in brought),
    )


def differences(
    lying: Sequence[Piece], layout: Layout, map: TableMap, side: Side
) -> tuple[list[Piece], list[tuple[Key, ...]]]:
    """The pieces that have to come to their places, and those that have to go, each pile together."""
    places = {place.name: place for place in map.places}
    wanted = {key_of(piece): piece for piece in layout.pieces}
    there = {key_of(piece): piece for piece in lying}
    coming = [piece for key, piece in wanted.items() if there.get(key) != piece]
    leaving: dict[str, list[Key]] = {}
    order = list(there)
    for at, (key, piece) in enumerate(there.items()):
        if key in wanted:
            continue
        above = [there[other] for other in order[at + 1 :] if there[other] == wanted.get(other)]
        if not any(_hides(other, piece, places, side) for other in (*coming, *above)):
            leaving.setdefault(piece.place, []).append(key)
    return coming, [tuple(keys) for keys in leaving.values()]


def buried(lying: Sequence[Piece], map: TableMap, side: Side) -> set[Key]:
    """Those of the pieces, those on others last, that others hide: the cards of a pile but the top one."""
    places = {place.name: place for place in map.places}
    return {
        key_of(piece)
        for at, piece in enumerate(lying)
        if any(_hides(other, piece, places, side) for other in lying[at + 1 :])
    }


def key_of(piece: Piece) -> Key:
    """Its kind and name."""
    return (piece.kind, piece.name)


def _hides(other: Piece, piece: Piece, places: dict[str, Place], side: Side) -> bool:
    """Whether that other piece, lying over this one, hides it."""
    if other.place != piece.place or other.place not in places:
        return False
    large = side(other.kind, other.name)
    return large >= side(piece.kind, piece.name) and not roomy(places[other.place], large)


def _ordered(
    coming: list[Piece], there: dict[Key, Piece], places: dict[str, Place], side: Side
) -> Iterable[Piece]:
    left = list(coming)
    while left:
        # Where two wait for each other, one of them is simply put beside the other.
        piece = next(
            (
                piece
                for piece in left
                if not any(_before(other, piece, there, places, side) for other in left if other != piece)
            ),
            left[0],
        )
        left.remove(piece)
        yield piece


def _before(
    other: Piece, piece: Piece, there: dict[Key, Piece], places: dict[str, Place], side: Side
) -> bool:
    """Whether the other one has to be carried first: it belongs under this one, or is in its way."""
    was = there.get(key_of(other))
    if was is not None and was.kind == piece.kind and was.place == piece.place:
        return True
    if side(other.kind, other.name) <= side(piece.kind, piece.name):
        return False
    for name in (other.place, piece.place):
        if name not in places:
            raise ValueError(f"This table has no place '{name}'.")
    return inside(places[other.place], middle(places[piece.place]))
