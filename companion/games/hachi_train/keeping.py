"""Hands that are kept on phones: what only tells of a hand, what its owner alone may say, what wipes it."""

from __future__ import annotations

from companion.games.game import Keeping
from companion.games.hachi_train.actions import EnterCard, ForgetHand, HachiAction, KeepHand, Play, PutIn
from companion.games.hachi_train.rules import hide_action, legal
from companion.games.hachi_train.state import State


def private(action: HachiAction) -> bool:
    """Whether the action only tells of the seat's own hand."""
    return isinstance(action, KeepHand | ForgetHand | EnterCard | PutIn)


def said(action: HachiAction) -> HachiAction:
    """The action as its own player may say it: with places and cards of a hand, but no order of a shuffle."""
    return action if isinstance(action, Play | EnterCard | PutIn) else hide_action(action)


def forget(state: State, seat: str) -> ForgetHand | None:
    """What wipes what is kept of the seat's hand; None where nothing is."""
    forgets = ForgetHand(seat)
    return forgets if forgets in legal(state, seat) else None


KEEPING: Keeping[State, HachiAction] = Keeping(private, said, forget)
