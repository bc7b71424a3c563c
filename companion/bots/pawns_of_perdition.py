"""The sensible bot of Pawns of Perdition."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games.game import Game
from companion.games.pawns_of_perdition.actions import Accept, EndTurn, Pass
from companion.games.pawns_of_perdition.state import (
    AFTER_ROLL,
    BEACON,
    BEFORE_ROLL,
    ESCAPE,
    KEEP,
    LANDING,
    REROLL,
    Roll,
    State,
    distance,
)


class PawnsBot:
    """Plays Pawns of Perdition by what each action is worth one step on, in spaces."""

    def choose(self, game: Game[Any, Any], view: State, seat: str, legal: tuple[Any, ...]) -> Any | None:
        """The action worth most; nothing, where nothing need be played and no card is worth its price."""
        best = max(legal, key=lambda action: self._worth(game, view, seat, action))
        if seat in game.awaiting(view).seats:
            return best
        return best if self._worth(game, view, seat, best) > _worth(view, seat) else None

    def _worth(self, game: Game[Any, Any], view: State, seat: str, action: Any) -> float:
        # What the next player's turn is worth would count against going on, at any time.
        if isinstance(action, EndTurn | Pass):
            return _worth(view, seat)
        after: State = game.play(view, action)
        if after.played and not after.played.accepted:
            after = game.play(after, Accept(after.played.target))
        return _worth(after, seat)


_CARD = 2.5
_TURN = 7.0
_ONE_DIE = 3.5
_THREE_DICE_KEEP_TWO = 8.46
_SPACE = {"blessing": 3.5, "torment": -3.5, "draw": _CARD, "sloth": -_TURN, "wrath": 2.0, "envy": -4.0}


def _worth(view: State, seat: str) -> float:
    """How well the seat stands, in spaces: its own reach against the others', cards and turns owed."""
    own = view.seats.index(seat)
    if view.winner:
        return 1000.0 if view.winner == seat else -1000.0
    reach = [_reach(view, number) - _TURN * view.skips[number] for number in range(len(view.seats))]
    others = [far for number, far in enumerate(reach) if number != own]
    cards = [len(hand) for number, hand in enumerate(view.hands) if number != own]
    ours = reach[own] + _CARD * len(view.hands[own])
    return ours - 0.6 * max(others) - 0.1 * sum(others) - 0.5 * sum(cards)


def _reach(view: State, number: int) -> float:
    """Where a pawn will stand as far as the turn that is running can tell."""
    space = view.pawns[number]
    if view.phase == LANDING and view.victim:
        blessing = view.board[view.pawns[view.turn]] == "blessing"
        if view.seats[number] == view.victim:
            return space + (_ONE_DIE * (1 + view.holy) if blessing else -_ONE_DIE)
    if number != view.turn or view.phase not in (BEFORE_ROLL, REROLL, BEACON, KEEP, AFTER_ROLL):
        return space
    if view.phase == AFTER_ROLL:
        target = min(space + distance(view), ESCAPE)
        return 100.0 if target == ESCAPE else target + _SPACE.get(view.board[target], 0.0)
    return space + _expected(view)


def _expected(view: State) -> float:
    roll = view.roll
    extra = sum(roll.extra) or _ONE_DIE * roll.beacons
    base = sum(roll.kept) or (_THREE_DICE_KEEP_TWO if roll.cleansing else 2 * _ONE_DIE)
    plain = replace(view, roll=Roll(doubles=roll.doubles, wings=roll.wings, kept=(1,)))
    per_die = distance(replace(plain, roll=replace(plain.roll, kept=(2,)))) - distance(plain)
    return (base + extra - 1) * per_die + distance(plain)
