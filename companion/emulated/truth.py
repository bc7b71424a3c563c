"""The whole truth of the game on the emulated table: who holds which card, and what comes next.

The companion believes a line of moves in which hidden cards are blank. The truth is that line with
the blanks filled in, by chance that depends on nothing but the seed, the game's number and the
line: after a restart, a takeback or a correction the same hands come out again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from functools import reduce
from operator import getitem
from random import Random
from typing import Any, NamedTuple

from msgspec import convert, json
from msgspec.structs import replace

from companion.chance import filled_in, outcome
from companion.games.game import Action, AwaitedShuffle, Game, Shuffled
from companion.games.layout import UNKNOWN, Layout, Piece

Path = tuple[Any, ...]
"""The way to a value in plain data: keys of objects and places in lists."""


class _Kept(NamedTuple):
    """Where a card is: the way to it; whether nobody can see it, or one seat alone."""

    path: Path
    closed: bool
    held: bool


class Truth:
    """Follows the companion's line. `state` knows every card; None before a game."""

    def __init__(self, game: Game[Any, Any], seed: int) -> None:
        self.game = game
        self.seed = seed
        self._number = 0
        self._states: list[Any] = []
        self._believed: list[Action] = []
        # The states in which the moves were played: those before them, but for cards found to be held.
        self._dealt: list[Any] = []

    @property
    def state(self) -> Any:
        """The true state after the moves followed so far, or None."""
        return self._states[-1] if self._states else None

    def layout(self, action: Action | None = None) -> Layout:
        """How the table of the true state looks, or how it will when that action is played next.

        A piece that the rules cannot name is named, if it carries a marker. What is printed on the sheet
        is no piece.
        """
        states, dealt = list(self._states), list(self._dealt)
        if action is not None:
            dealt.append(states[-1])
            states.append(self.game.play(states[-1], action))
        layout: Layout = self.game.layout(states[-1])
        tokens = self.game.table_map(states[-1]).tokens
        marked = {token.kind for token in tokens}
        printed = {(token.kind, token.name) for token in tokens if token.printed}
        pieces = (
            self._named(piece, states, dealt) if piece.name == UNKNOWN and piece.kind in marked else piece
            for piece in layout.pieces
            if (piece.kind, piece.name) not in printed
        )
        return Layout(tuple(sorted(pieces)), layout.dice)

    def _named(self, piece: Piece, states: list[Any], dealt: list[Any]) -> Piece:
        """Of the cards that came there when it could not be named any more, the one that lies on top."""
        at = len(states) - 1
        while at and piece in self.game.layout(states[at - 1]).pieces:
            at -= 1
        tokens = self.game.table_map(states[at]).tokens
        names = {token.alike or token.name for token in tokens if token.kind == piece.kind}
        names -= {other.name for other in self.game.layout(states[at]).pieces}
        now = self._cards(states[at])
        before = self._cards(dealt[at - 1]) if at else {}
        lying = [name for name in names & now.keys() if not now[name].held]
        came = [name for name in lying if name in before and before[name].path[0] != now[name].path[0]]
        return replace(piece, name=max(came or lying, key=lambda name: (now[name].closed, now[name].path)))

    def _cards(self, state: Any) -> dict[str, _Kept]:
        """Where in that state each card is that lies in a hand or pile, by name."""
        whole = _plain(state)
        hidden = set(_blanks(whole, _plain(self.game.hide(state))))
        views = (_blanks(whole, _plain(self.game.view(state, seat))) for seat in state.seats)
        closed = hidden.intersection(*map(set, views))
        return {
            value: _Kept(path, path in closed, path in hidden and path not in closed)
            for path, value in _leaves(whole)
            if isinstance(value, str) and isinstance(path[-1], int)
        }

    def follow(self, number: int, start: Any, moves: Sequence[Action], chosen: Action | None = None) -> Any:
        """The true state of game `number` after these moves from `start`.

        What was followed before is taken back as needed. `chosen` is the last move as whoever made
        it knows it; its hidden cards are then not left to chance.
        """
        if not self._states or (self._number, self._states[0]) != (number, start):
            self._number, self._states, self._believed, self._dealt = number, [start], [], []
        same = 0
        for believed, move in zip(self._believed, moves, strict=False):
            if believed != move:
                break
            same += 1
        del self._states[same + 1 :], self._believed[same:], self._dealt[same:]
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
            state = _dealt(self.game, state, action, Random(f"{salt}:dealt"))
        self._dealt.append(state)
        self._states.append(self.game.play(state, action))
        self._believed.append(move)

    def _filled_in(self, state: Any, move: Action, chance: Random) -> Action:
        awaited = self.game.awaiting(state).chance
        if isinstance(move, Shuffled) and isinstance(awaited, AwaitedShuffle):
            return outcome(awaited, chance)
        action: Action = filled_in(self.game, state, move, chance)
        return action


def _dealt(game: Game[Any, Any], state: Any, action: Any, chance: Random) -> Any:
    """The state in which the seat holds what it plays, changed for another of its cards.

    People at an emulated table may name any card that the companion cannot rule out. It was then
    in their hand all along: it is looked for where nobody can see it first, then in other hands.
    """
    whole, seen = _plain(state), game.hide(state)
    hidden = set(_blanks(whole, _plain(seen)))
    closed = {seat: set(_blanks(whole, _plain(game.view(state, seat)))) for seat in state.seats}
    own = sorted(hidden - closed[action.seat])
    chance.shuffle(own)
    nobody = hidden.intersection(*closed.values())
    for theirs in (*sorted(nobody), *sorted(hidden - nobody - set(own))):
        for mine in own:
            dealt = convert(_exchanged(whole, mine, theirs), game.state_type)
            if game.refusal(dealt, action) is None and game.hide(dealt) == seen:
                return dealt
    raise ValueError(f"Nobody can hold what {action.seat} needs for {action}.")


def _plain(state: Any) -> Any:
    return json.decode(json.encode(state))


def _blanks(whole: Any, seen: Any) -> Iterator[Path]:
    """The ways to all that is not the same in both: what one shows and the other blanks."""
    if not isinstance(whole, dict | list):
        if whole != seen:
            yield ()
        return
    for key in whole if isinstance(whole, dict) else range(len(whole)):
        for path in _blanks(whole[key], seen[key]):
            yield (key, *path)


def _leaves(whole: Any) -> Iterator[tuple[Path, Any]]:
    """All single values, and the ways to them."""
    if not isinstance(whole, dict | list):
        yield (), whole
        return
    for key in whole if isinstance(whole, dict) else range(len(whole)):
        for path, value in _leaves(whole[key]):
            yield (key, *path), value


def _exchanged(whole: Any, one: Path, other: Path) -> Any:
    """The same with two of its values exchanged; lists that were in order are so again."""
    copy = deepcopy(whole)
    lists = [reduce(getitem, path[:-1], copy) for path in (one, other)]
    ordered = [values == sorted(values) for values in lists]
    here, there = lists
    here[one[-1]], there[other[-1]] = there[other[-1]], here[one[-1]]
    for values, was in zip(lists, ordered, strict=True):
        if was:
            values.sort()
    return copy
