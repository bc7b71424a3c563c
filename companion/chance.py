"""Chance with a given source: dice, shuffles, and cards taken unseen. The rules know none of it."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.games.game import AwaitedDice, AwaitedShuffle, Game, Rolled, Shuffled


def outcome(awaited: AwaitedDice | AwaitedShuffle, chance: Random) -> Rolled | Shuffled:
    """What chance answers: fair dice, or the awaited cards in an order each as likely as any other."""
    if isinstance(awaited, AwaitedDice):
        return Rolled(tuple(chance.choice(awaited.faces) for _ in range(awaited.count)))
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
    legal = [way for way in game.ways(state, action) if game.refusal(state, way) is None]
    return chance.choice(legal) if legal else action
