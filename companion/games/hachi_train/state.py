"""The State of Hachi Train: plain data, complete, exact in JSON.

Seats are numbered in clockwise order. A hand is its holder's secret: what the State knows of its
order and its cards is for that seat alone. What everybody knows of it stands besides.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from msgspec import Struct

from companion.games.hachi_train.cards import KINDS, Power, copies
from companion.games.hachi_train.hands import Hand, unknown_cards
from companion.games.hachi_train.options import Options

SEATS = ("red", "blue", "green", "yellow", "white")
"""The players' colours, which name the seats."""

NOBODY = -1

MATCHES = 4

FRONT, BACK, NONE = 200, 100, 0
"""What a player's assets may be, in millions: the asset card's sides, and no card."""

# Where a game stands.
TRAINS = "trains"  # the train cars are shuffled and dealt
SPECIALS = "specials"  # the special cars are shuffled
FIRST = "first"  # who leads the first match
TURN = "turn"
OVER = "over"

PHASES = (TRAINS, SPECIALS, FIRST, TURN, OVER)


class State(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """All that the rules need to know of one game.

    `hands` are in their holders' order, from left to right. `kept` says which seats keep theirs here;
    of such a hand the last `loose` cards were taken or drawn and nobody has told yet where they went.
    `seen` are those cards of each hand, sorted, that everybody saw being taken. `specials` is how many
    special cars each hand holds, which everybody can count. `deck` is top first. `field` was played as
    `rank` by seat `owner`, and lies there until the next match is dealt; `passed` have passed since,
    `gone` are out of the match, both in order. `out` are the cars discarded in this match, sorted.
    `assets` are in millions. `turn` is a seat.
    """

    pack: str
    options: Options
    seats: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]
    kept: tuple[bool, ...]
    loose: tuple[int, ...]
    seen: tuple[tuple[str, ...], ...]
    specials: tuple[int, ...]
    deck: tuple[str, ...]
    field: tuple[str, ...]
    rank: int
    owner: int
    passed: tuple[int, ...]
    gone: tuple[int, ...]
    out: tuple[str, ...]
    assets: tuple[int, ...]
    match: int
    turn: int
    phase: str

    @property
    def power(self) -> Power:
        """How powerful the field is."""
        return len(self.field), self.rank

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that are still in the match."""
        return tuple(seat for seat in range(len(self.seats)) if seat not in self.gone)


def following(state: State, seat: int) -> int:
    """The next seat clockwise that is still in the match."""
    count = len(state.seats)
    around = ((seat + step) % count for step in range(1, count + 1))
    return next(each for each in around if each not in state.gone)


@lru_cache(maxsize=4096)
def _most(seats: int, lying: tuple[str, ...]) -> tuple[int, ...]:
    """How many of each of KINDS are not among the cars that lie open or were seen to go elsewhere."""
    left, there = copies(seats), Counter(lying)
    return tuple(left[kind] - there[kind] for kind in KINDS)


def most(state: State, seat: int) -> tuple[int, ...]:
    """How many cars of each of KINDS the seat's hand may hold, by what everybody knows."""
    elsewhere = [card for other, cards in enumerate(state.seen) if other != seat for card in cards]
    return _most(len(state.seats), (*state.field, *state.out, *sorted(elsewhere)))


def own_hand(state: State, seat: int) -> Hand:
    """The seat's hand with all that the State knows of it."""
    cards = state.hands[seat]
    ordered = len(cards) - state.loose[seat]
    return Hand(cards[:ordered], cards[ordered:], state.seen[seat], state.specials[seat], most(state, seat))


def open_hand(state: State, seat: int) -> Hand:
    """The seat's hand with what everybody knows of it."""
    count = len(state.hands[seat])
    return Hand(unknown_cards(count), (), state.seen[seat], state.specials[seat], most(state, seat))
