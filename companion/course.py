"""The line of play: the actions of one game so far, and the state after each of them."""

from __future__ import annotations

from functools import reduce
from typing import Any

from msgspec.structs import replace

from companion.games.game import Action, Game, Ruling, Shuffled

_LATELY = 12
"""How many actions back a change is still worth showing."""


class Illegal(ValueError):
    """An action that the rules refuse; `ruling` says why."""

    def __init__(self, ruling: Ruling) -> None:
        super().__init__(f"{ruling.sentence} [{ruling.rule}, {ruling.section}]")
        self.ruling = ruling


class Course:
    """States share what they have in common, so keeping them all costs little and undo is exact."""

    def __init__(self, game: Game[Any, Any], start: Any) -> None:
        self.game = game
        self.moves: list[Action] = []
        self.states: list[Any] = [start]

    @property
    def state(self) -> Any:
        """The state after the last move."""
        return self.states[-1]

    def play(self, action: Action) -> Any:
        """Play one action and return the new state; Illegal when the rules refuse it."""
        state = self.after(self.state, action)
        self.moves.append(action)
        self.states.append(state)
        return state

    def after(self, state: Any, action: Action) -> Any:
        """The state that the action leads to; Illegal when the rules refuse it."""
        ruling = self.game.refusal(state, action)
        if ruling is not None:
            raise Illegal(ruling)
        return self.game.play(state, action)

    def back(self, move: int) -> list[Action]:
        """Go back to before move number `move`; the actions taken back."""
        gone = self.moves[move:]
        del self.moves[move:]
        del self.states[move + 1 :]
        return gone

    def take_back(self, move: int) -> None:
        """Go back to before move number `move`, but for what does not hang on it.

        What other players said of their own hands stays, as far as it is still legal, but not across a
        shuffle: it was of other cards. What was wiped of a hand stays wiped, whoever wiped it.
        """
        gone, keeping = self.back(move), self.game.keeping
        if keeping is None:
            return
        touched = {seat_of(gone[0]), *(seat_of(action) for action in gone if not keeping.private(action))}
        same_cards = True
        for action in gone:
            same_cards = same_cards and not isinstance(action, Shuffled)
            wipes = keeping.forget(self.state, seat_of(action)) == action
            stays = wipes or (same_cards and keeping.private(action) and seat_of(action) not in touched)
            if stays and self.game.refusal(self.state, action) is None:
                self.play(action)

    def replace(self, move: int, action: Action) -> list[Action]:
        """Play `action` as move number `move` instead, then what followed for as long as it is legal.

        Returns the actions that fell away. Illegal, with nothing changed, if `action` is refused.
        """
        line = self.instead_of(move, action)
        reduce(self.after, line, self.states[move])
        gone = self.back(move)
        for each in line:
            self.play(each)
        rest = gone[1:]
        while rest and not self.game.over(self.state) and self.game.refusal(self.state, rest[0]) is None:
            self.play(rest.pop(0))
        return rest

    def wipe(self, seat: str, since: int) -> None:
        """Forget what is kept of the seat's hand, if anything is and nobody forgot it since that move."""
        keeping = self.game.keeping
        if keeping is None:
            return
        line = zip(self.states[since:], self.moves[since:], strict=False)
        wiped = any(keeping.forget(state, seat) == action for state, action in line)
        forgets = keeping.forget(self.state, seat)
        if forgets is not None and not wiped:
            self.play(forgets)

    def instead_of(self, move: int, action: Action) -> tuple[Action, ...]:
        """What is played to have `action` for move number `move`: perhaps what is implied before it."""
        state = self.states[move]
        implied = self.game.implied(state)
        if implied is None or self.game.refusal(state, action) is None:
            return (action,)
        return (implied, action)

    def by_the_next(self) -> Action | None:
        """The last move as the next player's, if it would have looked the same; None if it would not.

        People who go on without a word leave open whose act it was.
        """
        if not self.moves or not getattr(self.moves[-1], "seat", "") or self.private(len(self.moves) - 1):
            return None
        before, action = self.states[-2], self.game.hide_action(self.moves[-1])
        implied = self.game.implied(before)
        if implied is None or action == implied:
            return None
        after, lies = self.game.play(before, implied), self.game.layout(self.state).pieces
        for seat in self.game.awaiting(after).seats:
            other: Action = replace(action, seat=seat)
            if (
                other != action
                and self.game.refusal(after, other) is None
                and self.game.layout(self.game.play(after, other)).pieces == lies
            ):
                return other
        return None

    def entered(self, entry: Any) -> Course:
        """The same course with a card that the game did not know; ValueError when that cannot be."""
        owned = self.game.owned
        if owned is None:
            raise ValueError(f"{self.game.title} has no cards to enter.")
        course = Course(self.game, owned.enter(self.states[0], entry))
        for action in self.moves:
            course.play(action)
        return course

    def fresh(self) -> tuple[str, ...]:
        """The places of pieces that lie where they do since the last action that moved any."""
        now = set(self.game.layout(self.state).pieces)
        for earlier in reversed(self.states[-_LATELY:-1]):
            before = set(self.game.layout(earlier).pieces)
            if before != now:
                return tuple(sorted({piece.place for piece in now - before}))
        return ()

    def thrower(self, move: int) -> str:
        """The seat whose move number `move` was: who decided, or whose throw it was ("" = nobody's)."""
        seat = getattr(self.moves[move], "seat", "")
        if not seat:
            chance = self.game.awaiting(self.states[move]).chance
            seat = getattr(chance, "seat", "")
        return str(seat)

    def private(self, move: int) -> bool:
        """Whether this move only tells of its own player's hand."""
        keeping = self.game.keeping
        return keeping is not None and keeping.private(self.moves[move])

    def slip(self, seat: str) -> int | None:
        """The move to go back to for what the seat said last of its own hand; None if others went on since.

        Cards entered in one go are one slip. What was wiped does not come back.
        """
        keeping, found = self.game.keeping, None
        for move in range(len(self.moves) - 1, -1, -1):
            if keeping is None or not self.private(move):
                break
            if seat_of(self.moves[move]) != seat:
                continue
            if found is not None and type(self.moves[move]) is not type(self.moves[found]):
                break
            if keeping.forget(self.states[move], seat) == self.moves[move]:
                break
            found = move
        return found

    def free(self, move: int) -> bool:
        """Whether going back over this move spoils nobody's knowledge, dice or decision."""
        return self.game.free(self.states[move], self.moves[move])


def seat_of(action: Action) -> str:
    """The seat whose action it is; "" for what chance says."""
    return str(getattr(action, "seat", ""))
