"""What makes a position impossible: for states that come from outside, as a record may begin with one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.games.layout import UNKNOWN
from companion.games.pawns_of_perdition.cards import AGAINST_OTHERS
from companion.games.pawns_of_perdition.options import SINS
from companion.games.pawns_of_perdition.state import (
    AFTER_ROLL,
    CARDS,
    ESCAPE,
    FIRST_PLAYER,
    KEEP,
    LANDING,
    OVER,
    PHASES,
    SEATS,
    SETUP,
    WINDOWS,
    State,
)

_KINDS = frozenset(("safe", "blessing", "torment", "draw", *SINS))


def faults(state: State) -> tuple[str, ...]:
    """Each thing that no game can come to, with the path to it; empty for a position that may be.

    Shapes come first: while they are wrong, nothing else is looked at.
    """
    return tuple(_shape(state)) or tuple((*_cards(state), *_pawns(state), *_course(state)))


def _shape(state: State) -> Iterator[str]:
    seats = len(state.seats)
    if not 3 <= seats <= 5 or len(set(state.seats)) < seats or not set(state.seats) <= set(SEATS):
        yield f"Three to five different seats of {', '.join(SEATS)} - at `$.seats`."
    for name in ("pawns", "hands", "skips", "throws"):
        count = len(getattr(state, name))
        if count != seats:
            yield f"One for each of the {seats} seats, not {count} - at `$.{name}`."
    if len(state.board) != ESCAPE + 1 or (state.board[0], state.board[-1]) != ("start", "escape"):
        yield f"The board has {ESCAPE + 1} spaces from 'start' to 'escape' - at `$.board`."
    for at, kind in enumerate(state.board[1:-1], 1):
        if kind not in _KINDS:
            yield f"There is no space '{kind}', known are {', '.join(sorted(_KINDS))} - at `$.board[{at}]`."
    if len(state.copies) != len(CARDS) or min(state.copies) < 1:
        yield f"How many there are of each of the {len(CARDS)} kinds of card - at `$.copies`."
    if not 0 <= state.turn < seats:
        yield f"A seat's number, 0 to {seats - 1}, not {state.turn} - at `$.turn`."
    if not -1 <= state.speaker < seats:
        yield f"A seat's number, or -1 where nobody is asked, not {state.speaker} - at `$.speaker`."
    if state.phase not in PHASES:
        yield f"There is no phase '{state.phase}', known are {', '.join(PHASES)} - at `$.phase`."
    if state.victim and state.victim not in state.seats:
        yield f"Nobody plays '{state.victim}' - at `$.victim`."
    if state.winner and state.winner not in state.seats:
        yield f"Nobody plays '{state.winner}' - at `$.winner`."
    played = state.played
    if played and (
        played.card not in AGAINST_OTHERS
        or played.seat == played.target
        or not {played.seat, played.target} <= set(state.seats)
    ):
        yield "A card against another player, from a seat to a seat - at `$.played`."


def _cards(state: State) -> Iterator[str]:
    hands = [card for hand in state.hands for card in hand]
    cards = Counter((*hands, *state.deck, *state.discard, *state.buried, *state.aside))
    unknown = cards.pop(UNKNOWN, 0)
    for kind in sorted(cards):
        if kind not in CARDS:
            yield f"There is no card '{kind}' - in the hands and piles."
    if cards.total() + unknown != sum(state.copies):
        yield f"There are {cards.total() + unknown} cards, not {sum(state.copies)} - in the hands and piles."
    for kind, copies in zip(CARDS, state.copies, strict=True):
        if cards[kind] > copies:
            yield f"There are {cards[kind]} cards '{kind}', not {copies} - in the hands and piles."
    for at, hand in enumerate(state.hands):
        if hand != tuple(sorted(hand)):
            yield f"A hand is kept in the order of the alphabet - at `$.hands[{at}]`."
    if state.owed < 0 or (state.owed and (state.deck or not (state.discard or state.buried))):
        yield "Draws are owed only while the draw pile is empty and there are discards - at `$.owed`."


def _pawns(state: State) -> Iterator[str]:
    for at, pawn in enumerate(state.pawns):
        if not 0 <= pawn <= ESCAPE or (pawn == ESCAPE and state.seats[at] != state.winner):
            where = f"0 to {ESCAPE - 1}, the winner's on {ESCAPE}, not on {pawn}"
            yield f"A pawn stands on {where} - at `$.pawns[{at}]`."
    if (state.phase == OVER) != bool(state.winner):
        yield "A game that is over has a winner, and no other has - at `$.winner`."
    elif state.winner and state.pawns[state.seats.index(state.winner)] != ESCAPE:
        yield f"The winner's pawn stands on {ESCAPE} - at `$.pawns`."
    for at, skips in enumerate(state.skips):
        if skips < 0:
            yield f"Nobody owes fewer turns than none - at `$.skips[{at}]`."


def _course(state: State) -> Iterator[str]:
    roll = state.roll
    dice = (*roll.base, *roll.extra, *roll.kept, *state.dice)
    if any(not 1 <= die <= 6 for die in dice):
        yield "A die shows 1 to 6 - at `$.roll` or `$.dice`."
    if min(roll.doubles, roll.wings, roll.beacons, state.holy) < 0:
        yield "Cards are counted from 0 - at `$.roll` or `$.holy`."
    if state.phase == AFTER_ROLL and len(roll.kept) != 2:
        yield "After the roll two dice count - at `$.roll.kept`."
    if state.phase == KEEP and len(roll.base) != 3:
        yield "Two of three dice are to be kept - at `$.roll.base`."
    if state.phase == FIRST_PLAYER and 0 not in state.throws:
        yield "Somebody is still to throw for the first turn - at `$.throws`."
    space = state.board[state.pawns[state.turn]] if 0 <= state.pawns[state.turn] <= ESCAPE else ""
    if state.phase == LANDING and (space not in ("blessing", "torment") or not state.victim):
        yield "The player in turn has landed on a Blessing or a Torment that somebody suffers - at `$.phase`."
    if state.speaker >= 0 and state.phase not in WINDOWS:
        yield "Players are asked in turn only while cards may be played - at `$.speaker`."
    if state.phase == SETUP and not (state.discard or state.buried):
        yield "All cards lie on the discard pile before they are first shuffled - at `$.discard`."
    played = state.played
    if played and not state.hands[state.seats.index(played.target)]:
        yield "Who has no cards has nothing to answer with - at `$.played`."
    if played and played.accepted and played.card != "forced_exchange":
        yield "Only Forced Exchange is accepted before it is done - at `$.played.accepted`."
