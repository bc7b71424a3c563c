"""The sensible bot of Hachi Train: it counts the turns that its hand will take, weak ones twice."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from companion.games.game import Game
from companion.games.hachi_train.actions import EnterCard, ForgetHand, KeepHand, Lead, Pass, Play, PutIn
from companion.games.hachi_train.cards import HAND, RANKS, ranks_of
from companion.games.hachi_train.state import State
from companion.games.layout import UNKNOWN

_OUT = 100.0
"""What going out is worth, in turns."""

_STRONG = 20
"""From this strength on nobody is expected to beat a play; 8 for each copy after the first, and its rank."""

_WEAK = 1.0
"""How many turns more the weakest card takes than one that nobody beats."""

_LEAD = 0.5
"""What it is worth to lead next, in turns: whatever is weak can be played then, and nothing is taken."""

_DRAWN = 0.7
"""How many turns more a special car takes that is drawn: it may join others."""

_UNKNOWN = 1.4
"""How many turns a card takes of which nothing is known."""


class HachiTrainBot:
    """Plays Hachi Train by what each action leaves in the hand, in turns."""

    def choose(self, game: Game[Any, Any], view: State, seat: str, legal: tuple[Any, ...]) -> Any | None:
        """The play or pass worth most; where nothing need be said, what keeps the own hand in order."""
        number = view.seats.index(seat)
        put_in = [action for action in legal if isinstance(action, PutIn)]
        if put_in and UNKNOWN not in view.hands[number]:
            return min(put_in, key=lambda action: turns(game.play(view, action).hands[number]))
        keep = [action for action in legal if isinstance(action, KeepHand)]
        if keep and UNKNOWN not in view.hands[number]:
            return keep[0]
        acts = [action for action in legal if not isinstance(action, _OF_OWN_HAND)]
        told = [action for action in acts if not isinstance(action, Play) or action.places]
        if not acts:
            return None
        if UNKNOWN not in view.hands[number] and told:
            acts = told
        return max(acts, key=lambda action: _worth(view, number, action))


_OF_OWN_HAND = KeepHand | ForgetHand | EnterCard | PutIn


def _worth(view: State, seat: int, action: Lead | Play | Pass) -> float:
    """How much better the seat stands after it than before, in turns."""
    if isinstance(action, Lead):
        return float(action.first == action.seat)
    if isinstance(action, Pass):
        return -_DRAWN if view.deck else 0.0
    hand = view.hands[seat]
    if len(action.cards) == len(hand):
        return _OUT
    gone = set(action.places)
    rest = tuple(card for at, card in enumerate(hand) if at not in gone)
    if not gone:
        rest = hand[len(action.cards) :]
    for card in view.field:
        rest = min((_with(rest, card, place) for place in range(len(rest) + 1)), key=turns)
    unbeaten = _strength(len(action.cards), action.rank) / _STRONG
    return turns(hand) - turns(rest) + _LEAD * min(unbeaten, 1.0) ** 2


def _with(hand: tuple[str, ...], card: str, place: int) -> tuple[str, ...]:
    return (*hand[:place], card, *hand[place:])


def _strength(count: int, rank: int) -> int:
    """How strong cards are, on one line: each copy more is worth all ranks."""
    return (count - 1) * len(RANKS) + rank


@lru_cache(maxsize=65536)
def turns(hand: tuple[str, ...]) -> float:
    """How many turns a hand will take, if it is played in pieces that lie side by side now."""
    best = [0.0]
    for end in range(1, len(hand) + 1):
        found = [best[end - 1] + _alone(hand[end - 1])]
        common = set(RANKS)
        for start in range(end - 1, max(-1, end - 1 - HAND), -1):
            if hand[start] == UNKNOWN:
                break
            common &= set(ranks_of(hand[start]))
            if not common:
                break
            found.append(best[start] + _turns(end - start, max(common)))
        best.append(min(found))
    return best[-1]


def _alone(card: str) -> float:
    return _UNKNOWN if card == UNKNOWN else _turns(1, max(ranks_of(card)))


def _turns(count: int, rank: int) -> float:
    """How many turns these cards take together: one, and more the weaker they are."""
    return 1.0 + _WEAK * (1.0 - min(_strength(count, rank) / _STRONG, 1.0))
