"""The log in words: what was done, what came of it and why. What a hand holds is not told in it."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.game import Rolled, Shuffled
from companion.games.hachi_train.actions import (
    EnterCard,
    ForgetHand,
    HachiAction,
    KeepHand,
    Lead,
    Pass,
    Play,
    PutIn,
)
from companion.games.hachi_train.cards import HAND, LEFT_OUT
from companion.games.hachi_train.names import cards, counted, listed, money, name, played
from companion.games.hachi_train.rules import hide, hide_action, losers, play
from companion.games.hachi_train.state import MATCHES, OVER, TRAINS, State


def story(state: State, action: HachiAction) -> tuple[str, ...]:
    """The log's lines for a legal action; nothing in them rests on what only one player knows."""
    before, action = hide(state), hide_action(action)
    after = play(before, action)
    return tuple((*_done(before, action, after), *_came_of_it(before, action, after)))


def _done(before: State, action: HachiAction, after: State) -> Iterator[str]:
    match action:
        case Shuffled() if before.phase == TRAINS:
            yield from _dealt(before)
        case Shuffled():
            yield "The special cars are shuffled: they are the draw deck."
            if before.match > 1:
                yield f"{name(before.seats[before.turn])} lost the last match, and leads."
        case Rolled() | Lead():
            yield f"{name(after.seats[after.turn])} leads the first match."
        case Play(seat, rank, held):
            yield from _exchanged(before, action, f"{name(seat)} plays {played(held, rank)}")
        case Pass(seat):
            drawn = " and draws a special car" if before.deck else "; no card is left to draw"
            yield f"{name(seat)} passes{drawn}."
        case KeepHand(seat):
            yield f"{name(seat)} keeps the own hand here."
        case ForgetHand(seat):
            yield f"{name(seat)} keeps the own hand here no more."
        case EnterCard(seat):
            yield f"{name(seat)} enters a card of the own hand."
        case PutIn(seat):
            yield f"{name(seat)} says where a card went in the own hand."


def _dealt(before: State) -> Iterator[str]:
    count = LEFT_OUT[len(before.seats)]
    if before.match == 1 and count:
        stays = "stays" if count == 1 else "stay"
        yield f"{counted(count, 'card')} of each rank 1 to 8 {stays} out of the game."
    yield f"Match {before.match} of {MATCHES}: {HAND} train cars are dealt to each player, and stay in order."


def _exchanged(before: State, action: Play, plays: str) -> Iterator[str]:
    seat = before.seats.index(action.seat)
    left = len(before.hands[seat]) - len(action.cards)
    if not left:
        over = f" over {played(before.field, before.rank)}, which is discarded," if before.field else ""
        yield f"{plays}{over} and goes out."
    elif before.field:
        total = counted(left + len(before.field), "card")
        yield f"{plays} and takes {cards(before.field)}: {total} in the hand."
    else:
        yield f"{plays} onto the empty field: {counted(left, 'card')} in the hand."


def _came_of_it(before: State, action: HachiAction, after: State) -> Iterator[str]:
    """What happened by itself: the field cleared, a match and the game over."""
    if isinstance(action, Pass) and not after.field:
        leads = name(after.seats[after.turn])
        yield f"All others have passed: {played(before.field, before.rank)} is discarded, and {leads} leads."
    if not isinstance(action, Play) or after.phase not in (TRAINS, OVER):
        return
    loser = after.turn
    what = money(after.assets[loser])
    does = f"flips the assets to {what}" if after.assets[loser] else "has lost all assets"
    yield f"{name(after.seats[loser])} is the last player in match {before.match}, and {does}."
    if after.phase == OVER:
        lost = tuple(map(name, losers(after)))
        if not lost:
            yield "The game is over, and all have the same assets: nobody loses."
        elif len(lost) == len(after.seats):
            yield "The game is over, and all have the same assets: all lose together."
        else:
            won = tuple(name(seat) for seat in after.seats if seat not in losers(after))
            verb = "loses" if len(lost) == 1 else "lose"
            wins = "wins" if len(won) == 1 else "win"
            yield f"The game is over. {listed(lost)} {verb}; {listed(won)} {wins}."
