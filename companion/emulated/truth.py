"""The whole truth of the game on the emulated table: who holds which card, and what comes next.

The companion believes a line of moves in which hidden cards are blank. The truth is that line with
the blanks filled in, by chance that depends on nothing but the seed, the game's number and the
line: after a restart, a takeback or a correction the same hands come out again.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.chance import filled_in, outcome
from companion.games.game import Action, AwaitedShuffle, Game, Shuffled


class Truth:
    """Follows the companion's line. `state` knows every card; None before a game."""

    def __init__(self, game: Game[Any, Any], seed: int) -> None:
        self.game = game
        self.seed = seed
        self._number = 0
        self._states: list[Any] = []
        self._believed: list[Action] = []

    @property
    def state(self) -> Any:
        """The true state after the moves followed so far, or None."""
        return self._states[-1] if self._states else None

    def follow(self, number: int, start: Any, moves: Sequence[Action], chosen: Action | None = None) -> Any:
        """The true state of game `number` after these moves from `start`.

        What was followed before is taken back as needed. `chosen` is the last move as whoever made
        it knows it; its hidden cards are then not left to chance.
        """
        if not self._states or (self._number, self._states[0]) != (number, start):
            self._number, self._states, self._believed = number, [start], []
        same = 0
        for believed, move in zip(self._believed, moves, strict=False):
            if believed != move:
                break
            same += 1
        del self._states[same + 1 :], self._believed[same:]
        for index in range(same, len(moves)):
            last = chosen if index == len(moves) - 1 else None
            self._play(moves[index], last)
        return self.state

    def _play(self, move: Action, chosen: Action | None) -> None:
        state = self.state
        salt = f"{self.seed}:{self._number}:{len(self._believed)}"
        if chosen is not None and self.game.hide_action(chosen) == move:
            action: Action = chosen
        else:
            action = self._filled_in(state, move, Random(salt))
        if self.game.refusal(state, action) is not None:
            state = _dealt(state, action, Random(f"{salt}:dealt"))
        self._states.append(self.game.play(state, action))
        self._believed.append(move)

    def _filled_in(self, state: Any, move: Action, chance: Random) -> Action:
        awaited = self.game.awaiting(state).chance
        if isinstance(move, Shuffled) and isinstance(awaited, AwaitedShuffle):
            return outcome(awaited, chance)
        action: Action = filled_in(self.game, state, move, chance)
        return action


def _dealt(state: Any, action: Any, chance: Random) -> Any:
    """The state in which the seat holds the card that it plays, changed for another of its cards.

    People at an emulated table may name any card that the companion cannot rule out. It was then
    in their hand all along: it is looked for in the deck first, then where else it may be hidden.
    """
    number = state.seats.index(action.seat)
    hand = list(state.hands[number])
    given = hand.pop(chance.randrange(len(hand)))
    changed = tuple(sorted((*hand, action.card)))
    hands = (*state.hands[:number], changed, *state.hands[number + 1 :])
    for pile in ("deck", "buried", "aside"):
        cards = getattr(state, pile)
        if action.card in cards:
            return replace(state, hands=hands, **{pile: _swapped(cards, action.card, given)})
    for other, held in enumerate(hands):
        if other != number and action.card in held:
            swapped = tuple(sorted(_swapped(held, action.card, given)))
            return replace(state, hands=(*hands[:other], swapped, *hands[other + 1 :]))
    raise ValueError(f"No {action.card} is hidden anywhere, and {action.seat} plays one.")


def _swapped(cards: tuple[str, ...], card: str, given: str) -> tuple[str, ...]:
    at = cards.index(card)
    return (*cards[:at], given, *cards[at + 1 :])
