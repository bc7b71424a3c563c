"""Hands that are never reordered: what may be played from one, and what is known of it afterwards.

A hand is a sequence of cards from its holder's left to right, some of which may be UNKNOWN. What is
legal in it is what could be legal, whatever the unknown cards are. A play takes any of the cards in
one unbroken run that can all have its rank (HT-A03, HT-A18); a hand's ends do not meet (HT-A19).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations

from msgspec import Struct

from companion.games.hachi_train.cards import (
    KINDS,
    RANKS,
    SPECIALS,
    TRAINS,
    ranks_of,
    special_of,
    specials_among,
    train_of,
)
from companion.games.layout import UNKNOWN

Cards = tuple[str, ...]

Places = tuple[int, ...]
"""Places in a hand, from 0 at its holder's left, in order."""

Counts = frozenset[tuple[int, int]]
"""Plays of one rank: how many train cars, and how many special ones."""


class Hand(Struct, frozen=True, cache_hash=True):
    """All that bears on what a hand may hold.

    `cards` lie in their order. `loose` are besides, in places that nobody told. `seen` were taken for
    all to see, sorted, and are held somewhere among them. `specials` is how many of all are special
    cars, and `most` how many there can be of each of KINDS, by what lies open elsewhere.
    """

    cards: Cards
    loose: Cards
    seen: Cards
    specials: int
    most: tuple[int, ...]


def fits(card: str, rank: int) -> bool:
    """Whether the card may be played as that rank, or may be one that can."""
    return card == UNKNOWN or rank in ranks_of(card)


@lru_cache(maxsize=4096)
def rooms(hand: Hand) -> tuple[int, ...]:
    """How many of the unknown cards may be of each kind, in the order of KINDS."""
    whole = hand.cards + hand.loose
    known = Counter(card for card in whole if card != UNKNOWN)
    seen = Counter(hand.seen)
    due = {kind: max(seen[kind] - known[kind], 0) for kind in KINDS}
    unknown = len(whole) - known.total()
    specials = hand.specials - specials_among(whole)
    spare = {
        True: specials - sum(due[kind] for kind in SPECIALS),
        False: unknown - specials - sum(due[kind] for kind in TRAINS),
    }
    return tuple(
        max(0, min(most - known[kind], due[kind] + spare[kind in SPECIALS]))
        for kind, most in zip(KINDS, hand.most, strict=True)
    )


def _room(hand: Hand, rank: int) -> tuple[int, int]:
    """How many of the unknown cards may be train cars of the rank, and special cars with it."""
    room = rooms(hand)
    return room[KINDS.index(train_of(rank))], room[KINDS.index(special_of(rank))]


@lru_cache(maxsize=4096)
def playable(hand: Hand) -> dict[int, Counts]:
    """What could be played, by rank, whichever cards of the hand these are. Not to be changed."""
    return {rank: found for rank in RANKS if (found := _playable_as(hand, rank))}


def _playable_as(hand: Hand, rank: int) -> Counts:
    train, special = train_of(rank), special_of(rank)
    trains, specials = hand.loose.count(train), hand.loose.count(special)
    unknown = hand.loose.count(UNKNOWN)
    room = _room(hand, rank)
    largest: set[tuple[int, int]] = set()
    for held_trains, held_specials, between in _runs(hand.cards, rank):
        # All unknown cards of a run have the rank; those that lie loose are what suits best.
        for as_trains in range(max(0, between - room[1]), min(between, room[0]) + 1):
            as_specials = between - as_trains
            for more in range(min(unknown, room[0] - as_trains) + 1):
                rest = min(unknown - more, room[1] - as_specials)
                largest.add(
                    (held_trains + trains + as_trains + more, held_specials + specials + as_specials + rest)
                )
    return frozenset(
        (some, others)
        for most, other_most in largest
        for some in range(most + 1)
        for others in range(other_most + 1)
        if some or others
    )


def _runs(cards: Cards, rank: int) -> set[tuple[int, int, int]]:
    """What unbroken runs of that rank hold: train cars, special cars, unknown ones. None is one, too."""
    train = train_of(rank)
    found = {(0, 0, 0)}
    for start in range(len(cards)):
        trains = specials = unknown = 0
        for card in cards[start:]:
            if not fits(card, rank):
                break
            unknown += card == UNKNOWN
            trains += card == train
            specials += card not in (train, UNKNOWN)
            found.add((trains, specials, unknown))
    return found


def told(hand: Hand) -> Iterator[tuple[int, Places]]:
    """What could be played of the cards whose places and kinds are known: a rank, and the places.

    Cards between them stay, and have the rank as well.
    """
    for rank in RANKS:
        room = sum(_room(hand, rank))
        for run in unbroken(hand.cards, rank):
            known = [at for at in run if hand.cards[at] != UNKNOWN]
            for count in range(1, len(known) + 1):
                for places in combinations(known, count):
                    if hand.cards[places[0] : places[-1]].count(UNKNOWN) <= room:
                        yield rank, places


def unbroken(cards: Cards, rank: int) -> Iterator[range]:
    """The longest unbroken runs of places whose cards have that rank, or may have it."""
    start = 0
    for at, card in enumerate((*cards, "")):
        if not card or not fits(card, rank):
            if at > start:
                yield range(start, at)
            start = at + 1


def without(cards: Cards, played: Cards, rank: int) -> Cards:
    """What is known of a hand after these cards were played from places that nobody told.

    Of the places from which they may have come, it is what remains in all cases; nothing is known if
    they can have come from none, since the table is right.
    """
    if all(card == UNKNOWN for card in cards):
        return unknown_cards(len(cards) - len(played))
    rests = {
        tuple(card for at, card in enumerate(cards) if at not in places)
        for run in unbroken(cards, rank)
        for places in combinations(run, len(played))
        if _may_be(tuple(cards[at] for at in places), played)
    }
    return _agreed(rests) if rests else unknown_cards(len(cards) - len(played))


def _may_be(cards: Cards, played: Cards) -> bool:
    """Whether these cards of a hand, as many as were played, may be those."""
    return not Counter(card for card in cards if card != UNKNOWN) - Counter(played)


def _agreed(hands: Iterable[Cards]) -> Cards:
    """What all these hands have in common, place by place."""
    return tuple(cards[0] if len(set(cards)) == 1 else UNKNOWN for cards in zip(*hands, strict=True))


def unknown_cards(count: int) -> Cards:
    """So many cards of which nothing is known."""
    return (UNKNOWN,) * count


def cards_of(rank: int, trains: int, specials: int) -> Cards:
    """The cards of a play, sorted."""
    return tuple(sorted((train_of(rank),) * trains + (special_of(rank),) * specials))
