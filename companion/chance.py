"""Chance with a given source: dice, shuffles, and cards taken unseen. The rules know none of it."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.games.game import Action, AwaitedDice, AwaitedShuffle, Game, Rolled, Shuffled
from companion.games.pawns_of_perdition.actions import Take


def outcome(awaited: AwaitedDice | AwaitedShuffle, chance: Random) -> Rolled | Shuffled:
    """What chance answers: fair dice, or the awaited cards in an order each as likely as any other."""
    if isinstance(awaited, AwaitedDice):
        return Rolled(tuple(chance.randint(1, 6) for _ in range(awaited.count)))
    cards = list(awaited.cards)
    chance.shuffle(cards)
    return Shuffled(tuple(cards))


def filled_in(game: Game[Any, Any], state: Any, action: Any, chance: Random) -> Any:
    """The action with what its seat could not know: a card taken unseen is drawn from the true hand.

    `state` knows all; `action` comes from a seat that does not. Each card of the hand is as likely
    as any other. An action that leaves nothing open, or that is not legal, comes back as it is.
    """
    if game.refusal(state, action) is None:
        return action
    seat = getattr(action, "seat", "")
    ways = [way for way in game.legal(state, seat) if game.hide_action(way) == action]
    return chance.choices(ways, [_copies(state, way) for way in ways])[0] if ways else action


def _copies(state: Any, action: Action) -> int:
    if isinstance(action, Take):
        return int(state.hands[state.seats.index(action.target)].count(action.card))
    return 1
